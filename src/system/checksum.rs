//! A checksum of a stream of bytes, and the number of bytes.
//!
//! It is 64-bit XXH3 (Collet 2019), whose definition is frozen. Accidental damage goes undetected
//! with a probability of 2⁻⁶⁴; deliberate forgery is not prevented. With AVX2 it costs about 2 ns
//! for a result line of 100 bytes.

use std::fmt;
use std::hash::Hasher as _;

use twox_hash::XxHash3_64;

/// A checksum that is updated block by block.
#[derive(Clone, Default)]
pub struct Checksum {
    hasher: XxHash3_64,
    bytes: u64,
}

impl Checksum {
    /// Returns the checksum of these bytes.
    pub fn of(bytes: &[u8]) -> u64 {
        XxHash3_64::oneshot(bytes)
    }

    /// Adds the bytes that follow.
    #[inline]
    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.write(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// Returns the number of bytes added so far.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the checksum so far.
    pub fn value(&self) -> u64 {
        self.hasher.finish()
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checksum({:016x} of {} bytes)", self.value(), self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_in_pieces_give_the_checksum_of_the_whole() {
        let mut checksum = Checksum::default();
        // The empty input: from the tables of the reference implementation (xxHash,
        // tests/sanity_test_vectors.h).
        assert_eq!(checksum.value(), 0x2D06_8005_38D3_94C2);
        let bytes: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(i) >> 3) as u8).collect();
        for piece in bytes.chunks(777) {
            checksum.update(piece);
        }
        assert_eq!((checksum.value(), checksum.bytes()), (Checksum::of(&bytes), 100_000));
    }
}
