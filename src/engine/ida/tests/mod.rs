//! Tests of the searches against tables of all states, against published values, and against each
//! other: with every guide, every instruction set, any memory and any number of threads.

mod paths;
mod resuming;
mod signature;
mod threads;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::expander::{DynExpander, ExpanderMemory, ExpansionResult, NodeChunk, NodeCounter};
use super::nodes::{NodeSlice, Nodes};
use super::*;
use crate::board::frame::{Frame, Space};
use crate::board::{Board, Cell, Goal, Move, Path, Shape, Solvable, State, Tile};
use crate::engine::automaton::Automaton;
use crate::engine::{Outcome, Parallel, Stats, ThreadShare, TieBreak};
use crate::heuristic::pdb::{CollectionTables, Partition, PdbCollection, PdbSum};
use crate::heuristic::{LinearConflict, Manhattan, SimpleHeuristic, WalkingConflict, WalkingDistance};
use crate::system::{Budget, InstructionSet, Limit, Limits, Random};

static NOT_STOPPED: AtomicBool = AtomicBool::new(false);

pub fn budget(nodes: Option<u64>) -> Budget<'static> {
    Budget::start(&Limits { nodes, time: None }, &NOT_STOPPED)
}

pub fn shuffled(shape: Shape, random: &mut Random) -> Board {
    let mut tiles: Vec<Tile> = (0..shape.cells()).map(Tile::new).collect();
    random.shuffle(&mut tiles);
    Board::new(shape, &tiles).unwrap()
}

/// Returns the board after a random walk from the goal, in which no move undoes the previous one.
pub fn walked(goal: &Board, moves: usize, random: &mut Random) -> Board {
    let (mut board, mut last, mut made) = (goal.clone(), None, 0);
    while made < moves {
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

/// Returns the goal of Korf's boards (Artificial Intelligence 27, 1985), and the boards with these
/// numbers, each with its canonical path.
pub fn korf(ids: &[usize]) -> (Board, Vec<(Board, String)>) {
    let shape = Shape::new(4, 4).unwrap();
    let lines =
        |text: &'static str| -> Vec<Vec<&str>> { text.lines().skip(1).map(|line| line.split(',').collect()).collect() };
    let boards = lines(include_str!("../../../../tests/data/korf100.csv"));
    let paths = lines(include_str!("../../../../tests/data/korf100_paths.csv"));
    let chosen = ids.iter().map(|&id| {
        assert_eq!((boards[id - 1][0], paths[id - 1][0]), (&*id.to_string(), &*id.to_string()));
        let tiles: Vec<Tile> = boards[id - 1][1].split(' ').map(|tile| Tile::new(tile.parse().unwrap())).collect();
        (Board::new(shape, &tiles).unwrap(), paths[id - 1][1].to_string())
    });
    (Goal::BlankFirst.on(shape).unwrap(), chosen.collect())
}

/// The shape, the blank's goal cell, and the partition.
type Key = (Shape, Cell, String);

/// Tables that are built once for all tests of a process.
struct Built<T>(Mutex<BTreeMap<Key, Arc<OnceLock<Arc<T>>>>>);

impl<T> Built<T> {
    const fn empty() -> Built<T> {
        Built(Mutex::new(BTreeMap::new()))
    }

    fn get(&self, space: &Space, partition: &str, build: impl FnOnce() -> T) -> Arc<T> {
        let key = (space.shape, space.goal_blank, partition.to_string());
        let entry = self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
        entry.get_or_init(|| Arc::new(build())).clone()
    }
}

pub fn tables(space: &Space, partition: &str) -> Arc<PdbSum> {
    static SUMS: Built<PdbSum> = Built::empty();
    SUMS.get(space, partition, || {
        let partition = Partition::parse(partition, space.shape, space.goal_blank).unwrap();
        PdbSum::build(&partition, 2, &NOT_STOPPED).unwrap()
    })
}

/// Returns the databases of the collection of all patterns of some partitions, which are separated
/// by plus signs.
pub fn databases_of(space: &Space, partitions: &str) -> Arc<CollectionTables> {
    static DATABASES: Built<CollectionTables> = Built::empty();
    DATABASES.get(space, partitions, || {
        let patterns = |text| Partition::parse(text, space.shape, space.goal_blank).unwrap().patterns().to_vec();
        let collection = PdbCollection::new(partitions.split('+').flat_map(patterns).collect()).unwrap();
        CollectionTables::build(&collection, &[], 2, &NOT_STOPPED).unwrap()
    })
}

/// Returns an automaton for searches over collections on boards of at most 5×5.
pub fn collection_automaton(depth: usize) -> Arc<Automaton> {
    Arc::new(Automaton::build_for_side(depth, 5, &NOT_STOPPED).unwrap())
}

/// The same search, once with every instruction set of the processor. All must give the same
/// answers and node counts.
pub struct Searches {
    pub frame: Frame,
    pub searches: Vec<Box<dyn Search>>,
}

const HEURISTICS: [&str; 4] = ["manhattan", "linear-conflict", "walking-distance", "walking-conflict"];

impl Searches {
    /// Creates searches guided by a heuristic, a partition, or the collection of all patterns of
    /// several partitions separated by plus signs.
    pub fn new(goal: &Board, guide: &str) -> Searches {
        let frame = Frame::new(goal).unwrap();
        let space = *frame.space();
        let (shape, blank) = (space.shape, space.goal_blank);
        let simple = |heuristic| plain(&Arc::new(heuristic), &space);
        let searches: Vec<Box<dyn Search>> = match guide {
            "manhattan" => vec![simple(SimpleHeuristic::Manhattan(Manhattan::new(shape, blank)))],
            "linear-conflict" => vec![simple(SimpleHeuristic::LinearConflict(LinearConflict::new(shape, blank)))],
            "walking-distance" => vec![simple(SimpleHeuristic::WalkingDistance(WalkingDistance::new(shape, blank)))],
            "walking-conflict" => vec![plain(&Arc::new(WalkingConflict::new(shape, blank)), &space)],
            collection if collection.contains('+') => {
                let (databases, automaton) = (databases_of(&space, collection), collection_automaton(4));
                let search = |instruction_set| over_collection(instruction_set, &space, &databases, &automaton);
                InstructionSet::ALL.into_iter().filter_map(search).collect()
            }
            partition => {
                let (sum, automaton) = (tables(&space, partition), Automaton::build(2));
                let search = |instruction_set| over_partition(instruction_set, &space, &sum, &automaton);
                InstructionSet::ALL.into_iter().filter_map(search).collect()
            }
        };
        assert!(!searches.is_empty());
        Searches { frame, searches }
    }

    pub fn admit(&self, board: &Board) -> Solvable {
        self.frame.admit(board).unwrap()
    }

    /// Returns the answer and the stats, which are the same for all searches.
    pub fn outcome(&self, board: &Board, tie_break: TieBreak, bytes: usize, nodes: Option<u64>) -> (Outcome, Stats) {
        let start = self.admit(board);
        let mut answers = self.searches.iter().map(|search| {
            let (mut scratch, budget, alone) = (Scratch::new(bytes), budget(nodes), ThreadShare::alone());
            let context = Context { tie_break, ..Context::new(&budget, &alone) };
            // The second run reuses the buffers of the first.
            let [first, second] = [(); 2].map(|()| {
                let mut stats = Stats::default();
                (search.solve(&start, &context, &mut scratch, &mut stats), stats)
            });
            assert_eq!(first, second);
            first
        });
        let first = answers.next().unwrap();
        assert!(answers.all(|other| other == first), "{board:?} in {bytes} bytes");
        first
    }

    pub fn path(&self, board: &Board, bytes: usize) -> Path {
        match self.outcome(board, TieBreak::Canonical, bytes, None) {
            (Outcome::Solved(path), _) => path,
            (outcome, _) => panic!("{board:?}: {outcome:?}"),
        }
    }
}

/// The bytes that lists may take: enough for a whole search, enough for part of one, very few, and
/// none.
pub const LIST_BYTES: [usize; 4] = [Scratch::BYTES, 20_000, 1_000, 0];

/// Runs a closure in a pool of `threads` threads, all of which may work on one board.
pub fn with_threads<T: Send>(threads: usize, run: impl FnOnce(&ThreadShare) -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let thread_share = ThreadShare::new(Parallel::Within, threads);
    let result = pool.install(|| run(&thread_share));
    assert_eq!(thread_share.idle(), threads - 1, "every helper has returned");
    result
}

/// An expander that stops the run after a number of nodes.
pub struct StoppingExpander<'a> {
    pub expander: &'a dyn DynExpander,
    pub stop: &'a AtomicBool,
    pub nodes: AtomicU64,
    pub after: u64,
}

impl DynExpander for StoppingExpander<'_> {
    fn root_node(&self, state: &State) -> Box<dyn Nodes> {
        self.expander.root_node(state)
    }

    fn expand_chunk(
        &self,
        chunk: &NodeChunk<NodeSlice>,
        memory: &mut ExpanderMemory,
        counter: &mut NodeCounter,
        result: &mut ExpansionResult,
    ) -> Result<Option<usize>, Limit> {
        let before = result.stats.generated;
        let end = self.expander.expand_chunk(chunk, memory, counter, result);
        let new = result.stats.generated - before;
        if self.nodes.fetch_add(new, Ordering::Relaxed).saturating_add(new) >= self.after {
            self.stop.store(true, Ordering::Relaxed);
        }
        end
    }

    fn children(
        &self,
        node: &dyn Nodes,
        bound: u16,
        memory: &mut ExpanderMemory,
        steps: &mut Vec<Move>,
        children: &mut Box<dyn Nodes>,
    ) {
        self.expander.children(node, bound, memory, steps, children);
    }

    fn descend(
        &self,
        node: &mut Box<dyn Nodes>,
        bound: u16,
        number: usize,
        memory: &mut ExpanderMemory,
        path: &mut Vec<Move>,
    ) {
        self.expander.descend(node, bound, number, memory, path);
    }
}
