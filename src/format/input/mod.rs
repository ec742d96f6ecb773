//! Reads boards from files of many layouts as one stream of records.
//!
//! The [`Reader`] opens the files one after the other. It detects the layout of each file, and
//! splits the text into [`Chunk`]s: raw bytes that begin and end at record boundaries. Workers
//! parse the chunks ([`Chunk::records`]). Only the reader decides where records end, so reader and
//! workers always agree on the number of records, and every record has one result.
//!
//! Rules of the text layouts (`line`, `digits`, `grid`, `sized`, `pair`):
//!
//! * Tiles are separated by spaces, tabs or commas. `#` begins a comment that extends to the end of
//!   the line.
//! * A line with only a comment is skipped, even within a board. A blank line ends a `grid` board,
//!   a `pair` without a goal, and a `sized` record without a valid size. Other blank lines are
//!   skipped.
//!
//! A record that cannot be parsed is one record with an error. Only a failure to read a file ends
//! the reading of that file.

mod chunk;
mod csv;
mod decode;
mod detect;
mod expand;
mod file;
mod head;
mod json;
mod layout;
mod lines;
mod options;
mod read_ahead;
mod reader;
mod record;
mod split;
mod stream;
mod stream_buffer;
mod text;

#[cfg(test)]
mod tests;

pub use super::shard::Shard;
pub use chunk::{Chunk, Records};
pub use csv::CsvFields;
pub use decode::DecompressionLimit;
pub use expand::{Expanded, expand};
#[cfg(feature = "cli")]
pub use expand::{SkippedFiles, expand_all};
pub use file::Position;
pub use json::JsonArray;
pub use layout::Layout;
pub(super) use lines::{number, tokens};
pub use options::InputOptions;
pub use reader::{AmountRead, InputChanged, InputError, Reader};
pub use record::{ParseError, Puzzle, Record, Source};
pub use stream::{Input, open_plain, open_text};
pub(super) use stream_buffer::{BLOCK_BYTES, StreamBuffer};
