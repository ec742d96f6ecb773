//! The full tables of 12-cell boards, compared with published distributions and with IDA*.

use std::sync::atomic::AtomicBool;

use crate::common::shuffled;
use taquin::internal::board::Solvable;
use taquin::internal::board::frame::Frame;
use taquin::internal::board::replay::replay;
use taquin::internal::engine::full_table::{Start, Table};
use taquin::internal::heuristic::lower_bound;
use taquin::{Board, EngineKind, Goal, HeuristicKind, Path, Shape, Solver, Tile};
use taquin_oracle::{blank_in, published};

static NO_STOP: AtomicBool = AtomicBool::new(false);

fn board(rows: usize, cols: usize, labels: &[u8]) -> Board {
    let tiles: Vec<Tile> = labels.iter().map(|&label| Tile::new(usize::from(label))).collect();
    Board::new(Shape::new(rows, cols).unwrap(), &tiles).unwrap()
}

/// Returns random solvable boards.
fn boards(frame: &Frame, count: usize, seed: u64) -> Vec<(Board, Solvable)> {
    let shape = frame.goal().shape();
    let candidate = |seed: u64| board(shape.rows(), shape.cols(), &shuffled(12, seed.wrapping_mul(0x9e37_79b9)));
    (seed..)
        .map(candidate)
        .filter_map(|board| Some((frame.admit(&board)?, board)))
        .map(|(start, board)| (board, start))
        .take(count)
        .collect()
}

/// Checks that every path is legal, and equal to the path that IDA* finds with pattern databases.
fn check_against_idastar(table: &Table, frame: &Frame, boards: &[(Board, Solvable)]) {
    let solver = Solver::builder().threads(2).memory(1 << 30).engine(EngineKind::IdaStar);
    let solver = solver.heuristic("6-5".parse().unwrap()).build().unwrap();
    let plan = solver.plan(frame.goal());
    assert_eq!((plan.engine, plan.heuristic), (EngineKind::IdaStar, Some(HeuristicKind::Patterns)));
    let (mut worker, goal) = (solver.worker(), frame.goal().to_string().parse::<Goal>().unwrap());
    let starts: Vec<Start> = boards.iter().map(|(_, start)| table.start(start)).collect();
    let mut paths = vec![Path::new(); boards.len()];
    table.solve_all(&starts, &mut paths);
    let mut single = Path::new();
    for ((board, start), path) in boards.iter().zip(paths) {
        assert_eq!(replay(board, frame.goal(), path.letters()), Ok(()), "{board:?}");
        table.solve(start, &mut single);
        assert_eq!(single, path, "{board:?}");
        let answer = worker.solve(board, &goal).unwrap();
        let solution = answer.solution().unwrap();
        assert!(solution.is_optimal());
        assert_eq!(solution.path, path, "{board:?} to {goal}");
    }
}

/// The number of states at each distance is as published (lightln2, SlidingTilesSolver, 2022).
/// Either shape has 239,500,800 states.
fn check_distribution(name: &str, rows: usize, cols: usize, threads: usize) {
    let frame = Frame::new(&board(rows, cols, &blank_in(11, 12))).unwrap();
    let table = Table::build(frame.space(), threads, &NO_STOP).unwrap();
    assert_eq!(table.levels(), published(name), "{name}");
    assert!(table.bytes() <= 80_000_000, "{name}: {} bytes", table.bytes());
    let shape = frame.space().shape;
    assert!((Table::bytes_of(shape)..=Table::footprint(shape, threads).kept).contains(&table.bytes()));
    check_against_idastar(&table, &frame, &boards(&frame, 10, 7));
    check_bounds(&table, &frame, &boards(&frame, 2_000, 3));
}

#[test]
fn the_distribution_of_3x4_is_as_published() {
    check_distribution("3x4 corner", 3, 4, 2);
}

#[test]
#[ignore = "builds a table of 12 cells: run by scripts/cross-check"]
fn the_distribution_of_2x6_is_as_published() {
    check_distribution("2x6 corner", 2, 6, 1);
}

/// Checks that the result of `lower_bound`, which accepts boards of any size, is at most the
/// distance and has the same parity.
fn check_bounds(table: &Table, frame: &Frame, boards: &[(Board, Solvable)]) {
    let starts: Vec<Start> = boards.iter().map(|(_, start)| table.start(start)).collect();
    let mut paths = vec![Path::new(); boards.len()];
    table.solve_all(&starts, &mut paths);
    for ((board, _), path) in boards.iter().zip(paths) {
        let (bound, moves) = (lower_bound(board, frame.goal()), path.len() as u64);
        assert!(bound <= moves && (moves - bound).is_multiple_of(2), "{board:?}: {bound} of {moves}");
    }
}

/// Checks boards of a goal with the blank in `target`. The canonical frame ([`Frame`]) of the goal
/// transposes or reflects it, so that it needs another order of moves.
fn check_transformed(rows: usize, cols: usize, target: usize) {
    let mut labels = shuffled(12, 1879 + target as u64);
    let blank = labels.iter().position(|&label| label == 0).unwrap();
    labels.swap(blank, target);
    let frame = Frame::new(&board(rows, cols, &labels)).unwrap();
    let table = Table::build(frame.space(), 2, &NO_STOP).unwrap();
    check_against_idastar(&table, &frame, &boards(&frame, 10, 100));
}

#[test]
fn transformed_boards_agree_with_idastar() {
    check_transformed(4, 3, 3);
}

#[test]
#[ignore = "builds two tables of 12 cells: run by scripts/cross-check"]
fn boards_with_the_goals_blank_inside_or_at_an_edge_agree_with_idastar() {
    check_transformed(3, 4, 5);
    check_transformed(6, 2, 7);
}

#[test]
fn building_can_be_stopped_and_other_shapes_have_no_table() {
    let frame = Frame::new(&board(3, 4, &blank_in(11, 12))).unwrap();
    assert!(Table::build(frame.space(), 1, &AtomicBool::new(true)).is_none());
    for (rows, cols) in [(1, 12), (2, 2), (3, 3), (2, 7)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        assert!(Table::build(Frame::new(&goal).unwrap().space(), 1, &NO_STOP).is_none(), "{shape}");
    }
}
