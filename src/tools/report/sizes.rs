//! How long paths are beside what no path can be shorter than, by size.

use std::collections::BTreeMap;

use super::line::{Entry, Verdict};
use crate::heuristic::lower_bound;

/// Shapes that are told apart; boards of others are left out of the section, which says so.
pub const MAX_SHAPES: usize = 64;

/// The boards of one shape whose paths were replayed.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Size {
    pub boards: u64,
    /// Those of them whose paths are proven shortest.
    pub proven: u64,
    pub moves: u64,
    pub manhattan: u64,
    /// What no path is shorter than; of proven ones their length.
    pub bound: u64,
}

/// Boards by shape: rows and columns.
#[derive(Default, Debug)]
pub struct Sizes {
    pub shapes: BTreeMap<(usize, usize), Size>,
    pub left_out: u64,
}

impl Sizes {
    /// Adds a result, if it tells the board and its path.
    pub fn add(&mut self, entry: &Entry) {
        let (Verdict::Solved { solution: Some(solution), is_optimal, bound, .. }, Some(goal)) =
            (&entry.verdict, &entry.goal)
        else {
            return;
        };
        let (board, moves) = (&solution.board, solution.path.len() as u64);
        let shape = (board.shape().rows(), board.shape().cols());
        if !self.shapes.contains_key(&shape) && self.shapes.len() == MAX_SHAPES {
            self.left_out += 1;
            return;
        }
        let bound = match (is_optimal, bound) {
            (true, _) => moves,
            // What a line claims is not more than what its path leaves open.
            (false, Some(claimed)) => (*claimed).min(moves),
            (false, None) => lower_bound(board, goal),
        };
        let size = self.shapes.entry(shape).or_default();
        size.boards += 1;
        size.proven += u64::from(*is_optimal);
        for (sum, number) in
            [(&mut size.moves, moves), (&mut size.manhattan, board.manhattan_distance(goal)), (&mut size.bound, bound)]
        {
            *sum = sum.saturating_add(number);
        }
    }
}
