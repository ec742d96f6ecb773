//! What a random board takes to be solved at each height of a ladder: what is supposed of boards that have not come yet.
//!
//! Measured once, and given in placements of tiles, of which tables are built too, so that a quicker machine changes nothing
//! (`benches/README.md`, "What a plan supposes").

use crate::board::Shape;

/// Placements that take as long as a random board, at the foot of the ladder and at each of its stages; `None` where no random
/// board is solved at the foot in any time worth waiting for.
pub(super) fn placements_a_board(shape: Shape) -> Option<&'static [f64]> {
    let sides = (shape.rows().min(shape.cols()), shape.rows().max(shape.cols()));
    PLACEMENTS.iter().find(|(of, _)| *of == sides).map(|(_, placements)| *placements)
}

/// By sides, the shorter first.
type Row = ((usize, usize), &'static [f64]);

#[rustfmt::skip]
const PLACEMENTS: [Row; 6] = [
    //       walking-conflict, then the stages in their order
    ((3, 4), &[214e3, 13e3, 300.0]),
    ((2, 6), &[79e6, 16e3, 300.0]),
    ((2, 7), &[5e9, 4.1e6, 33e3, 20e3]),
    ((3, 5), &[110e6, 16e6, 430e3, 250e3]),
    ((2, 8), &[1e12, 1e9, 14e6, 170e3]),
    ((4, 4), &[80e6, 2.1e6, 470e3, 130e3]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::frame::Space;
    use crate::board::{Cell, Move};
    use crate::solver::plan::Tables;

    /// Every row has as many numbers as the ladder of a corner has heights, and higher is quicker.
    #[test]
    fn rows_are_those_of_the_ladders() {
        for ((rows, cols), placements) in PLACEMENTS {
            let shape = Shape::new(rows, cols).unwrap();
            let space = Space { shape, goal_blank: Cell::new(shape.cells() - 1), order: Move::ALL };
            assert_eq!(placements_a_board(shape).map(<[f64]>::len), Some(1 + Tables::of(&space).len()), "{shape}");
            assert!(placements.is_sorted_by(|below, above| below > above), "{rows}x{cols}");
        }
    }
}
