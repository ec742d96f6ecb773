//! How far it is worth to climb, by what is known of the boards still to come.
//!
//! Pure: times in, a number of stages out, so that a table of cases tests it.

use crate::system::{Estimate, RemainingWork};

/// Where it was not measured, a stage is supposed to solve boards this many times as fast as the one below it. Too low a
/// number only climbs later.
pub(super) const GAIN: f64 = 2.0;

/// The fewest boards whose mean time says something about those to come: one in a hundred takes ten times the mean.
pub(super) const SAMPLE: u64 = 16;

/// From so many on those to come are supposed to take half of that mean at least, at the foot of a ladder; the first boards at a stage take
/// longer than others, as its tables are in no cache.
pub(super) const SMALL_SAMPLE: u64 = 4;

/// The boards that were solved at one height of a ladder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    /// Which height.
    pub(super) height: usize,
    /// How many.
    pub(super) boards: u64,
    /// What they took, in microseconds of processor time.
    pub(super) spent: u64,
    /// How many boards were solved at any height.
    pub(super) solved: u64,
}

/// A stage above.
#[derive(Clone, Copy, Debug)]
pub(super) struct Above {
    /// What it takes to be built, in microseconds.
    pub(super) price: u64,
    /// How many times as fast it is as the one below it.
    pub(super) gain: f64,
}

/// How many stages to climb, by the mean time of the boards at this height.
///
/// `None`: it cannot be known yet. `Some(0)`, because the boards to come are too few to pay for any, is an
/// answer only where the end of the stream is known. `waiting` boards are known to come. Where a random board is known to take `random`
/// microseconds at this height, it is not the mean of these alone that decides.
pub(super) fn stages(
    stay: &Stay,
    random: Option<f64>,
    waiting: u64,
    remaining_work: &RemainingWork,
    above: impl Iterator<Item = Above>,
) -> Option<usize> {
    let part = match stay.boards {
        SAMPLE.. => 1.0,
        SMALL_SAMPLE.. if stay.height == 0 => 0.5,
        _ => return None,
    };
    // What the boards to come would take at this height.
    let takes = part * mean(stay, random) * to_come(stay, waiting, remaining_work);
    let best = cheapest(takes, above);
    let is_known = best > 0 || remaining_work.estimate == Estimate::Exact && stay.boards >= SAMPLE;
    is_known.then_some(best)
}

/// What a board takes at this height, in microseconds.
///
/// Times are spread widely: the mean of a hundred is wrong by a fifth, that of twenty sometimes three times too high. Where it may be that of
/// random boards, it is taken together with theirs.
fn mean(stay: &Stay, random: Option<f64>) -> f64 {
    const AS_SURE_AS: f64 = 100.0;
    const PARTS: std::ops::Range<f64> = 1.0 / 3.0..10.0;
    let (boards, spent) = (stay.boards as f64, stay.spent as f64);
    match random {
        Some(random) if PARTS.contains(&(spent / boards / random)) => {
            (spent + AS_SURE_AS * random) / (boards + AS_SURE_AS)
        }
        _ => spent / boards,
    }
}

/// What a search over tables takes before its first node, in placements of tiles that take as long: 25 µs.
const OVERHEAD: f64 = 6e3;

/// How many times as fast boards are solved at the next stage, where a random one takes `below` at a stage and `above` at the next, and these take
/// `mean`; in placements of tiles.
///
/// Searches grow by a power of what is left to search; so do gains. Boards that take no longer than a search takes to begin gain nothing.
pub(super) fn gain(mean: f64, below: f64, above: f64) -> f64 {
    let [mean, below_overhead] = [mean, below].map(|placements| (placements / OVERHEAD).ln());
    match below_overhead > 0.0 {
        true => (below / above).powf((mean / below_overhead).clamp(0.0, 1.0)),
        false => below / above,
    }
}

/// How many stages to climb when a board has taken so long that the boards of this file are not easy ones.
///
/// What those to come take is not known yet. It is supposed that they are like those that were solved and one that takes
/// `random` microseconds, as a random board does at this height. `waiting` boards are known to come.
pub(super) fn stages_for_hard(
    stay: &Stay,
    random: f64,
    waiting: u64,
    remaining_work: &RemainingWork,
    above: impl Iterator<Item = Above>,
) -> usize {
    let mean = (stay.spent as f64 + random) / (stay.boards + 1) as f64;
    for_random(mean, to_come(stay, waiting, remaining_work), above)
}

/// How many stages to climb for so many boards that take so much as random ones do in the mean; times, or what else is proportional to
/// them.
///
/// A single one may take a hundredth or a hundred times of that. Before a stage is built for it that costs much, one comes that costs next to
/// nothing.
pub(super) fn for_random(mean: f64, to_come: f64, above: impl Iterator<Item = Above>) -> usize {
    const SINGLE: f64 = 1.5;
    const NEXT_TO_NOTHING: u64 = 16;
    let above: Vec<Above> = above.collect();
    let best = cheapest(mean * to_come, above.iter().copied());
    match best {
        2.. if to_come < SINGLE && above[0].price * NEXT_TO_NOTHING <= above[best - 1].price => 1,
        _ => best,
    }
}

/// How many boards are still to come where so many wait.
pub(super) fn to_come(stay: &Stay, waiting: u64, remaining_work: &RemainingWork) -> f64 {
    waiting as f64 + (stay.solved + waiting) as f64 * remaining_work.ratio
}

/// How many stages to climb when the boards at this height have taken as long as the next stage would, and are too few to say what others
/// take: one, unless it is known that those to come are too few for that. `waiting` boards are known to come.
pub(super) fn stages_for_few(
    stay: &Stay,
    waiting: u64,
    remaining_work: &RemainingWork,
    above: impl Iterator<Item = Above>,
) -> usize {
    if remaining_work.estimate == Estimate::AtLeast {
        return 1;
    }
    let takes = stay.spent as f64 / stay.boards.max(1) as f64 * to_come(stay, waiting, remaining_work);
    cheapest(takes, above).min(1)
}

/// How long a board may take before the next stage is known to pay, in microseconds. Then those to come pay for it though they take but half as
/// long in the mean as those so far, this one among them; it counts as one of [`SMALL_SAMPLE`] at least. `waiting` boards are known to come,
/// with this one.
pub(super) fn shows_after(stay: &Stay, waiting: u64, remaining_work: &RemainingWork, next: Above) -> u64 {
    let boards = (stay.boards + 1).max(SMALL_SAMPLE) as f64;
    let saved = 0.5 * to_come(stay, waiting, remaining_work) * (1.0 - 1.0 / next.gain);
    (next.price as f64 / saved * boards - stay.spent as f64) as u64
}

/// The stage from which boards that take so long at this height are solved soonest, its building included; none if that saves less than a tenth.
/// What they save is a guess, what it costs is not.
fn cheapest(mut takes: f64, above: impl Iterator<Item = Above>) -> usize {
    const PART: f64 = 0.9;
    let (mut best, mut least) = (0, PART * takes);
    for (index, Above { price, gain }) in above.enumerate() {
        takes /= gain;
        if price as f64 + takes < least {
            (best, least) = (index + 1, price as f64 + takes);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three stages that cost 0.1, 1 and 4 seconds.
    fn above(gains: [f64; 3]) -> impl Iterator<Item = Above> {
        [100_000, 1_000_000, 4_000_000].into_iter().zip(gains).map(|(price, gain)| Above { price, gain })
    }

    /// Boards of 10 ms each.
    fn climbs(boards: u64, to_come: f64, estimate: Estimate) -> Option<usize> {
        let stay = Stay { height: 0, boards, spent: boards * 10_000, solved: boards };
        let remaining_work = RemainingWork { ratio: to_come / boards as f64, estimate };
        stages(&stay, None, 0, &remaining_work, above([GAIN; 3]))
    }

    #[test]
    fn the_more_boards_are_to_come_the_higher() {
        // 0.1 s of work ahead is not worth 0.1 s; 1 s is worth that, and not 1 s more; 10 s and 100 s.
        for (to_come, best) in [(0.0, 0), (10.0, 0), (100.0, 1), (1_000.0, 2), (10_000.0, 3), (1e9, 3)] {
            assert_eq!(climbs(20, to_come, Estimate::Exact), Some(best), "{to_come}");
        }
    }

    /// A random board takes a second in the mean, and each stage is a hundred times as fast as the one below it.
    #[test]
    fn a_single_random_board_has_the_cheap_stage_first() {
        let stages = |prices: [u64; 3]| prices.into_iter().map(|price| Above { price, gain: 100.0 });
        for (to_come, prices, best) in [
            (1.0, [10, 1_000, 2_000], 1),
            (2.0, [10, 1_000, 2_000], 2),
            (1.0, [100, 1_000, 2_000], 2),
            (1.0, [100_000, 1_000_000, 2_000_000], 1),
            (1.0, [2_000_000, 2_000_000, 2_000_000], 0),
        ] {
            assert_eq!(for_random(1_000_000.0, to_come, stages(prices)), best, "{to_come} {prices:?}");
        }
    }

    #[test]
    fn a_stream_whose_end_is_open_may_be_longer_than_what_is_seen_of_it() {
        assert_eq!(climbs(20, 10.0, Estimate::AtLeast), None);
        assert_eq!(climbs(20, 1_000.0, Estimate::AtLeast), Some(2));
    }

    /// 20 boards to come are worth the first stage, if they are like those that came; 80 also if they take half.
    #[test]
    fn a_few_boards_say_little() {
        assert_eq!(climbs(SMALL_SAMPLE - 1, 1e9, Estimate::Exact), None);
        for (boards, to_come, best) in [
            (SMALL_SAMPLE, 1e9, Some(3)),
            (SMALL_SAMPLE, 80.0, Some(1)),
            (SMALL_SAMPLE, 30.0, None),
            (SAMPLE - 1, 30.0, None),
            (SAMPLE, 30.0, Some(1)),
            (SAMPLE, 20.0, Some(0)),
        ] {
            assert_eq!(climbs(boards, to_come, Estimate::Exact), best, "{boards} {to_come}");
        }
    }

    #[test]
    fn a_mean_that_may_be_that_of_random_boards_is_taken_together_with_theirs() {
        let mean =
            |boards, each, random| mean(&Stay { height: 1, boards, spent: boards * each, solved: boards }, random);
        assert_eq!(mean(50, 3_000, Some(1_500.0)), 2_000.0);
        assert_eq!(mean(20, 9_000, Some(1_200.0)), 2_500.0);
        assert_eq!(mean(10_000, 3_030, Some(2_020.0)), 3_020.0);
        // Easy ones, and those of which nothing is known.
        assert_eq!((mean(50, 100, Some(1_500.0)), mean(50, 3_000, None)), (100.0, 3_000.0));
    }

    #[test]
    fn easy_boards_gain_less() {
        let of = |mean: f64| gain(mean, 2.1e6, 470e3);
        assert!((of(2.1e6) - 4.47).abs() < 0.01 && of(1e9) == of(2.1e6), "{}", of(2.1e6));
        // Walks of 45 moves: 50 µs where each placement takes 4.2 ns. They were found to take 40 at the next stage.
        assert!((1.1..1.3).contains(&of(12e3)), "{}", of(12e3));
        assert_eq!((of(6e3), of(0.0)), (1.0, 1.0));
        // A stage at which random boards take no longer than that.
        assert_eq!(gain(1e3, 5e3, 500.0), 10.0);
    }

    #[test]
    fn for_the_last_boards_nothing_is_built_though_it_would_have_paid() {
        let few = |to_come: u64, estimate| {
            let stay = Stay { height: 0, boards: 4, spent: 120_000, solved: 4 };
            stages_for_few(&stay, to_come, &RemainingWork { ratio: 0.0, estimate }, above([GAIN; 3]))
        };
        // 30 ms each, and half of that above: 0.1 s to build it saves a tenth for nine.
        for (to_come, best) in [(0, 0), (8, 0), (9, 1), (1_000, 1)] {
            assert_eq!(few(to_come, Estimate::Exact), best, "{to_come}");
            assert_eq!(few(to_come, Estimate::AtLeast), 1, "{to_come}");
        }
    }

    /// A stage of 0.1 s that takes no time thereafter, after three boards of 10 ms in all.
    #[test]
    fn a_board_shows_sooner_the_more_are_to_come() {
        let after = |to_come: u64, gain| {
            let stay = Stay { height: 0, boards: 3, spent: 10_000, solved: 3 };
            shows_after(&stay, to_come, &RemainingWork::FINISHED, Above { price: 100_000, gain })
        };
        for (to_come, milliseconds) in [(8, 90), (80, 0), (20, 30), (40, 10)] {
            assert_eq!(after(to_come, 1e9) / 1_000, milliseconds, "{to_come}");
        }
        assert_eq!((after(20, 2.0) / 1_000, after(20, 1.0)), (70, u64::MAX));
    }

    #[test]
    fn what_was_solved_below_counts_among_those_to_come() {
        // Half a second of work for the boards at this height, but it had solved ten times as many before.
        let stay = Stay { height: 1, boards: 50, spent: 500_000, solved: 500 };
        let remaining_work = RemainingWork { ratio: 1.0, estimate: Estimate::Exact };
        let above = || [1_000_000, 20_000_000].into_iter().map(|price| Above { price, gain: GAIN });
        let stages = |stay: &Stay, waiting, remaining_work: &RemainingWork, above| {
            stages(stay, None, waiting, remaining_work, above)
        };
        assert_eq!(stages(&stay, 0, &remaining_work, above()), Some(1));
        // And those that wait.
        let few = RemainingWork { ratio: 0.0, ..remaining_work };
        assert_eq!(stages(&stay, 50, &few, above()), Some(0));
        assert_eq!(stages(&stay, 500, &few, above()), Some(1));
        assert_eq!(stages(&Stay { solved: 50, ..stay }, 0, &remaining_work, above()), Some(0));
    }

    /// Random boards of 30 ms: by how many wait, with gains of 4.
    #[test]
    fn a_hard_board_at_the_head_of_a_file_tells_how_far_to_climb() {
        let stay = Stay { height: 0, boards: 0, spent: 0, solved: 0 };
        for (waiting, best) in [(1, 0), (5, 0), (6, 1), (30, 1), (100, 1), (300, 2), (3_000, 3)] {
            let climbed = stages_for_hard(&stay, 30_000.0, waiting, &RemainingWork::FINISHED, above([4.0; 3]));
            assert_eq!(climbed, best, "{waiting}");
        }
        // What is not read yet counts as well.
        let half = RemainingWork { ratio: 9.0, estimate: Estimate::Exact };
        assert_eq!(stages_for_hard(&stay, 30_000.0, 300, &half, above([4.0; 3])), 3);
        // One hard board after many easy ones says little of those to come.
        let easy = Stay { height: 0, boards: 300, spent: 30_000, solved: 300 };
        assert_eq!(stages_for_hard(&easy, 30_000.0, 300, &RemainingWork::FINISHED, above([4.0; 3])), 0);
    }
}
