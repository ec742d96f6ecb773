//! Runs work without the GIL, interruptible by Ctrl-C.
//!
//! Python runs signal handlers only on its main thread, and only when that thread checks for
//! signals. So the work runs on a separate thread. The calling thread waits without the GIL,
//! checks for signals every 20 milliseconds, and shows the progress.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use taquin::CancelToken;

use crate::errors::exception_of_panic;
use crate::progress::Progress;

/// Interval between checks for signals.
const CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// The link between a call and its work: cancellation and progress.
#[derive(Debug, Default)]
pub struct Control {
    /// Cancelled by Ctrl-C, or by an exception in a progress callback.
    pub cancel: CancelToken,
    /// The number of finished boards.
    pub done: AtomicU64,
}

impl Control {
    /// Counts finished boards.
    pub fn add(&self, boards: usize) {
        self.done.fetch_add(boards as u64, Ordering::Relaxed);
    }
}

/// A flag that is set when the work is finished.
#[derive(Default)]
pub struct Finished(Mutex<bool>, Condvar);

impl Finished {
    /// Sets the flag.
    pub fn set(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.1.notify_all();
    }

    /// Waits for the flag, at most `CHECK_INTERVAL`, and returns true if it is set.
    pub fn wait(&self) -> bool {
        let guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.1.wait_timeout_while(guard, CHECK_INTERVAL, |finished| !*finished);
        *waited.map_or_else(|error| error.into_inner().0, |(guard, _)| guard)
    }
}

/// Runs work on a separate thread, without the GIL.
///
/// Ctrl-C, or an exception in a progress callback, cancels the work. This function then waits for
/// the work to end, and returns the exception. It also converts a panic to an exception.
pub fn run<R: Send>(py: Python<'_>, progress: &Progress<'_>, work: impl FnOnce(&Control) -> R + Send) -> PyResult<R> {
    let (control, finished) = (Control::default(), Finished::default());
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("taquin".into()).spawn_scoped(scope, || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&control)));
            finished.set();
            result
        });
        let worker = worker.map_err(|error| PyOSError::new_err(format!("cannot start a thread: {error}")))?;
        let mut raised = None;
        while !py.detach(|| finished.wait()) {
            if raised.is_some() {
                continue;
            }
            let outcome = py.check_signals().and_then(|()| progress.show(control.done.load(Ordering::Relaxed)));
            if let Err(error) = outcome {
                control.cancel.cancel();
                raised = Some(error);
            }
        }
        let result = py.detach(|| worker.join()).and_then(|result| result).map_err(|panic| exception_of_panic(&*panic));
        match raised {
            Some(error) => Err(error),
            None => {
                let result = result?;
                progress.show(control.done.load(Ordering::Relaxed))?;
                Ok(result)
            }
        }
    })
}
