//! What a search keeps of a board, and what it keeps of the way there.

use super::word::Word;
use crate::board::{Move, Path};

/// The board as it is, and the board in the mirror.
pub(super) const VIEWS: usize = 2;

/// A board that the search has reached. `P` is the number of patterns there is room for.
///
/// 40 bytes on 4×4 with two patterns: nodes are copied often and kept by the hundred thousand.
#[derive(Clone, Copy, Debug)]
pub struct Node<W: Word, const P: usize> {
    pub(super) board: W,
    /// The order of each pattern's tiles, by view.
    pub(super) orders: [[u16; P]; VIEWS],
    /// The cells that each pattern's tiles occupy, by view.
    pub(super) occupied: [[W::Mask; P]; VIEWS],
    /// The values of the patterns, by view.
    pub(super) values: [[u8; P]; VIEWS],
    /// Its step in the [`Trace`].
    pub(super) step: u32,
    /// Moves from the start.
    pub(super) depth: u16,
    /// What the automaton knows of the letters from the start.
    pub(super) state: u16,
    /// Cell of the blank.
    pub(super) blank: u8,
    /// The letter that led here.
    pub(super) letter: u8,
    /// Beyond the bound: a node of the next list.
    pub(super) cut: bool,
}

impl<W: Word, const P: usize> Node<W, P> {
    /// The lower bound on the moves to the goal: the larger of the two views' sums.
    #[inline(always)]
    pub(super) fn plies(&self) -> u16 {
        let [direct, mirrored] = self.sums();
        direct.max(mirrored)
    }

    /// The sum of the patterns' values, by view.
    #[inline(always)]
    pub(super) fn sums(&self) -> [u16; VIEWS] {
        self.values.map(|values| values.into_iter().map(u16::from).sum())
    }
}

/// How each generated node was reached: a letter, and the step before.
///
/// Four bytes a node is all that is kept of those between the lists. A step's predecessor is written
/// as how far back it is, unless it is a root of the chunk in which the node was generated; so the
/// trace of a chunk can be moved to any place behind its roots.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace(Vec<u32>);

impl Trace {
    /// Steps are numbered in 29 bits.
    pub(super) const MAX_STEPS: usize = 1 << 29;
    /// The step of the start.
    pub(super) const START: u32 = 0;
    /// Marks a predecessor that is written as its own number.
    const ABSOLUTE: u32 = 1 << 31;

    /// A trace that knows of the start alone.
    pub(super) fn begin(&mut self) {
        self.0.clear();
        self.0.push(0);
    }

    /// Number of steps, the start included: the number of nodes generated.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Adds a step from `parent`, itself older than `first` if it is a root of the chunk whose trace begins there.
    #[inline(always)]
    pub(super) fn push(&mut self, parent: u32, first: u32, letter: u8) -> u32 {
        let step = self.0.len() as u32;
        self.0.push(Trace::entry(parent, first, step, letter));
        step
    }

    #[inline(always)]
    fn entry(parent: u32, first: u32, step: u32, letter: u8) -> u32 {
        let letter = u32::from(letter & 3);
        if parent < first { Trace::of_root(parent, letter) } else { Trace::back(step - parent, letter) }
    }

    /// A step from a root; bits of `letter` but the lowest two do not count.
    #[inline(always)]
    pub(super) fn of_root(root: u32, letter: u32) -> u32 {
        Trace::ABSOLUTE | root << 2 | letter & 3
    }

    /// A step from another node; the upper bits of `letter` tell how much farther back that is.
    #[inline(always)]
    pub(super) fn back(steps: u32, letter: u32) -> u32 {
        (steps << 2) + letter
    }

    /// The letters that lead from the start to the node of this step.
    pub(super) fn path_to(&self, mut step: u32) -> Path {
        let mut path = Path::new();
        while step != Trace::START {
            let entry = self.0[step as usize];
            path.push(Move::from_index(entry as u8));
            let number = (entry & !Trace::ABSOLUTE) >> 2;
            step = if entry & Trace::ABSOLUTE != 0 { number } else { step - number };
        }
        path.reverse();
        path
    }

    /// The entries, for kernels that add many at once.
    pub(super) fn entries(&mut self) -> &mut Vec<u32> {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Trees of random shape, their chunks moved apart by steps of other chunks.
    #[test]
    fn a_trace_remembers_letters_wherever_its_chunk_stands() {
        let mut trace = Trace::default();
        trace.begin();
        let mut paths = vec![Path::new()];
        let mut seed = 1u64;
        let mut random = |below: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % below
        };
        for _ in 0..50 {
            let first = trace.len() as u32;
            for _ in 0..20 {
                let (parent, letter) = (random(trace.len()), random(4) as u8);
                let step = trace.push(parent as u32, first, letter);
                let mut path = paths[parent].clone();
                path.push(Move::from_index(letter));
                assert_eq!(step as usize, paths.len());
                paths.push(path);
            }
        }
        for (step, path) in paths.iter().enumerate() {
            assert_eq!(trace.path_to(step as u32), *path);
        }
    }
}
