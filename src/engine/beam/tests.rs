//! Tests of the beam: that paths lead to the goal, that the number of threads does not change the
//! result, and that node limits are exact.

use std::sync::atomic::AtomicBool;

use super::{Found, Request, search};
use crate::board::replay::{replay, walk};
use crate::board::{Board, Cell, Goal, Shape};
use crate::engine::test_support::{board_of, random_board};
use crate::engine::{Parallel, ThreadShare};
use crate::heuristic::evaluation::{Tables, Untrained};
use crate::system::{Budget, Limit, Limits, Random};

fn tables(shape: Shape, goal_blank: Cell) -> Tables {
    Tables::new(shape, goal_blank, &Untrained::new(shape, goal_blank), &AtomicBool::new(false)).unwrap()
}

fn found(
    tables: &Tables,
    (board, goal): (&Board, &Board),
    width: usize,
    threads: usize,
    nodes: Option<u64>,
) -> (Found, u64) {
    let stop = AtomicBool::new(false);
    let budget = Budget::start(&Limits { nodes, time: None }, &stop);
    let parallel = if threads == 1 { Parallel::Across } else { Parallel::Within };
    let thread_share = ThreadShare::new(parallel, threads);
    let request = Request { board, goal, width, max_moves: 2000, budget: &budget, thread_share: &thread_share };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut generated = 0;
    let found = pool.install(|| search(tables, &request, &mut generated, None));
    (found, generated)
}

#[test]
fn paths_lead_to_any_goal() {
    let mut random = Random::new(1);
    for (rows, cols) in [(2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (4, 5), (5, 4), (5, 5), (6, 6), (6, 7)] {
        let shape = Shape::new(rows, cols).unwrap();
        for _ in 0..if shape.cells() > 16 { 1 } else { 3 } {
            let goal = board_of(shape, &random.permutation(shape.cells()));
            let tables = tables(shape, goal.blank());
            let board = random_board(shape, &goal, &mut random);
            match found(&tables, (&board, &goal), 1000, 1, None).0 {
                Found::Path(path) => assert_eq!(replay(&board, &goal, path.letters()), Ok(()), "{board} to {goal}"),
                Found::Stuck(path) => {
                    let mut tiles = board.tiles().to_vec();
                    walk(&mut tiles, (rows, cols), board.blank().index(), path.letters()).unwrap();
                    assert!(shape.cells() > 16, "{board} to {goal}");
                }
                Found::Limit(limit) => panic!("{limit:?}"),
            }
            assert_eq!(found(&tables, (&goal, &goal), 10, 1, None).0, Found::Path(crate::board::Path::new()));
        }
    }
}

/// A beam that keeps everything is a breadth-first search.
#[test]
fn a_beam_that_keeps_everything_finds_shortest_paths() {
    let shape = Shape::new(2, 3).unwrap();
    let goal = Goal::BlankLast.on(shape).unwrap();
    let tables = tables(shape, goal.blank());
    let mut seen = std::collections::HashSet::from([goal.clone()]);
    let mut layer = vec![goal.clone()];
    let mut distance = 0;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for board in layer {
            let Found::Path(path) = found(&tables, (&board, &goal), 1000, 1, None).0 else { panic!("{board}") };
            assert_eq!(path.len(), distance, "{board}");
            let after = crate::board::Move::ALL.into_iter().filter_map(|step| board.after(step));
            next.extend(after.filter(|board| seen.insert(board.clone())));
        }
        layer = next;
        distance += 1;
    }
}

#[test]
fn threads_do_not_change_the_result() {
    for (rows, cols, width) in [(4, 5, 4000), (6, 6, 2500)] {
        let shape = Shape::new(rows, cols).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let tables = tables(shape, goal.blank());
        let board = random_board(shape, &goal, &mut Random::new(2));
        let alone = found(&tables, (&board, &goal), width, 1, None);
        assert!(matches!(alone.0, Found::Path(_)));
        for threads in [2, 8] {
            assert_eq!(found(&tables, (&board, &goal), width, threads, None), alone, "{shape} {threads}");
        }
    }
}

#[test]
fn nodes_are_limited_exactly() {
    let shape = Shape::new(5, 5).unwrap();
    let goal = Goal::BlankLast.on(shape).unwrap();
    let tables = tables(shape, goal.blank());
    let board = random_board(shape, &goal, &mut Random::new(3));
    for (nodes, threads) in [(0, 1), (1, 1), (777, 1), (50_000, 1), (50_000, 2)] {
        assert_eq!(found(&tables, (&board, &goal), 3000, threads, Some(nodes)), (Found::Limit(Limit::Nodes), nodes));
    }
}
