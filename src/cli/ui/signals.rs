//! Interrupts: the first asks the run to stop, the second stops the process at once. Neither leaves a file that is not whole.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

/// How long after a first signal a run that cannot come to its end by itself – it may be waiting
/// for input that never comes – is given to write what is finished.
const PATIENCE: Duration = Duration::from_millis(1500);

/// How often it is looked whether a second signal has come.
const LOOK: Duration = Duration::from_millis(5);

/// The flag that the first signal raises, and which signal it was.
#[derive(Clone, Default)]
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
    exit: Arc<Mutex<Exit>>,
    limit: Arc<RunLimit>,
}

/// The time that a whole run has.
#[derive(Default)]
struct RunLimit {
    reached: AtomicBool,
    /// The run has come to its end.
    over: Mutex<bool>,
    ended: Condvar,
}

/// What is done before the process is ended, in which nothing is dropped.
#[derive(Default)]
struct Exit {
    /// A file that is not whole: removed.
    temporary: Option<PathBuf>,
    /// Called, unless there was a second signal.
    save: Option<Box<dyn FnOnce() + Send>>,
}

impl Interrupt {
    /// Listens for SIGINT and SIGTERM from now on. A run that cannot come to its end by itself is ended here.
    ///
    /// # Errors
    /// A sentence for people.
    pub fn listen() -> Result<Interrupt, String> {
        Interrupt::try_listen().map_err(|error| format!("cannot listen for signals: {error}"))
    }

    fn try_listen() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        let saving = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&saving))?;
            flag::register_usize(signal, Arc::clone(&interrupt.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&interrupt.stop))?;
        }
        let exit = Arc::clone(&interrupt.exit);
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            let Some(first) = signals.forever().next() else { return };
            let second = next_within(&mut signals, PATIENCE);
            let Exit { temporary, save } = std::mem::take(&mut *exit.lock().unwrap_or_else(PoisonError::into_inner));
            if let Some(path) = temporary {
                let _ = fs::remove_file(path);
            }
            if let (None, Some(save)) = (second, save) {
                // Whoever cannot wait for this either has a signal left.
                saving.store(true, Ordering::Release);
                save();
            }
            std::process::exit(128 + second.unwrap_or(first));
        })?;
        Ok(interrupt)
    }

    /// Raises the flag after this time, unless [`Self::run_ended`] comes first; for no time at all, before this returns. A run that then cannot come to its end by itself – it may
    /// be waiting for input that never comes – is ended here, with this status.
    ///
    /// # Errors
    /// A sentence for people.
    pub fn limit_run(&self, time: Duration, status: u8) -> Result<(), String> {
        if time.is_zero() {
            self.raise_run_limit();
        }
        let interrupt = self.clone();
        let watch = move || {
            if interrupt.limit.is_over_within(time) {
                return;
            }
            interrupt.raise_run_limit();
            if interrupt.limit.is_over_within(PATIENCE) {
                return;
            }
            let exit = &interrupt.exit;
            let Exit { temporary, save } = std::mem::take(&mut *exit.lock().unwrap_or_else(PoisonError::into_inner));
            if let Some(path) = temporary {
                let _ = fs::remove_file(path);
            }
            if let Some(save) = save {
                save();
            }
            std::process::exit(status.into());
        };
        let spawned = std::thread::Builder::new().name("run-limit".into()).spawn(watch);
        spawned.map(drop).map_err(|error| format!("cannot watch the time: {error}"))
    }

    fn raise_run_limit(&self) {
        self.limit.reached.store(true, Ordering::Release);
        self.stop.store(true, Ordering::Release);
    }

    /// The run has come to its end: its limit of time has no more meaning.
    pub fn run_ended(&self) {
        *self.limit.over.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.limit.ended.notify_all();
    }

    /// True once the run's limit of time was reached.
    pub fn run_limit_reached(&self) -> bool {
        self.limit.reached.load(Ordering::Acquire)
    }

    /// From now on this is called before a run is ended that cannot come to its end by itself.
    pub fn before_exit(&self, save: impl FnOnce() + Send + 'static) {
        self.exit.lock().unwrap_or_else(PoisonError::into_inner).save = Some(Box::new(save));
    }

    /// From now on this file, if it is there, is removed before a run is ended, also by a second signal.
    pub fn remove_at_exit(&self, temporary: Option<&Path>) {
        self.exit.lock().unwrap_or_else(PoisonError::into_inner).temporary = temporary.map(Path::to_path_buf);
    }

    /// True once a signal has come; a run that cannot go on for other reasons raises it too.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The number of the signal that came.
    pub fn signal(&self) -> Option<u8> {
        u8::try_from(self.signal.load(Ordering::Acquire)).ok().filter(|&signal| signal > 0)
    }
}

impl RunLimit {
    /// Waits; whether the run ended meanwhile.
    fn is_over_within(&self, time: Duration) -> bool {
        let over = self.over.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.ended.wait_timeout_while(over, time, |over| !*over);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

/// The signal that comes within this time, if one does.
fn next_within(signals: &mut Signals, time: Duration) -> Option<i32> {
    let began = Instant::now();
    while began.elapsed() < time {
        if let Some(signal) = signals.pending().next() {
            return Some(signal);
        }
        std::thread::sleep(LOOK);
    }
    None
}

/// Makes a limit on the size of files (`ulimit -f`) an error of writing, like a full disk. Where SIGXFSZ is not caught it
/// ends the process in the middle of a line.
///
/// # Errors
/// When the system does not let it be caught.
pub fn catch_limit_on_files() -> io::Result<()> {
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::default())?;
    Ok(())
}
