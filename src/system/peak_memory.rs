//! The peak memory of the process.

/// Returns the maximum resident set size of this process in bytes, or `None` if the system does not
/// report it (`/proc/self/status` exists only on Linux).
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(kilobytes.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_in_use_is_counted() {
        let block = vec![1u8; 64 << 20];
        assert!(peak_memory().is_some_and(|peak| peak > block.len() as u64));
    }
}
