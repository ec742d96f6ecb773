//! The file of weights: one zstd frame with the following content. Numbers are little-endian; n is
//! the number of cells.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `taquin w` |
//! | 4 | the version, 2 |
//! | 4 | rows, columns, the blank's goal cell, 1 if mirror images are left out, otherwise 0 |
//! | 2n² | weights of tiles, by tile × n + cell |
//! | n² each | weights of the stored pairs, by the greater tile's cell × n + the smaller tile's |
//! | n³ each | weights of the stored triples |
//! | 8 | the XXH3 checksum of all bytes before it |
//!
//! If the weights are symmetric in the main diagonal, only one of two pairs or triples that are
//! mirror images of each other is stored.
//!
//! The frame may be recompressed at any level whose window is at most 16 MiB (up to `zstd -19`). Version
//! 1 was not compressed.

use std::io::{self, BufReader, Read, Write};

use ruzstd::decoding::StreamingDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::Learned;
use super::reflected::{fill, image};
use crate::board::{Cell, Shape, Symmetry};
use crate::heuristic::evaluation::{MAX_CELLS, trominoes};
use crate::system::Checksum;

/// The first bytes of a zstd frame.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The first bytes of the content, and of files of version 1.
const MAGIC: &[u8; 8] = b"taquin w";
const VERSION: u32 = 2;
/// Maximum window size in bytes. Apart from the weights, the window is most of the memory that
/// reading takes.
const MAX_WINDOW: u64 = 16 << 20;

impl Learned {
    /// Writes the file.
    pub fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let content = self.content(true).or_else(|| self.content(false)).unwrap_or_default();
        out.write_all(&compress_to_vec(&content[..], CompressionLevel::Fastest))
    }

    /// Returns the content of the frame; `None` if mirror images should be left out but the weights
    /// are not symmetric.
    fn content(&self, omit_mirrored: bool) -> Option<Vec<u8>> {
        let (shape, goal_blank) = self.shape_and_blank();
        let sets = TileSets::new(shape, goal_blank.index(), omit_mirrored)?;
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([shape.rows() as u8, shape.cols() as u8, goal_blank.index() as u8, u8::from(omit_mirrored)]);
        bytes.extend(self.singles().iter().flat_map(|weight| weight.to_le_bytes()));
        let (mut pair, mut triple) = (self.pair.clone(), self.triple.clone());
        let Ok(()) = sets.visit(&mut pair, &mut triple, |weights| {
            bytes.extend_from_slice(bytemuck::cast_slice(weights));
            Ok::<(), std::convert::Infallible>(())
        });
        bytes.extend(Checksum::of(&bytes).to_le_bytes());
        // `visit` has replaced the weights that are left out by those of their mirror images.
        (pair == self.pair && triple == self.triple).then_some(bytes)
    }

    /// Reads a file.
    pub fn read(input: &mut impl Read) -> Result<Learned, Error> {
        Ok(Learned::read_with_checksum(input)?.0)
    }

    /// Reads a file. Also returns the checksum of its content, which does not depend on the
    /// compression.
    pub(super) fn read_with_checksum(input: &mut impl Read) -> Result<(Learned, u64), Error> {
        let mut start = Vec::new();
        input.take(MAGIC.len() as u64).read_to_end(&mut start)?;
        match &start[..] {
            start if start == MAGIC => return Err(Error::Version { found: 1, expected: VERSION }),
            start if start.starts_with(&ZSTD) => {}
            _ => return Err(Error::NotWeights),
        }
        let frame = StreamingDecoder::new_with_max_window_size(start.chain(&mut *input), MAX_WINDOW);
        let frame = frame.map_err(|_| Error::Damaged("not zstd data".into()))?;
        let mut content = FrameContent { bytes: BufReader::new(frame), sum: Checksum::default() };

        let mut head = [0; 16];
        content.fill(&mut head)?;
        let [magic @ .., a, b, c, d, rows, cols, blank, omit_mirrored] = head;
        if magic != *MAGIC {
            return Err(Error::NotWeights);
        }
        let found = u32::from_le_bytes([a, b, c, d]);
        if found != VERSION {
            return Err(Error::Version { found, expected: VERSION });
        }
        let [rows, cols, blank] = [rows, cols, blank].map(usize::from);
        let shape = Shape::new(rows, cols).filter(|shape| shape.cells() <= MAX_CELLS && blank < shape.cells());
        let sets =
            shape.filter(|_| omit_mirrored <= 1).and_then(|shape| TileSets::new(shape, blank, omit_mirrored == 1));
        let Some((shape, sets)) = shape.zip(sets) else {
            return Err(Error::Shape(format!("{rows}x{cols} with the blank in cell {blank}")));
        };
        let n = shape.cells();
        let mut single = vec![[0; 2]; n * n];
        content.fill(single.as_flattened_mut())?;
        let (mut pair, mut triple) = (vec![0; n.pow(4)], vec![0; sets.triples.len() * n.pow(3)]);
        sets.visit(&mut pair, &mut triple, |weights| content.fill(bytemuck::cast_slice_mut(weights)))?;
        let sum = content.end()?;
        if input.read(&mut [0])? > 0 {
            return Err(Error::Damaged("data after the end".into()));
        }
        let single = single.into_iter().map(i16::from_le_bytes).collect();
        Ok((Learned::new(shape, Cell::new(blank), single, pair, triple), sum))
    }
}

/// The pairs and triples of tiles in the order of the file, and, if mirror images are left out, the
/// reflection in the main diagonal (the *mirror*).
pub(super) struct TileSets {
    n: usize,
    triples: Vec<[u8; 3]>,
    /// By cell: its mirror image.
    mirror: Option<Vec<usize>>,
}

impl TileSets {
    /// Returns the sets of a shape; `None` if mirror images should be left out but there is no
    /// mirror.
    pub(super) fn new(shape: Shape, goal_blank: usize, omit_mirrored: bool) -> Option<TileSets> {
        let images = || Symmetry::TRANSPOSITION.cells(shape).map(Cell::index).collect::<Vec<usize>>();
        let keeps_blank = |images: &Vec<usize>| images[goal_blank] == goal_blank;
        let mirror = match omit_mirrored {
            true => Some((shape.rows() == shape.cols()).then(images).filter(keeps_blank)?),
            false => None,
        };
        let triples = trominoes(shape, goal_blank);
        Some(TileSets { n: shape.cells(), triples, mirror })
    }

    /// Visits the stored weights in the order of the file. Copies the weights that are left out
    /// from their mirror images. The visitor may read or write the weights.
    pub(super) fn visit<E>(
        &self,
        pair: &mut [i8],
        triple: &mut [i8],
        mut visit: impl FnMut(&mut [i8]) -> Result<(), E>,
    ) -> Result<(), E> {
        let n = self.n;
        let row = |high: u8, low: u8, cell: usize| ((usize::from(high) * n + cell) * n + usize::from(low)) * n;
        for high in 0..n as u8 {
            for low in 0..high {
                match self.mirror.as_ref().map(|mirror| (mirror, image(mirror, [low, high]))) {
                    Some((mirror, ([first, second], order))) if [second, first] < [high, low] => {
                        for i in 0..n * n {
                            let cells = [i % n, i / n];
                            let [a, b] = order.map(|i| mirror[cells[i]]);
                            pair[row(high, low, cells[1]) + cells[0]] = pair[row(second, first, b) + a];
                        }
                    }
                    _ => (0..n).try_for_each(|cell| visit(&mut pair[row(high, low, cell)..][..n]))?,
                }
            }
        }
        for (number, &homes) in self.triples.iter().enumerate() {
            let (before, here) = triple.split_at_mut(number * n.pow(3));
            let here = &mut here[..n.pow(3)];
            let stored = self.mirror.as_ref().and_then(|mirror| {
                let (image, order) = image(mirror, homes);
                Some((mirror, self.triples[..number].binary_search(&image).ok()?, order))
            });
            match stored {
                Some((mirror, image, order)) => fill(here, &before[image * n.pow(3)..][..n.pow(3)], mirror, order),
                None => visit(here)?,
            }
        }
        Ok(())
    }
}

/// The unread content of the frame, and the checksum of the content read so far.
struct FrameContent<R> {
    bytes: BufReader<R>,
    sum: Checksum,
}

impl<R: Read> FrameContent<R> {
    fn fill(&mut self, buffer: &mut [u8]) -> Result<(), Error> {
        self.bytes.read_exact(buffer).map_err(|error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Error::Damaged("the file is truncated".into()),
            _ => Error::Damaged("invalid or truncated zstd data".into()),
        })?;
        self.sum.update(buffer);
        Ok(())
    }

    /// Reads and returns the checksum. Verifies it, and that nothing follows.
    fn end(mut self) -> Result<u64, Error> {
        let expected = self.sum.value();
        let mut sum = [0; 8];
        self.fill(&mut sum)?;
        if sum != expected.to_le_bytes() {
            return Err(Error::Damaged("wrong checksum".into()));
        }
        match self.bytes.read(&mut [0]) {
            Ok(0) => Ok(expected),
            Ok(_) => Err(Error::Damaged("data after the end".into())),
            Err(error) => Err(Error::Damaged(error.to_string())),
        }
    }
}

/// An error in reading a file of weights.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be read.
    #[error("cannot read the weights: {0}")]
    Io(#[from] io::Error),
    /// The file does not begin like a file of weights.
    #[error("not a file of weights: expected a file written by the trainer of this version")]
    NotWeights,
    /// The file has another version.
    #[error("these weights have version {found}, and this program reads version {expected}: train them again")]
    Version {
        /// The version in the file.
        found: u32,
        /// The version that this program reads.
        expected: u32,
    },
    /// The weights are for unsupported boards.
    #[error("these weights are for {0}, which is not supported")]
    Shape(String),
    /// The file is damaged or incomplete.
    #[error("the weights are damaged: {0}")]
    Damaged(String),
}
