//! The independent checker, which replays a path with separate code for the moves.
//!
//! It shares no code with the engines, the frame or [`crate::board::Shape::neighbour`], so it does
//! not share their bugs. It proves that a path is legal and ends at the goal, but not that it is a
//! shortest one. The engines are responsible for that, and the tests check their paths against full
//! tables.

use crate::board::{Board, MAX_SEARCH_CELLS, Tile};

/// The reason that a path is not a solution.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Fault {
    /// The board and the goal have different shapes.
    #[error("the board and its goal have different shapes")]
    Shape,
    /// A move leads off the board, or its letter is invalid.
    #[error("move {at} ('{}') is not possible", char::from(*.letter).escape_debug())]
    Illegal {
        /// The number of the move, counted from 1.
        at: usize,
        /// Its letter.
        letter: u8,
    },
    /// The path is legal but ends elsewhere.
    #[error("the path ends on a board that is not the goal")]
    NotGoal,
}

/// Checks that the moves `letters` (`DLRU`, the blank's directions) lead from `board` to `goal`.
///
/// # Errors
/// The first fault found.
pub fn replay(board: &Board, goal: &Board, letters: &[u8]) -> Result<(), Fault> {
    if board.shape() != goal.shape() {
        return Err(Fault::Shape);
    }
    let tiles = board.tiles();
    if tiles.len() <= MAX_SEARCH_CELLS {
        let mut cells = [tiles[0]; MAX_SEARCH_CELLS];
        cells[..tiles.len()].copy_from_slice(tiles);
        replay_in(&mut cells[..tiles.len()], board, goal, letters)
    } else {
        replay_in(&mut tiles.to_vec(), board, goal, letters)
    }
}

/// By letter: the change of the blank's row and column; `None` for other characters.
///
/// This is a table and not a `match`, because the letters of a path are unpredictable: mispredicted
/// branches would cost more than everything else.
const STEPS: [Option<(i8, i8)>; 256] = {
    let mut steps = [None; 256];
    steps[b'U' as usize] = Some((-1, 0));
    steps[b'D' as usize] = Some((1, 0));
    steps[b'L' as usize] = Some((0, -1));
    steps[b'R' as usize] = Some((0, 1));
    steps
};

fn replay_in(cells: &mut [Tile], board: &Board, goal: &Board, letters: &[u8]) -> Result<(), Fault> {
    let (rows, cols) = (board.shape().rows(), board.shape().cols());
    let blank = walk(cells, (rows, cols), board.blank().index(), letters)?;
    cells[blank] = Tile::BLANK;
    if *cells == *goal.tiles() { Ok(()) } else { Err(Fault::NotGoal) }
}

/// Makes the moves on a board whose cells hold values of any type. `blank` is the blank's cell
/// before the moves. Returns the blank's cell after the moves. The value in the blank's cell is
/// irrelevant.
///
/// # Errors
/// The first move that is not possible.
#[inline]
pub fn walk<T: Copy>(
    cells: &mut [T],
    (rows, cols): (usize, usize),
    mut blank: usize,
    letters: &[u8],
) -> Result<usize, Fault> {
    let (mut row, mut col) = (blank / cols, blank % cols);
    for (i, &letter) in letters.iter().enumerate() {
        let illegal = Fault::Illegal { at: i + 1, letter };
        let Some((down, right)) = STEPS[usize::from(letter)] else { return Err(illegal) };
        // A step off the upper or left edge wraps around to a huge number, which is beyond the
        // opposite edge.
        row = row.wrapping_add_signed(isize::from(down));
        col = col.wrapping_add_signed(isize::from(right));
        if row >= rows || col >= cols {
            return Err(illegal);
        }
        // The tile moves into the blank's cell, whose value is never read.
        let next = row * cols + col;
        cells[blank] = cells[next];
        blank = next;
    }
    Ok(blank)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Shape};

    /// Paths on boards that are too large for the searches can be replayed too.
    #[test]
    fn paths_on_boards_of_any_size() {
        for (rows, cols, path) in [(7, 9, &b"ULDR"[..]), (1, 200, &b"LLLRR"[..])] {
            let shape = Shape::new(rows, cols).unwrap();
            let goal = Goal::BlankLast.on(shape).unwrap();
            let back: Vec<u8> =
                path.iter().rev().map(|letter| b"DURL"[b"UDLR".iter().position(|l| l == letter).unwrap()]).collect();
            let mut tiles = goal.tiles().to_vec();
            let blank = walk(&mut tiles, (rows, cols), goal.blank().index(), path).unwrap();
            tiles[blank] = Tile::BLANK;
            let start = Board::new(shape, &tiles).unwrap();
            assert_eq!(replay(&start, &goal, &back), Ok(()));
            assert_eq!(replay(&start, &goal, path), Err(Fault::NotGoal));
            assert_eq!(replay(&start, &goal, b"D"), Err(Fault::Illegal { at: 1, letter: b'D' }));
        }
    }

    #[test]
    fn accepts_solutions_and_reports_the_first_fault() {
        let shape = Shape::new(2, 3).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let start = Board::new(shape, &[1, 0, 2, 4, 5, 3].map(Tile::new)).unwrap();
        assert_eq!(replay(&start, &goal, b"RD"), Ok(()));
        assert_eq!(replay(&goal, &goal, b""), Ok(()));
        assert_eq!(replay(&start, &goal, b"R"), Err(Fault::NotGoal));
        assert_eq!(replay(&start, &goal, b""), Err(Fault::NotGoal));
        assert_eq!(replay(&start, &goal, b"U"), Err(Fault::Illegal { at: 1, letter: b'U' }));
        assert_eq!(replay(&start, &goal, b"RR"), Err(Fault::Illegal { at: 2, letter: b'R' }));
        assert_eq!(replay(&start, &goal, b"LL"), Err(Fault::Illegal { at: 2, letter: b'L' }));
        assert_eq!(replay(&start, &goal, b"DD"), Err(Fault::Illegal { at: 2, letter: b'D' }));
        assert_eq!(replay(&start, &goal, b"rD"), Err(Fault::Illegal { at: 1, letter: b'r' }));
        let other = Goal::BlankLast.on(shape.transposed()).unwrap();
        assert_eq!(replay(&start, &other, b"RD"), Err(Fault::Shape));
    }
}
