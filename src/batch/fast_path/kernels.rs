//! The operations that are implemented for each instruction set.

use super::block::Block;
use super::goal_tables::GoalTables;
use super::recognise;
use super::replay;
use super::template::RecordTemplate;
use crate::engine::path_table::Paths;

/// The operations that are implemented for each instruction set. All implementations give the same
/// results.
pub trait Kernels {
    /// Parses the leading records that match, and returns their number.
    fn recognise(
        template: &RecordTemplate,
        tables: &GoalTables,
        paths: &Paths,
        bytes: &[u8],
        block: &mut Block,
    ) -> usize;

    /// Returns the letters of a path, followed by arbitrary letters.
    fn letters(word: u64) -> [u8; 32];

    /// Returns true if the first `plies` letters lead from a board to the goal.
    fn arrives(tables: &GoalTables, board: &[u8; 16], blank: u8, letters: &[u8; 32], plies: u32) -> bool;
}

/// The implementation for any machine.
pub struct Portable;

impl Kernels for Portable {
    #[inline(always)]
    fn recognise(
        template: &RecordTemplate,
        tables: &GoalTables,
        paths: &Paths,
        bytes: &[u8],
        block: &mut Block,
    ) -> usize {
        recognise::recognise(template, tables, paths, bytes, block)
    }

    #[inline(always)]
    fn letters(word: u64) -> [u8; 32] {
        replay::letters(word)
    }

    #[inline(always)]
    fn arrives(tables: &GoalTables, board: &[u8; 16], blank: u8, letters: &[u8; 32], plies: u32) -> bool {
        tables.replay_table().arrives(board, blank, &letters[..plies as usize], tables.goal())
    }
}
