//! One board's solution, to be looked at: as a text, in a terminal, as an animated picture.
//!
//! A [`Walkthrough`] is the solution board by board. `frames` writes it as a text, `playback` and `screen` are what a
//! terminal shows of it at a time, `terminal` the terminal itself, `draw` a board as SVG, `svg` the animated picture.

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
