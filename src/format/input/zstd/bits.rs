//! Bits that are read from the end of a slice to its start, as entropy codes are: the last one written is the first
//! one read. A set bit marks where they begin.

use super::damage::Damage;

/// The bits of a slice. They may be read past their end, where they are of no meaning: [`Bits::reload`] and [`Bits::is_at_end`]
/// tell.
pub struct Bits<'a> {
    data: &'a [u8],
    /// Where the loaded bytes begin in the data.
    at: usize,
    /// Eight bytes of the data, or all and zeros behind them.
    loaded: u64,
    /// How many of the loaded bits were read, from the highest; more than 64 when there were not so many.
    used: u32,
}

/// The least number of bits that can be read after [`Bits::reload`] without another.
pub const RELOADED: u32 = 57;

fn eight(data: &[u8], at: usize) -> u64 {
    match data[at..].first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => 0,
    }
}

impl<'a> Bits<'a> {
    /// The bits before the mark.
    pub fn new(data: &'a [u8]) -> Result<Bits<'a>, Damage> {
        let mark = match data.last() {
            Some(&last) if last != 0 => last.leading_zeros() + 1,
            _ => return Err(Damage("bits without a mark where they begin")),
        };
        if let Some(at) = data.len().checked_sub(8) {
            return Ok(Bits { data, at, loaded: eight(data, at), used: mark });
        }
        let mut bytes = [0; 8];
        bytes[..data.len()].copy_from_slice(data);
        Ok(Bits { data, at: 0, loaded: u64::from_le_bytes(bytes), used: mark + 8 * (8 - data.len() as u32) })
    }

    /// Makes [`RELOADED`] bits ready, or as many as there are. False when more were read than there were.
    #[inline(always)]
    pub fn reload(&mut self) -> bool {
        let bytes = (self.used / 8) as usize;
        if bytes > self.at {
            return self.reload_at_start();
        }
        self.at -= bytes;
        self.used &= 7;
        self.loaded = eight(self.data, self.at);
        true
    }

    #[cold]
    fn reload_at_start(&mut self) -> bool {
        if self.used > 64 {
            return false;
        }
        if self.at > 0 {
            self.used -= 8 * self.at as u32;
            self.at = 0;
            self.loaded = eight(self.data, 0);
        }
        true
    }

    /// The next bits, at most 57, which stay to be read.
    #[inline(always)]
    pub fn peek(&self, bits: u32) -> u64 {
        (self.loaded << (self.used & 63)) >> 1 >> (63 - bits)
    }

    /// Passes these bits.
    #[inline(always)]
    pub fn pass(&mut self, bits: u32) {
        self.used += bits;
    }

    /// Reads these bits, at most 57.
    #[inline(always)]
    pub fn read(&mut self, bits: u32) -> u64 {
        let read = self.peek(bits);
        self.pass(bits);
        read
    }

    /// True when all bits were read, and no more.
    pub fn is_at_end(&self) -> bool {
        self.at == 0 && self.used == 64
    }

    /// True when more bits were read than there were.
    pub fn is_past_end(&self) -> bool {
        self.at == 0 && self.used > 64
    }
}
