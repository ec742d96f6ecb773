//! The number of boards to come after one, as far as known.
//!
//! Whether tables are worth building depends on it. It is given as a *ratio* of the input to come
//! to the input so far. If a kind of board has occurred n times, n times the ratio more are
//! expected, whatever is in between.

use std::fmt::Debug;
use std::sync::Arc;

/// The position of a board in its input: the amount up to and including it, and the amount after
/// it, in bytes or boards.
#[derive(Clone, Debug)]
pub struct ToCome {
    before: u64,
    after: u64,
    /// If the end of the input is not known: the stream, and the amount of it that was read.
    stream: Option<(Arc<dyn Stream>, u64)>,
}

/// An input whose end is not known.
pub trait Stream: Debug + Send + Sync {
    /// Returns the number of bytes known to come after the first `bytes`. It may wait until that is
    /// known.
    fn known_after(&self, bytes: u64) -> u64;
}

impl ToCome {
    /// Nothing is known to come.
    pub const NOTHING: ToCome = ToCome { before: 0, after: 0, stream: None };

    /// Creates a position from the amounts before and after a board.
    pub fn new(before: u64, after: u64) -> ToCome {
        ToCome { before, after, stream: None }
    }

    /// Creates a position in a stream of which `bytes` bytes were read.
    pub fn in_stream(before: u64, stream: Arc<dyn Stream>, bytes: u64) -> ToCome {
        ToCome { before, after: 0, stream: Some((stream, bytes)) }
    }

    /// Returns the position `bytes` earlier in the same input.
    #[must_use]
    pub fn earlier(&self, bytes: u64) -> ToCome {
        let (before, after) = (self.before.saturating_sub(bytes), self.after.saturating_add(bytes));
        ToCome { before, after, stream: self.stream.clone() }
    }

    /// Returns the amount known to come, as a multiple of the amount so far. For a stream, it waits
    /// until that is known.
    pub fn ratio(&self) -> f64 {
        let known = self.stream.as_ref().map_or(0, |(stream, bytes)| stream.known_after(*bytes));
        (self.after as f64 + known as f64) / self.before.max(1) as f64
    }
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
    fn what_is_to_come_is_a_multiple_of_what_has_come() {
        assert_eq!(ToCome::NOTHING.ratio(), 0.0);
        let of_ten = ToCome::new(4, 6);
        assert_eq!((of_ten.ratio(), of_ten.earlier(2).ratio(), of_ten.earlier(3).ratio()), (1.5, 4.0, 9.0));
        let streamed = ToCome::in_stream(40, Arc::new(Long(100)), 40);
        assert_eq!((streamed.ratio(), streamed.earlier(20).ratio()), (1.5, 4.0));
    }
}
