//! Reading boards from files: many layouts, one stream of records.
//!
//! The work is divided so that one reader can feed many workers. The [`Reader`] opens the files one
//! after the other, finds out how each is laid out, and cuts it into [`Chunk`]s: raw bytes that
//! begin and end where a record does. A worker turns the bytes of a chunk into boards with
//! [`Chunk::records`]. The
//! reader alone decides where records end, so both sides agree about how many there are: lines out =
//! records in.
//!
//! What stands in the text layouts (`line`, `digits`, `grid`, `sized`, `pair`):
//!
//! * Tiles are split by blanks, tabs or commas. `#` begins a comment that ends with the line.
//! * A line that holds nothing but a comment is skipped as if it were not there, also in the
//!   middle of a board. A line that holds nothing at all is a blank line, and ends a board that is
//!   written over several lines.
//!
//! A record that cannot be read is one record with an error; nothing in a file stops the reading
//! but a failure of the file itself.

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
pub use reader::{InputChanged, InputError, Reader};
pub use record::{ParseError, Puzzle, Record};
pub use results_file::{expand, holds_results};
pub use shard::Shard;
pub use source::Source;
pub use stream::{open_plain, open_text};
pub(super) use text_lines::{number, tokens};
pub(super) use window::{BLOCK_BYTES, Window};
pub(super) use write::{Label, Writing};
