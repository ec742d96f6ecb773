//! The builder of tables: a breadth-first search from the goal by operations on whole rows. It
//! builds a table in seconds.
//!
//! It uses the ideas of `rows.rs` and `pulls.rs`, and two more:
//! - *Two colours, in place.* All entries of one level are in rows of one colour. A level reads the
//!   rows of the other colour, which contain the previous level, and overwrites the level before
//!   that: `new = OR(sources) & !old`. All neighbours of an entry are in the next or the previous
//!   level, so earlier levels need not be kept.
//! - *No shared writes.* Threads take runs of rows from a common list and fill them. They read the
//!   rows of the other colour, which no thread writes. So the data needs no atomics, and a level
//!   needs only one join. The result does not depend on the number of threads. The builder starts
//!   its own threads instead of using a pool, because tables are built while a pool is solving and
//!   must never wait for it.
//!
//! The value of an entry is the number of its level. Only bit 1 of it is stored (see the parent
//! module), in separate rows. Finally these rows are transposed into the layout for searching. Times: `benches/pdb_build.rs`, figures in
//! `benches/constants.csv`.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::vec;

use super::pulls::{Colour, Pulls};
use super::rows::{Jumps, RowWord, row_words};
use super::transpose::{ColourRows, transpose};
use super::{Layout, Pattern, Table};
use crate::board::Shape;
use crate::system::{Footprint, Kernel, Zeroed, run_on_threads};

/// A builder of tables, for all patterns with the same number of tiles on a shape.
pub struct Builder {
    layout: Arc<Layout>,
    pulls: Pulls,
}

impl Builder {
    /// Computes the data that all tables for patterns of `tiles` tiles share. This takes a few
    /// milliseconds, or 0.1 s for 6 tiles on 5×5.
    pub fn new(shape: Shape, tiles: usize) -> Builder {
        let layout = Layout::new(shape, tiles);
        let pulls = Pulls::new(layout.placements());
        Builder { layout, pulls }
    }

    /// Returns the size of a finished table in bytes.
    pub(super) fn table_bytes(&self) -> usize {
        self.layout.words() * size_of::<u64>()
    }

    /// Returns the peak memory of building a table in bytes, including this builder: the search
    /// needs the rows twice. The transposition needs the rows once, and the table.
    pub(super) fn peak_bytes(&self) -> usize {
        let tiles = self.layout.orders().tiles();
        let word = if tiles <= 6 { size_of::<u32>() } else { size_of::<u64>() };
        let rows = self.layout.placements().rows() * row_words(tiles) * word;
        rows + rows.max(self.table_bytes()) + self.layout.placements().bytes() + self.pulls.bytes()
    }

    /// Builds the table of a pattern on `threads` threads, including the caller's; `None` if
    /// stopped. `stop` is read once per level.
    ///
    /// # Panics
    /// If the pattern and the builder have different shapes or numbers of tiles.
    pub fn build(&self, pattern: &Pattern, threads: usize, stop: &AtomicBool) -> Option<Table> {
        self.build_until(pattern, threads, &|| stop.load(Ordering::Relaxed))
    }

    /// Does the same as [`build`](Self::build). `is_stopped` is called once per level.
    pub(super) fn build_until(
        &self,
        pattern: &Pattern,
        threads: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Table> {
        let built_for = (self.layout.placements().shape(), self.layout.orders().tiles());
        assert_eq!((pattern.shape(), pattern.tiles()), built_for, "wrong builder");
        match pattern.tiles() {
            1..=3 => self.build_rows::<u32, 1>(pattern, threads, is_stopped),
            4 => self.build_rows::<u32, 2>(pattern, threads, is_stopped),
            5 => self.build_rows::<u32, 6>(pattern, threads, is_stopped),
            6 => self.build_rows::<u32, 24>(pattern, threads, is_stopped),
            7 => self.build_rows::<u64, 120>(pattern, threads, is_stopped),
            _ => self.build_rows::<u64, 720>(pattern, threads, is_stopped),
        }
    }

    fn build_rows<W: RowWord, const WORDS: usize>(
        &self,
        pattern: &Pattern,
        threads: usize,
        is_stopped: &dyn Fn() -> bool,
    ) -> Option<Table> {
        debug_assert_eq!(WORDS, row_words(pattern.tiles()));
        let jumps = Jumps::<W, WORDS>::new(pattern.tiles());
        let count = |colour: usize| self.pulls.colours[colour].rows.len();
        let threads = threads.clamp(1, count(0).max(count(1)).div_ceil(rows_per_run::<W, WORDS>()));
        let mut levels = [0, 1].map(|colour| LevelRows::<W, WORDS>::new(count(colour)));
        let mut value_bits = [0, 1].map(|colour| Zeroed::<W>::new(count(colour) * WORDS));

        // In the goal, every tile is in its home, so the tiles' codes (their numbers within the
        // pattern) ascend. This order has the number 0.
        let goal_row = self.layout.placements().row(pattern.home_bits(), pattern.goal_blank().index());
        let (mut colour, slot) = self.pulls.slot(goal_row);
        levels[colour].words[slot * WORDS] = W::bit(0);
        levels[colour].active[slot] = true;

        for depth in 1u16.. {
            if is_stopped() {
                return None;
            }
            colour = 1 - colour;
            let [even, odd] = &mut levels;
            let (target, source) = if colour == 0 { (even, &*odd) } else { (odd, &*even) };
            let level = Level {
                jumps: &jumps,
                colour: &self.pulls.colours[colour],
                sources: source.words.as_chunks().0,
                source_active: &source.active,
                work: &Mutex::new(work_of(target, &mut value_bits[colour]).into_iter()),
                sets_value_bit: depth & 2 != 0,
            };
            if run_on_threads(level, threads) == 0 {
                break;
            }
        }
        drop(levels);

        let mut bits = Zeroed::new(self.layout.words());
        let value_bits = ColourRows::new(value_bits.each_ref().map(|words| &**words), WORDS);
        transpose(&self.layout, &self.pulls, value_bits, &mut bits, threads);
        Some(Table::new(pattern.clone(), Arc::clone(&self.layout), bits))
    }
}

/// Builds the tables of patterns in this order, reusing those in `built`; `None` if stopped.
pub(super) fn build_tables(
    patterns: &[&Pattern],
    built: &[Arc<Table>],
    threads: usize,
    stop: &AtomicBool,
) -> Option<Vec<Arc<Table>>> {
    let mut builders = [const { None }; Pattern::MAX_TILES + 1];
    let mut tables = Vec::new();
    for (number, &pattern) in patterns.iter().enumerate() {
        let slot = &mut builders[pattern.tiles()];
        tables.push(match built.iter().find(|table| table.pattern() == pattern) {
            Some(ready) => Arc::clone(ready),
            None => {
                let builder = slot.get_or_insert_with(|| Builder::new(pattern.shape(), pattern.tiles()));
                Arc::new(builder.build(pattern, threads, stop)?)
            }
        });
        // Each builder is dropped after its last pattern.
        if !patterns[number + 1..].iter().any(|later| later.tiles() == pattern.tiles()) {
            *slot = None;
        }
    }
    Some(tables)
}

/// Returns the memory of building the tables of patterns in this order. Builds no table. The peak
/// includes the finished tables and the one being built.
pub(super) fn footprint_of_tables(patterns: &[&Pattern]) -> Footprint {
    let (mut kept, mut peak) = (0, 0);
    // By number of tiles: the bytes of a table, and the peak bytes while it is built.
    let mut sizes = [None; Pattern::MAX_TILES + 1];
    for pattern in patterns {
        let (table, while_building) = *sizes[pattern.tiles()].get_or_insert_with(|| {
            let builder = Builder::new(pattern.shape(), pattern.tiles());
            (builder.table_bytes(), builder.peak_bytes())
        });
        peak = peak.max(kept + while_building);
        kept += table;
    }
    Footprint { peak: peak.max(kept) as u64, kept: kept as u64 }
}

/// The rows of one colour, which contain one level.
struct LevelRows<W, const WORDS: usize> {
    words: Zeroed<W>,
    /// Slot → true if its row contains entries of the level.
    active: Vec<bool>,
}

impl<W: RowWord, const WORDS: usize> LevelRows<W, WORDS> {
    fn new(rows: usize) -> Self {
        LevelRows { words: Zeroed::new(rows * WORDS), active: vec![false; rows] }
    }
}

/// A run of rows to fill: the first slot, the rows, the rows of value bits, and whether the rows
/// are active.
struct RowRun<'a, W, const WORDS: usize> {
    first: usize,
    rows: &'a mut [[W; WORDS]],
    value_bits: &'a mut [[W; WORDS]],
    active: &'a mut [bool],
}

/// Returns the number of rows that a thread takes at a time: about 100 KB, but at most 512 rows, so
/// that neither the lock nor waiting at the end of a level costs much.
const fn rows_per_run<W, const WORDS: usize>() -> usize {
    let rows = 100_000 / (WORDS * size_of::<W>());
    if rows < 512 { rows } else { 512 }
}

fn work_of<'a, W: RowWord, const WORDS: usize>(
    target: &'a mut LevelRows<W, WORDS>,
    value_bits: &'a mut Zeroed<W>,
) -> Vec<RowRun<'a, W, WORDS>> {
    let run_rows = rows_per_run::<W, WORDS>();
    let rows = target.words.as_chunks_mut().0.chunks_mut(run_rows);
    let value_bits = value_bits.as_chunks_mut().0.chunks_mut(run_rows);
    let active = target.active.chunks_mut(run_rows);
    let runs = rows.zip(value_bits).zip(active).enumerate();
    let run = |(number, ((rows, value_bits), active))| RowRun { first: number * run_rows, rows, value_bits, active };
    runs.map(run).collect()
}

/// The work of one level of the search: a kernel that takes runs of the rows of one colour until
/// none is left, fills these rows, and returns the number of new entries in them.
#[derive(Clone, Copy)]
struct Level<'a, 'r, W, const WORDS: usize> {
    jumps: &'a Jumps<W, WORDS>,
    colour: &'a Colour,
    sources: &'a [[W; WORDS]],
    source_active: &'a [bool],
    work: &'a Mutex<vec::IntoIter<RowRun<'r, W, WORDS>>>,
    /// True if bit 1 of the level's number is set.
    sets_value_bit: bool,
}

impl<W: RowWord, const WORDS: usize> Kernel for Level<'_, '_, W, WORDS> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let (mut found, mut sum, mut scratch) = (0, [W::default(); WORDS], [W::default(); WORDS]);
        loop {
            let next = self.work.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
            let Some(run) = next else { return found };
            let rows = run.rows.iter_mut().zip(run.value_bits).zip(run.active).enumerate();
            for (i, ((row, value_bits), active)) in rows {
                if self.pull(run.first + i, &mut sum, &mut scratch) {
                    let new = replace(row, &sum, value_bits, self.sets_value_bit);
                    *active = new > 0;
                    found += new;
                } else if *active {
                    *row = [W::default(); WORDS];
                    *active = false;
                }
            }
        }
    }
}

impl<W: RowWord, const WORDS: usize> Level<'_, '_, W, WORDS> {
    /// Sets `sum` to the OR of all active sources of a row. If there are none, returns false and
    /// does not change `sum`.
    #[inline(always)]
    fn pull(&self, slot: usize, sum: &mut [W; WORDS], scratch: &mut [W; WORDS]) -> bool {
        let mut any = false;
        for pull in self.colour.pulls(slot) {
            if !self.source_active[pull.source()] {
                continue;
            }
            let source = &self.sources[pull.source()];
            match (any, pull.jump()) {
                (false, 0) => *sum = *source,
                (true, 0) => or_into(sum, source),
                (any, jump) => {
                    if !any {
                        *sum = [W::default(); WORDS];
                    }
                    self.jumps.add(jump, source, sum, scratch);
                }
            }
            any = true;
        }
        any
    }
}

#[inline(always)]
fn or_into<W: RowWord, const WORDS: usize>(sum: &mut [W; WORDS], source: &[W; WORDS]) {
    for (sum, &word) in sum.iter_mut().zip(source) {
        *sum = *sum | word;
    }
}

/// Replaces the entries of a row, which belong to the level before last, by those in `sum` that are
/// new. Returns the number of new entries, and adds them to `value_bits` if `sets_value_bit` is
/// set.
#[inline(always)]
fn replace<W: RowWord, const WORDS: usize>(
    row: &mut [W; WORDS],
    sum: &[W; WORDS],
    value_bits: &mut [W; WORDS],
    sets_value_bit: bool,
) -> u64 {
    let mut ones = 0;
    if sets_value_bit {
        for ((row, &sum), value_bits) in row.iter_mut().zip(sum).zip(value_bits) {
            *row = sum & !*row;
            *value_bits = *value_bits | *row;
            ones += u64::from(row.ones());
        }
    } else {
        for (row, &sum) in row.iter_mut().zip(sum) {
            *row = sum & !*row;
            ones += u64::from(row.ones());
        }
    }
    ones
}
