//! One record against the claim of its result.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::board::frame::Frame;
use crate::board::replay;
use crate::board::{Board, Goal, MAX_SEARCH_CELLS, Move, Shape};
use crate::format::field_table::Presence;
use crate::format::fields::Field;
use crate::format::input::{Puzzle, Record, Source};
use crate::format::passing::Pass;
use crate::format::result::Reading;
use crate::format::result_csv::{Written, plain};
use crate::format::spelling::{Misspelled, Spelling};

use super::all_paths::{AllPaths, check_all_paths};
use super::bound::Bounds;
use super::claim::Claim;
use super::finding::Finding;
use super::parity::is_unsolvable;
use super::small::SmallBoards;
use crate::format::status::Status;
use crate::solver::LinearConflicts;

/// The goal that was last laid out; in most files the only one.
#[derive(Default)]
pub struct GoalCache(Option<(Goal, Shape, Board)>);

impl GoalCache {
    /// A goal on a shape.
    pub fn get(&mut self, spec: &Goal, shape: Shape) -> Result<&Board, String> {
        let known = self.0.take().filter(|(known, on, _)| known == spec && *on == shape);
        let known = match known {
            Some(known) => known,
            None => (spec.clone(), shape, spec.on(shape).map_err(|error| format!("goal: {error}"))?),
        };
        Ok(&self.0.insert(known).2)
    }
}

/// What a thread keeps from record to record.
#[derive(Default)]
pub struct Caches {
    /// The goals.
    pub goals: GoalCache,
    /// The lower bounds.
    pub bounds: Bounds,
    /// The small boards.
    pub small: SmallBoards,
    /// The bounds by linear conflicts.
    pub linear: LinearConflicts,
}

/// How lines of results are read.
#[derive(Clone, Debug)]
pub struct ClaimReading {
    /// Which fields there may be.
    pub line: Reading,
    /// What they were written as.
    pub written: Written,
    /// How paths are spelled.
    pub spelling: Spelling,
    /// What records pass on.
    pub pass: Arc<Pass>,
}

impl ClaimReading {
    /// Only the text of ids and of fields that are passed on is left.
    pub fn is_plain(&self) -> bool {
        self.written == Written::Csv
    }

    /// Whether two values of JSON are the same, as far as what was written tells.
    fn is_same(&self, one: &str, other: &str) -> bool {
        one == other || (self.is_plain() && plain(one) == plain(other))
    }
}

/// Compares a claim with its record.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(
    record: &Record,
    source: &Source,
    claim: &Claim<'_>,
    reading: &ClaimReading,
    Caches { goals, bounds, small, linear }: &mut Caches,
) -> Result<(Finding, AllPaths), String> {
    if claim.text(Field::Source).is_some_and(|named| *named != *source.name) {
        return Err(format!("is of another source than '{}'", source.name));
    }
    if claim.number(Field::Line).is_some_and(|line| line != record.line) {
        return Err(format!("is of another line: the record begins on line {}", record.line));
    }
    if let Some(id) = claim.json(Field::Id)
        && !record.id.as_deref().is_some_and(|own| reading.is_same(own, id))
    {
        return Err(format!("is of another id: the record's is {}", record.id.as_deref().unwrap_or("none")));
    }
    check_passed(record, claim, reading)?;
    let verdict =
        claim.verdict().unwrap_or(None).ok_or("has no field `status` or `path`: nothing is said of the record")?;
    if let Some(field) = claim.misplaced(verdict) {
        return Err(format!("contradicts itself: a field `{field}`, and what became of the record is {verdict:?}"));
    }
    let puzzle = record.puzzle.as_ref().map_err(ToString::to_string).and_then(|Puzzle { board, goal: own }| {
        Ok((board, goals.get(own.as_ref().unwrap_or(&source.goal), board.shape())?))
    });
    let (board, goal) = match (puzzle, verdict) {
        (Err(reason), Status::Invalid) => {
            return match claim.text(Field::Error) {
                Some(given) if *given != reason => Err(format!("gives another reason than: {reason}")),
                _ if shows_a_board(claim) => Err("shows a board, but the record holds none".into()),
                _ => Ok((Finding::Invalid, AllPaths::NotTold)),
            };
        }
        (_, Status::Error) => return Ok((Finding::Failed, AllPaths::NotTold)),
        (Err(reason), _) => return Err(format!("is wrong, the record is invalid: {reason}")),
        (Ok(_), Status::Invalid) => return Err("calls the record invalid, but it is a board".into()),
        (Ok(puzzle), _) => puzzle,
    };
    check_repeated(claim, board, goal)?;
    let told = claim.number(Field::LinearConflict);
    if told.is_some() && told != linear.bound(Frame::new(goal).as_ref(), board, goal) {
        return Err("has another bound by linear conflicts than its board".into());
    }
    for field in [Field::DuplicateOf, Field::ReflectionOf] {
        if claim.number(field).is_some_and(|earlier| earlier >= record.index) {
            return Err(format!("names by `{field}` a record that is not before its own, {}", record.index));
        }
    }
    check_iterations(claim, board.manhattan_distance(goal))?;
    match verdict {
        Status::Solved => check_solved(claim, board, goal, reading.spelling, (bounds, small)),
        Status::Unsolvable if is_unsolvable(board, goal) => Ok((Finding::Unsolvable, AllPaths::NotTold)),
        Status::Unsolvable => Err("calls the board unsolvable, but by its parity it can be solved".into()),
        _ if is_unsolvable(board, goal) => Err("leaves the board unsolved, but by its parity it is unsolvable".into()),
        _ => Ok((check_unsolved(claim, board, goal)?, AllPaths::NotTold)),
    }
}

/// The fields that the record passes on: each as it stands there, and no others.
fn check_passed(record: &Record, claim: &Claim<'_>, reading: &ClaimReading) -> Result<(), String> {
    // An object may have a hundred thousand members.
    let passed: HashMap<&str, &str> = record.passed.iter().collect();
    for (name, value) in claim.own() {
        match passed.get(name) {
            Some(own) if reading.is_same(own, value) => {}
            Some(own) => return Err(format!("has another '{name}' than the record: {own}")),
            // A column of CSV is empty, and null says nothing.
            None if value == "null" && reading.pass.names().any(|known| known == name) => {}
            None => return Err(format!("has a field '{name}', which the record does not pass on")),
        }
    }
    let claimed: HashSet<&str> = claim.own().map(|(name, _)| name).collect();
    let is_there =
        |name: &str, value: &str| claimed.contains(name) || (reading.is_plain() && matches!(value, "null" | "\"\""));
    match record.passed.iter().find(|(name, value)| !is_there(name, value)) {
        Some((name, _)) => Err(format!("lacks the field '{name}', which the record passes on")),
        None => Ok(()),
    }
}

/// Returns whether a claim has fields that only results of boards have.
fn shows_a_board(claim: &Claim<'_>) -> bool {
    use Presence::{Board, Estimated, Reflected, Repeated, Sampled, Solvable};
    let of_boards = [Board, Estimated, Reflected, Repeated, Sampled, Solvable];
    Field::ALL.into_iter().any(|field| of_boards.contains(&field.row().presence) && claim.has(field))
}

/// The fields that repeat the record.
fn check_repeated(claim: &Claim<'_>, board: &Board, goal: &Board) -> Result<(), String> {
    let shape = board.shape();
    let wrong_size = |shown: Option<u64>, size: usize| shown.is_some_and(|shown| shown != size as u64);
    if wrong_size(claim.number(Field::Rows), shape.rows()) || wrong_size(claim.number(Field::Cols), shape.cols()) {
        return Err(format!("is of another shape: the record is {shape}"));
    }
    if claim.tiles(Field::Board).is_some_and(|shown| !is_board(shown, board)) {
        return Err("shows another board than the record".into());
    }
    if claim.tiles(Field::Goal).is_some_and(|shown| !is_board(shown, goal)) {
        return Err("shows another goal than the record's".into());
    }
    if claim.flag(Field::Solvable).is_some_and(|said| said == is_unsolvable(board, goal)) {
        return Err("says by `solvable` what its parity does not".into());
    }
    let manhattan = board.manhattan_distance(goal);
    if claim.number(Field::Manhattan).is_some_and(|said| said != manhattan) {
        return Err(format!("has another Manhattan distance than {manhattan}"));
    }
    Ok(())
}

/// What is said of how shortest paths begin, as far as one of them tells. With a path that is not proven
/// shortest there is nothing to compare.
fn check_against_path(claim: &Claim<'_>, letters: &[u8]) -> Result<(), String> {
    if claim.flag(Field::Optimal) == Some(false) {
        return Ok(());
    }
    let (first_moves, forced) = (claim.text(Field::FirstMoves), claim.text(Field::ForcedMoves));
    let lacks = |moves: &str| letters.first().is_some_and(|first| !moves.as_bytes().contains(first));
    if first_moves.is_some_and(lacks) || forced.is_some_and(|forced| !letters.starts_with(forced.as_bytes())) {
        return Err("has first or forced moves that its path does not begin with".into());
    }
    Ok(())
}

/// Checks the iterations: none looks for paths that are longer than the one found, shorter than the Manhattan distance or
/// of another parity, and all of them together have no more nodes than the search.
fn check_iterations(claim: &Claim<'_>, manhattan: u64) -> Result<(), String> {
    let Some(iterations) = claim.boards(Field::Iterations) else { return Ok(()) };
    let most = claim.number(Field::Moves).or(claim.number(Field::LowerBound)).unwrap_or(u64::MAX);
    let mut sum = 0u64;
    for iteration in iterations {
        let &[bound, nodes] = &iteration[..] else {
            return Err("has an iteration that is no bound with its nodes".into());
        };
        if bound > most {
            return Err(format!("has an iteration with the bound {bound}, and should have ended at {most}"));
        }
        if bound < manhattan || bound % 2 != manhattan % 2 {
            return Err(format!("has an iteration with the bound {bound}, and its Manhattan distance is {manhattan}"));
        }
        sum = sum.saturating_add(nodes);
    }
    match claim.number(Field::Nodes) {
        Some(nodes) if sum > nodes => Err(format!("has {nodes} nodes, and {sum} in its iterations")),
        _ => Ok(()),
    }
}

fn is_board(shown: &[u64], board: &Board) -> bool {
    shown.iter().copied().eq(board.tiles().iter().map(|tile| tile.label() as u64))
}

fn check_solved(
    claim: &Claim<'_>,
    board: &Board,
    goal: &Board,
    spelling: Spelling,
    (bounds, small): (&mut Bounds, &mut SmallBoards),
) -> Result<(Finding, AllPaths), String> {
    let path = claim.text(Field::Path).ok_or("has no field `path`: there is nothing to replay")?;
    let letters = &*letters_of(path, board, spelling).map_err(|why| format!("has a path that is none: {why}"))?;
    replay::replay(board, goal, letters).map_err(|fault| format!("has a path that is no solution: {fault}"))?;
    if let Some(moves) = claim.number(Field::Moves).filter(|&moves| moves != letters.len() as u64) {
        return Err(format!("says {moves} moves, the path has {}", letters.len()));
    }
    if let Some(shown) = claim.boards(Field::States)
        && !are_states(shown, board, letters)
    {
        return Err("shows other boards than the path leads through".into());
    }
    check_against_path(claim, letters)?;
    let all_paths = check_all_paths(claim, (board, goal), letters, spelling, small)?;
    Ok((check_proof(claim, (board, goal), letters.len() as u64, bounds)?, all_paths))
}

/// The letters of a path that is spelled in some way.
fn letters_of<'a>(path: &'a str, board: &Board, spelling: Spelling) -> Result<Cow<'a, [u8]>, Misspelled> {
    if spelling == Spelling::default() {
        return Ok(Cow::Borrowed(path.as_bytes()));
    }
    let mut letters = Vec::new();
    spelling.read(board, path.as_bytes(), &mut letters)?;
    Ok(Cow::Owned(letters))
}

/// What a claim says of a path that was replayed: that none is shorter, or that none is shorter than a bound.
fn check_proof(
    claim: &Claim<'_>,
    (board, goal): (&Board, &Board),
    moves: u64,
    bounds: &mut Bounds,
) -> Result<Finding, String> {
    let (is_optimal, bound) = (claim.flag(Field::Optimal).unwrap_or(true), claim.number(Field::LowerBound));
    match bound {
        Some(bound) if bound > moves => {
            return Err(format!("says that no path is shorter than {bound} moves, and has {moves}"));
        }
        Some(bound) if !is_optimal && bound == moves => {
            return Err(format!(
                "says that no path is shorter than its {moves} moves, and that it is not a shortest one"
            ));
        }
        Some(bound) if is_optimal && bound < moves => {
            return Err(format!(
                "says that its {moves} moves are the fewest, and that no path is shorter than {bound}"
            ));
        }
        _ if is_optimal && claim.has(Field::Limit) && !claim.has(Field::SolutionsAtLeast) => {
            return Err("names a limit, and says that the path is a shortest one".into());
        }
        _ => {}
    }
    Ok(match bound {
        // A search can tell; of larger boards only the bound does.
        _ if is_optimal && board.shape().cells() <= MAX_SEARCH_CELLS => Finding::Solved,
        _ if is_optimal && bounds.show(board, goal, moves) => Finding::ProvenByBound,
        _ if is_optimal => Finding::ShortestUnproven,
        Some(bound) if !bounds.show(board, goal, bound) => Finding::BoundUnproven,
        _ => Finding::Bounded,
    })
}

/// Whether these are the boards of a path that was replayed.
fn are_states(shown: &[Vec<u64>], board: &Board, letters: &[u8]) -> bool {
    let (mut at, mut shown) = (board.clone(), shown.iter());
    if !shown.next().is_some_and(|shown| is_board(shown, &at)) {
        return false;
    }
    for &letter in letters {
        let step = Move::ALL.into_iter().find(|step| step.letter() == letter);
        match step.and_then(|step| at.after(step)) {
            Some(next) => at = next,
            None => return false,
        }
        if !shown.next().is_some_and(|shown| is_board(shown, &at)) {
            return false;
        }
    }
    shown.next().is_none()
}

fn check_unsolved(claim: &Claim<'_>, board: &Board, goal: &Board) -> Result<Finding, String> {
    // That the board is unlike its goal is all that can be held against "unsolved": somebody solves it.
    match claim.number(Field::LowerBound) {
        Some(1..) if board == goal => Err("says that the board needs moves, and it is the goal".into()),
        _ => Ok(Finding::Unsolved),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The goal that was asked for before is not taken for another.
    #[test]
    fn every_goal_is_the_one_asked_for() {
        let (mut goals, square, wide) = (GoalCache::default(), Shape::new(3, 3).unwrap(), Shape::new(2, 3).unwrap());
        for shape in [square, wide, square, square] {
            for asked in [Goal::BlankLast, Goal::BlankFirst, Goal::BlankFirst, Goal::BlankLast] {
                assert_eq!(goals.get(&asked, shape).unwrap(), &asked.on(shape).unwrap());
            }
        }
    }
}
