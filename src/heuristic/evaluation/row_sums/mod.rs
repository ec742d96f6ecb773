//! Sums over rows of difference tables, of many positions at a time.
//!
//! A row has a segment for each tile, and in it a byte for each cell; a position's sum is of one byte of each segment, by where
//! the tile is. With the positions of a group side by side – tile by tile instead of position by
//! position – a whole segment is in one register of 512 bits, and one instruction looks up the bytes of 64 positions; with AVX2 a
//! segment is four registers, and four instructions serve 32. All ways give the same sums.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
#[cfg(test)]
mod tests;

/// The most positions of a group.
pub const LANES: usize = 64;
/// The bytes that are read for a segment, whatever the number of cells: so many follow each row.
pub const SEGMENT: usize = 64;
/// Bytes are kept with this added, so that they have no sign.
pub const ZERO: u8 = 128;

/// How rows are summed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowSums {
    /// Byte by byte.
    Portable,
    /// With AVX2.
    Avx2,
    /// With AVX-512 and its VBMI, which processors have since 2019.
    Avx512,
}

impl RowSums {
    /// All ways, the slowest first.
    pub const ALL: [RowSums; 3] = [RowSums::Portable, RowSums::Avx2, RowSums::Avx512];

    /// The fastest way on this processor.
    pub fn best() -> RowSums {
        RowSums::ALL.into_iter().rev().find(|way| way.is_available()).unwrap_or(RowSums::Portable)
    }

    /// Whether this processor can.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let (avx2, avx512) = (
            is_x86_feature_detected!("avx2"),
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vbmi"),
        );
        #[cfg(not(target_arch = "x86_64"))]
        let (avx2, avx512) = (false, false);
        match self {
            RowSums::Portable => true,
            RowSums::Avx2 => avx2,
            RowSums::Avx512 => avx512,
        }
    }

    /// The sums of a row for positions given by the cells of their tiles; there are as many tiles as cells.
    ///
    /// # Panics
    /// When the processor cannot, there are more than [`LANES`] positions, or the row has fewer segments.
    #[allow(unsafe_code)] // calls of functions that are compiled for more than the crate is
    #[inline]
    pub fn sum<const M: usize>(self, row: &[u8], tiles: usize, cells: &[[u8; M]], sums: &mut [i16; LANES]) {
        assert!(self.is_available() && tiles <= M && M.is_multiple_of(16));
        assert!(cells.len() <= LANES && row.len() >= tiles * tiles + SEGMENT);
        match self {
            RowSums::Portable => portable::sum(row, tiles, cells, sums),
            // SAFETY: the assertion has checked that the processor has what the functions are compiled for.
            // Guarded by the test `a_missing_way_is_refused`.
            #[cfg(target_arch = "x86_64")]
            RowSums::Avx2 => unsafe { avx2::sum(row, tiles, cells, sums) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            RowSums::Avx512 => unsafe { avx512::sum(row, tiles, cells, sums) },
            #[cfg(not(target_arch = "x86_64"))]
            RowSums::Avx2 | RowSums::Avx512 => portable::sum(row, tiles, cells, sums),
        }
    }
}
