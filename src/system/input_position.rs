//! The position of a board in its input. It decides whether tables are worth building.
//!
//! What matters is a *ratio*: the amount of input known to follow, divided by the amount so far. If
//! a kind of board has occurred n times, n × ratio more are expected, whatever other records are in
//! between.

use std::fmt::Debug;
use std::sync::Arc;

/// The position of a board in its input: the amount up to and including it, and the amount after
/// it, in bytes or boards.
#[derive(Clone, Debug)]
pub struct InputPosition {
    so_far: u64,
    after: u64,
    /// If the end of the input is not known: the stream, and the number of bytes read from it.
    stream: Option<(Arc<dyn Stream>, u64)>,
}

/// An input of unknown length.
pub trait Stream: Debug + Send + Sync {
    /// Returns the number of bytes known to follow the first `bytes`. May wait for the input.
    fn known_after(&self, bytes: u64) -> u64;
}

impl InputPosition {
    /// A position after which no input is known to follow.
    pub const END: InputPosition = InputPosition { so_far: 0, after: 0, stream: None };

    /// Creates a position from the amount up to and including a board, and the amount after it.
    pub fn new(so_far: u64, after: u64) -> InputPosition {
        InputPosition { so_far, after, stream: None }
    }

    /// Creates a position in a stream: `so_far` is the amount of all inputs up to it, and `bytes`
    /// is its place in this stream, for [`Stream::known_after`].
    pub fn in_stream(so_far: u64, stream: Arc<dyn Stream>, bytes: u64) -> InputPosition {
        InputPosition { so_far, after: 0, stream: Some((stream, bytes)) }
    }

    /// Returns the position that is earlier by this amount in the same input.
    #[must_use]
    pub fn earlier(&self, amount: u64) -> InputPosition {
        let (so_far, after) = (self.so_far.saturating_sub(amount), self.after.saturating_add(amount));
        InputPosition { so_far, after, stream: self.stream.clone() }
    }

    /// Returns the amount known to follow, as a multiple of the amount so far. In a stream, this
    /// may wait, as [`Stream::known_after`] does.
    pub fn ratio(&self) -> f64 {
        let in_stream = self.stream.as_ref().map_or(0, |(stream, bytes)| stream.known_after(*bytes));
        (self.after as f64 + in_stream as f64) / self.so_far.max(1) as f64
    }
}

/// The remaining work, as far as it is known, from which the progress is estimated.
///
/// The length of a stream is unknown, unlike that of a file. But some of a stream's remaining input
/// is in memory before its boards are solved: a block, or data read ahead from a pipe. The
/// remaining work is stated as a *ratio*: the input still to come, divided by the input so far.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Long(u64);

    impl Stream for Long {
        fn known_after(&self, bytes: u64) -> u64 {
            self.0 - bytes
        }
    }

    #[test]
    fn the_ratio_is_of_later_to_earlier_input() {
        assert_eq!(InputPosition::END.ratio(), 0.0);
        let fourth = InputPosition::new(4, 6);
        assert_eq!((fourth.ratio(), fourth.earlier(2).ratio(), fourth.earlier(3).ratio()), (1.5, 4.0, 9.0));
        let streamed = InputPosition::in_stream(40, Arc::new(Long(100)), 40);
        assert_eq!((streamed.ratio(), streamed.earlier(20).ratio()), (1.5, 4.0));
    }
}
