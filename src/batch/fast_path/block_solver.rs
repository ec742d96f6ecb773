//! Solves the records of one source in blocks, from text to results.

use std::sync::Arc;

use super::head::Counters;
use super::kernels::{BLOCK, FastPathTables, Kernels, Recogniser, RecordBlock};
use super::out_buf::OutBuf;
use super::result_template::ResultTemplate;
use super::template::RecordTemplate;
use super::{BlockWork, dispatch};
use crate::engine::path_table::{PARITY, Paths, path_len};
use crate::format::input::Source;
use crate::format::output::{Fields, json_string};
use crate::solver::PreparedGoal;
use crate::system::InstructionSet;

/// Records in the text of a file.
#[derive(Clone, Copy, Debug)]
pub struct RawRecords<'a> {
    /// The text, from the start of a line.
    pub bytes: &'a [u8],
    /// The number of records in the text.
    pub records: usize,
    /// The number of the first record.
    pub index: u64,
    /// The line on which the first record begins.
    pub line: u64,
}

/// The leading records that were answered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct LeadingRecords {
    /// The number of records.
    pub records: usize,
    /// Their size in bytes.
    pub bytes: usize,
    /// The number of solved records; the others have no solution.
    pub solved: usize,
}

/// A solver of the records of one source that match a template.
#[derive(Debug)]
pub struct BlockSolver {
    instruction_set: InstructionSet,
    source: Arc<Source>,
    pub(super) prepared: Arc<PreparedGoal>,
    tables: FastPathTables,
    template: RecordTemplate,
    results: ResultTemplate,
    block: Box<RecordBlock>,
}

impl BlockSolver {
    /// Creates a block solver for records of a source that match a template. Returns `None` if the
    /// goal has no table of whole paths, or if the results have no [`ResultTemplate`].
    pub fn new(
        instruction_set: InstructionSet,
        source: &Arc<Source>,
        prepared: &Arc<PreparedGoal>,
        template: RecordTemplate,
        fields: &Fields,
    ) -> Option<BlockSolver> {
        let results = ResultTemplate::new(fields, &json_string(&source.name))?;
        let tables = FastPathTables::new(prepared.frame.as_ref()?, prepared.path_table()?)?;
        let (source, prepared, block) = (Arc::clone(source), Arc::clone(prepared), Box::default());
        Some(BlockSolver { instruction_set, source, prepared, tables, template, results, block })
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
        let prepared = Arc::clone(&self.prepared);
        // The table existed when this solver was created.
        let Some(paths) = prepared.path_table() else { return LeadingRecords::default() };
        dispatch(self.instruction_set, Solve { solver: self, paths, raw, out })
    }

    #[inline(always)]
    fn solve_with<K: Kernels>(&mut self, paths: &Paths, raw: RawRecords<'_>, out: &mut Vec<u8>) -> LeadingRecords {
        let mut taken = LeadingRecords::default();
        let mut counters = self.results.begin([raw.index, raw.line]);
        let before = out.len();
        while taken.records < raw.records {
            let rest = &raw.bytes[taken.bytes..];
            let recogniser = Recogniser { template: &self.template, tables: &self.tables, paths };
            let wanted = (raw.records - taken.records).min(BLOCK);
            let found = K::recognise_any(recogniser, rest, &mut self.block).min(wanted);
            match self.write::<K>(paths, found, &mut counters, out) {
                Some(solved) => taken.solved += solved,
                None => {
                    out.truncate(before);
                    panic!("the path to be written does not lead to the goal");
                }
            }
            taken.records += found;
            taken.bytes += found * self.template.stride;
            if found < wanted {
                break;
            }
        }
        taken
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
        // This is a local copy, so the compiler knows that writes through `out_buf` do not change
        // the counters.
        let mut current = *counters;
        let mut out_buf = OutBuf::new(out, BLOCK * self.results.max_bytes);
        for (i, &word) in words[..records].iter().enumerate() {
            // The board is solvable if the parity bit of the word equals the low bit of the rank.
            if (word ^ u64::from(block.ranks[i]) << 63) & PARITY == 0 {
                let path_len = path_len(word);
                let letters_at = self.results.write_solved(&mut current, path_len, || K::letters(word), &mut out_buf);
                written_paths[solved % BLOCK] = WrittenPath { record: i, letters_at, path_len };
                solved += 1;
            } else {
                self.results.write_unsolvable(&mut current, &mut out_buf);
            }
        }
        *counters = current;
        if self.results.has_paths {
            let sealed = out_buf.seal();
            let mut arrived = true;
            for path in &written_paths[..solved] {
                let letters = sealed.at(path.letters_at);
                let (board, blank) = (&block.boards[path.record % BLOCK], block.blanks[path.record % BLOCK]);
                arrived &= K::arrives(&self.tables, board, blank, letters, path.path_len);
            }
            if !arrived {
                return None;
            }
        }
        Some(solved)
    }
}

/// One call of [`BlockSolver::solve`].
struct Solve<'a> {
    solver: &'a mut BlockSolver,
    paths: &'a Paths,
    raw: RawRecords<'a>,
    out: &'a mut Vec<u8>,
}

impl BlockWork for Solve<'_> {
    type Output = LeadingRecords;

    #[inline(always)]
    fn run<K: Kernels>(self) -> LeadingRecords {
        self.solver.solve_with::<K>(self.paths, self.raw, self.out)
    }
}

/// A path that was written to the results.
#[derive(Clone, Copy, Default)]
struct WrittenPath {
    /// The index of the record in the block.
    record: usize,
    /// The position of its letters in the results.
    letters_at: usize,
    path_len: u32,
}
