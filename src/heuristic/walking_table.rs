//! The table of one dimension's walking distance, built by a breadth-first search.
//!
//! Consider rows only: the number of tiles of each home row in each row, and the blank's row. A
//! vertical move takes a tile from a row adjacent to the blank's into the blank's row. The solution
//! length of this relaxed puzzle is a lower bound on the vertical moves of the real one. With few
//! rows ([`WalkingTable::is_small`]), the relaxed puzzle can be solved for every state. (K.
//! Takahashi, *The 15-puzzle: walking distance*, 2002.) On 4×4 with the goal's blank in the last
//! row, the relaxed puzzle has 24,964 states.
//!
//! The transitions of a state are consecutive entries of the table. An entry contains both the
//! offset of the next state's transitions and its distance ([`Place`]), so a move costs a single
//! load.

use rustc_hash::FxHashMap;

/// By line and home line, 4 bits each: the number of tiles. Bits 120 and up: the blank's line.
type Matrix = u128;

/// A state of the relaxed puzzle: its distance in the low 8 bits, and above them the offset of its
/// transitions in the table.
pub(super) type Place = u32;

/// The table of a relaxed puzzle.
#[derive(Clone, Debug)]
pub(super) struct WalkingTable {
    lines: usize,
    /// offset + direction × lines + home line → place after the move.
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
    pub(super) fn is_small(lines: usize, width: usize) -> bool {
        match lines {
            2 | 3 => true,
            4 => width <= 5,
            5 => width == 2,
            _ => false,
        }
    }

    /// Builds the table for `lines` lines of `width` cells, with the blank's goal in line
    /// `goal_blank`.
    pub(super) fn build(lines: usize, width: usize, goal_blank: usize) -> WalkingTable {
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
    pub(super) fn place(&self, tiles: impl Iterator<Item = (usize, usize)>, blank: usize) -> Place {
        let sum = |matrix, (line, home)| matrix + (1 << shift(self.lines, line, home));
        self.places[&tiles.fold((blank as Matrix) << 120, sum)]
    }

    /// Returns the slot of a transition: the blank moves to the previous or the next line, and a
    /// tile of home line `home` takes its place.
    pub(super) fn slot(lines: usize, blank_moves_forward: bool, home: usize) -> usize {
        usize::from(blank_moves_forward) * lines + home
    }

    /// Returns the place after a move.
    #[inline(always)]
    pub(super) fn after(&self, place: Place, slot: usize) -> Place {
        self.next[(place >> 8) as usize + slot]
    }

    #[cfg(test)]
    fn states(&self) -> usize {
        self.places.len()
    }
}

fn shift(lines: usize, line: usize, home: usize) -> usize {
    4 * (line * lines + home)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published number, and the numbers in the comment of `is_small`.
    #[test]
    fn numbers_of_states() {
        let states = |lines, width| WalkingTable::build(lines, width, lines - 1).states();
        assert_eq!(states(4, 4), 24_964);
        assert_eq!(states(4, 5), 107_712);
        assert_eq!(states(5, 2), 11_010);
    }
}
