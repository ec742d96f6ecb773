//! The last step of building a table: the transposition from rows of orders to blocks of rows.
//!
//! The builder stores a bit string over the orders for each row. A search needs a bit string over
//! the rows for each order. So squares of bits, 64 rows × one word of 64 orders, are transposed.

use super::layout::Layout;
use super::pulls::Pulls;
use super::rows::{Address, RowWord};
use crate::system::{Kernel, run_all, transpose_bits};

/// The number of columns, of 64 bits each, that are transposed together. Eight columns of a row
/// fill a cache line.
const COLUMNS: usize = 8;

/// Writes `table[order][row]` from the rows of each colour (`pulls.rs`).
pub(super) fn transpose<W: RowWord, const WORDS: usize>(
    layout: &Layout,
    pulls: &Pulls,
    rows_by_colour: [&[[W; WORDS]]; 2],
    table: &mut [u64],
    threads: usize,
) {
    // Each bit of a row belongs to one block of the table. Every task gets the blocks that it
    // writes.
    let mut blocks: Vec<Option<&mut [u64]>> = table.chunks_exact_mut(layout.block_words()).map(Some).collect();
    let tiles = layout.orders().tiles();
    let (word_bits, columns) = (8 * size_of::<W>(), (WORDS * size_of::<W>()).div_ceil(8));
    let mut block_of = |column: usize, bit: usize| {
        let (word, bit) = (column * (64 / word_bits) + bit / word_bits, (bit % word_bits) as u32);
        if word >= WORDS || bit >= Address::bits(tiles) {
            return None;
        }
        let codes = Address { word: word as u32, bit }.order(tiles).order();
        blocks[layout.orders().rank(&codes[..tiles])].take()
    };
    let tasks: Vec<TransposeTask<W, WORDS>> = (0..columns)
        .step_by(COLUMNS)
        .map(|first| TransposeTask {
            pulls,
            rows_by_colour,
            first_column: first,
            blocks: (first..columns.min(first + COLUMNS))
                .map(|column| std::array::from_fn(|bit| block_of(column, bit)))
                .collect(),
            block_words: layout.block_words(),
        })
        .collect();
    run_all(tasks, threads);
}

/// The transposition of some columns of all rows.
struct TransposeTask<'a, W, const WORDS: usize> {
    pulls: &'a Pulls,
    rows_by_colour: [&'a [[W; WORDS]]; 2],
    first_column: usize,
    /// For every column, the blocks to which its bits belong.
    blocks: Vec<[Option<&'a mut [u64]>; 64]>,
    block_words: usize,
}

impl<W: RowWord, const WORDS: usize> Kernel for TransposeTask<'_, W, WORDS> {
    type Output = ();

    #[inline(always)]
    fn run(mut self) {
        let rows = self.rows_by_colour[0].len() + self.rows_by_colour[1].len();
        let mut squares = [[0u64; 64]; COLUMNS];
        for word in 0..self.block_words {
            for i in 0..64 {
                let row = word * 64 + i;
                if row >= rows {
                    squares.iter_mut().for_each(|square| square[i] = 0);
                    continue;
                }
                let (colour, slot) = self.pulls.slot(row);
                let row = &self.rows_by_colour[colour][slot];
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

/// Returns a column of a row: 64 bits, from one word or two.
#[inline(always)]
fn column_of<W: RowWord, const WORDS: usize>(row: &[W; WORDS], column: usize) -> u64 {
    if size_of::<W>() == 8 {
        return row[column].into();
    }
    let high = row.get(2 * column + 1).map_or(0, |&word| word.into());
    row[2 * column].into() | high << 32
}
