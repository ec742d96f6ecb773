//! Lengths of shortest paths of small boards, without a search by an engine, with the number of the
//! paths, their first moves, and the number of forced moves with which all of them begin.
//!
//! This shares no code with the engines, and only the type of its results with the search that
//! lists all shortest paths. It has tables of a breadth-first search from the goal. A table has the
//! distances of all solvable boards of a shape, 181,440 for 3×3. Each thread builds a table in
//! about 30 ms, once for each shape and cell of the goal's blank. All goals with the blank in the
//! same cell share a table, because tiles are named by their cells in the goal.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use crate::board::{Beginning, Board, Cell, Move, Shape};
use crate::solver::shortest_paths::{PathCount, ShortestPaths};

/// The number of cells of the largest boards that have a table.
pub const MAX_TABLE_CELLS: usize = 9;

/// The tiles of a board, named by their cells in the goal. Unused cells at the end are zero.
type NamedTiles = [u8; MAX_TABLE_CELLS];

/// The tables built so far, by the shape and the cell of the goal's blank.
#[derive(Default)]
pub struct SmallBoards(HashMap<(Shape, Cell), DistanceTable>);

/// The distances of all solvable boards of a shape.
struct DistanceTable {
    shape: Shape,
    goal_blank: Cell,
    distances: HashMap<NamedTiles, u8>,
}

impl SmallBoards {
    /// Returns the length of the shortest paths of a board, their number, and how they begin;
    /// `None` if the board is too large or has no solution.
    pub fn shortest(&mut self, board: &Board, goal: &Board) -> Option<(u64, ShortestPaths)> {
        let (shape, goal_blank) = (goal.shape(), goal.blank());
        if shape.cells() > MAX_TABLE_CELLS {
            return None;
        }
        let mut names = [0; MAX_TABLE_CELLS];
        for (tile, cell) in goal.tiles().iter().zip(0..) {
            names[tile.label()] = cell;
        }
        let mut tiles = [0; MAX_TABLE_CELLS];
        for (tile, name) in board.tiles().iter().zip(&mut tiles) {
            *name = names[tile.label()];
        }
        let table = self.0.entry((shape, goal_blank)).or_insert_with(|| DistanceTable::new(shape, goal_blank));
        let distance = *table.distances.get(&tiles)?;
        let count = PathCount::Exactly(table.paths(&tiles, distance));
        Some((distance.into(), ShortestPaths { count, beginning: Some(table.beginning(&tiles, distance)) }))
    }
}

impl DistanceTable {
    fn new(shape: Shape, goal_blank: Cell) -> DistanceTable {
        let mut goal = [0; MAX_TABLE_CELLS];
        goal[..shape.cells()].iter_mut().zip(0..).for_each(|(name, cell)| *name = cell);
        let mut table = DistanceTable { shape, goal_blank, distances: HashMap::from([(goal, 0)]) };
        let mut queue = VecDeque::from([goal]);
        while let Some(tiles) = queue.pop_front() {
            let distance = table.distances[&tiles] + 1;
            for (_, next) in table.neighbours(&tiles) {
                if let Entry::Vacant(vacant) = table.distances.entry(next) {
                    vacant.insert(distance);
                    queue.push_back(next);
                }
            }
        }
        table
    }

    /// Returns the possible moves, and the boards that they lead to.
    fn neighbours(&self, tiles: &NamedTiles) -> impl Iterator<Item = (Move, NamedTiles)> + use<> {
        let (shape, tiles) = (self.shape, *tiles);
        let is_blank = |name: &u8| usize::from(*name) == self.goal_blank.index();
        let blank = Cell::new(tiles[..shape.cells()].iter().position(is_blank).unwrap_or_default());
        Move::ALL.into_iter().filter_map(move |step| {
            let (to, mut next) = (shape.neighbour(blank, step)?, tiles);
            next.swap(blank.index(), to.index());
            Some((step, next))
        })
    }

    /// Returns the moves that begin a shortest path, and the boards that they lead to.
    fn nearer(&self, tiles: &NamedTiles, distance: u8) -> Vec<(Move, NamedTiles)> {
        self.neighbours(tiles).filter(|(_, next)| self.distances[next] < distance).collect()
    }

    fn beginning(&self, tiles: &NamedTiles, distance: u8) -> Beginning {
        let first_moves = self.nearer(tiles, distance).into_iter().map(|(step, _)| step).collect();
        let (mut at, mut forced) = (*tiles, 0);
        while let [(_, next)] = self.nearer(&at, distance - forced)[..] {
            (at, forced) = (next, forced + 1);
        }
        Beginning::new(first_moves, forced.into())
    }

    fn paths(&self, tiles: &NamedTiles, distance: u8) -> u64 {
        match distance {
            0 => 1,
            _ => self.nearer(tiles, distance).iter().map(|(_, next)| self.paths(next, distance - 1)).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of 3×3 boards at each distance is published (OEIS A089473).
    #[test]
    fn distances_and_numbers_of_paths() {
        let mut boards = SmallBoards::default();
        let mut shortest = |board: &str, goal: &str| {
            let (board, goal): (Board, Board) = (board.parse().unwrap(), goal.parse().unwrap());
            boards.shortest(&board, &goal).map(|(moves, paths)| match paths.count {
                PathCount::Exactly(paths) => (moves, paths),
                PathCount::AtLeast(..) => panic!("not all were counted"),
            })
        };
        assert_eq!(shortest("1 2/3 0", "1 2/3 0"), Some((0, 1)));
        assert_eq!(shortest("0 3/2 1", "1 2/3 0"), Some((6, 2)));
        assert_eq!(shortest("2 1/3 0", "1 2/3 0"), None);
        let goal = "1 2 3/4 5 6/7 8 0";
        assert_eq!(shortest("8 6 7/2 5 4/3 0 1", goal).map(|(moves, _)| moves), Some(31));
        assert_eq!(shortest("2 3 4/1 5 0/7 6 8", goal), Some((19, 4)));
        // The same board and goal with other labels.
        assert_eq!(shortest("3 4 5/2 6 0/8 7 1", "2 3 4/5 6 7/8 1 0"), Some((19, 4)));
        let large = "1 2 3 4/5 6 7 8/9 10 11 0";
        assert_eq!(shortest(large, large), None);
        let mut lengths = [0; 32];
        let table = &boards.0[&(Shape::new(3, 3).unwrap(), Cell::new(8))];
        table.distances.values().for_each(|&distance| lengths[usize::from(distance)] += 1);
        assert_eq!(
            (lengths[..5].to_vec(), lengths[31], lengths.iter().sum::<u32>()),
            (vec![1, 2, 4, 8, 16], 2, 181_440)
        );
    }
}
