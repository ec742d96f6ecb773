//! What tables cost to build on this machine, before any was built.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use crate::board::{Cell, Shape};
use crate::heuristic::pdb::{BuildOptions, Partition, Pattern, PdbSum};

/// What a placement of tiles costs to build here, in picoseconds of one thread's time.
///
/// Memory that was never touched before is part of it, as it is of the tables that are priced by it. On a busy machine a thread may
/// wait for longer than it works: no machine is supposed to need more than [`MOST_PICOSECONDS`].
pub(super) fn calibrate(shape: Shape, goal_blank: Cell) -> u64 {
    /// Enough to take longer than any clock's tick, and no longer than two milliseconds.
    const PLACEMENTS: u64 = 300_000;
    let homes: Vec<usize> = (0..shape.cells()).filter(|&home| home != goal_blank.index()).collect();
    let of_tiles = |tiles: usize| Partition::new(vec![Pattern::new(shape, goal_blank, &homes[..tiles]).ok()?]).ok();
    let sizes = (1..=Pattern::most_tiles(shape)).map_while(of_tiles);
    let Some(sample) = sizes.take_while(|sample| sample.placements() <= PLACEMENTS).last() else { return 0 };
    let (began, stop) = (Instant::now(), AtomicBool::new(false));
    drop(PdbSum::build(&sample, &BuildOptions { threads: 1, stop: &stop, progress: &|_| {} }));
    (began.elapsed().as_nanos() as u64 * 1000 / sample.placements()).min(MOST_PICOSECONDS)
}

/// Three to five times what machines of these years need.
pub(super) const MOST_PICOSECONDS: u64 = 15_000;

#[cfg(test)]
mod tests {
    use super::*;

    /// Every shape that has a ladder has a price for its first stage.
    #[test]
    fn the_first_price_is_measured_on_every_shape() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 4), (2, 8), (4, 4), (5, 5), (2, 12)] {
            let shape = Shape::new(rows, cols).unwrap();
            assert!(calibrate(shape, Cell::new(shape.cells() - 1)) > 0, "{shape}");
        }
    }
}
