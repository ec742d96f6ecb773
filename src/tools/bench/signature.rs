//! A number for all results of some work.

use std::io::{self, Write};

use crate::batch::Sink;

/// A number that depends on every byte and its place: FNV-1a (Fowler, Noll, Vo 1991), 64 bits.
pub(super) struct Signature(u64);

impl Signature {
    pub(super) fn new() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    pub(super) fn value(&self) -> u64 {
        self.0
    }
}

impl Sink for Signature {}

impl Write for Signature {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Published test vectors: <http://www.isthe.com/chongo/src/fnv/test_fnv.c>.
    #[test]
    fn the_signature_is_fnv() {
        for (text, hash) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let mut signature = Signature::new();
            signature.add(text.as_bytes());
            assert_eq!(signature.0, hash, "{text}");
        }
    }
}
