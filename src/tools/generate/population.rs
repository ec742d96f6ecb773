//! The number of distinct boards. A request for more is rejected before any board is made.

use std::collections::HashSet;

use super::difficulty::Difficulty;
use super::error::Error;
use super::seen::canonical_key;
use super::spec::Repeats;
use super::uniform::{Solvability, with_first_two_exchanged};
use crate::board::{Board, Reflections, symmetries};

/// Returns the number of distinct boards of a kind, with the given difficulty if any. Returns
/// `None` if duplicates are allowed, if there are certainly as many as requested, or if the number
/// is not known.
///
/// # Errors
/// When there are no boards of this difficulty.
pub fn count_distinct_boards(
    kind: Solvability,
    difficulty: Option<&Difficulty>,
    goal: &Board,
    (repeats, asked): (Repeats, u64),
) -> Result<Option<u64>, Error> {
    let shape = goal.shape();
    let boards = match difficulty {
        Some(difficulty) => difficulty.listed_count(goal)?.map(|listed| listed as u64),
        None if shape.is_line() && kind == Solvability::Unsolvable => None,
        // On a line, there is one solvable board for each cell of the blank.
        None if shape.is_line() => Some(shape.cells() as u64),
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
            let key = |board: &Board| match kind {
                Solvability::Solvable => canonical_key(board, &reflections),
                Solvability::Unsolvable => canonical_key(&with_first_two_exchanged(board), &reflections),
            };
            Ok(Some(listed.iter().map(key).collect::<HashSet<_>>().len() as u64))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;

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
        use Repeats::{Allowed, ExactAvoided, ReflectionsAvoided};
        use Solvability::{Solvable, Unsolvable};
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
            ("1x5", None, Solvable, ReflectionsAvoided, Some(5)),
            ("1x30", None, Solvable, ReflectionsAvoided, Some(30)),
            ("5x5", None, Solvable, ExactAvoided, None),
            ("5x5", None, Solvable, ReflectionsAvoided, None),
        ] {
            assert_eq!(counted(shape, moves, kind, repeats), expected, "{shape} {moves:?} {kind:?} {repeats:?}");
        }
    }
}
