//! Tests of the public interface: that its functions agree, and that limits, cancellations and
//! errors affect only their own call or board.

use std::cell::Cell as Counter;
use std::sync::Arc;
use std::time::Duration;

use super::caches::get_or_build;
use super::*;
use crate::board::frame::Frame;
use crate::board::{Board, ErrorKind, Goal, Shape, Tile, is_solvable};
use crate::engine::contract::{Engine, Job, Scratch, WorkDone};
use crate::engine::{EngineKind, Outcome, lookup};
use crate::heuristic::{Heuristic, LinearConflict, lower_bound};
use crate::system::{Limit, Random};

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn solver(threads: usize) -> Solver {
    Solver::builder().threads(threads).memory(1 << 30).build().unwrap()
}

/// Returns all 2×3 boards, solvable or not.
fn all_2x3_boards() -> Vec<Board> {
    let (mut boards, mut tiles) = (Vec::new(), [0u8, 1, 2, 3, 4, 5]);
    fn permute(tiles: &mut [u8; 6], from: usize, boards: &mut Vec<Board>) {
        if from == tiles.len() {
            let [a, b, c, d, e, f] = *tiles;
            boards.push(Board::try_from([[a, b, c], [d, e, f]]).unwrap());
        }
        for at in from..tiles.len() {
            tiles.swap(from, at);
            permute(tiles, from + 1, boards);
            tiles.swap(from, at);
        }
    }
    permute(&mut tiles, 0, &mut boards);
    boards
}

#[test]
fn types_are_send_and_sync() {
    fn shared<T: Send + Sync + 'static>() {}
    fn sent<T: Send + 'static>() {}
    shared::<Solver>();
    shared::<Answer>();
    shared::<CancelToken>();
    shared::<SolveOptions>();
    sent::<Worker>();
    sent::<SolveAll<std::vec::IntoIter<Board>>>();
}

#[test]
fn all_interfaces_give_the_same_answers() {
    let (solver, boards, goal) = (solver(3), all_2x3_boards(), Goal::Snail);
    let mut worker = solver.worker();
    let puzzles = boards.iter().map(|board| (board.clone(), goal.clone()));
    let goal_board = goal.on(Shape::new(2, 3).unwrap()).unwrap();
    let mut solved = 0;
    for (board, answer) in boards.iter().zip(solver.solve_all(puzzles)) {
        let answer = answer.unwrap();
        assert_eq!(worker.solve(board, &goal).unwrap(), answer);
        assert_eq!(solver.solve_to(board, &goal).unwrap(), answer);
        assert_eq!(answer.solution().is_some(), is_solvable(board, &goal_board), "{board}");
        let Some(solution) = answer.solution() else { continue };
        assert!(solution.is_optimal() && solution.lower_bound() == solution.moves() as u64);
        let visited: Vec<Board> = solution.boards().collect();
        let ends = (visited.first(), visited.last());
        assert_eq!((ends, visited.len()), ((Some(board), Some(&goal_board)), solution.moves() + 1));
        assert_eq!(solution.letters(), solution.path.to_string());
        solved += 1;
    }
    assert_eq!((boards.len(), solved), (720, 360));
}

#[test]
fn searched_boards_are_answered_in_order_on_any_number_of_threads() {
    let texts = [
        "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0",
        "0 1 2 3/5 6 7 4/9 10 11 8/13 14 15 12",
        "5 1 3 4/2 6 8 0/9 10 7 11/13 14 15 12",
        "1 2 3/4 5 6/0 7 8",
        "2 3 4 8/1 6 0 12/5 10 7 11/9 13 14 15",
    ];
    let puzzles = || (0..40).map(|number| board(texts[number % texts.len()]));
    let answers = |threads| solver(threads).solve_all(puzzles()).collect::<Result<Vec<_>, _>>().unwrap();
    let expected = answers(1);
    assert_eq!(expected.len(), 40);
    assert_eq!(expected[0], Answer::Unsolvable);
    assert_eq!([1, 3].map(|at| expected[at].moves()), [Some(6), Some(2)]);
    assert_eq!(answers(4), expected);
}

/// The iterator is read no further ahead than documented, and not at all before an answer is
/// requested.
#[test]
fn an_endless_iterator_is_read_lazily() {
    let read = Counter::new(0usize);
    let endless = std::iter::repeat_with(|| {
        read.set(read.get() + 1);
        board("1 2 3/4 5 6/0 7 8")
    });
    let mut answers = solver(2).solve_all(endless);
    assert_eq!(read.get(), 0);
    for taken in 1..=20_000 {
        assert_eq!(answers.next().unwrap().unwrap().moves(), Some(2));
        assert!(read.get() <= taken + SolveAll::<()>::MOST_AHEAD, "{} read for {taken}", read.get());
    }
}

#[test]
fn an_error_affects_only_its_board() {
    let solver = solver(2);
    let mismatch = solver.solve_to(&board("1 2/3 0"), &"1 2 3/4 5 0".parse().unwrap()).unwrap_err();
    assert_eq!(mismatch.kind(), ErrorKind::Mismatch, "{mismatch}");
    assert_eq!(Solver::builder().threads(0).build().unwrap_err().kind(), ErrorKind::Option);
    let goal: Goal = "1 2 3/4 5 0".parse().unwrap();
    let puzzles = [(board("1 2 3/4 0 5"), goal.clone()), (board("1 2/3 0"), goal), (board("1 2/0 3"), Goal::BlankLast)];
    let answers: Vec<_> = solver.solve_all(puzzles).collect();
    assert_eq!([&answers[0], &answers[2]].map(|answer| answer.as_ref().unwrap().moves()), [Some(1), Some(1)]);
    assert!(answers[1].is_err());
}

/// An engine that panics on one board. If the wrapped engine has a table, so that boards are
/// answered without a search, it panics on every board.
#[derive(Debug)]
struct Trapped {
    engine: Arc<dyn Engine>,
    trap: Board,
}

impl Engine for Trapped {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn solve(&self, job: &Job<'_>, scratch: &mut Scratch, work_done: &mut WorkDone) -> Outcome {
        assert!(*job.problem.board != self.trap, "a planted fault");
        self.engine.solve(job, scratch, work_done)
    }

    fn lookup(&self) -> Option<&lookup::Table> {
        assert!(self.engine.lookup().is_none(), "a planted fault");
        None
    }
}

/// Gives the solver an engine for the default goal that panics on the board `trap`.
pub(crate) fn set_trap(solver: &Solver, trap: Board) {
    let goal = Goal::BlankLast.on(trap.shape()).unwrap();
    let prepared = Solver::builder().threads(1).memory(1 << 30).build().unwrap().prepare(&goal);
    let engine = Arc::clone(&prepared.engine);
    get_or_build(&solver.engines.engines, prepared.space().unwrap(), || Arc::new(Trapped { engine, trap }));
}

#[test]
fn a_panic_affects_only_its_board() {
    let solver = solver(2);
    let boards = ["1 2 3 4/5 6 7 0/9 10 11 8", "1 2 3 4/5 6 7 8/9 0 10 11", "1 2 3 4/5 0 6 7/9 10 11 8"].map(board);
    set_trap(&solver, boards[1].clone());
    let answers: Vec<_> = solver.solve_all(&boards).collect();
    assert_eq!([&answers[0], &answers[2]].map(|answer| answer.as_ref().unwrap().moves()), [Some(1), Some(3)]);
    assert_eq!(answers[1].as_ref().unwrap_err().kind(), ErrorKind::Fault);
    assert_eq!(solver.worker().solve(&boards[1], &Goal::BlankLast).unwrap_err().kind(), ErrorKind::Fault);
    // 2x2 boards are looked up, so here the engine panics before any search.
    set_trap(&solver, board("1 2/0 3"));
    assert_eq!(solver.worker().solve(&board("1 2/0 3"), &Goal::BlankLast).unwrap_err().kind(), ErrorKind::Fault);
}

/// A board whose shortest path has 80 moves. Its searches are ended early.
const HARD: &str = "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1";

#[test]
fn limits_and_cancellation_affect_only_the_call() {
    let solver = solver(2);
    let hard = board(HARD);
    let token = CancelToken::new();
    token.cancel();
    let options = SolveOptions::new().cancel(&token);
    for answer in [
        solver.solve_with(&hard, &Goal::BlankLast, &options).unwrap(),
        solver.worker().solve_with(&hard, &Goal::BlankLast, &options).unwrap(),
        solver.solve_all_with([&hard], &options).next().unwrap().unwrap(),
    ] {
        assert!(matches!(answer, Answer::Unsolved { lower_bound: 1..=80, limit: Limit::Cancelled }), "{answer:?}");
    }
    let few = SolveOptions::new().node_limit(1000);
    let answer = solver.solve_with(&hard, &Goal::BlankLast, &few).unwrap();
    assert!(matches!(answer, Answer::Unsolved { limit: Limit::Nodes, .. }), "{answer:?}");
    let soon = SolveOptions::new().time_limit(Duration::ZERO);
    let answer = solver.solve_with(&hard, &Goal::BlankLast, &soon).unwrap();
    assert!(matches!(answer, Answer::Unsolved { limit: Limit::Time, .. }), "{answer:?}");
    // The solver itself is unchanged.
    let easy = board("0 1 2 3/5 6 7 4/9 10 11 8/13 14 15 12");
    assert_eq!(solver.solve(&easy).unwrap().moves(), Some(6));
}

/// Requested tables serve all calls, so they are completed even if the first call is cancelled.
#[test]
fn a_cancelled_call_completes_requested_tables() {
    let solver = Solver::builder().threads(2).memory(1 << 30).engine(EngineKind::Lookup).build().unwrap();
    let token = CancelToken::new();
    token.cancel();
    let far = board("0 11 10 9/8 7 6 5/4 3 2 1");
    let _ = solver.solve_with(&far, &Goal::BlankLast, &SolveOptions::new().cancel(&token)).unwrap();
    assert!(solver.prepare(&Goal::BlankLast.on(far.shape()).unwrap()).engine.full_table().is_some());
}

/// Dropping the iterator ends its searches. Otherwise this test would not end.
#[test]
fn dropping_the_answers_ends_the_searches() {
    let solver = Solver::builder().threads(2).memory(64 << 20).engine(EngineKind::IdaStar);
    let solver = solver.heuristic("manhattan".parse().unwrap()).build().unwrap();
    let easy = board("0 1 2 3/5 6 7 4/9 10 11 8/13 14 15 12");
    let mut answers = solver.solve_all(std::iter::once(easy.clone()).chain(std::iter::repeat(board(HARD))));
    assert_eq!(answers.next().unwrap().unwrap().moves(), Some(6));
    drop(answers);
    assert_eq!(solver.solve(&easy).unwrap().moves(), Some(6));
}

#[test]
fn boards_of_every_size_are_answered() {
    let solver = solver(1);
    let large = Goal::BlankLast.on(Shape::new(255, 255).unwrap()).unwrap();
    assert_eq!(solver.solve(&large).unwrap().moves(), Some(0));
    let near = large.after(crate::board::Move::Up).unwrap();
    let answer = solver.solve(&near).unwrap();
    assert_eq!((answer.moves(), answer.solution().unwrap().is_optimal()), (Some(1), true));
    let line = Goal::BlankFirst.on(Shape::new(1, 255).unwrap()).unwrap();
    assert_eq!(solver.solve(&line).unwrap().moves(), Some(254));
    assert_eq!(solver.solve(&board("0")).unwrap().moves(), Some(0));
    assert_eq!(solver.plan(&large).engine, EngineKind::Good);
    assert!(solver.plan(&board("1 2 3/4 5 6/7 8 0")).why.contains("searched once"));
}

/// `lower_bound`, whose values are written to results, needs no frame. The heuristic of searches
/// computes the same bound in the frame.
#[test]
fn both_linear_conflict_bounds_are_equal() {
    let mut random = Random::new(3);
    for shape in ["2x3", "5x3", "4x4", "5x5"] {
        let goal = Goal::BlankFirst.on(shape.parse().unwrap()).unwrap();
        let (frame, mut tiles): (_, Vec<Tile>) = (Frame::new(&goal).unwrap(), goal.tiles().to_vec());
        let heuristic = LinearConflict::new(frame.space().shape, frame.space().goal_blank);
        for _ in 0..200 {
            random.shuffle(&mut tiles);
            let board = Board::new(goal.shape(), &tiles).unwrap();
            let Some(start) = frame.admit(&board) else { continue };
            let bound = LinearConflict::h(heuristic.root(start.state()));
            assert_eq!(u64::from(bound), lower_bound(&board, &goal), "{board}");
        }
    }
}
