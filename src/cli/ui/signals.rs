//! Signal handling. The first signal asks the run to stop; the second stops the process at once.
//! Neither leaves an incomplete file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use super::ExitStatus;

/// The time that a run has to stop by itself after a first signal or the run limit. A run cannot
/// stop while, for example, it builds a table or waits for input that never comes. The process then
/// exits after this time, and the results in its output are complete lines. Users notice a delay of
/// more than a fifth of a second.
const PATIENCE: Duration = Duration::from_millis(150);

/// Like [`PATIENCE`], for a run that has results or snapshots of searches to write before it ends.
const LONG_PATIENCE: Duration = Duration::from_millis(1500);

/// The polling interval for a second signal.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// The stop flag, and the signal or run limit that set it.
#[derive(Clone, Default)]
pub struct Interrupt(Arc<InterruptState>);

#[derive(Default)]
struct InterruptState {
    stop: AtomicBool,
    /// The status of a run that a signal or the run limit has ended.
    status: Mutex<Option<ExitStatus>>,
    has_to_write: AtomicBool,
    exit: Mutex<Exit>,
}

/// The actions that must precede `exit`, which drops no values.
#[derive(Default)]
struct Exit {
    /// The incomplete file to remove.
    temporary: Option<PathBuf>,
    /// The function to call unless there was a second signal.
    save: Option<Box<dyn FnOnce() + Send>>,
}

impl Interrupt {
    /// Starts to listen for SIGINT and SIGTERM. The listener exits the process if a run cannot stop
    /// by itself.
    ///
    /// # Errors
    /// A message for the user.
    pub fn listen() -> Result<Interrupt, String> {
        Interrupt::try_listen().map_err(|error| format!("cannot listen for signals: {error}"))
    }

    fn try_listen() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let saving = Arc::new(AtomicBool::new(false));
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&saving))?;
        }
        let listener = interrupt.clone();
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            // A signal that came before this thread began is not lost.
            let Some(first) = signals.forever().next() else { return };
            listener.stop(ExitStatus::Interrupted(first as u8));
            let second = next_within(&mut signals, || listener.patience());
            // Another signal exits the process even while results are saved.
            saving.store(true, Ordering::Release);
            listener.exit(128 + second.unwrap_or(first), second.is_none());
        })?;
        Ok(interrupt)
    }

    /// Sets the stop flag after this time, unless the returned sender is dropped first. A limit of
    /// zero sets the flag before this function returns. If the run then cannot stop by itself, for
    /// example because it waits for input that never comes, the process exits.
    ///
    /// # Errors
    /// A message for the user.
    pub fn limit_run(&self, time: Duration) -> Result<Sender<()>, String> {
        if time.is_zero() {
            self.stop(ExitStatus::RunLimit);
        }
        let (interrupt, (running, ended)) = (self.clone(), mpsc::channel());
        let watch = move || {
            if is_ended_within(&ended, time) {
                return;
            }
            interrupt.stop(ExitStatus::RunLimit);
            let began = Instant::now();
            while let Some(left) = interrupt.patience().checked_sub(began.elapsed()) {
                if is_ended_within(&ended, left) {
                    return;
                }
            }
            interrupt.exit(ExitStatus::RunLimit.code().into(), true);
        };
        let spawned = std::thread::Builder::new().name("run-limit".into()).spawn(watch);
        spawned.map_err(|error| format!("cannot watch the time: {error}"))?;
        Ok(running)
    }

    /// Gives the run more time to stop, because it has something to write first.
    pub fn allow_time_to_write(&self) {
        self.0.has_to_write.store(true, Ordering::Release);
    }

    fn patience(&self) -> Duration {
        if self.0.has_to_write.load(Ordering::Acquire) { LONG_PATIENCE } else { PATIENCE }
    }

    /// Ends the process. Removes the temporary file and, if `saves`, calls the function that
    /// [`Interrupt::save_at_exit`] has set.
    fn exit(&self, status: i32, saves: bool) -> ! {
        let Exit { temporary, save } = std::mem::take(&mut *self.0.exit.lock());
        if let Some(path) = temporary {
            let _ = fs::remove_file(path);
        }
        if let Some(save) = save.filter(|_| saves) {
            save();
        }
        std::process::exit(status)
    }

    /// Sets the stop flag. A signal decides the status even if the run limit is reached, too.
    fn stop(&self, status: ExitStatus) {
        let mut current = self.0.status.lock();
        if !matches!(*current, Some(ExitStatus::Interrupted(_))) {
            *current = Some(status);
        }
        self.0.stop.store(true, Ordering::Release);
    }

    /// Sets the function to call if the run cannot stop by itself and the process is ended instead.
    /// It is not called after a second signal.
    pub fn save_at_exit(&self, save: impl FnOnce() + Send + 'static) {
        self.0.exit.lock().save = Some(Box::new(save));
    }

    /// Sets the temporary file to remove before the process exits, even after a second signal.
    pub fn remove_at_exit(&self, temporary: Option<&Path>) {
        self.0.exit.lock().temporary = temporary.map(Path::to_path_buf);
    }

    /// Returns the stop flag. It is set by a signal, by the run limit, and by a run that cannot
    /// continue for other reasons.
    pub fn flag(&self) -> &AtomicBool {
        &self.0.stop
    }

    /// Returns the status of a run that a signal or the run limit has ended.
    pub fn status(&self) -> Option<ExitStatus> {
        *self.0.status.lock()
    }
}

/// Waits for `time` or until the run ends and drops the sender. Returns true if the run ended.
pub(super) fn is_ended_within(ended: &Receiver<()>, time: Duration) -> bool {
    ended.recv_timeout(time) != Err(RecvTimeoutError::Timeout)
}

/// Returns the signal received within `time()`, if any. `time()` may grow during the wait.
fn next_within(signals: &mut Signals, time: impl Fn() -> Duration) -> Option<i32> {
    let began = Instant::now();
    while began.elapsed() < time() {
        if let Some(signal) = signals.pending().next() {
            return Some(signal);
        }
        std::thread::sleep(POLL_INTERVAL);
    }
    None
}

/// Turns a limit on the size of files (`ulimit -f`) into a write error, like a full disk. An
/// uncaught SIGXFSZ would end the process in the middle of a line.
///
/// # Errors
/// When the signal cannot be caught.
pub fn catch_file_size_limit() -> io::Result<()> {
    flag::register(SIGXFSZ, Arc::default())?;
    Ok(())
}
