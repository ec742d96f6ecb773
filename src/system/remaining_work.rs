//! The remaining work, as far as it is known, from which the progress is estimated.
//!
//! The length of a stream is unknown, unlike that of a file. But some of a stream's remaining input
//! is in memory before its boards are solved: a block, or data read ahead from a pipe. The
//! remaining work is the *ratio* of the input still to come to the input so far.

/// The remaining work.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RemainingWork {
    /// The remaining work as a multiple of the work so far.
    pub ratio: f64,
    /// The accuracy of the ratio.
    pub accuracy: Accuracy,
}

/// The accuracy of a ratio.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accuracy {
    /// The exact ratio: the end of the input is known.
    Exact,
    /// A lower bound: the end of the input is not known, so there may be more work.
    AtLeast,
}

impl RemainingWork {
    /// No remaining work.
    pub const FINISHED: RemainingWork = RemainingWork { ratio: 0.0, accuracy: Accuracy::Exact };
}
