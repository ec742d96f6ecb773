//! The memory of searches, measured by the allocator. Bidirectional search stays within its memory
//! and takes at most 16 bytes per state of the 15-puzzle. Good paths of small and large boards are
//! found within the solver's memory.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use taquin::internal::board::frame::Frame;
use taquin::internal::board::is_solvable;
use taquin::internal::engine::bidirectional::{self, BackwardFrontier};
use taquin::internal::engine::{Outcome, Stats, ThreadShare};
use taquin::internal::system::{Budget, Limits, Random};
use taquin::{Board, Goal, Limit, Parallel, Quality, Shape, Solver, Tile};

/// An allocator that counts the bytes that are allocated, now and at the peak.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

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

/// The working memory of a thread: batches, and its parts of the list of states.
const THREAD_BYTES: u64 = 128 << 10;

/// The bytes by which the sets of a frontier may exceed their size, because each begins and ends at
/// a boundary of huge pages: up to two pages of 2 MiB per set. A frontier has two sets, and a third
/// while one of them is rehashed. A fourth is counted as a margin.
const PAGE_OVERHEAD: u64 = 4 * (4 << 20);

/// Searches Korf's tenth 15-puzzle (rotated, 59 moves) until the memory for the backward or the
/// forward frontier is full. Returns the peak of allocated bytes, and the number of states in the
/// backward frontier.
fn search(threads: usize, backward_bytes: u64, forward_bytes: u64) -> (u64, u64) {
    let shape = Shape::new(4, 4).unwrap();
    let frame = Frame::new(&Goal::BlankLast.on(shape).unwrap()).unwrap();
    let tiles = [15, 14, 4, 11, 2, 10, 13, 12, 6, 9, 1, 0, 7, 8, 5, 3].map(Tile::new);
    let start = frame.admit(&Board::new(shape, &tiles).unwrap()).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let stop = AtomicBool::new(false);
        let budget = Budget::start(&Limits::default(), &stop);
        let thread_share = ThreadShare::new(Parallel::Within, threads);
        let before = BYTES.load(Relaxed);
        PEAK.store(before, Relaxed);
        let space = frame.space();
        let backward_frontier = BackwardFrontier::new(space.shape, space.goal_blank, backward_bytes);
        let outcome = bidirectional::solve(
            &backward_frontier,
            space,
            &start,
            &budget,
            &thread_share,
            forward_bytes,
            &mut Stats::default(),
        );
        let peak = PEAK.load(Relaxed) - before;
        assert!(matches!(outcome, Outcome::Unsolved { limit: Limit::Memory, .. }), "{outcome:?}");
        (peak as u64, backward_frontier.layers().iter().sum())
    })
}

/// A single test, because the whole process is measured.
#[test]
fn searches_stay_within_their_memory() {
    both_frontiers_stay_within_their_memory();
    good_paths_are_found_within_64_mebibytes();
}

/// Returns the first solvable board of a fixed sequence of random permutations.
fn shuffled(goal: &Board) -> Board {
    let (mut random, mut tiles) = (Random::new(5), goal.tiles().to_vec());
    loop {
        for last in (1..tiles.len()).rev() {
            tiles.swap(last, random.index(last + 1));
        }
        let board = Board::new(goal.shape(), &tiles).unwrap();
        if is_solvable(&board, goal) {
            return board;
        }
    }
}

/// With so little memory, beams are narrower or omitted, but a path is always found.
fn good_paths_are_found_within_64_mebibytes() {
    const MEMORY: u64 = 64 << 20;
    for (rows, cols) in [(4, 4), (5, 5), (6, 6), (8, 8), (10, 10), (2, 40), (3, 100), (2, 255), (30, 30)] {
        let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        let board = shuffled(&goal);
        for effort in [1, 4] {
            let before = BYTES.load(Relaxed);
            PEAK.store(before, Relaxed);
            let solver = Solver::builder().threads(2).memory(MEMORY).quality(Quality::Good).effort(effort);
            let answer = solver.build().unwrap().worker().solve(&board, &Goal::BlankLast).unwrap();
            assert!(answer.solution().is_some(), "{rows}x{cols} at {effort}");
            let peak = (PEAK.load(Relaxed) - before) as u64;
            assert!(peak <= MEMORY, "{rows}x{cols} at {effort}: {peak} bytes");
        }
    }
}

fn both_frontiers_stay_within_their_memory() {
    for threads in [1, 2] {
        for bytes in [2_000_000, 20_000_000] {
            let (peak, _) = search(threads, bytes, bytes);
            let limit = 2 * (bytes + PAGE_OVERHEAD) + THREAD_BYTES * threads as u64;
            assert!(peak <= limit, "{threads} threads: {peak} bytes of 2 × {bytes}");
        }
    }
    let (peak, states) = search(2, 200_000_000, 0);
    assert!(states > 6_000_000 && peak <= 16 * states + PAGE_OVERHEAD, "{peak} bytes, {states} states");
}
