//! The last text of a frame, to which what follows refers.
//!
//! A ring that is written a block at a time, each in one piece: a block that would not fit before the ring's end begins at its start. So
//! the history is the text before the end of what is written, and where that is shorter than the window, the end of what was
//! written the round before. The ring has room for the window and two blocks, so what a block may refer to is
//! never where it is written.

use super::damage::Damage;

/// The most bytes of text in a block.
pub const BLOCK_BYTES: usize = 128 << 10;

/// Bytes behind a block that may be overwritten, so that short pieces are copied at once.
pub const PADDING: usize = 32;

/// The text of a frame that may be referred to, and what of it was not handed out yet.
#[derive(Default)]
pub struct History {
    ring: Vec<u8>,
    window: usize,
    /// Where the text ends; it begins at 0.
    end: usize,
    /// Where the text of the round before ends.
    end_before: usize,
    /// Where the text begins that was not handed out.
    taken: usize,
    /// The bytes of the frame's text.
    total: u64,
}

impl History {
    /// Begins a frame with a window of this many bytes.
    pub fn begin(&mut self, window: usize) {
        let bytes = window + 2 * (BLOCK_BYTES + PADDING);
        if self.ring.len() < bytes {
            // In this order, so that both are never there at once. Zeros of the system take no memory before they are used.
            self.ring = Vec::new();
            self.ring = vec![0; bytes];
        }
        (self.window, self.end, self.end_before, self.taken, self.total) = (window, 0, 0, 0, 0);
    }

    /// The bytes of the frame's text so far.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Text that was not handed out.
    pub fn pending(&self) -> &[u8] {
        &self.ring[self.taken..self.end]
    }

    /// Hands out this many bytes.
    pub fn take(&mut self, bytes: usize) {
        self.taken += bytes;
    }

    /// A block to be written, after everything was handed out.
    pub fn block(&mut self, most: usize) -> Writer<'_> {
        debug_assert!(self.taken == self.end && most <= BLOCK_BYTES);
        if self.end + BLOCK_BYTES + PADDING > self.ring.len() {
            (self.end_before, self.end, self.taken) = (self.end, 0, 0);
        }
        Writer {
            at: self.end,
            limit: self.end + most,
            before: self.total - self.end as u64,
            window: self.window,
            end_before: self.end_before,
            ring: &mut self.ring[..],
        }
    }

    /// Adds the block that was written up to here.
    pub fn add(&mut self, at: usize) -> &[u8] {
        let start = self.end;
        self.total += (at - start) as u64;
        self.end = at;
        &self.ring[start..at]
    }
}

/// Writes a block.
pub struct Writer<'a> {
    pub ring: &'a mut [u8],
    /// Where the next byte comes.
    pub at: usize,
    /// Where the block ends at the latest.
    pub limit: usize,
    /// The bytes of text before the ring's start.
    before: u64,
    window: usize,
    end_before: usize,
}

const TOO_LONG: Damage = Damage("a block of more text than it may have");

impl Writer<'_> {
    /// The next bytes, to be written by the caller.
    pub fn space(&mut self, bytes: usize) -> Result<&mut [u8], Damage> {
        if bytes > self.limit - self.at {
            return Err(TOO_LONG);
        }
        let start = self.at;
        self.at += bytes;
        Ok(&mut self.ring[start..start + bytes])
    }

    /// Adds these literals. Behind them are at least 16 bytes more.
    #[inline(always)]
    pub fn literals(&mut self, text: &[u8], from: usize, bytes: usize) -> Result<(), Damage> {
        if bytes > self.limit - self.at {
            return Err(TOO_LONG);
        }
        if bytes <= 16 {
            self.ring[self.at..self.at + 16].copy_from_slice(&text[from..from + 16]);
        } else {
            self.ring[self.at..self.at + bytes].copy_from_slice(&text[from..from + bytes]);
        }
        self.at += bytes;
        Ok(())
    }

    /// Adds this many bytes again that stood so far back.
    #[inline(always)]
    pub fn repeat(&mut self, back: usize, bytes: usize) -> Result<(), Damage> {
        if bytes > self.limit - self.at {
            return Err(TOO_LONG);
        }
        let end = self.at + bytes;
        if back >= 16 && back <= self.at && bytes <= 32 && back <= self.window {
            let from = self.at - back;
            self.copy_16(from, self.at);
            if bytes > 16 {
                self.copy_16(from + 16, self.at + 16);
            }
            self.at = end;
            return Ok(());
        }
        self.repeat_any(back, bytes)
    }

    #[inline(always)]
    fn copy_16(&mut self, from: usize, to: usize) {
        let mut piece = [0; 16];
        piece.copy_from_slice(&self.ring[from..from + 16]);
        self.ring[to..to + 16].copy_from_slice(&piece);
    }

    #[inline(never)]
    fn repeat_any(&mut self, back: usize, mut bytes: usize) -> Result<(), Damage> {
        if back == 0 || back > self.window || back as u64 > self.before + self.at as u64 {
            return Err(Damage("a reference to what stood before the text or its window"));
        }
        if back > self.at {
            let older = back - self.at;
            let piece = older.min(bytes);
            let from = self.end_before - older;
            self.ring.copy_within(from..from + piece, self.at);
            self.at += piece;
            bytes -= piece;
        }
        // The bytes may overlap those that are copied: then there are twice as many after each copy.
        let mut copied = 0;
        while copied < bytes {
            let (from, piece) = (self.at - back, (back + copied).min(bytes - copied));
            self.ring.copy_within(from..from + piece, self.at + copied);
            copied += piece;
        }
        self.at += bytes;
        Ok(())
    }
}
