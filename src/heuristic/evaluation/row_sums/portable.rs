//! Byte by byte.

use super::{LANES, ZERO};

/// As [`super::RowSums::sum`] says.
pub(super) fn sum<const M: usize>(row: &[u8], tiles: usize, cells: &[[u8; M]], sums: &mut [i16; LANES]) {
    for (sum, cells) in sums.iter_mut().zip(cells) {
        let bytes = row.chunks_exact(tiles).zip(&cells[..tiles]).map(|(segment, &cell)| u16::from(segment[usize::from(cell)]));
        *sum = (bytes.sum::<u16>() as i16).wrapping_sub(tiles as i16 * i16::from(ZERO));
    }
}
