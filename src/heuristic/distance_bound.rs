//! A lower bound for a board of any size: Manhattan distance and linear conflict.
//!
//! Tiles in their home row, but not in the order of their homes, cannot all stay in the row. At
//! least the tiles outside a longest increasing subsequence must leave it, and each of them needs
//! two moves more than its distance. Conflicts in rows cost vertical moves and conflicts in columns
//! horizontal ones, so both are added (O. Hansson, A. Mayer, M. Yung, *Criticizing solutions to
//! relaxed models yields powerful admissible heuristics*, Information Sciences 63, 1992). Time is
//! O(cells · log cells), memory O(cells).
//!
//! Searches for shortest paths update the same bound move by move ([`super::LinearConflict`]). This
//! function is for judging the length of paths.

use super::line;
use super::linear_conflict::outside_longest_run;
use crate::board::{Board, Cell, Shape, Tile};

/// Returns a lower bound on the number of moves from `board` to `goal`. It has the parity of the
/// length of every solution.
///
/// # Panics
/// If the boards have different shapes.
pub fn lower_bound(board: &Board, goal: &Board) -> u64 {
    let shape = board.shape();
    // Manhattan distance has the parity of the solution lengths, and conflicts add even numbers.
    let distance = board.manhattan_distance(goal);
    let home = goal.homes();
    let home_of = |cell: Cell| match board.tiles()[cell.index()] {
        Tile::BLANK => None,
        tile => Some(home[tile.label()].index()),
    };
    let (mut tails, mut leaving) = ([0; Shape::MAX_SIDE], 0);
    for (dimension, lines, places) in [(0, shape.rows(), shape.cols()), (1, shape.cols(), shape.rows())] {
        for number in 0..lines {
            let cell = |place| if dimension == 0 { shape.cell(number, place) } else { shape.cell(place, number) };
            let homes = (0..places).filter_map(|place| home_of(cell(place)));
            let homes = homes.filter(|&home| line(shape, dimension, home) == number);
            leaving += outside_longest_run(homes.map(|home| line(shape, 1 - dimension, home)), &mut tails);
        }
    }
    distance + 2 * leaving as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::board::{Goal, Move};

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
            assert_eq!(outside_longest_run(places.iter().copied(), &mut [0; 7]), leaving, "{places:?}");
        }
    }

    /// Compares the bounds with distances by breadth-first search, for goals with the blank in
    /// every cell.
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
