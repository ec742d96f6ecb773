//! Interrupts: the first asks the run to stop, the second stops the process at once.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

/// How long after a first signal a run that cannot come to its end by itself – it may be waiting
/// for input that never comes – is given to write what is finished.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The flag that the first signal raises, and which signal it was.
#[derive(Clone, Default)]
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
    save: Arc<Mutex<Option<Save>>>,
}

/// What is done before the process is ended.
type Save = Box<dyn FnOnce() + Send>;

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
        for signal in [SIGINT, SIGTERM] {
            // In this order: the flag is not up yet when the first signal passes the first handler.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&interrupt.stop))?;
            flag::register_usize(signal, Arc::clone(&interrupt.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&interrupt.stop))?;
        }
        let save = Arc::clone(&interrupt.save);
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            if let Some(signal) = signals.forever().next() {
                std::thread::sleep(PATIENCE);
                let save = save.lock().unwrap_or_else(PoisonError::into_inner).take();
                if let Some(save) = save {
                    save();
                }
                std::process::exit(128 + signal);
            }
        })?;
        Ok(interrupt)
    }

    /// From now on this, and nothing else, is done before a run is ended that cannot come to its end by itself.
    pub fn before_exit(&self, save: impl FnOnce() + Send + 'static) {
        *self.save.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(save));
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
