//! Groups of positions whose sums are computed together.

/// Maximum number of positions in a group.
pub const LANES: usize = 64;

/// A group of positions of up to `M` tiles, and their sums.
pub struct Group<const M: usize> {
    /// By position and tile: the tile's cell.
    pub by_position: [[u8; M]; LANES],
    /// By tile and position: the tile's cell. Written only by the vector implementations.
    pub(super) by_tile: [[u8; LANES]; M],
    /// By position: the sum.
    pub sums: [i16; LANES],
}

impl<const M: usize> Default for Group<M> {
    fn default() -> Group<M> {
        Group { by_position: [[0; M]; LANES], by_tile: [[0; LANES]; M], sums: [0; LANES] }
    }
}
