//! Interrupts: the first asks the run to stop, the second stops the process at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

/// How long after a first signal a run that cannot come to its end by itself – it may be waiting
/// for input that never comes – is given to write what is finished.
const PATIENCE: Duration = Duration::from_millis(1500);

/// The flag that the first signal sets, and which signal it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Interrupt {
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicI32>,
}

impl Interrupt {
    /// Listens for SIGINT and SIGTERM from now on.
    pub fn listen() -> io::Result<Interrupt> {
        let interrupt = Interrupt::default();
        for signal in [SIGINT, SIGTERM] {
            // In this order: the flag is not up yet when the first signal passes the first handler.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&interrupt.stop))?;
            flag::register(signal, Arc::clone(&interrupt.stop))?;
        }
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
        let listener = interrupt.clone();
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            if let Some(signal) = signals.forever().next() {
                listener.signal.store(signal, Ordering::Release);
                // The run ends by itself, unless its reader waits for input. Results are written as
                // chunks are finished, so there is nothing left to save.
                std::thread::sleep(PATIENCE);
                std::process::exit(128 + signal);
            }
        })?;
        Ok(interrupt)
    }

    /// True once a signal has come.
    pub fn flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The number of the signal that came.
    pub fn signal(&self) -> Option<u8> {
        if !self.stop.load(Ordering::Acquire) {
            return None;
        }
        // The listener may be a moment behind the flag.
        for _ in 0..100 {
            match self.signal.load(Ordering::Acquire) {
                0 => std::thread::sleep(Duration::from_millis(1)),
                signal => return u8::try_from(signal).ok(),
            }
        }
        Some(SIGINT as u8)
    }
}
