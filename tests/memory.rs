//! What the search from both ends takes, counted by the allocator: never more than it was given, and at most 16 bytes
//! a state of the 15-puzzle.

#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use taquin::internal::board::frame::Frame;
use taquin::internal::engine::bidirectional::{self, GoalSide};
use taquin::internal::engine::{Outcome, Stats, ThreadShare};
use taquin::internal::system::{Budget, Limits};
use taquin::{Board, Goal, Limit, Parallel, Shape, Tile};

/// Counts what is allocated, and the most there was.
struct Counting;

static BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator, with two numbers beside it; every test of this file runs on it.
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

/// What a thread has in hand: batches, and the pieces of the list that it takes and makes.
const IN_HAND: u64 = 128 << 10;

/// Large arrays begin at a huge page and end with one: up to two pages of 2 MB each of address space more than they hold, for
/// the two sets, the successor and the list.
const AROUND: u64 = 4 * (4 << 20);

/// Korf's tenth 15-puzzle, turned around, 59 moves, on so many threads, the goal's side and the start's with so much
/// memory: the most bytes there were at once, and the states of the goal's side.
fn searched(threads: usize, goal_bytes: u64, start_bytes: u64) -> (u64, u64) {
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
        let goal_side = GoalSide::new(space.shape, space.goal_blank, goal_bytes);
        let outcome =
            bidirectional::solve(&goal_side, space, &start, &budget, &thread_share, start_bytes, &mut Stats::default());
        let peak = PEAK.load(Relaxed) - before;
        assert!(matches!(outcome, Outcome::Unsolved { limit: Limit::Memory, .. }), "{outcome:?}");
        (peak as u64, goal_side.layers().iter().sum())
    })
}

/// One test, because what is counted is the whole process's.
#[test]
fn both_ends_keep_to_their_memory_and_take_at_most_16_bytes_a_state() {
    for threads in [1, 2] {
        for bytes in [2_000_000, 20_000_000, 70_000_000] {
            let (peak, _) = searched(threads, bytes, bytes);
            let most = 2 * (bytes + AROUND) + IN_HAND * threads as u64;
            assert!(peak <= most, "{threads} threads: {peak} bytes of 2 × {bytes}");
        }
        let (peak, states) = searched(threads, 200_000_000, 0);
        assert!(states > 6_000_000 && peak <= 16 * states + AROUND, "{threads} threads: {peak} bytes, {states} states");
    }
}
