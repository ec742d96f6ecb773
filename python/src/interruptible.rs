//! Work without the GIL, which Ctrl-C ends.
//!
//! Python runs the handlers of signals on its main thread, and only when that asks for them. So the work is done on a
//! thread of its own; the calling thread waits, without the GIL, and asks every few milliseconds. It shows the
//! progress too.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use taquin::CancelToken;

use crate::errors::panicked;
use crate::progress::Progress;

/// How often it is asked whether a signal has come.
const LOOK: Duration = Duration::from_millis(20);

/// What work is given to hear that it is to end, and to say how far it is.
#[derive(Debug, Default)]
pub struct Control {
    /// Cancelled by Ctrl-C.
    pub cancel: CancelToken,
    /// How many boards are done.
    pub done: AtomicU64,
}

impl Control {
    /// Counts boards that are done.
    pub fn add(&self, boards: usize) {
        self.done.fetch_add(boards as u64, Ordering::Relaxed);
    }
}

/// Raised once the work is done.
#[derive(Default)]
pub struct Finished(Mutex<bool>, Condvar);

impl Finished {
    /// Raises it.
    pub fn set(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.1.notify_all();
    }

    /// Waits for it, if no longer than a little while; whether it was raised.
    pub fn wait(&self) -> bool {
        let guard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.1.wait_timeout_while(guard, LOOK, |finished| !*finished);
        *waited.map_or_else(|error| error.into_inner().0, |(guard, _)| guard)
    }
}

/// Does work on a thread of its own, without the GIL. Ctrl-C, and a progress callback that raises, cancel it; then it is
/// waited for, and the exception raised. A panic is an exception as well.
pub fn run<R: Send>(py: Python<'_>, progress: &Progress<'_>, work: impl FnOnce(&Control) -> R + Send) -> PyResult<R> {
    let (control, finished) = (Control::default(), Finished::default());
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().name("taquin".into()).spawn_scoped(scope, || {
            let result = catch_unwind(AssertUnwindSafe(|| work(&control)));
            finished.set();
            result
        });
        let worker = worker.map_err(|error| PyOSError::new_err(format!("a thread cannot be started: {error}")))?;
        let mut raised = None;
        while !py.detach(|| finished.wait()) {
            if raised.is_some() {
                continue;
            }
            let asked = py.check_signals().and_then(|()| progress.show(control.done.load(Ordering::Relaxed)));
            if let Err(error) = asked {
                control.cancel.cancel();
                raised = Some(error);
            }
        }
        let result = py.detach(|| worker.join()).and_then(|result| result).map_err(|panic| panicked(&*panic));
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
