//! Tests that bidirectional search and A* find the same paths as a plain breadth-first search
//! ([`Reference`]) and as IDA*, with any number of threads.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use super::bidirectional::BackwardFrontier;
use super::test_support::Reference;
use super::{Outcome, Parallel, Stats, ThreadShare, astar, bidirectional, ida};
use crate::board::frame::Frame;
use crate::board::replay::replay;
use crate::board::{Board, Goal, Move, Path, Shape, Solvable, Tile};
use crate::heuristic::{Heuristic, Manhattan, WalkingConflict};
use crate::system::{Budget, Limit, Limits, Random};

/// The memory limit of each search and of each backward frontier.
const BYTES: u64 = 1 << 28;

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

/// Returns a board with the tiles in random order. It is solvable with probability 1/2.
fn shuffled(shape: Shape, random: &mut Random) -> Board {
    let mut tiles: Vec<Tile> = (0..shape.cells()).map(Tile::new).collect();
    random.shuffle(&mut tiles);
    Board::new(shape, &tiles).unwrap()
}

/// Returns the end of a random walk from the goal. The walk has `moves` moves, and no move undoes
/// the previous one.
fn walked(goal: &Board, moves: usize, random: &mut Random) -> Board {
    let (mut board, mut last, mut remaining) = (goal.clone(), None, moves);
    while remaining > 0 {
        let step = Move::from_index(random.bits() as u8);
        if last != Some(step.inverse())
            && let Some(next) = board.after(step)
        {
            (board, last, remaining) = (next, Some(step), remaining - 1);
        }
    }
    board
}

fn frame(rows: usize, cols: usize, goal: Goal) -> Frame {
    Frame::new(&goal.on(shape(rows, cols)).unwrap()).unwrap()
}

/// Bidirectional search and A*, with their tables for one frame.
pub(super) struct EnginePair {
    pub(super) frame: Frame,
    pub(super) backward_frontier: BackwardFrontier,
    pub(super) heuristic: Arc<WalkingConflict>,
}

impl EnginePair {
    pub(super) fn of(frame: Frame, frontier_bytes: u64) -> EnginePair {
        let space = frame.space();
        let backward_frontier = BackwardFrontier::new(space.shape, space.goal_blank, frontier_bytes);
        let heuristic = Arc::new(WalkingConflict::new(space.shape, space.goal_blank));
        EnginePair { frame, backward_frontier, heuristic }
    }

    /// Returns the engines for the goal with the blank last, with plenty of memory.
    fn usual(rows: usize, cols: usize) -> EnginePair {
        EnginePair::of(frame(rows, cols, Goal::BlankLast), BYTES)
    }

    /// Returns the outcomes of bidirectional search and of A*.
    fn outcomes(&self, start: &Solvable, nodes: Option<u64>, bytes: u64) -> [(Outcome, Stats); 2] {
        let (space, stop) = (self.frame.space(), AtomicBool::new(false));
        let budget = Budget::start(&Limits { nodes, time: None }, &stop);
        let [mut first, mut second] = [Stats::default(); 2];
        let by_bidirectional =
            bidirectional::solve(&self.backward_frontier, space, start, &budget, &thread_share(), bytes, &mut first);
        let by_astar = astar::solve(&self.heuristic, space, start, &budget, &thread_share(), bytes, &mut second);
        [(by_bidirectional, first), (by_astar, second)]
    }

    /// Asserts that both engines find this path.
    fn agree(&self, board: &Board, path: &Path) {
        let start = self.frame.admit(board).unwrap();
        for (outcome, _) in self.outcomes(&start, None, BYTES) {
            assert_eq!(outcome, Outcome::Solved(path.clone()), "{board:?} to {:?}", self.frame.goal());
        }
    }

    fn by_idastar(&self, board: &Board) -> Path {
        let (stop, start) = (AtomicBool::new(false), self.frame.admit(board).unwrap());
        let budget = Budget::start(&Limits::default(), &stop);
        let (alone, search) = (ThreadShare::alone(), ida::plain(&self.heuristic, self.frame.space()));
        let context = ida::Context::new(&budget, &alone);
        match search.solve(&start, &context, &mut ida::Scratch::default(), &mut Stats::default()) {
            Outcome::Solved(path) => path,
            outcome => panic!("{outcome:?}"),
        }
    }
}

fn in_pool<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Returns a share that gives every board all threads of the current pool.
fn thread_share() -> ThreadShare {
    ThreadShare::new(Parallel::Within, rayon::current_num_threads())
}

fn by_table(table: &Reference, start: &Solvable) -> Path {
    let mut path = Path::new();
    table.solve(start, &mut path);
    path
}

#[test]
fn every_2x3_board_matches_the_table() {
    let pair = EnginePair::usual(2, 3);
    let table = Reference::build(pair.frame.space()).unwrap();
    let (mut boards, mut random) = (std::collections::BTreeSet::new(), Random::new(1));
    while boards.len() < 360 {
        let board = shuffled(shape(2, 3), &mut random);
        if pair.frame.admit(&board).is_some() {
            boards.insert(board.to_string().replace('/', " ").replace(' ', ","));
        }
    }
    for threads in [1, 2, 8] {
        in_pool(threads, || {
            for tiles in &boards {
                let board = tiles.parse::<Goal>().unwrap().on(shape(2, 3)).unwrap();
                pair.agree(&board, &by_table(&table, &pair.frame.admit(&board).unwrap()));
            }
        });
    }
}

/// The goals are random, so that different frames and orders of moves occur.
#[test]
fn boards_of_2x4_and_3x3_match_the_table() {
    let mut random = Random::new(3);
    for threads in [1, 2, 8] {
        for (rows, cols) in [(2, 4), (3, 3), (4, 2)] {
            for _ in 0..3 {
                let goal = shuffled(shape(rows, cols), &mut random);
                let pair = EnginePair::of(Frame::new(&goal).unwrap(), BYTES);
                let table = Reference::build(pair.frame.space()).unwrap();
                let boards: Vec<Board> = std::iter::repeat_with(|| shuffled(shape(rows, cols), &mut random))
                    .filter(|board| pair.frame.admit(board).is_some())
                    .take(40)
                    .collect();
                in_pool(threads, || {
                    for board in &boards {
                        pair.agree(board, &by_table(&table, &pair.frame.admit(board).unwrap()));
                    }
                });
            }
        }
    }
}

#[test]
fn boards_of_3x4_to_5x5_match_idastar() {
    let mut random = Random::new(5);
    for (rows, cols, moves, longest, count) in
        [(4, 4, 54, 42, 3), (3, 4, 60, 42, 3), (4, 3, 80, 44, 2), (4, 5, 40, 34, 2), (5, 5, 36, 34, 3)]
    {
        let pair = EnginePair::usual(rows, cols);
        let boards = std::iter::repeat_with(|| walked(pair.frame.goal(), moves, &mut random))
            .map(|board| (pair.by_idastar(&board), board))
            .filter(|(path, _)| (longest - 12..=longest).contains(&path.len()))
            .take(count);
        for (i, (path, board)) in boards.enumerate() {
            in_pool([1, 2, 8][i % 3], || pair.agree(&board, &path));
        }
    }
}

/// This test would hang if boards waited for each other's layers by running each other's jobs.
#[test]
fn many_boards_at_once_on_one_backward_frontier() {
    let pair = EnginePair::usual(3, 3);
    let table = Reference::build(pair.frame.space()).unwrap();
    let larger = EnginePair::usual(4, 4);
    let mut random = Random::new(9);
    let boards: Vec<Board> = (0..60).map(|_| walked(pair.frame.goal(), 200, &mut random)).collect();
    let larger_boards: Vec<(Board, Path)> = (0..12)
        .map(|_| {
            let board = walked(larger.frame.goal(), 40, &mut random);
            let path = larger.by_idastar(&board);
            (board, path)
        })
        .collect();
    for threads in [2, 4] {
        in_pool(threads, || {
            boards.par_iter().for_each(|board| {
                pair.agree(board, &by_table(&table, &pair.frame.admit(board).unwrap()));
            });
            let fresh = EnginePair::usual(4, 4);
            larger_boards.par_iter().with_max_len(1).for_each(|(board, path)| fresh.agree(board, path));
        });
    }
}

#[test]
fn two_boards_share_a_fresh_backward_frontier() {
    let mut random = Random::new(21);
    for _ in 0..4 {
        let pair = EnginePair::usual(4, 4);
        let boards = [26, 40].map(|moves| walked(pair.frame.goal(), moves, &mut random));
        let paths = boards.each_ref().map(|board| pair.by_idastar(board));
        let solve = |i: usize| pair.agree(&boards[i], &paths[i]);
        in_pool(2, || rayon::join(|| solve(0), || solve(1)));
        // Threads outside any pool.
        std::thread::scope(|scope| [0, 1].map(|i| scope.spawn(move || solve(i))).map(|done| done.join().unwrap()));
        assert_eq!(pair.backward_frontier.layers()[..6], [1, 2, 4, 10, 24, 54], "OEIS A089484");
    }
}

#[test]
fn searches_without_enough_memory_prove_a_bound() {
    let mut random = Random::new(33);
    for _ in 0..3 {
        let board = walked(frame(4, 4, Goal::BlankLast).goal(), 70, &mut random);
        let full = EnginePair::usual(4, 4);
        let length = full.by_idastar(&board).len();
        let (mut proven, start) = ([0, 0], full.frame.admit(&board).unwrap());
        for bytes in [0, 5_000, 40_000, 1 << 20, 4 << 20] {
            let pair = EnginePair::of(full.frame.clone(), bytes);
            for threads in [1, 8] {
                let outcomes = in_pool(threads, || pair.outcomes(&start, None, bytes));
                for (engine, (outcome, _)) in outcomes.into_iter().enumerate() {
                    match outcome {
                        Outcome::Found { .. } => panic!("every path is proven shortest"),
                        Outcome::Solved(path) => assert_eq!(path.len(), length),
                        Outcome::Unsolved { lower_bound, limit } => {
                            assert_eq!(limit, Limit::Memory);
                            assert!(lower_bound as usize <= length && lower_bound >= proven[engine]);
                            assert_eq!(lower_bound as usize % 2, length % 2);
                            proven[engine] = lower_bound;
                        }
                    }
                }
            }
        }
        assert!(proven.iter().all(|&bound| bound > 0), "no limit was reached");
    }
}

/// A node limit gives the same outcome for any number of threads and any existing backward layers.
#[test]
fn outcomes_at_node_limits_do_not_depend_on_threads() {
    let mut random = Random::new(41);
    let grown = EnginePair::usual(4, 4);
    let board = walked(grown.frame.goal(), 38, &mut random);
    let start = grown.frame.admit(&board).unwrap();
    let path = grown.by_idastar(&board);
    grown.agree(&board, &path);
    let unlimited = EnginePair::usual(4, 4).outcomes(&start, Some(u64::MAX - 1), BYTES);
    let mut limits = vec![0, 1, 2, 100, 10_000, 100_000];
    for (outcome, stats) in &unlimited {
        assert_eq!(*outcome, Outcome::Solved(path.clone()));
        limits.extend([stats.generated - 1, stats.generated]);
    }
    for nodes in limits {
        let expected = in_pool(1, || EnginePair::usual(4, 4).outcomes(&start, Some(nodes), BYTES));
        for ((outcome, stats), (_, full)) in expected.iter().zip(&unlimited) {
            match outcome {
                Outcome::Found { .. } => panic!("every path is proven shortest"),
                Outcome::Solved(_) => assert!(nodes >= full.generated),
                Outcome::Unsolved { lower_bound, limit } => {
                    assert_eq!(*limit, Limit::Nodes);
                    assert!(nodes < full.generated && *lower_bound as usize <= path.len());
                }
            }
            assert!(stats.generated <= nodes.max(1));
        }
        let [first, second] = [2, 8].map(|threads| in_pool(threads, || grown.outcomes(&start, Some(nodes), BYTES)));
        for outcomes in [first, second] {
            for (actual, expected) in outcomes.iter().zip(&expected) {
                assert_eq!(actual.0, expected.0, "{nodes} nodes");
                assert_eq!(actual.1.generated, expected.1.generated, "{nodes} nodes");
            }
        }
    }
}

#[test]
fn a_stopped_run_proves_the_first_bound() {
    let pair = EnginePair::usual(4, 4);
    let board = walked(pair.frame.goal(), 90, &mut Random::new(51));
    let (space, start, stop) = (pair.frame.space(), pair.frame.admit(&board).unwrap(), AtomicBool::new(true));
    let budget = Budget::start(&Limits::default(), &stop);
    let manhattan = Manhattan::new(space.shape, space.goal_blank);
    let mut stats = Stats::default();
    let stopped =
        bidirectional::solve(&pair.backward_frontier, space, &start, &budget, &thread_share(), BYTES, &mut stats);
    let lower_bound = u64::from(Manhattan::h(manhattan.root(start.state())));
    assert_eq!(stopped, Outcome::Unsolved { lower_bound, limit: Limit::Cancelled });
    let stopped = astar::solve(&pair.heuristic, space, &start, &budget, &thread_share(), BYTES, &mut stats);
    let lower_bound = WalkingConflict::h(pair.heuristic.root(start.state()));
    assert_eq!(stopped, Outcome::Unsolved { lower_bound: lower_bound.into(), limit: Limit::Cancelled });
    // A search that is not stopped finds a valid path.
    let path = pair.by_idastar(&board);
    assert_eq!(replay(&board, pair.frame.goal(), path.letters()), Ok(()));
}

/// The boards of [`signature`], the ends of random walks from the goal: 4×4, 3×4, 3×3, 3×5 and 5×5
/// in rotation.
const SIGNATURE_BOARDS: [&str; 20] = [
    "2 6 4 8 5 10 13 7 14 3 0 15 9 1 12 11",
    "4 6 7 11 2 8 9 10 1 0 3 5",
    "7 6 0 8 3 2 1 5 4",
    "0 11 4 13 5 1 3 10 8 14 7 6 2 12 9",
    "7 6 10 8 4 1 3 2 9 5 11 12 13 19 14 16 17 18 24 15 21 22 0 23 20",
    "6 3 4 8 2 13 5 15 0 1 10 11 9 12 7 14",
    "2 3 7 4 1 10 11 9 6 8 5 0",
    "3 2 8 6 1 7 5 4 0",
    "0 11 1 5 14 4 3 2 13 10 7 6 8 12 9",
    "1 2 3 5 10 11 6 4 8 9 0 7 13 20 15 18 12 22 14 19 16 21 17 23 24",
    "6 5 1 2 13 10 7 4 12 9 0 8 14 11 3 15",
    "3 2 1 10 0 8 7 11 5 9 4 6",
    "5 7 0 1 4 2 8 6 3",
    "8 13 1 3 5 6 12 7 0 14 11 2 4 9 10",
    "1 7 2 3 5 6 8 4 9 10 12 17 15 19 0 11 21 13 24 14 16 22 18 23 20",
    "2 8 3 4 5 1 14 0 10 13 7 12 6 9 15 11",
    "1 8 9 0 5 4 3 2 6 10 11 7",
    "0 4 2 1 6 7 3 5 8",
    "6 11 1 13 3 8 0 9 2 5 7 12 14 4 10",
    "0 2 8 10 3 1 7 4 5 15 6 11 13 9 20 22 12 17 23 14 16 21 19 18 24",
];

/// The nodes expanded and generated for twenty fixed boards on one thread. Only an intended change
/// of the search may change these numbers.
#[test]
fn signature() {
    let mut totals = [Stats::default(); 2];
    in_pool(1, || {
        for (i, labels) in SIGNATURE_BOARDS.into_iter().enumerate() {
            let [rows, cols] = [[4, 4], [3, 4], [3, 3], [3, 5], [5, 5]][i % 5];
            let pair = EnginePair::usual(rows, cols);
            let tiles: Vec<Tile> = labels.split(' ').map(|label| Tile::new(label.parse().unwrap())).collect();
            let board = Board::new(shape(rows, cols), &tiles).unwrap();
            let start = pair.frame.admit(&board).unwrap();
            for (total, (outcome, stats)) in totals.iter_mut().zip(pair.outcomes(&start, None, BYTES)) {
                assert!(matches!(outcome, Outcome::Solved(_)));
                total.expanded += stats.expanded;
                total.generated += stats.generated;
            }
        }
    });
    let [by_bidirectional, by_astar] = totals;
    assert_eq!((by_bidirectional.expanded, by_bidirectional.generated), (6_551_335, 13_887_189), "bidirectional");
    assert_eq!((by_astar.expanded, by_astar.generated), (293_189, 591_346), "astar");
}
