//! How much work is still to come, as far as it is known.
//!
//! The length of a stream is unknown, that of a file is not; and of any stream some of what is to come is in
//! memory before its boards are solved: a block, or what was read ahead of a pipe. Whether tables are worth building
//! depends on it. It is given as a *ratio*: how much is still to come for what has come so far. So a kind of board that
//! was met n times is expected n times the ratio more, whatever other records are in between.

/// The work that is still to come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RemainingWork {
    /// What is still to come, as a multiple of what has come so far.
    pub ratio: f64,
    /// Whether more than that may come.
    pub estimate: Estimate,
}

/// What is known about the end of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Estimate {
    /// The end is known: nothing else will come.
    Exact,
    /// The end is not known: more may come.
    AtLeast,
}

impl RemainingWork {
    /// Everything has come.
    pub const FINISHED: RemainingWork = RemainingWork { ratio: 0.0, estimate: Estimate::Exact };
}
