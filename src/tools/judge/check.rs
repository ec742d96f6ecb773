//! Checks a claim, which is what an answer says about one board. The claim must be true, and it
//! must be what the judge requires.
//!
//! The moves are replayed without the engines' code ([`crate::board::replay`]), and parity decides
//! whether there is a solution. The board is solved only if replay and parity do not decide the
//! claim, and only once for all claims about the board.

use std::cmp::Ordering;

use super::verdict::Fault;
use crate::board::replay;
use crate::board::{Board, Error, Path, is_solvable};
use crate::engine::Proof;
use crate::format::profile::{AnswerFormat, ClaimedAnswer, ClaimedPath, Requirement};
use crate::solver::Answer;
use crate::tools::text::counted;

/// The claimed number of moves of a claim that may be right, but whose required solution (a shortest
/// one, or the canonical one) is not known. It is `u64::MAX` for the claim that no solution is short
/// enough. `None` if the claim is proven.
pub type UnprovenMoves = Option<u64>;

/// A checker of claims about one board.
pub struct ClaimChecker<'a> {
    /// The judge's rules.
    pub format: &'a AnswerFormat,
    board: &'a Board,
    goal: &'a Board,
    solve: &'a mut dyn FnMut() -> Result<Answer, Error>,
    solution: Option<Result<Answer, Error>>,
}

impl<'a> ClaimChecker<'a> {
    /// Creates a checker for one board. `solve` is called at most once.
    pub fn new(
        format: &'a AnswerFormat,
        board: &'a Board,
        goal: &'a Board,
        solve: &'a mut dyn FnMut() -> Result<Answer, Error>,
    ) -> ClaimChecker<'a> {
        ClaimChecker { format, board, goal, solve, solution: None }
    }

    /// Checks one claim. `text` is the text of the answers. The claim gives its paths as byte
    /// ranges of this text.
    ///
    /// # Errors
    /// The fault of the claim.
    pub fn check(&mut self, claim: &ClaimedAnswer, text: &[u8]) -> Result<UnprovenMoves, Fault> {
        let solvable = is_solvable(self.board, self.goal);
        if !solvable && self.format.unsolvable.is_none() {
            return Err(Fault::jury("the board has no solution, although the judge promises one"));
        }
        match claim {
            ClaimedAnswer::Malformed(why) => Err(Fault::presentation(&**why)),
            ClaimedAnswer::Missing if self.format.takes_empty_lines() && self.board == self.goal => Ok(None),
            ClaimedAnswer::Missing => Err(Fault::presentation("the answer ends before this case")),
            ClaimedAnswer::Unsolvable if !solvable => Ok(None),
            ClaimedAnswer::Unsolvable if self.format.too_long.is_some() => {
                Err(Fault::wrong("the board has a solution"))
            }
            ClaimedAnswer::TooLong if !solvable => Err(Fault::wrong("the board has no solution")),
            ClaimedAnswer::Unsolvable | ClaimedAnswer::TooLong => self.check_too_long(),
            ClaimedAnswer::Solved { moves, path: claimed } => {
                let path =
                    claimed.read(text, self.board, self.format.spelling, self.format.listing).map_err(|why| {
                        match claimed {
                            // A listing of boards that is not a path is a wrong answer, not a
                            // presentation error.
                            ClaimedPath::Boards(_) => Fault::wrong(why),
                            _ => Fault::presentation(why),
                        }
                    })?;
                if let (Some(path), Some(moves)) = (&path, *moves)
                    && path.len() as u64 != moves
                {
                    let given = move_count(path.len() as u64);
                    return Err(Fault::wrong(format!("{} announced, but {given} given", move_count(moves))));
                }
                match path {
                    Some(path) => self.check_path(solvable, path, (claimed, text)),
                    None if solvable => self.check_moves(moves.unwrap_or_default(), None),
                    None => Err(Fault::wrong("the board has no solution")),
                }
            }
        }
    }

    /// Checks the claim that a solvable board has no solution that is short enough.
    fn check_too_long(&mut self) -> Result<UnprovenMoves, Fault> {
        let Some(limit) = self.format.solvable_within else {
            return Err(Fault::wrong("the board has a solution"));
        };
        let result = self.our_result()?;
        match result.upper_bound.filter(|&moves| moves <= limit as u64) {
            _ if result.lower_bound > limit as u64 => Ok(None),
            Some(moves) => Err(Fault::wrong(format!("the board has a solution of {}", move_count(moves)))),
            None => Ok(Some(u64::MAX)),
        }
    }

    /// Checks a path. `written` is the claim from which the path was read, and the text of the
    /// answers.
    fn check_path(
        &mut self,
        solvable: bool,
        path: Vec<u8>,
        written: (&ClaimedPath, &[u8]),
    ) -> Result<UnprovenMoves, Fault> {
        let moves = move_count(path.len() as u64);
        if let Err(fault) = replay::replay(self.board, self.goal, &path) {
            let fault = match (fault, written) {
                (
                    replay::Fault::Illegal { at, letter },
                    (ClaimedPath::OneLine(range) | ClaimedPath::Lines(range), text),
                ) => {
                    let cells = self.board.shape().cells();
                    let found = self.format.spelling.move_in(&text[range.clone()], cells, at, letter);
                    format!("move {at} ({found}) is not possible")
                }
                (fault, _) => fault.to_string(),
            };
            let unsolvable = if solvable { "" } else { "; the board has no solution" };
            return Err(Fault::wrong(format!("{fault}{unsolvable}")));
        }
        if !solvable {
            return Err(Fault::program("these moves solve a board that is unsolvable by parity"));
        }
        if let Requirement::AtMost(limit) = self.format.requirement
            && path.len() > limit
        {
            return Err(Fault::wrong(format!("{moves}, but at most {limit} are allowed")));
        }
        if matches!(self.format.requirement, Requirement::AnyPath | Requirement::AtMost(_)) {
            return Ok(None);
        }
        if let Some(limit) = self.format.solvable_within.filter(|&limit| path.len() > limit) {
            return Err(Fault::wrong(format!("{moves}, but at most {limit} are allowed")));
        }
        self.check_moves(path.len() as u64, Some(path))
    }

    /// Checks a number of moves against the requirement of a shortest path. `path` is the replayed
    /// path, unless the claim gives only the number.
    fn check_moves(&mut self, moves: u64, path: Option<Vec<u8>>) -> Result<UnprovenMoves, Fault> {
        let needs_canonical = path.is_some() && self.format.requirement == Requirement::Canonical;
        let result = self.our_result()?;
        let (claimed, lower_bound) = (move_count(moves), result.lower_bound);
        if moves < lower_bound {
            return Err(match path {
                // A path that leads to the goal refutes the bound.
                Some(_) => Fault::program(format!(
                    "a path of {claimed} solves the board, but its lower bound was {lower_bound}"
                )),
                None => Fault::wrong(format!("{claimed}, but every solution has at least {lower_bound}")),
            });
        }
        if let Some(why) = result.shorter_than(moves) {
            return Err(Fault::wrong(format!("{claimed}, but {why}")));
        }
        if !result.is_exact() || (needs_canonical && result.canonical.is_none()) {
            return Ok(Some(moves));
        }
        match (path, result.canonical) {
            (Some(path), Some(canonical)) if needs_canonical => check_canonical(&path, canonical),
            _ => Ok(None),
        }
    }

    /// Returns this program's result, which is computed when first needed.
    fn our_result(&mut self) -> Result<SolverResult<'_>, Fault> {
        let ClaimChecker { solution, solve, .. } = self;
        let answer = solution.get_or_insert_with(solve).as_ref().map_err(Fault::program)?;
        solver_result(answer).ok_or_else(|| Fault::program("two parity checks disagree"))
    }
}

/// This program's result for a solvable board, with which claims are compared.
struct SolverResult<'a> {
    /// The canonical shortest path, if known.
    canonical: Option<&'a Path>,
    /// The lower bound on the number of moves.
    lower_bound: u64,
    /// The length of the best known path.
    upper_bound: Option<u64>,
}

impl SolverResult<'_> {
    /// Returns true if the length of a shortest path is known.
    fn is_exact(&self) -> bool {
        self.upper_bound == Some(self.lower_bound)
    }

    /// Describes the known solution that is shorter than `moves`, if any.
    fn shorter_than(&self, moves: u64) -> Option<String> {
        let which = if self.is_exact() { "a shortest solution" } else { "another solution" };
        self.upper_bound.filter(|&fewer| fewer < moves).map(|fewer| format!("{which} has {fewer}"))
    }
}

/// Returns the result in a solver's answer; `None` if the board is unsolvable.
fn solver_result(answer: &Answer) -> Option<SolverResult<'_>> {
    match answer {
        Answer::Solved(solution) => Some(SolverResult {
            canonical: (solution.proof == Proof::Optimal).then_some(&solution.path),
            lower_bound: solution.lower_bound(),
            upper_bound: Some(solution.moves() as u64),
        }),
        &Answer::Unsolved { lower_bound, .. } => Some(SolverResult { canonical: None, lower_bound, upper_bound: None }),
        Answer::Unsolvable => None,
    }
}

/// Checks that a shortest path is the canonical one: the first in alphabetical order.
fn check_canonical(path: &[u8], canonical: &Path) -> Result<UnprovenMoves, Fault> {
    match path.cmp(canonical.letters()) {
        Ordering::Equal => Ok(None),
        Ordering::Greater => {
            let at = path.iter().zip(canonical.letters()).take_while(|(a, b)| a == b).count() + 1;
            let message = format!("another shortest solution comes first in alphabetical order: see move {at}");
            Err(Fault::wrong(message))
        }
        Ordering::Less => Err(Fault::program(format!(
            "this shortest solution comes before {canonical} in alphabetical order, although the latter was found to be first"
        ))),
    }
}

fn move_count(moves: u64) -> String {
    counted(moves, "move")
}

#[cfg(test)]
mod tests;
