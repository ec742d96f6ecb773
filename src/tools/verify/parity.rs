//! The proof that a board has no solution. It uses another form of the parity argument than the
//! solver.
//!
//! The solver uses the permutation of all cells, including the blank
//! ([`crate::board::is_solvable`]). Here the tiles without the blank are read row by row, each as
//! its place in the goal (Johnson and Story 1879, in the form of most textbooks). A move to the
//! side does not change this order. A move up or down carries a tile past `columns − 1` others. So
//! if the number of columns is odd, the parity of the inversions does not change. If the number of
//! columns is even, the parity changes whenever the blank changes its row.

use smallvec::{SmallVec, smallvec};

use crate::board::{Board, MAX_SEARCH_CELLS};

/// A number for each cell of a board.
type PerCell = SmallVec<[usize; MAX_SEARCH_CELLS + 1]>;

/// Returns true if no sequence of moves leads from `board` to `goal`, which must have the same
/// shape. Takes n log n steps for n cells.
pub fn is_unsolvable(board: &Board, goal: &Board) -> bool {
    let shape = board.shape();
    let mut rank: PerCell = smallvec![0; shape.cells()];
    let in_goal = goal.tiles().iter().filter(|tile| tile.label() != 0);
    for (place, tile) in in_goal.enumerate() {
        rank[tile.label()] = place;
    }
    let ranks: PerCell = board.tiles().iter().filter(|tile| tile.label() != 0).map(|tile| rank[tile.label()]).collect();
    if shape.rows() == 1 || shape.cols() == 1 {
        // Tiles never pass each other, so a board is unsolvable if its tiles are in another order.
        return ranks.windows(2).any(|pair| pair[0] > pair[1]);
    }
    let rows_between = (board.blank().index() / shape.cols()).abs_diff(goal.blank().index() / shape.cols());
    let carried = if shape.cols().is_multiple_of(2) { rows_between } else { 0 };
    (inversions(&ranks) + carried) % 2 == 1
}

/// Returns the number of inversions, which are pairs in the wrong order. For each rank, the larger
/// ranks before it are counted with a tree of partial sums (Fenwick 1994).
fn inversions(ranks: &[usize]) -> usize {
    let (mut tree, mut pairs): (PerCell, _) = (smallvec![0; ranks.len() + 1], 0);
    for (before, &rank) in ranks.iter().enumerate() {
        let (mut smaller, mut at) = (0, rank);
        while at > 0 {
            smaller += tree[at];
            at &= at - 1;
        }
        pairs += before - smaller;
        let mut at = rank + 1;
        while at < tree.len() {
            tree[at] += 1;
            at += at & at.wrapping_neg();
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::board::{Goal, Move, Shape, Tile, is_solvable};
    use crate::system::Random;

    /// Returns all boards that can be reached from a goal.
    fn reachable(goal: &Board) -> HashSet<Board> {
        let (mut reached, mut open) = (HashSet::from([goal.clone()]), vec![goal.clone()]);
        while let Some(board) = open.pop() {
            open.extend(
                Move::ALL.iter().filter_map(|&step| board.after(step)).filter(|next| reached.insert(next.clone())),
            );
        }
        reached
    }

    #[test]
    fn every_board_of_the_small_shapes_is_judged_right() {
        for (rows, cols) in [(2, 2), (2, 3), (3, 2), (1, 5), (5, 1), (2, 4)] {
            let shape = Shape::new(rows, cols).unwrap();
            for goal in [Goal::BlankLast, Goal::BlankFirst, Goal::Snail] {
                let goal = goal.on(shape).unwrap();
                let reachable = reachable(&goal);
                let mut tiles: Vec<usize> = (0..shape.cells()).collect();
                permutations(&mut tiles, 0, &mut |tiles| {
                    let tiles: Vec<Tile> = tiles.iter().map(|&label| Tile::new(label)).collect();
                    let board = Board::new(shape, &tiles).unwrap();
                    assert_eq!(is_unsolvable(&board, &goal), !reachable.contains(&board), "{board:?} to {goal:?}");
                });
            }
        }
    }

    fn permutations(items: &mut Vec<usize>, fixed: usize, visit: &mut impl FnMut(&[usize])) {
        if fixed == items.len() {
            return visit(items);
        }
        for i in fixed..items.len() {
            items.swap(fixed, i);
            permutations(items, fixed + 1, visit);
            items.swap(fixed, i);
        }
    }

    #[test]
    fn both_forms_agree_on_large_boards() {
        for (rows, cols) in [(4, 4), (5, 5), (3, 100), (100, 4), (255, 255)] {
            let shape = Shape::new(rows, cols).unwrap();
            let goal = Goal::Snail.on(shape).unwrap();
            let mut tiles: Vec<Tile> = Goal::BlankLast.on(shape).unwrap().tiles().to_vec();
            let mut random = Random::new(1);
            for round in 0..6 {
                random.shuffle(&mut tiles);
                let board = Board::new(shape, &tiles).unwrap();
                assert_eq!(is_unsolvable(&board, &goal), !is_solvable(&board, &goal), "{shape} {round}");
                let last = board.tiles().len() - 1;
                // Swapping two tiles changes the parity.
                if !board.tiles()[last - 1..].contains(&Tile::BLANK) {
                    tiles.swap(last, last - 1);
                    let other = Board::new(shape, &tiles).unwrap();
                    assert_ne!(is_unsolvable(&board, &goal), is_unsolvable(&other, &goal), "{shape} {round}");
                }
            }
        }
    }
}
