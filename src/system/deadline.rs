//! Work that must end at a deadline and knows only a stop flag.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// Runs a function that a flag can stop, and sets that flag at `end` or soon after `stop` is set.
pub fn stopped_at<T>(end: Option<Instant>, stop: &AtomicBool, run: impl FnOnce(&AtomicBool) -> T) -> T {
    /// The interval at which `stop` is checked.
    const INTERVAL: Duration = Duration::from_millis(10);
    let Some(end) = end else { return run(stop) };
    let (flag, is_done, done) = (AtomicBool::new(false), Mutex::new(false), Condvar::new());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut is_done = is_done.lock();
            while !*is_done && !flag.load(Ordering::Relaxed) {
                done.wait_until(&mut is_done, end.min(Instant::now() + INTERVAL));
                flag.fetch_or(stop.load(Ordering::Relaxed) || Instant::now() >= end, Ordering::Relaxed);
            }
        });
        let result = run(&flag);
        *is_done.lock() = true;
        done.notify_one();
        result
    })
}
