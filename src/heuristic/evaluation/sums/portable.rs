//! The portable implementation, byte by byte.

use super::group::Group;
use super::terms::{Terms, ZERO};

/// Implements [`super::SumMethod::sum`].
pub(super) fn sum<const M: usize>(terms: &Terms<'_>, group: &mut Group<M>, len: usize) {
    let tiles = terms.tiles();
    for (sum, cells) in group.sums.iter_mut().zip(&group.by_position[..len]) {
        let segments = terms.row().chunks_exact(tiles);
        let bytes = segments.zip(&cells[..tiles]).map(|(segment, &cell)| i16::from(segment[usize::from(cell)]));
        *sum = bytes.sum::<i16>() - tiles as i16 * i16::from(ZERO);
        for (triple, first, second) in terms.triples() {
            let index = |(tile, stride): (u8, u16)| usize::from(stride) * usize::from(cells[usize::from(tile)]);
            let index = index(triple.others[0]) + index(triple.others[1]);
            *sum += i16::from(second[index]) - i16::from(first[index]);
        }
    }
}
