//! How far it is worth to climb, by what is known of the boards still to come.
//!
//! Pure: times in, a number of stages out, so that a table of cases tests it.

use crate::system::{Estimate, RemainingWork};

/// A stage solves boards at least this many times as fast as the one below it. On 4×4 it is three to
/// five times (`benches/README.md`, "Searches"); too low a number only climbs later.
const GAIN: f64 = 2.0;

/// The fewest boards whose mean time says something about those to come: one in a hundred takes ten times the mean.
const SAMPLE: u64 = 16;

/// The boards that were solved at one height of a ladder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    /// How many.
    pub(super) boards: u64,
    /// What they took, in microseconds of processor time.
    pub(super) spent: u64,
    /// How many boards were solved at any height.
    pub(super) solved: u64,
}

/// How many stages to climb, given what each of those above takes to be built, in microseconds.
///
/// `None`: it cannot be known yet. `Some(0)`, because the boards to come are too few to pay for any, is an
/// answer only where the end of the stream is known.
pub(super) fn stages(stay: &Stay, remaining_work: &RemainingWork, prices: impl Iterator<Item = u64>) -> Option<usize> {
    if stay.boards < SAMPLE {
        return None;
    }
    // What the boards to come would take at this height.
    let mut takes = stay.spent as f64 / stay.boards as f64 * stay.solved as f64 * remaining_work.ratio;
    let (mut best, mut least) = (0, takes);
    for (above, price) in prices.enumerate() {
        takes /= GAIN;
        if price as f64 + takes < least {
            (best, least) = (above + 1, price as f64 + takes);
        }
    }
    (best > 0 || remaining_work.estimate == Estimate::Exact).then_some(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boards of 10 ms each, and three stages that cost 0.1, 1 and 4 seconds.
    fn climbs(boards: u64, to_come: f64, estimate: Estimate) -> Option<usize> {
        let stay = Stay { boards, spent: boards * 10_000, solved: boards };
        let remaining_work = RemainingWork { ratio: to_come / boards as f64, estimate };
        stages(&stay, &remaining_work, [100_000, 1_000_000, 4_000_000].into_iter())
    }

    #[test]
    fn the_more_boards_are_to_come_the_higher() {
        // 0.1 s of work ahead is not worth 0.1 s; 1 s is worth that, and not 1 s more; 10 s and 100 s.
        for (to_come, best) in [(0.0, 0), (10.0, 0), (100.0, 1), (1_000.0, 2), (10_000.0, 3), (1e9, 3)] {
            assert_eq!(climbs(20, to_come, Estimate::Exact), Some(best), "{to_come}");
        }
    }

    #[test]
    fn a_stream_whose_end_is_open_may_be_longer_than_what_is_seen_of_it() {
        assert_eq!(climbs(20, 10.0, Estimate::AtLeast), None);
        assert_eq!(climbs(20, 1_000.0, Estimate::AtLeast), Some(2));
    }

    #[test]
    fn a_few_boards_say_nothing() {
        assert_eq!(climbs(SAMPLE - 1, 1e9, Estimate::Exact), None);
        assert_eq!(climbs(SAMPLE, 1e9, Estimate::Exact), Some(3));
    }

    #[test]
    fn what_was_solved_below_counts_among_those_to_come() {
        // Half a second of work for the boards at this height, but it had solved ten times as many before.
        let stay = Stay { boards: 50, spent: 500_000, solved: 500 };
        let remaining_work = RemainingWork { ratio: 1.0, estimate: Estimate::Exact };
        assert_eq!(stages(&stay, &remaining_work, [1_000_000, 20_000_000].into_iter()), Some(1));
        assert_eq!(stages(&Stay { solved: 50, ..stay }, &remaining_work, [1_000_000, 20_000_000].into_iter()), Some(0));
    }
}
