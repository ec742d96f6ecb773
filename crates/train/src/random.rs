//! Random numbers for training, from the generator SplitMix64 (Steele, Lea, Flood 2014). Its whole
//! state is one number, which checkpoints contain. The weights in `weights/` were trained with this
//! generator.

use taquin::internal::training::scramble;

/// A generator of random numbers. The field holds the seed at first, and then the state.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let word = scramble(self.0, 1);
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        word
    }

    /// Returns a number below `end`; smaller numbers are slightly more likely.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// Returns the numbers below `n` in a random order (Fisher and Yates).
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            items.swap(i, self.below(i + 1));
        }
        items
    }
}
