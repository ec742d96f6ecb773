//! Views of one board's solution: `frames` is text, `svg` is an animated drawing.

mod frames;
mod svg;

use crate::solver::Solution;
pub use frames::{board_rows, move_name, write_frames};
pub use svg::{animated, still};

/// Returns a solution as a self-contained SVG file. Every move slides a tile, and the animation
/// repeats.
pub fn animated_solution(solution: &Solution) -> String {
    match animated(&solution.board, &solution.path) {
        Some(picture) => picture,
        None => unreachable!("the path of a solution is valid"),
    }
}
