//! What a search keeps of a board, and of the path to it.

use super::word::Word;

/// The board as it is, and the board in the mirror.
pub(super) const VIEWS: usize = 2;

/// A board that the search has reached. `P` is the most patterns it can have.
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
    /// The number of its step, see [`super::trace`].
    pub(super) step: u32,
    /// Moves from the start.
    pub(super) depth: u16,
    /// The automaton's state after the letters from the start.
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

/// What lists need of their nodes.
pub(super) trait ListNode: Copy + Send + Sync {
    /// The least length of a path through it.
    fn f(&self) -> u16;

    /// The number of its step.
    fn step(&self) -> u32;

    /// Moves from the start.
    fn depth(&self) -> u16;

    /// The same node with a greater number of its step.
    fn with_step_offset(self, offset: u32) -> Self;
}

impl<W: Word, const P: usize> ListNode for Node<W, P> {
    fn f(&self) -> u16 {
        self.depth + self.plies()
    }

    fn step(&self) -> u32 {
        self.step
    }

    fn depth(&self) -> u16 {
        self.depth
    }

    fn with_step_offset(self, offset: u32) -> Self {
        Node { step: self.step + offset, ..self }
    }
}
