//! The end of a buffer, written in pieces of fixed length.
//!
//! A piece is copied whole – one or two stores, whatever part of it counts – and the next begins where that part
//! ends. The buffer's length is set once, at the end; nothing is ever filled with zeros first.

use std::marker::PhantomData;

/// The longest piece.
pub const MAX_PIECE: usize = 96;

/// The end of a buffer, being written.
pub struct OutBuf<'a> {
    out: &'a mut Vec<u8>,
    /// The buffer's memory. Kept here because the compiler cannot know that what is written is
    /// not the buffer's own description.
    memory: *mut u8,
    /// As far as here the longest piece may begin: its length before the capacity.
    limit: usize,
    /// How much of the buffer is written; never more than its capacity.
    len: usize,
}

impl<'a> OutBuf<'a> {
    /// The end of this buffer, with room for this many bytes, whatever follows the last of them.
    #[inline(always)]
    pub fn new(out: &'a mut Vec<u8>, bytes: usize) -> OutBuf<'a> {
        out.reserve(bytes.saturating_add(MAX_PIECE));
        let (memory, limit, len) = (out.as_mut_ptr(), out.capacity() - MAX_PIECE, out.len());
        OutBuf { out, memory, limit, len }
    }

    /// How long the buffer is.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Writes a piece, of which the first `counted` bytes count.
    ///
    /// # Panics
    /// When there is too little room, or more is to count than is written.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, piece: &[u8; N], counted: usize) {
        assert!(counted <= N && self.len <= self.limit, "no room for a piece");
        self.write(self.len, piece);
        self.len += counted;
    }

    /// Writes whole blocks, of which the first `counted` bytes count.
    ///
    /// # Panics
    /// When there is too little room, or more is to count than is written.
    #[inline(always)]
    pub fn put_blocks<const N: usize>(&mut self, blocks: &[[u8; N]], counted: usize) {
        assert!(counted <= N * blocks.len(), "no room for blocks");
        let end = self.len + counted;
        for block in blocks {
            self.put(block, N);
        }
        self.len = end;
    }

    /// Writes bytes where there is room for them: no further than the limit.
    #[inline(always)]
    #[allow(unsafe_code)] // a store to memory that may not be initialised
    fn write<const N: usize>(&mut self, at: usize, bytes: &[u8; N]) {
        const { assert!(N <= MAX_PIECE) };
        debug_assert!(at <= self.limit);
        // SAFETY: every caller has asked whether the buffer's memory, which nothing else can reach while it is borrowed,
        // goes on for the longest piece, which this is no longer than. Guarded by the test
        // `pieces_overlap_and_stay_within_the_buffer`.
        unsafe { self.memory.add(at).cast::<[u8; N]>().write_unaligned(*bytes) };
    }

    /// Writes two bytes over what was written, or behind it, where a piece that follows will cover them.
    ///
    /// # Panics
    /// When there is no buf.
    #[inline(always)]
    pub fn patch(&mut self, at: usize, two: [u8; 2]) {
        assert!(at <= self.limit, "no room for two bytes");
        self.write(at, &two);
    }

    /// Makes everything that was written readable.
    #[inline(always)]
    pub fn seal(&mut self) -> Sealed<'_> {
        self.put(&[0; 32], 0);
        Sealed { memory: self.memory, len: self.len, out: PhantomData }
    }
}

/// What was written, to be read.
pub struct Sealed<'a> {
    memory: *const u8,
    /// How much was written; 32 zeros follow.
    len: usize,
    /// Nothing is written over it meanwhile.
    out: PhantomData<&'a OutBuf<'a>>,
}

impl Sealed<'_> {
    /// 32 bytes that were written, the last ones followed by zeros.
    ///
    /// # Panics
    /// When they begin behind the end.
    #[inline(always)]
    #[allow(unsafe_code)] // a reference behind the buffer's length
    pub fn at(&self, at: usize) -> &[u8; 32] {
        assert!(at <= self.len, "not written before the seal");
        // SAFETY: up to `len` and 32 bytes further everything is initialised: by pieces that begin where the
        // one before ends to count, and by the seal. The borrow keeps the buffer from being written to and from being moved.
        // Guarded by the test `pieces_overlap_and_stay_within_the_buffer`.
        unsafe { &*self.memory.add(at).cast::<[u8; 32]>() }
    }
}

impl Drop for OutBuf<'_> {
    #[inline(always)]
    #[allow(unsafe_code)] // the length of a buffer whose end was just written
    fn drop(&mut self) {
        // SAFETY: `len` is within the capacity, and everything before it was in the buffer or is written:
        // pieces begin where the one before ends to count. Guarded by the test
        // `pieces_overlap_and_stay_within_the_buffer`.
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
        // Behind the last piece that counts: covered by the next.
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
