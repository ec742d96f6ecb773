//! The last step of building a table: the transposition from rows of orders to blocks of rows.
//!
//! The builder stores a bit string over the orders for each row. A search needs a bit string over
//! the rows for each order. So squares of bits, 64 rows × one word of 64 orders, are transposed.

use super::layout::Layout;
use super::pulls::Pulls;
use super::rows::{Address, RowWord, row_words};
use crate::system::{Kernel, run_all, transpose_bits};

/// The number of columns, of 64 bits each, that are transposed together. Eight columns of a row
/// fill a cache line.
const COLUMNS: usize = 8;

/// The rows of both colours, whatever the width of their words, so that the loop is compiled once.
#[derive(Clone, Copy)]
pub(super) struct ColourRows<'a> {
    /// The rows of each colour (`pulls.rs`), one after the other, in pieces of 32 bits.
    pieces: [&'a [u32]; 2],
    /// The number of pieces of a row.
    row_pieces: usize,
    /// The number of pieces of a word.
    word_pieces: usize,
}

impl<'a> ColourRows<'a> {
    pub(super) fn new<W: RowWord>(words: [&'a [W]; 2], row_words: usize) -> ColourRows<'a> {
        let word_pieces = size_of::<W>() / size_of::<u32>();
        ColourRows { pieces: words.map(bytemuck::cast_slice), row_pieces: row_words * word_pieces, word_pieces }
    }

    /// Returns the number of columns of a row.
    fn columns(&self) -> usize {
        self.row_pieces.div_ceil(2)
    }

    /// Returns the word and the bit of it that a bit of a column stands for.
    fn address(&self, column: usize, bit: usize) -> Address {
        let piece = 2 * column + bit / 32;
        let place = piece % self.word_pieces;
        let place = if cfg!(target_endian = "big") { self.word_pieces - 1 - place } else { place };
        Address { word: (piece / self.word_pieces) as u32, bit: (place * 32 + bit % 32) as u32 }
    }

    #[inline(always)]
    fn row(&self, colour: usize, slot: usize) -> &[u32] {
        &self.pieces[colour][slot * self.row_pieces..][..self.row_pieces]
    }
}

/// Writes `table[order][row]`.
pub(super) fn transpose(layout: &Layout, pulls: &Pulls, rows: ColourRows, table: &mut [u64], threads: usize) {
    // Each bit of a row belongs to one block of the table. Every task gets the blocks that it
    // writes.
    let mut blocks: Vec<Option<&mut [u64]>> = table.chunks_exact_mut(layout.block_words()).map(Some).collect();
    let tiles = layout.orders().tiles();
    let mut block_of = |column: usize, bit: usize| {
        let address = rows.address(column, bit);
        if address.word as usize >= row_words(tiles) || address.bit >= Address::bits(tiles) {
            return None;
        }
        blocks[layout.orders().rank(&address.order(tiles).order()[..tiles])].take()
    };
    let tasks: Vec<TransposeTask> = (0..rows.columns())
        .step_by(COLUMNS)
        .map(|first| TransposeTask {
            pulls,
            rows,
            first_column: first,
            blocks: (first..rows.columns().min(first + COLUMNS))
                .map(|column| std::array::from_fn(|bit| block_of(column, bit)))
                .collect(),
            block_words: layout.block_words(),
        })
        .collect();
    run_all(tasks, threads);
}

/// The transposition of some columns of all rows.
struct TransposeTask<'a> {
    pulls: &'a Pulls,
    rows: ColourRows<'a>,
    first_column: usize,
    /// For every column, the blocks to which its bits belong.
    blocks: Vec<[Option<&'a mut [u64]>; 64]>,
    block_words: usize,
}

impl Kernel for TransposeTask<'_> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let rows = self.pulls.rows();
        let mut squares = [[0u64; 64]; COLUMNS];
        for word in 0..self.block_words {
            for i in 0..64 {
                let row = word * 64 + i;
                if row >= rows {
                    squares.iter_mut().for_each(|square| square[i] = 0);
                    continue;
                }
                let (colour, slot) = self.pulls.slot(row);
                let row = self.rows.row(colour, slot);
                for (column, square) in squares[..self.blocks.len()].iter_mut().enumerate() {
                    square[i] = column_of(row, self.first_column + column);
                }
            }
            for (square, blocks) in squares.iter_mut().zip(&mut self.blocks) {
                transpose_bits(square);
                for (block, &bits) in blocks.iter_mut().zip(square.iter()) {
                    if let Some(block) = block {
                        block[word] = bits;
                    }
                }
            }
        }
    }
}

/// Returns a column of a row: 64 bits, from two pieces, or from the last one.
#[inline(always)]
fn column_of(row: &[u32], column: usize) -> u64 {
    let high = row.get(2 * column + 1).map_or(0, |&piece| piece.into());
    u64::from(row[2 * column]) | high << 32
}
