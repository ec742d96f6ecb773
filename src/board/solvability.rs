//! Tests the solvability of many boards, given as plain numbers, by the rule of
//! [`parity`](super::parity) but without creating a [`Board`].

use super::parity::{in_order, is_odd, is_odd_small};
use super::{Board, Cell, Shape};

/// A solvability test for many boards with the same goal.
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
    /// By label: its goal cell.
    homes: Vec<u16>,
    /// By label, for large boards: the number of the last board that had it, counted from 1.
    last_boards: Vec<usize>,
    /// The number of large boards tested so far.
    large_boards: usize,
}

impl Solvability {
    /// Maximum number of cells of a board whose labels fit in a bit set of one word.
    const SMALL: usize = 64;

    /// Creates the test for a goal.
    pub fn new(goal: &Board) -> Solvability {
        let cells = goal.shape().cells();
        let mut homes = vec![0; cells];
        for (cell, tile) in goal.tiles().iter().enumerate() {
            homes[tile.label()] = cell as u16;
        }
        let last_boards = vec![0; cells];
        Solvability { shape: goal.shape(), goal_blank: goal.blank(), homes, last_boards, large_boards: 0 }
    }

    /// Sets `solvable` to true for each solvable board and to false for each unsolvable one.
    /// `tiles` contains the boards one after the other, each row by row. Stops at the first invalid
    /// board. Returns the number of boards before it.
    pub fn fill<T: Copy + Into<usize>>(&mut self, tiles: &[T], solvable: &mut [bool]) -> usize {
        let boards = tiles.chunks_exact(self.shape.cells()).zip(solvable);
        let mut done = 0;
        for (board, solvable) in boards {
            let found = if board.len() <= Self::SMALL { self.small(board) } else { self.large(board) };
            let Some(found) = found else { break };
            *solvable = found;
            done += 1;
        }
        done
    }

    #[inline]
    fn small<T: Copy + Into<usize>>(&self, board: &[T]) -> Option<bool> {
        let (mut homes, mut seen, mut blank) = ([0u8; Self::SMALL], 0u64, 0);
        for (cell, (&tile, home)) in board.iter().zip(&mut homes).enumerate() {
            let label: usize = tile.into();
            *home = *self.homes.get(label)? as u8;
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

    fn large<T: Copy + Into<usize>>(&mut self, board: &[T]) -> Option<bool> {
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
        let homes = board.iter().map(|&tile| usize::from(self.homes[tile.into()]));
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
    use crate::board::{Goal, Tile, is_solvable};
    use crate::system::Random;

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
