//! The paths of a result, in any notation, and its claims about all shortest paths.

use std::borrow::Cow;

use super::shortest::SmallBoards;
use crate::board::{Beginning, Board, Move, replay};
use crate::format::fields::Field;
use crate::format::result::ResultLine;
use crate::format::spelling::Spelling;
use crate::solver::shortest_paths::{PathCount, ShortestPaths};
use crate::system::grouped;
use crate::tools::text::counted;

/// The claims of a result about all shortest paths, and the result of checking them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedAllPathsClaims {
    pub claims: AllPathsClaims,
    /// True if counting the paths proved the claims. Otherwise the listed paths are known to be
    /// distinct solutions of the same length, but some may be missing.
    pub is_counted: bool,
}

/// Claims about the number of shortest paths and about their first moves.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct AllPathsClaims {
    number: Option<u64>,
    at_least: Option<u64>,
    /// The number of listed paths.
    listed: Option<u64>,
    first_moves: Option<String>,
    /// The number of moves that all shortest paths share at their start.
    forced_moves: Option<usize>,
}

impl AllPathsClaims {
    /// Returns the number of paths to count to prove or refute the claims.
    pub fn cap(&self) -> u64 {
        self.number.or(self.at_least).or(self.listed).unwrap_or(1)
    }

    /// Compares the claims with a count. Returns true if the count proves the claims.
    ///
    /// # Errors
    /// The first error found.
    pub fn check(&self, found: &ShortestPaths) -> Result<bool, String> {
        let (paths, exact) = match found.count {
            PathCount::Exactly(paths) => (paths, Some(paths)),
            PathCount::AtLeast(paths, _) => (paths, None),
        };
        let is_wrong = |number: u64| exact.map_or(paths > number, |exact| exact != number);
        if let Some(number) = self.number.filter(|&number| is_wrong(number)) {
            let at_least = if exact.is_some() { "" } else { "at least " };
            let (claimed, paths) = (counted(number, "shortest path"), grouped(paths));
            return Err(format!("says that the board has {claimed}, but it has {at_least}{paths}"));
        }
        if let (Some(number), Some(exact)) = (self.at_least.or(self.listed), exact)
            && number > exact
        {
            let (claimed, exact) = (counted(number, "shortest path"), grouped(exact));
            return Err(format!("says that the board has at least {claimed}, but it has {exact}"));
        }
        if let Some(Beginning { first_moves, forced }) = &found.beginning {
            let letters: String = first_moves.iter().map(|step| char::from(step.letter())).collect();
            if let Some(claimed) = self.first_moves.as_ref().filter(|&claimed| *claimed != letters) {
                return Err(format!(
                    "says that the first moves of shortest paths are '{claimed}', but they are '{letters}'"
                ));
            }
            if let Some(claimed) = self.forced_moves.filter(|claimed| claimed != forced) {
                return Err(format!(
                    "says that all shortest paths share their first {claimed} moves, but they share {forced}"
                ));
            }
        }
        let has_beginning = self.first_moves.is_some() || self.forced_moves.is_some();
        let is_counted = match (self.number, self.at_least, self.listed) {
            (None, Some(number), _) => paths >= number,
            // A list without a number may have been cut.
            (None, None, Some(listed)) => exact == Some(listed),
            (number, ..) => number.is_none() || exact.is_some(),
        };
        Ok(is_counted && (!has_beginning || found.beginning.is_some()))
    }
}

/// Checks the claims about all shortest paths against the replayed `path`. Each listed path must be
/// a solution as long as `path`, and the list must be in order, without repetition, and no longer
/// than the claimed number. For small boards all paths are counted. Returns `None` if there are no
/// such claims.
///
/// # Errors
/// The first error found.
pub fn check_all_paths(
    claim: &ResultLine<'_>,
    (board, goal): (&Board, &Board),
    path: &[u8],
    spelling: Spelling,
    small: &mut SmallBoards,
) -> Result<Option<CheckedAllPathsClaims>, String> {
    let claims = AllPathsClaims {
        number: claim.number(Field::Solutions),
        at_least: claim.number(Field::SolutionsAtLeast),
        listed: check_listed(claim, (board, goal), path, spelling)?,
        first_moves: claim.text(Field::FirstMoves).map(str::to_string),
        forced_moves: claim.text(Field::ForcedMoves).map(str::len),
    };
    if claims == AllPathsClaims::default() {
        return Ok(None);
    }
    if claims.number.is_some() && claims.at_least.is_some() {
        return Err("has both `solutions` and `solutions_at_least`".into());
    }
    if claim.flag(Field::Optimal) == Some(false) {
        return Err("describes all shortest paths, but its `path` is not proven shortest".into());
    }
    let lacks_first = |moves: &String| path.first().is_some_and(|first| !moves.as_bytes().contains(first));
    let is_not_prefix = |forced: &str| !path.starts_with(forced.as_bytes());
    let is_wrong_beginning = claims.first_moves.as_ref().is_some_and(lacks_first)
        || claim.text(Field::ForcedMoves).is_some_and(is_not_prefix);
    if is_wrong_beginning {
        return Err("has first or forced moves that its path does not begin with".into());
    }
    let number = claims.number.or(claims.at_least);
    if let Some(listed) = claims.listed
        && (listed == 0 || number.is_some_and(|number| listed > number))
    {
        let (listed, number) = (counted(listed, "shortest path"), grouped(number.unwrap_or_default()));
        return Err(format!("lists {listed}, but says that the board has {number}"));
    }
    // There is only one shortest path on a board with one row or column, and from the goal itself.
    let found = if path.is_empty() || board.shape().is_line() {
        let first_moves = path.first().and_then(|&letter| Move::from_letter(letter)).into_iter().collect();
        let beginning = Some(Beginning::new(first_moves, path.len()));
        Some(ShortestPaths { count: PathCount::Exactly(1), beginning })
    } else if let Some((moves, found)) = small.shortest(board, goal) {
        if moves != path.len() as u64 {
            let moves = counted(moves, "move");
            return Err(format!("describes all shortest paths, but there is a path of only {moves}"));
        }
        Some(found)
    } else {
        None
    };
    let is_counted = found.map_or(Ok(false), |found| claims.check(&found))?;
    Ok(Some(CheckedAllPathsClaims { claims, is_counted }))
}

/// Checks the listed paths and returns their number, if there is a list.
fn check_listed(
    claim: &ResultLine<'_>,
    puzzle: (&Board, &Board),
    path: &[u8],
    spelling: Spelling,
) -> Result<Option<u64>, String> {
    let Some(listed) = claim.texts(Field::Paths) else { return Ok(None) };
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
    Ok(Some(listed.len() as u64))
}

/// Returns the letters of a path in some notation, after replaying them.
///
/// # Errors
/// The reason why the path is not a solution.
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
/// The reason why the text is not a path.
pub fn letters_of<'a>(path: &'a str, board: &Board, spelling: Spelling) -> Result<Cow<'a, [u8]>, String> {
    if spelling == Spelling::default() {
        return Ok(Cow::Borrowed(path.as_bytes()));
    }
    let mut letters = Vec::new();
    spelling.read(board, path.as_bytes(), &mut letters)?;
    Ok(Cow::Owned(letters))
}
