//! IDA* against plain breadth-first search, and against Korf's published lengths.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::*;
use crate::board::frame::Frame;
use crate::board::replay::replay;
use crate::board::{Board, Goal, Move, Path, Shape, Tile};
use crate::engine::Parallel;
use crate::heuristic::{LinearConflict, Manhattan, WalkingConflict, WalkingDistance};
use crate::system::{Limit, Limits, Random};

static RUNNING: AtomicBool = AtomicBool::new(false);

fn budget(nodes: Option<u64>) -> Budget<'static> {
    Budget::start(&Limits { nodes, time: None }, &RUNNING)
}

fn solved(frame: &Frame, heuristic: &impl Heuristic, board: &Board, bytes: usize) -> (Path, Stats) {
    let (mut scratch, mut stats) = (Scratch::new(bytes), Stats::default());
    let start = frame.admit(board).unwrap();
    match solve(heuristic, frame.space(), &start, &budget(None), &ThreadShare::alone(), &mut scratch, &mut stats) {
        Outcome::Solved(path) => (path, stats),
        outcome => panic!("{board:?}: {outcome:?}"),
    }
}

/// The same search with words of this width, links of this length, and helpers.
fn solved_as<K: Packed, H: Heuristic>(
    frame: &Frame,
    heuristic: &H,
    board: &Board,
    settings: Settings,
    thread_share: &ThreadShare,
) -> Path {
    let mut lists = Lists::<K, _>::default();
    let (moves, budget) = (MoveTable::new(frame.space()), budget(None));
    let mut counter = NodeCounter::start(&budget);
    match deepen(heuristic, &moves, &frame.admit(board).unwrap(), settings, &mut lists, &mut counter, thread_share) {
        Outcome::Solved(path) => path,
        outcome => panic!("{board:?}: {outcome:?}"),
    }
}

/// The four heuristics of a frame.
struct All(Manhattan, LinearConflict, WalkingDistance, WalkingConflict);

impl All {
    fn of(frame: &Frame) -> All {
        let (shape, blank) = (frame.space().shape, frame.space().goal_blank);
        All(
            Manhattan::new(shape, blank),
            LinearConflict::new(shape, blank),
            WalkingDistance::new(shape, blank),
            WalkingConflict::new(shape, blank),
        )
    }

    fn paths(&self, frame: &Frame, board: &Board, bytes: usize) -> [Path; 4] {
        [
            solved(frame, &self.0, board, bytes).0,
            solved(frame, &self.1, board, bytes).0,
            solved(frame, &self.2, board, bytes).0,
            solved(frame, &self.3, board, bytes).0,
        ]
    }

    fn paths_as<K: Packed>(
        &self,
        frame: &Frame,
        board: &Board,
        settings: Settings,
        thread_share: &ThreadShare,
    ) -> [Path; 4] {
        [
            solved_as::<K, _>(frame, &self.0, board, settings, thread_share),
            solved_as::<K, _>(frame, &self.1, board, settings, thread_share),
            solved_as::<K, _>(frame, &self.2, board, settings, thread_share),
            solved_as::<K, _>(frame, &self.3, board, settings, thread_share),
        ]
    }
}

/// Breadth-first distances of every board as given: no frame, no ranking.
struct Oracle {
    distances: HashMap<u64, u8>,
    boards: Vec<Board>,
}

impl Oracle {
    fn key(board: &Board) -> u64 {
        board.tiles().iter().fold(0, |key, tile| key << 4 | tile.label() as u64)
    }

    fn of(goal: &Board) -> Oracle {
        let mut oracle = Oracle { distances: HashMap::from([(Oracle::key(goal), 0)]), boards: vec![goal.clone()] };
        let mut head = 0;
        while head < oracle.boards.len() {
            let board = oracle.boards[head].clone();
            let distance = oracle.distances[&Oracle::key(&board)] + 1;
            head += 1;
            for next in Move::ALL.into_iter().filter_map(|step| board.after(step)) {
                oracle.distances.entry(Oracle::key(&next)).or_insert_with(|| {
                    oracle.boards.push(next);
                    distance
                });
            }
        }
        oracle
    }

    /// From any board the smallest letter that comes nearer to the goal, again and again.
    fn path(&self, board: &Board) -> Path {
        let (mut board, mut path) = (board.clone(), Path::new());
        while self.distances[&Oracle::key(&board)] > 0 {
            let nearer = self.distances[&Oracle::key(&board)] - 1;
            let steps = Move::ALL.into_iter().filter_map(|step| Some((step, board.after(step)?)));
            let (step, next) =
                steps.into_iter().find(|(_, next)| self.distances[&Oracle::key(next)] == nearer).unwrap();
            path.push(step);
            board = next;
        }
        path
    }
}

/// One goal for every cell of the blank, the tiles shuffled.
fn goals(rows: usize, cols: usize, random: &mut Random) -> Vec<Board> {
    let shape = Shape::new(rows, cols).unwrap();
    let goal = |blank| {
        let mut tiles: Vec<Tile> = (1..shape.cells()).map(Tile::new).collect();
        random.shuffle(&mut tiles);
        tiles.insert(blank, Tile::BLANK);
        Board::new(shape, &tiles).unwrap()
    };
    (0..shape.cells()).map(goal).collect()
}

const EVERY_CELL: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Length and canonical path are the oracle's, whatever the memory and the length of links.
fn agrees_with_the_oracle(rows: usize, cols: usize, boards_per_goal: usize, blanks: &[usize]) {
    let mut random = Random::new(5);
    for goal in goals(rows, cols, &mut random).into_iter().filter(|goal| blanks.contains(&goal.blank().index())) {
        let frame = Frame::new(&goal).unwrap();
        let (all, oracle) = (All::of(&frame), Oracle::of(&goal));
        let every = oracle.boards.len() <= boards_per_goal;
        for i in 0..boards_per_goal.min(oracle.boards.len()) {
            let board = &oracle.boards[if every { i } else { random.index(oracle.boards.len()) }];
            let path = oracle.path(board);
            for bytes in [0, 1 << 10, Scratch::<u16>::FRONTIER_BYTES] {
                for found in all.paths(&frame, board, bytes) {
                    assert_eq!(found, path, "{board:?} to {goal:?} in {bytes} bytes");
                }
            }
            for max_letters in [1, 2, 5] {
                for bytes in [900, 1 << 20] {
                    for found in all.paths_as::<u128>(
                        &frame,
                        board,
                        Settings { bytes, max_letters, help_from: u64::MAX },
                        &ThreadShare::alone(),
                    ) {
                        assert_eq!(found, path, "{board:?} to {goal:?}, {max_letters} letters a link, {bytes} bytes");
                    }
                }
            }
        }
    }
}

#[test]
fn every_2x3_board_and_every_2x2_board() {
    agrees_with_the_oracle(2, 2, 12, &EVERY_CELL);
    agrees_with_the_oracle(2, 3, 360, &EVERY_CELL);
    agrees_with_the_oracle(3, 2, 360, &EVERY_CELL);
}

#[test]
fn a_sample_of_2x4_and_4x2_boards() {
    agrees_with_the_oracle(2, 4, 15, &EVERY_CELL);
    agrees_with_the_oracle(4, 2, 15, &EVERY_CELL);
}

/// Goals with the blank in a corner, in the centre and at an edge: two of them are turned in their frames.
#[test]
fn a_sample_of_3x3_boards() {
    agrees_with_the_oracle(3, 3, 80, &[0, 4, 5]);
}

/// R. E. Korf, *Depth-first iterative-deepening*, Artificial Intelligence 27, 1985, table 2: the first
/// twenty of his hundred random boards and their lengths. The goal is `0 1 2 … 15`.
const KORF: [([usize; 16], usize); 20] = [
    ([14, 13, 15, 7, 11, 12, 9, 5, 6, 0, 2, 1, 4, 8, 10, 3], 57),
    ([13, 5, 4, 10, 9, 12, 8, 14, 2, 3, 7, 1, 0, 15, 11, 6], 55),
    ([14, 7, 8, 2, 13, 11, 10, 4, 9, 12, 5, 0, 3, 6, 1, 15], 59),
    ([5, 12, 10, 7, 15, 11, 14, 0, 8, 2, 1, 13, 3, 4, 9, 6], 56),
    ([4, 7, 14, 13, 10, 3, 9, 12, 11, 5, 6, 15, 1, 2, 8, 0], 56),
    ([14, 7, 1, 9, 12, 3, 6, 15, 8, 11, 2, 5, 10, 0, 4, 13], 52),
    ([2, 11, 15, 5, 13, 4, 6, 7, 12, 8, 10, 1, 9, 3, 14, 0], 52),
    ([12, 11, 15, 3, 8, 0, 4, 2, 6, 13, 9, 5, 14, 1, 10, 7], 50),
    ([3, 14, 9, 11, 5, 4, 8, 2, 13, 12, 6, 7, 10, 1, 15, 0], 46),
    ([13, 11, 8, 9, 0, 15, 7, 10, 4, 3, 6, 14, 5, 12, 2, 1], 59),
    ([5, 9, 13, 14, 6, 3, 7, 12, 10, 8, 4, 0, 15, 2, 11, 1], 57),
    ([14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15], 45),
    ([3, 6, 5, 2, 10, 0, 15, 14, 1, 4, 13, 12, 9, 8, 11, 7], 46),
    ([7, 6, 8, 1, 11, 5, 14, 10, 3, 4, 9, 13, 15, 2, 0, 12], 59),
    ([13, 11, 4, 12, 1, 8, 9, 15, 6, 5, 14, 2, 7, 3, 10, 0], 62),
    ([1, 3, 2, 5, 10, 9, 15, 6, 8, 14, 13, 11, 12, 4, 7, 0], 42),
    ([15, 14, 0, 4, 11, 1, 6, 13, 7, 5, 8, 9, 3, 2, 10, 12], 66),
    ([6, 0, 14, 12, 1, 15, 9, 10, 11, 4, 7, 2, 8, 3, 5, 13], 55),
    ([7, 11, 8, 3, 14, 0, 6, 15, 1, 4, 13, 9, 5, 12, 2, 10], 46),
    ([6, 12, 11, 3, 13, 7, 9, 15, 2, 14, 8, 10, 4, 1, 5, 0], 52),
];

fn korf() -> (Frame, Vec<(Board, usize)>) {
    let shape = Shape::new(4, 4).unwrap();
    let board = |labels: [usize; 16]| Board::new(shape, &labels.map(Tile::new)).unwrap();
    let boards = KORF.into_iter().map(|(labels, length)| (board(labels), length)).collect();
    (Frame::new(&Goal::BlankFirst.on(shape).unwrap()).unwrap(), boards)
}

/// Without those for which Korf's program needed more than 70 million nodes.
#[test]
fn korfs_easier_ones_have_their_published_lengths() {
    let (frame, boards) = korf();
    let heuristic = WalkingConflict::new(frame.space().shape, frame.space().goal_blank);
    for number in [2, 4, 5, 6, 8, 9, 12, 13, 16, 18, 19, 20] {
        let (board, length) = &boards[number - 1];
        let (path, _) = solved(&frame, &heuristic, board, Scratch::<u16>::FRONTIER_BYTES);
        assert_eq!(path.len(), *length, "{board:?}");
        assert_eq!(replay(board, frame.goal(), path.letters()), Ok(()));
    }
}

/// Every heuristic, with the list kept and frozen early: one path.
#[test]
fn korfs_easy_ones_have_one_canonical_path() {
    let (frame, boards) = korf();
    let all = All::of(&frame);
    for easy in [9, 12, 16, 19] {
        let (board, length) = &boards[easy - 1];
        let path = solved(&frame, &all.3, board, 0).0;
        assert_eq!(path.len(), *length);
        for bytes in [100_000, Scratch::<u16>::FRONTIER_BYTES] {
            assert_eq!(solved(&frame, &all.1, board, bytes).0, path, "{board:?}");
            assert_eq!(solved(&frame, &all.2, board, bytes).0, path, "{board:?}");
            assert_eq!(solved(&frame, &all.3, board, bytes).0, path, "{board:?}");
        }
    }
}

/// Walks of 60 moves on shapes of more than 16 cells, where no oracle reaches: the heuristics agree
/// with each other and with a list frozen at once, and the path is one.
#[test]
fn larger_shapes_agree_with_themselves() {
    for (rows, cols) in [(5, 5), (4, 5), (2, 9), (3, 7), (5, 4), (2, 12)] {
        let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        let frame = Frame::new(&goal).unwrap();
        let all = All::of(&frame);
        let (mut board, mut random) = (goal.clone(), Random::new(17));
        for _ in 0..60 {
            board = board.after(Move::from_index(random.bits() as u8)).unwrap_or(board);
        }
        let path = solved(&frame, &all.3, &board, 0).0;
        assert_eq!(replay(&board, &goal, path.letters()), Ok(()));
        for found in all.paths(&frame, &board, 1 << 20) {
            assert_eq!(found, path, "{board:?}");
        }
    }
}

/// A search generates exactly what it may, proves bounds that only grow, and needs not a node less
/// than it says.
#[test]
fn node_limits_are_exact() {
    let (frame, boards) = korf();
    let heuristic = LinearConflict::new(frame.space().shape, frame.space().goal_blank);
    let (board, length) = &boards[11];
    let start = frame.admit(board).unwrap();
    for bytes in [0, 50_000, Scratch::<u16>::FRONTIER_BYTES] {
        let (path, all) = solved(&frame, &heuristic, board, bytes);
        assert_eq!(path.len(), *length);
        let mut scratch = Scratch::new(bytes);
        let mut try_with = |nodes| {
            let mut stats = Stats::default();
            (
                solve(
                    &heuristic,
                    frame.space(),
                    &start,
                    &budget(Some(nodes)),
                    &ThreadShare::new(Parallel::Within, 8),
                    &mut scratch,
                    &mut stats,
                ),
                stats,
            )
        };
        let mut proven = u64::from(LinearConflict::plies(heuristic.root(start.state())));
        for nodes in [1, 2, 1000, Budget::POLL_NODES, Budget::POLL_NODES + 1, 40_000, all.generated - 1] {
            let (outcome, stats) = try_with(nodes);
            let Outcome::Unsolved { lower_bound, limit: Limit::Nodes } = outcome else { panic!("{outcome:?}") };
            assert_eq!(stats.generated, nodes);
            assert!(lower_bound >= proven && lower_bound as usize <= *length);
            proven = lower_bound;
            assert_eq!(try_with(nodes), (outcome, stats), "the same again");
        }
        assert_eq!(try_with(all.generated), (Outcome::Solved(path), all));
    }
}

/// Below the memory's limit no node is generated twice: without repeated iterations the list costs
/// fewer nodes, and the more memory the fewer.
#[test]
fn memory_saves_nodes() {
    let (frame, boards) = korf();
    let heuristic = LinearConflict::new(frame.space().shape, frame.space().goal_blank);
    let generated = |bytes| solved(&frame, &heuristic, &boards[11].0, bytes).1.generated;
    let (none, some, all) = (generated(0), generated(200_000), generated(1 << 30));
    assert!(none > some && some > all, "{none} {some} {all}");
}

#[test]
fn a_stopped_run_proves_the_first_bound() {
    let (frame, boards) = korf();
    let heuristic = Manhattan::new(frame.space().shape, frame.space().goal_blank);
    let start = frame.admit(&boards[0].0).unwrap();
    let stop = AtomicBool::new(true);
    let budget = Budget::start(&Limits::default(), &stop);
    let (mut scratch, mut stats) = (Scratch::default(), Stats::default());
    let outcome = solve(&heuristic, frame.space(), &start, &budget, &ThreadShare::alone(), &mut scratch, &mut stats);
    let lower_bound = u64::from(Manhattan::plies(heuristic.root(start.state())));
    assert_eq!(outcome, Outcome::Unsolved { lower_bound, limit: Limit::Cancelled });
    assert_eq!(stats.generated, 1);
}

/// Runs something in a pool of threads, all of which work on one board.
fn with_threads<T: Send>(threads: usize, run: impl FnOnce(&ThreadShare) -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let thread_share = ThreadShare::new(Parallel::Within, threads);
    let result = pool.install(|| run(&thread_share));
    assert_eq!(thread_share.idle(), threads - 1, "every helper has returned");
    result
}

/// Outcome and stats of one thread, whatever the threads and the memory.
fn helped_is_alone<H: Heuristic>(frame: &Frame, heuristic: &H, board: &Board, threads: &[usize], bytes: &[usize]) {
    let start = frame.admit(board).unwrap();
    for &bytes in bytes {
        let alone = solved(frame, heuristic, board, bytes);
        for &threads in threads {
            let helped = with_threads(threads, |thread_share| {
                let (mut scratch, mut stats) = (Scratch::new(bytes), Stats::default());
                let outcome =
                    solve(heuristic, frame.space(), &start, &budget(None), thread_share, &mut scratch, &mut stats);
                (outcome, stats)
            });
            let (path, stats) = &alone;
            assert_eq!(helped, (Outcome::Solved(path.clone()), *stats), "{board:?}: {threads} threads, {bytes} bytes");
        }
    }
}

#[test]
fn helpers_change_neither_path_nor_count() {
    let (frame, boards) = korf();
    let all = All::of(&frame);
    let bytes = [0, 3_000, 200_000, 2 << 20, Scratch::<u16>::FRONTIER_BYTES];
    for (easy, threads) in [(12, [1, 3]), (9, [2, 8])] {
        let board = &boards[easy - 1].0;
        helped_is_alone(&frame, &all.1, board, &threads, &bytes);
        helped_is_alone(&frame, &all.2, board, &threads, &bytes);
        helped_is_alone(&frame, &all.3, board, &threads, &bytes);
    }
    helped_is_alone(&frame, &all.3, &boards[5].0, &[3, 8], &[200_000, Scratch::<u16>::FRONTIER_BYTES]);
    helped_is_alone(&frame, &all.0, &boards[11].0, &[2, 8], &[1 << 20]);
}

/// Searches that are otherwise too short for help are shared out from the first node on; and links are so
/// short that solutions are found before the pass that counts.
#[test]
fn helped_3x3_boards_agree_with_the_oracle() {
    let mut random = Random::new(11);
    let goal = &goals(3, 3, &mut random)[2];
    let frame = Frame::new(goal).unwrap();
    let (all, oracle) = (All::of(&frame), Oracle::of(goal));
    let boards: Vec<&Board> = (0..20).map(|_| &oracle.boards[random.index(oracle.boards.len())]).collect();
    for threads in [1, 2, 8] {
        for bytes in [0, 900, 10_000, 1 << 20] {
            for max_letters in [2, 5, 31] {
                let found = with_threads(threads, |thread_share| {
                    let helped = |board| {
                        all.paths_as::<u64>(&frame, board, Settings { bytes, max_letters, help_from: 0 }, thread_share)
                    };
                    boards.iter().map(|board| helped(board)).collect::<Vec<_>>()
                });
                for (board, paths) in boards.iter().zip(found) {
                    let path = oracle.path(board);
                    for found in paths {
                        assert_eq!(found, path, "{board:?}: {threads} threads, {bytes} bytes, {max_letters} letters");
                    }
                }
            }
        }
    }
}

#[test]
fn a_stop_ends_all_helpers() {
    let (frame, boards) = korf();
    let heuristic = Manhattan::new(frame.space().shape, frame.space().goal_blank);
    let start = frame.admit(&boards[16].0).unwrap();
    for bytes in [0, 1 << 20] {
        let stop = AtomicBool::new(false);
        let calls = AtomicU64::new(0);
        // Billions of nodes without the stop: that the test ends is what it proves.
        let stopping = Stopping { heuristic: &heuristic, stop: &stop, calls: &calls, after: 3_000_000 };
        let (outcome, stats) = with_threads(3, |thread_share| {
            let budget = Budget::start(&Limits::default(), &stop);
            let (mut scratch, mut stats) = (Scratch::new(bytes), Stats::default());
            (solve(&stopping, frame.space(), &start, &budget, thread_share, &mut scratch, &mut stats), stats)
        });
        let Outcome::Unsolved { lower_bound, limit: Limit::Cancelled } = outcome else { panic!("{outcome:?}") };
        assert!((u64::from(Manhattan::plies(heuristic.root(start.state())))..=66).contains(&lower_bound));
        // Three threads go on to their next poll, and no further.
        assert!(calls.into_inner() <= 3_000_000 + 3 * Budget::POLL_NODES);
        assert!(stats.generated <= 3_000_000 + 3 * Budget::POLL_NODES);
    }
}

/// A heuristic that stops the run after a number of calls: a clock that counts nodes.
struct Stopping<'a> {
    heuristic: &'a Manhattan,
    stop: &'a AtomicBool,
    calls: &'a AtomicU64,
    after: u64,
}

impl Heuristic for Stopping<'_> {
    type Value = <Manhattan as Heuristic>::Value;

    fn root(&self, state: &crate::board::State) -> Self::Value {
        self.heuristic.root(state)
    }

    fn after<K: Packed>(&self, value: Self::Value, board: K, step: crate::heuristic::Step) -> Self::Value {
        if self.calls.fetch_add(1, Ordering::Relaxed) == self.after {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.heuristic.after(value, board, step)
    }

    fn plies(value: Self::Value) -> u16 {
        Manhattan::plies(value)
    }
}
