//! Room at the end of a buffer, written in pieces of fixed length.
//!
//! A piece is copied whole – one or two stores, whatever part of it counts – and the next begins where that part
//! ends. The buffer's length is set once, at the end; nothing is ever filled with zeros first.

/// The end of a buffer, being written.
pub struct Room<'a> {
    out: &'a mut Vec<u8>,
    /// The buffer's memory and its capacity. Kept here because the compiler cannot know that what is written is
    /// not the buffer's own description.
    memory: *mut u8,
    capacity: usize,
    /// How much of the buffer is written; never more than its capacity.
    len: usize,
    /// Behind that, up to here, everything is initialised; 0 until [`Room::seal`].
    sealed: usize,
}

impl<'a> Room<'a> {
    /// Room for so many bytes.
    #[inline(always)]
    pub fn new(out: &'a mut Vec<u8>, bytes: usize) -> Room<'a> {
        out.reserve(bytes);
        let (memory, capacity, len) = (out.as_mut_ptr(), out.capacity(), out.len());
        Room { out, memory, capacity, len, sealed: 0 }
    }

    /// How long the buffer is.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Writes a piece, of which the first `counted` bytes count.
    ///
    /// # Panics
    /// When there is not so much room, or more is to count than is written.
    #[inline(always)]
    pub fn put<const N: usize>(&mut self, piece: &[u8; N], counted: usize) {
        assert!(counted <= N && self.capacity - self.len >= N, "no room for a piece");
        self.write(self.len, piece);
        self.len += counted;
    }

    /// Writes whole blocks, of which the first `counted` bytes count.
    ///
    /// # Panics
    /// When there is not so much room, or more is to count than is written.
    #[inline(always)]
    pub fn put_blocks<const N: usize>(&mut self, blocks: &[[u8; N]], counted: usize) {
        let bytes = N * blocks.len();
        assert!(counted <= bytes && self.capacity - self.len >= bytes, "no room for blocks");
        for (i, block) in blocks.iter().enumerate() {
            self.write(self.len + N * i, block);
        }
        self.len += counted;
    }

    /// Writes bytes where there is room for them: so far before the capacity.
    #[inline(always)]
    #[allow(unsafe_code)] // a store to memory that may not be initialised
    fn write<const N: usize>(&mut self, at: usize, bytes: &[u8; N]) {
        debug_assert!(at <= self.capacity && self.capacity - at >= N);
        // SAFETY: every caller has asked whether the buffer's memory, which nobody else can reach while it is borrowed,
        // goes on for so long. Guarded by the test `pieces_overlap_and_stay_within_the_room`.
        unsafe { self.memory.add(at).cast::<[u8; N]>().write_unaligned(*bytes) };
    }

    /// Writes two bytes over what was written.
    ///
    /// # Panics
    /// When nothing was written there.
    #[inline(always)]
    pub fn patch(&mut self, at: usize, two: [u8; 2]) {
        assert!(at < self.len && self.len - at >= 2, "nothing to be written over");
        self.write(at, &two);
    }

    /// Makes everything that was written readable by [`Room::sealed`].
    #[inline(always)]
    pub fn seal(&mut self) {
        self.put(&[0; 32], 0);
        self.sealed = self.len + 32;
    }

    /// 32 bytes that were written, the last ones followed by zeros.
    ///
    /// # Panics
    /// When they were not written before the seal.
    #[inline(always)]
    #[allow(unsafe_code)] // a reference behind the buffer's length
    pub fn sealed(&self, at: usize) -> &[u8; 32] {
        assert!(at < self.sealed && self.sealed - at >= 32, "not written before the seal");
        // SAFETY: up to `sealed` everything is initialised: up to `len` by pieces that begin where the
        // one before ends to count, and 32 more by the seal. The borrow keeps it from being written over.
        // Guarded by the test `pieces_overlap_and_stay_within_the_room`.
        unsafe { &*self.memory.add(at).cast::<[u8; 32]>() }
    }
}

impl Drop for Room<'_> {
    #[inline(always)]
    #[allow(unsafe_code)] // the length of a buffer whose end was just written
    fn drop(&mut self) {
        // SAFETY: `len` is within the capacity, and everything before it was in the buffer or is written:
        // pieces begin where the one before ends to count. Guarded by the test
        // `pieces_overlap_and_stay_within_the_room`.
        unsafe { self.out.set_len(self.len) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_overlap_and_stay_within_the_room() {
        let mut out = b"begun ".to_vec();
        let mut room = Room::new(&mut out, 64);
        room.put(b"abcdefgh", 3);
        room.put(b"12345678", 0);
        let at = room.len();
        room.put(b"xyz.", 4);
        room.patch(at + 1, *b"YZ");
        room.seal();
        assert_eq!(&room.sealed(at)[..6], b"xYZ.\0\0");
        drop(room);
        assert_eq!(out, b"begun abcxYZ.");
        let mut room = Room::new(&mut out, 64);
        room.put_blocks(&[[b'-'; 32]; 2], 33);
        room.put(b"!", 1);
        drop(room);
        assert_eq!(out[13..], [&[b'-'; 33][..], b"!"].concat());

        let wrong = [
            |room: &mut Room<'_>| room.patch(6, *b".."),
            |room: &mut Room<'_>| room.put(b"1234", 5),
            |room: &mut Room<'_>| (0..1000).for_each(|_| room.put(&[b'.'; 32], 32)),
            |room: &mut Room<'_>| (0..1000).for_each(|_| room.put_blocks(&[[b'.'; 32]; 2], 64)),
            |room: &mut Room<'_>| room.put_blocks(&[[b'.'; 32]], 33),
            |room: &mut Room<'_>| assert_eq!(room.sealed(0)[0], b'b'),
            |room: &mut Room<'_>| {
                room.seal();
                assert_eq!(room.sealed(7)[0], b'b');
            },
        ];
        for wrong in wrong {
            let tried = std::panic::catch_unwind(|| {
                let mut out = b"begun ".to_vec();
                wrong(&mut Room::new(&mut out, 64));
            });
            assert!(tried.is_err());
        }
    }
}
