//! A training: rounds of all students, their mean, and the best weights so far.
//!
//! Weights are linear in what they give, so the mean of nets that were trained apart, or at different times, is an ensemble of them
//! that costs nothing: where they err by chance they err apart. The students have seeds of their own, one thread each; the *mean* runs
//! over students and rounds, later rounds counting more, and its weights are what beams are ordered by, what is judged, and what is
//! kept in the end.

use taquin::Board;
use taquin::internal::training::{Learned, MAX_CELLS, Tables, beam, scramble};

use super::judge::{Score, judge};
use super::layout::Layout;
use super::net::{Net, rounded};
use super::recipe::{JUDGED, MEMBERS_PER_CELL, Recipe, SAMPLES, WIDEST};
use super::starts::random_boards;
use super::student::{Lesson, Seen, Student};
use crate::NEVER;

/// What a training is; the same settings and the same number of rounds give the same weights everywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The goal, of at least 2 rows and columns and at most 64 cells.
    pub goal: Board,
    /// Of all random numbers.
    pub seed: u64,
    /// Students, each with a thread.
    pub threads: usize,
}

/// A training under way.
pub struct Training {
    pub(super) settings: Settings,
    pub(super) layout: Layout,
    pub(super) students: Vec<Student>,
    pub(super) mean: Net,
    pub(super) rounds: u64,
    pub(super) best: Option<Best>,
    judged_on: Vec<Board>,
    /// After which round it was judged last.
    judged: u64,
    /// Positions that beams keep in a round.
    pub(super) members_per_cell: u64,
}

/// The best weights so far.
#[derive(Clone, Debug)]
pub struct Best {
    /// After which round they were judged.
    pub round: u64,
    /// What the judge found.
    pub score: Score,
    /// The weights.
    pub weights: Learned,
}

/// What a round was.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// How many there were so far.
    pub number: u64,
    /// What the first student saw.
    pub(super) seen: Seen,
    /// What the judge found, after some rounds, and whether it is the best so far.
    pub judged: Option<(Score, bool)>,
}

/// Boards that the judge draws have a seed that is no student's.
const JUDGE_SEED: u64 = 777;
const JUDGE_BOARDS: usize = 50;

/// The tables of weights.
pub(crate) fn tables(weights: &Learned) -> Tables {
    Tables::new(weights, &NEVER).expect("nothing stops it")
}

impl Round {
    /// What the first student saw, for people.
    pub fn seen(&self) -> String {
        self.seen.to_string()
    }
}

impl Settings {
    /// What a training takes in memory.
    pub fn bytes(&self) -> u64 {
        let layout = Layout::new(self.goal.shape(), self.goal.blank());
        let cells = layout.cells() as u64;
        let net = 4 * layout.weights() as u64;
        let student = net + SAMPLES as u64 * (cells + 4) + beam::bytes(layout.cells(), WIDEST) + (32 << 20);
        // The best weights and those that tables are made of.
        let rounded = 2 * (cells.pow(4) + layout.all_triples() as u64 * cells.pow(3));
        net + rounded + Tables::bytes(self.goal.shape()) + self.threads as u64 * student
    }

    /// Whether there can be a training.
    ///
    /// # Errors
    /// A sentence for people.
    pub fn check(&self) -> Result<(), String> {
        let shape = self.goal.shape();
        if shape.rows() < 2 || shape.cols() < 2 || shape.cells() < 6 || shape.cells() > MAX_CELLS {
            return Err(format!("{shape} has no weights to train: boards of 2x3 to {MAX_CELLS} cells have"));
        }
        Ok(())
    }
}

impl Training {
    /// Begins.
    pub fn new(settings: Settings) -> Training {
        let goal = &settings.goal;
        let layout = Layout::new(goal.shape(), goal.blank());
        let first = scramble(0, settings.seed);
        let student = |number: usize| Student::new(&layout, scramble(0, first ^ number as u64), SAMPLES);
        let students = (0..settings.threads).map(student).collect();
        let mean = Net::new(&layout);
        let judged_on = random_boards(goal, JUDGE_SEED, JUDGE_BOARDS);
        Training {
            layout,
            students,
            mean,
            rounds: 0,
            best: None,
            judged_on,
            judged: 0,
            members_per_cell: MEMBERS_PER_CELL,
            settings,
        }
    }

    /// What it is.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How many rounds there were.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// After which round it was judged last, as far as this object knows.
    pub fn judged(&self) -> u64 {
        self.judged
    }

    /// The best weights so far.
    pub fn best(&self) -> Option<&Best> {
        self.best.as_ref()
    }

    /// The weights as they are.
    pub(crate) fn weights(&self) -> Learned {
        rounded(&self.layout, &self.mean.weights)
    }

    /// One round; it is judged after some, and if it is the `last`.
    pub fn round(&mut self, last: bool) -> Round {
        let tables = tables(&self.weights());
        let recipe = Recipe::of(self.rounds, self.layout.cells(), self.members_per_cell);
        let (layout, goal) = (&self.layout, &self.settings.goal);
        let lesson = Lesson { layout, goal, tables: &tables, recipe: &recipe };
        let seen: Vec<Seen> = std::thread::scope(|scope| {
            let work = |student| scope.spawn(move || Student::round(student, &lesson));
            let threads: Vec<_> = self.students.iter_mut().map(work).collect();
            threads.into_iter().map(|thread| thread.join().expect("students do not panic")).collect()
        });
        drop(tables);
        self.take_mean(recipe.share);
        self.rounds += 1;
        let is_due = self.rounds.is_multiple_of(JUDGED) || last;
        let judged = is_due.then(|| self.judge());
        Round { number: self.rounds, seen: seen[0], judged }
    }

    /// Puts a share of the students' mean into the running one.
    fn take_mean(&mut self, share: f32) {
        let part = 1.0 / self.students.len() as f32;
        for (number, mean) in self.mean.weights.iter_mut().enumerate() {
            let sum: f32 = self.students.iter().map(|student| student.net.weights[number]).sum();
            *mean += share * (sum * part - *mean);
        }
    }

    /// Judges the weights, and keeps them if they are the best; untrained ones too.
    pub fn judge(&mut self) -> (Score, bool) {
        let weights = self.weights();
        let score = judge(&tables(&weights), &self.settings.goal, &self.judged_on, self.settings.threads);
        self.judged = self.rounds;
        let is_best = self.best.as_ref().is_none_or(|best| score <= best.score);
        if is_best {
            self.best = Some(Best { round: self.rounds, score, weights });
        }
        (score, is_best)
    }
}
