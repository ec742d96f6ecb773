//! Measures the search with pattern databases and, alongside it, a plain search, so that figures
//! from different machines can be compared.
//!
//! ```text
//! cargo bench -p taquin-benches --bench yardstick                       # everything, about a minute
//! cargo bench -p taquin-benches --bench yardstick -- korf random goals  # some of: korf random goals builds 24-puzzle
//! ```
//!
//! Each round of `korf` and `random` begins with the *yardstick*: a textbook IDA* with the
//! Manhattan distance (`plain.rs`) on twenty fixed boards. Its speed depends on the machine but not
//! on taquin. So figures from two machines, or from different hours on a shared one, are compared
//! by their ratio to this speed. Measurements on one thread are given as processor time, and those
//! of several rounds as their median. Only the yardstick is printed for each round. For published
//! boards, the lengths of the paths are checked. Every instruction set must generate the same
//! number of nodes.

mod clock;
mod plain;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use taquin::internal::board::Solvable;
use taquin::internal::board::frame::Frame;
use taquin::internal::engine::automaton::Automaton;
use taquin::internal::engine::ida::{Context, Scratch, Search, over_partition};
use taquin::internal::engine::{Outcome, Stats, ThreadShare, TieBreak};
use taquin::internal::heuristic::pdb::{Partition, PdbSum};
use taquin::internal::system::{Budget, InstructionSet, Limits, Random};
use taquin::{Board, Goal, Shape, Tile};

use clock::{median, peak_bytes, timed};

static NOT_STOPPED: AtomicBool = AtomicBool::new(false);

/// The number of rounds. Each round runs every measurement once, except those of the 24-puzzles and
/// of the 10,000 random boards, which run only once in all.
const ROUNDS: usize = 3;

/// The depth of the automaton: the maximum length of the move sequences that it rejects as
/// duplicates. taquin uses the same for 4x4.
const DEPTH: usize = 12;

/// One of Korf's boards (1985), with the length of a shortest path and the number of nodes of his
/// search.
struct Korf {
    id: usize,
    tiles: [u8; 16],
    moves: usize,
    nodes: u64,
}

fn korf() -> Vec<Korf> {
    let line = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |field: usize| fields[field].parse::<u64>().expect("a number");
        let tiles: Vec<u8> = fields[1].split(' ').map(|tile| tile.parse().expect("a tile")).collect();
        let tiles = tiles.try_into().expect("sixteen tiles");
        Korf { id: number(0) as usize, tiles, moves: number(2) as usize, nodes: number(3) }
    };
    include_str!("../../tests/data/korf100.csv").lines().skip(1).map(line).collect()
}

/// Solves the yardstick's boards and returns the nodes generated.
fn yardstick(boards: &[Korf]) -> u64 {
    let solve = |board: &Korf| {
        let mut plain = plain::Plain::new(&board.tiles);
        assert_eq!(plain.solve(), board.moves, "Korf's number {}", board.id);
        assert_eq!(plain.generated, board.nodes, "Korf's number {}", board.id);
        plain.generated
    };
    boards.iter().map(solve).sum()
}

/// Returns the twenty boards with the fewest nodes in Korf's table. His number 42 is excluded,
/// because the table used here has 877,023 nodes for it, but a search that agrees with the table on
/// all other boards generates 877,823.
fn yardstick_boards() -> Vec<Korf> {
    let mut boards: Vec<Korf> = korf().into_iter().filter(|board| board.id != 42).collect();
    boards.sort_by_key(|board| board.nodes);
    boards.truncate(20);
    boards
}

fn board(shape: Shape, tiles: impl IntoIterator<Item = usize>) -> Board {
    let tiles: Vec<Tile> = tiles.into_iter().map(Tile::new).collect();
    Board::new(shape, &tiles).expect("every tile once")
}

/// Returns random solvable boards, the same on every machine.
fn random_boards(frame: &Frame, count: usize) -> Vec<Solvable> {
    let mut random = Random::new(15);
    let shape = frame.goal().shape();
    let mut boards = Vec::new();
    while boards.len() < count {
        boards.extend(frame.admit(&board(shape, random.permutation(shape.cells()))));
    }
    boards
}

fn parsed(frame: &Frame, partition: &str) -> Partition {
    let space = frame.space();
    Partition::parse(partition, space.shape, space.goal_blank).expect("a partition of this shape")
}

fn build(frame: &Frame, partition: &str, threads: usize) -> Arc<PdbSum> {
    Arc::new(PdbSum::build(&parsed(frame, partition), threads, &NOT_STOPPED).expect("the build is never stopped"))
}

/// A search, and the rule that chooses among shortest paths.
struct Engine {
    search: Box<dyn Search>,
    tie_break: TieBreak,
}

impl Engine {
    /// Creates a search for the canonical paths to a frame's goal, with the best instruction set of
    /// the processor.
    fn new(frame: &Frame, sum: &Arc<PdbSum>, automaton: &Automaton) -> Engine {
        let search = over_partition(InstructionSet::best(), frame.space(), sum, automaton);
        Engine { search: search.expect("every tile is in a pattern"), tie_break: TieBreak::Canonical }
    }
}

/// Solves boards one by one, and returns the nodes generated and the lengths of the paths.
fn solve_all(engine: &Engine, boards: &[Solvable], scratch: &mut Scratch) -> (u64, Vec<usize>) {
    let mut stats = Stats::default();
    let lengths = boards.iter().map(|start| {
        let (budget, alone) = (Budget::start(&Limits::default(), &NOT_STOPPED), ThreadShare::alone());
        let context = Context { tie_break: engine.tie_break, ..Context::new(&budget, &alone) };
        match engine.search.solve(start, &context, scratch, &mut stats) {
            Outcome::Solved(path) => path.len(),
            outcome => panic!("{outcome:?}"),
        }
    });
    let lengths = lengths.collect();
    (stats.generated, lengths)
}

/// The measurements of one engine on the same boards.
struct Entry<'a> {
    name: String,
    engine: &'a Engine,
    boards: &'a [Solvable],
    times: Vec<Duration>,
    nodes: u64,
}

impl<'a> Entry<'a> {
    fn new(name: String, engine: &'a Engine, boards: &'a [Solvable]) -> Entry<'a> {
        Entry { name, engine, boards, times: Vec::new(), nodes: 0 }
    }

    /// Solves all boards `repeats` times.
    fn run(&mut self, repeats: u32, scratch: &mut Scratch) -> Vec<usize> {
        let ((nodes, lengths), time) =
            timed(|| (0..repeats).map(|_| solve_all(self.engine, self.boards, scratch)).last().unwrap_or_default());
        self.times.push(time / repeats);
        self.nodes = nodes;
        lengths
    }

    fn print(&self) {
        let (time, boards) = (median(self.times.clone()).as_secs_f64(), self.boards.len() as f64);
        println!(
            "{:38} {:7.0} boards/s   {:7.0} nodes/board   {:5.1} ns/node   {:5.2} M nodes/s",
            self.name,
            boards / time,
            self.nodes as f64 / boards,
            time * 1e9 / self.nodes as f64,
            self.nodes as f64 / time / 1e6,
        );
    }
}

fn frame(goal: &str, shape: &str) -> Frame {
    let goal: Goal = goal.parse().expect("a goal");
    Frame::new(&goal.on(shape.parse().expect("a shape")).expect("a goal of this shape")).expect("small enough")
}

/// Measures the search with the pattern databases 7-8 on one thread, for each instruction set and
/// tie-break rule, on Korf's hundred boards and on random ones.
fn measure_search(with_korf: bool, with_random: bool) {
    let (easiest, hundred) = (yardstick_boards(), korf());
    let blank_first = frame("blank-first", "4x4");
    let sum = build(&blank_first, "7-8", 2);
    let automaton = Automaton::build(DEPTH);
    let engine_with = |instruction_set: InstructionSet, tie_break: TieBreak| {
        let search = over_partition(instruction_set, blank_first.space(), &sum, &automaton)?;
        Some((format!("{instruction_set:?}, {}", tie_break.name()), Engine { search, tie_break }))
    };
    let engines: [Vec<(String, Engine)>; 2] = [TieBreak::Any, TieBreak::Canonical]
        .map(|tie_break| InstructionSet::ALL.into_iter().filter_map(|set| engine_with(set, tie_break)).collect());

    let shape = blank_first.goal().shape();
    let admit = |korf: &Korf| blank_first.admit(&board(shape, korf.tiles.iter().map(|&tile| usize::from(tile))));
    let korfs: Vec<Solvable> = hundred.iter().map(|korf| admit(korf).expect("solvable")).collect();
    let random = random_boards(&blank_first, 2000);
    let (mut korf_entries, mut random_entries) = (Vec::new(), Vec::new());
    for (name, engine) in engines.iter().flatten().rev() {
        korf_entries.push(Entry::new(format!("Korf's 100, {name}"), engine, &korfs));
        random_entries.push(Entry::new(format!("2,000 random, {name}"), engine, &random));
    }
    let mut scratch = Scratch::default();
    for _ in 0..ROUNDS {
        let (nodes, time) = timed(|| yardstick(&easiest));
        let seconds = time.as_secs_f64();
        println!("yardstick: {nodes} nodes in {seconds:.3} s, {:.1} M nodes/s", nodes as f64 / seconds / 1e6);
        if with_korf {
            for entry in &mut korf_entries {
                let lengths = entry.run(5, &mut scratch);
                assert!(lengths.iter().eq(hundred.iter().map(|korf| &korf.moves)), "{}", entry.name);
            }
        }
        if with_random {
            random_entries.iter_mut().for_each(|entry| drop(entry.run(1, &mut scratch)));
        }
    }
    for entries in [(with_korf, korf_entries), (with_random, random_entries)] {
        if let (true, entries) = entries {
            for variants in entries.chunks(entries.len() / engines.len()) {
                let nodes = variants[0].nodes;
                assert!(variants.iter().all(|entry| entry.nodes == nodes), "instruction sets differ in nodes");
            }
            entries.iter().for_each(Entry::print);
        }
    }
    if with_random && let Some((name, engine)) = engines.iter().flatten().last() {
        let random = random_boards(&blank_first, 10_000);
        let mut entry = Entry::new(format!("10,000 random, {name}"), engine, &random);
        entry.run(1, &mut scratch);
        entry.print();
    }
}

/// Measures searches with several goals, each with its own 7-8 tables, and compares the speed for
/// each goal with that for `blank-last`.
fn measure_goals() {
    const GOALS: [(&str, &str); 6] = [
        ("corner", "blank-last"),
        ("other corner", "13,2,3,4,5,6,7,8,9,10,11,12,0,14,15,1"),
        ("permutation", "7,3,14,1,9,12,5,15,2,10,8,4,6,11,13,0"),
        ("edge", "1,2,3,4,5,6,7,8,9,10,11,12,13,14,0,15"),
        ("centre", "1,2,3,4,5,6,7,8,9,10,0,11,12,13,14,15"),
        ("snail", "snail"),
    ];
    let automaton = Automaton::build(DEPTH);
    let prepared: Vec<(&str, Engine, Vec<Solvable>)> = GOALS
        .into_iter()
        .map(|(name, goal)| {
            let frame = frame(goal, "4x4");
            let engine = Engine::new(&frame, &build(&frame, "7-8", 2), &automaton);
            (name, engine, random_boards(&frame, 500))
        })
        .collect();
    let mut entries: Vec<Entry> = prepared
        .iter()
        .map(|(name, engine, boards)| Entry::new(format!("500 random, {name}"), engine, boards))
        .collect();
    let mut scratch = Scratch::default();
    for _ in 0..ROUNDS {
        entries.iter_mut().for_each(|entry| drop(entry.run(1, &mut scratch)));
    }
    let corner = median(entries[0].times.clone());
    for entry in &entries {
        entry.print();
        println!(
            "{:28} {:5.2} of the corner's speed",
            "",
            corner.as_secs_f64() / median(entry.times.clone()).as_secs_f64()
        );
    }
}

/// Measures building tables: processor time on one thread, wall time on two, and memory.
fn measure_builds() {
    for (shape, partition) in [("4x4", "6-6-3"), ("4x4", "7-7-1"), ("5x5", "6-6-6-6"), ("4x4", "7-8")] {
        let frame = frame("blank-last", shape);
        let (mut one, mut two, bytes) = (Vec::new(), Vec::new(), PdbSum::footprint(&parsed(&frame, partition)).kept);
        for _ in 0..ROUNDS {
            let (sum, time) = timed(|| build(&frame, partition, 1));
            drop(sum);
            one.push(time);
            let began = Instant::now();
            drop(build(&frame, partition, 2));
            two.push(began.elapsed());
        }
        let (one, two) = (median(one), median(two));
        print!(
            "build {shape} {partition:8} {one:8.3?} on one thread, {two:8.3?} wall on two; {} KB of tables",
            bytes >> 10
        );
        match peak_bytes() {
            Some(peak) => println!(", {} MB in the process at its peak", peak >> 20),
            None => println!(),
        }
    }
}

/// Two of the fifty boards of R. E. Korf and A. Felner, *Disjoint pattern database heuristics*,
/// Artificial Intelligence 134, 2002: number, tiles, length.
const KORF_FELNER: [(u8, [usize; 25], usize); 2] = [
    (40, [2, 17, 4, 13, 7, 12, 10, 3, 0, 16, 21, 24, 8, 5, 18, 20, 15, 19, 14, 9, 22, 11, 6, 1, 23], 82),
    (25, [3, 17, 9, 8, 24, 1, 11, 12, 14, 0, 5, 4, 22, 13, 16, 21, 15, 6, 7, 10, 20, 23, 2, 18, 19], 81),
];

/// Measures two 5x5 boards that take seconds.
fn measure_24_puzzle() {
    let frame = frame("blank-first", "5x5");
    let sum = build(&frame, "6-6-6-6", 2);
    let engine = Engine::new(&frame, &sum, &Automaton::build(13));
    let mut scratch = Scratch::default();
    for (id, tiles, moves) in KORF_FELNER {
        let boards = [frame.admit(&board(frame.goal().shape(), tiles)).expect("solvable")];
        let mut entry = Entry::new(format!("24-puzzle, number {id}"), &engine, &boards);
        assert_eq!(entry.run(1, &mut scratch), [moves]);
        entry.print();
        println!("{:28} {moves} moves in {:.2?} of processor time", "", entry.times[0]);
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen = |word: &str| words.is_empty() || words.iter().any(|given| given == word);
    // Builds come first: the peak memory of the process never falls, so it would include that of
    // earlier measurements.
    if chosen("builds") {
        measure_builds();
    }
    if chosen("korf") || chosen("random") {
        measure_search(chosen("korf"), chosen("random"));
    }
    if chosen("goals") {
        measure_goals();
    }
    if chosen("24-puzzle") {
        measure_24_puzzle();
    }
}
