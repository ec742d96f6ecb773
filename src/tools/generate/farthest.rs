//! The boards known to be farthest from the goal.
//!
//! Shapes of up to ten cells, and boards of one row or column, are searched completely. For three
//! larger shapes `farthest.txt` lists known farthest boards and their origin, for the goal 1, 2, …
//! with the blank in the last corner.

use super::layers::{DistanceLayers, MAX_STATES};
use crate::board::frame::{Frame, Space};
use crate::board::{Board, Cell, Goal};

/// Returns the greatest distance of any board from a goal, if known, and the known boards at that
/// distance, in the order of their tiles.
pub fn farthest(goal: &Board) -> Option<(u16, Vec<Board>)> {
    let frame = Frame::new(goal)?;
    let space = frame.space();
    if space.shape.cells() <= crate::engine::lookup::MAX_INSTANT_CELLS || space.shape.is_line() {
        let layers = DistanceLayers::search(space, &(0..=u16::MAX), MAX_STATES)?;
        let (distance, states) = layers.last();
        return Some((distance, sorted_unique(states.map(|state| frame.board(&state)).collect())));
    }
    let (distance, boards) = stored(space)?;
    // The frame of the default goal maps the stored boards to states. The frame of `goal` maps the
    // states to boards of `goal`: both frames have the same shape and the goal's blank in the same
    // cell.
    let default_goal = Goal::BlankLast.on(space.shape).ok()?;
    let default_frame = Frame::new(&default_goal)?;
    let boards = boards.iter().filter_map(|board| Some(frame.board(default_frame.admit(board)?.state())));
    Some((distance, sorted_unique(boards.collect())))
}

fn sorted_unique(mut boards: Vec<Board>) -> Vec<Board> {
    boards.sort_unstable_by(|a, b| a.tiles().cmp(b.tiles()));
    boards.dedup();
    boards
}

/// Returns the stored boards with their distances.
fn all_stored() -> impl Iterator<Item = (u16, Board)> {
    let read = |line: &str| {
        let (distance, board) = line.split_once(' ')?;
        Some((distance.parse().ok()?, board.parse().ok()?))
    };
    include_str!("farthest.txt").lines().filter_map(read)
}

/// Returns the boards stored for the shape of `space`, and their distance. `None` if there are
/// none, or if the goal's blank is not in the last corner: the stored boards are for goals with
/// their blank there.
fn stored(space: &Space) -> Option<(u16, Vec<Board>)> {
    if space.goal_blank != Cell::new(space.shape.cells() - 1) {
        return None;
    }
    let (distances, boards): (Vec<u16>, Vec<Board>) =
        all_stored().filter(|(_, board)| board.shape() == space.shape).unzip();
    Some((*distances.first()?, boards))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Shape;

    fn farthest_on(rows: usize, cols: usize, goal: &str) -> Option<(u16, Vec<Board>)> {
        farthest(&goal.parse::<Goal>().unwrap().on(Shape::new(rows, cols).unwrap()).unwrap())
    }

    #[test]
    fn small_shapes_have_the_published_boards() {
        let count = |rows, cols, goal| farthest_on(rows, cols, goal).map(|(distance, boards)| (distance, boards.len()));
        assert_eq!(count(3, 3, "blank-last"), Some((31, 2)));
        assert_eq!(count(3, 3, "snail"), Some((30, 148)));
        assert_eq!((count(2, 2, "blank-first"), count(4, 2, "blank-last")), (Some((6, 1)), Some((36, 1))));
        assert_eq!((count(1, 5, "blank-last"), count(5, 5, "blank-last")), (Some((4, 1)), None));
        assert_eq!((count(1, 25, "blank-first"), count(26, 1, "blank-last")), (Some((24, 1)), None));
        // If the goal has its blank in the middle of a line, both ends are equally far.
        assert_eq!((count(1, 5, "1,2,0,3,4"), count(1, 1, "0")), (Some((2, 2)), Some((0, 1))));
        let (_, boards) = farthest_on(3, 3, "blank-last").unwrap();
        // The two boards of 31 moves, as published: 8 6 7/2 5 4/3 0 1 and 6 4 7/8 5 0/3 2 1.
        assert_eq!(boards.iter().map(Board::to_string).collect::<Vec<_>>(), ["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"]);
    }

    #[test]
    fn every_stored_board_is_read() {
        let boards = |shape: &str| all_stored().filter(|(_, board)| board.shape() == shape.parse().unwrap()).count();
        assert_eq!((boards("4x4"), boards("3x4"), boards("2x6")), (6, 18, 2));
        let (distance, boards) = farthest_on(4, 4, "blank-last").unwrap();
        assert_eq!((distance, boards.len()), (80, 6));
        // The reflections of the 4×4 boards are stored, too.
        let reflections =
            crate::board::Reflections::of(&"blank-last".parse::<Goal>().unwrap().on(boards[0].shape()).unwrap());
        assert!(boards.iter().flat_map(|board| reflections.each(board)).all(|board| boards.contains(&board)));
    }

    #[test]
    #[ignore = "solves the farthest boards: a few seconds in a release build; run by scripts/cross-check"]
    fn stored_boards_have_the_stored_distance() {
        let solver = crate::solver::Solver::builder().threads(2).memory(2 << 30).build().unwrap();
        let distances = crate::tools::generate::distance::DistanceSolver::new(&solver);
        for (shape, distance) in [("4x4", 80), ("3x4", 53), ("2x6", 80)] {
            for goal in ["blank-last", "blank-first"] {
                let goal = goal.parse::<Goal>().unwrap().on(shape.parse().unwrap()).unwrap();
                let (found, boards) = farthest(&goal).unwrap();
                assert_eq!(found, distance);
                for board in boards {
                    assert_eq!(distances.moves(&board, &goal).unwrap(), distance, "{board}");
                }
            }
        }
    }

    /// Solves every state of 3×4 and 2×6 with the full table. The farthest boards are the stored
    /// ones, and their number matches the published distributions.
    #[test]
    #[ignore = "solves all 239,500,800 states of two shapes: a few minutes; run by scripts/cross-check"]
    fn the_stored_boards_of_12_cells_are_complete() {
        use crate::board::{Path, Ranking, Solvable};
        use crate::engine::full_table::Table;
        use rayon::prelude::*;
        for (rows, cols, published) in [(3, 4, 18), (2, 6, 2)] {
            let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
            let frame = Frame::new(&goal).unwrap();
            let space = frame.space();
            let table = Table::build(space, 2, &std::sync::atomic::AtomicBool::new(false)).unwrap();
            let ranking = Ranking::new(space.shape, space.goal_blank).unwrap();
            let farthest = table.levels().len() - 1;
            const AT_A_TIME: usize = 4096;
            let found: std::collections::BTreeSet<String> = (0..ranking.states().div_ceil(AT_A_TIME))
                .into_par_iter()
                .flat_map_iter(|part| {
                    let ranks = part * AT_A_TIME..((part + 1) * AT_A_TIME).min(ranking.states());
                    let states: Vec<_> = ranks.map(|rank| ranking.unrank(rank)).collect();
                    let solvable = |&state| Solvable::check(state, space.shape, space.goal_blank).unwrap();
                    let starts: Vec<_> = states.iter().map(|state| table.start(&solvable(state))).collect();
                    let mut paths = vec![Path::new(); starts.len()];
                    table.solve_all(&starts, &mut paths);
                    let solved = states.into_iter().zip(paths).filter(|(_, path)| path.len() == farthest);
                    solved.map(|(state, _)| frame.board(&state).to_string()).collect::<Vec<_>>()
                })
                .collect();
            for board in &found {
                println!("{rows}x{cols} {farthest}: {board}");
            }
            assert_eq!(found.len(), published, "{rows}x{cols}");
            let (distance, boards) = stored(space).unwrap();
            assert_eq!(usize::from(distance), farthest);
            assert_eq!(boards.iter().map(Board::to_string).collect::<std::collections::BTreeSet<_>>(), found);
        }
    }
}
