//! One claim about one board: is it true, and is it what the judge asked for?
//!
//! The moves are replayed by the checker's own rule ([`crate::board::replay`]); whether there is a solution
//! at all is decided by parity. Only where the judge asks for a shortest solution is the board solved,
//! once, however many claims there are about it.

use std::cmp::Ordering;

use super::fault::{Fault, FaultKind};
use super::rules::Rules;
use crate::board::replay;
use crate::board::{Board, Error, Path, is_solvable};
use crate::engine::Proof;
use crate::format::profile::{ClaimedAnswer, ClaimedPath, Requirement};
use crate::solver::Answer;
use crate::system::Limit;
use crate::tools::text::counted;

/// The status of an answer that has no fault of its own.
#[derive(Debug)]
pub enum ClaimStatus {
    /// It is right.
    Proven,
    /// It may be right; no shortest solution is known to compare it with.
    Unproven(Unproven),
}

/// A claim that may be right.
#[derive(Debug)]
pub struct Unproven {
    /// Their number; `u64::MAX` for the claim that there is no solution.
    moves: u64,
    /// Its path, replayed; `None`: only a number was claimed, or that there is no solution.
    path: Option<Vec<u8>>,
}

/// Checks claims about one board.
pub struct ClaimChecker<'a> {
    rules: &'a Rules,
    board: &'a Board,
    goal: &'a Board,
    solve: &'a mut dyn FnMut() -> Result<Answer, Error>,
    solution: Option<Result<Answer, Error>>,
}

impl<'a> ClaimChecker<'a> {
    /// For one board; `solve` is called once at most.
    pub fn new(
        rules: &'a Rules,
        board: &'a Board,
        goal: &'a Board,
        solve: &'a mut dyn FnMut() -> Result<Answer, Error>,
    ) -> ClaimChecker<'a> {
        ClaimChecker { rules, board, goal, solve, solution: None }
    }

    /// Checks one claim; its ranges lie in `text`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&mut self, what: &ClaimedAnswer, text: &[u8]) -> Result<ClaimStatus, Fault> {
        let solvable = is_solvable(self.board, self.goal);
        if !solvable && !self.rules.unsolvable_occur {
            return Err(Fault::jury("the board has no solution, and the judge promises that it has"));
        }
        match what {
            ClaimedAnswer::Malformed(why) => Err(Fault::presentation(&**why)),
            ClaimedAnswer::Missing if self.rules.takes_empty && self.board == self.goal => Ok(ClaimStatus::Proven),
            ClaimedAnswer::Missing => Err(Fault::presentation("the answer ends before this case")),
            ClaimedAnswer::Unsolvable if !solvable => Ok(ClaimStatus::Proven),
            ClaimedAnswer::Unsolvable if self.rules.too_long_occur => Err(Fault::wrong("the board has a solution")),
            ClaimedAnswer::TooLong if !solvable => Err(Fault::wrong("the board has no solution")),
            ClaimedAnswer::Unsolvable | ClaimedAnswer::TooLong => self.check_too_long(),
            ClaimedAnswer::Solved { moves, path: way } => {
                let path = self.read(way, text)?;
                if let (Some(path), Some(moves)) = (&path, *moves)
                    && path.len() as u64 != moves
                {
                    let given = move_count(path.len() as u64);
                    return Err(Fault::wrong(format!("{} are announced, and {given} given", move_count(moves))));
                }
                match path {
                    Some(path) => self.check_path(solvable, path),
                    None => self.check_number(solvable, moves.unwrap_or_default()),
                }
            }
        }
    }

    /// A board with a solution that is said to have none, or none that is short enough.
    fn check_too_long(&mut self) -> Result<ClaimStatus, Fault> {
        let Some(limit) = self.rules.solvable_within else {
            return Err(Fault::wrong("the board has a solution"));
        };
        let known = self.solution()?;
        match known.most.filter(|&most| most <= limit as u64) {
            _ if known.least > limit as u64 => Ok(ClaimStatus::Proven),
            Some(most) => Err(Fault::wrong(format!("the board has a solution of {}", move_count(most)))),
            None => Ok(ClaimStatus::Unproven(Unproven { moves: u64::MAX, path: None })),
        }
    }

    fn check_path(&mut self, solvable: bool, path: Vec<u8>) -> Result<ClaimStatus, Fault> {
        let moves = move_count(path.len() as u64);
        if let Err(fault) = replay::replay(self.board, self.goal, &path) {
            let unsolvable = if solvable { "" } else { "; the board has no solution" };
            return Err(Fault::wrong(format!("{fault}{unsolvable}")));
        }
        if !solvable {
            return Err(Fault::program("these moves solve a board that was held to be unsolvable"));
        }
        if let Requirement::AtMost(limit) = self.rules.requirement
            && path.len() > limit
        {
            return Err(Fault::wrong(format!("{moves}, at most {limit} are allowed")));
        }
        if matches!(self.rules.requirement, Requirement::AnyPath | Requirement::AtMost(_)) {
            return Ok(ClaimStatus::Proven);
        }
        if let Some(limit) = self.rules.solvable_within.filter(|&limit| path.len() > limit) {
            return Err(Fault::wrong(format!("{moves}, and more than {limit} are too many")));
        }
        self.check_shortest(path)
    }

    /// A path that was replayed, where the judge asks for a shortest one.
    fn check_shortest(&mut self, path: Vec<u8>) -> Result<ClaimStatus, Fault> {
        let (asks, limit) = (self.rules.requirement, self.rules.solvable_within);
        let number = path.len() as u64;
        let moves = move_count(number);
        let known = self.solution()?;
        if let Some(limit) = limit.filter(|&limit| known.is_exact() && known.least > limit as u64) {
            let message = format!("the board needs {} moves, and more than {limit} are too many", known.least);
            return Err(Fault::wrong(message));
        }
        if number < known.least {
            let least = known.least;
            return Err(Fault::program(format!("these {moves} solve the board, which was held to need {least}")));
        }
        if let Some(why) = known.shorter_than(number) {
            return Err(Fault::wrong(format!("{moves}, {why}")));
        }
        match (asks, known.first) {
            _ if !known.is_exact() => Ok(ClaimStatus::Unproven(Unproven { moves: number, path: Some(path) })),
            (Requirement::FirstShortest, Some(first)) => first_of_shortest(&path, first),
            (Requirement::FirstShortest, None) => {
                Ok(ClaimStatus::Unproven(Unproven { moves: number, path: Some(path) }))
            }
            _ => Ok(ClaimStatus::Proven),
        }
    }

    fn check_number(&mut self, solvable: bool, moves: u64) -> Result<ClaimStatus, Fault> {
        let claimed = move_count(moves);
        if !solvable {
            return Err(Fault::wrong(format!("{claimed} are claimed, and the board has no solution")));
        }
        let known = self.solution()?;
        if moves < known.least {
            let (least, is_exact) = (known.least, known.is_exact());
            let why = if is_exact { "a shortest solution has" } else { "no solution has less than" };
            return Err(Fault::wrong(format!("{claimed} claimed, {why} {least}")));
        }
        match known.shorter_than(moves) {
            Some(why) => Err(Fault::wrong(format!("{claimed} claimed, {why}"))),
            None if known.is_exact() => Ok(ClaimStatus::Proven),
            None => Ok(ClaimStatus::Unproven(Unproven { moves, path: None })),
        }
    }

    /// Compares an answer with the jury's, where this program has no solution of its own.
    ///
    /// # Errors
    /// When they differ in what is asked for: whoever is proven wrong by the other.
    pub fn compare(&self, answer: &Unproven, jury: &Unproven) -> Result<(), Fault> {
        if answer.moves < jury.moves && answer.path.is_some() {
            let moves = move_count(answer.moves);
            return Err(Fault::jury(format!("the jury's answer is not shortest: {moves} are enough")));
        }
        if answer.moves != jury.moves {
            let claim = |claim: &Unproven| match claim.moves {
                u64::MAX => "no solution".to_string(),
                moves => move_count(moves),
            };
            return Err(Fault::wrong(format!("{}, the jury's answer is {}", claim(answer), claim(jury))));
        }
        match (self.rules.requirement, answer.path.cmp(&jury.path)) {
            (Requirement::FirstShortest, Ordering::Less) => Err(Fault::jury("the answer is earlier in the alphabet")),
            (Requirement::FirstShortest, Ordering::Greater) => {
                Err(Fault::wrong("the jury's answer is earlier in the alphabet"))
            }
            _ => Ok(()),
        }
    }

    /// The fault of an answer that can neither be proven nor refuted.
    pub fn undecided(&self) -> Fault {
        let known = match &self.solution {
            Some(Ok(answer)) => match known(answer) {
                Some(Known { limit: Some(limit), least, .. }) => {
                    format!(" ({} limit; at least {})", limit.name(), move_count(least))
                }
                _ => String::new(),
            },
            _ => String::new(),
        };
        let message = format!("no shortest solution was found{known}, and there is no jury's answer to compare with");
        Fault::new(FaultKind::Undecided, message)
    }

    /// The moves of a claim as letters of the blank's moves.
    fn read(&self, way: &ClaimedPath, text: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        let mut path = Vec::new();
        let spelling = &self.rules.spelling;
        let read = match way {
            ClaimedPath::NotGiven => return Ok(None),
            ClaimedPath::OneLine(range) => {
                spelling.read(self.board, &text[range.clone()], &mut path).map_err(|e| e.to_string())
            }
            ClaimedPath::Lines(range) => {
                spelling.read_lines(self.board, &text[range.clone()], &mut path).map_err(|e| e.to_string())
            }
            ClaimedPath::Boards(range) => match self.rules.listing.read(self.board, &text[range.clone()], &mut path) {
                Ok(()) => Ok(()),
                // A listing that cannot be followed is a wrong solution, not a wrong spelling of one.
                Err(why) => return Err(Fault::wrong(why)),
            },
        };
        match read {
            Ok(()) => Ok(Some(path)),
            Err(why) => Err(Fault::presentation(why)),
        }
    }

    /// This program's own solution, found when it is first needed.
    fn solution(&mut self) -> Result<Known<'_>, Fault> {
        let ClaimChecker { solution, solve, .. } = self;
        let answer = solution.get_or_insert_with(solve).as_ref().map_err(Fault::program)?;
        known(answer).ok_or_else(|| Fault::program("two parity checks disagree"))
    }
}

/// What this program knows of a board that can be solved.
struct Known<'a> {
    /// The first of all shortest paths.
    first: Option<&'a Path>,
    /// No path has fewer moves.
    least: u64,
    /// Some path has as few.
    most: Option<u64>,
    /// What kept it from knowing more.
    limit: Option<Limit>,
}

impl Known<'_> {
    /// Whether the length of a shortest path is known.
    fn is_exact(&self) -> bool {
        self.most == Some(self.least)
    }

    /// The path that shows that so many moves are not the fewest. A path of ours that is longer shows nothing.
    fn shorter_than(&self, moves: u64) -> Option<String> {
        let which = if self.is_exact() { "a shortest solution" } else { "there is a solution that" };
        self.most.filter(|&most| most < moves).map(|most| format!("{which} has {most}"))
    }
}

/// What an answer says of a board that can be solved; `None`: that it cannot.
fn known(answer: &Answer) -> Option<Known<'_>> {
    match answer {
        Answer::Solved(solution) => Some(Known {
            first: (solution.proof() == Proof::Optimal).then(|| solution.path()),
            least: solution.lower_bound(),
            most: Some(solution.moves() as u64),
            limit: solution.limit().or((!solution.is_optimal()).then_some(Limit::Effort)),
        }),
        &Answer::Unsolved { lower_bound, limit } => {
            Some(Known { first: None, least: lower_bound, most: None, limit: Some(limit) })
        }
        Answer::Unsolvable => None,
    }
}

/// The status of a shortest path, where the judge asks for the first of all shortest ones.
fn first_of_shortest(path: &[u8], first: &Path) -> Result<ClaimStatus, Fault> {
    match path.cmp(first.letters()) {
        Ordering::Equal => Ok(ClaimStatus::Proven),
        Ordering::Greater => {
            let at = path.iter().zip(first.letters()).take_while(|(a, b)| a == b).count() + 1;
            let message = format!("of the shortest solutions there is one earlier in the alphabet: see move {at}");
            Err(Fault::wrong(message))
        }
        Ordering::Less => Err(Fault::program(format!(
            "this shortest solution is earlier in the alphabet than the one found to be the first, {first}"
        ))),
    }
}

fn move_count(moves: u64) -> String {
    counted(moves, "move")
}

#[cfg(test)]
mod tests;
