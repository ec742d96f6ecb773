//! The threads that build an automaton.

use std::sync::atomic::{AtomicBool, Ordering};

/// The number of worker threads and the stop flag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Workers<'a> {
    /// At least one. The caller's thread is included.
    pub(super) threads: usize,
    /// Checked about a thousand times a second.
    pub(super) stop: &'a AtomicBool,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Workers<'_> {
    /// The caller's thread alone, which is never stopped.
    pub(super) const ONE: Workers<'static> = Workers { threads: 1, stop: &NEVER };

    pub(super) fn are_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
