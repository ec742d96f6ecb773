//! The atomics of the sets: std's, or loom's under `--cfg loom`, so that the models check the very
//! code that runs; and the cache lines they are laid out in.

#[cfg(loom)]
pub(super) use ::loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(loom))]
pub(super) use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

/// Words in a cache line.
pub(super) const LINE_WORDS: usize = 8;

/// One cache line of words: a probe that stays in it costs one miss.
#[repr(align(64))]
pub(super) struct Line(pub(super) [AtomicU64; LINE_WORDS]);

/// Lines of zeros. Written in parallel, because the kernel's page faults are the cost.
#[cfg(not(loom))]
pub(super) fn zeroed(lines: usize) -> Box<[Line]> {
    (0..lines)
        .into_par_iter()
        .with_min_len(1 << 13)
        .map(|_| Line(std::array::from_fn(|_| AtomicU64::new(0))))
        .collect::<Vec<_>>()
        .into_boxed_slice()
}

/// Lines of zeros, written by the calling thread.
pub(super) fn zeroed_alone(lines: usize) -> Box<[Line]> {
    (0..lines).map(|_| Line(std::array::from_fn(|_| AtomicU64::new(0)))).collect()
}

/// Lines of zeros; loom's atomics must be made on the model's own thread.
#[cfg(loom)]
pub(super) fn zeroed(lines: usize) -> Box<[Line]> {
    zeroed_alone(lines)
}

/// Makes all words zero again.
pub(super) fn clear(lines: &mut [Line]) {
    lines.par_iter_mut().with_min_len(1 << 13).for_each(|line| {
        for word in &line.0 {
            // Relaxed: the exclusive borrow orders this store against every other access.
            word.store(0, Ordering::Relaxed);
        }
    });
}
