//! Memory on an engine's account, as far as the system reports it.

/// What one engine holds now, and the most it held, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Account {
    held: u64,
    peak: u64,
}

impl Account {
    /// The account after the engine was at work, where the process held `before` bytes when the peak was reset.
    pub(super) fn after(self, before: u64) -> Option<Account> {
        Some(self.entered(before, status("VmHWM:")?, status("VmRSS:")?))
    }

    /// With what the process held before, at most and after.
    fn entered(self, before: u64, most: u64, after: u64) -> Account {
        let peak = self.peak.max(self.held + most.saturating_sub(before));
        Account { held: (self.held + after).saturating_sub(before), peak }
    }

    pub(super) fn peak(&self) -> u64 {
        self.peak
    }
}

/// Begins a new peak; gives the memory in use now.
pub(super) fn reset_peak() -> Option<u64> {
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    status("VmRSS:")
}

fn status(field: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kilobytes = status.lines().find_map(|line| line.strip_prefix(field)?.trim().strip_suffix(" kB"))?;
    kilobytes.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two engines by turns: one builds 100 with 20 more on the way and keeps them, its second board takes 30; the
    /// other's 500 come between and are given back.
    #[test]
    fn each_engine_has_its_own_account() {
        let [mut tables, mut sets] = [Account::default(); 2];
        tables = tables.entered(10, 130, 110);
        sets = sets.entered(110, 610, 110);
        tables = tables.entered(110, 140, 110);
        assert_eq!((tables.peak(), sets.peak()), (130, 500));
        assert_eq!((tables.held, sets.held), (100, 0));
    }
}
