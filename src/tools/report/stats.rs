//! Sums over the solved boards of one kind, by the length of their solutions.

/// The maximum number of bins. Almost all published distributions have fewer lengths.
pub const MAX_BINS: u64 = 80;

/// The count, sum and maximum of a set of numbers.
#[derive(Clone, Copy, Default, Debug)]
pub struct NumberStats {
    pub count: u64,
    sum: u128,
    pub max: u64,
}

impl NumberStats {
    fn add(&mut self, number: u64) {
        self.merge(&NumberStats { count: 1, sum: number.into(), max: number });
    }

    fn merge(&mut self, other: &NumberStats) {
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    /// Returns the mean of at least one number.
    pub fn mean(&self) -> f64 {
        self.sum as f64 / self.count as f64
    }
}

/// The boards whose solution lengths are in a range, and the effort of solving them.
#[derive(Clone, Copy, Default, Debug)]
pub struct Bin {
    pub boards: u64,
    pub nodes: NumberStats,
    pub time_us: NumberStats,
}

/// The solved boards of a kind.
#[derive(Default, Debug)]
pub struct KindStats {
    /// The lengths of the solutions.
    pub moves: NumberStats,
    /// The boards by length, from 0 moves to the bin of the largest length. Bin `n` begins at `n`
    /// times the width.
    pub bins: Vec<Bin>,
    /// The number of times that the width of the bins was doubled, to have at most [`MAX_BINS`].
    doublings: u32,
}

impl KindStats {
    /// Adds a board, with the effort if it was measured.
    pub fn add(&mut self, moves: u64, nodes: Option<u64>, time_us: Option<u64>) {
        self.moves.add(moves);
        while moves >> self.doublings >= MAX_BINS {
            self.doublings += 1;
            self.bins = self.bins.chunks(2).map(joined).collect();
        }
        let at = (moves >> self.doublings) as usize;
        if self.bins.len() <= at {
            self.bins.resize(at + 1, Bin::default());
        }
        let bin = &mut self.bins[at];
        bin.boards += 1;
        nodes.into_iter().for_each(|nodes| bin.nodes.add(nodes));
        time_us.into_iter().for_each(|time_us| bin.time_us.add(time_us));
    }

    /// Returns the number of lengths in a bin.
    pub fn width(&self) -> u64 {
        1 << self.doublings
    }
}

fn joined(bins: &[Bin]) -> Bin {
    let mut all = Bin::default();
    for bin in bins {
        all.boards += bin.boards;
        all.nodes.merge(&bin.nodes);
        all.time_us.merge(&bin.time_us);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_in_one_bin() {
        for (first, count) in [(0, 1), (0, 80), (0, 81), (0, 160), (1, 160), (79, 161), (1, 241), (3, 4094), (4095, 2)]
        {
            let mut stats = KindStats::default();
            // From both ends, so that bins are joined early and late.
            for at in 0..count {
                stats.add(first + at, Some(at), None);
                stats.add(first + count - 1 - at, None, Some(1));
            }
            assert!(stats.bins.len() as u64 <= MAX_BINS, "{first} {count}");
            for (at, bin) in (0..).zip(&stats.bins) {
                let lengths = at * stats.width()..(at + 1) * stats.width();
                let boards = 2 * lengths.filter(|length| (first..first + count).contains(length)).count() as u64;
                assert_eq!((bin.boards, bin.nodes.count, bin.time_us.count), (boards, boards / 2, boards / 2));
            }
            assert_eq!(stats.bins.iter().map(|bin| bin.boards).sum::<u64>(), 2 * count);
            assert_eq!((stats.moves.count, stats.moves.max), (2 * count, first + count - 1));
            assert_eq!(stats.moves.mean(), first as f64 + (count - 1) as f64 / 2.0);
        }
    }

    #[test]
    fn the_largest_numbers_fit() {
        let mut stats = KindStats::default();
        for moves in [u64::MAX, 0, u64::MAX] {
            stats.add(moves, Some(moves), None);
        }
        assert!(stats.bins.len() as u64 <= MAX_BINS);
        assert_eq!((stats.bins[0].boards, stats.bins.last().unwrap().boards), (1, 2));
        assert_eq!(stats.bins.last().unwrap().nodes.mean(), u64::MAX as f64);
    }
}
