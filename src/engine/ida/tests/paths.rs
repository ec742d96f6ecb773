//! Tests of canonical paths, of other shortest paths, and of limits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::super::plain::Plain;
use super::*;
use crate::board::replay::replay;
use crate::engine::test_support::Reference;
use crate::system::Meter;

/// Asserts that canonical paths equal those of [`Reference`], for goals with the blank in every
/// cell and with different amounts of memory.
fn assert_agrees_with_reference(rows: usize, cols: usize, guide: &str, boards_per_goal: usize) {
    let shape = Shape::new(rows, cols).unwrap();
    let (mut random, mut blanks) = (Random::new(11), 0u32);
    while blanks.count_ones() < shape.cells() as u32 {
        let goal = shuffled(shape, &mut random);
        if blanks >> goal.blank().index() & 1 == 1 {
            continue;
        }
        blanks |= 1 << goal.blank().index();
        let searches = Searches::new(&goal, guide);
        let table = Reference::build(searches.frame.space()).unwrap();
        let mut boards = 0;
        while boards < boards_per_goal {
            let board = shuffled(shape, &mut random);
            let Some(start) = searches.frame.admit(&board) else { continue };
            boards += 1;
            let mut expected = Path::new();
            table.solve(&start, &mut expected);
            assert_eq!(searches.path(&board, LIST_BYTES[boards % LIST_BYTES.len()]), expected, "{board:?} to {goal:?}");
        }
        assert_eq!(searches.path(&goal, LIST_BYTES[0]), Path::new());
    }
}

#[test]
fn paths_of_3x3_match_the_reference() {
    assert_agrees_with_reference(3, 3, "4-4", 56);
    assert_agrees_with_reference(3, 3, "4-4+5-3", 28);
    for guide in HEURISTICS {
        assert_agrees_with_reference(3, 3, guide, 12);
    }
}

#[test]
fn paths_of_2x4_4x2_and_smaller_match_the_reference() {
    assert_agrees_with_reference(2, 4, "4-3", 100);
    assert_agrees_with_reference(4, 2, "3-2-2", 50);
    assert_agrees_with_reference(2, 3, "3-2", 30);
    assert_agrees_with_reference(2, 2, "1-1-1", 5);
    assert_agrees_with_reference(4, 2, "3-2-2+5-2", 30);
    assert_agrees_with_reference(2, 3, "3-2+2-2-1", 30);
    for (rows, cols, guide) in [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)]
        .into_iter()
        .flat_map(|(rows, cols)| HEURISTICS.map(|guide| (rows, cols, guide)))
    {
        assert_agrees_with_reference(rows, cols, guide, 20);
    }
}

/// Small boards are searched in narrow words. Wide words give the same paths.
#[test]
fn words_of_both_widths_find_the_same_paths() {
    let mut random = Random::new(7);
    let goal = Goal::BlankLast.on(Shape::new(4, 4).unwrap()).unwrap();
    let narrow = Searches::new(&goal, "walking-conflict");
    let space = narrow.frame.space();
    let heuristic = Arc::new(WalkingConflict::new(space.shape, space.goal_blank));
    let search: Box<dyn Search> = Box::new(Plain::<u128, _>::new(&heuristic, space));
    let wide = Searches { frame: Frame::new(&goal).unwrap(), searches: vec![search] };
    for bytes in LIST_BYTES {
        let board = walked(&goal, 60, &mut random);
        assert_eq!(wide.path(&board, bytes), narrow.path(&board, bytes));
    }
}

/// Searches with every type of node, and with every type of mirror or none, find the same paths as
/// the search with walking-conflict.
#[test]
fn larger_shapes_agree_with_each_other() {
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
        (2, 9, Goal::BlankLast, "manhattan", 26),
        (3, 7, Goal::BlankLast, "linear-conflict", 26),
        (4, 5, Goal::BlankLast, "walking-distance", 28),
    ];
    let mut random = Random::new(3);
    for (rows, cols, goal, guide, moves) in cases {
        let goal = goal.on(Shape::new(rows, cols).unwrap()).unwrap();
        let (searches, other) = (Searches::new(&goal, guide), Searches::new(&goal, "walking-conflict"));
        for bytes in LIST_BYTES {
            let board = walked(&goal, moves, &mut random);
            let path = searches.path(&board, bytes);
            assert_eq!(path, other.path(&board, Scratch::BYTES), "{board:?} to {goal:?}");
            assert_eq!(replay(&board, &goal, path.letters()), Ok(()));
        }
    }
}

#[test]
fn korfs_easy_boards_have_their_canonical_paths() {
    let (goal, boards) = korf(&[12, 16, 55, 79, 42, 9]);
    for guide in ["6-6-3", "5-5-5", "walking-conflict"] {
        let searches = Searches::new(&goal, guide);
        for (board, path) in &boards {
            for bytes in [Scratch::BYTES, 300_000] {
                assert_eq!(searches.path(board, bytes).to_string(), *path, "{board:?} with {guide}");
            }
            assert_eq!(replay(board, &goal, path.as_bytes()), Ok(()));
        }
    }
}

/// Tests Korf's hundred boards with the largest tables and every instruction set.
#[test]
#[ignore = "builds tables of 196 MB; run in release by scripts/cross-check"]
fn korfs_hundred_have_their_canonical_paths() {
    let ids: Vec<usize> = (1..=100).collect();
    let (goal, boards) = korf(&ids);
    let searches = Searches::new(&goal, "7-8");
    for (board, path) in &boards {
        for bytes in [Scratch::BYTES, 100_000] {
            assert_eq!(searches.path(board, bytes).to_string(), *path, "{board:?}");
        }
    }
}

/// A limited search generates exactly as many nodes as allowed, and its lower bound does not fall
/// as the limit grows. The reported number of nodes suffices to solve the board. The point where a
/// search stops does not depend on the instruction set ([`Searches::outcome`] compares them).
#[test]
fn node_limits_are_exact() {
    let (goal, boards) = korf(&[2, 12]);
    for (guide, (board, path)) in [("5-5-5", &boards[0]), ("5-5-5+6-6-3", &boards[0]), ("linear-conflict", &boards[1])]
    {
        let searches = Searches::new(&goal, guide);
        for bytes in [Scratch::BYTES, 50_000, 0] {
            let (solved, unlimited) = searches.outcome(board, TieBreak::Canonical, bytes, None);
            assert_eq!(solved, Outcome::Solved(path.parse().unwrap()));
            let mut proven = 1;
            let limits = [1, 2, 1000, Budget::POLL_NODES, Budget::POLL_NODES + 1, 40_000, unlimited.generated - 1];
            for nodes in limits.into_iter().filter(|&nodes| nodes < unlimited.generated) {
                let (outcome, stats) = searches.outcome(board, TieBreak::Canonical, bytes, Some(nodes));
                let Outcome::Unsolved { lower_bound, limit: Limit::Nodes } = outcome else { panic!("{outcome:?}") };
                assert_eq!(stats.generated, nodes);
                assert!(lower_bound >= proven && lower_bound as usize <= path.len());
                proven = lower_bound;
            }
            let enough = searches.outcome(board, TieBreak::Canonical, bytes, Some(unlimited.generated));
            assert_eq!(enough, (solved, unlimited), "{guide} in {bytes} bytes");
        }
    }
}

/// While a list grows, no node is generated twice, so more memory means fewer nodes.
#[test]
fn memory_saves_nodes() {
    let (goal, boards) = korf(&[12]);
    let searches = Searches::new(&goal, "linear-conflict");
    let generated = |bytes| searches.outcome(&boards[0].0, TieBreak::Canonical, bytes, None).1.generated;
    let (none, some, all) = (generated(0), generated(100_000), generated(1 << 30));
    assert!(none > some && some > all, "{none} {some} {all}");
}

#[test]
fn a_stopped_run_proves_the_first_bound() {
    let (goal, boards) = korf(&[1]);
    let stop = AtomicBool::new(true);
    let (budget, alone) = (Budget::start(&Limits::default(), &stop), ThreadShare::alone());
    for guide in ["manhattan", "5-5-5"] {
        let searches = Searches::new(&goal, guide);
        for search in &searches.searches {
            let mut stats = Stats::default();
            let start = searches.admit(&boards[0].0);
            let outcome = search.solve(&start, &Context::new(&budget, &alone), &mut Scratch::default(), &mut stats);
            let Outcome::Unsolved { lower_bound, limit: Limit::Cancelled } = outcome else { panic!("{outcome:?}") };
            assert!(lower_bound > 0 && lower_bound as usize <= boards[0].1.len());
            assert_eq!(stats, Stats { expanded: 0, generated: 1 });
        }
    }
}

/// A meter that ends a search at its tenth poll.
#[derive(Debug, Default)]
struct TenPolls(AtomicU64);

impl Meter for TenPolls {
    fn is_spent(&self) -> bool {
        self.0.fetch_add(1, Ordering::Relaxed) >= 9
    }
}

/// A search polls its limits at least once in two polling intervals, even if there are few nodes
/// below each root.
#[test]
fn limits_are_polled_in_time() {
    let (goal, boards) = korf(&[17]);
    let alone = ThreadShare::alone();
    for guide in ["linear-conflict", "walking-conflict", "5-5-5", "5-5-5+6-6-3"] {
        let searches = Searches::new(&goal, guide);
        for search in &searches.searches {
            let (polls, mut stats) = (TenPolls::default(), Stats::default());
            let budget = budget(None).metered(&polls);
            let start = searches.admit(&boards[0].0);
            let outcome = search.solve(&start, &Context::new(&budget, &alone), &mut Scratch::default(), &mut stats);
            assert!(matches!(outcome, Outcome::Unsolved { .. }), "{guide}: {outcome:?}");
            assert!(stats.generated <= 20 * Budget::POLL_NODES, "{guide}: {stats:?}");
        }
    }
}

#[test]
fn no_search_uses_instructions_that_the_processor_lacks() {
    let goal = Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
    let frame = Frame::new(&goal).unwrap();
    let sum = tables(frame.space(), "4-4");
    assert!(InstructionSet::best().is_available() && InstructionSet::Portable.is_available());
    for instruction_set in InstructionSet::ALL {
        let search = over_partition(instruction_set, frame.space(), &sum, &Automaton::build(2));
        assert_eq!(search.is_some(), instruction_set.is_available());
    }
}

/// A tile in no pattern would break the parity on which the bounds depend. Tables of another goal
/// cannot be used.
#[test]
fn every_tile_must_be_in_a_pattern_of_this_goal() {
    let goal = Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
    let frame = Frame::new(&goal).unwrap();
    let search = |frame: &Frame, sum| over_partition(InstructionSet::best(), frame.space(), &sum, &Automaton::build(2));
    assert!(search(&frame, tables(frame.space(), "0,1,2/3,4,5,6")).is_none());
    assert!(search(&frame, tables(frame.space(), "0,1,2,7/3,4,5,6")).is_some());
    let snail = Frame::new(&Goal::Snail.on(goal.shape()).unwrap()).unwrap();
    assert!(search(&snail, tables(frame.space(), "4-4")).is_none());
}

/// If any shortest path will do, the path found leads to the goal and is as long as the canonical
/// one, and node limits are exact.
#[test]
fn any_path_is_as_short_as_the_canonical_one() {
    let mut random = Random::new(3);
    let cases = [
        (3, 3, "4-4", 400),
        (3, 4, "4-4-3", 300),
        (4, 4, "5-5-5", 80),
        (5, 5, "4-4-4-4-4-4", 44),
        (4, 4, "5-5-5+6-6-3", 120),
        (3, 3, "linear-conflict", 400),
        (3, 4, "walking-conflict", 300),
    ];
    for (rows, cols, guide, moves) in cases {
        let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        let searches = Searches::new(&goal, guide);
        let mut different = 0;
        for number in 0..8 {
            let board = walked(&goal, moves + number % 2, &mut random);
            let bytes = LIST_BYTES[number % LIST_BYTES.len()];
            let canonical = searches.path(&board, bytes);
            let (any, unlimited) = (TieBreak::Any, searches.outcome(&board, TieBreak::Any, bytes, None));
            let (Outcome::Solved(found), Stats { generated, .. }) = &unlimited else { panic!("{board:?}") };
            assert_eq!(found.len(), canonical.len(), "{board:?}");
            replay(&board, &goal, found.letters()).unwrap();
            different += usize::from(*found != canonical);
            assert_eq!(searches.outcome(&board, any, bytes, Some(*generated)), unlimited);
            let (limited, stats) = searches.outcome(&board, any, bytes, Some(generated - 1));
            assert!(matches!(limited, Outcome::Unsolved { .. }) && stats.generated == generated - 1, "{board:?}");
        }
        assert!(different > 0, "{guide}");
    }
}
