//! Recognition: records of a template become boards, blanks and orders, for any machine.

use super::ground::Ground;
use super::template::Template;
use crate::engine::paths::Paths;

/// Records of a block: enough that their table entries are fetched side by side, few enough that what is
/// read ahead of an odd record is no loss.
pub const BLOCK: usize = 32;

/// What was read.
#[derive(Clone, Debug)]
pub struct Block {
    /// The tiles as they stand in the record, as digits, the blank `0`; zeros behind them.
    pub boards: [[u8; 16]; BLOCK],
    /// The blank's cell on the board as given.
    pub blanks: [u8; BLOCK],
    /// The rank among all orders of all cells of the blank, solvable or not: twice the rank in the table, and
    /// the order's parity.
    pub orders: [u32; BLOCK],
}

impl Default for Block {
    fn default() -> Block {
        Block { boards: [[0; 16]; BLOCK], blanks: [0; BLOCK], orders: [0; BLOCK] }
    }
}

/// Reads the records that match, from the first on; how many those are. The bytes are those of
/// [`Template::bytes_of`] a block. Their words are being fetched by then.
#[inline(always)]
pub fn recognise(template: &Template, ground: &Ground, paths: &Paths, bytes: &[u8], block: &mut Block) -> usize {
    for i in 0..BLOCK {
        let record = &bytes[i * template.stride()..];
        let Some(record) = record.first_chunk::<{ Template::MOST_STRIDE }>() else { return i };
        let Some((board, blank, order)) = read(template, ground, record) else { return i };
        (block.boards[i], block.blanks[i], block.orders[i]) = (board, blank, order);
        paths.prefetch((order >> 1) as usize);
    }
    BLOCK
}

#[inline(always)]
fn read(template: &Template, ground: &Ground, record: &[u8; Template::MOST_STRIDE]) -> Option<([u8; 16], u8, u32)> {
    let (mask, fixed) = template.fixed();
    let different = (0..Template::MOST_STRIDE).fold(0, |different, i| different | (record[i] ^ fixed[i]) & mask[i]);
    if different != 0 {
        return None;
    }
    let (mut board, mut blank) = ([0; 16], None);
    for (cell, &at) in template.tiles_at().iter().enumerate() {
        // Within the record: this only tells the compiler so.
        let byte = record[usize::from(at) % Template::MOST_STRIDE];
        board[cell] = byte;
        if byte == b'0' || byte == template.blank() {
            board[cell] = b'0';
            if blank.replace(cell).is_some() {
                return None;
            }
        }
    }
    let blank = blank?;
    let order = ground.order(&board, blank)?;
    Some((board, blank as u8, order))
}
