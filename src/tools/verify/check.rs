//! Checks a result line, the *claim*, against its record.

use std::collections::HashMap;

use super::parity::is_unsolvable;
use super::paths::{CheckedAllPathsClaims, check_all_paths, replayed};
use super::report::Finding;
use super::shortest::SmallBoards;
use crate::board::distribution::{Distribution, GoalBlank};
use crate::board::{Board, MAX_SEARCH_CELLS, Move};
use crate::format::field_table::Presence;
use crate::format::fields::Field;
use crate::format::input::{Record, Source};
use crate::format::passthrough::Pass;
use crate::format::result::{ReadMode, ResultLine};
use crate::format::spelling::Spelling;
use crate::format::status::Status;
use crate::format::text::plain;
use crate::heuristic::lower_bound;

/// The format of the results.
#[derive(Debug)]
pub struct ResultsFormat<'a> {
    /// The fields that are allowed, and whether the results are CSV.
    pub read_mode: ReadMode,
    /// The notation of paths.
    pub spelling: Spelling,
    /// The passthrough columns.
    pub pass: &'a Pass,
}

impl ResultsFormat<'_> {
    /// Returns true if the results are CSV, which does not keep the JSON types of ids and
    /// passthrough columns.
    pub fn is_csv(&self) -> bool {
        matches!(self.read_mode, ReadMode::Strict { csv: true, .. })
    }

    /// Returns true if two JSON values are the same, as far as the format of the results shows.
    fn is_same(&self, one: &str, other: &str) -> bool {
        one == other || (self.is_csv() && plain(one) == plain(other))
    }
}

/// Compares a claim with its record. Also returns what the claim says about all shortest paths, if
/// anything.
///
/// # Errors
/// The first error found.
pub fn check(
    record: &Record,
    puzzle: Result<&(Board, Board), &String>,
    source: &Source,
    claim: &ResultLine<'_>,
    format: &ResultsFormat<'_>,
    small_boards: &mut SmallBoards,
) -> Result<(Finding, Option<CheckedAllPathsClaims>), String> {
    if claim.text(Field::Source).is_some_and(|named| *named != *source.name) {
        return Err(format!("is for a source other than '{}'", source.name));
    }
    check_number(claim, Field::Line, record.line)?;
    if let Some(id) = claim.json(Field::Id)
        && !record.id.as_deref().is_some_and(|expected| format.is_same(expected, id))
    {
        return Err(format!("is for a different id: the record's is {}", record.id.as_deref().unwrap_or("none")));
    }
    check_passthrough(record, claim, format)?;
    for field in [Field::Board, Field::Goal] {
        let Some(text) = claim.text(field) else { continue };
        let mut copied = record.passthrough.iter_all().filter(|(name, _)| *name == field.name());
        if copied.all(|(_, value)| plain(value) != text) {
            return Err(format!("has text in `{field}` that is not copied from the record"));
        }
    }
    let status = claim.status().unwrap_or(None).ok_or("has neither `status` nor `path`")?;
    if let Some(field) = claim.misplaced(status) {
        return Err(format!("contradicts itself: it has the field `{field}`, but its status is {}", status.name()));
    }
    let (board, goal) = match (puzzle, status) {
        (Err(reason), Status::Invalid) => {
            return match claim.text(Field::Error) {
                Some(given) if *given != **reason => Err(format!("gives a reason other than: {reason}")),
                _ if shows_a_board(record, claim) => Err("shows a board, but the record has none".into()),
                _ => Ok((Finding::Invalid, None)),
            };
        }
        (_, Status::Error) => return Ok((Finding::Failed, None)),
        (Err(reason), _) => return Err(format!("is wrong: the record is invalid: {reason}")),
        (Ok(_), Status::Invalid) => return Err("calls the record invalid, but it is a board".into()),
        (Ok((board, goal)), _) => (board, goal),
    };
    check_derived(claim, board, goal)?;
    let linear = claim.number(Field::LinearConflict);
    let expected = || (!is_unsolvable(board, goal)).then(|| lower_bound(board, goal));
    if linear.is_some() && linear != expected() {
        return Err("has a wrong linear-conflict bound".into());
    }
    match status {
        Status::Solved => check_solved(claim, board, goal, format.spelling, small_boards),
        Status::Unsolvable if is_unsolvable(board, goal) => Ok((Finding::Unsolvable, None)),
        Status::Unsolvable => Err("calls the board unsolvable, but by its parity it can be solved".into()),
        _ if is_unsolvable(board, goal) => Err("leaves the board unsolved, but by its parity it is unsolvable".into()),
        _ if board == goal && claim.number(Field::LowerBound) > Some(0) => {
            Err("says that the board needs moves, but it is the goal".into())
        }
        _ => Ok((Finding::Unsolved, None)),
    }
}

/// Checks that the passthrough fields of a claim are exactly those of its record.
fn check_passthrough(record: &Record, claim: &ResultLine<'_>, format: &ResultsFormat<'_>) -> Result<(), String> {
    // A map is fast even if an object has a hundred thousand members.
    let mut claimed: HashMap<&str, &str> = claim.passthrough().collect();
    for (name, expected) in record.passthrough.iter() {
        match claimed.remove(name) {
            Some(value) if format.is_same(expected, value) => {}
            Some(_) => return Err(format!("has a '{name}' other than the record's: {expected}")),
            None if format.is_csv() && matches!(expected, "null" | "\"\"") => {}
            None => return Err(format!("lacks the field '{name}', which the record has")),
        }
    }
    // In a column that the record lacks, the result has null, or nothing in CSV.
    claimed.retain(|name, value| *value != "null" || format.pass.names().all(|column| column != *name));
    match claimed.keys().min() {
        Some(name) => Err(format!("has a field '{name}', which the record does not have")),
        None => Ok(()),
    }
}

/// Returns true if a claim has fields that only results of boards have and that are not copied from
/// the record.
fn shows_a_board(record: &Record, claim: &ResultLine<'_>) -> bool {
    use Presence::{Board, Estimated, Reflected, Repeated, SearchEstimated, Solvable};
    let of_boards = [Board, Estimated, Reflected, Repeated, SearchEstimated, Solvable];
    let shows = |field: &Field| of_boards.contains(&field.row().presence) && claim.has(*field);
    Field::ALL.into_iter().filter(shows).any(|field| !record.passthrough.keeps(field.name()))
}

/// Checks the fields that follow from the record.
fn check_derived(claim: &ResultLine<'_>, board: &Board, goal: &Board) -> Result<(), String> {
    check_number(claim, Field::Rows, board.shape().rows() as u64)?;
    check_number(claim, Field::Cols, board.shape().cols() as u64)?;
    check_number(claim, Field::Manhattan, board.manhattan_distance(goal))?;
    if claim.tiles(Field::Board).is_some_and(|shown| !is_board(shown, board)) {
        return Err("shows a board other than the record's".into());
    }
    if claim.tiles(Field::Goal).is_some_and(|shown| !is_board(shown, goal)) {
        return Err("shows a goal other than the record's".into());
    }
    if claim.flag(Field::Solvable).is_some_and(|said| said == is_unsolvable(board, goal)) {
        return Err("has a `solvable` that contradicts the board's parity".into());
    }
    Ok(())
}

/// Checks the value of a field, if the claim has it.
fn check_number(claim: &ResultLine<'_>, field: Field, expected: u64) -> Result<(), String> {
    match claim.number(field) {
        Some(found) if found != expected => Err(format!("has `{field}` {found}, expected {expected}")),
        _ => Ok(()),
    }
}

fn is_board(shown: &[u64], board: &Board) -> bool {
    shown.iter().copied().eq(board.tiles().iter().map(|tile| tile.label() as u64))
}

fn check_solved(
    claim: &ResultLine<'_>,
    board: &Board,
    goal: &Board,
    spelling: Spelling,
    small_boards: &mut SmallBoards,
) -> Result<(Finding, Option<CheckedAllPathsClaims>), String> {
    let path = claim.text(Field::Path).ok_or("has no field `path`: there is nothing to replay")?;
    let letters = &*replayed(path, (board, goal), spelling).map_err(|why| format!("has a path that is {why}"))?;
    check_number(claim, Field::Moves, letters.len() as u64)?;
    if let Some(shown) = claim.number_lists(Field::States)
        && !are_states(shown, board, letters)
    {
        return Err("shows boards other than those on its path".into());
    }
    let all_paths = check_all_paths(claim, (board, goal), letters, spelling, small_boards)?;
    Ok((check_proof(claim, (board, goal), letters.len() as u64)?, all_paths))
}

/// Checks the statement that no path is shorter than the replayed one, or that no path has fewer
/// moves than a bound.
fn check_proof(claim: &ResultLine<'_>, (board, goal): (&Board, &Board), moves: u64) -> Result<Finding, String> {
    let (is_optimal, bound) = (claim.flag(Field::Optimal).unwrap_or(true), claim.number(Field::LowerBound));
    let finding = match bound {
        Some(bound) if bound > moves => {
            return Err(format!("says that no path is shorter than {bound} moves, but its path has {moves}"));
        }
        Some(bound) if !is_optimal && bound == moves => {
            return Err(format!(
                "has a path as short as its lower bound of {bound} moves, but says that the path is not a shortest one"
            ));
        }
        Some(bound) if is_optimal && bound < moves => {
            return Err(format!("says that its {moves} moves are the fewest, but that its lower bound is {bound}"));
        }
        _ if is_optimal && claim.has(Field::Limit) && !claim.has(Field::SolutionsAtLeast) => {
            return Err("names a limit, but says that the path is a shortest one".into());
        }
        _ if is_optimal && most_moves(board, goal).is_some_and(|most| moves > most) => {
            return Err(format!("calls a path of {moves} moves shortest, but no board of this shape needs so many"));
        }
        // For a board of this size, solving the board again can prove that the path is shortest.
        // For a larger board, only a bound can. The engines use the same heuristic, so this does not
        // find its errors.
        _ if is_optimal && board.shape().cells() <= MAX_SEARCH_CELLS => Finding::Solved,
        _ if is_optimal && lower_bound(board, goal) >= moves => Finding::ProvenByBound,
        _ if is_optimal => Finding::ShortestUnproven,
        Some(bound) if lower_bound(board, goal) < bound => Finding::BoundUnproven,
        Some(_) => Finding::Bounded,
        None => Finding::OnlyReplayed,
    };
    Ok(finding)
}

/// Returns the number of moves that the hardest board needs, if it is published.
fn most_moves(board: &Board, goal: &Board) -> Option<u64> {
    Distribution::of(board.shape(), GoalBlank::of(goal)).map(Distribution::max_moves)
}

/// Returns true if these are the boards of a replayed path.
fn are_states(shown: &[Vec<u64>], board: &Board, letters: &[u8]) -> bool {
    let Some((first, shown)) = shown.split_first() else { return false };
    let mut current = board.clone();
    let mut follows = |letter: u8, shown: &[u64]| {
        Move::from_letter(letter).is_some_and(|step| current.make(step)) && is_board(shown, &current)
    };
    is_board(first, board)
        && shown.len() == letters.len()
        && letters.iter().zip(shown).all(|(&letter, shown)| follows(letter, shown))
}
