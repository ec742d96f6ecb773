//! The searches for one board: the constructive path, then one search after another. The result is
//! the shortest path found.

use std::time::{Duration, Instant};

use super::plan::{BoardProperties, POLISHING, SearchMethod, Widths, is_polished, methods, widths};
use super::tables::{Prepared, TablesByMethod};
use crate::board::{Board, Move, Path};
use crate::engine::beam::{self, Found};
use crate::engine::constructive::{PartialSolution, Rest, begin, construct};
use crate::engine::contract::{Job, Problem};
use crate::engine::polish::{PolishEffort, polish};
use crate::engine::staged;
use crate::heuristic::evaluation::Tables;
use crate::system::Limit;

/// The number of times a stuck beam is retried, each time with half the width.
const RETRIES: usize = 2;
/// With a deadline: the time that determines the widths of the first round.
const FIRST_MICROSECONDS: u64 = 2_000;
/// The factor by which that time grows from round to round.
const TIME_FACTOR: u64 = 4;
/// The maximum width of polishing. At this width a layer takes only some milliseconds, so a
/// deadline is met.
const MAX_POLISHING_WIDTH: usize = 1 << 16;
/// The share of the time left that the last round before a deadline may take.
const LAST_ROUND_SHARE: f64 = 0.85;
/// The time by which building tables may exceed the first board's deadline, because later boards
/// use them too.
const GRACE: Duration = Duration::from_millis(30);
/// The number of positions whose last blocks are searched.
const LAST_BLOCKS: usize = 4;

/// The resources that all boards of a goal share.
pub(super) struct GoalResources {
    /// The rectangle that beams search, unless they search the whole board.
    pub(super) rest: Option<Rest>,
    /// The properties of the boards that beams search.
    pub(super) properties: BoardProperties,
    pub(super) level: u8,
    /// The method of the level and its widths.
    pub(super) level_search: Option<(SearchMethod, Widths)>,
    pub(super) memory: u64,
    pub(super) tables: TablesByMethod,
}

/// The progress of the searches for a board.
pub(super) struct Rounds<'a> {
    resources: &'a GoalResources,
    job: &'a Job<'a>,
    /// For very large boards: the beginning of a path, which leaves the rectangle that beams
    /// search.
    partial: Option<PartialSolution>,
    lower_bound: u64,
    /// The shortest path so far.
    pub(super) best: Option<Path>,
    /// The limit that ended the search. [`Limit::Cancelled`] replaces any other.
    pub(super) limit: Option<Limit>,
    pub(super) generated: u64,
}

impl<'a> Rounds<'a> {
    pub(super) fn new(resources: &'a GoalResources, job: &'a Job<'a>, lower_bound: u64) -> Rounds<'a> {
        Rounds { resources, job, partial: None, lower_bound, best: None, limit: None, generated: 0 }
    }

    /// Runs the searches of the level or, if there is a deadline, wider and wider ones until then.
    pub(super) fn run(&mut self) {
        let problem = &self.job.problem;
        self.best = construct(problem.board, problem.goal, self.job.budget.stop());
        if self.best.is_none() {
            self.end(Limit::Cancelled);
        } else if !self.is_done() {
            match self.job.budget.deadline() {
                None => {
                    self.follow_level();
                    if is_polished(problem.board.shape(), self.resources.level) {
                        self.polish(POLISHING);
                    }
                }
                Some(deadline) => {
                    self.polish(POLISHING);
                    self.widen_until(deadline);
                    self.polish_wider();
                }
            }
        }
    }

    /// Finishes the lines that beams do not search, by a constructive path. Returns false if the
    /// run was stopped.
    fn begin(&mut self) -> bool {
        let Problem { board, goal, .. } = self.job.problem;
        let Some(rest) = self.resources.rest else { return true };
        self.partial = begin(board, goal, rest.shape().cells(), self.job.budget.stop());
        if self.partial.is_none() {
            self.end(Limit::Cancelled);
        }
        self.partial.is_some()
    }

    /// Polishes the best path.
    fn polish(&mut self, effort: PolishEffort) {
        let board = self.job.problem.board;
        if !self.is_done()
            && let Some(path) = &self.best
        {
            self.best = Some(polish(board.shape(), board.blank(), path, effort, self.job.budget));
        }
        // Records the limit if one ended the polishing.
        self.is_done();
    }

    /// Polishes the best path in passes that each take about eight times as long as the previous
    /// one, until the search should end, or until a pass would be too wide or need too much memory.
    fn polish_wider(&mut self) {
        let mut effort = POLISHING;
        while !self.is_done() && effort.width <= MAX_POLISHING_WIDTH && effort.bytes() <= self.resources.memory {
            self.polish(effort);
            effort = PolishEffort { piece_moves: effort.piece_moves + 10, width: 8 * effort.width };
        }
    }

    /// Runs the level's searches.
    fn follow_level(&mut self) {
        if let Some((method, widths)) = self.resources.level_search
            && self.begin()
            && let Some(prepared) = self.prepare(method, None)
        {
            self.round(&prepared, widths);
        }
    }

    /// Runs wider and wider searches until the deadline.
    fn widen_until(&mut self, deadline: Instant) {
        let (properties, memory) = (self.resources.properties, self.resources.memory);
        let time_left = || deadline.saturating_duration_since(Instant::now());
        let possible = || methods(properties, memory, time_left().as_micros() as u64);
        let tables = &self.resources.tables;
        let building = |&method: &SearchMethod| tables.build_time(method, time_left);
        // Takes the best method whose tables leave a third of the time for searching. If there is
        // none, takes one whose tables are finished soon after the deadline, because later boards
        // can use them.
        let chosen = possible().find(|method| building(method) <= time_left() * 2 / 3);
        let Some(method) = chosen.or_else(|| possible().find(|method| building(method) <= time_left() + GRACE)) else {
            return;
        };
        if !self.begin() {
            return;
        }
        let Some(prepared) = self.prepare(method, Some(deadline + GRACE)) else { return };
        let (mut microseconds, mut last) = (FIRST_MICROSECONDS, None);
        while !self.is_done() {
            let widths = widths(properties, method, microseconds, memory);
            if last == Some(widths) {
                return;
            }
            let began = Instant::now();
            self.round(&prepared, widths);
            last = Some(widths);
            // `fitting` is the value of `microseconds` for the widest round that this machine
            // finishes in most of the time left. If `fitting` is not much more than the usual next
            // value, the next round uses `fitting` and is the last.
            let slowness = began.elapsed().as_secs_f64() / microseconds as f64;
            let fitting = (time_left().as_secs_f64() * LAST_ROUND_SHARE / slowness) as u64;
            if fitting <= microseconds {
                return;
            }
            microseconds = if fitting < 2 * TIME_FACTOR * microseconds { fitting } else { TIME_FACTOR * microseconds };
        }
    }

    /// Returns the tables of a method; `None` if they are not finished at `end`, or if the run was
    /// stopped.
    fn prepare(&mut self, method: SearchMethod, end: Option<Instant>) -> Option<Prepared> {
        let prepared = self.resources.tables.get(method, self.job.budget.stop(), end);
        if prepared.is_none() {
            // Records the limit if one ended the building.
            self.is_done();
        }
        prepared
    }

    /// Runs the searches of these widths.
    fn round(&mut self, prepared: &Prepared, widths: Widths) {
        if let Some(stages) = &prepared.stages {
            self.staged(stages, &prepared.tables, widths);
            return;
        }
        // Without stages, a beam searches the whole board of the job.
        let problem = &self.job.problem;
        let mut width = widths.beam;
        for _ in 0..=RETRIES {
            let stuck = !self.beam(&prepared.tables, (problem.board, problem.goal), &[], width);
            if self.is_done() || !stuck {
                return;
            }
            width = width.div_ceil(2);
        }
    }

    /// Runs a staged beam, then beams over the last blocks of the best positions.
    fn staged(&mut self, stages: &staged::Stages, tables: &Tables, widths: Widths) {
        let Problem { board, goal, .. } = self.job.problem;
        let (board, goal, beginning) = match &self.partial {
            Some(beginning) => (&beginning.block, &beginning.block_goal, beginning.path.letters()),
            None => (board, goal, &[][..]),
        };
        let request = self.request((board, goal), widths.staged, self.best_len().saturating_sub(beginning.len()));
        match staged::search(stages, &request, LAST_BLOCKS, &mut self.generated) {
            Ok(reached) => {
                let beginning = beginning.to_vec();
                for end in &reached {
                    let width = (widths.beam / reached.len()).max(1);
                    let beginning = [&beginning[..], end.path.letters()].concat();
                    self.beam(tables, (&end.block, &end.block_goal), &beginning, width);
                    if self.is_done() {
                        return;
                    }
                }
            }
            Err(limit) => self.end(limit),
        }
    }

    fn request<'b>(&self, (board, goal): (&'b Board, &'b Board), width: usize, max_moves: usize) -> beam::Request<'b>
    where
        'a: 'b,
    {
        let Job { budget, thread_share, .. } = *self.job;
        beam::Request { board, goal, width, max_moves, budget, thread_share }
    }

    /// Returns whether the search should end: a limit was reached, which is recorded, or the path
    /// is proven shortest.
    fn is_done(&mut self) -> bool {
        if let Some(limit) = self.job.budget.interrupted() {
            self.end(limit);
        }
        self.limit.is_some() || self.best_len() as u64 <= self.lower_bound
    }

    fn best_len(&self) -> usize {
        self.best.as_ref().map_or(usize::MAX, Path::len)
    }

    /// Records a limit that ended the search.
    fn end(&mut self, limit: Limit) {
        if self.limit != Some(Limit::Cancelled) {
            self.limit = Some(limit);
        }
    }

    /// Joins these parts and keeps the path if it is the shortest so far. Moves that undo each
    /// other where parts meet are removed.
    fn offer(&mut self, parts: &[&[u8]]) {
        let mut path = Path::new();
        let letters = parts.iter().flat_map(|part| part.iter());
        letters.filter_map(|&letter| Move::from_letter(letter)).for_each(|step| path.push_or_cancel(step));
        if path.len() < self.best_len() {
            self.best = Some(path);
        }
    }

    /// Runs one beam over the board, or over its last block after the beginning of a path. Returns
    /// false if it got stuck.
    fn beam(&mut self, tables: &Tables, (board, goal): (&Board, &Board), beginning: &[u8], width: usize) -> bool {
        let request = self.request((board, goal), width, self.best_len().saturating_sub(beginning.len() + 1));
        match beam::search(tables, &request, &mut self.generated, None) {
            Found::Path(path) => self.offer(&[beginning, path.letters()]),
            Found::Limit(limit) => self.end(limit),
            Found::Stuck(path) => {
                // A constructive path finishes the board.
                let mut position = board.clone();
                if path.moves().all(|step| position.make(step))
                    && let Some(rest) = construct(&position, goal, self.job.budget.stop())
                {
                    self.offer(&[beginning, path.letters(), rest.letters()]);
                }
                return false;
            }
        }
        true
    }
}
