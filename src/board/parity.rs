//! The solvability of boards: the parity argument of Johnson and Story (1879).
//!
//! A move swaps the blank with a neighbour. It changes the parity of the board as a permutation of
//! all cells, including the blank, and the checkerboard colour of the blank's cell. So the parity
//! of the permutation that takes the goal to the board must equal the parity of the blank's
//! distance from its goal cell, for even and odd widths alike. On every board with at least two
//! rows and two columns this is also sufficient. On a single row or column tiles never pass each
//! other, so the tiles without the blank must be in the goal's order.

use super::{Board, Cell, Shape, State};

/// A solvable board in the canonical frame of its goal.
///
/// Only [`Solvable::check`] creates one, and engines accept nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Solvable(State);

impl Solvable {
    /// Returns the state if it is solvable. `shape` and `goal_blank` are the frame's.
    #[inline]
    pub fn check(state: State, shape: Shape, goal_blank: Cell) -> Option<Solvable> {
        let homes = state.homes(shape.cells()).iter().map(|&home| usize::from(home));
        let solvable = if shape.is_line() {
            in_order(homes, goal_blank)
        } else {
            is_odd_small(homes) == (shape.distance(state.blank(), goal_blank) % 2 == 1)
        };
        solvable.then_some(Solvable(state))
    }

    /// Returns the state that was checked.
    #[inline]
    pub fn state(&self) -> &State {
        &self.0
    }
}

/// Returns true if some sequence of moves leads from `board` to `goal`; false if they have
/// different shapes. Takes linear time.
pub fn is_solvable(board: &Board, goal: &Board) -> bool {
    let shape = board.shape();
    if shape != goal.shape() {
        return false;
    }
    let mut home = vec![0u16; shape.cells()];
    for (cell, tile) in goal.tiles().iter().enumerate() {
        home[tile.label()] = cell as u16;
    }
    let homes = board.tiles().iter().map(|tile| usize::from(home[tile.label()]));
    if shape.is_line() {
        in_order(homes, goal.blank())
    } else {
        is_odd(homes.collect()) == (shape.distance(board.blank(), goal.blank()) % 2 == 1)
    }
}

/// Returns true if the tiles without the blank are in the order of their home cells.
pub(super) fn in_order(homes: impl Iterator<Item = usize>, goal_blank: Cell) -> bool {
    homes.filter(|&home| home != goal_blank.index()).is_sorted()
}

/// Returns true if a permutation of at most 64 items is odd: if it has an odd number of inversions.
///
/// Bit i of `smaller` is the parity of the number of items below i that have not been read yet. If
/// item i is read next, each of them makes an inversion with it. Reading an item reduces the number
/// for every larger item by one.
#[inline]
pub(super) fn is_odd_small(permutation: impl Iterator<Item = usize>) -> bool {
    let (mut smaller, mut odd) = (0xAAAA_AAAA_AAAA_AAAA_u64, 0);
    for item in permutation {
        odd ^= smaller >> item;
        smaller ^= u64::MAX << item;
    }
    odd & 1 == 1
}

/// Returns true if a permutation of any length is odd: if an odd number of swaps sorts it.
pub(super) fn is_odd(mut permutation: Vec<usize>) -> bool {
    let mut odd = false;
    for start in 0..permutation.len() {
        while permutation[start] != start {
            let next = permutation[start];
            permutation.swap(start, next);
            odd = !odd;
        }
    }
    odd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parity_functions_agree_on_every_permutation_of_seven() {
        let mut odd = 0;
        let mut items: Vec<usize> = (0..7).collect();
        permute(&mut items, 0, &mut |items| {
            let by_cycles = is_odd(items.to_vec());
            assert_eq!(is_odd_small(items.iter().copied()), by_cycles, "{items:?}");
            odd += usize::from(by_cycles);
        });
        assert_eq!(odd, 5040 / 2);
    }

    #[test]
    fn on_a_line_the_tiles_keep_their_order() {
        for (board, goal, expected) in [
            ("1/2/0/3", "1/2/3/0", true),
            ("0/1/2/3", "1/2/3/0", true),
            ("2/1/3/0", "1/2/3/0", false),
            ("1/3/2/0", "1/2/3/0", false),
            ("3/2/1/0", "0/3/2/1", true),
            ("1/2/3/0", "0/3/2/1", false),
        ] {
            let [board, goal]: [Board; 2] = [board, goal].map(|text| text.parse().unwrap());
            assert_eq!(is_solvable(&board, &goal), expected, "{board} to {goal}");
        }
    }

    fn permute(items: &mut Vec<usize>, fixed: usize, visit: &mut impl FnMut(&[usize])) {
        if fixed == items.len() {
            return visit(items);
        }
        for i in fixed..items.len() {
            items.swap(fixed, i);
            permute(items, fixed + 1, visit);
            items.swap(fixed, i);
        }
    }
}
