//! Tests that the number of threads changes neither the outcome nor the stats, and that a stopped
//! search ends on all threads.

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::super::batch::Batched;
use super::super::deepen::search;
use super::super::list::Lists;
use super::super::partition::tables::PartitionTables;
use super::*;
use crate::engine::TieBreak::{Any, Canonical};

/// Asserts that outcome and stats do not depend on the number of threads, with each of these
/// amounts of memory.
fn assert_same_with_threads(
    searches: &Searches,
    tie_break: TieBreak,
    board: &Board,
    threads: &[usize],
    list_bytes: &[usize],
) {
    let start = searches.admit(board);
    for (search, &bytes) in
        searches.searches.iter().flat_map(|search| list_bytes.iter().map(move |bytes| (search, bytes)))
    {
        let solved = |thread_share: &ThreadShare| {
            let (mut stats, budget) = (Stats::default(), budget(None));
            let context = Context { tie_break, help_from: 0, ..Context::new(&budget, thread_share) };
            (search.solve(&start, &context, &mut Scratch::new(bytes), &mut stats), stats)
        };
        let alone = solved(&ThreadShare::alone());
        for &threads in threads {
            assert_eq!(with_threads(threads, solved), alone, "{board:?}: {threads} threads, {bytes} bytes");
        }
    }
}

#[test]
fn helpers_change_neither_path_nor_count() {
    let (goal, boards) = korf(&[12, 79]);
    for (guide, tie_break) in [("5-5-5", Canonical), ("5-5-5", Any), ("walking-conflict", Canonical)] {
        let searches = Searches::new(&goal, guide);
        for (board, _) in &boards {
            assert_same_with_threads(&searches, tie_break, board, &[2, 8], &[Scratch::BYTES, 50_000, 0]);
        }
        assert_same_with_threads(&searches, tie_break, &boards[0].0, &[1, 3], &[Scratch::BYTES, 100_000]);
    }
}

/// Searches with every type of node, some of them with too few chunks for helpers.
#[test]
fn helpers_change_no_outcome_with_any_type_of_node() {
    let cases = [
        (3, 3, "4-4", 22),
        (3, 4, "4-4-3", 200),
        (4, 4, "3-3-3-3-3", 34),
        (4, 5, "5-5-5-4", 40),
        (5, 5, "4-4-4-4-4-4", 36),
        (4, 4, "3-3-3-3-3+5-5-5", 36),
        (4, 4, "5-5-5+6-6-3", 400),
        (3, 3, "manhattan", 22),
        (5, 5, "walking-distance", 30),
    ];
    let mut random = Random::new(8);
    for (rows, cols, guide, moves) in cases {
        let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        let searches = Searches::new(&goal, guide);
        for (number, tie_break) in TieBreak::OPTIONS.into_iter().enumerate() {
            let board = walked(&goal, moves + number, &mut random);
            assert_same_with_threads(&searches, tie_break, &board, &[5], &LIST_BYTES);
        }
    }
}

#[test]
fn a_stop_ends_all_helpers() {
    let (goal, boards) = korf(&[17]);
    let frame = Frame::new(&goal).unwrap();
    let space = frame.space();
    let guide = PartitionTables::<u64, 4>::new(space, &tables(space, "5-5-5"), &Automaton::build(2)).unwrap();
    let expander = Batched { guide, instruction_set: InstructionSet::best() };
    let (board, path) = &boards[0];
    let root = expander.root_node(frame.admit(board).unwrap().state());
    for bytes in [Scratch::BYTES, 100_000] {
        let stop = AtomicBool::new(false);
        // Without the stop, the search would generate millions of nodes.
        let stopping = StoppingExpander { expander: &expander, stop: &stop, nodes: AtomicU64::new(0), after: 200_000 };
        let (outcome, stats) = with_threads(3, |thread_share| {
            let (mut lists, mut stats) = (Lists::default(), Stats::default());
            let budget = Budget::start(&Limits::default(), &stop);
            (search(&stopping, &*root, (&Context::new(&budget, thread_share), bytes), &mut lists, &mut stats), stats)
        });
        let Outcome::Unsolved { lower_bound, limit: Limit::Cancelled } = outcome else { panic!("{outcome:?}") };
        assert!(lower_bound > 0 && lower_bound as usize <= path.len());
        assert!(stats.generated > 1);
        // Each of the three threads ends within two polling intervals.
        assert!(stopping.nodes.into_inner() <= 200_000 + 3 * 2 * Budget::POLL_NODES);
    }
}
