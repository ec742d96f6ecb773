//! Blocks of records that are solved together, the operations on them that are implemented for each
//! instruction set, and the implementation for any machine.

use super::goal_tables::GoalTables;
use super::replay;
use super::template::RecordTemplate;
use crate::engine::path_table::Paths;

/// The number of records in a block: enough that their table entries are fetched concurrently.
pub const BLOCK: usize = 32;

/// A block of parsed records.
#[derive(Clone, Debug)]
pub struct Block {
    /// The tiles in the order of the record, as digits, with `0` for the blank, followed by zeros.
    pub boards: [[u8; 16]; BLOCK],
    /// The blank's cell on the given board.
    pub blanks: [u8; BLOCK],
    /// The rank among all permutations of the tiles and the blank, solvable or not. Shifted right
    /// by one, it is the rank in the table. The low bit selects one of the two permutations that
    /// share that rank; one of them is solvable.
    pub ranks: [u32; BLOCK],
}

impl Default for Block {
    fn default() -> Block {
        Block { boards: [[0; 16]; BLOCK], blanks: [0; BLOCK], ranks: [0; BLOCK] }
    }
}

/// The form of records, and the tables for their boards.
#[derive(Clone, Copy)]
pub struct Form<'a> {
    pub template: &'a RecordTemplate,
    pub tables: &'a GoalTables,
    pub paths: &'a Paths,
}

/// The operations that are implemented for each instruction set. All implementations give the same
/// results.
pub trait Kernels {
    /// Parses the leading records that match, and returns their number. Also prefetches the table
    /// entries. There must be at least as many bytes as [`RecordTemplate::bytes_of`] returns for
    /// [`BLOCK`].
    fn recognise(form: Form<'_>, bytes: &[u8], block: &mut Block) -> usize;

    /// Returns the letters of a path, followed by arbitrary letters.
    fn letters(word: u64) -> [u8; 32];

    /// Returns true if the first `plies` letters lead from a board to the goal.
    fn arrives(tables: &GoalTables, board: &[u8; 16], blank: u8, letters: &[u8; 32], plies: u32) -> bool;

    /// Does the same as [`Self::recognise`] for any number of bytes.
    #[inline(always)]
    fn recognise_any(form: Form<'_>, bytes: &[u8], block: &mut Block) -> usize {
        let needed = form.template.bytes_of(BLOCK);
        match bytes.get(..needed) {
            Some(bytes) => Self::recognise(form, bytes, block),
            None => {
                // The last records are followed by zeros, which do not match.
                let mut padded = [0; BLOCK * RecordTemplate::MAX_STRIDE];
                padded[..bytes.len()].copy_from_slice(bytes);
                Self::recognise(form, &padded[..needed], block)
            }
        }
    }
}

/// The implementation for any machine.
pub struct Portable;

impl Kernels for Portable {
    #[inline(always)]
    fn recognise(form: Form<'_>, bytes: &[u8], block: &mut Block) -> usize {
        let Form { template, tables, paths } = form;
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
    fn arrives(tables: &GoalTables, board: &[u8; 16], blank: u8, letters: &[u8; 32], plies: u32) -> bool {
        tables.replay_table.arrives(board, blank, &letters[..plies as usize], &tables.goal)
    }
}

/// Parses a record if it matches: returns its board, the cell of its blank and its rank.
#[inline(always)]
fn parse(
    template: &RecordTemplate,
    tables: &GoalTables,
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
        // Always within the record. The remainder only proves this to the compiler.
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
