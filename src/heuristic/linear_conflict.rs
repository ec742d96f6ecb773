//! Linear conflict: Manhattan distance, plus two moves for every tile that must step aside.
//!
//! Tiles that are in their home row, but in the wrong order, cannot pass each other there. At least
//! as many tiles as are outside a longest increasing subsequence must leave the row and come back.
//! Each of them makes two vertical moves that Manhattan distance does not count. The same applies
//! to columns. (O. Hansson, A. Mayer, M. Yung, *Criticizing solutions to relaxed models yields
//! powerful admissible heuristics*, Information Sciences 63, 1992.)
//!
//! *Consistent as implemented:* a vertical move takes one tile from a row to an adjacent one. The
//! move does not change the conflicts in any column. It changes those in a row only if that row is
//! the tile's home row. If the tile enters its home row, the Manhattan distance falls by 1. The
//! longest increasing subsequence either grows (no new conflict) or does not (one more conflict,
//! +2): a change of −1 or +1. Leaving is the reverse. So every move changes the value by exactly 1,
//! and at most one line must be examined again.
//!
//! *Cost:* in most moves the tile neither leaves nor enters its home line, and one load suffices.
//! For other moves, the line is encoded in three bits per cell: 0 for the blank or a tile of
//! another line, otherwise 1 + the tile's goal place in this line. Two loads from a table of 32 KB
//! give the conflicts with and without the tile. The conflicts of lines with more than five cells
//! are counted each time.

use super::{Heuristic, Step, line, tiles};
use crate::board::{Board, Cell, MAX_SEARCH_CELLS, Packed, Shape, State, Tile};

/// Maximum number of cells of a line whose conflicts are in a table: 3 bits per cell, 2^15 entries.
const MAX_TABLE_LINE: usize = 5;
/// Maximum number of cells of a line on the shapes that use this heuristic: a row of 2×12.
const MAX_LINE: usize = 12;
/// The value of [`StepEffect::line`] if the tile neither leaves nor enters its home line.
const NONE: u8 = u8::MAX;

/// Manhattan distance plus linear conflicts.
#[derive(Clone, Debug)]
pub struct LinearConflict {
    shape: Shape,
    /// By [`Step::index`]: the effect of the step.
    effects: Box<[StepEffect; Step::INDICES]>,
    /// Rows, then columns.
    lines: Vec<LineCodes>,
    /// By the key of a line of at most [`MAX_TABLE_LINE`] cells ([`LineCodes::key`]): twice the
    /// number of its conflicts.
    conflicts: Box<[u8; 1 << (3 * MAX_TABLE_LINE)]>,
}

/// The effect of a step.
#[derive(Clone, Copy, Debug)]
struct StepEffect {
    /// The change of the Manhattan distance: 1 or −1.
    change: i8,
    /// The index in [`LinearConflict::lines`] of the home line that the tile leaves or enters, or
    /// [`NONE`].
    line: u8,
    /// The tile's place in the line, before it leaves or after it has entered.
    place: u8,
    /// The tile's code in the line ([`LineCodes::codes`]).
    code: u8,
}

/// A row or a column, and the codes of the tiles whose home is in it.
#[derive(Clone, Copy, Debug)]
struct LineCodes {
    start: u8,
    stride: u8,
    cells: u8,
    /// By home: 1 + its place in this line; 0 for homes in other lines and for the blank's.
    codes: [u8; 32],
}

impl LinearConflict {
    /// Returns the heuristic for a shape and the blank's goal cell.
    pub fn new(shape: Shape, goal_blank: Cell) -> LinearConflict {
        let (rows, cols) = (shape.rows(), shape.cols());
        assert!(shape.cells() <= crate::board::MAX_SEARCH_CELLS, "{shape} is too large to be searched");
        let codes = |dimension: usize, number: usize| {
            let mut codes = [0; 32];
            for (home, code) in codes.iter_mut().enumerate().take(shape.cells()) {
                if line(shape, dimension, home) == number && home != goal_blank.index() {
                    *code = 1 + line(shape, 1 - dimension, home) as u8;
                }
            }
            codes
        };
        let row = |row| LineCodes { start: (row * cols) as u8, stride: 1, cells: cols as u8, codes: codes(0, row) };
        let col = |col| LineCodes { start: col as u8, stride: cols as u8, cells: rows as u8, codes: codes(1, col) };
        let lines: Vec<LineCodes> = (0..rows).map(row).chain((0..cols).map(col)).collect();

        let mut effects = Box::new([StepEffect { change: 0, line: NONE, place: 0, code: 0 }; Step::INDICES]);
        for step in Step::all(shape, goal_blank) {
            let (tile, from, to) = (usize::from(step.tile), usize::from(step.from), usize::from(step.to));
            let (along, across) = (step.dimension(), 1 - step.dimension());
            let (here, there) = (line(shape, along, from), line(shape, along, to));
            let home = line(shape, along, tile);
            effects[step.index()] = StepEffect {
                change: if there.abs_diff(home) > here.abs_diff(home) { 1 } else { -1 },
                line: if here == home || there == home { (along * rows + home) as u8 } else { NONE },
                place: line(shape, across, to) as u8,
                code: 1 + line(shape, across, tile) as u8,
            };
        }

        let mut conflicts = Box::new([0; 1 << (3 * MAX_TABLE_LINE)]);
        for (key, twice) in conflicts.iter_mut().enumerate() {
            let codes: [u8; MAX_TABLE_LINE] = std::array::from_fn(|place| (key >> (3 * place) & 7) as u8);
            *twice = twice_conflicts(&codes);
        }
        LinearConflict { shape, effects, lines, conflicts }
    }

    /// Returns the bounds on vertical and on horizontal moves, whose sum is the value. A conflict
    /// in a row costs vertical moves.
    pub(super) fn parts(&self, state: &State) -> [u16; 2] {
        let shape = self.shape;
        let home_of = |cell| (cell != state.blank()).then(|| state.home(cell));
        let mut tails = [0; MAX_SEARCH_CELLS];
        [0, 1].map(|dimension| {
            let distance = |(cell, home)| line(shape, dimension, cell).abs_diff(line(shape, dimension, home)) as u16;
            let distances: u16 = tiles(state, shape.cells()).map(distance).sum();
            distances + 2 * leaving(shape, dimension, home_of, &mut tails) as u16
        })
    }

    /// Returns by how much a step changes the bound of its dimension: 1 or −1. `board` is the state
    /// after the step.
    #[inline(always)]
    pub(super) fn change<K: Packed>(&self, board: K, step: Step) -> i16 {
        let effect = self.effects[step.index()];
        let change = i16::from(effect.change);
        if effect.line == NONE {
            return change;
        }
        let line = &self.lines[usize::from(effect.line)];
        // A conflict adds 2 to the change of −1 if the tile enters, or −2 to the change of 1 if it
        // leaves.
        if self.conflicts_with(board, line, effect) { -change } else { change }
    }

    /// Returns true if the line has more conflicts with the moved tile than without it.
    #[inline(always)]
    fn conflicts_with<K: Packed>(&self, board: K, line: &LineCodes, effect: StepEffect) -> bool {
        let key = match line.cells {
            2 => line.key::<2, K>(board),
            3 => line.key::<3, K>(board),
            4 => line.key::<4, K>(board),
            5 => line.key::<5, K>(board),
            _ => return conflicts_in_long(board, line, effect),
        };
        let place = 3 * usize::from(effect.place);
        let without = key & !(7 << place);
        let with = without | usize::from(effect.code) << place;
        let twice = |key: usize| self.conflicts[key & (self.conflicts.len() - 1)];
        twice(with) != twice(without)
    }
}

impl LineCodes {
    /// Returns the codes of the line's cells, in three bits each.
    #[inline(always)]
    fn key<const CELLS: usize, K: Packed>(&self, board: K) -> usize {
        let mut key = 0;
        for place in 0..CELLS {
            let home = board.home(usize::from(self.start) + place * usize::from(self.stride));
            key |= usize::from(self.codes[home & 31]) << (3 * place);
        }
        key
    }

    /// Returns the codes of the line's cells. `home` returns the home of the tile in a cell.
    fn codes_in(&self, home: impl Fn(usize) -> usize) -> [u8; MAX_LINE] {
        let mut codes = [0; MAX_LINE];
        for (place, code) in codes.iter_mut().enumerate().take(usize::from(self.cells)) {
            *code = self.codes[home(usize::from(self.start) + place * usize::from(self.stride))];
        }
        codes
    }
}

#[inline(never)]
fn conflicts_in_long<K: Packed>(board: K, line: &LineCodes, effect: StepEffect) -> bool {
    let mut codes = line.codes_in(|cell| board.home(cell));
    codes[usize::from(effect.place)] = 0;
    let without = twice_conflicts(&codes);
    codes[usize::from(effect.place)] = effect.code;
    twice_conflicts(&codes) != without
}

/// Returns twice the number of tiles outside a longest increasing subsequence of the nonzero codes.
fn twice_conflicts(codes: &[u8]) -> u8 {
    let tiles = codes.iter().copied().filter(|&code| code > 0);
    2 * outside_longest_increasing(tiles, &mut [0; MAX_LINE]) as u8
}

/// Returns the number of places outside a longest increasing subsequence (by patience sorting; all
/// places are different). `tails` has room for all places.
fn outside_longest_increasing<T: Copy + Ord>(places: impl Iterator<Item = T>, tails: &mut [T]) -> usize {
    let (mut longest, mut count) = (0, 0);
    for place in places {
        count += 1;
        // tails[i]: the smallest place that can end an increasing subsequence of i + 1 places.
        let at = tails[..longest].partition_point(|&tail| tail < place);
        tails[at] = place;
        longest = longest.max(at + 1);
    }
    count - longest
}

impl Heuristic for LinearConflict {
    type Value = u16;

    fn root(&self, state: &State) -> u16 {
        self.parts(state).iter().sum()
    }

    #[inline(always)]
    fn after<K: Packed>(&self, value: u16, board: K, step: Step) -> u16 {
        value.wrapping_add_signed(self.change(board, step))
    }

    #[inline(always)]
    fn h(value: u16) -> u16 {
        value
    }
}

/// Returns a lower bound on the number of moves from `board` to `goal`. It has the parity of the
/// length of every solution.
///
/// This is Manhattan distance with linear conflict for boards of any size. It shows how far a path
/// of a large board may be from the shortest. Searches update the same bound move by move. Time is
/// O(cells · log cells), memory O(cells).
///
/// # Panics
/// If the boards have different shapes.
pub fn lower_bound(board: &Board, goal: &Board) -> u64 {
    let shape = board.shape();
    // Manhattan distance has the parity of the solution lengths, and conflicts add even numbers.
    let distance = board.manhattan_distance(goal);
    let home = goal.cells_by_label();
    let home_of = |cell: Cell| match board.tiles()[cell.index()] {
        Tile::BLANK => None,
        tile => Some(home[tile.label()]),
    };
    let mut tails = [0; Shape::MAX_SIDE];
    let leaving = [0, 1].map(|dimension| leaving(shape, dimension, home_of, &mut tails));
    distance + 2 * (leaving[0] + leaving[1]) as u64
}

/// Returns the number of tiles that must leave their home row (dimension 0) or column (dimension 1)
/// and come back. `home_of` returns the home of a cell's tile, or `None` for the blank. `tails` has
/// room for a line.
fn leaving(shape: Shape, dimension: usize, home_of: impl Fn(Cell) -> Option<Cell>, tails: &mut [usize]) -> usize {
    let sides = [shape.rows(), shape.cols()];
    let leaving_line = |number| {
        let cell = |place| if dimension == 0 { shape.cell(number, place) } else { shape.cell(place, number) };
        let homes = (0..sides[1 - dimension]).filter_map(|place| home_of(cell(place)));
        let here = homes.filter(|home| line(shape, dimension, home.index()) == number);
        outside_longest_increasing(here.map(|home| line(shape, 1 - dimension, home.index())), tails)
    };
    (0..sides[dimension]).map(leaving_line).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::{Goal, Move};

    #[test]
    fn conflicts_are_the_tiles_that_must_leave() {
        for (codes, tiles) in [
            (&[1, 2, 3, 4][..], 0),
            (&[4, 3, 2, 1], 3),
            (&[2, 1, 4, 3], 2),
            (&[4, 1, 2, 3], 1),
            (&[0, 3, 0, 1], 1),
            (&[0, 0, 0, 0], 0),
            (&[12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 11),
        ] {
            assert_eq!(twice_conflicts(codes), 2 * tiles, "{codes:?}");
        }
    }

    #[test]
    fn tiles_that_must_leave_are_counted() {
        for (places, leaving) in [
            (&[][..], 0),
            (&[0, 1, 2, 3], 0),
            (&[3, 2, 1, 0], 3),
            (&[1, 0, 3, 2], 2),
            (&[3, 0, 1, 2], 1),
            (&[250, 3, 254, 0, 100, 101, 102], 3),
        ] {
            assert_eq!(outside_longest_increasing(places.iter().copied(), &mut [0; 7]), leaving, "{places:?}");
        }
    }

    /// Compares the bounds with distances by breadth-first search, for goals with the blank in
    /// each cell in turn (two cells of 3×3).
    #[test]
    fn bounds_are_admissible_and_have_the_right_parity() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (1, 5), (5, 1), (3, 3)] {
            let shape = Shape::new(rows, cols).unwrap();
            // On 3×3 only a corner cell and an edge cell, which represent all cells except the
            // centre.
            for blank in (0..shape.cells()).filter(|blank| shape.cells() < 9 || [1, 8].contains(blank)) {
                let mut tiles: Vec<Tile> = (1..shape.cells()).rev().map(Tile::new).collect();
                tiles.insert(blank, Tile::BLANK);
                let goal = Board::new(shape, &tiles).unwrap();
                let mut distances = HashMap::from([(goal.clone(), 0)]);
                let mut layer = vec![goal.clone()];
                let mut distance = 0;
                while !layer.is_empty() {
                    for board in &layer {
                        let bound = lower_bound(board, &goal);
                        assert!(
                            bound <= distance && (distance - bound).is_multiple_of(2),
                            "{board:?}: {bound} of {distance}"
                        );
                    }
                    distance += 1;
                    let next: Vec<Board> =
                        layer.iter().flat_map(|b| Move::ALL.into_iter().filter_map(|step| b.after(step))).collect();
                    layer = next.into_iter().filter(|b| distances.insert(b.clone(), distance).is_none()).collect();
                }
            }
        }
    }

    /// The first row of a large board is reversed: all of its tiles but one must leave.
    #[test]
    fn large_boards() {
        let shape = Shape::new(4, 255).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let mut tiles = goal.tiles().to_vec();
        tiles[..255].reverse();
        let board = Board::new(shape, &tiles).unwrap();
        assert_eq!(lower_bound(&goal, &goal), 0);
        assert_eq!(lower_bound(&board, &goal), board.manhattan_distance(&goal) + 2 * 254);
    }
}
