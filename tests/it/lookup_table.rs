//! The tables of small shapes (the tables of paths up to 3×3, and the full tables of 2×4 and 2×5),
//! compared with the oracle and with published distributions. The oracle checks every board of the
//! shapes with 4 to 8 cells in two or more rows and columns, every 3×3 board for one goal, and
//! every 29th 3×3 board for six other goals.

use crate::common::shuffled;
use std::sync::atomic::AtomicBool;
use taquin::internal::board::frame::{Frame, Space};
use taquin::internal::board::replay::replay;
use taquin::internal::engine::full_table;
use taquin::internal::engine::lookup::Table;
use taquin::{Board, Path, Shape, Tile};
use taquin_oracle::{Oracle, blank_in, every_board, published};

fn board(shape: Shape, labels: &[u8]) -> Board {
    let tiles: Vec<Tile> = labels.iter().map(|&label| Tile::new(usize::from(label))).collect();
    Board::new(shape, &tiles).unwrap()
}

/// Builds the table of paths or the full table, whichever exists for the shape.
fn tables(space: &Space) -> (Option<Table>, Option<full_table::Table>) {
    let table = Table::new(space);
    let has_full = matches!(space.shape.cells(), 8 | 10);
    assert_eq!((table.is_some(), full_table::is_for(space.shape)), (!has_full, has_full), "{}", space.shape);
    (table, has_full.then(|| full_table::Table::build(space, 1, &AtomicBool::new(false)).unwrap()))
}

/// Checks solvability, length and canonical path of all boards with this goal.
fn check_table(rows: usize, cols: usize, goal: &[u8]) {
    check_every_nth_board(1, rows, cols, goal);
}

/// Checks every `step`-th board like [`check_table`], in the order of [`every_board`].
fn check_every_nth_board(step: usize, rows: usize, cols: usize, goal: &[u8]) {
    let shape = Shape::new(rows, cols).unwrap();
    let oracle = Oracle::new(rows, cols, goal);
    let goal = board(shape, goal);
    let frame = Frame::new(&goal).unwrap();
    let (table, full) = tables(frame.space());
    let (mut solved, mut unsolvable, mut number) = (0usize, 0usize, 0usize);
    every_board(shape.cells(), &mut |labels| {
        number += 1;
        if !number.is_multiple_of(step) {
            return;
        }
        let board = board(shape, labels);
        match (oracle.path(labels), frame.admit(&board)) {
            (Some(expected), Some(start)) => {
                let mut path = Path::new();
                if let Some(table) = &table {
                    table.solve(&start, &mut path);
                    assert_eq!(Some(path.len()), oracle.distance(labels).map(usize::from), "{board:?} to {goal:?}");
                    assert_eq!(path.letters(), expected, "{board:?} to {goal:?}");
                }
                if let Some(full) = &full {
                    full.solve(&start, &mut path);
                    assert_eq!(path.letters(), expected, "{board:?} to {goal:?}");
                }
                solved += 1;
            }
            (None, None) => unsolvable += 1,
            (expected, _) => panic!("{board:?} to {goal:?}: the oracle says {expected:?}"),
        }
    });
    assert_eq!(number, (1..=shape.cells()).product::<usize>());
    assert_eq!(solved + unsolvable, number / step);
    if step == 1 {
        assert_eq!((solved, unsolvable), (oracle.board_count(), solved), "half of all boards are solvable");
    }
}

/// Boards that agree in their first cells form blocks of k!. 29 divides none of these numbers, so
/// the boards chosen are at different places of the blocks.
#[test]
fn every_29th_board_with_the_goals_blank_in_a_corner_at_an_edge_or_inside() {
    for cell in [0, 2, 3, 4, 7, 8] {
        check_every_nth_board(29, 3, 3, &blank_in(cell, 9));
    }
}

#[test]
fn every_board_with_a_random_goal() {
    check_table(3, 3, &shuffled(9, 1879));
}

/// Different symmetries map wide and tall shapes, and goals with the blank in different cells, to
/// their canonical frames ([`Frame`]).
#[test]
fn every_board_of_small_shapes_and_many_goals() {
    for (rows, cols) in [(2, 2), (2, 3), (3, 2)] {
        let n = rows * cols;
        for cell in 0..n {
            check_table(rows, cols, &blank_in(cell, n));
        }
        check_table(rows, cols, &shuffled(n, 5));
    }
    for (rows, cols, cell) in [(2, 4, 7), (4, 2, 0), (4, 2, 3), (2, 4, 2)] {
        check_table(rows, cols, &blank_in(cell, 8));
    }
}

/// The numbers of boards at each distance, with the goal's blank in a corner and, for 3×3, also in
/// the centre. Every 101st path is replayed. 2×5 has too many boards to solve, so only the numbers
/// in its full table are compared.
#[test]
fn distributions_are_as_published() {
    let cases = [
        ("2x2 corner", 2, 2, 3),
        ("2x3 corner", 2, 3, 5),
        ("2x4 corner", 2, 4, 7),
        ("2x5 corner", 2, 5, 9),
        ("3x3 corner", 3, 3, 8),
        ("3x3 inside", 3, 3, 4),
    ];
    for (name, rows, cols, cell) in cases {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = board(shape, &blank_in(cell, shape.cells()));
        let frame = Frame::new(&goal).unwrap();
        let (expected, (table, full)) = (published(name), tables(frame.space()));
        if let Some(full) = full {
            assert_eq!(full.levels(), expected, "{name}");
        }
        let Some(table) = table else { continue };
        let mut counts = vec![0u64; expected.len()];
        let mut visited = 0u64;
        every_board(shape.cells(), &mut |labels| {
            let board = board(shape, labels);
            let Some(start) = frame.admit(&board) else { return };
            let mut path = Path::new();
            table.solve(&start, &mut path);
            assert!(path.len() < counts.len(), "{name}: {board:?} took {} moves", path.len());
            counts[path.len()] += 1;
            visited += 1;
            if visited.is_multiple_of(101) {
                assert_eq!(replay(&board, &goal, path.letters()), Ok(()), "{name}: {board:?}");
            }
        });
        assert_eq!(counts, expected, "{name}");
    }
}
