//! Reads boards from files: many layouts, one stream of records.
//!
//! One reader feeds many workers. The [`Reader`] opens the files one after the other, detects the
//! layout of each, and splits it into [`Chunk`]s: raw bytes that begin and end at record
//! boundaries. A worker parses the bytes of a chunk with [`Chunk::records`]. Only the reader
//! decides where records end, so both sides agree on the number of records: one output line per
//! record.
//!
//! Rules of the text layouts (`line`, `digits`, `grid`, `sized`, `pair`):
//!
//! * Tiles are separated by blanks, tabs or commas. `#` begins a comment that extends to the end of
//!   the line.
//! * A line that holds only a comment is skipped, even in the middle of a board. A blank line ends
//!   a board that is written over several lines.
//!
//! A record that cannot be read is one record with an error. Only a failure of the file itself
//! stops the reading.

mod chunk;
mod decompression;
mod detect;
mod expand;
mod file;
mod file_text;
mod framing;
mod functions;
mod gzip;
mod head;
mod layout;
mod options;
mod parse;
mod passed_over;
mod plain_lines;
mod position;
mod read_ahead;
mod reader;
mod record;
mod results_file;
mod settings;
mod shard;
mod source;
mod split;
mod stream;
mod text_lines;
mod window;
mod write;
mod zstd;

#[cfg(test)]
mod tests;

pub use chunk::{Chunk, Extent, Records};
pub use decompression::DecompressionLimit;
#[cfg(feature = "cli")]
pub use expand::expand as expand_all;
pub use expand::{Expanded, Input};
pub use layout::Layout;
pub use options::InputOptions;
pub use parse::{CsvColumns, Fields as CsvFields, JsonArray};
pub use passed_over::PassedOver;
pub use position::Position;
pub use reader::{AmountRead, InputChanged, InputError, Reader};
pub use record::{ParseError, Puzzle, Record};
pub use results_file::{expand, holds_results};
pub use shard::Shard;
pub use source::Source;
pub use stream::{open_plain, open_text};
pub(super) use text_lines::{number, tokens};
pub(super) use window::{BLOCK_BYTES, Window};
pub(super) use write::{Label, Writing};
