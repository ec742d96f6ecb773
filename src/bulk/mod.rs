//! Small boards in bulk: blocks of well-formed records, from text to results.
//!
//! A board of a shape whose whole paths are in a table ([`crate::engine::paths`]) is answered by one load; what
//! costs is its way there and back. Here records are taken 32 at a time, by vectors where the
//! machine has them:
//!
//! ```text
//! template ─▶ recognise ─▶ ranks ─▶ words ─▶ write ─▶ replay
//! (how a record looks)     (of the block)    (form, room)  (what was written)
//! ```
//!
//! * A [`Template`] is what all well-formed records of a file have in common: where the tiles and what stands
//!   between them. Only what matches it byte for byte, and is a board, is taken.
//! * Whatever else comes – other spacing, a comment, a wrong tile – is left to the general parser, record
//!   by record, which also tells what is wrong with it. So this is never more than a short cut: the bytes
//!   of the results are the same without it, which tests show for every board and for mixtures.
//! * Results are put together from pieces that [`crate::format::output`] wrote (`form.rs`).
//! * Every path is replayed as it stands in the results (`replay.rs`), from the tiles as they stand in the record,
//!   by a rule of moves that neither the table nor the frame has to do with.
//!
//! Cost: see `benches/README.md`.

mod form;
mod ground;
mod recognise;
mod replay;
mod room;
mod template;
#[cfg(test)]
mod tests;
#[cfg(target_arch = "x86_64")]
mod vector;

pub use template::Template;

use std::sync::Arc;

use crate::engine::paths::{PARITY, Paths, plies};
use crate::engine::waves::Machine;
use crate::format::input::Source;
use crate::format::output::{Fields, json_string};
use crate::solver::Prepared;
use form::{Counters, Form};
use ground::Ground;
use recognise::{BLOCK, Block};
use room::Room;

/// Whether this way is taken where it can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FastPath {
    /// It is.
    On,
    /// Every record goes the general way.
    Off,
}

/// A stretch of records to be taken from.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    /// From the start of a line on.
    pub bytes: &'a [u8],
    /// Of how many records they are.
    pub records: usize,
    /// The number of the first.
    pub index: u64,
    /// The line it begins on.
    pub line: u64,
}

/// What was taken from the start of a stretch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Taken {
    /// Records, each on a line of its own.
    pub records: usize,
    /// Their bytes.
    pub bytes: usize,
    /// How many of them are solved; the others have no solution.
    pub solved: usize,
}

/// What differs from machine to machine; the answers do not.
trait Vectors {
    /// Reads the records that match, from the first on; how many those are.
    fn recognise(template: &Template, ground: &Ground, paths: &Paths, bytes: &[u8], block: &mut Block) -> usize;

    /// The letters of a path, and anything behind its last.
    fn letters(word: u64) -> [u8; 32];

    /// Whether the first letters lead from a board to the goal.
    fn arrives(ground: &Ground, board: &[u8; 16], blank: u8, letters: &[u8; 32], plies: u32) -> bool;
}

/// Records of one source, on their way to results.
#[derive(Debug)]
pub struct Bulk {
    machine: Machine,
    source: Arc<Source>,
    prepared: Arc<Prepared>,
    ground: Ground,
    template: Template,
    form: Form,
    block: Box<Block>,
    /// Records to be left alone before another template is tried, and how many it will be next time.
    pause: usize,
    next_pause: usize,
}

/// The longest pause after templates that matched next to nothing.
const LONGEST_PAUSE: usize = 64;

impl Bulk {
    /// Takes records of a source that look like a template, to be solved by what was prepared for its goal; `None` when
    /// there are no whole paths for it, or fields are asked for that only the general way can write.
    pub fn new(
        machine: Machine,
        source: &Arc<Source>,
        prepared: &Arc<Prepared>,
        template: Template,
        fields: &Fields,
    ) -> Option<Bulk> {
        let form = Form::new(fields, &json_string(&source.name))?;
        let ground = Ground::new(&prepared.frame, prepared.engine.paths()?)?;
        let (source, prepared, block) = (Arc::clone(source), Arc::clone(prepared), Box::default());
        Some(Bulk { machine, source, prepared, ground, template, form, block, pause: 0, next_pause: 1 })
    }

    /// Whether these are records of its source.
    pub fn is_for(&self, source: &Arc<Source>) -> bool {
        Arc::ptr_eq(&self.source, source)
    }

    /// Writes the results of as many records as are recognised from the start of the stretch on.
    ///
    /// # Panics
    /// When a path that was written does not lead to the goal. Then `out` is as it was.
    pub fn take(&mut self, stretch: Stretch<'_>, out: &mut Vec<u8>) -> Taken {
        let taken = self.take_alike(stretch, out);
        if taken.records > 0 || stretch.records == 0 {
            return taken;
        }
        // Other records may have begun here. If not, a template of each would cost more than it brings.
        if self.pause > 0 {
            self.pause -= 1;
            return taken;
        }
        let other = Template::of_line(stretch.bytes, self.source.layout);
        let Some(other) = other.filter(|other| other.cells() == self.ground.cells() && *other != self.template) else {
            return taken;
        };
        let old = std::mem::replace(&mut self.template, other);
        let taken = self.take_alike(stretch, out);
        if taken.records < 4 {
            self.template = old;
            self.pause = self.next_pause;
            self.next_pause = (2 * self.next_pause).min(LONGEST_PAUSE);
        } else {
            self.next_pause = 1;
        }
        taken
    }

    fn take_alike(&mut self, stretch: Stretch<'_>, out: &mut Vec<u8>) -> Taken {
        let prepared = Arc::clone(&self.prepared);
        // It was there when this was made.
        let Some(paths) = prepared.engine.paths() else { return Taken::default() };
        #[cfg(target_arch = "x86_64")]
        if self.machine >= Machine::Avx2 {
            return vector::take(self, paths, stretch, out);
        }
        self.take_by::<Portable>(paths, stretch, out)
    }

    #[inline(always)]
    fn take_by<V: Vectors>(&mut self, paths: &Paths, stretch: Stretch<'_>, out: &mut Vec<u8>) -> Taken {
        let mut taken = Taken::default();
        let mut counters = self.form.begin(stretch.index, stretch.line);
        let before = out.len();
        while taken.records < stretch.records {
            let rest = &stretch.bytes[taken.bytes..];
            let wanted = (stretch.records - taken.records).min(BLOCK);
            let found = self.read::<V>(paths, rest).min(wanted);
            match self.write::<V>(paths, found, &mut counters, out) {
                Some(solved) => taken.solved += solved,
                None => {
                    out.truncate(before);
                    panic!("a path was about to be written that does not lead to the goal");
                }
            }
            taken.records += found;
            taken.bytes += found * self.template.stride();
            if found < wanted {
                break;
            }
        }
        taken
    }

    /// Reads a block of records.
    #[inline(always)]
    fn read<V: Vectors>(&mut self, paths: &Paths, bytes: &[u8]) -> usize {
        let needed = self.template.bytes_of(BLOCK);
        match bytes.get(..needed) {
            Some(bytes) => V::recognise(&self.template, &self.ground, paths, bytes, &mut self.block),
            None => {
                // The last records: zeros behind them, which match nothing.
                let mut padded = [0; Template::MOST_BYTES];
                padded[..bytes.len()].copy_from_slice(bytes);
                V::recognise(&self.template, &self.ground, paths, &padded[..needed], &mut self.block)
            }
        }
    }

    /// Writes the results of the first records of the block, and replays what was written; how many
    /// are solved, or `None` when a path leads elsewhere.
    #[inline(always)]
    fn write<V: Vectors>(
        &mut self,
        paths: &Paths,
        records: usize,
        counters: &mut Counters,
        out: &mut Vec<u8>,
    ) -> Option<usize> {
        let block = &*self.block;
        let mut words = [0; BLOCK];
        for (word, &order) in words.iter_mut().zip(&block.orders[..records]) {
            *word = paths.word((order >> 1) as usize);
        }
        let (mut walks, mut solved) = ([Walk::default(); BLOCK], 0);
        // A copy of its own, which nothing that is written could be thought to change.
        let mut now = *counters;
        let mut room = Room::new(out, BLOCK * self.form.most_bytes());
        for (i, &word) in words[..records].iter().enumerate() {
            // The parity is equal: solvable.
            if (word ^ u64::from(block.orders[i]) << 63) & PARITY == 0 {
                let plies = plies(word);
                let letters_at = self.form.write_solved(&mut now, plies, || V::letters(word), &mut room);
                walks[solved % BLOCK] = Walk { record: i, letters_at, plies };
                solved += 1;
            } else {
                self.form.write_unsolvable(&mut now, &mut room);
            }
        }
        *counters = now;
        if self.form.has_paths() {
            let written = room.seal();
            let mut arrived = true;
            for walk in &walks[..solved] {
                let letters = written.at(walk.letters_at);
                let (board, blank) = (&block.boards[walk.record % BLOCK], block.blanks[walk.record % BLOCK]);
                arrived &= V::arrives(&self.ground, board, blank, letters, walk.plies);
            }
            if !arrived {
                return None;
            }
        }
        Some(solved)
    }
}

/// A path that was written.
#[derive(Clone, Copy, Default)]
struct Walk {
    /// Of which record of the block.
    record: usize,
    /// Where its letters begin.
    letters_at: usize,
    plies: u32,
}

/// For any machine.
struct Portable;

impl Vectors for Portable {
    #[inline(always)]
    fn recognise(template: &Template, ground: &Ground, paths: &Paths, bytes: &[u8], block: &mut Block) -> usize {
        recognise::recognise(template, ground, paths, bytes, block)
    }

    #[inline(always)]
    fn letters(word: u64) -> [u8; 32] {
        replay::letters(word)
    }

    #[inline(always)]
    fn arrives(ground: &Ground, board: &[u8; 16], blank: u8, letters: &[u8; 32], plies: u32) -> bool {
        ground.replays().arrives(board, blank, &letters[..plies as usize], ground.goal())
    }
}
