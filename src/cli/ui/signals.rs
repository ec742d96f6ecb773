//! Interrupts: the first asks the run to stop, the second stops the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

/// How long after a first signal a run that cannot come to its end by itself – it may be waiting
/// for input that never comes – is given to write what is finished.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The flag that the first signal raises, and which signal it was.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Listens for SIGINT and SIGTERM from now on. A run that cannot come to its end by itself is
    /// ended here, after `save` was called.
    pub fn listen(save: impl FnOnce() + Send + 'static) -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the flag is not up yet when the first signal passes the first handler.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&interrupt.stop))?;
            flag::register_usize(signal, Arc::clone(&interrupt.signal), signal as usize)?;
            flag::register(signal, Arc::clone(&interrupt.stop))?;
        }
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            if let Some(signal) = signals.forever().next() {
                std::thread::sleep(PATIENCE);
                save();
                std::process::exit(128 + signal);
            }
        })?;
        Ok(interrupt)
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
