//! A checksum of a stream of bytes, and how many they were.
//!
//! XXH3 with 64 bits (Collet 2019), whose values are fixed for good: damage that comes about by itself goes
//! unseen once in 2⁶⁴ times. It is no protection against somebody who forges files. On machines with
//! AVX2 it costs some 2 ns for a result of 100 bytes.

use std::fmt;
use std::hash::Hasher as _;

use twox_hash::XxHash3_64;

/// A checksum that goes on.
#[derive(Default)]
pub struct Digest {
    hasher: XxHash3_64,
    bytes: u64,
}

impl Digest {
    /// The checksum of these bytes alone.
    pub fn of(bytes: &[u8]) -> u64 {
        XxHash3_64::oneshot(bytes)
    }

    /// Takes in what follows.
    #[inline]
    pub fn update(&mut self, bytes: &[u8]) {
        self.hasher.write(bytes);
        self.bytes += bytes.len() as u64;
    }

    /// How many bytes were taken in.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The checksum so far.
    pub fn value(&self) -> u64 {
        self.hasher.finish()
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({:016x} of {} bytes)", self.value(), self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_make_the_same_checksum_and_it_is_the_published_one() {
        let mut digest = Digest::default();
        // Of nothing: from the tables of the reference implementation (xxHash, tests/sanity_test_vectors.h).
        assert_eq!(digest.value(), 0x2D06_8005_38D3_94C2);
        let bytes: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(i) >> 3) as u8).collect();
        for piece in bytes.chunks(777) {
            digest.update(piece);
        }
        assert_eq!((digest.value(), digest.bytes()), (Digest::of(&bytes), 100_000));
    }
}
