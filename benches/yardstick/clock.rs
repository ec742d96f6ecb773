//! Processor time of one thread, and peak memory of the process.

use std::time::{Duration, Instant};

/// Runs `work` on this thread, and returns its result and its processor time.
///
/// Unlike wall time, processor time excludes other processes on a shared machine. Only Linux
/// reports it in the way used here; on other systems, this returns wall time.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (before, began) = (thread_time(), Instant::now());
    let result = work();
    let wall = began.elapsed();
    let spent = before.and_then(|before| thread_time()?.checked_sub(before));
    (result, spent.unwrap_or(wall))
}

/// Returns the processor time of this thread so far. The kernel updates it at every tick, so it may
/// be some milliseconds old.
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// Returns the peak memory of this process in bytes.
pub fn peak_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// Returns the median duration.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
