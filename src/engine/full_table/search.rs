//! All distances for a shape and goal cell, one bit per state, by a breadth-first search on rows of
//! bits.
//!
//! Pattern databases are built by the same technique (`heuristic/pdb/build.rs`). A row has one bit
//! per order. Each level is pulled into the rows of one colour from the rows of the other colour,
//! and overwrites the level two before it. Each thread writes only its own parts and reads only
//! words that no thread writes. A state's distance has the parity of the colour of its blank's
//! cell. So only bit 1 of the distance is kept. It shows which neighbours are nearer.
//!
//! 3×4 has 53 levels of 17 MB of rows. In all, 115 million words are combined, each from two to
//! four others. 2×6 has 80 levels, and jumps over shorter runs of words.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::pulls::{Pulls, Sources};
use crate::board::{Cell, Move};
use crate::system::Zeroed;
use crate::system::{Kernel, run_on_threads};

/// The number of words that a thread fills at a time. With their sources they stay in a core's
/// private cache.
const WORDS_AT_A_TIME: usize = 7 * super::jumps::MAX_RUN;

/// Bit 1 of every state's distance, and the number of states at each distance.
pub(super) struct Distances {
    /// By the colour of the blank's cell: rows of bit 1, in the cells' order.
    pub(super) bits: [Zeroed<u64>; 2],
    pub(super) levels: Vec<u64>,
}

impl Distances {
    /// Searches from the goal. Returns `None` if stopped; `stop` is read once per level.
    pub(super) fn search(pulls: &Pulls, threads: usize, stop: &AtomicBool) -> Option<Distances> {
        let words = pulls.rows().words();
        let rows = || [0, 1].map(|colour| Zeroed::<u64>::new(pulls.cells(colour).count() * words));
        let (mut frontier, mut bits, mut exchanged) = (rows(), rows(), Zeroed::new(words));

        // The goal: the tiles in order, the blank at home.
        frontier[0][pulls.start(pulls.goal_blank())] = 1;
        if pulls.goal_blank() == pulls.below_first() {
            pulls.exchange(0, &frontier[0][pulls.start(pulls.goal_blank())..][..words], &mut exchanged);
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
struct Part<'a> {
    cell: Cell,
    first: usize,
    words: &'a mut [u64],
    bits: &'a mut [u64],
    /// The destination of a copy with places 0 and 1 exchanged; empty for all cells but one.
    exchanged: &'a mut [u64],
}

fn parts<'a>(
    pulls: &Pulls,
    colour: usize,
    rows: &'a mut [u64],
    bits: &'a mut [u64],
    exchanged: &'a mut [u64],
) -> Vec<Part<'a>> {
    let words = pulls.rows().words();
    let mut copies = exchanged.chunks_mut(WORDS_AT_A_TIME);
    let mut parts = Vec::new();
    for ((cell, row), bits) in pulls.cells(colour).zip(rows.chunks_mut(words)).zip(bits.chunks_mut(words)) {
        let pieces = row.chunks_mut(WORDS_AT_A_TIME).zip(bits.chunks_mut(WORDS_AT_A_TIME)).enumerate();
        parts.extend(pieces.map(|(number, (words, bits))| {
            let copy = if cell == pulls.below_first() { copies.next() } else { None };
            Part { cell, first: number * WORDS_AT_A_TIME, words, bits, exchanged: copy.unwrap_or_default() }
        }));
    }
    parts
}

/// The expansion of a level into the rows of one colour. Returns the number of new states.
#[derive(Clone, Copy)]
struct Expansion<'a, 'p> {
    pulls: &'a Pulls,
    sources: Sources<'a>,
    work: &'a Mutex<Vec<Part<'p>>>,
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
