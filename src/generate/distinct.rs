//! Boards that are told apart: each once, reflections that keep the goal's blank counted as the same puzzle
//! ([`Reflections`]).

use std::collections::HashSet;

use super::Puzzle;
use crate::board::{Board, Reflections};

/// The puzzles that were met.
#[derive(Debug, Default)]
pub struct Distinct {
    seen: HashSet<Vec<u16>>,
    /// Those of the last goal; in most sets there is one for all.
    reflections: Option<Reflections>,
}

impl Distinct {
    /// True for a puzzle that was not met before, nor a reflection of it.
    pub fn is_new(&mut self, puzzle: &Puzzle) -> bool {
        let known = self.reflections.take().filter(|known| *known.goal() == puzzle.goal);
        let reflections = self.reflections.insert(known.unwrap_or_else(|| Reflections::of(&puzzle.goal)));
        self.seen.insert(key(&puzzle.board, reflections))
    }
}

/// What a puzzle has in common with its reflections: the first of them, behind the goal.
pub fn key(board: &Board, reflections: &Reflections) -> Vec<u16> {
    let first = reflections.first(board);
    reflections.goal().tiles().iter().chain(first.tiles()).map(|tile| tile.label() as u16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{GoalSpec, Shape, renamed, symmetries};
    use crate::generate::random::Draw;
    use crate::generate::uniform::{Kind, of_kind};
    use crate::solver::Solvers;

    /// Reflections are as far from the goal as the board, and share its key; other boards do not.
    #[test]
    fn reflections_share_a_key_and_a_distance() {
        let solvers = Solvers::new(Default::default(), 1, 1 << 28);
        for goal in ["blank-last", "snail", "1,2,3/4,5,6/7,0,8", "0,1,2/3,4,5/6,7,8"] {
            let goal = goal.parse::<GoalSpec>().unwrap().on(Shape::new(3, 3).unwrap()).unwrap();
            let mut desk = crate::desk::Desk::default();
            let mut moves = |board: &Board| desk.unlimited(&solvers, board, &goal).unwrap().unwrap().len();
            let mut seen = Distinct::default();
            for number in 0..20 {
                let board = of_kind(Kind::Solvable, &goal, &mut Draw::new(8, number));
                assert!(seen.is_new(&Puzzle { board: board.clone(), goal: goal.clone() }));
                let reflections = Reflections::of(&goal);
                for to in symmetries(goal.shape(), goal.blank()) {
                    let reflected = renamed(&board, &goal, &to);
                    assert_eq!(key(&reflected, &reflections), key(&board, &reflections));
                    assert_eq!(moves(&reflected), moves(&board), "{board} {reflected}");
                    assert!(!seen.is_new(&Puzzle { board: reflected, goal: goal.clone() }));
                }
            }
        }
    }
}
