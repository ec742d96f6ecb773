//! The steps for which processors have instructions of their own.

use super::block::Block;
use super::goal_tables::GoalTables;
use super::recognise;
use super::replay;
use super::template::RecordTemplate;
use crate::engine::path_table::Paths;

/// What is computed in another way on another instruction set, with the same result.
pub trait Kernels {
    /// Reads the records that match, from the first on; how many those are.
    fn recognise(
        template: &RecordTemplate,
        tables: &GoalTables,
        paths: &Paths,
        bytes: &[u8],
        block: &mut Block,
    ) -> usize;

    /// The letters of a path, and anything behind its last.
    fn letters(word: u64) -> [u8; 32];

    /// Whether the first letters lead from a board to the goal.
    fn arrives(tables: &GoalTables, board: &[u8; 16], blank: u8, letters: &[u8; 32], plies: u32) -> bool;
}

/// For any machine.
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
