//! The paths of a result, in any notation, and its claims about all shortest paths.

use std::borrow::Cow;

use crate::board::{Board, replay};
use crate::format::fields::{Field, Need};
use crate::format::result::ResultLine;
use crate::format::spelling::Spelling;

/// Returns true if a result makes claims about all shortest paths.
pub fn describes_all_paths(claim: &ResultLine<'_>) -> bool {
    Field::ALL.into_iter().any(|field| field.need() == Need::AllPaths && claim.has(field))
}

/// Checks the claims about all shortest paths against the replayed `path` and against each other.
/// Each listed path must be a solution as long as `path`, and the list must be in order, without
/// repetition, and no longer than the claimed number. The number itself is not proven.
///
/// # Errors
/// The first error found.
pub fn check_all_paths(
    claim: &ResultLine<'_>,
    puzzle: &(Board, Board),
    path: &[u8],
    spelling: Spelling,
) -> Result<(), String> {
    if claim.flag(Field::Optimal) == Some(false) && describes_all_paths(claim) {
        return Err("describes all shortest paths, but its `path` is not proven shortest".into());
    }
    let number = match (claim.number(Field::Solutions), claim.number(Field::SolutionsAtLeast)) {
        (Some(_), Some(_)) => return Err("has both `solutions` and `solutions_at_least`".into()),
        (number, at_least) => number.or(at_least),
    };
    let is_first = |moves: &str| path.first().map_or(moves.is_empty(), |first| moves.as_bytes().contains(first));
    let is_prefix = |forced: &str| path.starts_with(forced.as_bytes());
    if !claim.text(Field::FirstMoves).is_none_or(is_first) || !claim.text(Field::ForcedMoves).is_none_or(is_prefix) {
        return Err("has first or forced moves that its path does not begin with".into());
    }
    let listed = check_listed(claim, puzzle, path, spelling)?;
    match number {
        Some(number) if listed > number => {
            Err(format!("lists {listed} shortest paths, but says that the board has {number}"))
        }
        _ => Ok(()),
    }
}

/// Checks the listed paths, if there is a list, and returns their number.
fn check_listed(
    claim: &ResultLine<'_>,
    puzzle: &(Board, Board),
    path: &[u8],
    spelling: Spelling,
) -> Result<u64, String> {
    let Some(listed) = claim.texts(Field::Paths) else { return Ok(0) };
    let mut before = None;
    for (text, nth) in listed.iter().zip(1..) {
        let letters =
            replayed(&text.0, puzzle, spelling).map_err(|why| format!("lists a path ({nth}) that is {why}"))?;
        if letters.len() != path.len() {
            return Err(format!("lists a path ({nth}) of {} moves, but its `path` has {}", letters.len(), path.len()));
        }
        match before {
            None if *letters != *path => return Err("does not list its `path` first".into()),
            Some(before) if before >= letters => return Err(format!("lists a path ({nth}) twice, or out of order")),
            _ => before = Some(letters),
        }
    }
    if listed.is_empty() { Err("has an empty list of paths".into()) } else { Ok(listed.len() as u64) }
}

/// Returns the letters of a path in some notation, after replaying them.
///
/// # Errors
/// The reason why the path is not a solution.
pub fn replayed<'a>(
    path: &'a str,
    (board, goal): &(Board, Board),
    spelling: Spelling,
) -> Result<Cow<'a, [u8]>, String> {
    let letters = letters_of(path, board, spelling).map_err(|why| format!("not a path: {why}"))?;
    replay::replay(board, goal, &letters).map_err(|fault| format!("not a solution: {fault}"))?;
    Ok(letters)
}

/// Returns the letters of a path in some notation. A text in the default notation is returned as it
/// is, without a check.
///
/// # Errors
/// The reason why the text is not a path.
pub fn letters_of<'a>(path: &'a str, board: &Board, spelling: Spelling) -> Result<Cow<'a, [u8]>, String> {
    if spelling == Spelling::default() {
        return Ok(Cow::Borrowed(path.as_bytes()));
    }
    let mut letters = Vec::new();
    spelling.read(board, path.as_bytes(), &mut letters)?;
    Ok(Cow::Owned(letters))
}
