//! Solves the records of one source in blocks, from text to results.

use std::sync::Arc;

use super::block::{BLOCK, Block, LeadingRecords, RawRecords};
use super::goal_tables::GoalTables;
use super::head::Counters;
use super::kernels::{Kernels, Portable};
use super::out_buf::OutBuf;
use super::result_template::ResultTemplate;
use super::template::RecordTemplate;
use crate::engine::path_table::{PARITY, Paths, plies};
use crate::format::input::Source;
use crate::format::output::{Fields, json_string};
use crate::solver::PreparedGoal;
use crate::system::InstructionSet;

/// A solver of the records of one source that match a template.
#[derive(Debug)]
pub struct BlockSolver {
    instruction_set: InstructionSet,
    source: Arc<Source>,
    pub(super) prepared: Arc<PreparedGoal>,
    tables: GoalTables,
    template: RecordTemplate,
    results: ResultTemplate,
    block: Box<Block>,
    /// The number of further calls without a match before another template is tried.
    pause: usize,
    /// The value of `pause` after the next failed try.
    next_pause: usize,
}

/// Maximum pause, in calls, after a template that matched few records.
const MAX_PAUSE: usize = 64;

/// Minimum number of records that a new template must match to be kept.
const MIN_MATCHES: usize = 4;

impl BlockSolver {
    /// Creates a block solver for records of a source that match a template. Returns `None` if the
    /// goal has no table of whole paths, or if only the general path can write a requested field.
    pub fn new(
        instruction_set: InstructionSet,
        source: &Arc<Source>,
        prepared: &Arc<PreparedGoal>,
        template: RecordTemplate,
        fields: &Fields,
    ) -> Option<BlockSolver> {
        let results = ResultTemplate::new(fields, &json_string(&source.name))?;
        let tables = GoalTables::new(prepared.frame()?, prepared.path_table()?)?;
        let (source, prepared, block) = (Arc::clone(source), Arc::clone(prepared), Box::default());
        Some(BlockSolver {
            instruction_set,
            source,
            prepared,
            tables,
            template,
            results,
            block,
            pause: 0,
            next_pause: 1,
        })
    }

    /// Returns true if this solver solves the records of this source.
    pub fn is_for(&self, source: &Arc<Source>) -> bool {
        Arc::ptr_eq(&self.source, source)
    }

    /// Writes the results of the leading records that are recognised.
    ///
    /// # Panics
    /// If a written path does not lead to the goal. Then `out` is unchanged.
    pub fn solve(&mut self, raw: RawRecords<'_>, out: &mut Vec<u8>) -> LeadingRecords {
        let taken = self.solve_matching(raw, out);
        if taken.records > 0 || raw.records == 0 {
            return taken;
        }
        // Records of another form may begin here. But if every record differs in form from the one
        // before, new templates cost more than they save.
        if self.pause > 0 {
            self.pause -= 1;
            return taken;
        }
        let other = RecordTemplate::of_line(raw.bytes, self.source.layout);
        let shape = |template: &RecordTemplate| template.shape(self.source.shape);
        let fits = |other: &RecordTemplate| shape(other) == shape(&self.template) && *other != self.template;
        let Some(other) = other.filter(fits) else { return taken };
        let old = std::mem::replace(&mut self.template, other);
        let taken = self.solve_matching(raw, out);
        if taken.records < MIN_MATCHES {
            self.template = old;
            self.pause = self.next_pause;
            self.next_pause = (2 * self.next_pause).min(MAX_PAUSE);
        } else {
            self.next_pause = 1;
        }
        taken
    }

    /// Solves the records that match the template.
    fn solve_matching(&mut self, raw: RawRecords<'_>, out: &mut Vec<u8>) -> LeadingRecords {
        let prepared = Arc::clone(&self.prepared);
        // The table existed when this solver was created.
        let Some(paths) = prepared.path_table() else { return LeadingRecords::default() };
        #[cfg(target_arch = "x86_64")]
        if self.instruction_set >= InstructionSet::Avx2 {
            return self.solve_with_avx2(paths, raw, out);
        }
        self.solve_with::<Portable>(paths, raw, out)
    }

    /// Solves the records that match the template with AVX2, if this machine has it.
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)] // a call to a function compiled for more features than the crate
    fn solve_with_avx2(&mut self, paths: &Paths, raw: RawRecords<'_>, out: &mut Vec<u8>) -> LeadingRecords {
        use super::avx2::Avx2;
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn solve(solver: &mut BlockSolver, paths: &Paths, raw: RawRecords<'_>, out: &mut Vec<u8>) -> LeadingRecords {
            solver.solve_with::<Avx2>(paths, raw, out)
        }
        if !InstructionSet::Avx2.is_available() {
            return self.solve_with::<Portable>(paths, raw, out);
        }
        // SAFETY: every feature the function is compiled for was just checked. Guarded by the test
        // `all_boards_are_answered_as_by_the_general_path`.
        unsafe { solve(self, paths, raw, out) }
    }

    #[inline(always)]
    fn solve_with<K: Kernels>(&mut self, paths: &Paths, raw: RawRecords<'_>, out: &mut Vec<u8>) -> LeadingRecords {
        let mut taken = LeadingRecords::default();
        let mut counters = self.results.begin(raw.index, raw.line);
        let before = out.len();
        while taken.records < raw.records {
            let rest = &raw.bytes[taken.bytes..];
            let wanted = (raw.records - taken.records).min(BLOCK);
            let found = self.read::<K>(paths, rest).min(wanted);
            match self.write::<K>(paths, found, &mut counters, out) {
                Some(solved) => taken.solved += solved,
                None => {
                    out.truncate(before);
                    panic!("the path to be written does not lead to the goal");
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

    /// Parses a block of records. Returns the number of leading records that match.
    #[inline(always)]
    fn read<K: Kernels>(&mut self, paths: &Paths, bytes: &[u8]) -> usize {
        let needed = self.template.bytes_of(BLOCK);
        match bytes.get(..needed) {
            Some(bytes) => K::recognise(&self.template, &self.tables, paths, bytes, &mut self.block),
            None => {
                // The last records are followed by zeros, which do not match.
                let mut padded = [0; RecordTemplate::MAX_BYTES];
                padded[..bytes.len()].copy_from_slice(bytes);
                K::recognise(&self.template, &self.tables, paths, &padded[..needed], &mut self.block)
            }
        }
    }

    /// Writes the results of the first records of the block, and replays the written paths. Returns
    /// the number of solved records, or `None` if a path does not lead to the goal.
    #[inline(always)]
    fn write<K: Kernels>(
        &mut self,
        paths: &Paths,
        records: usize,
        counters: &mut Counters,
        out: &mut Vec<u8>,
    ) -> Option<usize> {
        let block = &*self.block;
        let mut words = [0; BLOCK];
        for (word, &rank) in words.iter_mut().zip(&block.ranks[..records]) {
            *word = paths.word((rank >> 1) as usize);
        }
        let (mut written_paths, mut solved) = ([WrittenPath::default(); BLOCK], 0);
        // A local copy, so that the compiler knows that writes through `out_buf` do not change it.
        let mut current = *counters;
        let mut out_buf = OutBuf::new(out, BLOCK * self.results.max_bytes());
        for (i, &word) in words[..records].iter().enumerate() {
            // The board is solvable if the parities are equal.
            if (word ^ u64::from(block.ranks[i]) << 63) & PARITY == 0 {
                let plies = plies(word);
                let letters_at = self.results.write_solved(&mut current, plies, || K::letters(word), &mut out_buf);
                written_paths[solved % BLOCK] = WrittenPath { record: i, letters_at, plies };
                solved += 1;
            } else {
                self.results.write_unsolvable(&mut current, &mut out_buf);
            }
        }
        *counters = current;
        if self.results.has_paths() {
            let sealed = out_buf.seal();
            let mut arrived = true;
            for path in &written_paths[..solved] {
                let letters = sealed.at(path.letters_at);
                let (board, blank) = (&block.boards[path.record % BLOCK], block.blanks[path.record % BLOCK]);
                arrived &= K::arrives(&self.tables, board, blank, letters, path.plies);
            }
            if !arrived {
                return None;
            }
        }
        Some(solved)
    }
}

/// A path that was written to the results.
#[derive(Clone, Copy, Default)]
struct WrittenPath {
    /// The index of the record in the block.
    record: usize,
    /// The position of its letters in the results.
    letters_at: usize,
    plies: u32,
}
