//! What a result says of all shortest paths: how many there are, and which.

use super::claim::Claim;
use super::small::{Shortest, SmallBoards};
use crate::board::replay;
use crate::board::{Beginning, Board, Move};
use crate::format::fields::Field;
use crate::format::spelling::Spelling;
use crate::solver::shortest_paths::{PathCount, ShortestPaths};

/// How far that was proven.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AllPaths {
    /// Nothing is said.
    NotTold,
    /// They were counted again, over every board of the size: none is missing.
    Counted,
    /// What is listed are paths of one length, each another; that none is missing would take a search.
    NotCounted(Told),
}

/// What a line says of how many shortest paths there are, and of how they begin.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Told {
    counted: Option<u64>,
    at_least: Option<u64>,
    listed: Option<u64>,
    first_moves: Option<String>,
    forced_moves: Option<usize>,
}

impl Told {
    /// Returns what a claim says; `listed` is the number of paths that it lists.
    pub fn of(claim: &Claim<'_>, listed: Option<u64>) -> Told {
        Told {
            counted: claim.number(Field::Solutions),
            at_least: claim.number(Field::SolutionsAtLeast),
            listed,
            first_moves: claim.text(Field::FirstMoves).map(str::to_string),
            forced_moves: claim.text(Field::ForcedMoves).map(str::len),
        }
    }

    /// Returns how many paths have to be counted to prove or refute it.
    pub fn cap(&self) -> u64 {
        self.counted.or(self.at_least).or(self.listed).unwrap_or(1)
    }

    /// Compares it with a count of its own.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self, found: &ShortestPaths) -> Result<AllPaths, String> {
        let (least, all) = match found.count {
            PathCount::Exactly(paths) => (paths, Some(paths)),
            PathCount::AtLeast(paths, _) => (paths, None),
        };
        let is_wrong = |told: u64| all.map_or(least > told, |all| all != told);
        if let Some(told) = self.counted.filter(|&told| is_wrong(told)) {
            let at_least = if all.is_some() { "" } else { "at least " };
            return Err(format!("says that there are {told} shortest paths, and there are {at_least}{least}"));
        }
        if let (Some(told), Some(all)) = (self.at_least.or(self.listed), all)
            && told > all
        {
            return Err(format!("says that there are at least {told} shortest paths, and there are {all}"));
        }
        if let Some(Beginning { first_moves, forced }) = &found.beginning {
            let letters: String = first_moves.iter().map(|step| char::from(step.letter())).collect();
            if let Some(told) = self.first_moves.as_ref().filter(|&told| *told != letters) {
                return Err(format!("says that shortest paths begin with '{told}', and they begin with '{letters}'"));
            }
            if let Some(told) = self.forced_moves.filter(|told| told != forced) {
                return Err(format!("says that all shortest paths begin with the same {told} moves, and {forced} are"));
            }
        }
        let has_beginning = self.first_moves.is_some() || self.forced_moves.is_some();
        let is_counted = match (self.counted, self.at_least, self.listed) {
            (None, Some(told), _) => least >= told,
            // A list without a number beside it may have been cut.
            (None, None, Some(listed)) => all == Some(listed),
            (told, ..) => told.is_none() || all.is_some(),
        };
        let is_proven = is_counted && (!has_beginning || found.beginning.is_some());
        Ok(if is_proven { AllPaths::Counted } else { AllPaths::NotCounted(self.clone()) })
    }
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
    let told = Told::of(claim, check_listed(claim, (board, goal), path, spelling)?);
    if told == Told::default() {
        return Ok(AllPaths::NotTold);
    }
    if told.counted.is_some() && told.at_least.is_some() {
        return Err("counts the shortest paths twice".into());
    }
    if claim.flag(Field::Optimal) == Some(false) {
        return Err("speaks of all shortest paths, and says that its own is not proven to be one".into());
    }
    let number = told.counted.or(told.at_least);
    if let Some(listed) = told.listed
        && (listed == 0 || number.is_some_and(|number| listed > number))
    {
        return Err(format!("lists {listed} shortest paths, and says that there are {}", number.unwrap_or_default()));
    }
    // A line has one path at most, and so has the goal.
    if path.is_empty() || board.shape().is_line() {
        let first_moves = path.first().and_then(|&letter| Move::from_letter(letter)).into_iter().collect();
        let beginning = Some(Beginning::new(first_moves, path.len()));
        return told.check(&ShortestPaths { count: PathCount::Exactly(1), beginning });
    }
    let Some(Shortest { moves, paths }) = small.shortest(board, goal) else { return Ok(AllPaths::NotCounted(told)) };
    if moves != path.len() as u64 {
        return Err(format!("speaks of all shortest paths, and {moves} moves are enough"));
    }
    told.check(&paths)
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
