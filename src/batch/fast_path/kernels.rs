//! Blocks of records that are solved together, the operations on them that are implemented for each
//! instruction set, and the implementation for any machine. All implementations use the tables of
//! the goal.

use super::replay::{self, ReplayTable};
use super::template::RecordTemplate;
use crate::board::frame::Frame;
use crate::board::{Cell, OrderRanks, Tile};
use crate::engine::path_table::Paths;
use crate::system::sort_few;

/// The number of records in a block: enough that their table entries are fetched concurrently.
pub const BLOCK: usize = 32;

/// A block of parsed records.
#[derive(Clone, Debug)]
pub struct RecordBlock {
    /// The tiles in the order of the record, as ASCII digits with `b'0'` for the blank. Zero bytes
    /// follow, except after boards in memory ([`super::Lengths`]), which are not replayed.
    pub boards: [[u8; 16]; BLOCK],
    /// The blank's cell on the given board.
    pub blanks: [u8; BLOCK],
    /// The rank among all permutations of the tiles and the blank, solvable or not. Shifted right
    /// by one, it is the rank in the table. The low bit selects one of the two permutations that
    /// share that rank; one of them is solvable.
    pub ranks: [u32; BLOCK],
}

impl Default for RecordBlock {
    fn default() -> RecordBlock {
        RecordBlock { boards: [[0; 16]; BLOCK], blanks: [0; BLOCK], ranks: [0; BLOCK] }
    }
}

/// The tables of a goal that has a table of whole paths. They map the digits of a board to its rank
/// by shuffles.
///
/// A board is mapped to its frame ([`crate::board::frame`]) in two steps: tiles are relabelled, and
/// cells are read in another order. The first step is a lookup by digit. The second has no extra
/// cost, because the blank must be removed from the string of tiles anyway: for each cell of
/// the blank, there is a list of the cells to read.
#[derive(Clone, Debug)]
pub struct FastPathTables {
    pub(super) cells: usize,
    /// By digit: the tile's number in the frame, from 0 to 7, [`FastPathTables::BLANK`], or
    /// [`FastPathTables::NO_TILE`].
    pub(super) tiles: [u8; 16],
    /// By the blank's cell: the eight elements of a vector of tiles to read, in this order. The
    /// first are the other cells of the board, in the order in which the frame reads their tiles.
    /// If a board has fewer than nine cells, the elements from `cells` to 8 follow. Element `n` of
    /// these stands for tile `n - 1`, which the board lacks, so that every string has eight tiles.
    pub(super) reading_order: [[u8; 16]; FastPathTables::MAX_CELLS],
    /// By the blank's cell: the lowest rank of a permutation with the blank in that cell, solvable
    /// or not.
    first_rank: [u32; FastPathTables::MAX_CELLS],
    orders: OrderRanks,
    /// The goal as ASCII digits, followed by zero bytes.
    pub(super) goal: [u8; 16],
    pub(super) replay_table: &'static ReplayTable,
}

impl FastPathTables {
    /// The entry of `tiles` for the blank's digit.
    pub(super) const BLANK: u8 = 0x80;

    /// The entry of `tiles` for a digit that is not a tile.
    pub(super) const NO_TILE: u8 = 0x10;

    /// A shuffle index that produces 0. It fills the end of each list in `reading_order`.
    const NOTHING: u8 = 0x80;

    const MAX_CELLS: usize = OrderRanks::MAX_CELLS;

    /// Creates the tables of a goal, or returns `None` if its shape has no table of whole paths.
    pub fn new(frame: &Frame, paths: &Paths) -> Option<FastPathTables> {
        let (goal, goal_blank) = (frame.goal(), frame.space().goal_blank);
        let cells = goal.shape().cells();
        let replay_table = ReplayTable::of(goal.shape())?;
        let (orders, orders_per_cell) = paths.orders();

        let mut tiles = [Self::NO_TILE; 16];
        tiles[0] = Self::BLANK;
        for (label, tile) in tiles.iter_mut().enumerate().take(cells).skip(1) {
            let home = frame.home(Tile::new(label));
            *tile = (home.index() - usize::from(home > goal_blank)) as u8;
        }
        // The cells of the given board, in the order in which the frame reads them.
        let mut cells_in_order: Vec<usize> = (0..cells).collect();
        sort_few(&mut cells_in_order, |&cell| frame.cell(Cell::new(cell)));
        let (mut reading_order, mut first_rank) = ([[Self::NOTHING; 16]; Self::MAX_CELLS], [0; Self::MAX_CELLS]);
        for blank in 0..cells {
            let with_tiles = cells_in_order.iter().copied().filter(|&cell| cell != blank);
            for (place, cell) in with_tiles.chain(cells..Self::MAX_CELLS).enumerate() {
                reading_order[blank][place] = cell as u8;
            }
            first_rank[blank] = frame.cell(Cell::new(blank)).index() as u32 * orders_per_cell * 2;
        }
        let mut digits = [0; 16];
        for (digit, tile) in digits.iter_mut().zip(goal.tiles()) {
            *digit = b'0' + tile.label() as u8;
        }
        Some(FastPathTables {
            cells,
            tiles,
            reading_order,
            first_rank,
            orders: orders.clone(),
            goal: digits,
            replay_table,
        })
    }

    /// Returns the rank of the board with the blank in this cell and these two halves of its string
    /// of tiles, or `None` if a tile occurs twice. Only the lowest 12 bits of a half are used.
    #[inline(always)]
    pub(super) fn rank_of_halves(&self, blank: usize, front: u32, back: u32) -> Option<u32> {
        Some(self.first_rank[blank] + self.orders.rank_of_halves(front, back)?)
    }

    /// Returns the rank of a board among all permutations, or `None` if a character is not a tile
    /// or a tile occurs twice.
    #[inline(always)]
    pub(super) fn rank(&self, board: &[u8; 16], blank: usize) -> Option<u32> {
        let mut string = 0u32;
        for (place, &cell) in self.reading_order[blank][..Self::MAX_CELLS - 1].iter().enumerate() {
            let cell = usize::from(cell % 16);
            let tile = if cell < self.cells {
                let digit = board[cell] ^ b'0';
                if digit < 16 { self.tiles[usize::from(digit)] } else { Self::NO_TILE }
            } else {
                // A tile that this shape lacks.
                cell as u8 - 1
            };
            if tile >= 8 {
                return None;
            }
            string |= u32::from(tile) << (3 * place);
        }
        self.rank_of_halves(blank, string, string >> 12)
    }
}

/// The data by which records are recognised: their template, and the tables for their boards.
#[derive(Clone, Copy)]
pub struct Recogniser<'a> {
    pub template: &'a RecordTemplate,
    pub tables: &'a FastPathTables,
    pub paths: &'a Paths,
}

/// The operations that are implemented for each instruction set. All implementations give the same
/// results.
pub trait Kernels {
    /// Parses the leading records that match, and returns their number. Also prefetches the table
    /// entries. There must be at least as many bytes as [`RecordTemplate::bytes_of`] returns for
    /// [`BLOCK`].
    fn recognise(recogniser: Recogniser<'_>, bytes: &[u8], block: &mut RecordBlock) -> usize;

    /// Returns the letters of the path in a word of the table, followed by arbitrary letters.
    fn letters(word: u64) -> [u8; 32];

    /// Returns true if the first `path_len` letters lead from a board to the goal.
    fn arrives(tables: &FastPathTables, board: &[u8; 16], blank: u8, letters: &[u8; 32], path_len: u32) -> bool;

    /// Does the same as [`Self::recognise`] for any number of bytes.
    #[inline(always)]
    fn recognise_any(recogniser: Recogniser<'_>, bytes: &[u8], block: &mut RecordBlock) -> usize {
        let needed = recogniser.template.bytes_of(BLOCK);
        match bytes.get(..needed) {
            Some(bytes) => Self::recognise(recogniser, bytes, block),
            None => {
                // The last records are followed by zero bytes, which do not match.
                let mut padded = [0; BLOCK * RecordTemplate::MAX_STRIDE];
                padded[..bytes.len()].copy_from_slice(bytes);
                Self::recognise(recogniser, &padded[..needed], block)
            }
        }
    }
}

/// The kernels for any machine.
pub struct PortableKernels;

impl Kernels for PortableKernels {
    #[inline(always)]
    fn recognise(recogniser: Recogniser<'_>, bytes: &[u8], block: &mut RecordBlock) -> usize {
        let Recogniser { template, tables, paths } = recogniser;
        for i in 0..BLOCK {
            let record = &bytes[i * template.stride..];
            let Some(record) = record.first_chunk::<{ RecordTemplate::MAX_STRIDE }>() else { return i };
            let Some((board, blank, rank)) = parse(template, tables, record) else { return i };
            (block.boards[i], block.blanks[i], block.ranks[i]) = (board, blank, rank);
            paths.prefetch((rank >> 1) as usize);
        }
        BLOCK
    }

    #[inline(always)]
    fn letters(word: u64) -> [u8; 32] {
        replay::letters(word)
    }

    #[inline(always)]
    fn arrives(tables: &FastPathTables, board: &[u8; 16], blank: u8, letters: &[u8; 32], path_len: u32) -> bool {
        tables.replay_table.arrives(board, blank, &letters[..path_len as usize], &tables.goal)
    }
}

/// Parses a record if it matches: returns its board, the cell of its blank and its rank.
#[inline(always)]
fn parse(
    template: &RecordTemplate,
    tables: &FastPathTables,
    record: &[u8; RecordTemplate::MAX_STRIDE],
) -> Option<([u8; 16], u8, u32)> {
    let RecordTemplate { mask, fixed, .. } = template;
    let different =
        (0..RecordTemplate::MAX_STRIDE).fold(0, |different, i| different | (record[i] ^ fixed[i]) & mask[i]);
    if different != 0 {
        return None;
    }
    let (mut board, mut blank) = ([0; 16], None);
    for (cell, &at) in template.tiles_at().iter().enumerate() {
        // The position is within the record. The remainder only proves this to the compiler.
        let byte = record[usize::from(at) % RecordTemplate::MAX_STRIDE] ^ template.to_digit;
        board[cell] = byte;
        if byte == b'0' || byte == template.blank {
            board[cell] = b'0';
            if blank.replace(cell).is_some() {
                return None;
            }
        }
    }
    let blank = blank?;
    let rank = tables.rank(&board, blank)?;
    Some((board, blank as u8, rank))
}
