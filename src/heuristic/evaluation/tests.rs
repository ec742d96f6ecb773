//! Tests that add up the differences made by moves and compare the sums with values computed from
//! scratch, and that compare the distances of triples with a plain search.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::board::{Cell, Move, Shape};
use crate::system::Random;

/// Pseudorandom weights for boards of this many cells.
struct RandomWeights {
    cells: usize,
}

impl RandomWeights {
    fn random(&self, key: usize, range: usize) -> i32 {
        (crate::system::scramble(0, key as u64) % (2 * range as u64 + 1)) as i32 - range as i32
    }
}

impl Weights for RandomWeights {
    fn single(&self, tile: usize, cell: usize) -> i32 {
        self.random(tile * 64 + cell, 10)
    }
    fn pair(&self, one: (usize, usize), other: (usize, usize)) -> i32 {
        let (high, low) = if one > other { (one, other) } else { (other, one) };
        self.random(((high.0 * 64 + high.1) * 64 + low.0) * 64 + low.1, 9)
    }
    fn triple(&self, homes: [u8; 3]) -> Vec<i8> {
        let key = homes.into_iter().fold(1, |key, home| key << 6 | usize::from(home));
        (0..self.cells.pow(3)).map(|i| self.random(key << 32 | i, 20) as i8).collect()
    }
}

fn check(tables: &Tables) {
    let shape = tables.shape();
    let n = shape.cells();
    let mut random = Random::new(5);
    let mut homes: Vec<u8> = random.permutation(n).iter().map(|&home| home as u8).collect();
    let mut value = tables.value(&homes);
    for _ in 0..300 {
        let blank = homes.iter().position(|&home| usize::from(home) == tables.goal_blank()).unwrap();
        let step = Move::from_index(random.bits() as u8);
        let Some(to) = shape.neighbour(Cell::new(blank), step).map(Cell::index) else { continue };
        let tile = usize::from(homes[to]);
        let mut group = Group::default();
        for (cell, &home) in homes.iter().enumerate() {
            group.by_position[0][usize::from(home)] = cell as u8;
        }
        tables.differences(fastest_instruction_set(), tables.row(tile, blank, step), &mut group, 1);
        let sign = if matches!(step, Move::Right | Move::Down) { -1 } else { 1 };
        value += sign * i32::from(group.sums[0]);
        homes.swap(blank, to);
        assert_eq!(value, tables.value(&homes), "{shape} {step:?}");
    }
}

#[test]
fn differences_add_up_to_values() {
    let stop = AtomicBool::new(false);
    for (rows, cols, goal_blank) in [(2, 2, 3), (2, 3, 1), (3, 3, 4), (4, 3, 0), (4, 4, 15), (2, 9, 4), (5, 5, 12)] {
        let shape = Shape::new(rows, cols).unwrap();
        let (cells, goal_blank) = (shape.cells(), Cell::new(goal_blank));
        check(&Tables::new(shape, goal_blank, &RandomWeights { cells }, &stop).unwrap());
        check(&Tables::new(shape, goal_blank, &Untrained::new(shape, goal_blank), &stop).unwrap());
    }
}

/// The goal has value 0, and every board one move from it has the value of one move.
#[test]
fn the_goal_has_value_zero() {
    for (rows, cols, goal_blank) in [(3, 3, 8), (4, 5, 7), (6, 6, 0)] {
        let shape = Shape::new(rows, cols).unwrap();
        let weights = Untrained::new(shape, Cell::new(goal_blank));
        let tables = Tables::new(shape, Cell::new(goal_blank), &weights, &AtomicBool::new(false)).unwrap();
        let homes: Vec<u8> = (0..shape.cells() as u8).collect();
        assert_eq!(tables.value(&homes), 0);
        for step in Move::ALL {
            if let Some(to) = shape.neighbour(Cell::new(goal_blank), step) {
                let mut homes = homes.clone();
                homes.swap(goal_blank, to.index());
                assert_eq!(tables.value(&homes), UNIT);
            }
        }
    }
}

/// The bit-parallel distances agree with a search that moves the blank one cell at a time.
#[test]
fn triple_distances_agree_with_a_plain_search() {
    for (rows, cols, homes, goal_blank) in
        [(3, 3, [0, 1, 3], 8), (2, 5, [2, 3, 8], 0), (4, 4, [1, 2, 3], 15), (3, 4, [1, 4, 5], 0), (5, 2, [0, 2, 4], 9)]
    {
        let shape = Shape::new(rows, cols).unwrap();
        let n = shape.cells();
        let distances = super::triple_distances::BitBoard::new(shape, goal_blank).distances(homes);
        let index = |cells: [usize; 3]| cells[0] + n * cells[1] + n * n * cells[2];
        let mut expected = vec![255u8; n * n * n];
        // Moves of other tiles cost nothing, so they are tried first (0-1 breadth-first search).
        let start = (homes.map(usize::from), goal_blank);
        let mut best = std::collections::HashMap::from([(start, 0u8)]);
        let mut queue = std::collections::VecDeque::from([(start, 0u8)]);
        while let Some(((cells, blank), moves)) = queue.pop_front() {
            if best[&(cells, blank)] < moves {
                continue;
            }
            expected[index(cells)] = expected[index(cells)].min(moves);
            for to in shape.neighbours(Cell::new(blank)).map(Cell::index) {
                let moved = cells.iter().position(|&cell| cell == to);
                let mut after = cells;
                if let Some(tile) = moved {
                    after[tile] = blank;
                }
                let moves = moves + u8::from(moved.is_some());
                if best.get(&(after, to)).is_none_or(|&earlier| earlier > moves) {
                    best.insert((after, to), moves);
                    if moved.is_some() {
                        queue.push_back(((after, to), moves))
                    } else {
                        queue.push_front(((after, to), moves))
                    }
                }
            }
        }
        assert_eq!(distances, expected, "{shape} {homes:?}");
    }
}
