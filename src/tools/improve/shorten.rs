//! Shortens a path by solving its pieces again.

use std::sync::atomic::AtomicBool;

use crate::board::replay;
use crate::board::{Board, Path};
use crate::engine::polish::{self, polish};
use crate::system::{Budget, Limits};

/// The width of the beam search at each effort: the number of positions kept per layer.
const WIDTHS: [usize; 9] = [4, 8, 16, 30, 60, 120, 250, 500, 1000];
/// The maximum number of moves in a piece.
const PIECE_MOVES: usize = 30;
/// The maximum product of path length and beam width at each effort. Long paths get a narrower
/// beam.
const MAX_WORK: [usize; 9] =
    [10_000, 40_000, 150_000, 600_000, 2_500_000, 7_500_000, 20_000_000, 55_000_000, 150_000_000];

/// Returns the path without moves that undo the move before. It leads to the same board.
pub fn without_undone_moves(path: &Path) -> Path {
    let mut shorter = Path::new();
    path.moves().for_each(|step| shorter.push_or_cancel(step));
    shorter
}

/// Returns a shorter path, found by solving pieces again at an effort from 1 to 9, or the same path
/// if none is found.
pub fn polished(board: &Board, goal: &Board, path: &Path, effort: u8, limits: &Limits, stop: &AtomicBool) -> Path {
    let at = usize::from(effort.clamp(1, 9)) - 1;
    let width = WIDTHS[at].min(MAX_WORK[at] / path.len().max(1));
    if width < 2 {
        return path.clone();
    }
    let polish_effort = polish::PolishEffort { piece_moves: PIECE_MOVES, width };
    let shorter = polish(board.shape(), board.blank(), path, polish_effort, &Budget::start(limits, stop));
    let is_shorter = shorter.len() < path.len() && replay::replay(board, goal, shorter.letters()).is_ok();
    if is_shorter { shorter } else { path.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undone_moves_vanish() {
        let shorter = |path: &str| without_undone_moves(&path.parse().unwrap()).to_string();
        assert_eq!(["R", "RLR", "UUDDLRR", "ULDRLURD"].map(shorter), ["R", "R", "R", ""]);
    }

    #[test]
    fn loops_are_cut_out() {
        let board: Board = "1 2 3/4 5 6/7 0 8".parse().unwrap();
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let stop = AtomicBool::new(false);
        let cut =
            |path: &str| polished(&board, &goal, &path.parse().unwrap(), 5, &Limits::default(), &stop).to_string();
        assert_eq!(cut("R"), "R");
        // Twelve moves around a square return to the start.
        let around = "ULDR".repeat(3);
        assert_eq!(cut(&format!("{around}R")), "R");
        assert_eq!(cut(&format!("U{}DR", "LDRU".repeat(3))), "R");
        let two_loops = "ULDR".repeat(2);
        assert_eq!(cut(&format!("{two_loops}{}R", "LURD".repeat(2))), "R");
    }
}
