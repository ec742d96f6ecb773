//! A binary arithmetic coder with probabilities that adapt.
//!
//! The interval is kept in two words, and bytes in which both agree are written. There is no carry.

/// The probability of a decision, as the mean of a fast and a slow average.
#[derive(Clone, Copy)]
pub(super) struct Chance {
    fast: u16,
    slow: u16,
}

impl Default for Chance {
    fn default() -> Chance {
        Chance { fast: 1 << 15, slow: 1 << 15 }
    }
}

impl Chance {
    /// The probability of a one, in 1/2¹⁶.
    #[inline(always)]
    fn of_one(self) -> u32 {
        (u32::from(self.fast) + u32::from(self.slow)) / 2
    }

    #[inline(always)]
    fn learn(&mut self, bit: bool) {
        // Neither average comes to 0 or to 1.
        let toward = |average: u16, shift: u32| {
            if bit { average + ((u16::MAX - average) >> shift) } else { average - (average >> shift) }
        };
        (self.fast, self.slow) = (toward(self.fast, 4), toward(self.slow, 7));
    }
}

/// Codes decisions: written, or read.
pub(super) trait Coder {
    /// Codes one decision. What is written is returned; where decisions are read, it is what was written.
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool;
}

#[derive(Clone, Copy)]
struct Interval {
    low: u32,
    high: u32,
}

impl Interval {
    const ALL: Interval = Interval { low: 0, high: u32::MAX };

    /// The last number that means a one.
    #[inline(always)]
    fn middle(self, chance: Chance) -> u32 {
        let width = u64::from(self.high - self.low);
        self.low + ((width * u64::from(chance.of_one())) >> 16) as u32
    }

    #[inline(always)]
    fn take(&mut self, middle: u32, bit: bool) {
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
    }

    /// The first byte, once it is decided.
    #[inline(always)]
    fn shift(&mut self) -> Option<u8> {
        if (self.low ^ self.high) >> 24 != 0 {
            return None;
        }
        let byte = (self.high >> 24) as u8;
        self.low <<= 8;
        self.high = self.high << 8 | 255;
        Some(byte)
    }
}

/// Writes decisions.
pub(super) struct Encoder {
    interval: Interval,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder { interval: Interval::ALL, bytes: Vec::new() }
    }

    /// What was written.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.bytes.extend(self.interval.low.to_be_bytes());
        self.bytes
    }
}

impl Coder for Encoder {
    #[inline(always)]
    fn bit(&mut self, chance: &mut Chance, bit: bool) -> bool {
        self.interval.take(self.interval.middle(*chance), bit);
        chance.learn(bit);
        while let Some(byte) = self.interval.shift() {
            self.bytes.push(byte);
        }
        bit
    }
}

/// Reads decisions.
pub(super) struct Decoder<'a> {
    interval: Interval,
    window: u32,
    bytes: &'a [u8],
    /// How many bytes were read; those behind the end count, and are zero.
    read: usize,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut decoder = Decoder { interval: Interval::ALL, window: 0, bytes, read: 0 };
        for _ in 0..4 {
            decoder.next();
        }
        decoder
    }

    #[inline(always)]
    fn next(&mut self) {
        let byte = self.bytes.get(self.read).copied().unwrap_or(0);
        self.window = self.window << 8 | u32::from(byte);
        self.read += 1;
    }

    /// How many bytes were read, those that are missing too.
    pub(super) fn bytes_read(&self) -> usize {
        self.read
    }
}

impl Coder for Decoder<'_> {
    #[inline(always)]
    fn bit(&mut self, chance: &mut Chance, _: bool) -> bool {
        let middle = self.interval.middle(*chance);
        let bit = self.window <= middle;
        self.interval.take(middle, bit);
        chance.learn(bit);
        while self.interval.shift().is_some() {
            self.next();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Random;

    #[test]
    fn decisions_are_read_as_they_were_written() {
        let mut random = Random(1);
        for one_in in [1, 2, 3, 100, 10_000] {
            let bits: Vec<bool> = (0..50_000).map(|_| random.below(one_in) == 0).collect();
            let mut chances = [Chance::default(); 4];
            let mut encoder = Encoder::new();
            for (i, &bit) in bits.iter().enumerate() {
                encoder.bit(&mut chances[i % 4], bit);
            }
            let bytes = encoder.finish();
            let share = 1.0 / one_in as f64;
            let entropy = if one_in == 1 { 0.0 } else { -share * share.log2() - (1.0 - share) * (1.0 - share).log2() };
            assert!(bytes.len() as f64 <= 50_000.0 / 8.0 * (entropy * 1.05 + 0.012), "{one_in}: {}", bytes.len());
            let mut chances = [Chance::default(); 4];
            let mut decoder = Decoder::new(&bytes);
            for (i, &bit) in bits.iter().enumerate() {
                assert_eq!(decoder.bit(&mut chances[i % 4], !bit), bit);
            }
            assert_eq!(decoder.bytes_read(), bytes.len());
        }
    }
}
