//! The portable implementation, byte by byte.

use super::terms::{Group, Terms, ZERO};

/// Implements [`super::SumMethod::sum`].
pub(super) fn sum<const M: usize>(terms: &Terms<'_>, group: &mut Group<M>, len: usize) {
    // Also the number of tiles including the blank.
    let cells = terms.cells();
    for (sum, cell_of) in group.sums.iter_mut().zip(&group.by_position[..len]) {
        let segments = terms.row().chunks_exact(cells);
        let bytes = segments.zip(&cell_of[..cells]).map(|(segment, &cell)| i16::from(segment[usize::from(cell)]));
        *sum = bytes.sum::<i16>() - cells as i16 * i16::from(ZERO);
        // The entries for the tile at the second end of the edge, minus those at the first.
        for (triple, at_first_end, at_second_end) in terms.triples() {
            let index = |(tile, stride): (u8, u16)| usize::from(stride) * usize::from(cell_of[usize::from(tile)]);
            let index = index(triple.others[0]) + index(triple.others[1]);
            *sum += i16::from(at_second_end[index]) - i16::from(at_first_end[index]);
        }
    }
}
