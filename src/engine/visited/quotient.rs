//! Quotienting: the position of a key determines a part of the key, and this part is not stored.
//!
//! A *line* is a cache line of slots. A key is mixed by a *bijection* of its w bits. The home line
//! of a mixed key h is ⌊h · L / 2^w⌋ for L lines. The remainder is the lower w bits of the product
//! h · L without the lowest ⌊log₂ L⌋ of them. Home and remainder determine h: if two keys have the
//! same home, their products differ only in the lower w bits, and by at least L ≥ 2^⌊log₂ L⌋. So
//! the two keys have different remainders. L need not be a power of two. Knuth, TAOCP 3, exercise
//! 6.4-13; Cleary 1984, "Compact hash tables using bidirectional linear probing".
//!
//! From their home, keys probe lines at offsets 0, 1, 3, 6, 10 …, and the number of the step is
//! stored with the remainder. If keys probed adjacent lines, full lines would merge into long runs,
//! and the step's number would need more bits. Growing steps scatter the keys of a full line. If
//! each key probes up to 31 lines, a set of 10⁶ states can be filled to a load of 0.8 with one-word
//! slots, 0.75 with two-word slots (test `sets_fill_beyond_the_planned_load`).
//!
//! Cost: three multiplications from a key to its home, and a 128-bit division back, which is needed
//! only to list the members.

/// The width of a stored step in bits. Steps are stored plus 1; 0 marks an empty slot.
const STEP_BITS: u32 = 5;

/// The maximum number of lines in which a key is looked up.
const MAX_REACH: usize = (1 << STEP_BITS) - 1;

/// How keys are mixed and divided into a home line and a stored remainder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quotienting {
    /// The number of bits in a mixed key; at most 63.
    width: u32,
    /// The number of home lines. Invariant: 1 ≤ lines ≤ 2^width, lines ≥ 2^`implied_bits`.
    lines: u64,
    /// ⌊log₂ lines⌋: the number of bits that the position implies.
    implied_bits: u32,
    /// The number of lines in which a key is looked up: 1 ≤ reach ≤ 31.
    pub(super) reach: usize,
    /// The number of bits in a remainder below its highest three.
    below_eighths: u32,
}

/// The home line and the remainder of a mixed key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Home {
    pub(super) line: usize,
    pub(super) remainder: u64,
}

impl Quotienting {
    /// Returns the quotienting of keys of `width` bits in `lines` lines, or in fewer lines if there
    /// are fewer possible keys, or in more if a tag would otherwise exceed `tag_bits` bits.
    pub(super) fn new(width: u32, lines: usize, tag_bits: u32) -> Quotienting {
        assert!((1..64).contains(&width));
        let min_lines = 1u64 << (width + STEP_BITS).saturating_sub(tag_bits);
        let lines = (lines as u64).clamp(min_lines, 1 << width);
        let implied_bits = lines.ilog2();
        let below_eighths = (width - implied_bits).saturating_sub(3);
        Quotienting { width, lines, implied_bits, reach: MAX_REACH.min(lines as usize), below_eighths }
    }

    /// Returns the number of home lines.
    pub(super) fn lines(&self) -> usize {
        self.lines as usize
    }

    /// Returns the number of lines to allocate. They include those to which steps from the last
    /// homes lead, so no step has to wrap.
    pub(super) fn lines_with_tail(&self) -> usize {
        self.lines as usize + distance(self.reach - 1)
    }

    /// Mixes a key by a bijection of the numbers below 2^width, in which every bit of the key
    /// affects the high bits.
    #[inline]
    fn mix(&self, key: u64) -> u64 {
        let (mask, half) = (self.mask(), self.half());
        let x = key ^ key >> half;
        let x = x.wrapping_mul(FACTOR) & mask;
        let x = x ^ x >> half;
        x.wrapping_mul(FACTOR) & mask
    }

    /// Inverts [`Quotienting::mix`].
    fn unmix(&self, mixed: u64) -> u64 {
        let (mask, half) = (self.mask(), self.half());
        let x = mixed.wrapping_mul(INVERSE) & mask;
        let x = x ^ x >> half;
        let x = x.wrapping_mul(INVERSE) & mask;
        x ^ x >> half
    }

    /// Returns the home of a key of `width` bits.
    #[inline]
    pub(super) fn home(&self, key: u64) -> Home {
        debug_assert!(key <= self.mask());
        let product = u128::from(self.mix(key) << (64 - self.width)) * u128::from(self.lines);
        // The shift is 64 if there are 2^width lines. Then these 64 bits are all 0, and a shift of
        // 63 gives the same remainder, 0.
        let remainder = (product as u64) >> (64 - self.width + self.implied_bits).min(63);
        Home { line: (product >> 64) as usize, remainder }
    }

    /// Returns the number (0 to 7) of the word of the home line at which the probe for a key
    /// begins: the highest three bits of the remainder, or the whole remainder if it is shorter.
    #[inline]
    pub(super) fn eighth(&self, home: Home) -> usize {
        (home.remainder >> self.below_eighths) as usize & 7
    }

    /// Inverts [`Quotienting::home`].
    pub(super) fn key(&self, home: Home) -> u64 {
        let least = (home.line as u128) << self.width | u128::from(home.remainder) << self.implied_bits;
        self.unmix(least.div_ceil(u128::from(self.lines)) as u64)
    }

    /// Returns the tag that represents a key in a slot `step` steps from its home; never 0.
    #[inline]
    pub(super) fn tag(remainder: u64, step: usize) -> u64 {
        remainder << STEP_BITS | (step as u64 + 1)
    }

    /// Returns the home of the key with this tag in this line. Inverts [`Quotienting::tag`] and the
    /// steps.
    pub(super) fn home_of(line: usize, tag: u64) -> Home {
        let step = (tag & MAX_REACH as u64) as usize - 1;
        Home { line: line - distance(step), remainder: tag >> STEP_BITS }
    }

    #[inline]
    fn mask(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// Returns half the width, rounded up, so that `x ^ x >> half` is its own inverse.
    #[inline]
    fn half(&self) -> u32 {
        self.width.div_ceil(2)
    }
}

/// 2^64 over the golden ratio, made odd, so that multiplying by it is a bijection modulo any power
/// of two.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// The inverse of `FACTOR` modulo 2^64, by Newton's iteration. Each round doubles the number of
/// correct bits.
const INVERSE: u64 = {
    let mut inverse = FACTOR;
    let mut round = 0;
    while round < 5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(FACTOR.wrapping_mul(inverse)));
        round += 1;
    }
    inverse
};

/// Returns the distance in lines from a home to the line reached by the `step`-th step. Each step
/// is one line longer than the previous one.
fn distance(step: usize) -> usize {
    step * (step + 1) / 2
}

#[cfg(all(test, not(loom)))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn every_small_key_has_a_unique_home() {
        for width in 1..=12 {
            for lines in [1, 2, 3, 5, 7, 8, 100, 1000, 4096] {
                let quotient = Quotienting::new(width, lines, 64);
                let mut homes = std::collections::HashSet::new();
                for key in 0..1 << width {
                    let home = quotient.home(key);
                    assert!(home.line < quotient.lines as usize);
                    assert!(homes.insert((home.line, home.remainder)), "width {width}, {lines} lines, key {key}");
                    assert_eq!(quotient.key(home), key, "width {width}, {lines} lines");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn home_and_key_are_inverse(width in 20u32..=60, lines in 1usize..1 << 33, key: u64, step in 0usize..31) {
            let quotient = Quotienting::new(width, lines, 52);
            let key = key & quotient.mask();
            let home = quotient.home(key);
            prop_assert_eq!(quotient.key(home), key);
            let tag = Quotienting::tag(home.remainder, step);
            prop_assert!(tag < 1 << 52);
            prop_assert_eq!(Quotienting::home_of(home.line + distance(step), tag), home);
        }
    }
}
