//! Views of one board's solution: text, terminal playback and animated SVG.
//!
//! A [`Walkthrough`] is the solution board by board. `frames` writes it as text. `playback` and
//! `screen` compute what a terminal shows, and `terminal` drives the terminal. `svg` draws a
//! board as SVG, and animates a solution.

mod frames;
mod playback;
mod screen;
mod svg;
#[cfg(feature = "cli")]
pub mod terminal;
mod walkthrough;

pub use frames::{write_board_rows, write_frames};
pub use playback::{Key, Playback};
pub use screen::{Line, layout};
pub use svg::{STYLE, animated, draw, size, still};
pub use walkthrough::Walkthrough;
