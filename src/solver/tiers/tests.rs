//! Tests of which tiers are built and when.

use super::super::caches::BuiltOnce;
use super::*;
use crate::board::frame::Frame;
use crate::board::{Board, Cell, Goal, Move, Shape};
use crate::engine::contract::{Framed, Problem};
use crate::engine::{Parallel, SearchSnapshot, ThreadShare, TieBreak};
use crate::system::{Limits, MemoryBudget};

const FAR: &str = "12 8 10 6 1 0 7 5 9 11 14 3 13 15 4 2";
const NEAR: &str = "1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15";

/// Creates the tiers of a shape for two threads within `bytes` bytes.
fn tiers(rows: usize, cols: usize, bytes: u64) -> Tiers {
    let (shape, goal_blank) = (Shape::new(rows, cols).unwrap(), Cell::new(rows * cols - 1));
    let space = Space { shape, goal_blank, order: Move::ALL };
    let (walking_conflicts, memory_budget) = (BuiltOnce::default(), MemoryBudget::new(bytes));
    let builder = EngineBuilder { tie_break: TieBreak::Canonical, threads: 2, walking_conflicts, memory_budget };
    Tiers::new(&space, &Arc::new(builder)).unwrap()
}

/// Returns a budget without limits.
fn unlimited(stop: &AtomicBool) -> Budget<'_> {
    Budget::start(&Limits::default(), stop)
}

/// Calls `run` with the job of a board that is at this position in its input.
fn with_job(board: &str, time: Option<Duration>, input_position: &InputPosition, run: impl FnOnce(&Job<'_>)) {
    let (stop, board): (_, Board) = (AtomicBool::new(false), board.parse().unwrap());
    let goal = Goal::BlankLast.on(board.shape()).unwrap();
    let frame = Frame::new(&goal).unwrap();
    let start = frame.admit(&board).unwrap();
    let framed = Some(Framed { space: frame.space(), start: &start });
    let (limits, thread_share) = (Limits { time, ..Limits::default() }, ThreadShare::new(Parallel::Auto, 1));
    let job = Job {
        problem: Problem { board: &board, goal: &goal, framed },
        budget: &Budget::start(&limits, &stop),
        thread_share: &thread_share,
        input_position,
        beam: None,
    };
    run(&job);
}

/// Solves a board at a position in its input, and returns the highest tier that is then built.
fn highest_after(tiers: &Tiers, board: &str, time: Option<Duration>, input_position: &InputPosition) -> usize {
    with_job(board, time, input_position, |job| {
        let outcome = tiers.solve(job, &mut Scratch::new(1 << 20), &mut WorkDone::default());
        assert!(time.is_some() || matches!(outcome, Outcome::Solved(_)));
    });
    tiers.current_tier()
}

/// A board that is as far from the goal as random boards gets a tier before it is searched, if more
/// boards are expected and its time is not limited. A near board and a single board get none.
#[test]
fn far_boards_get_a_tier_at_once() {
    let fresh = || tiers(4, 4, 1 << 30);
    let tiers = fresh();
    assert!(tiers.full_table().is_none() && tiers.lookup().is_none());
    assert!(tiers.tiers[0].engine.get().is_none(), "the base is built for the first search");
    assert_eq!(highest_after(&tiers, FAR, None, &InputPosition::new(1, 9)), 1);
    assert_eq!(highest_after(&fresh(), FAR, None, &InputPosition::END), 0);
    assert_eq!(highest_after(&fresh(), FAR, Some(Duration::from_secs(3600)), &InputPosition::new(1, 9)), 0);
    assert_eq!(highest_after(&fresh(), NEAR, None, &InputPosition::new(1, 1_000_000)), 0);
    assert_eq!(highest_after(&fresh(), FAR, None, &InputPosition::new(1, 99)), 2);
}

#[test]
fn a_tier_that_does_not_fit_is_not_built() {
    let (tiers, stop) = (tiers(2, 7, 0), AtomicBool::new(false));
    assert_eq!(highest_after(&tiers, "11 3 6 12 10 7 4/1 9 2 8 0 13 5", None, &InputPosition::END), 0);
    assert_eq!((tiers.allowed().len(), tiers.break_even(0, &unlimited(&stop))), (1, None));
}

#[test]
fn more_boards_are_worth_a_higher_tier() {
    let tiers = tiers(4, 4, 1 << 30);
    for (boards, best) in [(2.0, 1), (30.0, 1), (100.0, 2), (3_000.0, 3)] {
        assert_eq!(tiers.best_tier(0, boards), best, "{boards}");
    }
    // Tables that are already built cost nothing.
    assert_eq!((tiers.best_tier(2, 2.0), tiers.best_tier(1, 10.0)), (2, 1));
}

#[test]
fn the_next_tier_pays_off_when_it_would_have_saved_its_cost() {
    let fresh = || tiers(4, 4, 1 << 30);
    let (tiers, stop) = (fresh(), AtomicBool::new(false));
    let budget = &unlimited(&stop);
    let break_even = tiers.break_even(0, budget).unwrap();
    assert!((1.0..1.1).contains(&(break_even / tiers.tiers[1].build_cost)));
    assert!(tiers.break_even(3, budget).is_none());
    let paid_off_after = |tiers: &Tiers, input_position: &InputPosition| {
        let is_too_early = |_: &usize| {
            with_job(NEAR, None, input_position, |job| tiers.arrive(job));
            !tiers.add_cost(0, break_even / 30.0, budget, input_position)
        };
        1 + (0..).take_while(is_too_early).count()
    };
    assert!((30..=31).contains(&paid_off_after(&tiers, &InputPosition::END)));
    // If many boards are to come, the first sixteen are enough to predict their cost.
    assert_eq!(paid_off_after(&fresh(), &InputPosition::new(1, 99)), 16);
}

/// A resumed search continues with the tables that it used, if these are available, and otherwise
/// begins at the base.
#[test]
fn a_resumed_search_gets_its_tier() {
    let empty = serde_json::to_string(&SearchSnapshot::default()).unwrap();
    for (heuristic, built) in [("5-5-4-1", 0), ("6-6-3", 1)] {
        let tiers = tiers(4, 4, 1 << 30);
        let snapshot = empty.replacen(r#""heuristic":"""#, &format!(r#""heuristic":"{heuristic}""#), 1);
        let log = SearchLog::after(Some(serde_json::from_str(&snapshot).unwrap()));
        let stop = AtomicBool::new(false);
        tiers.promote_to_tier_of_earlier_search(&WorkDone { log, ..WorkDone::default() }, &unlimited(&stop));
        assert_eq!(tiers.current_tier(), built, "{heuristic}");
    }
}

/// A build that is stopped at one board's deadline can begin again for a board with more time.
#[test]
fn building_ends_at_the_deadline() {
    let (mut tiers, stop) = (tiers(5, 5, 4 << 30), AtomicBool::new(false));
    let budget = |millis| Budget::start(&Limits { time: Some(Duration::from_millis(millis)), nodes: None }, &stop);
    tiers.promote(0, 1, &budget(50));
    assert_eq!(tiers.tiers[1].given_up_after.load(Ordering::Relaxed), 0, "the build must not begin");
    // The build now seems to be fast enough.
    tiers.tiers[1].build_cost = 1e6;
    tiers.promote(0, 1, &budget(50));
    assert!(tiers.tiers[1].given_up_after.load(Ordering::Relaxed) > 0);
    assert!(tiers.current_tier() == 0 && !tiers.is_in_time(&tiers.tiers[1], &budget(50)));
    assert!(tiers.break_even(0, &budget(50)).is_none() && tiers.break_even(0, &budget(3_600_000)).is_some());
}

const POLL: f64 = Budget::POLL_NODES as f64;

/// Returns the number of polls, up to `max`, before the patience is spent.
fn polls(patience: &Patience<'_>, max: usize) -> usize {
    (0..max).take_while(|_| !patience.is_spent()).count()
}

#[test]
fn an_iteration_that_ends_soon_may_end() {
    let tiers = tiers(4, 4, 4 << 30);
    let patience = |allowed_polls: f64, log| Patience::new(&tiers, 1, allowed_polls * POLL, log);
    // Without earlier iterations nothing is predicted, so the search ends at half of its nodes.
    assert_eq!(polls(&patience(20.0, SearchLog::new()), 100), 10);
    // Two iterations took 2 and 8 polls. The third is expected to take 32, and so to end at 42.
    let log = || {
        let log = SearchLog::new();
        [(40, 0), (42, 2 * Budget::POLL_NODES), (44, 10 * Budget::POLL_NODES)]
            .into_iter()
            .for_each(|(bound, nodes)| log.begin_iteration(bound, nodes));
        log
    };
    assert_eq!(polls(&patience(52.0, log()), 100), 42);
    assert_eq!(polls(&patience(40.0, log()), 100), 20);
}

#[test]
fn a_search_is_not_ended_for_tables_that_do_not_fit() {
    let tiers = tiers(4, 4, 1 << 20);
    // While tables are being built, it is not known what fits. Then `fits` returns true: the search
    // ends, and its board waits for the tables.
    let building = tiers.built.write();
    assert!(tiers.fits(1) && tiers.allowed().len() > 1);
    drop(building);
    assert_eq!(polls(&Patience::new(&tiers, 1, 10.0 * POLL, SearchLog::new()), 100), 100);
    assert_eq!(tiers.allowed().len(), 1);
}
