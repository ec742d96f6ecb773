//! Which candidates of a layer are kept: a count of their values, from which the greatest value that is kept follows as
//! they come.

/// Values that are told apart, counted from a base; greater ones count as the last.
const VALUES: usize = 1 << 13;

/// The cut of one layer.
pub(in crate::engine) struct Cut {
    counts: Vec<u32>,
    base: i32,
    width: usize,
    /// Candidates up to this value are taken.
    limit: usize,
    /// How many of those have come.
    taken: usize,
    least: usize,
    /// The greatest rank that was counted in this layer.
    most: usize,
}

impl Cut {
    pub(in crate::engine) fn new(width: usize) -> Cut {
        Cut { counts: vec![0; VALUES], base: 0, width, limit: VALUES - 1, taken: 0, least: VALUES, most: 0 }
    }

    /// A layer begins whose values are `base` or more; those above `limit` are not expected to be kept.
    pub(in crate::engine) fn begin_layer(&mut self, base: i32, limit: Option<i32>) {
        self.counts[..=self.most].fill(0);
        self.most = 0;
        self.base = base;
        let above = |limit: i32| (limit - base).clamp(0, VALUES as i32 - 1) as usize;
        self.limit = limit.map_or(VALUES - 1, above);
        self.taken = 0;
        self.least = VALUES;
    }

    /// The place of a value in the order.
    #[inline(always)]
    pub(in crate::engine) fn rank(&self, value: i32) -> usize {
        (value - self.base).clamp(0, VALUES as i32 - 1) as usize
    }

    /// Whether a candidate of this rank may still be kept.
    #[inline(always)]
    pub(in crate::engine) fn admits(&self, rank: usize) -> bool {
        rank <= self.limit
    }

    /// Counts a candidate.
    #[inline(always)]
    pub(in crate::engine) fn take(&mut self, rank: usize) {
        self.counts[rank] += 1;
        self.taken += 1;
        self.least = self.least.min(rank);
        self.most = self.most.max(rank);
        if self.taken >= self.width {
            self.limit = self.limit.min(self.most);
        }
        while self.limit > 0 && self.taken - self.counts[self.limit] as usize >= self.width {
            self.taken -= self.counts[self.limit] as usize;
            self.limit -= 1;
        }
    }

    /// The value above which no candidate is kept any more.
    pub(in crate::engine) fn limit_value(&self) -> i32 {
        if self.limit + 1 == VALUES { i32::MAX / 2 } else { self.base + self.limit as i32 }
    }

    /// The greatest value that is kept, if the layer is full.
    pub(in crate::engine) fn greatest(&self) -> Option<i32> {
        (self.taken >= self.width).then_some(self.base + self.limit as i32)
    }

    /// The least value that came.
    pub(in crate::engine) fn least(&self) -> i32 {
        self.base + self.least as i32
    }

    /// The rank up to which candidates are kept, and how many of that rank itself.
    pub(in crate::engine) fn kept(&self) -> (usize, usize) {
        let less = self.taken - self.counts[self.limit] as usize;
        (self.limit, self.width.saturating_sub(less))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever order they come in, as many of the smallest are kept as the layer is wide.
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
            let (limit, mut equal) = cut.kept();
            candidates.retain(|&value| {
                let rank = cut.rank(value);
                let last = rank == limit && equal > 0;
                equal -= usize::from(last);
                rank < limit || last
            });
            candidates.sort_unstable();
            let mut sorted = values.clone();
            sorted.sort_unstable();
            assert_eq!(candidates, sorted[..width]);
            assert_eq!((cut.least(), cut.greatest()), (sorted[0], Some(sorted[width - 1])));
        }
    }
}
