//! Shortens a path by solving its pieces again, at an effort from 1 to 9.

use std::sync::atomic::AtomicBool;

use crate::board::replay;
use crate::board::{Board, Path};
use crate::engine::polish::{self, polish};
use crate::system::{Budget, Limits};

/// The beam width at each effort, in positions kept per layer.
const WIDTHS: [usize; 9] = [4, 8, 16, 30, 60, 120, 250, 500, 1000];
/// The maximum number of moves in a piece.
const PIECE_MOVES: usize = 30;
/// The maximum product of path length and beam width at each effort. Long paths get a narrower
/// beam.
const MAX_WORK: [usize; 9] =
    [10_000, 40_000, 150_000, 600_000, 2_500_000, 7_500_000, 20_000_000, 55_000_000, 150_000_000];

/// Returns a shorter path, or the same path if none is found.
pub fn polished(board: &Board, goal: &Board, path: &Path, effort: u8, limits: &Limits, stop: &AtomicBool) -> Path {
    let at = usize::from(effort.clamp(1, 9)) - 1;
    let width = WIDTHS[at].min(MAX_WORK[at] / path.len().max(1));
    if width < 2 {
        return path.clone();
    }
    let polish_effort = polish::Effort { piece_moves: PIECE_MOVES, width };
    let shorter = polish(board.shape(), board.blank(), path, polish_effort, &Budget::start(limits, stop));
    let is_shorter = shorter.len() < path.len() && replay::replay(board, goal, shorter.letters()).is_ok();
    if is_shorter { shorter } else { path.clone() }
}
