//! Complete paths, one word per state, for shapes on which no shortest path is longer than 31
//! moves (2×2, 2×3, 3×2, 3×3).
//!
//! A move takes two bits of the word. The first move is in the lowest bits, and a 1 bit follows the
//! last move. Bit 63 is the *parity bit*: the lowest bit of the rank of the order of the state's
//! tiles. So one load gives length, path and solvability: two orders, whose ranks differ only in
//! this bit, share a word, and only one of them is solvable ([`crate::board::Ranking`]).
//!
//! A breadth-first search from the goal writes the words. Every table is verified when it is built
//! (`proof.rs`). 3×3: 181,440 words, 1.45 MB.

mod proof;
mod states;

use self::states::{MAX_LEN, Ranks, goal, slides};
use crate::board::frame::Space;
use crate::board::{OrderRanks, Shape};
use crate::system::{Zeroed, prefetch};

pub use self::states::{PARITY, moves, path_len};

/// The table of every state's canonical path in one space.
#[derive(Debug)]
pub struct Paths {
    ranks: Ranks,
    words: Zeroed<u64>,
}

impl Paths {
    /// Returns whether the paths of all boards of a shape fit into words.
    pub fn fit(shape: Shape) -> bool {
        !shape.is_line() && (shape.cells() <= 6 || (shape.rows(), shape.cols()) == (3, 3))
    }

    /// Builds the table of a space; `None` for lines, for more than nine cells, and if a path does
    /// not fit.
    ///
    /// # Panics
    /// Panics if the table fails its verification.
    pub fn build(space: &Space) -> Option<Paths> {
        let (shape, cells) = (space.shape, space.shape.cells());
        if shape.is_line() {
            return None;
        }
        let orders = OrderRanks::new(shape)?;
        let ranks = Ranks { orders, orders_per_cell: (3..cells as u32).product() };
        let words = words(space, &ranks)?;
        let paths = Paths { ranks, words };
        if let Some(flaw) = proof::flaw(&paths.ranks, &paths.words, space) {
            panic!("the table of {shape} is wrong: {flaw}");
        }
        Some(paths)
    }

    /// Returns the word of a rank.
    #[inline(always)]
    pub fn word(&self, rank: usize) -> u64 {
        self.words[rank]
    }

    /// Prefetches the word of a rank.
    #[inline(always)]
    pub fn prefetch(&self, rank: usize) {
        prefetch(&self.words, rank);
    }

    /// Returns the ranking of orders, and the number of solvable orders for each cell of the blank.
    pub fn orders(&self) -> (&OrderRanks, u32) {
        (&self.ranks.orders, self.ranks.orders_per_cell)
    }

    /// Returns the number of states at each distance, from 0 to the greatest.
    #[cfg(test)]
    pub fn distribution(&self) -> Vec<u64> {
        let mut counts = vec![0; MAX_LEN as usize + 1];
        for word in self.words.iter() {
            counts[path_len(word & !PARITY) as usize] += 1;
        }
        let deepest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts.truncate(deepest + 1);
        counts
    }
}

/// The states of a layer of the search, as strings of tiles ([`states`]), in one list for each cell
/// of the blank.
struct LayerByBlank {
    strings: Vec<u32>,
    /// The capacity of a list: one more than the maximum number of its states, because
    /// [`LayerByBlank::push_if`] always writes.
    capacity: usize,
    lens: Vec<usize>,
}

impl LayerByBlank {
    fn new(cells: usize, max_states: usize) -> LayerByBlank {
        let capacity = max_states + 1;
        LayerByBlank { strings: vec![0; cells * capacity], capacity, lens: vec![0; cells] }
    }

    fn list(&self, blank: usize) -> &[u32] {
        &self.strings[blank * self.capacity..][..self.lens[blank]]
    }

    /// Adds a string if `wanted`, without a branch.
    #[inline(always)]
    fn push_if(&mut self, wanted: bool, blank: usize, string: u32) {
        self.strings[blank * self.capacity + self.lens[blank]] = string;
        self.lens[blank] += usize::from(wanted);
    }

    fn clear(&mut self) {
        self.lens.fill(0);
    }

    fn is_empty(&self) -> bool {
        self.lens.iter().all(|&len| len == 0)
    }
}

/// Returns the words of a space's states by rank; `None` if a path does not fit.
///
/// A state is reached from all its closer neighbours. Its path is the smallest letter that leads to
/// one of them, followed by that neighbour's path.
///
/// A layer has one list for each cell of the blank, so the moves are the same for all states of a
/// list. The remaining decisions, whether a neighbour is new and whether its letter is smaller, are
/// made without branches, which would be mispredicted.
fn words(space: &Space, ranks: &Ranks) -> Option<Zeroed<u64>> {
    let (cells, per_cell) = (space.shape.cells(), ranks.orders_per_cell as usize);
    let slides = slides(space);
    let mut words = Zeroed::<u64>::new(cells * per_cell);
    let (mut layer, mut next) = (LayerByBlank::new(cells, per_cell), LayerByBlank::new(cells, per_cell));

    let (blank, string) = goal(space);
    let (goal_slot, odd) = ranks.slot(blank, ranks.order(string));
    words[goal_slot] = 1 | odd;
    layer.push_if(true, blank, string);
    for path_len in 0..=MAX_LEN {
        // A path that is one move longer, shifted by this much, leaves only the 1 bit after its
        // last move. In the last layer nothing is left, because a longer path does not fit.
        let one_longer = (2 * (path_len + 1)).min(63);
        for (blank, slides) in slides.iter().enumerate() {
            for &string in layer.list(blank) {
                let order = ranks.order(string);
                let path = words[ranks.slot(blank, order).0] & !PARITY;
                for slide in slides {
                    let string = slide.after(string);
                    let order = if slide.is_sideways() { order } else { ranks.order(string) };
                    let (slot, odd) = ranks.slot(slide.to, order);
                    let present = words[slot];
                    let is_new = present == 0;
                    let is_smaller = ((present & !PARITY) >> one_longer == 1) & (slide.back < present & 3);
                    // In the last layer this word is wrong, because the path does not fit. It is
                    // only used for a new state, which goes into a layer beyond the last. Then the
                    // result is `None`.
                    let longer = path << 2 | slide.back | odd;
                    words[slot] = if is_new | is_smaller { longer } else { present };
                    next.push_if(is_new, slide.to, string);
                }
            }
        }
        std::mem::swap(&mut layer, &mut next);
        next.clear();
    }
    layer.is_empty().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::frame::Frame;
    use crate::board::{Board, Ranking, State, Tile};

    fn space(rows: usize, cols: usize, blank: usize) -> Space {
        let shape = Shape::new(rows, cols).unwrap();
        let mut tiles: Vec<Tile> = (1..shape.cells()).map(Tile::new).collect();
        tiles.insert(blank, Tile::BLANK);
        *Frame::new(&Board::new(shape, &tiles).unwrap()).unwrap().space()
    }

    /// The slot of a state is the state's rank in [`Ranking`], and the slides are the moves of the
    /// board.
    #[test]
    fn states_and_moves_match_boards() {
        for (rows, cols, blank) in [(2, 2, 3), (2, 3, 4), (2, 3, 5), (3, 3, 4), (3, 3, 7), (3, 3, 8)] {
            let space = space(rows, cols, blank);
            let (shape, goal_blank) = (space.shape, space.goal_blank);
            let (paths, slides) = (Paths::build(&space).unwrap(), slides(&space));
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
    fn paths_that_do_not_fit_are_rejected() {
        for (rows, cols, blank) in [(2, 4, 7), (1, 5, 4), (2, 5, 9), (4, 4, 15)] {
            assert!(Paths::build(&space(rows, cols, blank)).is_none(), "{rows}x{cols}");
        }
    }

    /// Flipping any single bit of a word is detected.
    #[test]
    fn a_wrong_word_is_detected() {
        for (rows, cols) in [(2, 3), (3, 3)] {
            let cells = rows * cols;
            let space = space(rows, cols, cells - 1);
            let mut paths = Paths::build(&space).unwrap();
            assert_eq!(proof::flaw(&paths.ranks, &paths.words, &space), None);
            // The tested words include the goal's, and some whose paths have the maximum length or
            // one move less.
            let (blank, string) = goal(&space);
            let (deepest, words) = (paths.distribution().len() as u32 - 1, &paths.words[..]);
            let few = if cells == 9 { 1 } else { 4 };
            let mut slots: Vec<usize> =
                (0..words.len()).filter(|&slot| path_len(words[slot]) + 1 >= deepest).take(few).collect();
            slots.push(paths.ranks.slot(blank, paths.ranks.order(string)).0);
            slots.extend([0, 17, 100, 359].iter().filter(|_| cells < 9));
            for slot in slots {
                for bit in 0..64 {
                    paths.words[slot] ^= 1 << bit;
                    assert!(proof::flaw(&paths.ranks, &paths.words, &space).is_some(), "bit {bit} of word {slot}");
                    paths.words[slot] ^= 1 << bit;
                }
            }
        }
    }
}
