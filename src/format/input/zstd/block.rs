//! Compressed blocks (RFC 8878, 3.1.1.3).

use super::damage::Damage;
use super::history::{BLOCK_BYTES, Writer};
use super::huffman::Huffman;
use super::literals;
use super::sequences::Sequences;

/// What blocks inherit from those before them in their frame, and room for literals.
pub struct Decoder {
    huffman: Huffman,
    sequences: Sequences,
    literals: Vec<u8>,
}

impl Decoder {
    pub fn new() -> Decoder {
        let literals = vec![0; BLOCK_BYTES + literals::PADDING];
        Decoder { huffman: Huffman::new(), sequences: Sequences::new(), literals }
    }

    /// Begins a frame.
    pub fn clear(&mut self) {
        self.huffman.clear();
        self.sequences.clear();
    }

    /// Writes the text of a block.
    pub fn decode(&mut self, data: &[u8], most: usize, text: &mut Writer<'_>) -> Result<(), Damage> {
        let (count, bytes) = literals::decode(data, most, &mut self.huffman, &mut self.literals)?;
        self.sequences.decode(&data[bytes..], &self.literals, count, text)
    }
}
