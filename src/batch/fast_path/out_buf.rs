//! Appends pieces of fixed length to a buffer.
//!
//! A piece is copied whole, in a few stores, even if only its first bytes are kept. The next piece
//! begins where the kept bytes end, and overwrites the rest. The buffer's length is set once, at
//! the end, and its memory is not zeroed first.

use std::marker::PhantomData;

/// The maximum length of a piece in bytes.
pub const MAX_PIECE: usize = 96;

/// A writer that appends pieces to a buffer.
pub struct OutBuf<'a> {
    out: &'a mut Vec<u8>,
    /// The buffer's memory. This is a copy of the pointer in the `Vec`, because the compiler cannot
    /// know that the written bytes do not alias the `Vec`.
    memory: *mut u8,
    /// The last position at which the longest piece may begin.
    limit: usize,
    /// The number of bytes kept, at most the capacity.
    len: usize,
}

impl<'a> OutBuf<'a> {
    /// Reserves space for `bytes` bytes, followed by a piece of maximum length.
    #[inline(always)]
    pub fn new(out: &'a mut Vec<u8>, bytes: usize) -> OutBuf<'a> {
        out.reserve(bytes.saturating_add(MAX_PIECE));
        let (memory, limit, len) = (out.as_mut_ptr(), out.capacity() - MAX_PIECE, out.len());
        OutBuf { out, memory, limit, len }
    }

    /// Returns the length of the buffer.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Writes a piece, of which the first `kept` bytes are kept.
    ///
    /// # Panics
    /// If there is too little space, or if `kept` is greater than the length of the piece.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, piece: &[u8; N], kept: usize) {
        assert!(kept <= N && self.len <= self.limit, "no room for a piece");
        self.write(self.len, piece);
        self.len += kept;
    }

    /// Writes whole blocks, of which the first `kept` bytes are kept.
    ///
    /// # Panics
    /// If there is too little space, or if `kept` is greater than the length of the blocks.
    #[inline(always)]
    pub fn put_blocks<const N: usize>(&mut self, blocks: &[[u8; N]], kept: usize) {
        assert!(kept <= N * blocks.len(), "no room for blocks");
        let end = self.len + kept;
        for block in blocks {
            self.put(block, N);
        }
        self.len = end;
    }

    /// Writes bytes at a position up to the limit.
    #[inline(always)]
    #[allow(unsafe_code)] // a store to memory that may not be initialised
    fn write<const N: usize>(&mut self, at: usize, bytes: &[u8; N]) {
        const { assert!(N <= MAX_PIECE) };
        debug_assert!(at <= self.limit);
        // SAFETY: every caller has checked that the longest piece fits in the buffer's memory, and
        // this piece is not longer. Nothing else can access the memory while it is borrowed.
        // Guarded by the test `pieces_overlap_and_stay_within_the_buffer`.
        unsafe { self.memory.add(at).cast::<[u8; N]>().write_unaligned(*bytes) };
    }

    /// Writes two bytes at a position. After the end of the kept bytes, they have no effect: they
    /// are overwritten by the next piece, or not kept.
    ///
    /// # Panics
    /// If there is no space.
    #[inline(always)]
    pub fn patch(&mut self, at: usize, two: [u8; 2]) {
        assert!(at <= self.limit, "no room for two bytes");
        self.write(at, &two);
    }

    /// Makes the kept bytes readable.
    #[inline(always)]
    pub fn seal(&mut self) -> Sealed<'_> {
        self.put(&[0; 32], 0);
        Sealed { memory: self.memory, len: self.len, out: PhantomData }
    }
}

/// The kept bytes, for reading.
pub struct Sealed<'a> {
    memory: *const u8,
    /// The number of bytes kept; 32 zeros follow.
    len: usize,
    /// Prevents writes to the buffer.
    out: PhantomData<&'a OutBuf<'a>>,
}

impl Sealed<'_> {
    /// Returns the 32 bytes that begin at a position. Zeros follow the kept bytes.
    ///
    /// # Panics
    /// If the position is after the end of the kept bytes.
    #[inline(always)]
    #[allow(unsafe_code)] // a reference to memory after the buffer's length
    pub fn at(&self, at: usize) -> &[u8; 32] {
        assert!(at <= self.len, "not written before the seal");
        // SAFETY: everything up to 32 bytes after `len` is initialised, by pieces that begin where
        // the kept part of the previous one ends, and by `seal`. The borrow keeps the buffer
        // from being written to or moved. Guarded by the test
        // `pieces_overlap_and_stay_within_the_buffer`.
        unsafe { &*self.memory.add(at).cast::<[u8; 32]>() }
    }
}

impl Drop for OutBuf<'_> {
    #[inline(always)]
    #[allow(unsafe_code)] // sets the length of a buffer whose end was just written
    fn drop(&mut self) {
        // SAFETY: `len` is at most the capacity, and everything before it was in the buffer or is
        // written: pieces begin where the kept part of the previous one ends. Guarded by the
        // test `pieces_overlap_and_stay_within_the_buffer`.
        unsafe { self.out.set_len(self.len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_overlap_and_stay_within_the_buffer() {
        let mut out = b"begun ".to_vec();
        let mut buf = OutBuf::new(&mut out, 64);
        buf.put(b"abcdefgh", 3);
        buf.put(b"12345678", 0);
        let at = buf.len();
        buf.put(b"xyz.", 4);
        buf.patch(at + 1, *b"YZ");
        // This position is after the kept part of the last piece. The next piece overwrites it.
        buf.patch(at + 4, *b"??");
        buf.put(b"!!!", 2);
        assert_eq!(&buf.seal().at(at)[..8], b"xYZ.!!\0\0");
        drop(buf);
        assert_eq!(out, b"begun abcxYZ.!!");
        let mut buf = OutBuf::new(&mut out, 64);
        buf.put_blocks(&[[b'-'; 32]; 2], 33);
        buf.put(b"!", 1);
        drop(buf);
        assert_eq!(out[15..], [&[b'-'; 33][..], b"!"].concat());

        let wrong = [
            |buf: &mut OutBuf<'_>| buf.patch(1000, *b".."),
            |buf: &mut OutBuf<'_>| buf.put(b"1234", 5),
            |buf: &mut OutBuf<'_>| (0..1000).for_each(|_| buf.put(&[b'.'; 32], 32)),
            |buf: &mut OutBuf<'_>| (0..1000).for_each(|_| buf.put_blocks(&[[b'.'; 32]; 2], 64)),
            |buf: &mut OutBuf<'_>| buf.put_blocks(&[[b'.'; 32]], 33),
            |buf: &mut OutBuf<'_>| buf.put_blocks(&[[b'.'; 96]; 10], 1),
            |buf: &mut OutBuf<'_>| assert_eq!(buf.seal().at(7)[0], b'b'),
        ];
        for (nth, wrong) in wrong.into_iter().enumerate() {
            let tried = std::panic::catch_unwind(|| {
                let mut out = b"begun ".to_vec();
                wrong(&mut OutBuf::new(&mut out, 64));
            });
            assert!(tried.is_err(), "{nth}");
        }
    }
}
