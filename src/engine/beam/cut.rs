//! The selection of a layer's members: a histogram of the candidates' values, which gives the
//! cut-off value while candidates arrive.

/// The number of distinct ranks, counted from the base value. Greater values get the last rank.
const RANKS: usize = 1 << 13;

/// The cut-off of the current layer.
pub(in crate::engine) struct Cut {
    counts: Vec<u32>,
    base: i32,
    width: usize,
    /// Candidates up to this rank are accepted.
    limit: usize,
    /// The number of accepted candidates with ranks up to the limit.
    taken: usize,
    /// The smallest rank counted in this layer.
    least: usize,
    /// The greatest rank counted in this layer.
    greatest: usize,
}

impl Cut {
    pub(in crate::engine) fn new(width: usize) -> Cut {
        Cut { counts: vec![0; RANKS], base: 0, width, limit: RANKS - 1, taken: 0, least: RANKS, greatest: 0 }
    }

    /// Begins a layer whose values are at least `base`. Values above `limit` are rejected from the
    /// start.
    pub(in crate::engine) fn begin_layer(&mut self, base: i32, limit: Option<i32>) {
        self.counts[..=self.greatest].fill(0);
        self.greatest = 0;
        self.base = base;
        let rank = |limit: i32| (limit - base).clamp(0, RANKS as i32 - 1) as usize;
        self.limit = limit.map_or(RANKS - 1, rank);
        self.taken = 0;
        self.least = RANKS;
    }

    #[inline(always)]
    pub(in crate::engine) fn rank(&self, value: i32) -> usize {
        (value - self.base).clamp(0, RANKS as i32 - 1) as usize
    }

    /// Returns true if a candidate of this rank may still be kept.
    #[inline(always)]
    pub(in crate::engine) fn admits(&self, rank: usize) -> bool {
        rank <= self.limit
    }

    /// Counts a candidate. Once there are `width` candidates, lowers the limit to the rank of the
    /// `width`-th smallest.
    #[inline(always)]
    pub(in crate::engine) fn take(&mut self, rank: usize) {
        self.counts[rank] += 1;
        self.taken += 1;
        self.least = self.least.min(rank);
        self.greatest = self.greatest.max(rank);
        if self.taken >= self.width {
            self.limit = self.limit.min(self.greatest);
        }
        while self.limit > 0 && self.taken - self.counts[self.limit] as usize >= self.width {
            self.taken -= self.counts[self.limit] as usize;
            self.limit -= 1;
        }
    }

    /// Returns the value above which candidates are no longer kept.
    pub(in crate::engine) fn limit_value(&self) -> i32 {
        if self.limit + 1 == RANKS { i32::MAX / 2 } else { self.base + self.limit as i32 }
    }

    /// Returns the greatest value kept, if the layer is full.
    pub(in crate::engine) fn greatest_kept(&self) -> Option<i32> {
        (self.taken >= self.width).then_some(self.base + self.limit as i32)
    }

    /// Returns the smallest value counted.
    pub(in crate::engine) fn least(&self) -> i32 {
        self.base + self.least as i32
    }

    /// Returns the selection among the candidates, which must be visited in their order.
    pub(in crate::engine) fn selection(&self) -> Selection {
        let less = self.taken - self.counts[self.limit] as usize;
        Selection { limit: self.limit, ties_left: self.width.saturating_sub(less) }
    }
}

/// The candidates that are kept: those with ranks below the limit, and the first ones at the limit.
pub(in crate::engine) struct Selection {
    limit: usize,
    ties_left: usize,
}

impl Selection {
    /// Returns true if the next candidate, which has this rank, is kept.
    #[inline(always)]
    pub(in crate::engine) fn keeps(&mut self, rank: usize) -> bool {
        if rank > self.limit || rank == self.limit && self.ties_left == 0 {
            return false;
        }
        self.ties_left -= usize::from(rank == self.limit);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In any order of arrival, the smallest `width` candidates are kept.
    #[test]
    fn the_smallest_are_kept() {
        let mut random = crate::system::Random::new(1);
        for width in [1, 2, 7, 100] {
            let mut cut = Cut::new(width);
            cut.begin_layer(-50, None);
            let values: Vec<i32> = (0..500).map(|_| random.index(300) as i32 - 50).collect();
            let mut candidates = Vec::new();
            for &value in &values {
                let rank = cut.rank(value);
                if cut.admits(rank) {
                    cut.take(rank);
                    candidates.push(value);
                }
            }
            let mut selection = cut.selection();
            candidates.retain(|&value| selection.keeps(cut.rank(value)));
            candidates.sort_unstable();
            let mut sorted = values.clone();
            sorted.sort_unstable();
            assert_eq!(candidates, sorted[..width]);
            assert_eq!((cut.least(), cut.greatest_kept()), (sorted[0], Some(sorted[width - 1])));
        }
    }
}
