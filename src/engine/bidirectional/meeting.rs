//! The meeting test: finds the states of one side's list that have a neighbour in a layer of the
//! other side.
//!
//! During the test, another board may extend the other side and rehash it into a larger set. So
//! each piece of the list is looked up in the set that is current when its work begins, and a long
//! test does not keep a replaced set in memory. The old and the new set both contain the layer,
//! which was complete before the test.

use std::sync::Arc;

use super::backward_frontier::Shared;
use super::side::{BATCH, Side};
use crate::engine::word::Word;
use crate::engine::work_queue::{ItemQueue, Job, WorkQueue};

/// The job of looking up the neighbours of the list's states in a layer of the other side.
pub(super) struct Meet<W: Word> {
    other_side: Arc<Shared<W>>,
    depth: u8,
}

impl<W: Word> Meet<W> {
    /// Begins the test of the side's list against the other side's layer of depth `depth`, which
    /// must be complete. The list moves into the report and must be put back afterwards.
    pub(super) fn begin(side: &mut Side<W>, other_side: &Arc<Shared<W>>, depth: u8) -> Arc<WorkQueue<Meet<W>>> {
        let job = Meet { other_side: Arc::clone(other_side), depth };
        WorkQueue::new(job, std::mem::take(&mut side.frontier.pieces))
    }
}

/// The list, to be put back, and its states with a neighbour in the other side's layer.
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
        let steps = &self.other_side.steps;
        let (cells, goal_blank, sets) = (steps.cells, steps.goal_blank, self.other_side.sets());
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
