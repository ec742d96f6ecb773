//! Whether a board is within so many moves of its goal, and how far then.
//!
//! Iterative deepening (Korf 1985) that ends at the number asked for: for one board in a hundred that is near enough the others are
//! not solved, only shown to be farther, which for the most part their lower bound does at once. Where a search grows large it is given
//! up: an engine then does better, and learns that its tables pay.

use std::sync::Arc;

use super::bound::{BoundSource, DistanceBound, ExactDistance, HeuristicBound, PatternBound};
use crate::board::frame::Space;
use crate::board::{Board, Move, State};
use crate::heuristic::WalkingConflict;
use crate::solver::PreparedGoal;

/// How far a board is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Within {
    /// So many moves, which are not too many.
    Exactly(u16),
    /// More moves than were asked for.
    Farther,
    /// That would take a larger search.
    Unknown,
}

/// The most states that are visited; an engine takes a third of a millisecond for a random 15-puzzle.
const MOST_NODES: u32 = 1 << 13;

/// How far a board is from its goal, if it is no more than `most` moves. Only boards that can be solved may be asked for.
pub fn distance_within(prepared: &PreparedGoal, board: &Board, most: u16) -> Within {
    let Some(frame) = prepared.frame() else { return Within::Unknown };
    let Some(start) = frame.admit(board) else { return Within::Unknown };
    let (space, state) = (frame.space(), start.state());
    let conflict = || Arc::new(WalkingConflict::new(space.shape, space.goal_blank));
    match BoundSource::of(&**prepared.engine(), false, conflict) {
        BoundSource::Lookup(table) => search(space, state, most, ExactDistance::lookup(space, table)),
        BoundSource::Full(table) => search(space, state, most, ExactDistance::full(space, table)),
        BoundSource::Patterns(sum) => search(space, state, most, PatternBound(sum)),
        BoundSource::Conflict(heuristic) => {
            search(space, state, most, HeuristicBound { shape: space.shape, heuristic })
        }
    }
}

struct Search<'a, B> {
    space: &'a Space,
    bound: B,
    nodes: u32,
    /// Paths that would be longer are cut.
    threshold: u16,
    /// The shortest that was cut.
    next: u16,
}

fn search<B: DistanceBound>(space: &Space, state: &State, most: u16, mut bound: B) -> Within {
    let value = bound.root(state);
    let mut search = Search { space, bound, nodes: 0, threshold: B::plies(&value), next: u16::MAX };
    while search.threshold <= most {
        match search.below(state, &value, 0, None) {
            None => return Within::Unknown,
            Some(true) => return Within::Exactly(search.threshold),
            Some(false) => search.threshold = std::mem::replace(&mut search.next, u16::MAX),
        }
    }
    Within::Farther
}

impl<B: DistanceBound> Search<'_, B> {
    /// Whether a path leads home within the threshold; `None`: the search grew too large.
    fn below(&mut self, state: &State, value: &B::Value, plies: u16, last: Option<Move>) -> Option<bool> {
        if *state == self.space.goal() {
            return Some(true);
        }
        self.nodes += 1;
        if self.nodes > MOST_NODES {
            return None;
        }
        let undo = last.map(Move::inverse);
        for (letter, to) in self.space.steps(state.blank()) {
            let step = self.space.order[letter.index()];
            if Some(step) == undo {
                continue;
            }
            let mut next = *state;
            next.slide(to);
            let value = self.bound.after(value, state, &next);
            let least = plies + 1 + B::plies(&value);
            if least > self.threshold {
                self.next = self.next.min(least);
            } else if self.below(&next, &value, plies + 1, Some(step))? {
                return Some(true);
            }
        }
        Some(false)
    }
}
