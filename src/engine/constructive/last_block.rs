//! A shortest path for the last block, of two or three rows and columns. It has at most 31 moves.
//! Iterative deepening with the Manhattan distance finds it within a millisecond.

use super::field::{Field, Place, after};
use super::lines::Rest;

/// The maximum distance between two positions of up to 3 × 3 cells (Reinefeld, *Complete solution
/// of the eight-puzzle*, IJCAI 1993).
const MAX_DISTANCE: usize = 31;

struct Search<'a> {
    field: &'a Field,
    /// The places of the block's cells, row by row. A cell's number is its index in this list.
    places: Vec<Place>,
    /// The number of the home of each cell's tile.
    homes: Vec<usize>,
    moves: Vec<u8>,
}

/// Solves the block. Returns false if that is impossible.
pub(super) fn solve(field: &mut Field, rest: &Rest) -> bool {
    let mut places = Vec::new();
    for row in rest.top..=rest.bottom {
        for col in rest.left..=rest.right {
            places.push(row << 8 | col);
        }
    }
    let number = |place: Place| places.iter().position(|&other| other == place);
    let Some(homes) = places.iter().map(|&place| number(field.home(place))).collect::<Option<Vec<usize>>>() else {
        return false;
    };
    let Some(blank) = number(field.blank()) else { return false };
    let mut search = Search { field, places, homes, moves: Vec::new() };
    let distance = search.distance(blank);
    let found = (distance..=MAX_DISTANCE).step_by(2).any(|bound| search.deepen(blank, distance, bound));
    let moves = search.moves;
    if found {
        moves.iter().for_each(|&step| field.step(usize::from(step)));
    }
    found
}

impl Search<'_> {
    fn steps(&self, number: usize, home: usize) -> usize {
        super::field::distance(self.places[number], self.places[home])
    }

    fn distance(&self, blank: usize) -> usize {
        (0..self.homes.len()).filter(|&n| n != blank).map(|n| self.steps(n, self.homes[n])).sum()
    }

    fn deepen(&mut self, blank: usize, distance: usize, bound: usize) -> bool {
        if distance == 0 {
            return self.homes[blank] == blank;
        }
        for step in 0..4 {
            if self.moves.last() == Some(&(3 - step as u8)) {
                continue;
            }
            let to = after(self.places[blank], step);
            if self.field.is_fixed(to) {
                continue;
            }
            let Some(from) = self.places.iter().position(|&place| place == to) else { continue };
            let home = self.homes[from];
            let next = distance + self.steps(blank, home) - self.steps(from, home);
            if self.moves.len() + 1 + next > bound {
                continue;
            }
            self.homes.swap(blank, from);
            self.moves.push(step as u8);
            if self.deepen(from, next, bound) {
                return true;
            }
            self.moves.pop();
            self.homes.swap(blank, from);
        }
        false
    }
}
