//! The random number generator: the same numbers for the same seed, on every machine and in every
//! version.
//!
//! It is ChaCha with 8 rounds (D. J. Bernstein, *ChaCha, a variant of Salsa20*, 2008). The key is
//! the seed as eight little-endian bytes, then 24 zero bytes. A seed has numbered streams. Each
//! generated board has its own stream, so the k-th board depends neither on the number of other
//! boards nor on the threads. The output is read as little-endian 64-bit words.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// A random number generator.
#[derive(Debug)]
pub struct Random(ChaCha8Rng);

impl Random {
    /// Creates a generator for the first stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random::stream(seed, 0)
    }

    /// Creates a generator for a numbered stream of a seed.
    pub fn stream(seed: u64, stream: u64) -> Random {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut words = ChaCha8Rng::from_seed(key);
        words.set_stream(stream);
        Random(words)
    }

    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Returns a uniformly distributed number below `n`: a word modulo n, rejecting words in the
    /// incomplete last range of n values.
    ///
    /// # Panics
    /// If `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "there is no number below 0");
        let surplus = (u64::MAX % n + 1) % n;
        loop {
            let word = self.bits();
            if word <= u64::MAX - surplus {
                return word % n;
            }
        }
    }

    /// Returns a random index below `len`.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(len as u64) as usize
    }

    /// Shuffles items: swaps each, from the last to the second, with itself or a random earlier one
    /// (R. Durstenfeld 1964). Every order is equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.index(last + 1));
        }
    }

    /// Returns the numbers below `n` in a random order.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut items: Vec<usize> = (0..n).collect();
        self.shuffle(&mut items);
        items
    }
}

/// Returns a pseudorandom hash of two numbers: the `number`-th word of SplitMix64 for a seed
/// (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014). Beam
/// searches, estimates and samples use this hash, so a change of it would change their results.
pub fn scramble(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published key stream of ChaCha8 for an all-zero key and nonce begins with
    /// 3e00ef2f895f40d6 7f5bb8e81f09a5a1.
    #[test]
    fn words_match_published_chacha8() {
        let mut rng = Random::new(0);
        assert_eq!([rng.bits(), rng.bits()], [0xd640_5f89_2fef_003e, 0xa1a5_091f_e8b8_5b7f]);
    }

    #[test]
    fn numbers_are_below_the_bound_and_uniform() {
        let mut rng = Random::stream(1, 2);
        let mut counts = [0; 7];
        for _ in 0..7000 {
            counts[rng.index(7)] += 1;
        }
        // The mean is 1,000; six standard deviations are 176.
        assert!(counts.iter().all(|count| (824..=1176).contains(count)), "{counts:?}");
        assert_eq!(rng.below(1), 0);
        for n in [1 << 63, (1 << 63) + 1, u64::MAX] {
            assert!(rng.below(n) < n);
        }
    }

    #[test]
    fn streams_and_seeds_differ() {
        let first = |seed, number| Random::stream(seed, number).below(u64::MAX);
        assert_ne!(first(0, 0), first(0, 1));
        assert_ne!(first(0, 0), first(1, 0));
        assert_eq!(first(5, 9), first(5, 9));
    }

    /// The first words for seed 0, from the authors' program.
    #[test]
    fn words_match_the_published_ones() {
        let published = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        assert_eq!([1, 2, 3].map(|number| scramble(0, number)), published);
    }
}
