//! Shortening of paths from any source. A path never becomes longer.
//!
//! A piece of the path that stays within a few cells of the board solves a small puzzle: its start
//! is the tiles in these cells before the piece, its goal the tiles after it. A narrow beam
//! searches for a shorter solution (`window.rs`). The pieces overlap, and are processed from the
//! beginning of the path to its end. Moves that undo each other are removed.
//!
//! Constructive paths and paths of other programs gain most. Paths found by beams gain little.

mod window;

use crate::board::{Cell, Move, Path, Shape};
use crate::system::Budget;
use window::PieceSearch;

/// The effort spent on polishing a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The maximum number of moves in a piece.
    pub piece_moves: usize,
    /// The maximum number of positions that the beams keep per layer.
    pub width: usize,
}

impl Effort {
    /// Returns the approximate maximum memory of polishing, in bytes.
    pub fn bytes(&self) -> u64 {
        PieceSearch::bytes(self.piece_moves, self.width)
    }
}

/// Returns a path that is not longer and has the same effect, on any board of the shape with the
/// blank in this cell. `path` must be legal from there. The tiles make no difference. At the
/// budget's deadline, or if the run is stopped, polishing ends early and keeps its improvements.
pub fn polish(shape: Shape, blank: Cell, path: &Path, effort: Effort, budget: &Budget<'_>) -> Path {
    let mut blank = blank;
    let mut search = PieceSearch::new(shape, effort.width.max(1));
    // The remaining moves, the next one last.
    let mut ahead: Vec<u8> = path.moves().map(|step| step.index() as u8).rev().collect();
    let mut done = Path::new();
    let stride = (effort.piece_moves / 3).max(1);
    while !ahead.is_empty() && budget.interrupted().is_none() {
        while let Some((shorter, replaced)) =
            search.shorten(blank, ahead.iter().rev().take(effort.piece_moves).copied(), budget)
        {
            ahead.truncate(ahead.len() - replaced);
            ahead.extend(shorter.moves().rev().map(|step| step.index() as u8));
        }
        for _ in 0..stride.min(ahead.len()) {
            let Some(step) = ahead.pop().map(Move::from_index) else { break };
            blank = shape.neighbour(blank, step).unwrap_or(blank);
            done.push_or_cancel(step);
        }
    }
    ahead.into_iter().rev().for_each(|step| done.push_or_cancel(Move::from_index(step)));
    if done.len() <= path.len() { done } else { path.clone() }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::replay::replay;
    use crate::board::{Board, Goal, Tile, is_solvable};
    use crate::engine::constructive::construct;
    use crate::system::{Limits, Random};

    /// Constructive paths become shorter and still lead to the goal.
    #[test]
    fn paths_become_shorter_and_lead_to_the_same_board() {
        let stop = AtomicBool::new(false);
        let budget = Budget::start(&Limits::default(), &stop);
        let mut random = Random::new(1);
        for (rows, cols) in [(2, 2), (2, 9), (9, 2), (3, 3), (4, 7), (8, 8), (12, 12)] {
            let shape = Shape::new(rows, cols).unwrap();
            let goal = Goal::BlankLast.on(shape).unwrap();
            let board = loop {
                let tiles: Vec<Tile> = random.permutation(shape.cells()).into_iter().map(Tile::new).collect();
                let board = Board::new(shape, &tiles).unwrap();
                if is_solvable(&board, &goal) {
                    break board;
                }
            };
            let path = construct(&board, &goal, &stop).unwrap();
            let mut shortest = path.len();
            for width in [1, 10, 100] {
                let shorter = polish(shape, board.blank(), &path, Effort { piece_moves: 30, width }, &budget);
                assert_eq!(replay(&board, &goal, shorter.letters()), Ok(()), "{shape} {width}");
                assert!(shorter.len() <= path.len());
                shortest = shortest.min(shorter.len());
            }
            assert!(shape.cells() < 20 || shortest < path.len() * 98 / 100, "{shape}: {shortest} of {}", path.len());
        }
    }

    #[test]
    fn a_path_that_leads_back_vanishes() {
        let stop = AtomicBool::new(false);
        let budget = Budget::start(&Limits::default(), &stop);
        let shape = Shape::new(5, 5).unwrap();
        for text in ["", "UD", "RDLURDLURDLU", "RRDDLLUURRDDLLUURRDDLLUU"] {
            let path: Path = text.parse().unwrap();
            let shorter = polish(shape, Cell::new(6), &path, Effort { piece_moves: 30, width: 300 }, &budget);
            // Three rounds of four cells restore the board; three rounds of eight cells do not.
            assert!(shorter.len() <= path.len() && (text.len() > 12 || shorter.is_empty()), "{text}: {shorter}");
        }
    }

    #[test]
    fn a_stop_ends_polishing() {
        let stop = AtomicBool::new(true);
        let budget = Budget::start(&Limits::default(), &stop);
        let shape = Shape::new(5, 5).unwrap();
        let path: Path = "RRDDLLUURRDDLLUU".parse().unwrap();
        assert_eq!(polish(shape, Cell::new(0), &path, Effort { piece_moves: 30, width: 30 }, &budget), path);
    }
}
