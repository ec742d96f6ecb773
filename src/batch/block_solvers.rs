//! The block solvers of the workers, which are reused from chunk to chunk.

use parking_lot::{Mutex, MutexGuard};

use super::Options;
use super::chunk_results::ChunkResults;
use super::fast_path::{BlockSolver, FastPath, RawRecords, RecordTemplate};
use super::guarded;
use super::solve::BoardSolver;
use crate::format::input::{Chunk, Records};
use crate::format::output::Fields;
use crate::format::style::Style;
use crate::solver::LastGoal;
use crate::system::InstructionSet;

/// The block solver of each worker, which stays in the caches of that worker's core.
pub struct BlockSolvers<'a> {
    /// The fields to write; `None` if every record takes the general path.
    fields: Option<&'a Fields>,
    by_worker: Vec<Mutex<Option<Box<BlockSolver>>>>,
}

impl<'a> BlockSolvers<'a> {
    /// Creates empty slots, one for the block solver of each worker.
    pub fn new(options: &'a Options, threads: usize) -> BlockSolvers<'a> {
        let fields = match (&options.style, options.fast_path) {
            (Style::Json(fields), FastPath::On) if fields.need_solving() => Some(fields),
            _ => None,
        };
        let by_worker = (0..threads.max(1)).map(|_| Mutex::default()).collect();
        BlockSolvers { fields, by_worker }
    }

    /// Returns a block solver for a chunk, if its first records suggest that the fast path applies.
    /// A worker reuses its last block solver if the source is the same.
    pub fn take(
        &self,
        worker: usize,
        chunk: &Chunk,
        solver: &BoardSolver<'_>,
        goals: &mut LastGoal,
    ) -> Option<Box<BlockSolver>> {
        let (fields, source) = (self.fields?, &chunk.source);
        if source.numbered || source.fault.is_some() {
            return None;
        }
        if let Some(last) = self.slot(worker).take().filter(|last| last.is_for(source)) {
            return Some(last);
        }
        let template = RecordTemplate::find(&chunk.bytes, source.layout)?;
        let shape = template.shape(source.shape)?;
        // After a panic there is no block solver. The bug is reported for the first record that
        // triggers it on the general path.
        let made = guarded(|| {
            let goal = solver.prepare(&source.goal, shape, goals).ok()?;
            // The table is built only after `searches_left` more searches. A chunk with no more
            // records than that needs no block solver.
            if goal.engine.lookup().is_none_or(|table| chunk.record_count <= table.searches_left()) {
                return None;
            }
            BlockSolver::new(InstructionSet::best(), source, goal, template, fields)
        });
        made.unwrap_or_default().map(Box::new)
    }

    /// Keeps a block solver for this worker's next chunk.
    pub fn keep(&self, worker: usize, block_solver: Box<BlockSolver>) {
        *self.slot(worker) = Some(block_solver);
    }

    fn slot(&self, worker: usize) -> MutexGuard<'_, Option<Box<BlockSolver>>> {
        self.by_worker[worker % self.by_worker.len()].lock()
    }
}

/// Solves up to `max` of the next records in blocks, until one is not recognised. Returns the
/// number of records solved.
///
/// # Errors
/// The message of a bug that one of the records triggers. Then `records` and `results` are
/// unchanged.
pub fn solve_in_blocks(
    block_solver: &mut BlockSolver,
    records: &mut Records<'_>,
    max: usize,
    results: &mut ChunkResults,
) -> Result<usize, String> {
    let Some((bytes, index, line)) = records.rest() else { return Ok(0) };
    let raw = RawRecords { bytes, records: max, index, line };
    let before = results.text.len();
    let taken = guarded(|| block_solver.solve(raw, &mut results.text));
    let taken = taken.inspect_err(|_| results.text.truncate(before))?;
    records.skip_lines(taken.records, taken.bytes);
    results.counts.solved += taken.solved as u64;
    results.counts.unsolvable += (taken.records - taken.solved) as u64;
    Ok(taken.records)
}
