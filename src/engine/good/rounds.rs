//! One board: the constructive path, then one search after the other, the shortest path of all.

use std::time::{Duration, Instant};

use super::engine::Good;
use super::plan::{beam_serves, beam_width_within};
use crate::board::{Board, Move, Path};
use crate::engine::beam::{self, Found, Request};
use crate::engine::constructive::construct;
use crate::engine::contract::Job;
use crate::heuristic::evaluation::Tables;
use crate::system::Limit;

/// How often a beam that got stuck is tried again with half its width.
const RETRIES: usize = 2;
/// Until a deadline, the first beam's width, and by how much each is wider than the one before it.
const FIRST_WIDTH: usize = 64;
const WIDER: usize = 4;
/// Building tables takes about so many nanoseconds a byte.
const TABLE_NANOSECONDS: u64 = 8;

/// What was found for a board so far.
pub(super) struct Rounds<'a> {
    engine: &'a Good,
    job: &'a Job<'a>,
    lower_bound: u64,
    /// The shortest path so far.
    pub(super) best: Option<Path>,
    /// The run was cancelled.
    pub(super) cancelled: bool,
    /// A limit ended the search.
    ended: bool,
    pub(super) generated: u64,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(engine: &'a Good, job: &'a Job<'a>, lower_bound: u64) -> Rounds<'a> {
        Rounds { engine, job, lower_bound, best: None, cancelled: false, ended: false, generated: 0 }
    }

    /// Does what the plan says, or, with a deadline, more and more until then.
    pub(super) fn run(&mut self) {
        let problem = &self.job.problem;
        self.best = construct(problem.board, problem.goal, self.job.budget.stop());
        if self.best.is_none() {
            self.cancelled = true;
            return;
        }
        match self.job.budget.deadline() {
            None => self.follow_plan(),
            Some(deadline) => self.widen_until(deadline),
        }
    }

    fn follow_plan(&mut self) {
        for search in &self.engine.plan().searches {
            if search.name == "beam" {
                let Some(tables) = self.engine.tables(self.job.budget) else {
                    self.cancelled = true;
                    return;
                };
                let mut width = search.width;
                for _ in 0..=RETRIES {
                    if self.is_done() || self.beam(&tables, width) {
                        break;
                    }
                    width = width.div_ceil(2);
                }
            }
        }
    }

    fn widen_until(&mut self, deadline: Instant) {
        let shape = self.job.problem.board.shape();
        if !beam_serves(shape) {
            return;
        }
        let building = Duration::from_nanos(TABLE_NANOSECONDS * Tables::bytes(shape));
        let time_left = deadline.saturating_duration_since(Instant::now());
        if self.is_done() || !self.engine.has_tables() && time_left < 2 * building {
            return;
        }
        let Some(tables) = self.engine.tables(self.job.budget) else {
            self.cancelled = true;
            return;
        };
        let mut width = FIRST_WIDTH;
        while !self.is_done() {
            let held = beam_width_within(shape, width, self.engine.memory());
            if held == 0 {
                return;
            }
            self.beam(&tables, held);
            if held < width {
                return;
            }
            width *= WIDER;
        }
    }

    /// Whether nothing more can or may be found.
    fn is_done(&mut self) -> bool {
        if let Some(limit) = self.job.budget.interrupted() {
            self.end(limit);
        }
        self.cancelled || self.ended || self.best_len() as u64 <= self.lower_bound
    }

    fn best_len(&self) -> usize {
        self.best.as_ref().map_or(usize::MAX, Path::len)
    }

    fn end(&mut self, limit: Limit) {
        self.ended = true;
        self.cancelled |= limit == Limit::Cancelled;
    }

    fn offer(&mut self, path: Path) {
        if path.len() < self.best_len() {
            self.best = Some(path);
        }
    }

    /// One beam; false if it got stuck.
    fn beam(&mut self, tables: &Tables, width: usize) -> bool {
        let problem = &self.job.problem;
        let request = Request {
            board: problem.board,
            goal: problem.goal,
            width,
            most_moves: self.best_len().saturating_sub(2),
            budget: self.job.budget,
            thread_share: self.job.thread_share,
        };
        match beam::search(tables, &request, &mut self.generated) {
            Found::Path(path) => self.offer(path),
            Found::Limit(limit) => self.end(limit),
            Found::Stuck(beginning) => {
                if let Some(path) = self.completed(problem.board, beginning) {
                    self.offer(path);
                }
                return false;
            }
        }
        true
    }

    /// A path that begins like this and ends as it may.
    fn completed(&self, board: &Board, beginning: Path) -> Option<Path> {
        let mut there = board.clone();
        for step in beginning.moves() {
            there = there.after(step)?;
        }
        let rest = construct(&there, self.job.problem.goal, self.job.budget.stop())?;
        // Where the two parts meet, moves may undo each other.
        let mut moves: Vec<Move> = beginning.moves().collect();
        for step in rest.moves() {
            if moves.last() == Some(&step.inverse()) {
                moves.pop();
            } else {
                moves.push(step);
            }
        }
        Some(moves.into_iter().collect())
    }
}
