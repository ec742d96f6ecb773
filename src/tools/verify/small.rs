//! How far small boards are from a goal, and how many shortest paths they have: over every board of their size, by a walk from the goal that
//! shares nothing with the engines, nor with the search that lists all shortest paths.
//!
//! Nine cells have 181,440 boards that can be reached; their distances are found in some 20 milliseconds, once for each shape and
//! place of the blank in the goal: tiles are named by their places there, so that every goal is the same one.

use std::collections::HashMap;

use crate::board::{Beginning, Board, Move, Shape};
use crate::solver::shortest_paths::{PathCount, ShortestPaths};

/// The largest boards that have a table.
pub const MOST_CELLS: usize = 9;

/// Of a board that cannot be reached.
const NEVER: u8 = u8::MAX;

/// Tiles by their places in the goal; unused places behind the last are zero.
type Places = [u8; MOST_CELLS];

/// The tables that were needed.
#[derive(Default)]
pub struct SmallBoards(HashMap<(Shape, usize), Table>);

/// The distance of every board, by the number of its arrangement.
struct Table {
    shape: Shape,
    /// The blank's place in the goal, which is its name.
    blank: u8,
    distances: Vec<u8>,
}

/// What is known of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortest {
    pub moves: u64,
    pub paths: ShortestPaths,
}

impl SmallBoards {
    /// The length of the shortest paths of a board and how many there are; `None` for a board that is too large, or has none.
    pub fn shortest(&mut self, board: &Board, goal: &Board) -> Option<Shortest> {
        let shape = board.shape();
        if shape.cells() > MOST_CELLS || shape != goal.shape() {
            return None;
        }
        let blank = goal.blank().index();
        let table = self.0.entry((shape, blank)).or_insert_with(|| Table::new(shape, blank as u8));
        let mut place = [0; MOST_CELLS];
        for (at, tile) in goal.tiles().iter().enumerate() {
            place[tile.label()] = at as u8;
        }
        let mut places = [0; MOST_CELLS];
        for (at, tile) in board.tiles().iter().enumerate() {
            places[at] = place[tile.label()];
        }
        let moves = table.distance(&places);
        (moves != NEVER).then(|| Shortest {
            moves: moves.into(),
            paths: ShortestPaths {
                count: PathCount::Exactly(table.paths(&places, moves)),
                beginning: Some(table.beginning(&places, moves)),
            },
        })
    }
}

impl Table {
    fn new(shape: Shape, blank: u8) -> Table {
        let cells = shape.cells();
        let mut table = Table { shape, blank, distances: vec![NEVER; (1..=cells).product()] };
        let mut goal = [0; MOST_CELLS];
        (0..cells).for_each(|at| goal[at] = at as u8);
        table.distances[rank(&goal[..cells])] = 0;
        let (mut layer, mut distance) = (vec![goal], 0);
        while !layer.is_empty() {
            distance += 1;
            let mut next = Vec::new();
            for at in &layer {
                for (_, beside) in table.beside(at) {
                    let known = &mut table.distances[rank(&beside[..cells])];
                    if *known == NEVER {
                        *known = distance;
                        next.push(beside);
                    }
                }
            }
            layer = next;
        }
        table
    }

    fn distance(&self, places: &Places) -> u8 {
        self.distances[rank(&places[..self.shape.cells()])]
    }

    /// Returns the boards that each possible move leads to.
    fn beside(&self, places: &Places) -> impl Iterator<Item = (Move, Places)> + use<> {
        let (rows, cols, places) = (self.shape.rows(), self.shape.cols(), *places);
        let at = places[..rows * cols].iter().position(|&place| place == self.blank).unwrap_or_default();
        let (row, col) = (at / cols, at % cols);
        let to = [
            (row + 1 < rows).then_some((Move::Down, at + cols)),
            (col > 0).then(|| (Move::Left, at - 1)),
            (col + 1 < cols).then_some((Move::Right, at + 1)),
            (row > 0).then(|| (Move::Up, at - cols)),
        ];
        to.into_iter().flatten().map(move |(step, to)| {
            let mut beside = places;
            beside.swap(at, to);
            (step, beside)
        })
    }

    /// Returns the moves with which shortest paths go on, and the boards that they lead to.
    fn nearer(&self, places: &Places, distance: u8) -> Vec<(Move, Places)> {
        let nearer = |beside: &Places| distance > 0 && self.distance(beside) == distance - 1;
        self.beside(places).filter(|(_, beside)| nearer(beside)).collect()
    }

    fn beginning(&self, places: &Places, distance: u8) -> Beginning {
        let first_moves = self.nearer(places, distance).into_iter().map(|(step, _)| step).collect();
        let (mut at, mut forced) = (*places, 0);
        while let [(_, next)] = self.nearer(&at, distance - forced)[..] {
            (at, forced) = (next, forced + 1);
        }
        Beginning::new(first_moves, forced.into())
    }

    fn paths(&self, places: &Places, distance: u8) -> u64 {
        match distance {
            0 => 1,
            _ => self.nearer(places, distance).iter().map(|(_, nearer)| self.paths(nearer, distance - 1)).sum(),
        }
    }
}

/// The number of an arrangement among all of so many things (Lehmer 1960).
fn rank(places: &[u8]) -> usize {
    places.iter().enumerate().fold(0, |rank, (at, place)| {
        let smaller_behind = places[at + 1..].iter().filter(|&behind| behind < place).count();
        rank * (places.len() - at) + smaller_behind
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The farthest 3×3 boards and their numbers are published (OEIS A089473); the paths of a 2×2 board go round one way or both.
    #[test]
    fn distances_and_numbers_of_paths() {
        let mut boards = SmallBoards::default();
        let mut shortest = |board: &str, goal: &str| {
            let (board, goal): (Board, Board) = (board.parse().unwrap(), goal.parse().unwrap());
            boards.shortest(&board, &goal).map(|shortest| match shortest.paths.count {
                PathCount::Exactly(paths) => (shortest.moves, paths),
                PathCount::AtLeast(..) => panic!("not all were counted"),
            })
        };
        assert_eq!(shortest("1 2/3 0", "1 2/3 0"), Some((0, 1)));
        assert_eq!(shortest("0 3/2 1", "1 2/3 0"), Some((6, 2)));
        assert_eq!(shortest("2 1/3 0", "1 2/3 0"), None);
        let goal = "1 2 3/4 5 6/7 8 0";
        assert_eq!(shortest("8 6 7/2 5 4/3 0 1", goal).map(|known| known.0), Some(31));
        assert_eq!(shortest("2 3 4/1 5 0/7 6 8", goal), Some((19, 4)));
        // Tiles by other names, and the blank elsewhere.
        assert_eq!(shortest("3 4 5/2 6 0/8 7 1", "2 3 4/5 6 7/8 1 0"), Some((19, 4)));
        let large = "1 2 3 4/5 6 7 8/9 10 11 0";
        assert_eq!(shortest(large, large), None);
        let mut lengths = [0; 32];
        let table = &boards.0[&(Shape::new(3, 3).unwrap(), 8)];
        table
            .distances
            .iter()
            .filter(|&&distance| distance != NEVER)
            .for_each(|&distance| lengths[distance as usize] += 1);
        assert_eq!(
            (lengths[..5].to_vec(), lengths[31], lengths.iter().sum::<u32>()),
            (vec![1, 2, 4, 8, 16], 2, 181_440)
        );
    }
}
