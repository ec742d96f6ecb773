//! The puzzles generated so far. If requested, a puzzle and its [`Reflections`], which keep the
//! goal's blank in place, count as the same puzzle.

use std::collections::HashSet;
use std::sync::Arc;

use super::spec::{Puzzle, Repeats};
use crate::board::{Board, Reflections};

/// The set of puzzles generated so far.
#[derive(Debug)]
pub struct SeenPuzzles {
    /// The rule for duplicates.
    repeats: Repeats,
    keys: HashSet<Vec<u16>>,
    /// The reflections of the last goal. Most sets have one goal for all boards.
    reflections: Option<Reflections>,
    /// Boards that count as seen, for any goal.
    excluded: Arc<HashSet<Board>>,
}

impl SeenPuzzles {
    /// Creates an empty set.
    pub fn new(repeats: Repeats) -> SeenPuzzles {
        SeenPuzzles { repeats, keys: HashSet::new(), reflections: None, excluded: Arc::default() }
    }

    /// Excludes these boards.
    pub fn exclude(&mut self, boards: Arc<HashSet<Board>>) {
        self.excluded = boards;
    }

    /// Adds a puzzle. Returns false if it is a duplicate or excluded.
    pub fn insert(&mut self, puzzle: &Puzzle) -> bool {
        if self.excluded.contains(&puzzle.board) {
            return false;
        }
        match self.repeats {
            Repeats::Allowed => return true,
            Repeats::ExactAvoided => return self.keys.insert(key(&puzzle.board, &puzzle.goal)),
            Repeats::ReflectionsAvoided => {}
        }
        let cached = self.reflections.take().filter(|cached| *cached.goal() == puzzle.goal);
        let reflections = self.reflections.insert(cached.unwrap_or_else(|| Reflections::of(&puzzle.goal)));
        if !self.excluded.is_empty() && reflections.each(&puzzle.board).any(|board| self.excluded.contains(&board)) {
            return false;
        }
        self.keys.insert(canonical_key(&puzzle.board, reflections))
    }
}

/// Returns the key that a puzzle shares with its reflections: the goal, then the smallest among the
/// puzzle's board and its reflections.
pub fn canonical_key(board: &Board, reflections: &Reflections) -> Vec<u16> {
    key(&reflections.smallest(board), reflections.goal())
}

fn key(board: &Board, goal: &Board) -> Vec<u16> {
    goal.tiles().iter().chain(board.tiles()).map(|tile| tile.label() as u16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Shape, reflected, symmetries};
    use crate::solver::Solver;
    use crate::system::Random;
    use crate::tools::generate::distance::DistanceSolver;
    use crate::tools::generate::uniform::{self, Solvability};

    /// Reflections are as far from the goal as the board, and share its key. Other boards have
    /// other keys.
    #[test]
    fn reflections_share_a_key_and_a_distance() {
        let solver = Solver::builder().threads(1).memory(1 << 28).build().unwrap();
        for goal in ["blank-last", "snail", "1,2,3/4,5,6/7,0,8", "0,1,2/3,4,5/6,7,8"] {
            let goal = goal.parse::<Goal>().unwrap().on(Shape::new(3, 3).unwrap()).unwrap();
            let distances = DistanceSolver::new(&solver);
            let moves = |board: &Board| distances.moves(board, &goal).unwrap();
            let mut seen = SeenPuzzles::new(Repeats::ReflectionsAvoided);
            for number in 0..20 {
                let board = uniform::board(Solvability::Solvable, &goal, &mut Random::stream(8, number));
                assert!(seen.insert(&Puzzle { board: board.clone(), goal: goal.clone() }));
                let reflections = Reflections::of(&goal);
                for to in symmetries(goal.shape(), goal.blank()) {
                    let reflected = reflected(&board, &goal, &to);
                    assert_eq!(canonical_key(&reflected, &reflections), canonical_key(&board, &reflections));
                    assert_eq!(moves(&reflected), moves(&board), "{board} {reflected}");
                    assert!(!seen.insert(&Puzzle { board: reflected, goal: goal.clone() }));
                }
            }
        }
    }
}
