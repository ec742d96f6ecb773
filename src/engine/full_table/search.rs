//! All distances for a shape and goal cell, one bit per state, from a breadth-first search on rows
//! of bits.
//!
//! Pattern databases are built by the same technique (`heuristic/pdb/build.rs`). A row belongs to
//! one cell of the blank and has one bit per order of the tiles (`jumps.rs`). The blank's cells are
//! coloured like a checkerboard. Each level is *pulled* into the rows of one colour: every state of
//! these rows reads the bits of its neighbours, which are in the rows of the other colour. The new
//! level overwrites the level two before it. A thread writes only its own parts, and reads only
//! these and words that no thread writes. A state's distance has the parity of the colour of its
//! blank's cell. So only bit 1 of the distance is kept. This bit shows which neighbours are nearer.
//!
//! The *sources* of a row are up to four rows, one per direction, in which each state's bit is that
//! of its neighbour. A horizontal step of the blank keeps the reading order, so the source is the
//! unchanged row of the other cell. A step down moves the tile below past cols − 1 others, and a
//! step up moves the tile above past as many in the opposite direction. In both cases the source is
//! the row of the other cell, changed by a jump. A jump that begins or ends in place 0 is done in
//! two steps: an exchange of places 0 and 1, and a jump among the other places. If the exchange
//! comes first, it is applied to the whole source in advance ([`Pulls::exchange`]).
//!
//! 3×4 has 53 levels of 17 MB of rows. In all, 115 million words are combined, each from two to
//! four others. 2×6 has 80 levels, and its jumps move shorter runs of words.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::jumps::{Jump, MAX_RUN, Parity, Rows};
use crate::board::{Cell, Move, Shape};
use crate::system::{Kernel, Zeroed, run_on_threads};

/// The number of words that a thread fills at a time. With their sources they stay in a core's
/// private cache.
const WORDS_AT_A_TIME: usize = 7 * MAX_RUN;

/// Bit 1 (of value 2) of every state's distance, and the number of states at each distance.
pub(super) struct Distances {
    /// By the colour of the blank's cell: rows of bit 1, in the cells' order.
    pub(super) bits: [Zeroed<u64>; 2],
    pub(super) levels: Vec<u64>,
}

impl Distances {
    /// Searches from the goal. Returns `None` if stopped; `stop` is read once per level.
    pub(super) fn search(pulls: &Pulls, threads: usize, stop: &AtomicBool) -> Option<Distances> {
        let words = pulls.rows.words();
        let rows = || [0, 1].map(|colour| Zeroed::<u64>::new(pulls.cells(colour).count() * words));
        let (mut frontier, mut bits, mut exchanged) = (rows(), rows(), Zeroed::new(words));

        // The goal: the tiles in order, the blank at home.
        frontier[0][pulls.start(pulls.goal_blank)] = 1;
        if pulls.goal_blank == pulls.below_first() {
            pulls.exchange(0, &frontier[0][pulls.start(pulls.goal_blank)..][..words], &mut exchanged);
        }
        let mut levels = vec![1];
        loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let (depth, colour) = (levels.len(), levels.len() % 2);
            let [even, odd] = &mut frontier;
            let (target, source) = if colour == 0 { (even, &*odd) } else { (odd, &*even) };
            let writes_exchanged = pulls.colour(pulls.below_first()) == colour;
            let (exchanged_source, exchanged_target) =
                if writes_exchanged { (&[][..], &mut *exchanged) } else { (&*exchanged, &mut [][..]) };
            let mut colours = [&[][..]; 2];
            colours[1 - colour] = source;
            let work = Mutex::new(parts(pulls, colour, target, &mut bits[colour], exchanged_target));
            let set_bits = if depth & 2 != 0 { u64::MAX } else { 0 };
            let sources = Sources { colours, exchanged: exchanged_source };
            let found = run_on_threads(Expansion { pulls, sources, work: &work, set_bits }, threads);
            if found == 0 {
                return Some(Distances { bits, levels });
            }
            levels.push(found);
        }
    }
}

/// A range of words of a row to fill.
struct RowPart<'a> {
    cell: Cell,
    first: usize,
    words: &'a mut [u64],
    bits: &'a mut [u64],
    /// The destination of a copy with places 0 and 1 exchanged; empty for all cells but one.
    exchanged: &'a mut [u64],
}

/// Divides the rows of a colour into parts.
fn parts<'a>(
    pulls: &Pulls,
    colour: usize,
    rows: &'a mut [u64],
    bits: &'a mut [u64],
    exchanged: &'a mut [u64],
) -> Vec<RowPart<'a>> {
    let words = pulls.rows.words();
    let mut copies = exchanged.chunks_mut(WORDS_AT_A_TIME);
    let mut parts = Vec::new();
    for ((cell, row), bits) in pulls.cells(colour).zip(rows.chunks_mut(words)).zip(bits.chunks_mut(words)) {
        let pieces = row.chunks_mut(WORDS_AT_A_TIME).zip(bits.chunks_mut(WORDS_AT_A_TIME)).enumerate();
        parts.extend(pieces.map(|(number, (words, bits))| {
            let copy = if cell == pulls.below_first() { copies.next() } else { None };
            RowPart { cell, first: number * WORDS_AT_A_TIME, words, bits, exchanged: copy.unwrap_or_default() }
        }));
    }
    parts
}

/// The expansion of a level into the rows of one colour. Its output is the number of new states.
#[derive(Clone, Copy)]
struct Expansion<'a, 'p> {
    pulls: &'a Pulls,
    sources: Sources<'a>,
    work: &'a Mutex<Vec<RowPart<'p>>>,
    /// All ones if bit 1 of this level's number is set.
    set_bits: u64,
}

impl Kernel for Expansion<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let mut scratch = vec![0; 2 * Move::ALL.len() * WORDS_AT_A_TIME];
        let nothing = vec![0; WORDS_AT_A_TIME];
        let mut found = 0;
        loop {
            // A separate statement, so that the lock is released before the part is filled.
            let next = self.work.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
            let Some(part) = next else { return found };
            let words = part.words.len();
            let mut near = [&nothing[..words]; 4];
            for ((near, scratch), step) in
                near.iter_mut().zip(scratch.chunks_exact_mut(2 * WORDS_AT_A_TIME)).zip(Move::ALL)
            {
                if let Some(row) = self.pulls.pull(self.sources, part.cell, step, part.first, words, scratch) {
                    *near = row;
                }
            }
            let [down, left, right, up] = near.map(|row| &row[..words]);
            let (level, bits) = (&mut *part.words, &mut part.bits[..words]);
            for i in 0..words {
                let new = (down[i] | left[i] | right[i] | up[i]) & !level[i];
                level[i] = new;
                bits[i] |= new & self.set_bits;
                found += u64::from(new.count_ones());
            }
            if !part.exchanged.is_empty() {
                self.pulls.exchange(part.first, part.words, part.exchanged);
            }
        }
    }
}

/// The operations that pull the rows of a shape from each other.
pub(super) struct Pulls {
    shape: Shape,
    pub(super) goal_blank: Cell,
    pub(super) rows: Rows,
    /// By the smaller place: for a step down, the jump from the greater place to it; for a step up,
    /// the reverse jump.
    jumps: [Vec<Jump>; 2],
    /// The jumps to and from place 0, without their exchange of places 0 and 1.
    short: [Jump; 2],
}

/// The rows that other rows are pulled from.
#[derive(Clone, Copy)]
pub(super) struct Sources<'a> {
    /// The rows of the blank cells of each colour, in the cells' order.
    pub(super) colours: [&'a [u64]; 2],
    /// The row of the cell below cell 0, with places 0 and 1 exchanged.
    pub(super) exchanged: &'a [u64],
}

/// The index of steps down in [`Pulls::jumps`] and [`Pulls::short`].
const DOWN: usize = 0;
/// The index of steps up.
const UP: usize = 1;

impl Pulls {
    /// Creates the mappings for a shape with an even number of cells, at least three columns and
    /// two rows.
    pub(super) fn new(shape: Shape, goal_blank: Cell) -> Pulls {
        let (tiles, cols) = (shape.cells() - 1, shape.cols());
        // Jumps begin at place 1 or later. The first element, for place 0, is never used.
        let windows = (0..tiles + 1 - cols).map(|low| (low.max(1), low.max(1) + cols - 1));
        let jumps = [
            windows.clone().map(|(low, high)| Jump::new(tiles, high, low)).collect(),
            windows.map(|(low, high)| Jump::new(tiles, low, high)).collect(),
        ];
        let short = [Jump::new(tiles, cols - 1, 1), Jump::new(tiles, 1, cols - 1)];
        Pulls { shape, goal_blank, rows: Rows::new(tiles), jumps, short }
    }

    /// Returns the parity of the orders that can be solved with the blank in this cell. A vertical
    /// step moves a tile past cols − 1 others.
    pub(super) fn parity(&self, cell: Cell) -> Parity {
        let steps = self.shape.row(cell).abs_diff(self.shape.row(self.goal_blank));
        Parity::of(steps * (self.shape.cols() - 1) % 2 == 1)
    }

    /// Returns the cell's colour on the checkerboard: 0 if the blank's goal cell has the same
    /// colour, otherwise 1. The colour is the parity of the distance of every state in the cell's
    /// row.
    pub(super) fn colour(&self, cell: Cell) -> usize {
        self.shape.distance(cell, self.goal_blank) % 2
    }

    /// Returns the cells of a colour in order.
    pub(super) fn cells(&self, colour: usize) -> impl Iterator<Item = Cell> + '_ {
        (0..self.shape.cells()).map(Cell::new).filter(move |&cell| self.colour(cell) == colour)
    }

    /// Returns the start of a cell's row among the rows of its colour.
    pub(super) fn start(&self, cell: Cell) -> usize {
        self.cells(self.colour(cell)).take_while(|&before| before != cell).count() * self.rows.words()
    }

    /// Returns the cell below cell 0, whose row has an exchanged copy.
    pub(super) fn below_first(&self) -> Cell {
        Cell::new(self.shape.cols())
    }

    /// Writes words of the row of [`Pulls::below_first`], starting with word `first`, with places 0
    /// and 1 exchanged.
    pub(super) fn exchange(&self, first: usize, row: &[u64], exchanged: &mut [u64]) {
        self.rows.exchange(self.parity(self.below_first()).other(), first, row, exchanged);
    }

    /// Pulls `words` words of the row of `cell`, starting with word `first`: each state gets the
    /// bit of its neighbour by `step`. Returns `None` at the edge. `scratch` has at least twice as
    /// many words.
    pub(super) fn pull<'a>(
        &self,
        sources: Sources<'a>,
        cell: Cell,
        step: Move,
        first: usize,
        words: usize,
        scratch: &'a mut [u64],
    ) -> Option<&'a [u64]> {
        let near = self.shape.neighbour(cell, step)?;
        let row = &sources.colours[self.colour(near)][self.start(near)..][..self.rows.words()];
        let (target, between) = scratch.split_at_mut(words);
        let parity = self.parity(cell);
        let (jump, row, is_exchanged_after) = match step {
            Move::Left | Move::Right => return Some(&row[first..first + words]),
            Move::Down if cell.index() == 0 => (&self.short[DOWN], sources.exchanged, false),
            Move::Up if near.index() == 0 => (&self.short[UP], row, true),
            Move::Down => (&self.jumps[DOWN][cell.index()], row, false),
            Move::Up => (&self.jumps[UP][near.index()], row, false),
        };
        let (pulled, parity_of_pulled) =
            if is_exchanged_after { (&mut between[..words], parity.other()) } else { (&mut *target, parity) };
        jump.pull(&self.rows, parity_of_pulled, first, row, pulled);
        if is_exchanged_after {
            self.rows.exchange(parity, first, &between[..words], target);
        }
        Some(target)
    }
}
