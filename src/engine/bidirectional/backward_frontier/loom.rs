//! Models of the shared backward frontier for the model checker loom. It tries all interleavings of
//! the threads that grow the frontier, up to a number of preemptions.
//!
//! ```text
//! scripts/models backward_frontier::loom
//! ```
//!
//! The boards are 2×2. Their twelve states form a ring, so the sizes of the layers around any goal
//! are known without a search: 1, five times 2, and 1 on the far side, which is reached from both
//! directions at the same time. In these models a piece of a list has one state and the first set
//! has space for six. So two threads can work on a layer of two states, and the layer of depth 3
//! needs a separate set, larger than the first. Waits do not time out in models: a missing
//! notification is a deadlock. Two models plant a fault to show that the models can fail.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use ::loom::model::Builder;
use ::loom::thread;

use super::*;
use crate::board::State;
use crate::engine::Parallel;
use crate::engine::visited::{Insert, Note};
use crate::system::{Limits, Meter};

/// The number of states at each distance from the goal.
const RING: [u64; 7] = [1, 2, 2, 2, 2, 2, 1];

/// Memory for more states than exist.
const PLENTY: u64 = 1 << 12;

static NEVER: AtomicBool = AtomicBool::new(false);

fn unlimited() -> Budget<'static> {
    Budget::start(&Limits::default(), &NEVER)
}

/// Returns the keys of the ring, each with its distance from the goal.
fn ring() -> Vec<(u64, u8)> {
    let shape = Shape::new(2, 2).unwrap();
    let goal = State::goal(shape, Cell::new(3));
    let round = |turn: usize| {
        // The blank circles the four cells in one direction.
        let circle = [3, 1, 0, 2];
        std::iter::successors(Some((goal, 0)), move |&(mut state, depth): &(State, u8)| {
            let at = circle.iter().position(|&cell| cell == state.blank().index()).unwrap();
            state.slide(Cell::new(circle[(at + turn) % 4]));
            Some((state, depth + 1))
        })
    };
    let states = round(1).take(7).chain(round(3).skip(1).take(5));
    states.map(|(state, depth)| (state.pack(4), depth)).collect()
}

/// Returns a backward frontier with the layers up to a depth.
fn with_layers(depth: u8, bytes: u64) -> Arc<SharedFrontier<u64>> {
    let shared = SharedFrontier::of(Shape::new(2, 2).unwrap(), Cell::new(3), bytes);
    shared.reach(depth, &mut shared.layers(), &unlimited(), &ThreadShare::alone()).unwrap();
    Arc::new(shared)
}

/// Runs a board that needs the layer of a depth, checks the layers, and returns the board's result.
fn run_board(
    shared: &SharedFrontier<u64>,
    depth: u8,
    budget: &Budget,
    thread_share: &ThreadShare,
) -> Result<u64, Limit> {
    let generated = shared.reach(depth, &mut shared.layers(), budget, thread_share)?;
    check(shared, depth);
    Ok(generated)
}

/// Checks that all states up to a depth are in the sets, with their depth.
fn check(shared: &SharedFrontier<u64>, depth: u8) {
    let sets = shared.sets();
    for (key, distance) in ring().into_iter().filter(|&(_, distance)| distance <= depth) {
        assert_eq!(sets.at(distance).get(key), Some(Note::new(distance)), "a complete layer lacks a state");
    }
}

fn states(shared: &SharedFrontier<u64>) -> Vec<u64> {
    shared.layers().iter().map(|layer| layer.states).collect()
}

/// Checks all interleavings of a model, or only those with at most `bound` preemptions.
fn model(bound: Option<usize>, run: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = bound;
    builder.check(run);
}

/// Runs two boards at the same time. Exactly the layers that they need are grown, and each is
/// counted once.
fn two_boards(bound: Option<usize>, from: u8, needed: [u8; 2]) {
    model(bound, move || {
        let shared = with_layers(from, PLENTY);
        let other = Arc::clone(&shared);
        let first = thread::spawn(move || run_board(&other, needed[0], &unlimited(), &ThreadShare::alone()).unwrap());
        let second = run_board(&shared, needed[1], &unlimited(), &ThreadShare::alone()).unwrap();
        let generated = first.join().unwrap() + second;
        let deepest = usize::from(needed[0].max(needed[1]));
        assert_eq!(states(&shared), RING[..=deepest]);
        // Without the inverse move, every state except the goal has one child.
        assert_eq!(generated, RING[usize::from(from)..deepest].iter().sum::<u64>());
    });
}

#[test]
fn two_boards_grow_one_layer() {
    two_boards(Some(3), 1, [2, 2]);
}

/// Both states of the previous layer have the same child: two threads insert one key.
#[test]
fn two_boards_reach_the_far_side() {
    two_boards(Some(3), 5, [6, 6]);
}

#[test]
fn two_boards_need_a_larger_set() {
    model(None, || {
        let first = with_layers(2, PLENTY).sets();
        assert!(
            first.are_shared() && with_layers(3, PLENTY).sets().bytes() > first.bytes(),
            "no larger set was needed"
        );
    });
    two_boards(Some(2), 2, [3, 3]);
}

#[test]
fn one_board_needs_more_layers_than_the_other() {
    two_boards(Some(2), 1, [2, 3]);
}

#[test]
fn a_helper_joins() {
    model(Some(3), || {
        let shared = with_layers(1, PLENTY);
        let thread_share = ThreadShare::new(Parallel::Within, 2);
        assert_eq!(run_board(&shared, 2, &unlimited(), &thread_share), Ok(2));
        assert_eq!(states(&shared), RING[..=2]);
    });
}

/// A board finds the states of a complete layer while another board inserts states or rehashes the
/// set.
fn reads_while_another_grows(from: u8) {
    model(Some(3), move || {
        let shared = with_layers(from, PLENTY);
        let other = Arc::clone(&shared);
        let grower = thread::spawn(move || run_board(&other, from + 1, &unlimited(), &ThreadShare::alone()));
        check(&shared, shared.layers().len() as u8 - 1);
        assert_eq!(grower.join().unwrap(), Ok(2));
    });
}

#[test]
fn a_board_reads_while_another_grows() {
    reads_while_another_grows(1);
}

#[test]
fn a_board_reads_while_another_rehashes() {
    reads_while_another_grows(2);
}

/// A meter that is spent after this many polls.
#[derive(Debug)]
struct Polls(AtomicUsize);

impl Meter for Polls {
    fn is_spent(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

/// A board reaches its limit at its first, second, third or fourth poll. The other board or a third
/// one continues.
#[test]
fn a_limit_ends_a_board_in_the_middle_of_a_layer() {
    for polls in 0..4 {
        for other_is_limited in [false, true] {
            model(Some(2), move || {
                let shared = with_layers(1, PLENTY);
                let other = Arc::clone(&shared);
                let limited = thread::spawn(move || {
                    run_board(&other, 2, &unlimited().metered(&Polls(AtomicUsize::new(polls))), &ThreadShare::alone())
                });
                let one = Polls(AtomicUsize::new(1));
                let budget = if other_is_limited { unlimited().metered(&one) } else { unlimited() };
                let second = run_board(&shared, 2, &budget, &ThreadShare::alone());
                let first = limited.join().unwrap();
                assert!(second.is_ok() || other_is_limited);
                for result in [first, second] {
                    assert!(matches!(result, Ok(0 | 2) | Err(Limit::Time)), "{result:?}");
                }
                run_board(&shared, 2, &unlimited(), &ThreadShare::alone()).unwrap();
                assert_eq!(states(&shared), RING[..=2]);
            });
        }
    }
}

/// The larger set that the layer needs does not fit into memory, so the layer is not begun.
#[test]
fn two_boards_find_no_memory() {
    model(None, || {
        // Enough for a set of one cache line and a list of two states, but not for a second cache
        // line.
        let shared = with_layers(2, 64 + 2 * 8 + 63);
        both_report_memory(&shared, 3);
    });
}

/// The set has no slot for a state of the layer, so the layer is not published.
#[test]
fn two_boards_find_the_set_full() {
    model(Some(3), || {
        let shared = with_layers(1, PLENTY);
        let sets = shared.sets();
        let strangers =
            (0..).map(|key| 0xFF00 + key).take_while(|&key| sets.at(2).insert(key, Note::new(8)) == Insert::New);
        assert_eq!(strangers.count(), 8 - 3, "one line, three states of the ring");
        both_report_memory(&shared, 2);
    });
}

fn both_report_memory(shared: &Arc<SharedFrontier<u64>>, depth: u8) {
    let other = Arc::clone(shared);
    let first = thread::spawn(move || run_board(&other, depth, &unlimited(), &ThreadShare::alone()));
    assert_eq!(run_board(shared, depth, &unlimited(), &ThreadShare::alone()), Err(Limit::Memory));
    assert_eq!(first.join().unwrap(), Err(Limit::Memory));
    assert_eq!(states(shared), RING[..usize::from(depth)]);
}

/// If a board does not check under the lock that its layer is still unpublished, it begins the next
/// layer, which no board needs.
#[test]
#[should_panic(expected = "no board needs")]
fn planted_fault_no_second_check() {
    model(Some(2), || {
        let shared = with_layers(1, PLENTY);
        let other = Arc::clone(&shared);
        let grow = |shared: &SharedFrontier<u64>| {
            while shared.layers().len() <= 2 {
                shared.advance(usize::MAX, &unlimited(), &ThreadShare::alone()).unwrap();
            }
        };
        let first = thread::spawn(move || grow(&other));
        grow(&shared);
        first.join().unwrap();
        assert_eq!(states(&shared), RING[..=2], "a layer that no board needs");
    });
}

/// A layer that is not yet published must not be read.
#[test]
#[should_panic(expected = "a complete layer lacks a state")]
fn planted_fault_a_layer_is_read_too_early() {
    model(Some(2), || {
        let shared = with_layers(1, PLENTY);
        let other = Arc::clone(&shared);
        let grower = thread::spawn(move || run_board(&other, 2, &unlimited(), &ThreadShare::alone()));
        check(&shared, 2);
        grower.join().unwrap().unwrap();
    });
}
