//! The solvability of boards: the parity argument of Johnson and Story (1879).
//!
//! A move swaps the blank with a neighbour. This changes two things: the parity of the board, read
//! as a permutation of the tiles and the blank, and the checkerboard colour of the blank's cell. So
//! the parity of the permutation that takes the goal to the board must equal the parity of the
//! blank's distance from its goal cell, for even and odd widths alike. On every board with at least
//! two rows and two columns this condition is also sufficient. On a single row or column tiles
//! never pass each other, so the tiles without the blank must be in the goal's order.

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
    let home_of_label = goal.cells_by_label();
    let homes = board.tiles().iter().map(|tile| home_of_label[tile.label()].index());
    if shape.is_line() {
        in_order(homes, goal.blank())
    } else {
        is_odd(homes.collect()) == (shape.distance(board.blank(), goal.blank()) % 2 == 1)
    }
}

/// Returns true if the tiles without the blank are in the order of their home cells.
fn in_order(homes: impl Iterator<Item = usize>, goal_blank: Cell) -> bool {
    homes.filter(|&home| home != goal_blank.index()).is_sorted()
}

/// Returns true if a permutation of at most 64 items is odd: if it has an odd number of inversions.
///
/// Bit i of `smaller` is the parity of the number of items below i that have not been read yet. If
/// item i is read next, each of them makes an inversion with it. Reading an item reduces the number
/// for every larger item by one.
#[inline]
fn is_odd_small(permutation: impl Iterator<Item = usize>) -> bool {
    let (mut smaller, mut odd) = (0xAAAA_AAAA_AAAA_AAAA_u64, 0);
    for item in permutation {
        odd ^= smaller >> item;
        smaller ^= u64::MAX << item;
    }
    odd & 1 == 1
}

/// Returns true if a permutation of any length is odd: if an odd number of swaps sorts it.
fn is_odd(mut permutation: Vec<usize>) -> bool {
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

/// A solvability test for many boards that are given as plain numbers and have the same goal.
///
/// ```
/// use taquin::{Goal, arrays::Solvability};
///
/// let goal = Goal::BlankLast.on("2x2".parse()?)?;
/// let boards = [1u8, 2, 3, 0, 2, 1, 3, 0, 1, 2, 2, 0, 1, 2, 0, 3];
/// let mut solvable = [false; 4];
/// // The third is not a board: the tile 2 appears twice.
/// assert_eq!(Solvability::new(&goal).fill(&boards, &mut solvable), 2);
/// assert_eq!(solvable, [true, false, false, false]);
/// # Ok::<(), taquin::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solvability {
    shape: Shape,
    goal_blank: Cell,
    /// By label: the tile's goal cell.
    homes: Vec<Cell>,
    /// For large boards, by label: the number of the last board that contained the label, counted
    /// from 1.
    last_boards: Vec<usize>,
    /// The number of large boards tested so far.
    large_boards: usize,
}

impl Solvability {
    /// Maximum number of cells of a board whose labels fit in a bit set of one word.
    const SMALL: usize = 64;

    /// Creates the test for a goal.
    pub fn new(goal: &Board) -> Solvability {
        let (shape, goal_blank, homes) = (goal.shape(), goal.blank(), goal.cells_by_label());
        Solvability { shape, goal_blank, homes, last_boards: vec![0; shape.cells()], large_boards: 0 }
    }

    /// Sets an element of `solvable` for each board: true if the board is solvable. `tiles`
    /// contains the boards one after the other, each row by row. Stops at the first invalid board.
    /// Returns the number of boards before it, or of all boards if there is none.
    pub fn fill<T: Copy + Into<usize>>(&mut self, tiles: &[T], solvable: &mut [bool]) -> usize {
        let boards = tiles.chunks_exact(self.shape.cells()).zip(solvable);
        let mut done = 0;
        for (board, solvable) in boards {
            let found = if board.len() <= Self::SMALL { self.test_small(board) } else { self.test_large(board) };
            let Some(found) = found else { break };
            *solvable = found;
            done += 1;
        }
        done
    }

    /// Tests a board of at most [`Self::SMALL`] cells; `None` if it is invalid.
    #[inline]
    fn test_small<T: Copy + Into<usize>>(&self, board: &[T]) -> Option<bool> {
        let (mut homes, mut seen, mut blank) = ([0u8; Self::SMALL], 0u64, 0);
        for (cell, (&tile, home)) in board.iter().zip(&mut homes).enumerate() {
            let label: usize = tile.into();
            *home = self.homes.get(label)?.index() as u8;
            seen |= 1 << label;
            blank = if label == 0 { cell } else { blank };
        }
        // All labels are in range. If there are as many different labels as cells, each occurs
        // once.
        if seen.count_ones() as usize != board.len() {
            return None;
        }
        let homes = homes[..board.len()].iter().map(|&home| usize::from(home));
        Some(match self.shape.is_line() {
            true => in_order(homes, self.goal_blank),
            false => is_odd_small(homes) == self.is_blank_distance_odd(blank),
        })
    }

    /// Tests a board of any size; `None` if it is invalid.
    fn test_large<T: Copy + Into<usize>>(&mut self, board: &[T]) -> Option<bool> {
        self.large_boards += 1;
        let mut blank = 0;
        for (cell, &tile) in board.iter().enumerate() {
            let label: usize = tile.into();
            let last_board = self.last_boards.get_mut(label)?;
            if std::mem::replace(last_board, self.large_boards) == self.large_boards {
                return None;
            }
            blank = if label == 0 { cell } else { blank };
        }
        let homes = board.iter().map(|&tile| self.homes[tile.into()].index());
        Some(match self.shape.is_line() {
            true => in_order(homes, self.goal_blank),
            false => is_odd(homes.collect()) == self.is_blank_distance_odd(blank),
        })
    }

    /// Returns true if the blank's distance from its goal cell is odd.
    fn is_blank_distance_odd(&self, blank: usize) -> bool {
        self.shape.distance(Cell::new(blank), self.goal_blank) % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Tile};
    use crate::system::Random;

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

    /// Compares [`Solvability::fill`] with [`is_solvable`] on the goal after up to three random
    /// swaps.
    #[test]
    fn many_boards_agree_with_single_boards() {
        let mut random = Random::new(7);
        for shape in ["1x1", "1x7", "2x2", "3x4", "5x5", "8x8", "5x13", "1x90", "17x16"] {
            let shape: Shape = shape.parse().unwrap();
            let goal = Goal::Snail.on(shape).unwrap();
            let labels: Vec<u16> = goal.tiles().iter().map(|tile| tile.label() as u16).collect();
            let boards: Vec<Vec<u16>> = (0..40)
                .map(|_| {
                    let mut board = labels.clone();
                    for _ in 0..random.index(4) {
                        let (a, b) = (random.index(board.len()), random.index(board.len()));
                        board.swap(a, b);
                    }
                    board
                })
                .collect();
            let mut found = [false; 40];
            assert_eq!(Solvability::new(&goal).fill(&boards.concat(), &mut found), 40);
            for (board, found) in boards.iter().zip(found) {
                let tiles: Vec<Tile> = board.iter().map(|&label| Tile::new(label.into())).collect();
                assert_eq!(found, is_solvable(&Board::new(shape, &tiles).unwrap(), &goal), "{board:?}");
            }
        }
    }

    #[test]
    fn an_invalid_board_ends_the_fill() {
        for (shape, wrong) in [("3x3", 9), ("3x3", 1), ("9x9", 81), ("9x9", 1), ("3x3", 60_000)] {
            let goal = Goal::BlankLast.on(shape.parse().unwrap()).unwrap();
            let labels: Vec<u16> = goal.tiles().iter().map(|tile| tile.label() as u16).collect();
            let mut boards = labels.repeat(5);
            boards[3 * labels.len() + 4] = wrong;
            assert_eq!(Solvability::new(&goal).fill(&boards, &mut [false; 5]), 3, "{shape} {wrong}");
        }
    }
}
