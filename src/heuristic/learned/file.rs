//! The file of weights, numbers with their lowest byte first:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `taquin w` |
//! | 4 | the version, 1 |
//! | 4 | rows, columns, the goal's blank, 1 if weights of mirror images are left out and 0 if not |
//! | 8 | how many bytes the packed weights take |
//! | … | the packed weights (`pack`) |
//! | 8 | the XXH3 checksum of all before |

use std::io::{Read, Write};

use super::Learned;
use super::error::Error;
use super::pack::{Lists, pack, unpack};
use crate::board::{Cell, Shape};
use crate::heuristic::evaluation::{MAX_CELLS, trominoes};
use crate::system::Checksum;

/// The first bytes.
const MAGIC: &[u8; 8] = b"taquin w";
const VERSION: u32 = 1;
const HEAD_BYTES: usize = 24;

impl Learned {
    /// Writes the file.
    pub fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let (shape, goal_blank) = self.of();
        let lists = Lists {
            single: self.singles().to_vec(),
            pair: self.pairs().to_vec(),
            triple: self.triple_weights().to_vec(),
        };
        let (mirrored, packed) = pack(shape, goal_blank.index(), &lists);
        let mut bytes = Vec::with_capacity(HEAD_BYTES + packed.len() + 8);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend([shape.rows() as u8, shape.cols() as u8, goal_blank.index() as u8, u8::from(mirrored)]);
        bytes.extend((packed.len() as u64).to_le_bytes());
        bytes.extend(packed);
        bytes.extend(Checksum::of(&bytes).to_le_bytes());
        out.write_all(&bytes)
    }

    /// Reads a file.
    pub fn read(input: &mut impl Read) -> Result<Learned, Error> {
        Ok(Learned::read_with_checksum(input)?.0)
    }

    /// Reads a file, and tells its checksum.
    pub(super) fn read_with_checksum(input: &mut impl Read) -> Result<(Learned, u64), Error> {
        let mut bytes = vec![0; HEAD_BYTES];
        fill(input, &mut bytes)?;
        let (start, rest) = bytes.split_at(8);
        if start != MAGIC {
            return Err(Error::NotWeights);
        }
        let word = |at: usize| u32::from_le_bytes([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]);
        if word(0) != VERSION {
            return Err(Error::Version { found: word(0), expected: VERSION });
        }
        let [rows, cols, blank] = [rest[4], rest[5], rest[6]].map(usize::from);
        let mirrored = rest[7];
        let shape = Shape::new(rows, cols).filter(|shape| shape.cells() <= MAX_CELLS && blank < shape.cells());
        let Some(shape) = shape.filter(|_| mirrored <= 1) else {
            return Err(Error::Shape(format!("{rows}x{cols} with the blank in cell {blank}")));
        };
        let packed = u64::from(word(12)) << 32 | u64::from(word(8));
        if packed > most_packed(shape, blank) {
            return Err(Error::Shape(format!("{packed} bytes for the weights of {shape}")));
        }
        // Memory is taken as bytes come.
        let body = packed + 8;
        if input.take(body).read_to_end(&mut bytes)? < body as usize {
            return Err(Error::Truncated);
        }
        if input.read(&mut [0])? > 0 {
            return Err(Error::Trailing);
        }
        let (all, checksum) = bytes.split_at(bytes.len() - 8);
        let found = Checksum::of(all);
        if checksum != found.to_le_bytes() {
            return Err(Error::Checksum);
        }
        let lists = unpack(shape, blank, mirrored == 1, &all[HEAD_BYTES..]).ok_or(Error::Packed)?;
        Ok((Learned::new(shape, Cell::new(blank), lists.single, lists.pair, lists.triple), found))
    }
}

/// No weights of a shape take more bytes: packed they take hardly ever more than unpacked.
fn most_packed(shape: Shape, goal_blank: usize) -> u64 {
    let n = shape.cells();
    let unpacked = 2 * n * n + n.pow(4) + trominoes(shape, goal_blank).len() * n.pow(3);
    3 * unpacked as u64 + 1000
}

/// Fills the buffer.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<(), Error> {
    input.read_exact(buffer).map_err(|error| match error.kind() {
        std::io::ErrorKind::UnexpectedEof => Error::Truncated,
        _ => Error::Io(error),
    })
}
