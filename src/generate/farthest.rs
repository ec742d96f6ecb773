//! The boards that are farthest from the goal, as far as they are known.
//!
//! Shapes of up to ten cells are searched whole. Of larger ones those that full searches found are kept here, all or some
//! of them, for the goal 1, 2, … with the blank in the last corner. 4×4: four of the seventeen boards of 80
//! moves (A. Brüngger, A. Marzetta, K. Fukuda, J. Nievergelt 1999 found that there is no farther one), and their
//! reflections. 3×4 and 2×6: all there are, found here by climbing in the full table; their numbers
//! are those of the published distributions (logs of SlidingTilesSolver by lightln2, 2022).

use super::pool::Pool;
use super::uniform::renamed;
use crate::board::{Board, Cell, GoalSpec, Shape};
use crate::frame::{Frame, Space};

/// The farthest boards that are kept of a shape.
struct Kept {
    shape: (usize, usize),
    distance: u16,
    /// What stands in the cells, row by row.
    boards: &'static [&'static [usize]],
}

const KNOWN: &[Kept] = &[Kept {
    shape: (4, 4),
    distance: 80,
    boards: &[
        &[0, 12, 9, 13, 15, 11, 10, 14, 3, 7, 2, 5, 4, 8, 6, 1],
        &[0, 12, 10, 13, 15, 11, 14, 9, 3, 7, 2, 5, 4, 8, 6, 1],
        &[0, 11, 9, 13, 12, 15, 10, 14, 3, 7, 6, 2, 4, 8, 5, 1],
        &[0, 15, 9, 13, 11, 12, 10, 14, 3, 7, 6, 2, 4, 8, 5, 1],
    ],
}];

/// The most states that are held of shapes that are searched whole: all of ten cells.
const MOST: usize = 10 * 9 * 8 * 7 * 6 * 5 * 4 * 3 + 1;

/// The farthest boards from a goal, in the order of their tiles, and how far they are.
pub fn farthest(goal: &Board) -> Option<(u16, Vec<Board>)> {
    let frame = Frame::new(goal)?;
    let space = frame.space();
    if goal.shape().is_line() || space.shape.cells() <= crate::engine::lookup::MAX_CELLS {
        let pool = Pool::search(space, &(0..=u16::MAX), MOST).ok()?;
        let (distance, states) = pool.last();
        return Some((distance, sorted(states.map(|state| frame.board(&state)).collect())));
    }
    let (distance, boards) = known(space)?;
    // Boards of the frame's usual goal are states in any frame that shares its space but for the letters.
    let usual = GoalSpec::BlankLast.on(space.shape).ok()?;
    let usual = Frame::new(&usual)?;
    let boards = boards.iter().filter_map(|board| Some(frame.board(usual.admit(board)?.state())));
    Some((distance, sorted(boards.collect())))
}

fn sorted(mut boards: Vec<Board>) -> Vec<Board> {
    boards.sort_unstable_by(|a, b| a.tiles().cmp(b.tiles()));
    boards.dedup();
    boards
}

/// Those kept here, of the usual goal of a space's shape, with their reflections.
fn known(space: &Space) -> Option<(u16, Vec<Board>)> {
    let shape = space.shape;
    if space.goal_blank != Cell::new(shape.cells() - 1) {
        return None;
    }
    let &Kept { distance, boards, .. } =
        KNOWN.iter().find(|kept| Shape::new(kept.shape.0, kept.shape.1) == Some(shape))?;
    let goal = GoalSpec::BlankLast.on(shape).ok()?;
    let mut all = Vec::new();
    for labels in boards {
        let board = Board::new(shape, &labels.iter().copied().map(crate::board::Tile::new).collect::<Vec<_>>()).ok()?;
        if shape.rows() == shape.cols() {
            let transposed: Vec<Cell> =
                (0..shape.cells()).map(Cell::new).map(|cell| shape.cell(shape.col(cell), shape.row(cell))).collect();
            all.push(renamed(&board, &goal, &transposed));
        }
        all.push(board);
    }
    Some((distance, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rows: usize, cols: usize, goal: &str) -> Option<(u16, Vec<Board>)> {
        farthest(&goal.parse::<GoalSpec>().unwrap().on(Shape::new(rows, cols).unwrap()).unwrap())
    }

    #[test]
    fn small_shapes_have_the_published_ones() {
        let count = |rows, cols, goal| of(rows, cols, goal).map(|(distance, boards)| (distance, boards.len()));
        assert_eq!(count(3, 3, "blank-last"), Some((31, 2)));
        assert_eq!(count(3, 3, "snail"), Some((30, 148)));
        assert_eq!((count(2, 2, "blank-first"), count(4, 2, "blank-last")), (Some((6, 1)), Some((36, 1))));
        assert_eq!((count(1, 5, "blank-last"), count(5, 5, "blank-last")), (Some((4, 1)), None));
        let (_, boards) = of(3, 3, "blank-last").unwrap();
        // The two boards of 31 moves, as published: 8 6 7/2 5 4/3 0 1 and 6 4 7/8 5 0/3 2 1.
        assert_eq!(boards.iter().map(Board::to_string).collect::<Vec<_>>(), ["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"]);
    }

    /// What is kept is as far as it is said to be.
    #[test]
    #[ignore = "solves the farthest boards: some seconds in a release build"]
    fn known_boards_are_as_far() {
        let solvers = crate::solver::Solvers::new(Default::default(), 2, 2 << 30);
        for &Kept { shape: (rows, cols), distance, .. } in KNOWN {
            for goal in ["blank-last", "blank-first"] {
                let goal = goal.parse::<GoalSpec>().unwrap().on(Shape::new(rows, cols).unwrap()).unwrap();
                let (told, boards) = farthest(&goal).unwrap();
                assert_eq!(told, distance);
                for board in boards {
                    let path = crate::desk::Desk::default().unlimited(&solvers, &board, &goal).unwrap().unwrap();
                    assert_eq!(path.len(), usize::from(distance), "{board}");
                }
            }
        }
    }

    /// 3×4 and 2×6: climbing in the full table, from random boards to neighbours that are farther, finds as many as the
    /// published distributions have, and they are those that are kept.
    #[test]
    #[ignore = "builds full tables of 12 cells and climbs in them: a minute"]
    fn kept_boards_of_12_cells_are_all_there_are() {
        use crate::engine::descent::Table;
        use crate::generate::{
            random::Draw,
            uniform::{Kind, of_kind},
        };
        for (rows, cols, published) in [(3, 4, 18), (2, 6, 2)] {
            let goal = GoalSpec::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
            let frame = Frame::new(&goal).unwrap();
            let table = Table::build(frame.space(), 2, &std::sync::atomic::AtomicBool::new(false)).unwrap();
            let mut path = crate::board::Path::new();
            let mut moves = |board: &Board| {
                table.solve(&frame.admit(board).unwrap(), &mut path);
                path.len()
            };
            let farthest = table.levels().len() - 1;
            let mut found = std::collections::BTreeSet::new();
            for number in 0..400_000 {
                let mut board = of_kind(Kind::Solvable, &goal, &mut Draw::new(12, number));
                let mut at = moves(&board);
                while let Some((next, farther)) = crate::board::Move::ALL
                    .into_iter()
                    .filter_map(|step| board.after(step))
                    .map(|next| (moves(&next), next))
                    .find(|&(farther, _)| farther > at)
                    .map(|(farther, next)| (next, farther))
                {
                    (board, at) = (next, farther);
                }
                if at == farthest {
                    found.insert(board.to_string());
                }
            }
            for board in &found {
                println!("{rows}x{cols} {farthest}: {board}");
            }
            assert_eq!(found.len(), published, "{rows}x{cols}");
            let kept = known(frame.space()).unwrap();
            assert_eq!(usize::from(kept.0), farthest);
            assert_eq!(kept.1.iter().map(Board::to_string).collect::<std::collections::BTreeSet<_>>(), found);
        }
    }
}
