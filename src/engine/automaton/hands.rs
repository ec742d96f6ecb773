//! The threads that build an automaton.

use std::sync::atomic::{AtomicBool, Ordering};

/// Who does the work, and what ends it early.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hands<'a> {
    /// At least one: the caller's and further ones.
    pub(super) threads: usize,
    /// Looked at some thousand times a second.
    pub(super) stop: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Hands<'_> {
    /// The caller's thread, to the end.
    pub(super) const ONE: Hands<'static> = Hands { threads: 1, stop: &NEVER };

    /// Whether the work is wanted no more.
    pub(super) fn are_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
