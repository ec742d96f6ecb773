//! A pseudorandom hash of numbers: the words of SplitMix64 (Steele, Lea, Flood, *Fast splittable
//! pseudorandom number generators*, OOPSLA 2014). Beams derive their keys from it, so it affects
//! the paths that they find.

/// Returns the `number`-th word for a seed.
pub fn scramble(seed: u64, number: u64) -> u64 {
    let mut z = seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first words for seed 0, from the authors' program.
    #[test]
    fn words_match_the_published_ones() {
        let published = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        assert_eq!([1, 2, 3].map(|number| scramble(0, number)), published);
    }
}
