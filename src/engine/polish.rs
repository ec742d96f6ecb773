//! Shortening of paths from any source. A path never becomes longer.
//!
//! A piece of the path that stays within a small rectangle of the board, its *window*, solves a
//! small puzzle. The puzzle's start is the content of the window before the piece, and its goal is
//! the content after the piece. A narrow beam searches for a shorter solution. The pieces overlap,
//! and are processed from the beginning of the path to its end. Moves that undo each other are
//! removed.
//!
//! Constructive paths and paths of other programs gain most. Paths found by beams gain little.

use crate::board::{Cell, Move, Path, Shape};
use crate::engine::beam::{Candidate, Candidates, History, Keys};
use crate::system::Budget;

/// The maximum number of rows, and of columns, of a window.
const SIDE: usize = 6;
/// The maximum number of cells of a window.
const CELLS: usize = SIDE * SIDE;
/// The minimum number of moves of a piece that is searched. A shorter piece in which no move undoes
/// the previous one is a shortest path.
const MIN_MOVES: usize = 6;

/// The effort spent on polishing a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolishEffort {
    /// The maximum number of moves in a piece.
    pub piece_moves: usize,
    /// The maximum number of positions that the beams keep per layer.
    pub width: usize,
}

impl PolishEffort {
    /// Returns the approximate maximum memory of polishing, in bytes.
    pub fn bytes(&self) -> u64 {
        let layer_bytes =
            2 * size_of::<WindowPosition>() + 3 * size_of::<Candidate<()>>() + Candidates::<()>::KEY_BYTES;
        self.width as u64 * (layer_bytes + self.piece_moves * size_of::<u32>()) as u64
    }
}

/// Returns a path that is not longer and has the same effect, on any board of the shape with the
/// blank in this cell. `path` must be legal from there. The tiles make no difference. At the
/// budget's deadline, or if the run is stopped, polishing ends early and keeps its improvements.
pub fn polish(shape: Shape, blank: Cell, path: &Path, effort: PolishEffort, budget: &Budget<'_>) -> Path {
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

/// The content of the window after some moves.
#[derive(Clone, Copy)]
struct WindowPosition {
    /// By cell: its tile. A tile's number is the cell in which it was before the piece.
    tiles: [u8; CELLS],
    key: u64,
    distance: u16,
    blank: u8,
    /// The last move; 4 at the start.
    last: u8,
}

/// The search for shorter replacements of pieces, with its memory. Each piece is searched in a
/// [`PieceWindow`].
struct PieceSearch {
    shape: Shape,
    keys: Keys,
    /// Candidates ranked by the Manhattan distance of their tiles.
    candidates: Candidates<()>,
    layer: Vec<WindowPosition>,
    next: Vec<WindowPosition>,
    history: History,
}

/// The size of the window of a piece. Its cells are numbered with [`SIDE`] cells per row.
struct PieceWindow {
    rows: usize,
    cols: usize,
}

impl PieceWindow {
    /// Returns the cell one move away; `None` at the edge.
    #[inline]
    fn after(&self, cell: usize, step: u8) -> Option<usize> {
        let (row, col) = (cell / SIDE, cell % SIDE);
        match step {
            0 if row + 1 < self.rows => Some(cell + SIDE),
            1 if col > 0 => Some(cell - 1),
            2 if col + 1 < self.cols => Some(cell + 1),
            3 if row > 0 => Some(cell - SIDE),
            _ => None,
        }
    }
}

/// Returns the Manhattan distance between two cells.
fn manhattan(a: usize, b: usize) -> u16 {
    ((a / SIDE).abs_diff(b / SIDE) + (a % SIDE).abs_diff(b % SIDE)) as u16
}

impl PieceSearch {
    fn new(shape: Shape, width: usize) -> PieceSearch {
        PieceSearch {
            shape,
            keys: Keys::new(CELLS),
            candidates: Candidates::new(width),
            layer: Vec::new(),
            next: Vec::new(),
            history: History::default(),
        }
    }

    /// Searches for a shorter piece with the same effect as the longest prefix of `ahead` that
    /// stays in a window. Returns the shorter piece and the number of moves of the prefix; `None`
    /// if no shorter piece is found before the budget is spent.
    fn shorten(&mut self, blank: Cell, ahead: impl Iterator<Item = u8>, budget: &Budget<'_>) -> Option<(Path, usize)> {
        let (mut row, mut col) = (self.shape.row(blank), self.shape.col(blank));
        let (mut rows, mut cols) = ((row, row), (col, col));
        let mut piece = Vec::new();
        for step in ahead {
            match step {
                0 => row += 1,
                1 => col = col.checked_sub(1)?,
                2 => col += 1,
                _ => row = row.checked_sub(1)?,
            }
            let taller = (rows.0.min(row), rows.1.max(row));
            let wider = (cols.0.min(col), cols.1.max(col));
            if taller.1 - taller.0 >= SIDE || wider.1 - wider.0 >= SIDE {
                break;
            }
            (rows, cols) = (taller, wider);
            piece.push(step);
        }
        if piece.len() < MIN_MOVES || rows.0 == rows.1 || cols.0 == cols.1 && self.shape.cols() == 1 {
            return None;
        }
        // One more cell on every side, if the window and the board allow it.
        let widened = |(first, last): (usize, usize), side: usize| {
            let last = if last + 1 < side && last - first + 1 < SIDE { last + 1 } else { last };
            let first = if first > 0 && last - first + 1 < SIDE { first - 1 } else { first };
            (first, last)
        };
        let (rows, cols) = (widened(rows, self.shape.rows()), widened(cols, self.shape.cols()));
        let window = PieceWindow { rows: rows.1 - rows.0 + 1, cols: cols.1 - cols.0 + 1 };
        let blank = (self.shape.row(blank) - rows.0) * SIDE + self.shape.col(blank) - cols.0;
        Some((self.search(&window, blank, &piece, budget)?, piece.len()))
    }

    /// Searches for a shorter piece with a beam that ranks positions by the Manhattan distance of
    /// their tiles.
    fn search(&mut self, window: &PieceWindow, blank: usize, piece: &[u8], budget: &Budget<'_>) -> Option<Path> {
        // By cell: the tile there after the piece. A tile is numbered by its cell before the piece.
        let mut after: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
        let mut blank_after = blank;
        for &step in piece {
            let to = window.after(blank_after, step)?;
            after.swap(blank_after, to);
            blank_after = to;
        }
        // By tile: the cell that it must reach.
        let mut goal = [0u8; CELLS];
        for (cell, &tile) in after.iter().enumerate() {
            goal[usize::from(tile)] = cell as u8;
        }
        let target = |tile: usize| usize::from(goal[tile]);
        let distance: u16 = (0..CELLS).filter(|&tile| tile != blank).map(|tile| manhattan(tile, target(tile))).sum();
        let max_moves = piece.len().checked_sub(2)?;
        if distance == 0 {
            return Some(Path::new());
        }
        if usize::from(distance) > max_moves {
            return None;
        }
        let tiles = std::array::from_fn(|cell| cell as u8);
        let start = WindowPosition { tiles, key: 0, distance, blank: blank as u8, last: 4 };
        self.candidates.forget_keys();
        self.candidates.insert_key(start.key);
        self.layer.clear();
        self.layer.push(start);
        self.history = History::default();
        for moves in 1..=max_moves {
            let moves_left = max_moves - moves;
            self.candidates.begin_layer(0, None);
            for (number, position) in self.layer.iter().enumerate() {
                let blank = usize::from(position.blank);
                for step in 0..4 {
                    let Some(to) = window.after(blank, step) else { continue };
                    if step + position.last == 3 {
                        continue;
                    }
                    let tile = usize::from(position.tiles[to]);
                    let distance = position.distance + manhattan(blank, target(tile)) - manhattan(to, target(tile));
                    if usize::from(distance) > moves_left {
                        continue;
                    }
                    if distance == 0 {
                        return Some(self.history.path(number, Move::from_index(step)));
                    }
                    let key = position.key ^ self.keys.change(tile, to, blank);
                    if self.candidates.insert_key(key) {
                        self.candidates.offer_new(distance.into(), key, (number as u32, step), ());
                    }
                }
            }
            self.select(window);
            if self.layer.is_empty() || budget.interrupted().is_some() {
                return None;
            }
        }
        None
    }

    /// Selects the candidates with the smallest distances as the next layer.
    fn select(&mut self, window: &PieceWindow) {
        self.next.clear();
        let mut members = Vec::new();
        for candidate in self.candidates.kept() {
            let mut position = self.layer[candidate.parent()];
            let blank = usize::from(position.blank);
            let Some(to) = window.after(blank, candidate.step()) else { continue };
            position.tiles.swap(blank, to);
            position.blank = to as u8;
            (position.key, position.distance, position.last) = (candidate.key, candidate.rank as u16, candidate.step());
            self.next.push(position);
            members.push(candidate.member);
        }
        self.history.push(members);
        std::mem::swap(&mut self.layer, &mut self.next);
    }
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
                let shorter = polish(shape, board.blank(), &path, PolishEffort { piece_moves: 30, width }, &budget);
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
            let shorter = polish(shape, Cell::new(6), &path, PolishEffort { piece_moves: 30, width: 300 }, &budget);
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
        assert_eq!(polish(shape, Cell::new(0), &path, PolishEffort { piece_moves: 30, width: 30 }, &budget), path);
    }
}
