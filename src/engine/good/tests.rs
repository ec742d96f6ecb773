//! Tests of the engine's contract: a path for every board, within every limit, the same on any
//! number of threads.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::Good;
use crate::board::replay::replay;
use crate::board::{Board, Goal, Shape};
use crate::engine::contract::{Engine, Job, Problem, Scratch, WorkDone};
use crate::engine::test_support::{board_of, random_board};
use crate::engine::{Outcome, Parallel, ThreadShare};
use crate::heuristic::learned::AvailableWeights;
use crate::heuristic::lower_bound;
use crate::system::{Budget, InputPosition, Limit, Limits, Random};

const MEMORY: u64 = 1 << 30;

fn outcome(
    engine: &Good,
    (board, goal): (&Board, &Board),
    limits: &Limits,
    stop: &AtomicBool,
    threads: usize,
) -> (Outcome, u64) {
    let budget = Budget::start(limits, stop);
    let parallel = if threads == 1 { Parallel::Across } else { Parallel::Within };
    let thread_share = ThreadShare::new(parallel, threads);
    let problem = Problem { board, goal, framed: None };
    let (thread_share, input_position) = (&thread_share, &InputPosition::END);
    let job = Job { problem, budget: &budget, thread_share, input_position, beam: None };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut work_done = WorkDone::default();
    let outcome = pool.install(|| engine.solve(&job, &mut Scratch::new(0), &mut work_done));
    (outcome, work_done.stats.generated)
}

/// Solves a board and returns the length of the path.
#[track_caller]
fn solved_length(engine: &Good, (board, goal): (&Board, &Board), limits: &Limits) -> usize {
    let (outcome, _) = outcome(engine, (board, goal), limits, &AtomicBool::new(false), 1);
    let Outcome::Found { path, lower_bound: bound } = outcome else { panic!("{board}: {outcome:?}") };
    assert_eq!(replay(board, goal, path.letters()), Ok(()), "{board} to {goal}");
    assert_eq!(bound, lower_bound(board, goal));
    assert!(bound <= path.len() as u64 && (path.len() as u64 - bound).is_multiple_of(2), "{board}");
    path.len()
}

/// A board on which a narrow staged beam once cycled forever.
#[rustfmt::skip]
const CYCLING: [usize; 74] = [
    22, 46, 40, 42, 63, 71, 70, 69, 0, 18, 39, 30, 57, 47, 32, 73, 28, 17, 49, 16, 72, 51, 58, 27, 41, 36, 60, 52, 14, 25,
    54, 34, 2, 53, 9, 50, 38, 8, 23, 56, 55, 20, 59, 7, 35, 11, 48, 68, 61, 4, 24, 66, 10, 13, 5, 37, 29, 64, 45, 12, 62,
    67, 33, 31, 6, 26, 43, 44, 21, 1, 3, 19, 15, 65,
];

#[test]
fn no_search_cycles_forever() {
    let shape = Shape::new(2, 37).unwrap();
    let (board, goal) = (board_of(shape, &CYCLING), Goal::BlankLast.on(shape).unwrap());
    for level in 1..=2 {
        solved_length(
            &Good::new(&goal, level, MEMORY, &AvailableWeights::default()),
            (&board, &goal),
            &Limits::default(),
        );
    }
}

#[test]
fn every_shape_has_a_path() {
    let mut random = Random::new(1);
    for rows in 2..=9 {
        for cols in (2..=9).filter(|cols| (rows + 2 * cols) % 5 == 0) {
            let shape = Shape::new(rows, cols).unwrap();
            let goal = board_of(shape, &random.permutation(shape.cells()));
            let engine = Good::new(&goal, 1, MEMORY, &AvailableWeights::default());
            solved_length(&engine, (&random_board(shape, &goal, &mut random), &goal), &Limits::default());
        }
    }
    for (rows, cols) in [(2, 40), (40, 2), (3, 21), (1, 1), (1, 9), (30, 30)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::Snail.on(shape).unwrap();
        let engine = Good::new(&goal, 1, MEMORY, &AvailableWeights::default());
        if shape.is_line() {
            let (outcome, _) = outcome(&engine, (&goal, &goal), &Limits::default(), &AtomicBool::new(false), 1);
            assert!(matches!(outcome, Outcome::Solved(path) if path.is_empty()));
        } else {
            solved_length(&engine, (&random_board(shape, &goal, &mut random), &goal), &Limits::default());
        }
    }
}

#[test]
fn higher_levels_find_shorter_paths() {
    for (rows, cols, max_ratios) in [(5, 5, [1.80, 1.62]), (6, 6, [2.2, 1.72]), (10, 10, [3.25, 2.12])] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        for (level, max_ratio) in [1, 2].into_iter().zip(max_ratios) {
            let engine = Good::new(&goal, level, MEMORY, &AvailableWeights::default());
            let mut random = Random::new(1);
            let (mut moves, mut distances) = (0, 0);
            for _ in 0..4 {
                let board = random_board(shape, &goal, &mut random);
                moves += solved_length(&engine, (&board, &goal), &Limits::default());
                distances += board.manhattan_distance(&goal);
            }
            assert!(moves as f64 <= max_ratio * distances as f64, "{shape} at {level}: {moves} moves, {distances}");
        }
    }
}

#[test]
fn threads_do_not_change_the_result() {
    for (rows, cols, level) in [(5, 5, 2), (7, 7, 2), (9, 9, 1)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let board = random_board(shape, &goal, &mut Random::new(7));
        let outcomes = [1, 3].map(|threads| {
            let engine = Good::new(&goal, level, MEMORY, &AvailableWeights::default());
            outcome(&engine, (&board, &goal), &Limits::default(), &AtomicBool::new(false), threads)
        });
        assert!(outcomes[0] == outcomes[1], "{shape}");
    }
}

/// A node limit is kept exactly, and there is always a path, even with a time limit.
#[test]
fn within_every_limit_there_is_a_path() {
    for (rows, cols) in [(4, 4), (8, 8), (60, 3)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let board = random_board(shape, &goal, &mut Random::new(4));
        let engine = Good::new(&goal, 3, MEMORY, &AvailableWeights::default());
        for nodes in [0, 10_000] {
            let limits = Limits { nodes: Some(nodes), time: None };
            let (outcome, generated) = outcome(&engine, (&board, &goal), &limits, &AtomicBool::new(false), 1);
            assert!(matches!(outcome, Outcome::Found { .. }) && generated == nodes, "{shape} {nodes}: {generated}");
        }
        for milliseconds in [0, 50] {
            let limits = Limits { nodes: None, time: Some(Duration::from_millis(milliseconds)) };
            solved_length(&engine, (&board, &goal), &limits);
        }
    }
}

/// Less memory makes searches narrower or excludes them, but every board has a path. The memory
/// that a plan reports exceeds the limit by at most three megabytes.
#[test]
fn within_any_memory_there_is_a_path() {
    for (rows, cols) in [(5, 5), (8, 8), (12, 12), (20, 20)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let board = random_board(shape, &goal, &mut Random::new(4));
        for memory in [0, 8 << 20, 64 << 20] {
            for (level, learned) in (1..=9).flat_map(|level| [(level, false), (level, shape.cells() <= 64)]) {
                let plan =
                    super::describe(super::BoardProperties { shape, has_learned_weights: learned }, level, memory);
                assert!(plan.memory_bytes <= memory.max(1 << 20) + (2 << 20), "{shape} {level}: {plan:?} of {memory}");
                assert_eq!(plan.searches[0].name, "constructive");
            }
            let limits = Limits { nodes: Some(30_000), time: None };
            solved_length(&Good::new(&goal, 2, memory, &AvailableWeights::default()), (&board, &goal), &limits);
        }
    }
}

#[test]
fn a_cancelled_run_ends() {
    for (rows, cols) in [(6, 6), (10, 10), (100, 100)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let board = random_board(shape, &goal, &mut Random::new(4));
        let engine = Good::new(&goal, 5, MEMORY, &AvailableWeights::default());
        let (outcome, _) = outcome(&engine, (&board, &goal), &Limits::default(), &AtomicBool::new(true), 1);
        let bound = lower_bound(&board, &goal);
        assert_eq!(outcome, Outcome::Unsolved { lower_bound: bound, limit: Limit::Cancelled });
    }
}
