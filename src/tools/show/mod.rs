//! Views of one board's solution: text, terminal playback and animated SVG.
//!
//! A [`Walkthrough`] is the solution board by board. `frames` writes it as text. `playback` and
//! `screen` compute what a terminal shows, and `terminal` drives the terminal. `draw` draws a board
//! as SVG, and `svg` animates a solution.

mod draw;
mod frames;
mod playback;
mod screen;
mod svg;
#[cfg(feature = "cli")]
pub mod terminal;
mod walkthrough;

pub use draw::{Drawing, STYLE};
pub use frames::{MoveNames, write_board_rows, write_frames};
pub use playback::{AfterKey, Key, PlayState, Playback};
pub use screen::{Line, Size, layout};
pub use svg::{animated, still};
pub use walkthrough::Walkthrough;
