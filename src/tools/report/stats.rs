//! The solved boards of one kind, by the length of their solutions.

/// The maximum number of bins. Almost all published distributions have fewer lengths.
pub const MAX_BINS: u64 = 80;

/// The solved boards of a kind.
#[derive(Default, Debug)]
pub struct KindStats {
    /// The number of boards.
    pub boards: u64,
    /// The sum of the lengths of their solutions.
    moves: u128,
    /// The greatest length.
    pub max_moves: u64,
    /// The number of boards by length, from 0 moves to the bin of the greatest length. Bin `n`
    /// begins at `n` times the width.
    pub bins: Vec<u64>,
    /// The number of times that the width of the bins was doubled, to have at most [`MAX_BINS`].
    doublings: u32,
}

impl KindStats {
    /// Adds a board.
    pub fn add(&mut self, moves: u64) {
        self.boards += 1;
        self.moves += u128::from(moves);
        self.max_moves = self.max_moves.max(moves);
        while moves >> self.doublings >= MAX_BINS {
            self.doublings += 1;
            self.bins = self.bins.chunks(2).map(|bins| bins.iter().sum()).collect();
        }
        let at = (moves >> self.doublings) as usize;
        self.bins.resize(self.bins.len().max(at + 1), 0);
        self.bins[at] += 1;
    }

    /// Returns the number of lengths in a bin.
    pub fn width(&self) -> u64 {
        1 << self.doublings
    }

    /// Returns the mean length of the solutions of at least one board.
    pub fn mean(&self) -> f64 {
        self.moves as f64 / self.boards as f64
    }
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
                stats.add(first + at);
                stats.add(first + count - 1 - at);
            }
            assert!(stats.bins.len() as u64 <= MAX_BINS, "{first} {count}");
            for (at, &boards) in (0..).zip(&stats.bins) {
                let lengths = at * stats.width()..(at + 1) * stats.width();
                assert_eq!(boards, 2 * lengths.filter(|length| (first..first + count).contains(length)).count() as u64);
            }
            assert_eq!(stats.bins.iter().sum::<u64>(), 2 * count);
            assert_eq!((stats.boards, stats.max_moves), (2 * count, first + count - 1));
            assert_eq!(stats.mean(), first as f64 + (count - 1) as f64 / 2.0);
        }
    }

    #[test]
    fn the_largest_numbers_fit() {
        let mut stats = KindStats::default();
        [u64::MAX, 0, u64::MAX].into_iter().for_each(|moves| stats.add(moves));
        assert!(stats.bins.len() as u64 <= MAX_BINS);
        assert_eq!((stats.bins[0], *stats.bins.last().unwrap()), (1, 2));
    }
}
