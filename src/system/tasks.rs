//! Runs a list of tasks on several threads.

use std::sync::Mutex;

use super::cpu::{Kernel, dispatch};

/// Runs all tasks, compiled for the best instruction set, on `threads` threads including the
/// caller's. The order in which they run must not matter.
pub(crate) fn run_all<T: Kernel<Output = ()> + Send>(tasks: Vec<T>, threads: usize) {
    let tasks = Mutex::new(tasks);
    let work = || {
        loop {
            // A separate statement, so that the lock is released before the task runs.
            let task = tasks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
            let Some(task) = task else { return };
            dispatch(task);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}
