//! The engine against tables of all states, against another engine, and against itself with every instruction set
//! and any number of threads.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::chunk::{Chunk, Part};
use super::deepen::deepen;
use super::expand::{ChunkEnd, SubtreeEnd};
use super::node::ListNode;
use super::node_counter::NodeCounter;
use super::*;
use crate::board::frame::Frame;
use crate::board::replay::replay;
use crate::board::{Board, Cell, Goal, Move, Shape, Tile};
use crate::engine::{Parallel, TieBreak, idastar, lookup};
use crate::heuristic::WalkingConflict;
use crate::heuristic::pdb::{BuildOptions, Partition, PatternSet};
use crate::system::{Limit, Limits, Random};

static RUNNING: AtomicBool = AtomicBool::new(false);

fn budget(nodes: Option<u64>) -> Budget<'static> {
    Budget::start(&Limits { nodes, time: None }, &RUNNING)
}

pub(super) fn shuffled(shape: Shape, random: &mut Random) -> Board {
    let mut tiles: Vec<Tile> = (0..shape.cells()).map(Tile::new).collect();
    random.shuffle(&mut tiles);
    Board::new(shape, &tiles).unwrap()
}

/// The board after a random walk from the goal, none of whose steps undoes the last.
pub(super) fn walked(goal: &Board, steps: usize, random: &mut Random) -> Board {
    let (mut board, mut last, mut made) = (goal.clone(), None, 0);
    while made < steps {
        let step = Move::from_index(random.bits() as u8);
        if last == Some(step.inverse()) {
            continue;
        }
        if let Some(next) = board.after(step) {
            (board, last, made) = (next, Some(step), made + 1);
        }
    }
    board
}

/// The board's shape, the blank's home and the partition.
type Key = (Shape, Cell, String);

/// What is built once for all tests of this process.
struct Built<T>(Mutex<BTreeMap<Key, Arc<OnceLock<Arc<T>>>>>);

impl<T> Built<T> {
    const fn none() -> Built<T> {
        Built(Mutex::new(BTreeMap::new()))
    }

    fn get(&self, space: &Space, partition: &str, build: impl FnOnce() -> T) -> Arc<T> {
        let key = (space.shape, space.goal_blank, partition.to_string());
        let entry = self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        entry.get_or_init(|| Arc::new(build())).clone()
    }
}

const HOW: BuildOptions<'static> = BuildOptions { threads: 2, stop: &RUNNING, progress: &|_| {} };

pub(super) fn tables(space: &Space, partition: &str) -> Arc<PdbSum> {
    static SUMS: Built<PdbSum> = Built::none();
    SUMS.get(space, partition, || {
        let partition = Partition::parse(partition, space.shape, space.goal_blank).unwrap();
        PdbSum::build(&partition, &HOW).unwrap()
    })
}

/// The same engine with every instruction set that the processor has.
pub(super) struct Engines(pub(super) Frame, pub(super) Vec<PdbIdaStar>);

/// The patterns of some partitions, with a plus between them, as one set.
pub(super) fn set_of(space: &Space, partitions: &str) -> Arc<SetTables> {
    static SETS: Built<SetTables> = Built::none();
    SETS.get(space, partitions, || {
        let patterns = |text| Partition::parse(text, space.shape, space.goal_blank).unwrap().patterns().to_vec();
        let set = PatternSet::new(partitions.split('+').flat_map(patterns).collect()).unwrap();
        SetTables::build(&set, &[], &HOW).unwrap()
    })
}

impl Engines {
    /// With a plus between partitions: over the set of all their patterns.
    pub(super) fn new(goal: &Board, partition: &str) -> Engines {
        let frame = Frame::new(goal).unwrap();
        if partition.contains('+') {
            let set = set_of(frame.space(), partition);
            let automaton = Arc::new(DeepAutomaton::build(4, 5, 1, &RUNNING).unwrap());
            let over_set = |on| PdbIdaStar::over_set_on(on, frame.space(), &set, &automaton, TieBreak::Canonical);
            let engines = InstructionSet::ALL.into_iter().filter_map(over_set).collect();
            return Engines(frame, engines);
        }
        let sum = tables(frame.space(), partition);
        let automaton = Automaton::build(2);
        let engines = InstructionSet::ALL
            .into_iter()
            .filter_map(|instruction_set| PdbIdaStar::on(instruction_set, frame.space(), &sum, &automaton));
        let engines: Vec<PdbIdaStar> = engines.collect();
        assert!(!engines.is_empty());
        assert!(engines.iter().all(|engine| engine.space() == frame.space()));
        Engines(frame, engines)
    }

    /// What all instruction sets answer and count.
    pub(super) fn outcome(&self, board: &Board, settings: Settings, nodes: Option<u64>) -> (Outcome, Stats) {
        let start = self.0.admit(board).unwrap();
        let mut answers = self.1.iter().map(|engine| {
            let (mut scratch, mut stats) = (Scratch::with(settings), Stats::default());
            let outcome = engine.solve(&start, &budget(nodes), &ThreadShare::alone(), &mut scratch, &mut stats);
            // Again with memory that was in use.
            let mut again = Stats::default();
            assert_eq!(engine.solve(&start, &budget(nodes), &ThreadShare::alone(), &mut scratch, &mut again), outcome);
            assert_eq!(again, stats);
            (outcome, stats)
        });
        let first = answers.next().unwrap();
        assert!(answers.all(|other| other == first), "{board:?} in {settings:?}");
        first
    }

    pub(super) fn path(&self, board: &Board, settings: Settings) -> Path {
        match self.outcome(board, settings, None) {
            (Outcome::Solved(path), _) => path,
            (outcome, _) => panic!("{board:?}: {outcome:?}"),
        }
    }
}

/// Memory for lists, and nodes below them; idle threads help at once.
pub(super) const fn memory(bytes: usize, nodes_below: usize) -> Settings {
    Settings { bytes, nodes_below, help_from: 0, tie_break: TieBreak::Canonical }
}

/// Memory for a whole search, for some of it, and for nothing; and below that likewise.
pub(super) const MEMORIES: [Settings; 7] = [
    memory(Scratch::BYTES, 0),
    memory(20_000, 1 << 18),
    memory(1_000, 1 << 18),
    memory(20_000, 60),
    memory(0, 1 << 18),
    memory(0, 200),
    memory(0, 0),
];

fn agrees_with_lookup(rows: usize, cols: usize, partition: &str, boards_per_goal: usize) {
    let shape = Shape::new(rows, cols).unwrap();
    let (mut random, mut blanks) = (Random::new(11), 0u32);
    while blanks.count_ones() < shape.cells() as u32 {
        let goal = shuffled(shape, &mut random);
        if blanks >> goal.blank().index() & 1 == 1 {
            continue;
        }
        blanks |= 1 << goal.blank().index();
        let engines = Engines::new(&goal, partition);
        let table = lookup::Table::build(engines.0.space()).unwrap();
        let mut boards = 0;
        while boards < boards_per_goal {
            let board = shuffled(shape, &mut random);
            let Some(start) = engines.0.admit(&board) else { continue };
            boards += 1;
            let mut expected = Path::new();
            table.solve(&start, &mut expected);
            assert_eq!(engines.path(&board, MEMORIES[boards % MEMORIES.len()]), expected, "{board:?} to {goal:?}");
        }
        assert_eq!(engines.path(&goal, MEMORIES[0]), Path::new());
    }
}

#[test]
fn paths_of_3x3_are_those_of_the_table() {
    agrees_with_lookup(3, 3, "4-4", 112);
    agrees_with_lookup(3, 3, "4-4+5-3", 56);
}

#[test]
fn paths_of_2x4_4x2_and_smaller_are_those_of_the_table() {
    agrees_with_lookup(2, 4, "4-3", 100);
    agrees_with_lookup(4, 2, "3-2-2", 50);
    agrees_with_lookup(2, 3, "3-2", 30);
    agrees_with_lookup(2, 2, "1-1-1", 5);
    agrees_with_lookup(4, 2, "3-2-2+5-2", 30);
    agrees_with_lookup(2, 3, "3-2+2-2-1", 30);
}

/// Shapes and partitions for every kind of node, with every kind of mirror and with none.
#[test]
fn larger_shapes_agree_with_another_engine() {
    let cases = [
        (3, 4, Goal::BlankLast, "4-4-3", 30),
        (3, 5, Goal::Snail, "5-5-4", 30),
        (4, 4, Goal::Snail, "3-3-3-3-3", 26),
        (2, 8, Goal::BlankFirst, "5-5-5", 26),
        (4, 5, Goal::BlankLast, "5-5-5-4", 28),
        (5, 4, Goal::Snail, "4-4-4-4-3", 26),
        (5, 5, Goal::BlankLast, "4-4-4-4-4-4", 26),
        (5, 5, Goal::Snail, "5-4-4-4-4-3", 24),
        (2, 12, Goal::BlankLast, "4-4-4-4-4-3", 24),
        (3, 4, Goal::BlankLast, "4-4-3+5-5-1", 30),
        (4, 4, Goal::Snail, "3-3-3-3-3+5-5-5", 28),
        (2, 8, Goal::BlankFirst, "5-5-5+4-4-4-3", 24),
        (5, 4, Goal::Snail, "4-4-4-4-3+5-5-5-4", 26),
        (5, 5, Goal::BlankLast, "4-4-4-4-4-4+5-4-4-4-4-3", 26),
    ];
    let mut random = Random::new(3);
    for (rows, cols, goal, partition, plies) in cases {
        let goal = goal.on(Shape::new(rows, cols).unwrap()).unwrap();
        let engines = Engines::new(&goal, partition);
        let space = engines.0.space();
        let other = WalkingConflict::new(space.shape, space.goal_blank);
        for settings in MEMORIES {
            let board = walked(&goal, plies, &mut random);
            let (mut scratch, mut stats) = (idastar::Scratch::default(), Stats::default());
            let start = engines.0.admit(&board).unwrap();
            let expected =
                idastar::solve(&other, space, &start, &budget(None), &ThreadShare::alone(), &mut scratch, &mut stats);
            let path = engines.path(&board, settings);
            assert_eq!(Outcome::Solved(path), expected, "{board:?} to {goal:?}");
        }
    }
}

/// Korf's boards (Artificial Intelligence 27, 1985) of these numbers, with their canonical paths.
pub(super) fn korf(ids: &[usize]) -> (Board, Vec<(Board, String)>) {
    let shape = Shape::new(4, 4).unwrap();
    let lines =
        |text: &'static str| -> Vec<Vec<&str>> { text.lines().skip(1).map(|line| line.split(',').collect()).collect() };
    let boards = lines(include_str!("../../../tests/data/korf100.csv"));
    let paths = lines(include_str!("../../../tests/data/korf100_paths.csv"));
    let chosen = ids.iter().map(|&id| {
        assert_eq!((boards[id - 1][0], paths[id - 1][0]), (&*id.to_string(), &*id.to_string()));
        let tiles: Vec<Tile> = boards[id - 1][1].split(' ').map(|tile| Tile::new(tile.parse().unwrap())).collect();
        (Board::new(shape, &tiles).unwrap(), paths[id - 1][1].to_string())
    });
    (Goal::BlankFirst.on(shape).unwrap(), chosen.collect())
}

#[test]
fn korfs_easy_boards_have_their_canonical_paths() {
    let (goal, boards) = korf(&[12, 16, 55, 79, 42, 9]);
    for partition in ["6-6-3", "5-5-5"] {
        let engines = Engines::new(&goal, partition);
        for (board, path) in &boards {
            for settings in [Settings::new(Scratch::BYTES), memory(300_000, 1 << 18), memory(300_000, 500)] {
                assert_eq!(engines.path(board, settings).to_string(), *path, "{board:?} with {partition}");
            }
            assert_eq!(replay(board, &goal, path.as_bytes()), Ok(()));
        }
    }
}

/// A search generates exactly what it may, proves bounds that only grow, and needs not a node less
/// than it says; where it is stopped does not depend on the instruction set.
#[test]
fn node_limits_are_exact() {
    let (goal, boards) = korf(&[2]);
    let (board, path) = &boards[0];
    let engines = ["5-5-5", "5-5-5+6-6-3"].map(|partition| Engines::new(&goal, partition));
    let memories =
        [memory(Scratch::BYTES, 0), memory(50_000, 1 << 18), memory(50_000, 300), memory(0, 1 << 18), memory(0, 0)];
    for (engines, settings) in engines.iter().flat_map(|engines| memories.map(|settings| (engines, settings))) {
        let (solved, all) = engines.outcome(board, settings, None);
        assert_eq!(solved, Outcome::Solved(path.parse().unwrap()));
        let mut proven = 0;
        let (poll, all_of_it) = (Budget::POLL_NODES, all.generated);
        let mut limits = [1, 2, 3, 100, 1000, poll, poll + 1, all_of_it / 2, all_of_it - 1];
        limits.sort_unstable();
        for nodes in limits.into_iter().filter(|&nodes| nodes < all_of_it) {
            let (outcome, stats) = engines.outcome(board, settings, Some(nodes));
            let Outcome::Unsolved { lower_bound, limit: Limit::Nodes } = outcome else { panic!("{outcome:?}") };
            assert_eq!(stats.generated, nodes, "{settings:?}");
            assert!(lower_bound >= proven && lower_bound as usize <= path.len());
            proven = lower_bound;
        }
        assert_eq!(engines.outcome(board, settings, Some(all.generated)), (solved, all));
    }
}

/// Lists save nodes: the more memory, the fewer.
#[test]
fn memory_saves_nodes() {
    let (goal, boards) = korf(&[2]);
    let engines = Engines::new(&goal, "5-5-5");
    let generated = |bytes| engines.outcome(&boards[0].0, memory(bytes, 1 << 18), None).1.generated;
    let (none, some, all) = (generated(0), generated(200_000), generated(Scratch::BYTES));
    assert!(none > some && some > all, "{none} {some} {all}");
}

#[test]
fn a_stopped_run_proves_the_first_bound() {
    let (goal, boards) = korf(&[9]);
    let engines = Engines::new(&goal, "4-4-4-3");
    let stop = AtomicBool::new(true);
    for engine in &engines.1 {
        let (mut scratch, mut stats) = (Scratch::default(), Stats::default());
        let start = engines.0.admit(&boards[0].0).unwrap();
        let budget = Budget::start(&Limits::default(), &stop);
        let outcome = engine.solve(&start, &budget, &ThreadShare::alone(), &mut scratch, &mut stats);
        let Outcome::Unsolved { lower_bound, limit: Limit::Cancelled } = outcome else { panic!("{outcome:?}") };
        assert!(lower_bound > 0 && lower_bound as usize <= boards[0].1.len());
        assert_eq!(stats, Stats { expanded: 0, generated: 1 });
    }
}

#[test]
fn an_engine_never_takes_an_instruction_set_that_the_processor_lacks() {
    let goal = Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
    let frame = Frame::new(&goal).unwrap();
    let sum = tables(frame.space(), "4-4");
    assert!(InstructionSet::best().is_available() && InstructionSet::Portable.is_available());
    for instruction_set in InstructionSet::ALL {
        let engine = PdbIdaStar::on(instruction_set, frame.space(), &sum, &Automaton::build(2));
        assert_eq!(engine.is_some(), instruction_set.is_available());
    }
}

/// A tile that no pattern counts would break the parity that the bounds rest on; tables of another goal are of no use.
#[test]
fn every_tile_must_be_in_a_pattern_of_this_goal() {
    let goal = Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
    let frame = Frame::new(&goal).unwrap();
    let automaton = Automaton::build(2);
    assert!(PdbIdaStar::new(frame.space(), &tables(frame.space(), "0,1,2/3,4,5,6"), &automaton).is_none());
    assert!(PdbIdaStar::new(frame.space(), &tables(frame.space(), "0,1,2,7/3,4,5,6"), &automaton).is_some());
    let snail = Frame::new(&Goal::Snail.on(goal.shape()).unwrap()).unwrap();
    assert!(PdbIdaStar::new(snail.space(), &tables(frame.space(), "4-4"), &automaton).is_none());
}

/// The whole of it: Korf's hundred boards with the largest tables and every instruction set.
#[test]
#[ignore = "builds tables of 196 MB in 600 MB; run in release by scripts/cross-check"]
fn korfs_hundred_have_their_canonical_paths() {
    let ids: Vec<usize> = (1..=100).collect();
    let (goal, boards) = korf(&ids);
    let engines = Engines::new(&goal, "7-8");
    for (board, path) in &boards {
        for settings in [Settings::new(Scratch::BYTES), Settings::new(100_000)] {
            assert_eq!(engines.path(board, settings).to_string(), *path, "{board:?}");
        }
    }
}

/// Runs something in a pool of threads, all of which work on one board.
pub(super) fn with_threads<T: Send>(threads: usize, run: impl FnOnce(&ThreadShare) -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let thread_share = ThreadShare::new(Parallel::Within, threads);
    let result = pool.install(|| run(&thread_share));
    assert_eq!(thread_share.idle(), threads - 1, "every helper has returned");
    result
}

/// Outcome, stats, and the list that is left, as of one thread, whatever the threads and the memory.
pub(super) fn helped_is_alone(engines: &Engines, board: &Board, threads: &[usize], memories: &[Settings]) {
    let start = engines.0.admit(board).unwrap();
    for (engine, &settings) in
        engines.1.iter().flat_map(|engine| memories.iter().map(move |settings| (engine, settings)))
    {
        let solved = |thread_share: &ThreadShare| {
            let (mut scratch, mut stats) = (Scratch::with(settings), Stats::default());
            let outcome = engine.solve(&start, &budget(None), thread_share, &mut scratch, &mut stats);
            let list = match &engine.kind {
                Kind::Narrow2(_) => scratch.narrow2.frontier(),
                #[cfg(target_arch = "x86_64")]
                Kind::Vector(_) => scratch.vector.frontier(),
                Kind::Narrow4(_) => scratch.narrow4.frontier(),
                Kind::Narrow8(_) => scratch.narrow8.frontier(),
                Kind::Wide4(_) => scratch.wide4.frontier(),
                Kind::Wide8(_) => scratch.wide8.frontier(),
                Kind::Set(_) => scratch.set.frontier(),
            };
            (outcome, stats, list)
        };
        let alone = solved(&ThreadShare::alone());
        for &threads in threads {
            let helped = with_threads(threads, solved);
            assert_eq!((&helped.0, helped.1), (&alone.0, alone.1), "{board:?}: {threads} threads, {settings:?}");
            assert!(helped.2 == alone.2, "{board:?}: {threads} threads, {settings:?}: another list");
        }
    }
}

#[test]
fn helpers_change_neither_path_nor_count_nor_list() {
    let (goal, boards) = korf(&[12, 55, 79]);
    let engines = Engines::new(&goal, "5-5-5");
    let memories = [
        memory(Scratch::BYTES, 0),
        memory(400_000, 1 << 18),
        memory(50_000, 300),
        memory(3_000, 1 << 18),
        memory(0, 0),
    ];
    for (board, _) in &boards {
        helped_is_alone(&engines, board, &[2, 8], &memories);
    }
    helped_is_alone(&engines, &boards[0].0, &[1, 3], &[Settings::new(Scratch::BYTES), Settings::new(100_000)]);
}

/// Every kind of node, and boards of so few chunks that threads find none.
#[test]
fn helped_boards_of_all_kinds_are_as_alone() {
    let cases = [
        (3, 3, "4-4", 22),
        (3, 4, "4-4-3", 40),
        (4, 4, "3-3-3-3-3", 34),
        (4, 5, "5-5-5-4", 40),
        (5, 5, "4-4-4-4-4-4", 36),
        (4, 4, "3-3-3-3-3+5-5-5", 36),
    ];
    let mut random = Random::new(8);
    for (rows, cols, partition, plies) in cases {
        let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        let engines = Engines::new(&goal, partition);
        for number in 0..2 {
            let board = walked(&goal, plies + number % 2, &mut random);
            helped_is_alone(&engines, &board, &[2, 8], &MEMORIES);
        }
    }
}

/// A search that stops the run after a number of chunks: a clock that counts them.
pub(super) struct Stopping<'a, E> {
    pub(super) expander: &'a E,
    pub(super) stop: &'a AtomicBool,
    pub(super) chunks: AtomicU64,
    pub(super) after: u64,
}

impl<E: Expand> Expand for Stopping<'_, E> {
    type Node = E::Node;
    type Wave = E::Wave;
    type Stack = E::Stack;

    const KEEPS_DEPTHS: bool = E::KEEPS_DEPTHS;

    fn chunk(
        &self,
        chunk: &Chunk<E::Node>,
        wave: &mut E::Wave,
        counter: &mut NodeCounter,
        part: &mut Part<E::Node>,
    ) -> ChunkEnd {
        if self.chunks.fetch_add(1, Ordering::Relaxed) == self.after {
            self.stop.store(true, Ordering::Relaxed);
        }
        self.expander.chunk(chunk, wave, counter, part)
    }

    fn below(&self, root: &E::Node, bound: u16, stack: &mut E::Stack, counter: &mut NodeCounter) -> SubtreeEnd {
        self.expander.below(root, bound, stack, counter)
    }
}

#[test]
fn a_stop_ends_all_helpers() {
    let (goal, boards) = korf(&[17]);
    let engines = Engines::new(&goal, "5-5-5");
    let Kind::Narrow4(expander) = &engines.1[0].kind else { panic!("three patterns are searched as four") };
    let (board, path) = &boards[0];
    let root = expander.tables.root(engines.0.admit(board).unwrap().state());
    for settings in [Settings::new(Scratch::BYTES), Settings::new(100_000)] {
        let stop = AtomicBool::new(false);
        // Millions of nodes without the stop.
        let stopping = Stopping { expander: &**expander, stop: &stop, chunks: AtomicU64::new(0), after: 2_000 };
        let (outcome, stats) = with_threads(3, |thread_share| {
            let (mut lists, mut stats) = (Lists::default(), Stats::default());
            let budget = Budget::start(&Limits::default(), &stop);
            (deepen(&stopping, root, &budget, thread_share, settings, &mut lists, &mut stats), stats)
        });
        let Outcome::Unsolved { lower_bound, limit: Limit::Cancelled } = outcome else { panic!("{outcome:?}") };
        assert!(lower_bound >= u64::from(root.f()) && lower_bound as usize <= path.len());
        assert!(stats.generated > 1);
        // Three threads go on to their next poll, with at least a node a chunk, and no further.
        assert!(stopping.chunks.into_inner() <= 2_000 + 3 * Budget::POLL_NODES);
    }
}
