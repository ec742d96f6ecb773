//! Uniformly random boards.

use crate::board::{Board, Move, Shape, Tile, is_solvable};
use crate::system::Random;

/// The kind of a board: with or without a solution.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardKind {
    /// The board has a solution.
    Solvable,
    /// The board has no solution.
    Unsolvable,
}

impl BoardKind {
    /// Returns the noun for such boards, for messages.
    pub const fn noun(self) -> &'static str {
        match self {
            BoardKind::Solvable => "boards",
            BoardKind::Unsolvable => "unsolvable boards",
        }
    }
}

/// Returns a random board of a shape, solvable or not.
pub fn any_board(shape: Shape, rng: &mut Random) -> Board {
    let mut tiles: Vec<Tile> = (0..shape.cells()).map(Tile::new).collect();
    rng.shuffle(&mut tiles);
    permuted(shape, &tiles)
}

/// Returns true if boards of a kind exist.
pub fn exists(kind: BoardKind, shape: Shape) -> bool {
    // Two tiles are enough: exchanging them makes a board unsolvable.
    kind == BoardKind::Solvable || shape.cells() > 2
}

/// Returns a random board of a kind, which must exist.
///
/// A random permutation is of the requested kind half of the time. Otherwise, its first two tiles
/// are exchanged: this pairs each solvable board with an unsolvable one, so the result is uniform.
/// On a line, tiles never pass each other. A solvable board then has its tiles in the goal's order,
/// and only the blank's cell is drawn. For an unsolvable board, permutations are drawn until one is
/// unsolvable.
pub fn board(kind: BoardKind, goal: &Board, rng: &mut Random) -> Board {
    let shape = goal.shape();
    debug_assert!(exists(kind, shape), "there are no such boards of {shape}");
    if shape.is_line() && kind == BoardKind::Solvable {
        return with_blank_at(goal, rng.index(shape.cells()));
    }
    loop {
        let drawn = any_board(shape, rng);
        if is_solvable(&drawn, goal) == (kind == BoardKind::Solvable) {
            return drawn;
        }
        if !shape.is_line() {
            return with_first_two_exchanged(&drawn);
        }
    }
}

/// Returns the paired board of the other kind, with the first two tiles exchanged.
pub fn with_first_two_exchanged(board: &Board) -> Board {
    let mut tiles = board.tiles().to_vec();
    let mut cells = (0..tiles.len()).filter(|&cell| cell != board.blank().index());
    if let (Some(first), Some(second)) = (cells.next(), cells.next()) {
        tiles.swap(first, second);
    }
    permuted(board.shape(), &tiles)
}

/// Returns a board on a line with its blank moved to a cell.
fn with_blank_at(board: &Board, cell: usize) -> Board {
    let mut tiles = board.tiles().to_vec();
    tiles.remove(board.blank().index());
    tiles.insert(cell, Tile::BLANK);
    permuted(board.shape(), &tiles)
}

/// Walks a number of steps from a board. A step never undoes the one before, except at the end of a
/// line; all other steps are equally likely. `last` is the step before the walk, and is set to the
/// last step made.
pub fn random_walk(mut board: Board, steps: u64, last: &mut Option<Move>, rng: &mut Random) -> Board {
    for _ in 0..steps {
        let back = last.map(Move::inverse);
        let can = |step: Move| board.shape().neighbour(board.blank(), step).is_some();
        let mut forward = [Move::Up; 4];
        let mut ways = 0;
        for step in Move::ALL.into_iter().filter(|&step| Some(step) != back && can(step)) {
            forward[ways] = step;
            ways += 1;
        }
        // At the end of a line the only way is back.
        let next = if ways == 0 { back.filter(|&back| can(back)) } else { Some(forward[rng.index(ways)]) };
        let Some(step) = next.filter(|&step| board.make(step)) else { return board };
        *last = Some(step);
    }
    board
}

fn permuted(shape: Shape, tiles: &[Tile]) -> Board {
    Board::new(shape, tiles).unwrap_or_else(|error| unreachable!("a permutation of tiles is a board: {error}"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::Goal;

    fn goal(rows: usize, cols: usize) -> Board {
        Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap()
    }

    /// Compares the counts of 40 draws per board with the chi-square distribution: its mean is the
    /// number of boards less 1, its variance twice that.
    #[test]
    fn every_board_is_equally_likely() {
        for (rows, cols, kind, boards) in [
            (2, 3, BoardKind::Solvable, 360),
            (2, 3, BoardKind::Unsolvable, 360),
            (2, 2, BoardKind::Solvable, 12),
            (1, 5, BoardKind::Solvable, 5),
            (1, 3, BoardKind::Unsolvable, 3),
        ] {
            let goal = goal(rows, cols);
            let draws = boards * 40;
            let mut counts: HashMap<Board, f64> = HashMap::new();
            for number in 0..draws {
                let drawn = board(kind, &goal, &mut Random::stream(3, number));
                assert_eq!(is_solvable(&drawn, &goal), kind == BoardKind::Solvable, "{drawn}");
                *counts.entry(drawn).or_default() += 1.0;
            }
            assert_eq!(counts.len() as u64, boards);
            let chi_square: f64 = counts.values().map(|count| (count - 40.0).powi(2) / 40.0).sum();
            let (mean, deviation) = (boards as f64 - 1.0, (2.0 * (boards as f64 - 1.0)).sqrt());
            assert!((chi_square - mean).abs() < 4.0 * deviation, "{rows}x{cols} {kind:?}: {chi_square}");
        }
    }

    #[test]
    fn walks_turn_back_only_at_the_end_of_a_line() {
        let start = goal(3, 3);
        let mut last = None;
        let two = random_walk(start.clone(), 2, &mut last, &mut Random::stream(1, 1));
        assert_eq!(start.manhattan_distance(&two), 2);
        let line = random_walk(goal(1, 3), 3, &mut None, &mut Random::stream(1, 1));
        assert_eq!(line.to_string(), "1 0 2");
        assert_eq!(random_walk(goal(1, 1), 3, &mut None, &mut Random::stream(1, 1)), goal(1, 1));
    }
}
