//! The search for a shorter replacement of a piece of a path. The piece solves a small puzzle in a
//! *window*, the rectangle of cells around it: from the tiles before the piece to the tiles after
//! it.

use crate::board::{Cell, Shape};
use crate::engine::beam::SeenKeys;
use crate::system::{Budget, scramble};

/// The maximum number of rows, and of columns, of a window.
const SIDE: usize = 6;
/// The maximum number of cells of a window.
const CELLS: usize = SIDE * SIDE;
/// The minimum number of moves of a piece that is searched. A shorter piece in which no move undoes
/// the previous one is a shortest path.
const MIN_MOVES: usize = 6;

/// A shorter replacement of a piece.
pub(super) struct Shorter {
    /// The number of moves that it replaces.
    pub(super) replaced: usize,
    pub(super) moves: Vec<u8>,
}

/// A position in the window.
#[derive(Clone, Copy)]
struct Position {
    /// By cell: the cell in which the tile there was before the piece.
    tiles: [u8; CELLS],
    key: u64,
    distance: u16,
    blank: u8,
    /// The last move; 4 at the start.
    last: u8,
}

struct Child {
    key: u64,
    parent: u32,
    distance: u16,
    step: u8,
}

/// The search for shorter pieces, with its memory.
pub(super) struct PieceSearch {
    shape: Shape,
    width: usize,
    seen: SeenKeys,
    keys: Vec<u64>,
    layer: Vec<Position>,
    next: Vec<Position>,
    children: Vec<Child>,
    /// The parent and the last move of each position of all layers.
    members: Vec<u32>,
    /// The index in `members` at which each layer begins.
    begins: Vec<usize>,
}

/// The rectangle in which a piece is searched. Its cells are numbered with [`SIDE`] cells per row.
struct Window {
    top: usize,
    left: usize,
    rows: usize,
    cols: usize,
}

impl Window {
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
    /// Returns the approximate maximum memory, in bytes, of the searches for pieces of this many
    /// moves.
    pub(super) fn bytes(piece_moves: usize, width: usize) -> u64 {
        let layer_bytes = 2 * size_of::<Position>() + 3 * size_of::<Child>() + SeenKeys::BYTES;
        width as u64 * (layer_bytes + piece_moves * size_of::<u32>()) as u64
    }

    pub(super) fn new(shape: Shape, width: usize) -> PieceSearch {
        PieceSearch {
            shape,
            width,
            seen: SeenKeys::new(width),
            keys: (0..CELLS * CELLS).map(|i| scramble(0, i as u64 + 1)).collect(),
            layer: Vec::new(),
            next: Vec::new(),
            children: Vec::new(),
            members: Vec::new(),
            begins: Vec::new(),
        }
    }

    /// Returns a shorter piece with the same effect as the longest prefix of `ahead` that stays in
    /// a window, if one is found before the budget ends.
    pub(super) fn shorten(
        &mut self,
        blank: Cell,
        ahead: impl Iterator<Item = u8>,
        budget: &Budget<'_>,
    ) -> Option<Shorter> {
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
        let window = Window { top: rows.0, left: cols.0, rows: rows.1 - rows.0 + 1, cols: cols.1 - cols.0 + 1 };
        let blank = (self.shape.row(blank) - window.top) * SIDE + self.shape.col(blank) - window.left;
        let moves = self.search(&window, blank, &piece, budget)?;
        Some(Shorter { replaced: piece.len(), moves })
    }

    /// Searches for a shorter piece with a beam ordered by the tiles' distances.
    fn search(&mut self, window: &Window, blank: usize, piece: &[u8], budget: &Budget<'_>) -> Option<Vec<u8>> {
        // By cell: the tile there after the piece. A tile is numbered by its cell before the piece.
        let mut after: [u8; CELLS] = std::array::from_fn(|cell| cell as u8);
        let mut hole = blank;
        for &step in piece {
            let to = window.after(hole, step)?;
            after.swap(hole, to);
            hole = to;
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
            return Some(Vec::new());
        }
        if usize::from(distance) > max_moves {
            return None;
        }
        let start =
            Position { tiles: std::array::from_fn(|cell| cell as u8), key: 0, distance, blank: blank as u8, last: 4 };
        // Forgets the layers of the previous search.
        (0..4).for_each(|_| self.seen.begin_layer());
        self.seen.insert(start.key);
        self.layer.clear();
        self.layer.push(start);
        self.members.clear();
        self.begins.clear();
        let mut counts = [0u32; 128];
        for moves in 1..=max_moves {
            let moves_left = max_moves - moves;
            self.seen.begin_layer();
            self.children.clear();
            counts.fill(0);
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
                        return Some(self.path(number, step));
                    }
                    let key = position.key ^ self.keys[tile * CELLS + to] ^ self.keys[tile * CELLS + blank];
                    if self.seen.insert(key) {
                        counts[usize::from(distance).min(127)] += 1;
                        self.children.push(Child { key, parent: number as u32, distance, step });
                    }
                }
            }
            self.select(window, &counts);
            if self.layer.is_empty() || budget.interrupted().is_some() {
                return None;
            }
        }
        None
    }

    /// Selects the children with the smallest distances as the next layer.
    fn select(&mut self, window: &Window, counts: &[u32; 128]) {
        let (mut limit, mut closer) = (0, 0);
        while limit < 127 && closer + counts[limit] as usize <= self.width {
            closer += counts[limit] as usize;
            limit += 1;
        }
        let mut ties_left = self.width.saturating_sub(closer);
        self.begins.push(self.members.len());
        self.next.clear();
        for child in &self.children {
            let rank = usize::from(child.distance).min(127);
            if rank > limit || rank == limit && ties_left == 0 {
                continue;
            }
            ties_left -= usize::from(rank == limit);
            let mut position = self.layer[child.parent as usize];
            let blank = usize::from(position.blank);
            let Some(to) = window.after(blank, child.step) else { continue };
            position.tiles.swap(blank, to);
            position.blank = to as u8;
            (position.key, position.distance, position.last) = (child.key, child.distance, child.step);
            self.members.push(child.parent << 2 | u32::from(child.step));
            self.next.push(position);
        }
        std::mem::swap(&mut self.layer, &mut self.next);
    }

    /// Returns the moves to a member of the last layer, followed by `step`.
    fn path(&self, mut member: usize, step: u8) -> Vec<u8> {
        let mut moves = vec![step];
        for &begin in self.begins.iter().rev() {
            let entry = self.members[begin + member];
            moves.push((entry & 3) as u8);
            member = (entry >> 2) as usize;
        }
        moves.reverse();
        moves
    }
}
