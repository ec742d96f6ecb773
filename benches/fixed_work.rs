//! Solves fixed boards, from input text to result lines, to compare machines and versions.
//!
//! ```text
//! cargo bench -p taquin-benches --bench fixed_work              # everything, about a minute
//! cargo bench -p taquin-benches --bench fixed_work -- 3x4       # one set of boards
//! ```
//!
//! Random boards come from a fixed seed, and results are discarded. Tables are built before the
//! clock starts. If the planner's choice would depend on the build time of tables, the workload
//! sets the engine and, if the engine needs one, the heuristic. Searches on one thread generate the
//! same number of nodes on every machine. This number is checked before the clock starts, so that
//! times of different searches are not compared by mistake.

use std::io;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput};
use taquin::files::Batch;
use taquin::internal::board::is_solvable;
use taquin::internal::system::Random;
use taquin::{Board, EngineKind, Goal, Shape, Solver, Tile};

struct Workload {
    name: &'static str,
    shape: (usize, usize),
    boards: Boards,
    engine: Option<EngineKind>,
    /// The sizes of the pattern databases, such as `6-6-3`.
    heuristic: Option<&'static str>,
    /// The number of nodes generated for all boards on one thread.
    nodes: u64,
}

enum Boards {
    Random(usize),
    One(&'static str),
}

const WORKLOADS: [Workload; 4] = [
    Workload { name: "3x3", shape: (3, 3), boards: Boards::Random(1_000_000), engine: None, heuristic: None, nodes: 0 },
    Workload {
        name: "3x4, full table",
        shape: (3, 4),
        boards: Boards::Random(300_000),
        engine: Some(EngineKind::Lookup),
        heuristic: None,
        nodes: 0,
    },
    Workload {
        name: "15-puzzle, 6-6-3",
        shape: (4, 4),
        boards: Boards::Random(100),
        engine: Some(EngineKind::IdaStar),
        heuristic: Some("6-6-3"),
        nodes: 16_800_081,
    },
    Workload {
        name: "Korf's 88th, 7-7-1",
        shape: (4, 4),
        // Of R. E. Korf's hundred boards (1985), the one with the most nodes, rotated and
        // renumbered for the goal with the blank last.
        boards: Boards::One("12 10 6 0 9 8 13 15 11 7 3 2 5 4 14 1"),
        engine: Some(EngineKind::IdaStar),
        heuristic: Some("7-7-1"),
        nodes: 730_567,
    },
];

/// Returns random solvable boards, one per line.
fn random_boards(goal: &Board, count: usize) -> String {
    let mut random = Random::new(1);
    let mut tiles: Vec<Tile> = goal.tiles().to_vec();
    let mut text = String::new();
    for _ in 0..count {
        random.shuffle(&mut tiles);
        let mut board = Board::new(goal.shape(), &tiles).expect("a permutation");
        if !is_solvable(&board, goal) {
            // Exchanging two tiles makes unsolvable boards solvable.
            let two: Vec<usize> = (0..tiles.len()).filter(|&cell| tiles[cell] != Tile::BLANK).take(2).collect();
            tiles.swap(two[0], two[1]);
            board = Board::new(goal.shape(), &tiles).expect("a permutation");
        }
        text += &board.to_string().replace('/', " ");
        text.push('\n');
    }
    text
}

fn batch(file: &Path, shape: Shape) -> Batch<'static> {
    Batch::new([file]).shape(shape)
}

/// Returns the sum of the numbers in lines such as `{"nodes":123}`.
fn sum(results: &[u8]) -> u64 {
    let number =
        |line: &str| line.trim_end_matches('}').rsplit(':').next().and_then(|number| number.parse::<u64>().ok());
    String::from_utf8_lossy(results).lines().filter_map(number).sum()
}

fn measure(criterion: &mut Criterion, workload: &Workload, folder: &Path) {
    let shape = Shape::new(workload.shape.0, workload.shape.1).expect("a shape");
    let goal = Goal::BlankLast.on(shape).expect("every shape has this goal");
    let text = match workload.boards {
        Boards::Random(count) => random_boards(&goal, count),
        Boards::One(board) => format!("{board}\n"),
    };
    let (file, count) = (folder.join("boards.txt"), text.lines().count());
    std::fs::write(&file, &text).expect("a file");
    let mut group = criterion.benchmark_group("fixed work");
    group.sample_size(10).warm_up_time(Duration::from_millis(1)).measurement_time(Duration::from_secs(3));
    group.throughput(Throughput::Elements(count as u64));
    for threads in [1, 2] {
        // More memory than any workload needs.
        let mut solver = Solver::builder().threads(threads).memory(2 << 30);
        if let Some(engine) = workload.engine {
            solver = solver.engine(engine);
        }
        if let Some(name) = workload.heuristic {
            solver = solver.heuristic(name.parse().expect("a heuristic"));
        }
        let solver = solver.build().expect("a solver");
        let checked = std::cell::OnceCell::new();
        group.bench_function(format!("{}, {threads} threads", workload.name), |b| {
            checked.get_or_init(|| {
                let mut results = Vec::new();
                let nodes = batch(&file, shape).fields("nodes".parse().expect("a field"));
                let counts = nodes.run(&solver, &mut results).expect("results");
                assert_eq!(counts.solved, count as u64);
                if threads == 1 {
                    assert_eq!(sum(&results), workload.nodes, "{}: the search has changed", workload.name);
                }
            });
            b.iter(|| batch(&file, shape).run(&solver, io::sink()).expect("results"));
        });
    }
    group.finish();
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let folder = tempfile::tempdir().expect("a folder");
    for workload in &WORKLOADS {
        measure(&mut criterion, workload, folder.path());
    }
    criterion.final_summary();
}
