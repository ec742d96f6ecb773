//! The locks of the parallel searches: std's, or loom's under `--cfg loom`, so that the models
//! check the code that runs. (The counts of a [`ThreadShare`](super::ThreadShare) are only hints
//! and use std's atomics.)
//!
//! loom's waits do not time out: a model that relies on a timeout ends as a deadlock.

#[cfg(loom)]
pub(super) use ::loom::sync::{Condvar, Mutex, MutexGuard};
#[cfg(not(loom))]
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};

/// Queues a job in the pool that the caller runs in.
#[cfg(not(loom))]
pub(super) fn spawn(job: impl FnOnce() + Send + 'static) {
    rayon::spawn(job);
}

/// Runs a job in a thread of the model.
#[cfg(loom)]
pub(super) fn spawn(job: impl FnOnce() + Send + 'static) {
    ::loom::thread::spawn(job);
}
