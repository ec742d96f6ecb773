//! What tables may take in memory together: each is entered before it is built, and what it took for a while is given back.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that are still free for tables, whichever space they are for.
#[derive(Debug)]
pub struct Ledger(AtomicU64);

impl Ledger {
    /// So many bytes are free.
    pub fn new(bytes: u64) -> Ledger {
        Ledger(AtomicU64::new(bytes))
    }

    /// Takes bytes, if that many are free.
    ///
    /// `Relaxed` is enough: the number alone decides, and it guards no other memory.
    pub fn take(&self, bytes: u64) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |free| free.checked_sub(bytes)).is_ok()
    }

    /// Gives bytes back that were taken.
    pub fn give_back(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_taken_than_there_is() {
        let ledger = Ledger::new(100);
        assert!(ledger.take(60) && !ledger.take(41) && ledger.take(40) && !ledger.take(1));
        ledger.give_back(50);
        assert!(!ledger.take(51) && ledger.take(50));
    }
}
