//! Views of one board's solution: text, terminal playback and animated SVG.
//!
//! A [`Walkthrough`] is the solution board by board, which can be written as text. `playback` and
//! `screen` compute what a terminal shows, and `terminal` drives the terminal. `svg` draws a
//! board as SVG, and animates a solution.

mod playback;
mod screen;
mod svg;
#[cfg(feature = "cli")]
pub mod terminal;
mod walkthrough;

use crate::board::{Board, Path};
use crate::format::spelling::Spelling;
use crate::solver::Solution;
pub use playback::{Key, Playback};
pub use screen::{Line, layout};
pub use svg::{STYLE, animated, draw, size, still};
pub use walkthrough::{Walkthrough, write_board_rows, write_frames};

/// Returns a solution as a self-contained SVG file. Every move slides a tile, and the animation
/// repeats.
pub fn animated_solution(solution: &Solution) -> String {
    match animated_path(&solution.board, &solution.path) {
        Some(picture) => picture,
        None => unreachable!("the path of a solution is valid"),
    }
}

/// Returns an animated SVG file of a path that starts at a board and ends anywhere; `None` if a
/// move leaves the board.
pub fn animated_path(board: &Board, path: &Path) -> Option<String> {
    let mut goal = board.clone();
    if !path.moves().all(|step| goal.make(step)) {
        return None;
    }
    Walkthrough::new(board, &goal, path, Spelling::default()).ok().map(|steps| animated(&steps))
}
