//! The independent checker replays every path. The boards are random ones, all boards of the
//! smallest shapes, and boards that are hard for line-by-line construction.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use super::{PartialSolution, Rest, begin, construct};
use crate::board::frame::Frame;
use crate::board::replay::replay;
use crate::board::{Board, Goal, Move, Path, Ranking, Shape, is_solvable};
use crate::engine::test_support::{Reference, board_of, random_board};
use crate::system::Random;

/// Returns the length of the path, after checking that it leads to the goal.
#[track_caller]
fn check_path(board: &Board, goal: &Board) -> usize {
    let path = construct(board, goal, &AtomicBool::new(false)).unwrap();
    assert_eq!(replay(board, goal, path.letters()), Ok(()), "{board} to {goal}");
    assert!(path.letters().windows(2).all(|pair| !matches!(pair, b"UD" | b"DU" | b"LR" | b"RL")), "{board} to {goal}");
    path.len()
}

#[test]
fn every_shape_up_to_12_from_random_boards_to_random_goals() {
    let mut random = Random::new(1);
    for rows in 2..=12 {
        for cols in 2..=12 {
            let shape = Shape::new(rows, cols).unwrap();
            for _ in 0..4 {
                let goal = board_of(shape, &random.permutation(shape.cells()));
                check_path(&random_board(shape, &goal, &mut random), &goal);
                let usual = Goal::BlankLast.on(shape).unwrap();
                check_path(&random_board(shape, &usual, &mut random), &usual);
            }
        }
    }
}

#[test]
fn narrow_shapes_of_any_length() {
    let mut random = Random::new(2);
    let narrow = |side: usize| [(2, side), (side, 2), (3, side), (side, 3)];
    for (rows, cols) in [13, 14, 37, 64, 101].into_iter().flat_map(narrow).chain([(2, 255), (255, 3)]) {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = board_of(shape, &random.permutation(shape.cells()));
        check_path(&random_board(shape, &goal, &mut random), &goal);
        if rows.max(cols) < 255 {
            let usual = Goal::BlankFirst.on(shape).unwrap();
            check_path(&random_board(shape, &usual, &mut random), &usual);
        }
    }
}

/// Every board from which a goal can be reached, for goals with the blank in every cell (on eight
/// cells: in two of them).
#[test]
fn all_boards_of_the_smallest_shapes() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)] {
        let shape = Shape::new(rows, cols).unwrap();
        let blanks = if shape.cells() < 8 { vec![0, 1, 2, 3, 4, 5] } else { vec![0, 5] };
        for blank in blanks.into_iter().filter(|&blank| blank < shape.cells()) {
            let mut labels: Vec<usize> = (1..shape.cells()).collect();
            labels.insert(blank, 0);
            let goal = board_of(shape, &labels);
            let mut seen = HashSet::from([goal.clone()]);
            let mut unexpanded = vec![goal.clone()];
            while let Some(board) = unexpanded.pop() {
                check_path(&board, &goal);
                for next in Move::ALL.into_iter().filter_map(|step| board.after(step)) {
                    if seen.insert(next.clone()) {
                        unexpanded.push(next);
                    }
                }
            }
            assert_eq!(seen.len(), (1..=shape.cells()).product::<usize>() / 2);
        }
    }
}

/// For boards so small that the whole board is the last block, the path is the canonical shortest
/// one.
#[test]
fn the_last_block_has_the_canonical_path() {
    let (mut random, mut expected) = (Random::new(4), Path::new());
    for (rows, cols) in [(2, 3), (3, 2), (3, 3)] {
        let shape = Shape::new(rows, cols).unwrap();
        for goal in [Goal::BlankLast.on(shape).unwrap(), board_of(shape, &random.permutation(shape.cells()))] {
            let frame = Frame::new(&goal).unwrap();
            let reference = Reference::build(frame.space()).unwrap();
            let ranking = Ranking::new(frame.space().shape, frame.space().goal_blank).unwrap();
            for rank in (0..ranking.states()).step_by(50) {
                let board = frame.board(&ranking.unrank(rank));
                reference.solve(&frame.admit(&board).unwrap(), &mut expected);
                let path = construct(&board, &goal, &AtomicBool::new(false)).unwrap();
                assert_eq!(path, expected, "{board} to {goal}");
            }
        }
    }
}

/// In each of the four corners in turn, two tiles at the end of a line are exchanged, or three
/// tiles are cycled. Then the blank changes places with the tile in each cell in turn. All other
/// tiles are in place.
#[test]
fn exchanged_and_cycled_corners() {
    for (rows, cols) in [(4, 4), (5, 4), (4, 5), (6, 6), (2, 7), (7, 2), (3, 8)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let cells = shape.cells();
        let corners = [
            [0, 1, cols],
            [cols - 1, cols - 2, 2 * cols - 1],
            [cells - cols, cells - cols + 1, cells - 2 * cols],
            [cells - 2, cells - 3, cells - 2 - cols],
        ];
        for corner in corners {
            for blank in 0..cells {
                for exchanged in [&corner[..2], &corner[1..], &corner[..]] {
                    let mut labels: Vec<usize> = (1..cells).collect();
                    labels.push(0);
                    labels.swap(exchanged[0], exchanged[1]);
                    if exchanged.len() == 3 {
                        labels.swap(exchanged[1], exchanged[2]);
                    }
                    labels.swap(blank, cells - 1);
                    let board = board_of(shape, &labels);
                    if is_solvable(&board, &goal) {
                        check_path(&board, &goal);
                    }
                }
            }
        }
    }
}

/// Random boards have paths about as short as when the method was written (6 × 6: 2.77 times the
/// Manhattan distance), and the goal needs no moves.
#[test]
fn paths_are_no_longer_than_measured() {
    for (side, boards, max_ratio) in [(4, 400, 2.4), (6, 200, 2.9), (10, 100, 3.0), (30, 5, 3.0)] {
        let shape = Shape::new(side, side).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let mut random = Random::new(1);
        let (mut moves, mut distances) = (0, 0);
        for _ in 0..boards {
            let board = random_board(shape, &goal, &mut random);
            moves += check_path(&board, &goal);
            distances += board.manhattan_distance(&goal);
        }
        assert!(moves as f64 <= max_ratio * distances as f64, "{shape}: {moves} moves, distances {distances}");
        assert_eq!(check_path(&goal, &goal), 0);
    }
}

#[test]
fn a_stop_ends_the_construction() {
    let shape = Shape::new(40, 40).unwrap();
    let goal = Goal::BlankLast.on(shape).unwrap();
    let board = random_board(shape, &goal, &mut Random::new(1));
    assert_eq!(construct(&board, &goal, &AtomicBool::new(true)), None);
}

/// The beginning and a path of the remaining block together are a path of the whole board.
#[test]
fn the_remaining_block_can_be_solved_separately() {
    let (mut random, stop) = (Random::new(3), AtomicBool::new(false));
    for (rows, cols) in [(5, 9), (2, 31), (31, 3), (8, 8), (12, 7)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goals = [Goal::BlankLast.on(shape).unwrap(), board_of(shape, &random.permutation(shape.cells()))];
        for goal in goals {
            let board = random_board(shape, &goal, &mut random);
            for max_cells in [shape.cells(), 40, 17] {
                let PartialSolution { path, block, block_goal } = begin(&board, &goal, max_cells, &stop).unwrap();
                let rest = (block.shape(), block_goal.blank());
                let expected = Rest::after(shape, goal.blank(), max_cells);
                assert_eq!((expected.shape(), expected.goal_blank()), rest, "{shape} {max_cells}");
                assert!(block.shape().cells() <= max_cells && is_solvable(&block, &block_goal));
                assert!(max_cells < shape.cells() || path.is_empty());
                let end = construct(&block, &block_goal, &stop).unwrap();
                let whole = [path.letters(), end.letters()].concat();
                assert_eq!(replay(&board, &goal, &whole), Ok(()), "{shape} {max_cells}");
            }
        }
    }
    let goal = Goal::BlankLast.on(Shape::new(9, 9).unwrap()).unwrap();
    let board = random_board(goal.shape(), &goal, &mut random);
    assert!(begin(&board, &goal, 16, &AtomicBool::new(true)).is_none());
}
