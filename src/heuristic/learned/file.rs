//! The file of weights: a head that says what it is for, and the weights.

use std::io::{Read, Write};

use super::Learned;
use super::error::Error;
use crate::board::{Cell, Shape};
use crate::heuristic::evaluation::{MAX_CELLS, trominoes};
use crate::system::Checksum;

/// The first bytes.
const MAGIC: &[u8; 8] = b"taquin w";
const VERSION: u32 = 1;
/// Magic, version, rows, columns, the goal's blank, zero.
const HEAD_BYTES: usize = 16;

impl Learned {
    /// Writes the file.
    pub fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let (shape, goal_blank) = self.of();
        let mut bytes = Vec::new();
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend([shape.rows() as u8, shape.cols() as u8, goal_blank.index() as u8, 0]);
        bytes.extend(self.singles().iter().flat_map(|weight| weight.to_le_bytes()));
        bytes.extend(self.pairs().iter().map(|&weight| weight as u8));
        bytes.extend(self.triple_weights().iter().map(|&weight| weight as u8));
        let checksum = Checksum::of(&bytes);
        bytes.extend(checksum.to_le_bytes());
        out.write_all(&bytes)
    }

    /// Reads a file.
    pub fn read(input: &mut impl Read) -> Result<Learned, Error> {
        let mut head = [0; HEAD_BYTES];
        fill(input, &mut head)?;
        if &head[..8] != MAGIC {
            return Err(Error::NotWeights);
        }
        let version = u32::from_le_bytes([head[8], head[9], head[10], head[11]]);
        if version != VERSION {
            return Err(Error::Version { found: version, expected: VERSION });
        }
        let [rows, cols, blank] = [head[12], head[13], head[14]].map(usize::from);
        let (shape, goal_blank) = Shape::new(rows, cols)
            .filter(|shape| shape.cells() <= MAX_CELLS && blank < shape.cells())
            .map(|shape| (shape, Cell::new(blank)))
            .ok_or_else(|| Error::Shape(format!("{rows}x{cols} with the blank in cell {blank}")))?;
        let n = shape.cells();
        let sizes = [2 * n * n, n.pow(4), trominoes(shape, blank).len() * n.pow(3)];
        let mut body = Vec::new();
        let size: usize = sizes.iter().sum();
        input.take(size as u64 + 8).read_to_end(&mut body)?;
        if body.len() < size + 8 {
            return Err(Error::Truncated);
        }
        if input.read(&mut [0])? > 0 {
            return Err(Error::Trailing);
        }
        let (weights, checksum) = body.split_at(size);
        let mut sum = Checksum::default();
        sum.update(&head);
        sum.update(weights);
        if checksum != sum.value().to_le_bytes() {
            return Err(Error::Checksum);
        }
        let (single, rest) = weights.split_at(sizes[0]);
        let (pair, triple) = rest.split_at(sizes[1]);
        let single = single.chunks_exact(2).map(|two| i16::from_le_bytes([two[0], two[1]])).collect();
        let signed = |bytes: &[u8]| bytes.iter().map(|&byte| byte as i8).collect();
        Ok(Learned::new(shape, goal_blank, single, signed(pair), signed(triple)))
    }
}

/// Fills the buffer.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<(), Error> {
    input.read_exact(buffer).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => Error::Truncated,
        _ => Error::Io(error),
    })
}
