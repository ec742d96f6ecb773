//! Views of one board's solution: text, terminal playback and animated SVG.
//!
//! `frames` writes the boards as text. `playback` and `screen` compute what a terminal shows, and
//! `terminal` drives the terminal. `svg` draws a board as SVG, and animates a path.

mod frames;
mod playback;
mod screen;
mod svg;
#[cfg(feature = "cli")]
pub mod terminal;

use crate::solver::Solution;
pub use frames::{write_board_rows, write_frames};
pub use svg::{STYLE, animated, draw, size, still};

/// Returns a solution as a self-contained SVG file. Every move slides a tile, and the animation
/// repeats.
pub fn animated_solution(solution: &Solution) -> String {
    match animated(&solution.board, &solution.path) {
        Some(picture) => picture,
        None => unreachable!("the path of a solution is valid"),
    }
}
