//! A training run: the rounds of all students (nets with one thread each), their mean, and the best
//! weights so far.
//!
//! The value that a net gives a position is linear in the weights of the net. So the mean of nets
//! that were trained separately, or at different times, acts as an ensemble at no extra cost:
//! independent errors cancel. Each student has its own seed and thread. The *mean* runs over
//! students and rounds, and later rounds count more. The weights of the mean rank the positions in
//! beams, and are judged. The best weights so far are the result.

use taquin::Board;
use taquin::internal::training::{Learned, MAX_CELLS, Tables, beam, scramble};

use super::judge::{Score, judge};
use super::layout::Layout;
use super::net::{Net, round_weights};
use super::recipe::{JUDGE_INTERVAL, POSITIONS_PER_CELL, Recipe, SAMPLES, WIDEST};
use super::starts::random_boards;
use super::student::{Lesson, RoundStats, Student};
use crate::NEVER;

/// The settings of a training run. The same settings and number of rounds give the same weights on
/// every machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The goal. It has at least two rows, two columns and six cells, and at most 64 cells.
    pub goal: Board,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of students, each with a thread.
    pub threads: usize,
}

/// A training run in progress.
pub struct TrainingRun {
    pub(super) settings: Settings,
    pub(super) layout: Layout,
    pub(super) students: Vec<Student>,
    pub(super) mean: Net,
    pub(super) rounds: u64,
    pub(super) best: Option<Best>,
    judge_boards: Vec<Board>,
    /// The round after which the weights were last judged by this process.
    judged_round: u64,
    /// The minimum number of positions that each student's beams keep in a round, per cell of the
    /// board.
    pub(super) positions_per_cell: u64,
}

/// The best weights so far.
#[derive(Clone, Debug)]
pub struct Best {
    /// The round after which the weights were judged.
    pub round: u64,
    /// The judge's score.
    pub score: Score,
    /// The weights.
    pub weights: Learned,
}

/// The outcome of a round.
#[derive(Clone, Copy, Debug)]
pub struct RoundOutcome {
    /// The number of rounds so far.
    pub number: u64,
    /// The statistics of the first student.
    pub(super) stats: RoundStats,
    /// If the round was judged: the score, and whether it is the best so far.
    pub judged: Option<(Score, bool)>,
}

/// The seed of the judge's boards. It does not depend on the seeds of the students.
const JUDGE_SEED: u64 = 777;
const JUDGE_BOARDS: usize = 50;

/// Converts weights to tables.
pub(crate) fn tables(weights: &Learned) -> Tables {
    let (shape, goal_blank) = weights.shape_and_blank();
    Tables::new(shape, goal_blank, weights, &NEVER).expect("the build is never stopped")
}

impl RoundOutcome {
    /// Formats the statistics of the first student.
    pub fn stats(&self) -> String {
        self.stats.to_string()
    }
}

impl Settings {
    /// Returns the memory that a training run takes, in bytes.
    pub fn bytes(&self) -> u64 {
        let layout = Layout::new(self.goal.shape(), self.goal.blank());
        let cells = layout.cells() as u64;
        let net = 4 * layout.weight_count() as u64;
        let student = net + SAMPLES as u64 * (cells + 4) + beam::bytes(layout.cells(), WIDEST) + (32 << 20);
        // The best weights, and the weights from which tables are made.
        let rounded_bytes = 2 * (cells.pow(4) + layout.tromino_count() as u64 * cells.pow(3));
        net + rounded_bytes + Tables::bytes(self.goal.shape()) + self.threads as u64 * student
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// A message for the user.
    pub fn check(&self) -> Result<(), String> {
        let shape = self.goal.shape();
        if shape.rows() < 2 || shape.cols() < 2 || shape.cells() < 6 || shape.cells() > MAX_CELLS {
            return Err(format!(
                "cannot train weights for {shape}: boards must be at least 2x3 and have at most {MAX_CELLS} cells"
            ));
        }
        Ok(())
    }
}

impl TrainingRun {
    /// Creates a training run.
    pub fn new(settings: Settings) -> TrainingRun {
        let goal = &settings.goal;
        let layout = Layout::new(goal.shape(), goal.blank());
        let first = scramble(0, settings.seed);
        let student = |number: usize| Student::new(&layout, scramble(0, first ^ number as u64), SAMPLES);
        let students = (0..settings.threads).map(student).collect();
        let mean = Net::new(&layout);
        let judge_boards = random_boards(goal, JUDGE_SEED, JUDGE_BOARDS);
        TrainingRun {
            layout,
            students,
            mean,
            rounds: 0,
            best: None,
            judge_boards,
            judged_round: 0,
            positions_per_cell: POSITIONS_PER_CELL,
            settings,
        }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns the number of rounds so far.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Returns the round after which the weights were last judged by this process.
    pub fn judged_round(&self) -> u64 {
        self.judged_round
    }

    /// Returns the best weights so far.
    pub fn best(&self) -> Option<&Best> {
        self.best.as_ref()
    }

    /// Returns the current weights.
    pub(crate) fn weights(&self) -> Learned {
        round_weights(&self.layout, &self.mean.weights)
    }

    /// Runs one round. Judges the weights if the number of rounds is now a multiple of
    /// `JUDGE_INTERVAL`, or if the round is the last.
    pub fn round(&mut self, is_last: bool) -> RoundOutcome {
        let tables = tables(&self.weights());
        let recipe = Recipe::of(self.rounds, self.layout.cells(), self.positions_per_cell);
        let (layout, goal) = (&self.layout, &self.settings.goal);
        let lesson = Lesson { layout, goal, tables: &tables, recipe: &recipe };
        let stats: Vec<RoundStats> = std::thread::scope(|scope| {
            let work = |student| scope.spawn(move || Student::round(student, &lesson));
            let threads: Vec<_> = self.students.iter_mut().map(work).collect();
            threads.into_iter().map(|thread| thread.join().expect("students do not panic")).collect()
        });
        drop(tables);
        self.update_mean(recipe.share);
        self.rounds += 1;
        let is_due = self.rounds.is_multiple_of(JUDGE_INTERVAL) || is_last;
        let judged = is_due.then(|| self.judge());
        RoundOutcome { number: self.rounds, stats: stats[0], judged }
    }

    /// Moves the running mean towards the students' mean by this share of the difference.
    fn update_mean(&mut self, share: f32) {
        let part = 1.0 / self.students.len() as f32;
        for (number, mean) in self.mean.weights.iter_mut().enumerate() {
            let sum: f32 = self.students.iter().map(|student| student.net.weights[number]).sum();
            *mean += share * (sum * part - *mean);
        }
    }

    /// Judges the current weights, trained or not, and keeps them unless earlier ones were better.
    /// Returns the score, and whether the weights were kept.
    pub fn judge(&mut self) -> (Score, bool) {
        let weights = self.weights();
        let score = judge(&tables(&weights), &self.settings.goal, &self.judge_boards, self.settings.threads);
        self.judged_round = self.rounds;
        let is_best = self.best.as_ref().is_none_or(|best| score <= best.score);
        if is_best {
            self.best = Some(Best { round: self.rounds, score, weights });
        }
        (score, is_best)
    }
}
