//! Orders of tiles as Lehmer codes, and the change of their digits when a tile passes others.
//!
//! The tiles read row by row, without the blank, occupy k places. The digit of a place is the
//! number of later tiles that are smaller than the tile in this place, so place i has k − i
//! possible digits. Read as a mixed-radix number that begins with the digit of place 0, the digits
//! give each order a number from 0 (the tiles in order) to k! − 1. The sum of the digits is the
//! number of inversions.
//!
//! When the tiles of two adjacent places are exchanged, only their two digits change, and the
//! change depends only on these digits. So a tile that jumps from one place to another changes only
//! the digits of the places that it spans, and tables of its effect can be computed from digits
//! alone.

/// Returns n!, the number of orders of n tiles.
pub(crate) const fn factorial(n: usize) -> usize {
    if n < 2 { 1 } else { n * factorial(n - 1) }
}

/// Returns the weight of a place's digit in the number of an order of this many tiles.
pub(crate) const fn weight(tiles: usize, place: usize) -> usize {
    factorial(tiles - 1 - place)
}

/// Returns the weights of the digits of all places. The array's elements after these are 0.
pub(crate) fn weights<const PLACES: usize>(tiles: usize) -> [u32; PLACES] {
    std::array::from_fn(|place| if place < tiles { weight(tiles, place) as u32 } else { 0 })
}

/// The digits of consecutive places, beginning with `first`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Digits {
    digits: [u8; Digits::MAX_PLACES],
    first: usize,
    end: usize,
    tiles: usize,
}

impl Digits {
    /// Maximum number of places: one for each tile of a board of twelve cells.
    pub(crate) const MAX_PLACES: usize = 11;

    /// Splits a number into the digits of the places `first..end`, the last of which has weight 1:
    /// the inverse of [`Digits::number`].
    pub(crate) fn of(tiles: usize, first: usize, end: usize, mut number: usize) -> Digits {
        let mut digits = [0; Digits::MAX_PLACES];
        for place in (first..end).rev() {
            digits[place] = (number % (tiles - place)) as u8;
            number /= tiles - place;
        }
        debug_assert_eq!(number, 0);
        Digits { digits, first, end, tiles }
    }

    /// Returns the digits as a number in which the last place has weight 1.
    pub(crate) fn number(&self) -> usize {
        (self.first..self.end).fold(0, |number, place| number * (self.tiles - place) + usize::from(self.digits[place]))
    }

    /// Returns the order of the tiles 0, 1, 2 … that has these digits. The digits must cover all
    /// places.
    pub(crate) fn order(&self) -> [u8; Digits::MAX_PLACES] {
        debug_assert_eq!((self.first, self.end), (0, self.tiles));
        let (mut free, mut order) = ((1u32 << self.tiles) - 1, [0; Digits::MAX_PLACES]);
        for (tile, &digit) in order.iter_mut().zip(&self.digits[..self.tiles]) {
            // Exactly `digit` smaller tiles come later.
            *tile = (0..digit).fold(free, |rest, _| rest & (rest - 1)).trailing_zeros() as u8;
            free &= !(1 << *tile);
        }
        order
    }

    /// Returns the number of combinations of digits of the places `first..end`.
    pub(crate) fn count(tiles: usize, first: usize, end: usize) -> usize {
        (first..end).map(|place| tiles - place).product()
    }

    /// Returns true if the sum of the digits is odd. If the digits cover all places, this sum is
    /// the number of inversions.
    pub(crate) fn is_odd(&self) -> bool {
        self.digits[self.first..self.end].iter().map(|&digit| usize::from(digit)).sum::<usize>() % 2 == 1
    }

    /// Returns the digits after a tile has jumped from one place to another and the tiles in
    /// between have shifted.
    pub(crate) fn after_jump(mut self, from: usize, to: usize) -> Digits {
        debug_assert!(from.min(to) >= self.first && from.max(to) < self.end);
        if from < to {
            (from..to).for_each(|place| self.exchange(place));
        } else {
            (to..from).rev().for_each(|place| self.exchange(place));
        }
        self
    }

    /// Exchanges the tiles of a place and the next one.
    fn exchange(&mut self, place: usize) {
        let (left, right) = (self.digits[place], self.digits[place + 1]);
        // The greater tile's digit counts the smaller tile only while the greater one comes first.
        (self.digits[place], self.digits[place + 1]) = if left > right { (right, left - 1) } else { (right + 1, left) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    fn digits_of(order: &[u8]) -> Digits {
        let tiles = order.len();
        let digit = |place: usize| order[place + 1..].iter().filter(|&&tile| tile < order[place]).count();
        let number = (0..tiles).fold(0, |number, place| number * (tiles - place) + digit(place));
        Digits::of(tiles, 0, tiles, number)
    }

    /// For every order of six tiles and every jump, the changed digits match the resulting order.
    #[test]
    fn jumps_of_digits_match_jumps_of_orders() {
        let tiles = 6;
        let mut seen = std::collections::BTreeSet::new();
        let mut order: Vec<u8> = (0..tiles as u8).collect();
        let mut random = Random::new(1);
        while seen.len() < factorial(tiles) {
            order.swap(random.index(tiles), random.index(tiles));
            let digits = digits_of(&order);
            if !seen.insert(digits.number()) {
                continue;
            }
            let inversions = (0..tiles).flat_map(|i| (i..tiles).map(move |j| (i, j)));
            let odd = inversions.filter(|&(i, j)| order[i] > order[j]).count() % 2 == 1;
            assert_eq!(digits.is_odd(), odd);
            assert_eq!(digits.order()[..tiles], order);
            for (from, to) in (0..tiles).flat_map(|from| (0..tiles).map(move |to| (from, to))) {
                let mut jumped = order.clone();
                let tile = jumped.remove(from);
                jumped.insert(to, tile);
                assert_eq!(digits.after_jump(from, to), digits_of(&jumped), "{order:?} {from} to {to}");
            }
        }
        assert_eq!(seen.last(), Some(&(factorial(tiles) - 1)));
    }

    #[test]
    fn numbers_and_digits_are_inverse() {
        for (tiles, first, end) in [(5, 0, 5), (7, 2, 7), (11, 1, 5), (11, 7, 11), (9, 3, 6)] {
            for number in 0..Digits::count(tiles, first, end) {
                assert_eq!(Digits::of(tiles, first, end, number).number(), number);
            }
        }
        assert_eq!((factorial(11), weight(11, 0), weight(11, 10)), (39_916_800, 3_628_800, 1));
    }
}
