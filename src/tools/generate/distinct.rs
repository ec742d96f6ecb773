//! Distinct puzzles: the set of those generated so far, and the number of distinct boards that
//! exist, so that a request for more is rejected before any board is made. If requested, a puzzle
//! and its [`Reflections`], which keep the goal's blank in place, count as the same puzzle.

use std::collections::HashSet;
use std::sync::Arc;

use super::difficulty::Difficulty;
use super::spec::{Error, Puzzle, Repeats};
use super::uniform::{BoardKind, with_first_two_exchanged};
use crate::board::{Board, Reflections, Tile, symmetries};

/// The set of puzzles generated so far.
#[derive(Debug)]
pub struct SeenPuzzles {
    /// The rule for duplicates.
    repeats: Repeats,
    /// The keys of the puzzles. If reflections count as the same, a puzzle has the key of the
    /// smallest among its board and the board's reflections.
    keys: HashSet<Box<[Tile]>>,
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
        self.keys.insert(key(&reflections.smallest(&puzzle.board), &puzzle.goal))
    }
}

/// Returns the tiles of the goal and of the board, which take less memory than a [`Puzzle`]. The
/// shape is left out, because all puzzles of a set have the same shape.
fn key(board: &Board, goal: &Board) -> Box<[Tile]> {
    [goal.tiles(), board.tiles()].concat().into()
}

/// Returns the number of distinct boards of a kind, with the given difficulty if any. Returns
/// `None` if duplicates are allowed, if there are certainly as many as requested, or if the number
/// is not known.
///
/// # Errors
/// When there are no boards of this difficulty.
pub fn count_distinct_boards(
    kind: BoardKind,
    difficulty: Option<&Difficulty>,
    goal: &Board,
    (repeats, asked): (Repeats, u64),
) -> Result<Option<u64>, Error> {
    let shape = goal.shape();
    let boards = match difficulty {
        Some(difficulty) => difficulty.listed_count(goal)?.map(|listed| listed as u64),
        // On a line, most permutations cannot be reached.
        None if shape.is_line() => None,
        // Half of all permutations are of each kind.
        None => (3..=shape.cells() as u64).try_fold(1, u64::checked_mul),
    };
    // At most this many boards are reflections of each other.
    let symmetry_count = symmetries(shape, goal.blank()).len() as u64;
    match (boards, repeats) {
        (None, _) | (_, Repeats::Allowed) => Ok(None),
        (boards, repeats) if repeats == Repeats::ExactAvoided || symmetry_count == 1 => Ok(boards),
        (Some(boards), _) if asked <= boards / symmetry_count => Ok(None),
        (Some(_), _) => {
            let every_board = &Difficulty::new(0..=u16::MAX);
            let Some(listed) = difficulty.unwrap_or(every_board).listed_boards(goal)? else { return Ok(None) };
            let reflections = Reflections::of(goal);
            let smallest = |board: &Board| match kind {
                BoardKind::Solvable => reflections.smallest(board),
                BoardKind::Unsolvable => reflections.smallest(&with_first_two_exchanged(board)),
            };
            Ok(Some(listed.iter().map(smallest).collect::<HashSet<_>>().len() as u64))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Shape, reflected};
    use crate::solver::Solver;
    use crate::system::Random;
    use crate::tools::generate::distance::DistanceSolver;
    use crate::tools::generate::uniform;

    /// A board and its reflections are equally far from the goal and have the same smallest
    /// reflection. Other boards are not duplicates of them.
    #[test]
    fn reflections_share_the_smallest_board_and_the_distance() {
        let solver = Solver::builder().threads(1).memory(1 << 28).build().unwrap();
        for goal in ["blank-last", "snail", "1,2,3/4,5,6/7,0,8", "0,1,2/3,4,5/6,7,8"] {
            let goal = goal.parse::<Goal>().unwrap().on(Shape::new(3, 3).unwrap()).unwrap();
            let distances = DistanceSolver::new(&solver);
            let moves = |board: &Board| distances.moves(board, &goal).unwrap();
            let mut seen = SeenPuzzles::new(Repeats::ReflectionsAvoided);
            for number in 0..20 {
                let board = uniform::board(BoardKind::Solvable, &goal, &mut Random::stream(8, number));
                assert!(seen.insert(&Puzzle { board: board.clone(), goal: goal.clone() }));
                let reflections = Reflections::of(&goal);
                for to in symmetries(goal.shape(), goal.blank()) {
                    let reflected = reflected(&board, &goal, &to);
                    assert_eq!(reflections.smallest(&reflected), reflections.smallest(&board));
                    assert_eq!(moves(&reflected), moves(&board), "{board} {reflected}");
                    assert!(!seen.insert(&Puzzle { board: reflected, goal: goal.clone() }));
                }
            }
        }
    }

    /// 3×3 with the goal's blank in a corner has 181,440 boards, 90,792 up to reflection (OEIS
    /// A087725). Two need 31 moves and are reflections of each other. 2×2 has twelve boards of
    /// either kind.
    #[test]
    fn boards_and_reflections_are_counted() {
        let counted = |shape: &str, moves: Option<u16>, kind, repeats| {
            let goal = Goal::BlankLast.on(shape.parse().unwrap()).unwrap();
            let difficulty = moves.map(|moves| Difficulty::new(moves..=moves));
            count_distinct_boards(kind, difficulty.as_ref(), &goal, (repeats, u64::MAX)).unwrap()
        };
        use BoardKind::{Solvable, Unsolvable};
        use Repeats::{Allowed, ExactAvoided, ReflectionsAvoided};
        for (shape, moves, kind, repeats, expected) in [
            ("3x3", None, Solvable, ReflectionsAvoided, Some(90_792)),
            ("3x3", None, Unsolvable, ReflectionsAvoided, Some(90_792)),
            ("3x3", None, Solvable, ExactAvoided, Some(181_440)),
            ("3x3", None, Solvable, Allowed, None),
            ("3x3", Some(31), Solvable, ReflectionsAvoided, Some(1)),
            ("3x3", Some(31), Solvable, ExactAvoided, Some(2)),
            ("2x2", None, Solvable, ReflectionsAvoided, Some(7)),
            ("2x2", None, Unsolvable, ExactAvoided, Some(12)),
            ("2x3", None, Solvable, ReflectionsAvoided, Some(360)),
            ("1x5", None, Solvable, ReflectionsAvoided, None),
            ("5x5", None, Solvable, ExactAvoided, None),
            ("5x5", None, Solvable, ReflectionsAvoided, None),
        ] {
            assert_eq!(counted(shape, moves, kind, repeats), expected, "{shape} {moves:?} {kind:?} {repeats:?}");
        }
    }

    /// If the goal's blank is in the middle of a line, the boards of the two halves are reflections
    /// of each other.
    #[test]
    fn reflections_on_a_line_are_counted() {
        for (cells, blank, expected) in [(1, 0, 1), (3, 1, 2), (8, 4, 8), (9, 4, 5), (9, 3, 9)] {
            let tiles: Vec<Tile> = (1..=blank).chain([0]).chain(blank + 1..cells).map(Tile::new).collect();
            let goal = Board::new(Shape::new(1, cells).unwrap(), &tiles).unwrap();
            let (every_board, repeats) = (Difficulty::new(0..=u16::MAX), Repeats::ReflectionsAvoided);
            let count = count_distinct_boards(BoardKind::Solvable, Some(&every_board), &goal, (repeats, u64::MAX));
            assert_eq!(count.unwrap(), Some(expected), "{cells}");
        }
    }
}
