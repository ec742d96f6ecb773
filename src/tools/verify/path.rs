//! The paths of results, in any notation.

use std::borrow::Cow;

use crate::board::{Board, replay};
use crate::format::spelling::Spelling;

/// Returns the letters of a path in some notation, after replaying them.
///
/// # Errors
/// The reason why it is not a solution.
pub fn replayed<'a>(
    path: &'a str,
    (board, goal): (&Board, &Board),
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
/// The reason why it is not a path.
pub fn letters_of<'a>(path: &'a str, board: &Board, spelling: Spelling) -> Result<Cow<'a, [u8]>, String> {
    if spelling == Spelling::default() {
        return Ok(Cow::Borrowed(path.as_bytes()));
    }
    let mut letters = Vec::new();
    spelling.read(board, path.as_bytes(), &mut letters)?;
    Ok(Cow::Owned(letters))
}
