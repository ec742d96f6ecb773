//! Walking distance: a bound from relaxed puzzles in which tiles with the same home line (row or
//! column) are indistinguishable.
//!
//! The bound is the sum of the solution lengths of two relaxed puzzles, one for the vertical and
//! one for the horizontal moves ([`WalkingTable`]). Unlike Manhattan distance, it takes into
//! account that a tile can only move into the blank's line, and that the blank then moves into the
//! tile's line. Each move is a move in one of the relaxed puzzles. Their graphs are bipartite (by
//! the blank's line), so the value changes by exactly 1.
//!
//! *Cost:* one load per node. On 4×4 there are two tables of 24,964 states, of 0.8 MB each. With
//! the maps for root values, the two tables take 3.8 MB. They are built in milliseconds. If the
//! puzzle of a dimension has too many states for a table (5×5, long rows), Manhattan distance plus
//! linear conflict is used for that dimension.

use rustc_hash::FxHashMap;

use super::{Heuristic, LinearConflict, Step, line, tiles};
use crate::board::{Cell, Move, Packed, Shape, State};

/// Walking distance in both dimensions.
#[derive(Clone, Debug)]
pub struct WalkingDistance {
    shape: Shape,
    /// By dimension: the vertical moves, then the horizontal ones. `None` means linear conflict.
    tables: [Option<WalkingTable>; 2],
    conflict: LinearConflict,
    /// By [`Step::index`]: the offset of the step's transition ([`WalkingTable::slot`]).
    slots: Box<[u8; Step::INDICES]>,
}

impl WalkingDistance {
    /// Returns the heuristic for a shape and the blank's goal cell.
    pub fn new(shape: Shape, goal_blank: Cell) -> WalkingDistance {
        let sides = [shape.rows(), shape.cols()];
        let build = |dimension: usize| {
            let (lines, width) = (sides[dimension], sides[1 - dimension]);
            WalkingTable::is_small(lines, width)
                .then(|| WalkingTable::build(lines, width, line(shape, dimension, goal_blank.index())))
        };
        let vertical = build(0);
        // If the blank's goal is on the main diagonal of a square, both tables are the same.
        let [row, column] = [0, 1].map(|dimension| line(shape, dimension, goal_blank.index()));
        let is_same = sides[0] == sides[1] && row == column;
        let horizontal = if is_same { vertical.clone() } else { build(1) };
        let tables = [vertical, horizontal];
        let mut slots = Box::new([0; Step::INDICES]);
        for step in Step::all(shape, goal_blank) {
            let home = line(shape, step.dimension(), usize::from(step.tile));
            let forward = matches!(step.blank, Move::Down | Move::Right);
            slots[step.index()] = WalkingTable::slot(sides[step.dimension()], forward, home) as u8;
        }
        let conflict = LinearConflict::new(shape, goal_blank);
        WalkingDistance { shape, tables, conflict, slots }
    }
}

impl Heuristic for WalkingDistance {
    /// The place in each table, or the bound itself if there is no table.
    type Value = [Place; 2];

    fn root(&self, state: &State) -> [Place; 2] {
        let parts = self.conflict.parts(state);
        [0, 1].map(|dimension| match &self.tables[dimension] {
            Some(table) => {
                let line = |cell| line(self.shape, dimension, cell);
                let pairs = tiles(state, self.shape.cells()).map(|(cell, home)| (line(cell), line(home)));
                table.place(pairs, line(state.blank().index()))
            }
            None => Place::from(parts[dimension]),
        })
    }

    #[inline(always)]
    fn after<K: Packed>(&self, mut value: [Place; 2], board: K, step: Step) -> [Place; 2] {
        let dimension = step.dimension();
        value[dimension] = match &self.tables[dimension] {
            Some(table) => table.after(value[dimension], usize::from(self.slots[step.index()])),
            None => value[dimension].wrapping_add_signed(i32::from(self.conflict.change(board, step))),
        };
        value
    }

    #[inline(always)]
    fn h(value: [Place; 2]) -> u16 {
        ((value[0] & 255) + (value[1] & 255)) as u16
    }
}

/// The larger of walking distance and linear conflict, separately in each dimension.
///
/// Each heuristic is the sum of a lower bound on the vertical moves and one on the horizontal
/// moves, so the larger bound may be used in each dimension. The sum of the two larger bounds often
/// exceeds both heuristics. A vertical move changes both vertical bounds by exactly 1 and does not
/// change the horizontal ones. Both vertical bounds have the same parity, so their maximum changes
/// by exactly 1 too. The same holds for horizontal moves.
///
/// *Benefit:* Korf's first twenty 15-puzzles take 183 million nodes, against 528 million with
/// walking distance and 719 million with linear conflict (times: `benches/constants.csv`).
#[derive(Clone, Debug)]
pub struct WalkingConflict(WalkingDistance);

impl WalkingConflict {
    /// Returns the heuristic for a shape and the blank's goal cell.
    pub fn new(shape: Shape, goal_blank: Cell) -> WalkingConflict {
        WalkingConflict(WalkingDistance::new(shape, goal_blank))
    }
}

impl Heuristic for WalkingConflict {
    /// For each dimension, the place in the table of walking distance, and the linear-conflict
    /// bound.
    type Value = ([Place; 2], [u8; 2]);

    fn root(&self, state: &State) -> Self::Value {
        (self.0.root(state), self.0.conflict.parts(state).map(|bound| bound as u8))
    }

    #[inline(always)]
    fn after<K: Packed>(&self, (places, mut parts): Self::Value, board: K, step: Step) -> Self::Value {
        let part = &mut parts[step.dimension()];
        *part = part.wrapping_add_signed(self.0.conflict.change(board, step) as i8);
        (self.0.after(places, board, step), parts)
    }

    #[inline(always)]
    fn h((places, parts): Self::Value) -> u16 {
        let larger = |dimension: usize| (places[dimension] & 255).max(Place::from(parts[dimension]));
        (larger(0) + larger(1)) as u16
    }
}

/// A state of the relaxed puzzle. For each line and home line, 4 bits contain the number of tiles
/// ([`shift`]). Bits 120 and up contain the blank's line.
type Matrix = u128;

/// The place of a state in the table: its distance in the low 8 bits, and above them the offset of
/// its transitions.
pub type Place = u32;

/// The table of a relaxed puzzle, built by a breadth-first search.
///
/// Consider rows only. A state is the number of tiles of each home row in each row, and the blank's
/// row. A vertical move takes a tile from a row adjacent to the blank's into the blank's row. The
/// solution length of this relaxed puzzle is a lower bound on the vertical moves of the real one.
/// With few rows ([`WalkingTable::is_small`]), the relaxed puzzle can be solved for every state.
/// (K. Takahashi, *The 15-puzzle: walking distance*, 2002.) On 4×4 with the goal's blank in the
/// last row, the relaxed puzzle has 24,964 states.
///
/// The transitions of a state are consecutive entries of the table. An entry contains both the
/// offset of the next state's transitions and its distance ([`Place`]), so a move costs a single
/// load.
#[derive(Clone, Debug)]
struct WalkingTable {
    lines: usize,
    /// By a state's offset + a move's slot: the place after the move.
    next: Vec<Place>,
    places: FxHashMap<Matrix, Place>,
}

impl WalkingTable {
    /// Returns true if the table for `lines` lines of `width` cells is small enough to be worth
    /// building.
    ///
    /// With the blank's goal in the last line, 4 lines of 4 cells have 24,964 states, 4 lines of 5
    /// have 107,712, and 5 lines of 2 have 11,010. The next larger tables, for 4 lines of 6 and 5
    /// lines of 3, would have several hundred thousand.
    fn is_small(lines: usize, width: usize) -> bool {
        match lines {
            2 | 3 => true,
            4 => width <= 5,
            5 => width == 2,
            _ => false,
        }
    }

    /// Builds the table for `lines` lines of `width` cells, with the blank's goal in line
    /// `goal_blank`.
    fn build(lines: usize, width: usize, goal_blank: usize) -> WalkingTable {
        let mut goal = (goal_blank as Matrix) << 120;
        for line in 0..lines {
            let tiles = width - usize::from(line == goal_blank);
            goal |= (tiles as Matrix) << shift(lines, line, line);
        }
        let slots = 2 * lines;
        let mut table = WalkingTable { lines, next: Vec::new(), places: FxHashMap::from_iter([(goal, 0)]) };
        let mut queue = vec![goal];
        let mut head = 0;
        while let Some(&matrix) = queue.get(head) {
            let distance = (table.places[&matrix] & 255) + 1;
            head += 1;
            let blank = (matrix >> 120) as usize;
            for direction in 0..2 {
                let adjacent = if direction == 0 { blank.checked_sub(1) } else { Some(blank + 1) };
                for home in 0..lines {
                    let place = match adjacent.filter(|&line| line < lines) {
                        Some(line) if matrix >> shift(lines, line, home) & 15 > 0 => {
                            let tiles = matrix & ((1 << 120) - 1);
                            let moved = tiles - (1 << shift(lines, line, home)) + (1 << shift(lines, blank, home));
                            let after = moved | (line as Matrix) << 120;
                            *table.places.entry(after).or_insert_with(|| {
                                queue.push(after);
                                ((queue.len() - 1) * slots) as Place * 256 + distance
                            })
                        }
                        // There is no such move, so the entry is never read.
                        _ => 0,
                    };
                    table.next.push(place);
                }
            }
        }
        table.next.shrink_to_fit();
        table
    }

    /// Returns the place of the state with these tiles, given as (line, home line), and with the
    /// blank in this line.
    fn place(&self, tiles: impl Iterator<Item = (usize, usize)>, blank: usize) -> Place {
        let sum = |matrix, (line, home)| matrix + (1 << shift(self.lines, line, home));
        self.places[&tiles.fold((blank as Matrix) << 120, sum)]
    }

    /// Returns the slot of a transition, its offset among the transitions of a state: the blank
    /// moves to the previous or the next line, and a tile of home line `home` moves into the line
    /// that the blank leaves.
    fn slot(lines: usize, blank_moves_forward: bool, home: usize) -> usize {
        usize::from(blank_moves_forward) * lines + home
    }

    /// Returns the place after a move.
    #[inline(always)]
    fn after(&self, place: Place, slot: usize) -> Place {
        self.next[(place >> 8) as usize + slot]
    }

    #[cfg(test)]
    fn states(&self) -> usize {
        self.places.len()
    }
}

/// Returns the position, in a [`Matrix`], of the lowest bit of the number of tiles that are in line
/// `line` and have the home line `home`.
fn shift(lines: usize, line: usize, home: usize) -> usize {
    4 * (line * lines + home)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the published number of states and the numbers in the comment of `is_small`.
    #[test]
    fn numbers_of_states() {
        let states = |lines, width| WalkingTable::build(lines, width, lines - 1).states();
        assert_eq!(states(4, 4), 24_964);
        assert_eq!(states(4, 5), 107_712);
        assert_eq!(states(5, 2), 11_010);
    }
}
