//! Conversion of distances into the table: every state's canonical first letter in two bits,
//! arranged for path following.
//!
//! Bit 1 of the distances of two neighbouring states, and the colour of the blank's cell, show
//! which of these states is nearer to the goal. The canonical first letter is the smallest that
//! leads to a nearer neighbour. Bitwise operations compute it for 55 states at a time.
//!
//! The *lowest digit* of an order's number, 0 or 1, is that of the last place but one; the last
//! place has always the digit 0. Two orders that differ only in the lowest digit together have one
//! solvable state for each cell of the blank. The letters of these states form an *entry* of the
//! table: 24 bits, two for each of the 12 cells. To bring them together, the rows are transposed, a
//! square of bits for every two words. Entries are sorted by the order's number without the lowest
//! digit. (This digit follows from the other digits and the blank's row.) So a horizontal step
//! stays in the entry. A vertical step in the lower rows leads to a nearby entry, because it
//! changes only the lowest digits.

use super::jumps::MAX_RUN;
use super::search::{Distances, Pulls, Sources};
use crate::board::frame::Space;
use crate::board::{Cell, Move};
use crate::system::{Kernel, Zeroed, run_all, transpose_bits};

/// The size of an entry in bytes: two bits for each of at most 12 cells.
pub(super) const ENTRY_BYTES: usize = 3;

/// The number of words of every row that a thread converts at a time.
const WORDS_AT_A_TIME: usize = MAX_RUN;

/// Returns the table of a space, with one entry for every two orders. It has an extra byte, so that
/// four bytes can be read at the last entry.
pub(super) fn first_letters(pulls: &Pulls, distances: &Distances, space: &Space, threads: usize) -> Zeroed<u8> {
    let (rows, words) = (&pulls.rows, pulls.rows.words());
    let sections = 2 * rows.bits();
    let mut table = Zeroed::new(sections * words / 2 * ENTRY_BYTES + 1);

    let bits = distances.bits.each_ref().map(|rows| &**rows);
    let below = pulls.below_first();
    let mut exchanged = Zeroed::new(words);
    pulls.exchange(0, &bits[pulls.colour(below)][pulls.start(below)..][..words], &mut exchanged);

    // d0 and d1 are the leading digits of an order's number. Each pair of values has a section of
    // the table, and every task writes a part of each section.
    let mut tasks: Vec<Conversion> = (0..words)
        .step_by(WORDS_AT_A_TIME)
        .map(|first| Conversion {
            pulls,
            sources: Sources { colours: bits, exchanged: &exchanged },
            space,
            first,
            words: WORDS_AT_A_TIME.min(words - first),
            parts: Vec::with_capacity(sections),
        })
        .collect();
    for section in table.chunks_exact_mut(words / 2 * ENTRY_BYTES) {
        for (task, part) in tasks.iter_mut().zip(section.chunks_mut(WORDS_AT_A_TIME / 2 * ENTRY_BYTES)) {
            task.parts.push(part);
        }
    }
    run_all(tasks, threads);
    table
}

/// The conversion of some words of every row.
struct Conversion<'a> {
    pulls: &'a Pulls,
    sources: Sources<'a>,
    space: &'a Space,
    first: usize,
    words: usize,
    /// By the number of the digits d0 and d1: the entries that the words produce.
    parts: Vec<&'a mut [u8]>,
}

impl Kernel for Conversion<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let (cells, words) = (self.space.shape.cells(), self.words);
        let mut letters = vec![[[0; WORDS_AT_A_TIME]; 2]; cells];
        let mut scratch = vec![0; 2 * 4 * WORDS_AT_A_TIME];
        for (cell, letters) in letters.iter_mut().enumerate() {
            self.letters_of(Cell::new(cell), letters, &mut scratch);
        }
        let even = self.pulls.rows.even;
        let mut square = [0; 64];
        for pair in 0..words / 2 {
            // The two words of a pair differ in the lowest digit. After a conditional exchange of
            // bits, one word has the bits of all even d1, the other those of all odd d1.
            let word_parity = self.pulls.rows.parity_of(self.first + 2 * pair);
            for (cell, letters) in letters.iter().enumerate() {
                let same = word_parity == self.pulls.parity(Cell::new(cell));
                let exchange_mask = if same { !even } else { even };
                for (bit, letters) in letters.iter().enumerate() {
                    let (first, second) = (letters[2 * pair], letters[2 * pair + 1]);
                    let exchanged = (first ^ second) & exchange_mask;
                    square[2 * cell + bit] = first ^ exchanged;
                    square[32 + 2 * cell + bit] = second ^ exchanged;
                }
            }
            let mut transposed = square;
            transpose_bits(&mut transposed);
            for (parts, entry) in self.parts.as_chunks_mut::<2>().0.iter_mut().zip(&transposed) {
                for (part, entry) in parts.iter_mut().zip([*entry, *entry >> 32]) {
                    let bytes = (entry as u32).to_le_bytes();
                    part[ENTRY_BYTES * pair..][..ENTRY_BYTES].copy_from_slice(&bytes[..ENTRY_BYTES]);
                }
            }
        }
    }
}

impl Conversion<'_> {
    /// Computes the low and the high bits of the canonical first letters of the states with the
    /// blank in `cell`.
    #[inline(always)]
    fn letters_of(&self, cell: Cell, letters: &mut [[u64; WORDS_AT_A_TIME]; 2], scratch: &mut [u64]) {
        let (pulls, first, words) = (self.pulls, self.first, self.words);
        let colour = pulls.colour(cell);
        let here = &self.sources.colours[colour][pulls.start(cell) + first..][..words];
        // At an even distance, a nearer neighbour's bit 1 differs. At an odd distance it is the
        // same.
        let same = if colour == 0 { 0 } else { u64::MAX };
        let mut near = [None; 4];
        for ((near, scratch), letter) in
            near.iter_mut().zip(scratch.chunks_exact_mut(2 * WORDS_AT_A_TIME)).zip(Move::ALL)
        {
            let step = self.space.order[letter.index()];
            *near = pulls.pull(self.sources, cell, step, first, words, scratch);
        }
        // Beyond an edge there is no neighbour, hence no nearer one.
        let exists: [u64; 4] = near.map(|row| if row.is_some() { u64::MAX } else { 0 });
        let [down, left, right, up] = near.map(|row| row.unwrap_or(here));
        let [low, high] = letters;
        for i in 0..words {
            let nearer = |row: &[u64], exists: u64| (row[i] ^ here[i] ^ same) & exists;
            let (down, left) = (nearer(down, exists[0]), nearer(left, exists[1]));
            let (right, up) = (nearer(right, exists[2]), nearer(up, exists[3]));
            high[i] = !(down | left);
            low[i] = !down & (left | (up & !right));
        }
    }
}
