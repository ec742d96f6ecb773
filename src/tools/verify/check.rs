//! Checks a result line, the *claim*, against its record.

use std::collections::HashMap;

use super::parity::is_unsolvable;
use super::paths::{check_all_paths, replayed};
use super::report::Finding;
use crate::board::distribution::{Distribution, GoalBlank};
use crate::board::{Board, MAX_SEARCH_CELLS, Move};
use crate::format::fields::Field;
use crate::format::input::{Record, Source};
use crate::format::passthrough::{Pass, compact};
use crate::format::result::{ReadMode, ResultLine};
use crate::format::spelling::Spelling;
use crate::format::status::Status;
use crate::format::text::plain;
use crate::format::trailer::Trailer;
use crate::heuristic::lower_bound;
use crate::tools::text::escaped_start;

/// The format of the results.
#[derive(Debug)]
pub struct ResultsFormat<'a> {
    /// True if the results are CSV, which does not keep the JSON types of ids and passthrough
    /// columns.
    pub is_csv: bool,
    /// The notation of paths.
    pub spelling: Spelling,
    /// The passthrough columns.
    pub pass: &'a Pass,
}

impl ResultsFormat<'_> {
    /// Reads a line.
    ///
    /// # Errors
    /// The reason why it is not a result.
    pub fn read<'a>(&self, line: &'a [u8]) -> Result<ResultLine<'a>, String> {
        let mode =
            ReadMode::Strict { passthrough: !self.pass.is_nothing(), copies: self.pass.is_all(), csv: self.is_csv };
        if Trailer::is_trailer(line) {
            return Err("is the trailer of a part: join all parts of the run with taquin merge".into());
        }
        // The CSV reader replaces an invalid row with an error message, which is not JSON.
        if self.is_csv && !line.starts_with(b"{") {
            return Err(format!("is not a result: {}", String::from_utf8_lossy(line.trim_ascii())));
        }
        ResultLine::read(line, mode)
    }

    /// Returns true if two JSON values are the same, as far as the format of the results shows.
    fn is_same(&self, one: &str, other: &str) -> bool {
        let are_texts = self.is_csv || one.starts_with('"') && other.starts_with('"');
        one == other || if are_texts { plain(one) == plain(other) } else { compact(one) == compact(other) }
    }
}

/// Compares a claim with its record. Returns a finding about its status, and one about the length of
/// its path if the claim describes that.
///
/// # Errors
/// The first error found.
pub fn check(
    record: &Record,
    puzzle: Result<&(Board, Board), &String>,
    source: &Source,
    claim: &ResultLine<'_>,
    format: &ResultsFormat<'_>,
) -> Result<(Finding, Option<Finding>), String> {
    if claim.text(Field::Source).is_some_and(|named| *named != *source.name) {
        return Err(format!("is for a source other than '{}'", source.name));
    }
    check_number(claim, Field::Line, record.line)?;
    // A copy of the record's field may be any JSON, in a result of any status.
    let is_copy = |field: Field| record.passthrough.keeps(field.name());
    if let Some(id) = claim.json(Field::Id)
        && !is_copy(Field::Id)
        && !record.id.as_deref().is_some_and(|expected| format.is_same(expected, id))
    {
        return Err(format!("is for a different id: the record's is {}", record.id.as_deref().unwrap_or("none")));
    }
    check_passthrough(record, claim, format)?;
    let status = claim.text(Field::Status).and_then(Status::named).ok_or("has no field `status`")?;
    if let Some(field) = claim.misplaced(status).find(|&field| !is_copy(field)) {
        return Err(format!("contradicts itself: it has the field `{field}`, but its status is {}", status.name()));
    }
    let puzzle = match (puzzle, status) {
        (Err(reason), Status::Invalid) if claim.text(Field::Error).is_some_and(|given| given != reason) => {
            return Err(format!("gives a reason other than: {reason}"));
        }
        (Err(_), Status::Invalid) => return Ok((Finding::Invalid, None)),
        (_, Status::Error) => return Ok((Finding::Failed, None)),
        (Err(reason), _) => return Err(format!("is wrong: the record is invalid: {reason}")),
        (Ok(_), Status::Invalid) => return Err("calls the record invalid, but it is a board".into()),
        (Ok(puzzle), _) => puzzle,
    };
    let (board, goal) = puzzle;
    for (field, expected) in [(Field::Board, board), (Field::Goal, goal)] {
        if !is_copy(field) && claim.tiles(field).is_some_and(|shown| !is_board(shown, expected)) {
            return Err(format!("shows a {field} other than the record's"));
        }
    }
    check_derived(claim, board, goal)?;
    match status {
        Status::Solved => Ok((Finding::Solved, check_solved(claim, puzzle, format.spelling)?)),
        Status::Unsolvable if is_unsolvable(board, goal) => Ok((Finding::Unsolvable, None)),
        Status::Unsolvable => Err("calls the board unsolvable, but by its parity it can be solved".into()),
        _ if is_unsolvable(board, goal) => Err("leaves the board unsolved, but by its parity it is unsolvable".into()),
        _ => Ok((Finding::Unsolved, None)),
    }
}

/// Checks that the passthrough fields of a claim are exactly those of its record.
fn check_passthrough(record: &Record, claim: &ResultLine<'_>, format: &ResultsFormat<'_>) -> Result<(), String> {
    // A map is fast even if an object has a hundred thousand members.
    let mut claimed: HashMap<&str, &str> = claim.passthrough().collect();
    for (name, expected) in record.passthrough.iter_all() {
        match claimed.remove(name) {
            Some(value) if format.is_same(expected, value) => {}
            Some(_) => return Err(format!("has a field '{name}' other than {}", escaped_start(expected, 40))),
            None if format.is_csv && matches!(expected, "null" | "\"\"") => {}
            None => return Err(format!("lacks the field '{name}', which the record has")),
        }
    }
    // In a column that the record lacks, the result has null, or nothing in CSV. A field that could
    // be a copy may also have a value of its own.
    claimed.retain(|name, value| match Field::named(name) {
        Some(field) => claim.foreign(field).is_some(),
        None => *value != "null" || format.pass.names().all(|column| column != *name),
    });
    let absent = |name| Err(format!("has a field '{name}', which the record does not have"));
    claimed.keys().min().map_or(Ok(()), absent)
}

/// Checks the fields that follow from the board and the goal.
fn check_derived(claim: &ResultLine<'_>, board: &Board, goal: &Board) -> Result<(), String> {
    check_number(claim, Field::Rows, board.shape().rows() as u64)?;
    check_number(claim, Field::Cols, board.shape().cols() as u64)?;
    check_number(claim, Field::Manhattan, board.manhattan_distance(goal))?;
    if claim.has(Field::LinearConflict) {
        check_number(claim, Field::LinearConflict, lower_bound(board, goal))?;
    }
    if claim.flag(Field::Solvable).is_some_and(|said| said == is_unsolvable(board, goal)) {
        return Err("has a `solvable` that contradicts the board's parity".into());
    }
    Ok(())
}

/// Checks the value of a field, if the claim has it.
fn check_number(claim: &ResultLine<'_>, field: Field, expected: u64) -> Result<(), String> {
    let wrong = claim.number(field).filter(|&found| found != expected);
    wrong.map_or(Ok(()), |found| Err(format!("has `{field}` {found}, expected {expected}")))
}

fn is_board(shown: &[u64], board: &Board) -> bool {
    shown.iter().copied().eq(board.tiles().iter().map(|tile| tile.label() as u64))
}

fn check_solved(
    claim: &ResultLine<'_>,
    puzzle: &(Board, Board),
    spelling: Spelling,
) -> Result<Option<Finding>, String> {
    let path = claim.text(Field::Path).ok_or("has no field `path`: there is nothing to replay")?;
    let letters = &*replayed(path, puzzle, spelling).map_err(|why| format!("has a path that is {why}"))?;
    check_number(claim, Field::Moves, letters.len() as u64)?;
    if let Some(shown) = claim.number_lists(Field::States)
        && !are_states(shown, &puzzle.0, letters)
    {
        return Err("shows boards other than those on its path".into());
    }
    check_all_paths(claim, puzzle, letters, spelling)?;
    check_proof(claim, puzzle, letters.len() as u64)
}

/// Checks the statement that no path is shorter than the replayed one, or that no path has fewer
/// moves than a bound.
fn check_proof(claim: &ResultLine<'_>, (board, goal): &(Board, Board), moves: u64) -> Result<Option<Finding>, String> {
    let (is_optimal, bound) = (claim.flag(Field::Optimal).unwrap_or(true), claim.number(Field::LowerBound));
    // The number of moves that the hardest board needs, if it is published.
    let most = Distribution::of(board.shape(), GoalBlank::of(goal)).map(Distribution::max_moves);
    let finding = match bound {
        Some(bound) if bound > moves => {
            return Err(format!("says that no path is shorter than {bound} moves, but its path has {moves}"));
        }
        Some(bound) if is_optimal != (bound == moves) => {
            let is = if is_optimal { "is" } else { "is not" };
            return Err(format!(
                "says that its path {is} a shortest one, with {moves} moves and a lower bound of {bound}"
            ));
        }
        _ if is_optimal && claim.has(Field::Limit) && !claim.has(Field::SolutionsAtLeast) => {
            return Err("names a limit, but says that the path is a shortest one".into());
        }
        _ if is_optimal && most.is_some_and(|most| moves > most) => {
            return Err(format!("calls a path of {moves} moves shortest, but no board of this shape needs so many"));
        }
        // For a board of this size, only solving it again can also prove that the path is canonical.
        _ if is_optimal && board.shape().cells() <= MAX_SEARCH_CELLS => Finding::ShortestUnproven,
        // The engines use the same heuristic, so this does not find its errors.
        _ if is_optimal && lower_bound(board, goal) < moves => Finding::ShortestUnproven,
        Some(bound) if lower_bound(board, goal) < bound => Finding::BoundUnproven,
        None if !is_optimal => return Ok(None),
        _ => Finding::Bounded,
    };
    Ok(Some(finding))
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
