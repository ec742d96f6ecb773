//! The amount of work to come, as far as known.
//!
//! The length of a stream is unknown, unlike that of a file. But some of the remaining input of any
//! stream is in memory before its boards are solved: a block, or what was read ahead from a pipe.
//! Whether tables are worth building depends on it. The amount is given as a *ratio* of what is to
//! come to what has come so far. If a kind of board has occurred n times, n times the ratio more
//! are expected, whatever other records are in between.

/// The work that is still to come.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RemainingWork {
    /// The work to come, as a multiple of what has come so far.
    pub ratio: f64,
    /// If more than that may come.
    pub estimate: Estimate,
}

/// The knowledge about the end of a stream.
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
