//! Shortens a path: first without a search, by removing its loops, then by solving its pieces
//! again. A loop consists of the moves between two visits to the same position.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

use crate::board::replay;
use crate::board::{Board, Move, Path};
use crate::engine::polish::{self, polish};
use crate::system::{Budget, Limits, scramble};

/// The maximum number of moves of a path that is searched for loops. The hashes take far more
/// memory than the path.
const MAX_MOVES: usize = 1 << 22;

/// The width of the beam search at each effort: the number of positions kept per layer.
const WIDTHS: [usize; 9] = [4, 8, 16, 30, 60, 120, 250, 500, 1000];
/// The maximum number of moves in a piece.
const PIECE_MOVES: usize = 30;
/// The maximum product of path length and beam width at each effort. Long paths get a narrower
/// beam.
const MAX_WORK: [usize; 9] =
    [10_000, 40_000, 150_000, 600_000, 2_500_000, 7_500_000, 20_000_000, 55_000_000, 150_000_000];

/// Returns the path without immediately reversed moves and without loops. A solution remains a
/// solution.
pub fn without_loops(board: &Board, goal: &Board, path: &Path) -> Path {
    let mut straight = Path::new();
    path.moves().for_each(|step| straight.push_or_cancel(step));
    let cut = if straight.len() <= MAX_MOVES { cut_loops(board, &straight) } else { straight };
    // Positions are compared by 128-bit hashes, which may collide. So the path is replayed.
    if cut.len() <= path.len() && replay::replay(board, goal, cut.letters()).is_ok() { cut } else { path.clone() }
}

fn cut_loops(board: &Board, straight: &Path) -> Path {
    let cells = board.shape().cells() as u64;
    let hash_of = |label: usize, cell: usize| {
        let key = label as u64 * cells + cell as u64;
        u128::from(scramble(0, key)) << 64 | u128::from(scramble(0, key ^ u64::MAX >> 1))
    };
    let (mut current, mut hash) = (board.clone(), 0u128);
    for (cell, tile) in board.tiles().iter().enumerate() {
        hash ^= hash_of(tile.label(), cell);
    }
    // The path without loops so far; the index of each of its positions by hash; and the hashes in
    // the order of the path.
    let mut path: Vec<Move> = Vec::new();
    let (mut indices, mut hashes) = (HashMap::from([(hash, 0)]), vec![hash]);
    for step in straight.moves() {
        let from = current.blank().index();
        if !current.make(step) {
            return straight.clone();
        }
        let (to, label) = (current.blank().index(), current.tiles()[from].label());
        hash ^= hash_of(label, to) ^ hash_of(label, from) ^ hash_of(0, from) ^ hash_of(0, to);
        match indices.get(&hash) {
            Some(&index) => {
                path.truncate(index);
                hashes.drain(index + 1..).for_each(|removed| _ = indices.remove(&removed));
            }
            None => {
                path.push(step);
                indices.insert(hash, path.len());
                hashes.push(hash);
            }
        }
    }
    path.into_iter().collect()
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
    fn loops_are_cut_out() {
        let board: Board = "1 2 3/4 5 6/7 0 8".parse().unwrap();
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let cut = |path: &str| without_loops(&board, &goal, &path.parse().unwrap()).to_string();
        assert_eq!(cut("R"), "R");
        assert_eq!(cut("RLR"), "R");
        assert_eq!(cut("UUDDLRR"), "R");
        // Twelve moves around a square return to the start.
        let around = "ULDR".repeat(3);
        assert_eq!(cut(&format!("{around}R")), "R");
        assert_eq!(cut(&format!("U{}DR", "LDRU".repeat(3))), "R");
        // Eight do not. But the moves that undo them do.
        let twice_around = "ULDR".repeat(2);
        assert_eq!(cut(&format!("{twice_around}{}R", "LURD".repeat(2))), "R");
    }
}
