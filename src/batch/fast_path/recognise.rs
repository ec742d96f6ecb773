//! Recognition on any machine: converts records that match a template to boards, blanks and ranks.

use super::block::{BLOCK, Block};
use super::goal_tables::GoalTables;
use super::template::RecordTemplate;
use crate::engine::path_table::Paths;

/// Parses the leading records that match, and returns their number. Also prefetches the table
/// entries. There must be at least as many bytes as [`RecordTemplate::bytes_of`] returns for
/// [`BLOCK`].
#[inline(always)]
pub fn recognise(
    template: &RecordTemplate,
    tables: &GoalTables,
    paths: &Paths,
    bytes: &[u8],
    block: &mut Block,
) -> usize {
    for i in 0..BLOCK {
        let record = &bytes[i * template.stride()..];
        let Some(record) = record.first_chunk::<{ RecordTemplate::MAX_STRIDE }>() else { return i };
        let Some((board, blank, rank)) = read(template, tables, record) else { return i };
        (block.boards[i], block.blanks[i], block.ranks[i]) = (board, blank, rank);
        paths.prefetch((rank >> 1) as usize);
    }
    BLOCK
}

#[inline(always)]
fn read(
    template: &RecordTemplate,
    tables: &GoalTables,
    record: &[u8; RecordTemplate::MAX_STRIDE],
) -> Option<([u8; 16], u8, u32)> {
    let (mask, fixed) = template.fixed();
    let different =
        (0..RecordTemplate::MAX_STRIDE).fold(0, |different, i| different | (record[i] ^ fixed[i]) & mask[i]);
    if different != 0 {
        return None;
    }
    let (mut board, mut blank) = ([0; 16], None);
    for (cell, &at) in template.tiles_at().iter().enumerate() {
        // Always within the record. The remainder only proves this to the compiler.
        let byte = record[usize::from(at) % RecordTemplate::MAX_STRIDE] ^ template.to_digit();
        board[cell] = byte;
        if byte == b'0' || byte == template.blank() {
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
