//! What a result says of all shortest paths: how many there are, and which.

use super::claim::Claim;
use super::small::{Shortest, SmallBoards};
use crate::board::Board;
use crate::board::replay;
use crate::format::fields::Field;
use crate::format::spelling::Spelling;

/// How far that was proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AllPaths {
    /// Nothing is said.
    NotTold,
    /// They were counted again, over every board of the size: none is missing.
    Counted,
    /// What is listed are paths of one length, each another; that none is missing would take a search.
    NotCounted,
}

/// Holds what a claim says of all shortest paths against its own `path`, which was replayed: each leads home, none comes twice or out of order,
/// there are not fewer of them than are listed, and on small boards there are as many as a count of its own finds.
///
/// # Errors
/// The first thing that is wrong.
pub fn check_all_paths(
    claim: &Claim<'_>,
    (board, goal): (&Board, &Board),
    path: &[u8],
    spelling: Spelling,
    small: &mut SmallBoards,
) -> Result<AllPaths, String> {
    let (counted, at_least) = (claim.number(Field::Solutions), claim.number(Field::SolutionsAtLeast));
    if counted.is_some() && at_least.is_some() {
        return Err("counts the shortest paths twice".into());
    }
    let listed = check_listed(claim, (board, goal), path, spelling)?;
    let told = counted.or(at_least);
    if let Some(listed) = listed
        && (listed == 0 || told.is_some_and(|told| listed > told))
    {
        return Err(format!("lists {listed} shortest paths, and says that there are {}", told.unwrap_or_default()));
    }
    if listed.is_none() && told.is_none() {
        return Ok(AllPaths::NotTold);
    }
    let Some(Shortest { moves, paths }) = small.shortest(board, goal) else { return Ok(AllPaths::NotCounted) };
    if moves != path.len() as u64 {
        return Err(format!("speaks of all shortest paths, and {moves} moves are enough"));
    }
    match (counted, at_least) {
        // A list without a number beside it may have been cut.
        (None, None) if listed != Some(paths) => Ok(AllPaths::NotCounted),
        (_, Some(told)) if told > paths => {
            Err(format!("says that there are at least {told} shortest paths, and there are {paths}"))
        }
        (Some(told), None) if told != paths => {
            Err(format!("says that there are {told} shortest paths, and there are {paths}"))
        }
        _ => Ok(AllPaths::Counted),
    }
}

/// How many paths are listed, if any are.
fn check_listed(
    claim: &Claim<'_>,
    (board, goal): (&Board, &Board),
    path: &[u8],
    spelling: Spelling,
) -> Result<Option<u64>, String> {
    let Some(listed) = claim.texts(Field::Paths) else { return Ok(None) };
    let mut before: Option<Vec<u8>> = None;
    for (nth, text) in listed.iter().enumerate() {
        let (mut letters, nth) = (Vec::new(), nth + 1);
        spelling
            .read(board, text.0.as_bytes(), &mut letters)
            .map_err(|why| format!("lists a path ({nth}) that is none: {why}"))?;
        replay::replay(board, goal, &letters)
            .map_err(|fault| format!("lists a path ({nth}) that is no solution: {fault}"))?;
        if letters.len() != path.len() {
            return Err(format!("lists a path ({nth}) of {} moves beside one of {}", letters.len(), path.len()));
        }
        match before {
            None if letters != path => return Err("lists another path first than its own".into()),
            Some(before) if before >= letters => return Err(format!("lists a path ({nth}) twice, or out of order")),
            _ => before = Some(letters),
        }
    }
    Ok(Some(listed.len() as u64))
}
