//! A list of tasks that threads share.

use std::sync::Mutex;

use super::cpu::{Kernel, dispatch};

/// Does all tasks on `threads` threads, the caller's among them, each in the best machine code there is. In no
/// particular order: tasks write parts of their own.
pub(crate) fn run_all<T: Kernel<Output = ()> + Send>(tasks: Vec<T>, threads: usize) {
    let tasks = Mutex::new(tasks);
    let work = || {
        loop {
            // A statement of its own, so that the lock is free again while the task is done.
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
