//! How many different boards there are, so that more than that are refused before any is made.
//!
//! Of n cells half of all n! orders can be turned into the goal. Where reflections count as the same board, W. Burnside's lemma counts the
//! classes: the mean, over the symmetries that keep the goal's blank, of the boards that a symmetry leaves alone. A board is a permutation of the
//! cells, and a symmetry leaves it alone where the two commute; a permutation with aᵢ cycles of length i commutes with ∏ i^aᵢ·aᵢ! others. Every
//! symmetry but the identity has a cycle of even length, which is an odd permutation that commutes with it and leaves the blank alone: so half of
//! those are solvable too.

use std::collections::HashSet;

use super::difficulty::Difficulty;
use super::error::Error;
use super::seen::canonical_key;
use super::spec::Repeats;
use super::uniform::Solvability;
use crate::board::{Board, Cell, Reflections, symmetries};

/// The number of different boards of a kind to a goal, as repeats are counted; `None` where it is too large a number to be asked for, or not
/// known.
pub fn different_boards(kind: Solvability, goal: &Board, repeats: Repeats) -> Option<u64> {
    let (shape, blank) = (goal.shape(), goal.blank());
    let cells = shape.cells() as u64;
    match (repeats, kind) {
        (Repeats::Allowed, _) => None,
        // On a line the blank alone can travel.
        (_, Solvability::Unsolvable) if shape.is_line() => None,
        (Repeats::AvoidedAlone, _) if shape.is_line() => Some(cells),
        // Turned round it is a board to the same goal only where the goal's blank is in the middle.
        (Repeats::Avoided, _) if shape.is_line() => {
            let is_middle = 2 * blank.index() + 1 == shape.cells();
            Some(if is_middle { cells.div_ceil(2) } else { cells })
        }
        (Repeats::AvoidedAlone, _) => Some(factorial(cells)? / 2),
        (Repeats::Avoided, _) => {
            let all = symmetries(shape, blank);
            let left_alone: Option<Vec<u64>> = all.iter().map(|to| commuting(to)).collect();
            Some(left_alone?.iter().try_fold(0, |sum: u64, half| sum.checked_add(half / 2))? / all.len() as u64)
        }
    }
}

/// How many different boards a list holds; `None` where they are not in a list, may repeat, or are many more than were asked for without
/// being counted.
pub fn different_listed(
    difficulty: &Difficulty,
    goal: &Board,
    asked: u64,
    repeats: Repeats,
) -> Result<Option<u64>, Error> {
    let Some(listed) = difficulty.listed(goal)? else { return Ok(None) };
    Ok(match repeats {
        Repeats::Allowed => None,
        Repeats::AvoidedAlone => Some(listed as u64),
        Repeats::Avoided if asked <= listed as u64 / 16 => None,
        Repeats::Avoided => {
            let all = difficulty.all(goal)?.unwrap_or_default();
            let reflections = Reflections::of(goal);
            let keys: HashSet<Vec<u16>> = all.iter().map(|board| canonical_key(board, &reflections)).collect();
            Some(keys.len() as u64)
        }
    })
}

fn factorial(n: u64) -> Option<u64> {
    (1..=n).try_fold(1, u64::checked_mul)
}

/// How many permutations commute with this one.
fn commuting(to: &[Cell]) -> Option<u64> {
    let mut cycles = vec![0u64; to.len() + 1];
    let mut seen = vec![false; to.len()];
    for first in 0..to.len() {
        let (mut at, mut length) = (first, 0);
        while !std::mem::replace(&mut seen[at], true) {
            (at, length) = (to[at].index(), length + 1);
        }
        cycles[length] += 1;
    }
    // Places that were met in an earlier cycle were counted as cycles of no length.
    let each = |(length, &count): (usize, &u64)| {
        (length as u64).checked_pow(u32::try_from(count).ok()?)?.checked_mul(factorial(count)?)
    };
    cycles.iter().enumerate().skip(1).try_fold(1, |product: u64, row| product.checked_mul(each(row)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Shape, Tile, is_solvable};

    fn every_board(shape: Shape) -> Vec<Board> {
        let mut orders = vec![vec![]];
        for _ in 0..shape.cells() {
            let longer = |order: &Vec<usize>| {
                let more = |tile: &usize| !order.contains(tile);
                (0..shape.cells()).filter(more).map(|tile| [&order[..], &[tile]].concat()).collect::<Vec<_>>()
            };
            orders = orders.iter().flat_map(longer).collect();
        }
        let board = |order: Vec<usize>| Board::new(shape, &order.into_iter().map(Tile::new).collect::<Vec<_>>());
        orders.into_iter().map(|order| board(order).unwrap()).collect()
    }

    /// Held against every board there is, put together by the key that `--unique` goes by.
    #[test]
    fn classes_are_counted_as_keys_are() {
        for (shape, goal) in
            [("2x2", "blank-last"), ("2x3", "1,0,2/3,4,5"), ("2x3", "blank-first"), ("1x5", "1,2,0,3,4")]
        {
            let shape: Shape = shape.parse().unwrap();
            let goal = goal.parse::<Goal>().unwrap().on(shape).unwrap();
            let (boards, reflections) = (every_board(shape), Reflections::of(&goal));
            for kind in [Solvability::Solvable, Solvability::Unsolvable] {
                let of_kind = |board: &&Board| is_solvable(board, &goal) == (kind == Solvability::Solvable);
                let keys: HashSet<_> =
                    boards.iter().filter(of_kind).map(|board| canonical_key(board, &reflections)).collect();
                let all = boards.iter().filter(of_kind).count() as u64;
                let counted = |repeats| different_boards(kind, &goal, repeats);
                if let Some(counted) = counted(Repeats::Avoided) {
                    assert_eq!(counted, keys.len() as u64, "{goal} {kind:?}");
                }
                assert!(counted(Repeats::AvoidedAlone).is_none_or(|counted| counted == all), "{goal} {kind:?}");
            }
        }
    }

    /// 181,440 boards, of which the transposition leaves 144 alone; OEIS A087725's boards are as many.
    #[test]
    fn the_eight_puzzle_has_90792_boards_up_to_reflection() {
        let goal = |goal: &str| goal.parse::<Goal>().unwrap().on("3x3".parse().unwrap()).unwrap();
        let counted = |of: &str, repeats| different_boards(Solvability::Solvable, &goal(of), repeats);
        assert_eq!(counted("blank-last", Repeats::Avoided), Some(90_792));
        assert_eq!(counted("blank-last", Repeats::AvoidedAlone), Some(181_440));
        assert_eq!(counted("blank-last", Repeats::Allowed), None);
        let large = Goal::BlankLast.on("5x5".parse().unwrap()).unwrap();
        assert_eq!(different_boards(Solvability::Solvable, &large, Repeats::AvoidedAlone), None);
    }
}
