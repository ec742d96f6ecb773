//! The test whether the sides meet: the states of one side's list that have a neighbour in a layer of the other.
//!
//! The other side may grow meanwhile, for another board, and move its states to a larger set. Each piece of the list
//! is therefore looked up in the set that the side has *then*: so no test, however long, keeps a replaced set
//! in memory, and the layer that was complete before is in either set.

use std::sync::Arc;

use super::backward_frontier::Shared;
use super::side::{BATCH, Side};
use crate::engine::word::Word;
use crate::engine::work_queue::{ItemQueue, Job, WorkQueue};

/// The job: look the list's neighbours up on the other side.
pub(super) struct Meet<W: Word> {
    other: Arc<Shared<W>>,
    depth: u8,
}

impl<W: Word> Meet<W> {
    /// The test for the states of the side's list and the other's layer of depth `depth`, which must be complete.
    /// The list is in the report until it is put back.
    pub(super) fn begin(side: &mut Side<W>, other: &Arc<Shared<W>>, depth: u8) -> Arc<WorkQueue<Meet<W>>> {
        let job = Meet { other: Arc::clone(other), depth };
        WorkQueue::new(job, std::mem::take(&mut side.frontier.pieces))
    }
}

/// The list, returned, and its states that meet the other side.
#[derive(Debug)]
pub(super) struct Met<W> {
    pub(super) pieces: Vec<Vec<W>>,
    pub(super) keys: Vec<W>,
}

impl<W> Default for Met<W> {
    fn default() -> Met<W> {
        Met { pieces: Vec::new(), keys: Vec::new() }
    }
}

impl<W: Word> Job for Meet<W> {
    type Item = Vec<W>;
    type Report = Met<W>;

    fn work(&self, piece: Vec<W>, _: &mut dyn ItemQueue<Vec<W>>) -> Met<W> {
        let steps = &self.other.steps;
        let (cells, goal_blank, sets) = (steps.cells, steps.goal_blank, self.other.sets());
        let set = sets.at(self.depth);
        let (mut batch, mut parents) = (Vec::with_capacity(BATCH + 4), Vec::with_capacity(BATCH + 4));
        let mut keys = Vec::new();
        let mut look_up = |batch: &mut Vec<W>, parents: &mut Vec<W>| {
            set.get_batch(batch, |i, note| {
                if note.is_some_and(|note| note.depth() == self.depth) {
                    keys.push(parents[i]);
                }
            });
            batch.clear();
            parents.clear();
        };
        for word in &piece {
            let (key, last) = word.split(cells);
            let blank = key.cell_of(goal_blank);
            for step in steps.from(blank, last) {
                batch.push(key.slid(blank, step.to(), goal_blank));
                parents.push(key);
            }
            if batch.len() >= BATCH {
                look_up(&mut batch, &mut parents);
            }
        }
        look_up(&mut batch, &mut parents);
        Met { pieces: vec![piece], keys }
    }

    fn merge(total: &mut Met<W>, mut part: Met<W>) {
        total.pieces.append(&mut part.pieces);
        total.keys.append(&mut part.keys);
    }
}
