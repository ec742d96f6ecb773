//! What was spent: processor time of one thread, and the most memory the process has had.

use std::time::{Duration, Instant};

/// Runs something on this thread; what it returns, and its processor time.
///
/// The processor time does not count what neighbours on a shared machine take, the wall does. Where
/// the system does not report it (anywhere but Linux), it is the wall time.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (before, began) = (thread_time(), Instant::now());
    let done = work();
    let wall = began.elapsed();
    let spent = before.and_then(|before| thread_time()?.checked_sub(before));
    (done, spent.unwrap_or(wall))
}

/// The processor time of this thread so far; the kernel counts it up to its last tick, some milliseconds ago.
fn thread_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}

/// The most memory that this process ever held, in bytes.
pub fn peak_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? << 10)
}

/// The middle one of some durations.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
