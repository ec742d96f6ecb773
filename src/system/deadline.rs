//! Deadlines for work that checks only a stop flag.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Runs a function with a flag that is set at `end`, or soon after `stop` is set.
pub fn stopped_at<T>(end: Option<Instant>, stop: &AtomicBool, run: impl FnOnce(&AtomicBool) -> T) -> T {
    /// The interval at which `stop` is checked.
    const INTERVAL: Duration = Duration::from_millis(10);
    let Some(end) = end else { return run(stop) };
    let flag = &AtomicBool::new(false);
    let (running, ended) = channel::<()>();
    thread::scope(|scope| {
        // Nothing is sent. The channel closes when the function returns or panics.
        let _running = running;
        scope.spawn(move || {
            let remaining = || end.saturating_duration_since(Instant::now());
            while ended.recv_timeout(remaining().min(INTERVAL)) == Err(RecvTimeoutError::Timeout) {
                if stop.load(Ordering::Relaxed) || remaining().is_zero() {
                    flag.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        run(flag)
    })
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::catch_unwind;

    use super::*;

    fn after(time: Duration) -> Option<Instant> {
        Some(Instant::now() + time)
    }

    fn wait(flag: &AtomicBool) {
        while !flag.load(Ordering::Relaxed) {
            thread::yield_now();
        }
    }

    #[test]
    fn the_flag_is_set_at_the_deadline_and_after_a_stop() {
        let stop = AtomicBool::new(false);
        stopped_at(after(Duration::from_millis(1)), &stop, wait);
        stop.store(true, Ordering::Relaxed);
        stopped_at(after(Duration::from_secs(3600)), &stop, wait);
        stopped_at(None, &stop, wait);
    }

    /// A panic is not held back until the deadline, which this test would never reach.
    #[test]
    fn a_panic_does_not_wait_for_the_deadline() {
        let panics =
            || stopped_at(after(Duration::from_secs(1 << 30)), &AtomicBool::new(false), |_| panic!("expected"));
        assert!(catch_unwind(panics).is_err());
    }
}
