//! How each node was reached: a letter, and the step before.
//!
//! Four bytes a generated node are all that is kept of those between the lists, and from them the path
//! is read off at the end. Several threads make them, so there are several traces: the [`Trace`] of some
//! chunks has the steps of its own nodes and the numbers of the roots, whose steps are elsewhere. So a
//! trace can be put anywhere without being changed. The [`Archive`] holds those of one board, and numbers
//! all their steps.

use crate::board::{Move, Path};

/// The steps to the nodes that grew from some chunks.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    /// The number of the first step: where it will stand in the archive if that is known, or 0.
    first: u32,
    /// From bit 2 on how far back the parent's step is, or the number of a root.
    entries: Vec<u32>,
}

impl Trace {
    /// Steps are numbered in 29 bits.
    pub(super) const MAX_STEPS: usize = 1 << 29;
    /// Marks a parent that is a root.
    const ROOT: u32 = 1 << 31;

    /// Begins anew, with this number for the first step.
    pub(super) fn begin(&mut self, first: u32) {
        self.entries.clear();
        self.first = first;
    }

    /// Number of steps: of nodes generated.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// The number of the next step.
    #[inline(always)]
    pub(super) fn next_step(&self) -> u32 {
        self.first + self.entries.len() as u32
    }

    #[inline(always)]
    pub(super) fn push(&mut self, entry: u32) {
        self.entries.push(entry);
    }

    /// A step from a root; bits of `letter` but the lowest two do not count.
    #[inline(always)]
    pub(super) fn of_root(root: u32, letter: u32) -> u32 {
        Trace::ROOT | root << 2 | letter & 3
    }

    /// A step from another node; the upper bits of `letter` are added to how far back that is.
    #[inline(always)]
    pub(super) fn back(steps: u32, letter: u32) -> u32 {
        (steps << 2) + letter
    }

    /// The entries, for kernels that add many at once.
    pub(super) fn entries(&mut self) -> &mut Vec<u32> {
        &mut self.entries
    }

    /// Goes back from a step to the root that it grew from.
    pub(super) fn trace_back(&self, mut end: PathEnd) -> PathEnd {
        let mut at = (end.step - self.first) as usize;
        loop {
            let entry = self.entries[at];
            end.backwards.push(Move::from_index(entry as u8));
            let number = (entry & !Trace::ROOT) >> 2;
            if entry & Trace::ROOT != 0 {
                end.step = number;
                return end;
            }
            at -= number as usize;
        }
    }
}

/// The last moves of a path, from a step on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PathEnd {
    pub(super) step: u32,
    /// The moves from there to the goal, the last one first.
    pub(super) backwards: Path,
}

impl From<u32> for PathEnd {
    /// Of a path that ends with this step.
    fn from(step: u32) -> PathEnd {
        PathEnd { step, backwards: Path::new() }
    }
}

/// The steps to all nodes of a board that were ever in its lists, and between these.
#[derive(Clone, Debug, Default)]
pub(super) struct Archive {
    /// With the number of the first step of each, ascending.
    traces: Vec<(u32, Trace)>,
    /// Memory of the traces of an earlier board, in the opposite order: that of the first trace is used first again.
    spare: Vec<Trace>,
    steps: usize,
}

impl Archive {
    /// The step of the start.
    pub(super) const START: u32 = 0;

    /// Begins with the start alone, and keeps memory for at most `max_steps` steps.
    pub(super) fn begin(&mut self, max_steps: usize) {
        self.spare.extend(self.traces.drain(..).rev().map(|(_, trace)| trace));
        let mut steps = 0;
        let kept = self.spare.iter().rev().take_while(|trace| {
            steps += trace.entries.capacity();
            steps <= max_steps
        });
        self.spare.drain(..self.spare.len() - kept.count());
        self.steps = 1;
    }

    /// Number of steps, that of the start included.
    pub(super) fn len(&self) -> usize {
        self.steps
    }

    /// An empty trace that begins where this archive ends.
    pub(super) fn next_trace(&mut self) -> Trace {
        let mut trace = self.spare.pop().unwrap_or_default();
        trace.begin(self.steps as u32);
        trace
    }

    /// Adds a trace; what must be added to its numbers to get those of the archive.
    pub(super) fn add(&mut self, trace: Trace) -> u32 {
        let (first, offset) = (self.steps as u32, self.steps as u32 - trace.first);
        self.steps += trace.len();
        self.traces.push((first, trace));
        offset
    }

    /// The path with this end.
    pub(super) fn path(&self, mut end: PathEnd) -> Path {
        while end.step != Archive::START {
            let next = self.traces.partition_point(|&(first, _)| first <= end.step);
            let (first, trace) = &self.traces[next - 1];
            end.step -= first - trace.first;
            end = trace.trace_back(end);
        }
        end.backwards.reverse();
        end.backwards
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    /// Trees of random shape in traces of their own, some of which begin with the number that they will have.
    #[test]
    fn an_archive_has_all_paths_wherever_a_trace_stands() {
        let mut archive = Archive::default();
        let mut random = Random::new(1);
        for _ in 0..3 {
            archive.begin(500);
            let mut paths = vec![Path::new()];
            for round in 0..50 {
                let (roots, first) = (paths.len(), archive.len());
                let mut trace = if round % 3 == 0 { archive.next_trace() } else { Trace::default() };
                for _ in 0..random.index(20) {
                    let (parent, letter) = (random.index(paths.len()), random.index(4));
                    trace.push(match parent.checked_sub(roots) {
                        None => Trace::of_root(parent as u32, letter as u32),
                        Some(_) => Trace::back((paths.len() - parent) as u32, letter as u32),
                    });
                    let mut path = paths[parent].clone();
                    path.push(Move::from_index(letter as u8));
                    paths.push(path);
                }
                let own_first = trace.first;
                assert_eq!(archive.add(trace), first as u32 - own_first);
            }
            assert_eq!(archive.len(), paths.len());
            for (step, path) in paths.iter().enumerate() {
                assert_eq!(archive.path(PathEnd::from(step as u32)), *path);
            }
        }
    }
}
