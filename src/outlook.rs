//! What is known of the boards still to come.
//!
//! The length of a stream is unknown, that of a file is not; and of any stream the next block is in
//! memory before its boards are solved. Whoever considers what to prepare for should know that. It is told as a
//! *ratio*: how much is still to come for what has come. So a kind of board that was met n times
//! is expected n times the ratio more, whatever other records there are between.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// How much is still to come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outlook {
    /// At least so many times what has come so far.
    pub more: f64,
    /// Whether that is all.
    pub end: End,
}

/// Whether it is known where a stream ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Nothing else will come.
    Known,
    /// More may come.
    Open,
}

impl Outlook {
    /// Nothing is known.
    pub const NONE: Outlook = Outlook { more: 0.0, end: End::Open };
    /// Everything has come.
    pub const OVER: Outlook = Outlook { more: 0.0, end: End::Known };
}

/// The latest outlook, written by who reads and read by who solves.
///
/// It is advice, and no answer depends on it: its two parts are written and read without any order
/// (`Relaxed`), and may for a moment be of two outlooks.
#[derive(Debug)]
pub(crate) struct Latest {
    more: AtomicU64,
    known: AtomicBool,
}

impl Latest {
    pub(crate) fn set(&self, outlook: Outlook) {
        self.more.store(outlook.more.to_bits(), Ordering::Relaxed);
        self.known.store(outlook.end == End::Known, Ordering::Relaxed);
    }

    pub(crate) fn get(&self) -> Outlook {
        let end = if self.known.load(Ordering::Relaxed) { End::Known } else { End::Open };
        Outlook { more: f64::from_bits(self.more.load(Ordering::Relaxed)), end }
    }
}

impl Default for Latest {
    fn default() -> Latest {
        let none = Outlook::NONE.more.to_bits();
        Latest { more: AtomicU64::new(none), known: AtomicBool::new(false) }
    }
}
