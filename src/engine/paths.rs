//! Whole paths, one word a state: for shapes on which no path is longer than 31 moves (2×2, 2×3, 3×3).
//!
//! The moves stand in a word two bits each, the first lowest, with a one above the last; bit 63
//! is the parity of the state's order, so that one load answers length, path and solvability: of the
//! two orders that share a rank ([`crate::board::Ranking`]) the one of the other parity is not solvable.
//!
//! One breadth-first search from the goal writes them. A state is reached from all its neighbours that
//! are closer; its path is the smallest letter that leads to one of those, and that one's path.
//! States are strings of tiles ([`Orders`]): a move to the side leaves the string alone, a move up
//! or down takes one tile past cols − 1 others.
//!
//! Every table is proved when it is built (`Paths::flaw`). 3×3: 181,440 words, 1.45 MB.

use crate::board::{Cell, Move, Orders, Shape};
use crate::frame::Space;

/// Every state's canonical path in one space.
#[derive(Debug)]
pub struct Paths {
    orders: Orders,
    /// Solvable orders for each cell of the blank.
    orders_a_cell: u32,
    words: Vec<u64>,
}

/// The bit of a word that is the parity of the order.
pub const PARITY: u64 = 1 << 63;

/// The string of tiles in a packed state.
const STRING: u32 = (1 << BLANK) - 1;

/// A state: the string of its tiles, and above it the blank's cell.
type Packed = u32;

/// Where the blank's cell begins in a packed state.
const BLANK: u32 = 24;

/// The moves from a cell of the blank.
struct Slides {
    /// To the side: the order stays what it is.
    sideways: Vec<Slide>,
    /// Up and down.
    upright: Vec<Slide>,
}

/// A move in a space.
#[derive(Clone, Copy)]
struct Slide {
    /// The letter that undoes it.
    back: u64,
    /// The blank's cell after it, in place.
    to: Packed,
    /// From this bit of the string on, the tiles of a row's length ...
    at: u32,
    /// ... go round by so many bits: one tile's after a move down, whose tile comes first; all but one's
    /// after a move up, whose tile comes last.
    by: u32,
}

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
        let orders_a_cell = (3..cells as u32).product();
        let states = cells * orders_a_cell as usize;
        let mut paths = Paths { orders, orders_a_cell, words: vec![0; states] };
        let slides = slides(space);
        let goal = goal(space);
        let mut queue: Vec<Packed> = Vec::with_capacity(states);
        let (home, odd) = paths.slot(goal);
        paths.words[home] = 1 | odd;
        queue.push(goal);
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            let order = order_of(&paths.orders, state);
            let path = paths.words[slot(orders_a_cell, state >> BLANK, order).0] & !PARITY;
            // Of a full word nothing longer can be told: there must be nothing beyond.
            let (words, full) = (&mut paths.words, path >> (2 * Self::MOST_PLIES) != 0);
            let mut beyond = false;
            let orders = (&paths.orders, paths.orders_a_cell);
            each_neighbour(orders, shape, &slides, (state, order), |slide, to, slot, odd| {
                let (known, longer) = (words[slot], path << 2 | slide.back);
                if known == 0 {
                    beyond = true;
                    words[slot] = longer | odd;
                    queue.push(to);
                } else if !full && plies(longer) == plies(known) && slide.back < known & 3 {
                    words[slot] = longer | odd;
                }
            });
            if full && beyond {
                return None;
            }
        }
        if let Some(flaw) = paths.flaw(space) {
            panic!("the table of {shape} is wrong: {flaw}");
        }
        Some(paths)
    }

    /// The rank of a state and, in place, its order's parity.
    fn slot(&self, state: Packed) -> (usize, u64) {
        slot(self.orders_a_cell, state >> BLANK, order_of(&self.orders, state))
    }

    /// What is wrong with the table. Nothing is, if
    ///
    /// 1. every word has a path; its state is the one of its rank with the parity that it tells;
    /// 2. the goal's path is empty, and nobody else's;
    /// 3. every other path begins with a move, and goes on as the path of where that leads;
    /// 4. the lengths of neighbours differ by exactly one, and their words tell the parities that they have;
    /// 5. no smaller letter leads to a shorter path.
    ///
    /// By 2 and 3 every path ends at the goal, so that every word's state is solvable, and there are as many as of those.
    /// By 4 a path cannot be longer than a shortest one, along which the length falls by at most one a move. By 3 and 5 it
    /// is the first of the shortest in the order of letters.
    ///
    /// States come in the order of their words, which is a tenth of the time of any other.
    fn flaw(&self, space: &Space) -> Option<&'static str> {
        if self.words.iter().any(|word| word & !PARITY == 0) {
            return Some("a state has no word");
        }
        let (strings, slides, goal) = (strings(space.shape), slides(space), goal(space));
        let ranks = strings.iter().map(|&string| self.orders.rank(string));
        if strings.len() != 2 * self.orders_a_cell as usize || !ranks.eq((0..2 * self.orders_a_cell).map(Some)) {
            return Some("the orders are not ranked as they should be");
        }
        let orders = (&self.orders, self.orders_a_cell);
        for (nth, &word) in self.words.iter().enumerate() {
            let (blank, path) = (nth as u32 / self.orders_a_cell, word & !PARITY);
            let order = nth as u32 % self.orders_a_cell * 2 + (word >> 63) as u32;
            let state = strings[order as usize] | blank << BLANK;
            if (path == 1) != (state == goal) {
                return Some("a path is empty that is not the goal's");
            }
            let (mut shorter, mut first, mut apart) = (false, u64::MAX, false);
            each_neighbour(orders, space.shape, &slides, (state, order), |slide, _, slot, odd| {
                // The letter of a move is the inverse of the one that undoes it.
                let letter = 3 - slide.back;
                let there = self.words[slot] ^ odd;
                let closer = plies(there) + 1 == plies(path);
                apart |= there & PARITY != 0 || !closer && plies(there) != plies(path) + 1;
                first = first.min(if closer { letter } else { u64::MAX });
                shorter |= closer && letter == path & 3 && there == path >> 2;
            });
            if apart {
                return Some("the lengths of two neighbours do not differ by one, or one is not solvable");
            }
            if state != goal && (!shorter || first != path & 3) {
                return Some("a path does not go on as its neighbour's, or not by the smallest letter");
            }
        }
        None
    }

    /// The word of a rank.
    #[inline(always)]
    pub fn word(&self, rank: usize) -> u64 {
        self.words[rank]
    }

    /// The ranks of orders, and how many solvable ones there are for each cell of the blank.
    pub fn orders(&self) -> (&Orders, u32) {
        (&self.orders, self.orders_a_cell)
    }

    /// How many states there are at each distance, from 0 to the greatest.
    pub fn distribution(&self) -> Vec<u64> {
        let mut counts = vec![0; Self::MOST_PLIES as usize + 1];
        for word in &self.words {
            counts[plies(word & !PARITY) as usize] += 1;
        }
        let deepest = counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        counts.truncate(deepest + 1);
        counts
    }

    /// What it holds in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(self.words.as_slice()) + 2 * 4096 * size_of::<u32>()
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

/// The moves from every cell of the blank.
fn slides(space: &Space) -> Vec<Slides> {
    let cols = space.shape.cols();
    let slides_of = |cell: Cell| {
        let slide = |(letter, to): (Move, Cell)| {
            let (at, by) = match to.index().abs_diff(cell.index()) {
                1 => (0, 0),
                _ if to > cell => (3 * cell.index() as u32, 3),
                _ => (3 * to.index() as u32, 3 * (cols as u32 - 1)),
            };
            Slide { back: letter.inverse() as u64, to: (to.index() as Packed) << BLANK, at, by }
        };
        let (sideways, upright) = space.steps(cell).map(slide).partition(|slide| slide.by == 0);
        Slides { sideways, upright }
    };
    (0..space.shape.cells()).map(|cell| slides_of(Cell::new(cell))).collect()
}

/// Every tile at home: the string counts up, the missing tiles of a smaller board included.
fn goal(space: &Space) -> Packed {
    (0..8).fold(0, |string, tile| string | tile << (3 * tile)) | (space.goal_blank.index() as u32) << BLANK
}

/// The strings of all orders of a shape's tiles, in the order of the alphabet, which is that of ranks.
fn strings(shape: Shape) -> Vec<u32> {
    let tiles = shape.cells() - 1;
    let mut order: [u32; 8] = std::array::from_fn(|tile| tile as u32);
    let mut all = Vec::with_capacity((1..=tiles).product());
    loop {
        all.push(order.iter().enumerate().fold(0, |string, (i, tile)| string | tile << (3 * i)));
        // The last tile that one behind it exceeds takes the place of the least of those; behind it all rise.
        let Some(at) = (1..tiles).rev().find(|&at| order[at - 1] < order[at]) else { return all };
        let Some(with) = (at..tiles).rev().find(|&with| order[with] > order[at - 1]) else { return all };
        order.swap(at - 1, with);
        order[at..tiles].reverse();
    }
}

/// Shows every neighbour of a state of this order: the move, the state, its rank, and in place its order's parity.
#[inline(always)]
fn each_neighbour(
    (orders, orders_a_cell): (&Orders, u32),
    shape: Shape,
    slides: &[Slides],
    (state, order): (Packed, u32),
    mut visit: impl FnMut(Slide, Packed, usize, u64),
) {
    let (string, slides) = (state & STRING, &slides[(state >> BLANK) as usize]);
    for &slide in &slides.sideways {
        let (slot, odd) = slot(orders_a_cell, slide.to >> BLANK, order);
        visit(slide, string | slide.to, slot, odd);
    }
    for &slide in &slides.upright {
        let string = after(shape, string, slide);
        let (slot, odd) = slot(orders_a_cell, slide.to >> BLANK, order_of(orders, string));
        visit(slide, string | slide.to, slot, odd);
    }
}

/// The rank of a state's string.
#[inline(always)]
fn order_of(orders: &Orders, state: Packed) -> u32 {
    orders.rank(state & STRING).unwrap_or_else(|| unreachable!("a tile twice"))
}

/// The rank of a state by its blank's cell and its order and, in place, the order's parity.
#[inline(always)]
fn slot(orders_a_cell: u32, blank: u32, order: u32) -> (usize, u64) {
    ((blank * orders_a_cell + (order >> 1)) as usize, u64::from(order) << 63)
}

/// The string after a move up or down.
#[inline(always)]
fn after(shape: Shape, string: u32, slide: Slide) -> u32 {
    let bits = 3 * shape.cols() as u32;
    let row = (1 << bits) - 1;
    let tiles = string >> slide.at & row;
    let round = (tiles << slide.by | tiles >> (bits - slide.by)) & row;
    string ^ (tiles ^ round) << slide.at
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, GoalSpec, Ranking, Tile};
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
            let pack = |state: &crate::board::State| {
                let tiles = state.homes(shape.cells()).iter().map(|&home| usize::from(home));
                let tiles = tiles.filter(|&home| home != goal_blank.index());
                let tiles = tiles.map(|home| (home - usize::from(home > goal_blank.index())) as u32);
                let string = tiles.chain(shape.cells() as u32 - 1..8).enumerate();
                string.fold((state.blank().index() as u32) << BLANK, |packed, (i, tile)| packed | tile << (3 * i))
            };
            for rank in (0..ranking.states()).step_by(7) {
                let state = ranking.unrank(rank);
                assert_eq!(paths.slot(pack(&state)).0, rank);
                let mut moved = Vec::new();
                let orders = (&paths.orders, paths.orders_a_cell);
                let from = (pack(&state), order_of(&paths.orders, pack(&state)));
                each_neighbour(orders, shape, &slides, from, |_, to, slot, odd| {
                    assert_eq!((slot, odd), paths.slot(to));
                    moved.push(to);
                });
                let mut expected: Vec<Packed> = space
                    .steps(state.blank())
                    .map(|(_, to)| {
                        let mut next = state;
                        next.slide(to);
                        pack(&next)
                    })
                    .collect();
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
        let shape = Shape::new(2, 3).unwrap();
        let frame = Frame::new(&GoalSpec::BlankLast.on(shape).unwrap()).unwrap();
        let mut paths = Paths::search(frame.space()).unwrap();
        assert_eq!(paths.flaw(frame.space()), None);
        // The goal's word among them.
        let goal = paths.slot(goal(frame.space())).0;
        for slot in [0, 1, 17, 100, 359, goal] {
            for bit in 0..64 {
                paths.words[slot] ^= 1 << bit;
                assert!(paths.flaw(frame.space()).is_some(), "bit {bit} of word {slot}");
                paths.words[slot] ^= 1 << bit;
            }
        }
    }
}
