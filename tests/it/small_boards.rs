//! The parity check, compared with brute force. For every small shape, the oracle finds the boards
//! that can reach the goal, and the check must agree on every board.

use crate::common::shuffled;
use taquin::internal::board::frame::Frame;
use taquin::internal::board::is_solvable;
use taquin::{Board, Shape, Tile};
use taquin_oracle::{Oracle, blank_in, every_board, published};

fn board(shape: Shape, labels: &[u8]) -> Board {
    let tiles: Vec<Tile> = labels.iter().map(|&label| Tile::new(usize::from(label))).collect();
    Board::new(shape, &tiles).unwrap()
}

/// Checks [`is_solvable`] and [`Frame::admit`] on all boards of a shape.
fn check_parity(rows: usize, cols: usize, goal: &[u8]) {
    let shape = Shape::new(rows, cols).unwrap();
    let oracle = Oracle::new(rows, cols, goal);
    let goal = board(shape, goal);
    let frame = Frame::new(&goal).unwrap();
    let mut solvable = 0;
    every_board(shape.cells(), &mut |labels| {
        let board = board(shape, labels);
        let reachable = oracle.distance(labels).is_some();
        assert_eq!(is_solvable(&board, &goal), reachable, "{board:?} to {goal:?}");
        assert_eq!(frame.admit(&board).is_some(), reachable, "{board:?} in the frame of {goal:?}");
        solvable += usize::from(reachable);
    });
    assert_eq!(solvable, oracle.board_count());
}

#[test]
fn parity_decides_reachability_on_every_small_board() {
    let shapes = [
        (1, 1),
        (1, 2),
        (2, 1),
        (1, 3),
        (3, 1),
        (1, 4),
        (4, 1),
        (1, 5),
        (5, 1),
        (1, 6),
        (6, 1),
        (2, 2),
        (2, 3),
        (3, 2),
        (2, 4),
        (4, 2),
        (3, 3),
    ];
    for (rows, cols) in shapes {
        let n = rows * cols;
        let goals = [shuffled(n, 7 * rows as u64 + cols as u64), blank_in(n - 1, n), blank_in(0, n)];
        // 3×3 is checked with one goal only, because it has nine times as many boards as 2×4.
        for goal in &goals[..if n < 9 { 3 } else { 1 }] {
            check_parity(rows, cols, goal);
        }
    }
}

#[test]
fn the_oracle_agrees_with_published_distributions() {
    for (name, rows, cols, cell) in [
        ("2x2 corner", 2, 2, 3),
        ("2x3 corner", 2, 3, 5),
        ("2x4 corner", 2, 4, 7),
        ("3x3 corner", 3, 3, 8),
        ("3x3 edge", 3, 3, 7),
        ("3x3 inside", 3, 3, 4),
    ] {
        let oracle = Oracle::new(rows, cols, &blank_in(cell, rows * cols));
        assert_eq!(oracle.distribution(), published(name), "{name}");
    }
}

/// The published paths of HDU 3567, whose judge requires the alphabetically first shortest path.
#[test]
fn the_oracle_agrees_with_a_judge() {
    let first = Oracle::new(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
    assert_eq!(first.path(&[1, 2, 0, 4, 5, 3, 7, 8, 6]).as_deref(), Some(&b"DD"[..]));
    let second = Oracle::new(3, 3, &[7, 5, 6, 8, 0, 4, 1, 2, 3]);
    assert_eq!(second.path(&[5, 6, 4, 1, 7, 8, 0, 2, 3]).as_deref(), Some(&b"URRULLDR"[..]));
    assert_eq!(second.path(&[6, 5, 4, 1, 7, 8, 0, 2, 3]), None);
}
