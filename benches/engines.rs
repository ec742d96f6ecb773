//! Measures the parallel searches: states generated per second on one thread and on two, and the
//! memory per state.
//!
//! ```text
//! cargo bench -p taquin-benches --bench engines               # everything, about two minutes
//! cargo bench -p taquin-benches --bench engines -- astar 4x4  # one engine, one shape
//! cargo bench -p taquin-benches --bench engines -- stored     # bytes per stored state only
//! ```
//!
//! Every board is solved alternately on one thread and on two, so that both runs see the same load
//! on a shared machine. To compare versions, use the generation rates on one thread. CPU time is
//! that of the process. If the wall time of a one-thread run exceeds its CPU time, the machine was
//! busy. The speedup on two threads is the median over the pairs of runs. The first line of the
//! output is the speedup of work that shares nothing. No search can exceed this speedup.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use taquin::internal::board::frame::Frame;
use taquin::internal::engine::bidirectional::{self, BackwardFrontier};
use taquin::internal::engine::{Outcome, Stats, ThreadShare, astar};
use taquin::internal::heuristic::WalkingConflict;
use taquin::internal::system::{Budget, Limits};
use taquin::{Board, Goal, Parallel, Shape, Tile};

/// An allocator that counts the bytes allocated now and at the peak.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// SAFETY: this is the system's allocator with two counters.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = BYTES.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let now = BYTES.fetch_add(layout.size(), Relaxed) + layout.size();
        PEAK.fetch_max(now, Relaxed);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns the user and system time of this process in seconds, or 0 if it is not reported.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

struct Run {
    moves: usize,
    generated: u64,
    seconds: f64,
    cpu_seconds: f64,
    /// The peak of allocated bytes.
    peak: usize,
    /// The number of states in the backward frontier.
    stored: u64,
}

fn run(engine: &str, frame: &Frame, heuristic: &Arc<WalkingConflict>, board: &Board, threads: usize) -> Run {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (space, stop) = (frame.space(), AtomicBool::new(false));
    let thread_share = ThreadShare::new(Parallel::Within, threads);
    let start = frame.admit(board).unwrap();
    let mut stats = Stats::default();
    let before = BYTES.load(Relaxed);
    PEAK.store(before, Relaxed);
    let (began, cpu) = (Instant::now(), cpu_seconds());
    let (outcome, stored) = pool.install(|| {
        let budget = Budget::start(&Limits::default(), &stop);
        if engine == "bidirectional" {
            // Enough for about 12 million states of the forward frontier and 24 million of the
            // backward one.
            let backward_frontier = BackwardFrontier::new(space.shape, space.goal_blank, 400 << 20);
            let outcome =
                bidirectional::solve(&backward_frontier, space, &start, &budget, &thread_share, 200 << 20, &mut stats);
            (outcome, backward_frontier.layers().iter().sum())
        } else {
            (astar::solve(heuristic, space, &start, &budget, &thread_share, 4 << 30, &mut stats), 0)
        }
    });
    let (seconds, cpu_seconds) = (began.elapsed().as_secs_f64(), cpu_seconds() - cpu);
    let moves = match outcome {
        Outcome::Solved(path) => path.len(),
        outcome => panic!("{outcome:?}"),
    };
    Run { moves, generated: stats.generated, seconds, cpu_seconds, peak: PEAK.load(Relaxed) - before, stored }
}

fn measure(engine: &str, board: &Board, pairs: usize) {
    let goal = Goal::BlankLast.on(board.shape()).unwrap();
    let frame = Frame::new(&goal).unwrap();
    let heuristic = Arc::new(WalkingConflict::new(frame.space().shape, frame.space().goal_blank));
    let mut speedups = Vec::new();
    for _ in 0..pairs {
        let [one, two] = [1, 2].map(|threads| run(engine, &frame, &heuristic, board, threads));
        speedups.push(one.seconds / two.seconds);
        for (threads, run) in [(1, &one), (2, &two)] {
            println!(
                "{engine:13} {} {:2} moves, {threads} thread(s): {:6.2} s, {:6.2} s of CPU, {:5.1} M generated, {:5.2} M/s, {:4.1} M/s of CPU; {:4} MiB, backward frontier {:.1} M states",
                board.shape(),
                run.moves,
                run.seconds,
                run.cpu_seconds,
                run.generated as f64 / 1e6,
                run.generated as f64 / 1e6 / run.seconds,
                run.generated as f64 / 1e6 / run.cpu_seconds,
                run.peak >> 20,
                run.stored as f64 / 1e6,
            );
        }
    }
    speedups.sort_by(f64::total_cmp);
    println!(
        "{engine:13} {} speedup on two threads: median {:.2} of {speedups:.2?}",
        board.shape(),
        speedups[speedups.len() / 2]
    );
}

/// Returns one of Korf's boards, rotated and renumbered for the goal with the blank last.
fn korf(board: [usize; 16]) -> Board {
    let tiles: Vec<Tile> = board.iter().rev().map(|&tile| Tile::new(if tile == 0 { 0 } else { 16 - tile })).collect();
    Board::new(Shape::new(4, 4).unwrap(), &tiles).unwrap()
}

/// Korf's twelfth board, 45 moves, and his tenth, 59.
const KORF_12: [usize; 16] = [14, 1, 9, 6, 4, 8, 12, 5, 7, 2, 3, 0, 10, 11, 13, 15];
const KORF_10: [usize; 16] = [13, 11, 8, 9, 0, 15, 7, 10, 4, 3, 6, 14, 5, 12, 2, 1];

/// Returns one of the eighteen farthest 3x4 boards, 53 moves.
fn far_rectangle() -> Board {
    let tiles = [4, 3, 2, 1, 11, 7, 6, 5, 0, 8, 10, 9].map(Tile::new);
    Board::new(Shape::new(3, 4).unwrap(), &tiles).unwrap()
}

/// Returns the peak memory of this process since the last call, and its current memory, in bytes.
#[cfg(target_os = "linux")]
fn resident() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let field = |name: &str| {
        let kilobytes = status.lines().find_map(|line| line.strip_prefix(name)?.trim().strip_suffix(" kB"))?;
        Some(kilobytes.trim().parse::<u64>().ok()? << 10)
    };
    let (peak, now) = (field("VmHWM:")?, field("VmRSS:")?);
    std::fs::write("/proc/self/clear_refs", "5").ok()?;
    Some((peak, now))
}

#[cfg(not(target_os = "linux"))]
fn resident() -> Option<(u64, u64)> {
    None
}

/// Runs a breadth-first search from the goal alone, and measures the bytes per stored state. The
/// search ends before it exceeds `nodes` generated nodes or `bytes` of memory. The forward frontier
/// has no memory, so only the backward one grows.
fn measure_stored(nodes: u64, bytes: u64) {
    let goal = Goal::BlankLast.on(Shape::new(4, 4).unwrap()).unwrap();
    let frame = Frame::new(&goal).unwrap();
    let (space, stop) = (frame.space(), AtomicBool::new(false));
    let start = frame.admit(&korf(KORF_10)).unwrap();
    let mut stats = Stats::default();
    let before = BYTES.load(Relaxed);
    PEAK.store(before, Relaxed);
    let resident_before = resident().map(|(_, now)| now);
    let cpu = cpu_seconds();
    let backward_frontier = BackwardFrontier::new(space.shape, space.goal_blank, bytes);
    let limits = Limits { nodes: Some(nodes), time: None };
    let budget = Budget::start(&limits, &stop);
    let outcome =
        bidirectional::solve(&backward_frontier, space, &start, &budget, &ThreadShare::alone(), 0, &mut stats);
    assert!(matches!(outcome, Outcome::Unsolved { .. }), "the search must end at its limit");
    let cpu = cpu_seconds() - cpu;
    let layers = backward_frontier.layers();
    let states = layers.iter().sum::<u64>() as f64;
    let peak = (PEAK.load(Relaxed) - before) as f64;
    let grown = resident_before.and_then(|before| Some((resident()?.0 - before) as f64));
    println!(
        "stored 4x4 {} layers: {:.1} M states, {:.1} M generated, {:.1} M/s of CPU; allocated at most {:.0} MB, {:.1} bytes per state; resident {}",
        layers.len(),
        states / 1e6,
        stats.generated as f64 / 1e6,
        stats.generated as f64 / 1e6 / cpu,
        peak / 1e6,
        peak / states,
        grown.map_or("unknown".into(), |grown| format!("{:.0} MB, {:.1} bytes per state", grown / 1e6, grown / states)),
    );
}

/// Returns the speedup on two threads of work that shares nothing and does not access memory.
fn machine_speedup() -> f64 {
    let work = || (0..400_000_000u64).fold(1u64, |sum, i| std::hint::black_box(sum.rotate_left(5) ^ i));
    let timed = |threads: u32| {
        let began = Instant::now();
        std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
        began.elapsed().as_secs_f64()
    };
    2.0 * timed(1) / timed(2)
}

fn main() {
    println!("machine: speedup on two threads {:.2?}", [(); 3].map(|()| machine_speedup()));
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen =
        |word: &str, choices: [&str; 2]| words.iter().all(|given| given == word || !choices.contains(&given.as_str()));
    if words.is_empty() || words.iter().any(|word| word == "stored") {
        // The first search is small. It makes the allocator take its first pages, so that the other
        // searches do not count these.
        for nodes in [1_000, 15_000_000, 30_000_000, 60_000_000, 110_000_000] {
            measure_stored(nodes, 8 << 30);
        }
        measure_stored(u64::MAX, 500_000_000);
    }
    if words.iter().any(|word| word == "stored") {
        return;
    }
    for (engine, square) in [("bidirectional", KORF_12), ("astar", KORF_10)] {
        if chosen(engine, ["bidirectional", "astar"]) && chosen("4x4", ["4x4", "3x4"]) {
            measure(engine, &korf(square), 7);
        }
        if chosen(engine, ["bidirectional", "astar"]) && chosen("3x4", ["4x4", "3x4"]) {
            measure(engine, &far_rectangle(), 7);
        }
    }
}
