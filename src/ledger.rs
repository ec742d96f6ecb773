//! What tables may take in memory together: each is entered before it is built, and what it took for a while is given back.

use std::sync::atomic::{AtomicU64, Ordering};

/// What tables take, in bytes. It is known before they are built.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Footprint {
    /// The most while they are built.
    pub peak: u64,
    /// What stays of it: no more than that.
    pub kept: u64,
}

/// Bytes that are still free for tables, whichever space they are for.
#[derive(Debug)]
pub struct Ledger(AtomicU64);

impl Ledger {
    /// So many bytes are free.
    pub fn new(bytes: u64) -> Ledger {
        Ledger(AtomicU64::new(bytes))
    }

    /// Builds tables of this footprint; `None` where that much is not free, or where nothing came of it.
    pub fn build<T>(&self, of: Footprint, build: impl FnOnce() -> Option<T>) -> Option<T> {
        if !self.take(of.peak) {
            return None;
        }
        let built = build();
        self.give_back(of.peak - built.as_ref().map_or(0, |_| of.kept));
        built
    }

    /// Takes bytes, if that many are free.
    ///
    /// `Relaxed` is enough: the number alone decides, and it guards no other memory.
    fn take(&self, bytes: u64) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |free| free.checked_sub(bytes)).is_ok()
    }

    fn give_back(&self, bytes: u64) {
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

    #[test]
    fn what_is_built_keeps_its_part_and_what_is_not_keeps_nothing() {
        let (ledger, of) = (Ledger::new(100), Footprint { peak: 60, kept: 30 });
        assert_eq!(ledger.build(of, || None::<()>), None);
        // While the first is built there is no room for a second; when it is, there is.
        assert_eq!(ledger.build(of, || Some(ledger.build(of, || Some(())))), Some(None));
        assert_eq!(ledger.build(of, || Some(())), Some(()));
        assert_eq!(ledger.build(of, || Some(())), None);
        assert!(!ledger.take(41) && ledger.take(40));
    }
}
