//! Whole paths, one word a state: for shapes on which no path is longer than 31 moves (2×2, 2×3, 3×3).
//!
//! The moves stand in a word two bits each, the first lowest, with a one above the last; bit 63
//! is the parity of the state's order, so that one load answers length, path and solvability: of the
//! two orders that share a rank ([`crate::board::Ranking`]) the one of the other parity is not solvable.
//!
//! A breadth-first search from the goal writes them (`search.rs`), and every table is proved when it is built
//! (`proof.rs`). 3×3: 181,440 words, 1.45 MB.

mod proof;
mod search;
mod slides;

use crate::board::{Move, Orders};
use crate::frame::Space;
use crate::memory::{Zeroed, prefetch};

/// Every state's canonical path in one space.
#[derive(Debug)]
pub struct Paths {
    ranks: Ranks,
    words: Zeroed<u64>,
}

/// Where a state's word is.
#[derive(Debug)]
struct Ranks {
    orders: Orders,
    /// Solvable orders for each cell of the blank.
    orders_a_cell: u32,
}

impl Ranks {
    /// The order of a string of tiles.
    #[inline(always)]
    fn order(&self, string: u32) -> u32 {
        self.orders.rank(string).unwrap_or_else(|| unreachable!("a tile twice"))
    }

    /// The rank of a state by its blank's cell and its order and, in place, the order's parity.
    #[inline(always)]
    fn slot(&self, blank: usize, order: u32) -> (usize, u64) {
        (blank * self.orders_a_cell as usize + (order >> 1) as usize, u64::from(order) << 63)
    }
}

/// The bit of a word that is the parity of the order.
pub const PARITY: u64 = 1 << 63;

impl Paths {
    /// The greatest length that fits below the parity, with the one that ends it.
    const MOST_PLIES: u32 = 31;

    /// Searches a space; `None` for lines, for more than nine cells, and where a path does not fit.
    ///
    /// # Panics
    /// When the table that was built fails its proof.
    pub fn search(space: &Space) -> Option<Paths> {
        let (shape, cells) = (space.shape, space.shape.cells());
        if shape.is_line() {
            return None;
        }
        let orders = Orders::new(shape)?;
        let ranks = Ranks { orders, orders_a_cell: (3..cells as u32).product() };
        let words = search::words(space, &ranks)?;
        let paths = Paths { ranks, words };
        if let Some(flaw) = proof::flaw(&paths, space) {
            panic!("the table of {shape} is wrong: {flaw}");
        }
        Some(paths)
    }

    /// The word of a rank.
    #[inline(always)]
    pub fn word(&self, rank: usize) -> u64 {
        self.words[rank]
    }

    /// Has the word of a rank fetched, to be asked for soon.
    #[inline(always)]
    pub fn prefetch(&self, rank: usize) {
        prefetch(&self.words, rank);
    }

    /// The ranks of orders, and how many solvable ones there are for each cell of the blank.
    pub fn orders(&self) -> (&Orders, u32) {
        (&self.ranks.orders, self.ranks.orders_a_cell)
    }

    /// How many states there are at each distance, from 0 to the greatest.
    pub fn distribution(&self) -> Vec<u64> {
        let mut counts = vec![0; Self::MOST_PLIES as usize + 1];
        for word in self.words.iter() {
            counts[plies(word & !PARITY) as usize] += 1;
        }
        let deepest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts.truncate(deepest + 1);
        counts
    }

    /// What it holds in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.words[..]) + 2 * 4096 * size_of::<u32>()
    }
}

/// The length of a path, whatever its parity bit.
#[inline(always)]
pub fn plies(word: u64) -> u32 {
    (62 - (word << 1).leading_zeros()) >> 1
}

/// The moves of a path, whatever its parity bit.
#[inline]
pub fn moves(word: u64) -> impl Iterator<Item = Move> {
    (0..plies(word)).map(move |i| Move::from_index((word >> (2 * i)) as u8))
}

#[cfg(test)]
mod tests {
    use super::slides::{goal, slides};
    use super::*;
    use crate::board::{Board, Ranking, Shape, State, Tile};
    use crate::frame::Frame;

    fn space(rows: usize, cols: usize, blank: usize) -> Space {
        let shape = Shape::new(rows, cols).unwrap();
        let mut tiles: Vec<Tile> = (1..shape.cells()).map(Tile::new).collect();
        tiles.insert(blank, Tile::BLANK);
        *Frame::new(&Board::new(shape, &tiles).unwrap()).unwrap().space()
    }

    /// A state is where the general ranking says, and its moves lead where those of a board do.
    #[test]
    fn states_and_moves_are_those_of_boards() {
        for (rows, cols, blank) in [(2, 2, 3), (2, 3, 4), (2, 3, 5), (3, 3, 4), (3, 3, 7), (3, 3, 8)] {
            let space = space(rows, cols, blank);
            let (shape, goal_blank) = (space.shape, space.goal_blank);
            let (paths, slides) = (Paths::search(&space).unwrap(), slides(&space));
            let ranking = Ranking::new(shape, goal_blank).unwrap();
            let string = |state: &State| {
                let tiles = state.homes(shape.cells()).iter().map(|&home| usize::from(home));
                let tiles = tiles.filter(|&home| home != goal_blank.index());
                let tiles = tiles.map(|home| (home - usize::from(home > goal_blank.index())) as u32);
                let string = tiles.chain(shape.cells() as u32 - 1..8).enumerate();
                string.fold(0, |string, (i, tile)| string | tile << (3 * i))
            };
            for rank in (0..ranking.states()).step_by(7) {
                let state = ranking.unrank(rank);
                let (blank, tiles) = (state.blank().index(), string(&state));
                assert_eq!(paths.ranks.slot(blank, paths.ranks.order(tiles)).0, rank);
                let moved = slides[blank].iter().map(|slide| {
                    let after = slide.after(tiles);
                    assert!(!slide.is_sideways() || after == tiles);
                    (3 - slide.back, slide.to, after)
                });
                let mut moved: Vec<(u64, usize, u32)> = moved.collect();
                let expected = space.steps(state.blank()).map(|(letter, to)| {
                    let mut next = state;
                    next.slide(to);
                    (letter as u64, to.index(), string(&next))
                });
                let mut expected: Vec<(u64, usize, u32)> = expected.collect();
                moved.sort_unstable();
                expected.sort_unstable();
                assert_eq!(moved, expected, "{shape} {state:?}");
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_none() {
        for (rows, cols, blank) in [(2, 4, 7), (1, 5, 4), (2, 5, 9), (4, 4, 15)] {
            assert!(Paths::search(&space(rows, cols, blank)).is_none(), "{rows}x{cols}");
        }
    }

    /// Every single bit of a few words, turned over, is found.
    #[test]
    fn a_wrong_word_is_a_flaw() {
        for (rows, cols) in [(2, 3), (3, 3)] {
            let space = space(rows, cols, rows * cols - 1);
            let mut paths = Paths::search(&space).unwrap();
            assert_eq!(proof::flaw(&paths, &space), None);
            // The goal's word among them, and the longest.
            let (blank, string) = goal(&space);
            let (deepest, words) = (paths.distribution().len() as u32 - 1, &paths.words[..]);
            let mut slots: Vec<usize> =
                (0..words.len()).filter(|&slot| plies(words[slot]) + 1 >= deepest).take(4).collect();
            slots.extend([0, 17, 100, 359, paths.ranks.slot(blank, paths.ranks.order(string)).0]);
            for slot in slots {
                for bit in 0..64 {
                    paths.words[slot] ^= 1 << bit;
                    assert!(proof::flaw(&paths, &space).is_some(), "bit {bit} of word {slot}");
                    paths.words[slot] ^= 1 << bit;
                }
            }
        }
    }
}
