//! Lengths of shortest paths, without a search by an engine: lower bounds for any board, and the
//! exact lengths for small boards, with the number and the beginning of the paths.
//!
//! [`BoundProver`] uses the same heuristics as the engines, so it does not find their errors.
//! [`SmallBoards`] shares no code with the engines or with the search that lists all shortest
//! paths: it has tables of a breadth-first search from the goal. A table has the distances of all
//! solvable boards of a shape, 181,440 for 3×3. Each thread builds a table in about 30 ms, once for
//! each shape and cell of the goal's blank. All goals with the blank in the same cell share a
//! table, because tiles are named by their cells in the goal.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};

use crate::board::frame::Frame;
use crate::board::{Beginning, Board, Cell, Move, Shape};
use crate::heuristic::{Heuristic, WalkingConflict, lower_bound};
use crate::solver::shortest_paths::{PathCount, ShortestPaths};

/// A prover of lower bounds. It keeps the [`WalkingConflict`] heuristic of the last board, with the
/// shape and the cell of the goal's blank for which the heuristic was built. The next board usually
/// has the same shape and blank, and can use the same heuristic.
#[derive(Default)]
pub struct BoundProver(Option<(Shape, Cell, WalkingConflict)>);

impl BoundProver {
    /// Returns true if linear conflict or, for boards of up to 25 cells, walking-conflict proves
    /// that no path has fewer moves than `claimed`.
    pub fn prove(&mut self, board: &Board, goal: &Board, claimed: u64) -> bool {
        lower_bound(board, goal) >= claimed || self.walking(board, goal).is_some_and(|bound| bound >= claimed)
    }

    fn walking(&mut self, board: &Board, goal: &Board) -> Option<u64> {
        let frame = Frame::new(goal)?;
        let (shape, blank) = (frame.space().shape, frame.space().goal_blank);
        let start = frame.admit(board)?;
        let is_usable = |cached: &(Shape, Cell, WalkingConflict)| (cached.0, cached.1) == (shape, blank);
        let cached = self.0.take().filter(is_usable);
        let (.., heuristic) =
            self.0.insert(cached.unwrap_or_else(|| (shape, blank, WalkingConflict::new(shape, blank))));
        Some(u64::from(WalkingConflict::h(heuristic.root(start.state()))))
    }
}

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
    /// Returns the length of the shortest paths of a board, and their number and beginning; `None`
    /// if the board is too large or has no solution.
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
    use crate::board::Tile;

    #[test]
    fn a_bound_is_proven_as_far_as_the_heuristics_go() {
        let mut bound_prover = BoundProver::default();
        // Walking-conflict may give a higher bound than linear conflict, but never above 31 moves,
        // the maximum for this shape.
        let hard: Board = "8 0 6/5 4 7/2 3 1".parse().unwrap();
        let goal: Board = "1 2 3/4 5 6/7 8 0".parse().unwrap();
        let simple = lower_bound(&hard, &goal);
        let proven = (0..40).filter(|&claimed| bound_prover.prove(&hard, &goal, claimed)).max().unwrap();
        assert!(proven >= simple && proven <= 31, "{simple} {proven}");
        assert!((0..=proven).all(|claimed| bound_prover.prove(&hard, &goal, claimed)));
        let (wide, wide_goal): (Board, Board) = ("1 0 2/4 5 3".parse().unwrap(), "1 2 3/4 5 0".parse().unwrap());
        assert!(bound_prover.prove(&wide, &wide_goal, 2) && !bound_prover.prove(&wide, &wide_goal, 3));
        assert!(bound_prover.prove(&hard, &goal, proven) && !bound_prover.prove(&hard, &goal, proven + 1));
    }

    /// Linear conflict proves bounds for boards that are too large for walking-conflict.
    #[test]
    fn a_bound_of_a_large_board_is_proven() {
        let goal = (1..36).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ") + " 0";
        let moved = goal.replace("35 0", "0 35");
        let [goal, moved]: [Board; 2] = [goal, moved].map(|text| text.parse().unwrap());
        let mut bound_prover = BoundProver::default();
        assert!(bound_prover.prove(&moved, &goal, 1) && !bound_prover.prove(&moved, &goal, 2));
        // A row whose tiles are all in order.
        let row = |tiles: Vec<usize>| {
            let tiles: Vec<Tile> = tiles.into_iter().map(Tile::new).collect();
            Board::new(Shape::new(1, tiles.len()).unwrap(), &tiles).unwrap()
        };
        let (goal, moved) = (row((1..20).chain([0]).collect()), row((1..19).chain([0, 19]).collect()));
        assert!(bound_prover.prove(&moved, &goal, 1) && !bound_prover.prove(&moved, &goal, 2));
    }

    /// The cached heuristic is not used for another shape or another cell of the blank.
    #[test]
    fn every_goal_has_its_own_heuristic() {
        let pairs = [
            ("8 0 6/5 4 7/2 3 1", "1 2 3/4 5 6/7 8 0"),
            ("8 0 6/5 4 7/2 3 1", "0 1 2/3 4 5/6 7 8"),
            ("5 4 3/0 1 2", "0 1 2/3 4 5"),
            ("5 4 3/0 1 2", "1 2 3/4 5 0"),
            ("7 6 5 4/3 2 1 0", "0 1 2 3/4 5 6 7"),
        ]
        .map(|(board, goal)| -> [Board; 2] { [board.parse().unwrap(), goal.parse().unwrap()] });
        let unproven = |bound_prover: &mut BoundProver, [board, goal]: &[Board; 2]| {
            (0..60).find(|&claimed| !bound_prover.prove(board, goal, claimed))
        };
        let with_new_cache = pairs.each_ref().map(|pair| unproven(&mut BoundProver::default(), pair));
        let mut bound_prover = BoundProver::default();
        for first in &pairs {
            for (second, expected) in pairs.iter().zip(&with_new_cache) {
                unproven(&mut bound_prover, first);
                assert_eq!(unproven(&mut bound_prover, second), *expected, "{first:?} {second:?}");
            }
        }
    }

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
