//! Small random numbers, the same on every machine: SplitMix64 (Steele, Lea, Flood, *Fast splittable pseudorandom number
//! generators*, OOPSLA 2014). For samples, keys, tests and benchmarks, which all draw from this one; boards to order are
//! drawn by another, whose output is fixed for users (`tools/generate/random.rs`).

const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// A generator; the number is its seed.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is small enough that nobody minds how much likelier the first ones are.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// Puts items into a random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// The numbers below `n` in a random order.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n).collect();
        self.shuffle(&mut items);
        items
    }
}

/// A number that looks random, another one for every number: of the seed 0, the `number`-th.
pub fn scramble(number: u64) -> u64 {
    Random(number.wrapping_sub(1).wrapping_mul(GAMMA)).bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers from the seed 0, as the authors' program gives them.
    #[test]
    fn numbers_are_those_published() {
        let published = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        let mut random = Random(0);
        assert_eq!([(); 3].map(|()| random.bits()), published);
        assert_eq!([1, 2, 3].map(scramble), published);
    }
}
