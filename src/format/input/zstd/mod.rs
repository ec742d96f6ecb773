//! The text of a zstd file: a decoder of the format of RFC 8878, without `unsafe` and without a C library.
//!
//! A file is *frames* one after the other; a frame is *blocks* of at most 128 KiB of text. A compressed block holds
//! *literals* – bytes, most often by a Huffman code – and *sequences*, which say in turn: so many of the literals, then
//! so many bytes again that stood so far back. What stands back is kept in the [`history::History`], as long as the *window* that
//! the frame names. The numbers of the sequences and the weights of the Huffman code are written by finite state
//! entropy codes ([`fse`]), whose bits are read from their end ([`bits`]).
//!
//! A block is decoded as a whole or not at all: text is handed out up to the last block that is sound, then the failure
//! is told. A sound block's text may still be wrong; the frame's checksum, where it has one, shows that at its end.

mod bits;
mod block;
mod damage;
mod frame;
mod fse;
mod header;
mod history;
mod huffman;
mod literals;
mod sequences;

pub use frame::Zstd;
