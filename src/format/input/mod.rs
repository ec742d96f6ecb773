//! Reading boards from files: many layouts, one stream of records.
//!
//! The work is divided so that one reader can feed many workers. The [`Reader`] opens the files one
//! after the other, finds out how each is laid out, and cuts it into [`Chunk`]s: raw bytes that
//! begin and end where a record does. Whoever gets a chunk turns its bytes into boards with
//! [`Chunk::records`]. Both sides find the records with the same cutter, so they cannot disagree
//! about how many there are: lines out = records in.
//!
//! What stands in the text layouts (`line`, `digits`, `grid`, `sized`, `pair`):
//!
//! * Tiles are split by blanks, tabs or commas. `#` begins a comment that ends with the line.
//! * A line that holds nothing but a comment is passed over as if it were not there, also in the
//!   middle of a board. A line that holds nothing at all is a blank line, and ends a board that is
//!   written over several lines.
//!
//! A record that cannot be read is one record with an error; nothing in a file stops the reading
//! but a failure of the file itself.

mod args;
mod chunk;
mod cut;
mod detect;
mod file;
mod layout;
mod parse;
mod position;
mod reader;
mod settings;
mod stream;
mod window;
mod words;

#[cfg(test)]
mod tests;

use crate::board::{GoalSpec, Shape};

pub use args::{Expanded, Input, expand};
pub use chunk::{Chunk, Extent, ParseError, Puzzle, Record, Records, Source};
pub use layout::Layout;
pub use parse::CsvColumns;
pub use position::Position;
pub use reader::{Changed, InputError, Reader};
pub(super) use stream::open;
pub use stream::{Unpacking, open_text};
pub(super) use window::{BLOCK_BYTES, Window};
pub(super) use words::{number, tokens};

/// How the files are to be read, where they do not say so themselves.
#[derive(Clone, Debug)]
pub struct InputOptions {
    /// The layout of every file; `None` tells it from the first records of each.
    pub layout: Option<Layout>,
    /// The goal of boards that bring none; `None` was not asked for, and is the blank last.
    pub goal: Option<GoalSpec>,
    /// The shape of boards that bring none; without it they are square.
    pub shape: Option<Shape>,
    /// The first line of every file is the number of its records.
    pub count_line: bool,
    /// Every line of the layouts `line` and `digits` begins with the record's number.
    pub numbered: bool,
    /// What is asked for here wins over the settings comment of a file.
    pub override_file: bool,
    /// The most bytes of a record: a longer one is one invalid record, and is never held in memory.
    pub max_line: usize,
    /// How far compressed files are trusted.
    pub unpacking: Unpacking,
}

impl Default for InputOptions {
    fn default() -> InputOptions {
        InputOptions {
            layout: None,
            goal: None,
            shape: None,
            count_line: false,
            numbered: false,
            override_file: false,
            max_line: 1 << 20,
            unpacking: Unpacking::default(),
        }
    }
}
