//! One record against the claim of its result.

use crate::board::{Board, GoalSpec, MAX_SEARCH_CELLS, Move, Shape};
use crate::format::input::{Puzzle, Record, Source};
use crate::verify;

use super::claim::{Claim, Status};
use super::parity::is_unsolvable;

/// What a result was found to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The path was replayed: it leads to the goal.
    Solved,
    /// Parity proves it.
    Unsolvable,
    /// The record cannot be read, for the reason given.
    Invalid,
    /// Too large to be searched, as it says; the lower bound is the sum of the tiles' distances.
    TooLarge,
    /// A limit ended the search: the board is solvable, and nothing else can be told.
    Unsolved,
    /// The program failed on it: nothing can be told.
    Failed,
}

/// The goal that was last laid out; in most files the only one.
#[derive(Default)]
pub struct Goals(Option<(GoalSpec, Shape, Board)>);

impl Goals {
    /// A goal on a shape.
    pub fn on(&mut self, asked: &GoalSpec, shape: Shape) -> Result<&Board, String> {
        let known = self.0.take().filter(|(known, on, _)| known == asked && *on == shape);
        let known = match known {
            Some(known) => known,
            None => (asked.clone(), shape, asked.on(shape).map_err(|error| format!("goal: {error}"))?),
        };
        Ok(&self.0.insert(known).2)
    }
}

/// Holds a claim against its record.
///
/// # Errors
/// The first thing that is not as it should be.
pub fn check(record: &Record, source: &Source, claim: &Claim<'_>, goals: &mut Goals) -> Result<Finding, String> {
    if claim.source.as_ref().is_some_and(|named| *named.0 != *source.name) {
        return Err(format!("is of another source than '{}'", source.name));
    }
    if claim.line.is_some_and(|line| line != record.line) {
        return Err(format!("is of another line: the record begins on line {}", record.line));
    }
    if let Some(id) = claim.id
        && record.id.as_deref() != Some(id.get())
    {
        return Err(format!("is of another id: the record's is {}", record.id.as_deref().unwrap_or("none")));
    }
    let verdict = claim.verdict().ok_or("has no field `status` or `path`: nothing is said of the record")?;
    if let Some(field) = claim.misplaced(verdict) {
        return Err(format!("contradicts itself: a field `{field}`, and what became of the record is {verdict:?}"));
    }
    let puzzle = record.puzzle.as_ref().map_err(ToString::to_string).and_then(|Puzzle { board, goal: own }| {
        Ok((board, goals.on(own.as_ref().unwrap_or(&source.goal), board.shape())?))
    });
    let (board, goal) = match (puzzle, verdict) {
        (Err(reason), Status::Invalid) => {
            return match &claim.error {
                Some(said) if *said.0 != reason => Err(format!("gives another reason than: {reason}")),
                _ if on_a_board(claim) => Err("shows a board, but the record holds none".into()),
                _ => Ok(Finding::Invalid),
            };
        }
        (_, Status::Error) => return Ok(Finding::Failed),
        (Err(reason), _) => return Err(format!("is wrong, the record is invalid: {reason}")),
        (Ok(_), Status::Invalid) => return Err("calls the record invalid, but it is a board".into()),
        (Ok(puzzle), _) => puzzle,
    };
    shown(claim, board, goal)?;
    match verdict {
        Status::Solved => solved(claim, board, goal),
        Status::Unsolvable if is_unsolvable(board, goal) => Ok(Finding::Unsolvable),
        Status::Unsolvable => Err("calls the board unsolvable, but by its parity it can be solved".into()),
        _ if is_unsolvable(board, goal) => Err("leaves the board unsolved, but by its parity it is unsolvable".into()),
        _ => unsolved(claim, board, goal),
    }
}

fn on_a_board(claim: &Claim<'_>) -> bool {
    claim.rows.is_some() || claim.cols.is_some() || claim.board.is_some() || claim.goal.is_some()
}

/// The fields that repeat the record.
fn shown(claim: &Claim<'_>, board: &Board, goal: &Board) -> Result<(), String> {
    let shape = board.shape();
    let wrong_size = |said: Option<u64>, size: usize| said.is_some_and(|said| said != size as u64);
    if wrong_size(claim.rows, shape.rows()) || wrong_size(claim.cols, shape.cols()) {
        return Err(format!("is of another shape: the record is {shape}"));
    }
    if claim.board.as_ref().is_some_and(|said| !is_board(said, board)) {
        return Err("shows another board than the record".into());
    }
    if claim.goal.as_ref().is_some_and(|said| !is_board(said, goal)) {
        return Err("shows another goal than the record's".into());
    }
    Ok(())
}

fn is_board(said: &[u64], board: &Board) -> bool {
    said.iter().copied().eq(board.tiles().iter().map(|tile| tile.label() as u64))
}

fn solved(claim: &Claim<'_>, board: &Board, goal: &Board) -> Result<Finding, String> {
    let path = claim.path.as_ref().ok_or("has no field `path`: there is nothing to replay")?;
    let letters = path.0.as_bytes();
    verify::replay(board, goal, letters).map_err(|fault| format!("has a path that is no solution: {fault}"))?;
    if let Some(moves) = claim.moves.filter(|&moves| moves != letters.len() as u64) {
        return Err(format!("says {moves} moves, the path has {}", letters.len()));
    }
    if claim.optimal == Some(false) {
        return Err("says that the path is not a shortest one".into());
    }
    match &claim.states {
        Some(said) if !are_states(said, board, letters) => Err("shows other boards than the path leads through".into()),
        _ => Ok(Finding::Solved),
    }
}

/// Whether these are the boards of a path that was replayed.
fn are_states(said: &[Vec<u64>], board: &Board, letters: &[u8]) -> bool {
    let (mut at, mut said) = (board.clone(), said.iter());
    if !said.next().is_some_and(|said| is_board(said, &at)) {
        return false;
    }
    for &letter in letters {
        let step = Move::ALL.into_iter().find(|step| step.letter() == letter);
        match step.and_then(|step| at.after(step)) {
            Some(next) => at = next,
            None => return false,
        }
        if !said.next().is_some_and(|said| is_board(said, &at)) {
            return false;
        }
    }
    said.next().is_none()
}

fn unsolved(claim: &Claim<'_>, board: &Board, goal: &Board) -> Result<Finding, String> {
    let (shape, distance) = (board.shape(), board.manhattan_distance(goal));
    let too_large = shape.cells() > MAX_SEARCH_CELLS && !shape.is_line() && board != goal;
    match claim.limit.as_ref().map(|limit| &*limit.0) {
        Some("size") if !too_large => Err(format!("calls the board too large, but {shape} is searched")),
        Some("size" | "time" | "nodes" | "memory") | None => Ok(()),
        Some(limit) => Err(format!("names a limit that there is not: '{limit}'")),
    }?;
    if too_large {
        return match claim.lower_bound.filter(|&bound| bound != distance) {
            Some(bound) => Err(format!("gives {bound} as lower bound, the tiles' distances are {distance}")),
            None => Ok(Finding::TooLarge),
        };
    }
    Ok(Finding::Unsolved)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The goal that was asked for before is not taken for another.
    #[test]
    fn every_goal_is_laid_out_as_asked() {
        let (mut goals, square, wide) = (Goals::default(), Shape::new(3, 3).unwrap(), Shape::new(2, 3).unwrap());
        for shape in [square, wide, square, square] {
            for asked in [GoalSpec::BlankLast, GoalSpec::BlankFirst, GoalSpec::BlankFirst, GoalSpec::BlankLast] {
                assert_eq!(goals.on(&asked, shape).unwrap(), &asked.on(shape).unwrap());
            }
        }
    }
}
