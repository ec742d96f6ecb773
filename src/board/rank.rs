//! A perfect ranking of a frame's states, and its inverse.

use super::digits::{Digits, factorial, weights};
use super::{Cell, MAX_SEARCH_CELLS, Shape, State};

/// A perfect ranking of a frame's solvable states: a bijection to `0..states`.
///
/// On n cells, the rank is the blank's cell × (n−1)!/2 + ⌊order/2⌋. The order is the factorial-base
/// (Lehmer) number of the n−1 tiles, read row by row without the blank. Two orders with the same
/// ⌊order/2⌋ differ by a swap of the last two tiles, so exactly one of them is solvable with the
/// blank in that cell.
#[derive(Clone, Debug)]
pub struct Ranking {
    shape: Shape,
    goal_blank: usize,
    /// The number of solvable orders for each cell of the blank: (n−1)!/2.
    orders_per_cell: u32,
    /// `weights[i]`: the weight of the i-th digit.
    weights: [u32; Ranking::MAX_CELLS],
    /// Four bits per home: the number of tiles with a smaller home.
    smaller: u64,
}

impl Ranking {
    /// Maximum number of cells: 12!/2 = 239,500,800 states. The next shape, 2×7, has 43.6 billion.
    pub const MAX_CELLS: usize = 12;

    /// A one in each field of four bits.
    const ONES: u64 = 0x1111_1111_1111_1111;

    /// Returns the ranking of a frame; `None` for a single row or column, or too many cells.
    pub fn new(shape: Shape, goal_blank: Cell) -> Option<Ranking> {
        let cells = shape.cells();
        if shape.is_line() || cells > Self::MAX_CELLS {
            return None;
        }
        let tiles = cells - 1;
        let goal_blank = goal_blank.index();
        let tiles_below = |home: usize| (home - usize::from(home > goal_blank)) as u64;
        let smaller = (0..cells).fold(0, |fields, home| fields | tiles_below(home) << (4 * home));
        Some(Ranking {
            shape,
            goal_blank,
            orders_per_cell: factorial(tiles) as u32 / 2,
            weights: weights(tiles),
            smaller,
        })
    }

    /// Returns the shape whose states are ranked.
    #[cfg(test)]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Returns the number of solvable states: n!/2.
    #[inline]
    pub fn states(&self) -> usize {
        self.orders_per_cell as usize * self.shape.cells()
    }

    /// Returns the rank of a solvable state of this frame.
    #[inline]
    pub fn rank(&self, state: &State) -> usize {
        state.blank().index() * self.orders_per_cell as usize + (self.order(state) / 2) as usize
    }

    /// Returns the factorial-base number of the order of a state's tiles, not halved.
    #[inline]
    pub fn order(&self, state: &State) -> u32 {
        // Four bits per home: the number of smaller tiles not yet read. Each tile that is read
        // lowers the count of every larger one. Unlike counting bits, this needs no instruction
        // that old processors lack.
        let (mut smaller, mut order, mut digit) = (self.smaller, 0, 0);
        for &home in state.homes(self.shape.cells()) {
            let home = usize::from(home);
            if home == self.goal_blank {
                continue;
            }
            order += (smaller >> (4 * home) & 15) as u32 * self.weights[digit];
            smaller = smaller.wrapping_sub(Self::ONES << (4 * (home + 1)));
            digit += 1;
        }
        order
    }

    /// Returns the state of a rank: the inverse of [`Ranking::rank`].
    ///
    /// # Panics
    /// If the rank is not below [`Ranking::states`].
    pub fn unrank(&self, rank: usize) -> State {
        assert!(rank < self.states(), "rank {rank} of {} states", self.states());
        let (cells, tiles) = (self.shape.cells(), self.shape.cells() - 1);
        let blank = Cell::new(rank / self.orders_per_cell as usize);
        let number = rank % self.orders_per_cell as usize * 2;
        let [even, odd] = [number, number + 1].map(|number| Digits::of(tiles, 0, tiles, number));
        let digits = if even.is_odd() == self.is_odd_with(blank) { even } else { odd };
        let mut order = digits.order().into_iter();
        let mut homes = [0; MAX_SEARCH_CELLS];
        for (cell, home) in homes.iter_mut().enumerate().take(cells) {
            *home = self.goal_blank as u8;
            if cell != blank.index()
                && let Some(tile) = order.next()
            {
                *home = tile + u8::from(usize::from(tile) >= self.goal_blank);
            }
        }
        State::from_homes(homes, blank)
    }

    /// Returns true if the orders that are solvable with the blank in this cell have an odd number
    /// of inversions. Only the blank's distance in rows from its goal cell matters: a horizontal
    /// move does not change the order, and a vertical move takes a tile past cols − 1 others.
    fn is_odd_with(&self, blank: Cell) -> bool {
        let rows = self.shape.row(blank).abs_diff(self.shape.row(Cell::new(self.goal_blank)));
        rows * (self.shape.cols() - 1) % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Solvable;

    fn rankings() -> impl Iterator<Item = (Shape, Cell, Ranking)> {
        [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3)].into_iter().flat_map(|(rows, cols)| {
            let shape = Shape::new(rows, cols).unwrap();
            (0..shape.cells())
                .map(move |blank| (shape, Cell::new(blank), Ranking::new(shape, Cell::new(blank)).unwrap()))
        })
    }

    #[test]
    fn every_rank_has_a_solvable_state_with_this_rank() {
        for (shape, goal_blank, ranking) in rankings() {
            for rank in 0..ranking.states() {
                let state = ranking.unrank(rank);
                assert_eq!(ranking.rank(&state), rank, "{shape} {goal_blank:?}");
                assert!(Solvable::check(state, shape, goal_blank).is_some(), "{shape} {state:?}");
            }
        }
    }

    #[test]
    fn numbers_of_states() {
        let states = |rows, cols| Ranking::new(Shape::new(rows, cols).unwrap(), Cell::new(0)).unwrap().states();
        assert_eq!(states(3, 3), 181_440);
        assert_eq!(states(2, 5), 1_814_400);
        assert_eq!(states(3, 4), 239_500_800);
        assert!(Ranking::new(Shape::new(1, 6).unwrap(), Cell::new(0)).is_none());
        assert!(Ranking::new(Shape::new(3, 5).unwrap(), Cell::new(0)).is_none());
    }

    #[test]
    fn sampled_states_of_ten_cells_have_their_rank() {
        let shape = Shape::new(2, 5).unwrap();
        let ranking = Ranking::new(shape, Cell::new(9)).unwrap();
        for rank in (0..ranking.states()).step_by(61) {
            assert_eq!(ranking.rank(&ranking.unrank(rank)), rank);
        }
    }
}
