//! How each node was reached: a letter, and the step before.
//!
//! Four bytes a generated node are all that is kept of those between the lists, and from them the path
//! is read off at the end. They come in pieces, because several threads make them: the [`Trace`] of some
//! chunks knows the steps of its own nodes and the numbers of the roots, whose steps are elsewhere. So a
//! trace can be put anywhere without being touched. The [`Archive`] holds those of one board, and its numbers
//! name steps throughout.

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

    /// A step from another node; the upper bits of `letter` tell how much farther back that is.
    #[inline(always)]
    pub(super) fn back(steps: u32, letter: u32) -> u32 {
        (steps << 2) + letter
    }

    /// The entries, for kernels that add many at once.
    pub(super) fn entries(&mut self) -> &mut Vec<u32> {
        &mut self.entries
    }

    /// Goes back from a step to the root that it grew from.
    pub(super) fn rewound(&self, mut trail: Trail) -> Trail {
        let mut at = (trail.step - self.first) as usize;
        loop {
            let entry = self.entries[at];
            trail.backwards.push(Move::from_index(entry as u8));
            let number = (entry & !Trace::ROOT) >> 2;
            if entry & Trace::ROOT != 0 {
                trail.step = number;
                return trail;
            }
            at -= number as usize;
        }
    }
}

/// The end of a path, found back to a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Trail {
    pub(super) step: u32,
    /// The moves from there to the goal, the last one first.
    pub(super) backwards: Path,
}

impl From<u32> for Trail {
    /// The end itself.
    fn from(step: u32) -> Trail {
        Trail { step, backwards: Path::new() }
    }
}

/// The steps to all nodes of a board that were ever in its lists, and between these.
#[derive(Clone, Debug, Default)]
pub(super) struct Archive {
    /// With the number of the first step of each, ascending.
    traces: Vec<(u32, Trace)>,
    /// Memory of traces of an earlier board, to be used first what was used first there.
    spare: Vec<Trace>,
    steps: usize,
}

impl Archive {
    /// The step of the start.
    pub(super) const START: u32 = 0;

    /// An archive that knows of the start alone; it keeps memory for no more than so many steps.
    pub(super) fn begin(&mut self, room: usize) {
        self.spare.extend(self.traces.drain(..).rev().map(|(_, trace)| trace));
        let mut steps = 0;
        let kept = self.spare.iter().rev().take_while(|trace| {
            steps += trace.entries.capacity();
            steps <= room
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

    /// Adds a trace; how much its numbers are less than those they have here.
    pub(super) fn add(&mut self, trace: Trace) -> u32 {
        let (first, ahead) = (self.steps as u32, self.steps as u32 - trace.first);
        self.steps += trace.len();
        self.traces.push((first, trace));
        ahead
    }

    /// The path that ends with a trail.
    pub(super) fn path(&self, mut trail: Trail) -> Path {
        while trail.step != Archive::START {
            let next = self.traces.partition_point(|&(first, _)| first <= trail.step);
            let (first, trace) = &self.traces[next - 1];
            trail.step -= first - trace.first;
            trail = trace.rewound(trail);
        }
        trail.backwards.reverse();
        trail.backwards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Trees of random shape in traces of their own, some of which know where they will stand.
    #[test]
    fn an_archive_remembers_letters_wherever_a_trace_stands() {
        let mut archive = Archive::default();
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below
        };
        for _ in 0..3 {
            archive.begin(500);
            let mut paths = vec![Path::new()];
            for round in 0..50 {
                let (roots, first) = (paths.len(), archive.len());
                let mut trace = if round % 3 == 0 { archive.next_trace() } else { Trace::default() };
                for _ in 0..random(20) {
                    let (parent, letter) = (random(paths.len()), random(4));
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
                assert_eq!(archive.path(Trail::from(step as u32)), *path);
            }
        }
    }
}
