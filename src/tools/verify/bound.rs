//! Lower bounds on path lengths, proven without a search.

use crate::board::frame::Frame;
use crate::board::{Board, Cell, Shape};
use crate::heuristic::{Heuristic, WalkingConflict, lower_bound};

/// A prover of lower bounds. It keeps the walking-distance heuristic for the last board, with the
/// shape and the goal's blank cell for which it was built, because the next board can usually use
/// it too.
#[derive(Default)]
pub struct BoundProver(Option<(Shape, Cell, WalkingConflict)>);

impl BoundProver {
    /// Returns true if linear conflict or, for boards of up to 25 cells, walking distance proves
    /// that no path has fewer moves than `claimed`.
    pub fn prove(&mut self, board: &Board, goal: &Board, claimed: u64) -> bool {
        lower_bound(board, goal) >= claimed || self.walking(board, goal).is_some_and(|bound| bound >= claimed)
    }

    fn walking(&mut self, board: &Board, goal: &Board) -> Option<u64> {
        let frame = Frame::new(goal)?;
        let (shape, blank) = (frame.space().shape, frame.space().goal_blank);
        let start = frame.admit(board)?;
        let is_usable = |cached: &(Shape, Cell, WalkingConflict)| (cached.0, cached.1) == (shape, blank);
        let cached = self.0.take().filter(is_usable);
        let (.., heuristic) =
            self.0.insert(cached.unwrap_or_else(|| (shape, blank, WalkingConflict::new(shape, blank))));
        Some(u64::from(WalkingConflict::h(heuristic.root(start.state()))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_proven_as_far_as_the_heuristics_go() {
        let mut bound_prover = BoundProver::default();
        // Walking distance may give a higher bound than linear conflict, but never above 31 moves,
        // the maximum for this shape.
        let hard: Board = "8 0 6/5 4 7/2 3 1".parse().unwrap();
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let simple = lower_bound(&hard, &goal);
        let proven = (0..40).filter(|&claimed| bound_prover.prove(&hard, &goal, claimed)).max().unwrap();
        assert!(proven >= simple && proven <= 31, "{simple} {proven}");
        assert!((0..=proven).all(|claimed| bound_prover.prove(&hard, &goal, claimed)));
        let (wide, wide_goal): (Board, Board) = ("1 0 2/4 5 3".parse().unwrap(), "1 2 3/4 5 0".parse().unwrap());
        assert!(bound_prover.prove(&wide, &wide_goal, 2) && !bound_prover.prove(&wide, &wide_goal, 3));
        assert!(bound_prover.prove(&hard, &goal, proven) && !bound_prover.prove(&hard, &goal, proven + 1));
    }

    /// Linear conflict proves bounds for boards that are too large for walking distance.
    #[test]
    fn a_bound_of_a_large_board_is_proven() {
        let goal = (1..36).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ") + " 0";
        let moved = goal.replace("35 0", "0 35");
        let [goal, moved]: [Board; 2] = [goal, moved].map(|text| text.parse().unwrap());
        let mut bound_prover = BoundProver::default();
        assert!(bound_prover.prove(&moved, &goal, 1) && !bound_prover.prove(&moved, &goal, 2));
    }

    /// The cached heuristic is not used for another shape or another cell of the blank.
    #[test]
    fn every_goal_has_its_own_heuristic() {
        let pairs = [
            ("8 0 6/5 4 7/2 3 1", "1 2 3/4 5 6/7 8 0"),
            ("8 0 6/5 4 7/2 3 1", "0 1 2/3 4 5/6 7 8"),
            ("5 4 3/0 1 2", "0 1 2/3 4 5"),
            ("5 4 3/0 1 2", "1 2 3/4 5 0"),
            ("7 6 5 4/3 2 1 0", "0 1 2 3/4 5 6 7"),
        ]
        .map(|(board, goal)| -> [Board; 2] { [board.parse().unwrap(), goal.parse().unwrap()] });
        let unproven = |bound_prover: &mut BoundProver, [board, goal]: &[Board; 2]| {
            (0..60).find(|&claimed| !bound_prover.prove(board, goal, claimed))
        };
        let with_new_cache = pairs.each_ref().map(|pair| unproven(&mut BoundProver::default(), pair));
        let mut bound_prover = BoundProver::default();
        for first in &pairs {
            for (second, expected) in pairs.iter().zip(&with_new_cache) {
                unproven(&mut bound_prover, first);
                assert_eq!(unproven(&mut bound_prover, second), *expected, "{first:?} {second:?}");
            }
        }
    }
}
