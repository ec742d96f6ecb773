//! Heights of ladders, patience, and what is built at once.

use super::*;
use crate::board::frame::Frame;
use crate::board::{Board, Cell, Goal, Shape};
use crate::engine::contract::{Framed, Problem};
use crate::engine::{Halfway, Parallel, SearchLog};
use crate::system::{Limits, RemainingWork};

/// A ladder of 4×4 for two threads.
fn fifteen() -> Ladder {
    ladder(4, 4, 1 << 30)
}

/// A ladder for two threads, within so many bytes.
fn ladder(rows: usize, cols: usize, bytes: u64) -> Ladder {
    let (shape, goal_blank) = (Shape::new(rows, cols).unwrap(), Cell::new(rows * cols - 1));
    let space = Space { shape, goal_blank, order: crate::board::Move::ALL };
    let foot = Box::new(move || IdaStar::new(Arc::new(WalkingConflict::new(shape, goal_blank)), "walking-conflict"));
    Ladder::new(&space, foot, TieBreak::Canonical, 2, &Arc::new(MemoryBudget::new(bytes))).unwrap()
}

/// The height of a ladder after a single board.
fn height_after(board: &str, time: Option<Duration>) -> usize {
    let ladder = fifteen();
    solve(&ladder, &board.parse().unwrap(), time);
    ladder.height.load(Ordering::Relaxed)
}

/// Solves a single board.
fn solve(ladder: &Ladder, board: &Board, time: Option<Duration>) -> Outcome {
    let stop = AtomicBool::new(false);
    let goal = Goal::BlankLast.on(board.shape()).unwrap();
    let frame = Frame::new(&goal).unwrap();
    let start = frame.admit(board).unwrap();
    let framed = Some(Framed { space: frame.space(), start: &start });
    let (limits, thread_share) = (Limits { time, ..Limits::default() }, ThreadShare::new(Parallel::Auto, 1));
    thread_share.set_remaining_work(RemainingWork::FINISHED);
    let job = Job {
        problem: Problem { board, goal: &goal, framed },
        budget: &Budget::start(&limits, &stop),
        thread_share: &thread_share,
        beam: None,
    };
    ladder.solve(&job, &mut Scratch::new(1 << 20), &mut Effort::default())
}

/// A board as far as random ones needs no foot, nor does a look for a table of all states.
#[test]
fn the_foot_is_built_for_the_first_board_that_needs_it() {
    let ladder = fifteen();
    assert!(ladder.full_table().is_none());
    solve(&ladder, &"12 8 10 6 1 0 7 5 9 11 14 3 13 15 4 2".parse().unwrap(), None);
    assert!(ladder.foot.get().is_none());
    let ladder = fifteen();
    solve(&ladder, &"1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15".parse().unwrap(), None);
    assert!(ladder.foot.get().is_some());
}

/// On 5×5 the second set has the patterns of the first, which cost nothing where it stands and are part of the price where it does not.
#[test]
fn the_price_of_a_set_depends_on_what_stands() {
    let ladder = ladder(5, 5, 1 << 33);
    let from = |height: usize| ladder.stages[height..].iter().map(|stage| stage.placements(height)).collect::<Vec<_>>();
    let (foot, first, second) = (from(0), from(1), from(2));
    assert_eq!((foot[1], foot[2]), (first[0], first[1]));
    assert!(first[1] > first[0] && first[1] > second[0] + first[0] / 2, "{first:?} {second:?}");
}

/// Where the first stage costs next to nothing, and there is no memory for it, boards are solved at the foot however long that takes.
#[test]
fn a_cheap_stage_that_does_not_fit_is_done_without() {
    let ladder = ladder(2, 7, 0);
    assert!(ladder.is_first_cheap());
    let board = "11 3 6 12 10 7 4/1 9 2 8 0 13 5".parse().unwrap();
    assert!(matches!(solve(&ladder, &board, None), Outcome::Solved(path) if path.len() == 48));
    assert_eq!((ladder.height.load(Ordering::Relaxed), ladder.top.load(Ordering::Relaxed)), (0, 0));
}

/// A board as far as random ones has a stage built for it before it is searched, unless its time is limited; one that is near has not.
#[test]
fn a_far_board_has_a_stage_at_once() {
    let far = "12 8 10 6 1 0 7 5 9 11 14 3 13 15 4 2";
    assert_eq!(height_after(far, None), 1);
    assert_eq!(height_after(far, Some(Duration::ZERO)), 0);
    assert_eq!(height_after("1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15", None), 0);
}

/// Of a board that is nearer than random ones less is concluded for the others.
#[test]
fn near_boards_say_less_of_the_others() {
    let (ladder, share) = (fifteen(), ThreadShare::new(Parallel::Auto, 2));
    share.set_remaining_work(RemainingWork::FINISHED);
    let _tasks: Vec<_> = (0..10).map(|_| share.task()).collect();
    assert_eq!((ladder.stages_for_hard(0, true, &share), ladder.stages_for_hard(0, false, &share)), (1, 0));
    assert!(ladder.patience(0, true, &share) < ladder.patience(0, false, &share));
}

#[test]
fn few_random_boards_have_a_stage_at_once() {
    let ladder = fifteen();
    let few = ThreadShare::new(Parallel::Auto, 2);
    few.set_remaining_work(RemainingWork::FINISHED);
    assert_eq!(ladder.stages_for_random(0, &few), 1);
    // Dearer tables would be better for many, and wait until they are known to be.
    let many: Vec<_> = (0..5_000).map(|_| few.task()).collect();
    assert_eq!(ladder.stages_for_random(0, &few), 0);
    drop(many);
    ladder.solved.store(worth::SAMPLE, Ordering::Relaxed);
    assert_eq!(ladder.stages_for_random(0, &few), 0);
}

/// Nine tenths of a stage's price are spent: the next board that takes long has it built, unless it is among the last.
#[test]
fn the_last_boards_have_to_pay_for_a_stage_alone() {
    let ladder = fifteen();
    let price = ladder.above(1).next().unwrap().price;
    ladder.boards.store(80, Ordering::Relaxed);
    ladder.solved.store(80, Ordering::Relaxed);
    ladder.spent.store(price * 9 / 10, Ordering::Relaxed);
    for (waiting, remaining_work, patience) in [
        (5, RemainingWork::FINISHED, price),
        (5, RemainingWork::UNKNOWN, price / 4),
        (1_000, RemainingWork::FINISHED, price / 4),
    ] {
        let thread_share = ThreadShare::new(Parallel::Auto, 2);
        let _tasks: Vec<_> = (0..waiting).map(|_| thread_share.task()).collect();
        thread_share.set_remaining_work(remaining_work);
        let expected = Duration::from_micros(patience) / 2;
        assert_eq!(ladder.patience(1, true, &thread_share), Some(expected), "{waiting} {remaining_work:?}");
    }
}

/// A search that goes on where another stood does so with the same tables; one whose tables there are not begins at the foot.
#[test]
fn a_board_that_is_gone_on_with_climbs_to_its_stage() {
    let ladder = fifteen();
    let none = serde_json::to_string(&Halfway::default()).unwrap();
    for (heuristic, height) in [("5-5-4-1", 0), ("6-6-3", 1)] {
        let stood = none.replacen(r#""heuristic":"""#, &format!(r#""heuristic":"{heuristic}""#), 1);
        let log = SearchLog::after(Some(serde_json::from_str(&stood).unwrap()));
        ladder.climb_to_earlier(&Effort { log, ..Effort::default() }, &AtomicBool::new(false));
        assert_eq!(ladder.height.load(Ordering::Relaxed), height, "{heuristic}");
    }
}
