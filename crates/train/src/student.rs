//! A *student*: one net with its beams, boards and samples, trained by one thread.

use std::fmt;

use taquin::internal::training::beam::{Found, Record, Request, search};
use taquin::internal::training::{Budget, Limits, Tables, ThreadShare, prefetch};
use taquin::{Board, Cell, Move, Path};

use super::labels;
use super::layout::Layout;
use super::net::{LabelKind, Net};
use super::random::Random;
use super::recipe::Recipe;
use super::samples::Samples;
use super::starts::{Start, Starts, board_of};
use crate::NEVER;

/// A net during training, with the random numbers, start boards and samples of its thread.
pub(super) struct Student {
    pub(super) net: Net,
    pub(super) random: Random,
    pub(super) starts: Starts,
    pub(super) samples: Samples,
}

/// The input of all students in a round.
#[derive(Clone, Copy)]
pub(super) struct Lesson<'a> {
    pub(super) layout: &'a Layout,
    pub(super) goal: &'a Board,
    /// The tables that rank the positions in beams.
    pub(super) tables: &'a Tables,
    pub(super) recipe: &'a Recipe,
}

/// The statistics of a student's round.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct RoundStats {
    /// The number of boards from which beams started.
    pub(super) boards: u64,
    /// The number of positions that beams kept.
    pub(super) members: u64,
    /// The number of boards for which no beam found a path.
    pub(super) failed: u64,
    /// The number of random boards for which a beam found a path.
    pub(super) random_solved: u64,
    /// The total length of the paths of these boards.
    pub(super) random_moves: u64,
    pub(super) path_samples: u64,
    pub(super) member_samples: u64,
    pub(super) bound_samples: u64,
    /// The sum of the squared errors over the second half of the samples learnt in the round.
    /// Samples labelled with a lower bound are left out.
    pub(super) squared_errors: f64,
    /// The number of errors in this sum.
    pub(super) error_count: u64,
}

impl fmt::Display for RoundStats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean_moves = self.random_moves as f64 / self.random_solved.max(1) as f64;
        let error = (self.squared_errors / self.error_count.max(1) as f64).sqrt();
        let samples = self.path_samples + self.member_samples + self.bound_samples;
        write!(
            f,
            "{} boards ({} without a path), {mean_moves:.1} moves on average from random boards, {samples} samples, error {error:.2}",
            self.boards, self.failed
        )
    }
}

impl Student {
    pub(super) fn new(layout: &Layout, seed: u64, max_samples: usize) -> Student {
        Student {
            net: Net::new(layout),
            random: Random(seed),
            starts: Starts { pool: Vec::new() },
            samples: Samples::new(layout.cells(), max_samples),
        }
    }

    /// Runs beams with the lesson's tables, adds their samples, then trains on samples drawn from
    /// all samples kept, including those of earlier rounds.
    pub(super) fn round(&mut self, lesson: &Lesson<'_>) -> RoundStats {
        let mut stats = RoundStats::default();
        while stats.members < lesson.recipe.min_positions {
            self.beam(lesson, &mut stats);
        }
        let new = stats.path_samples + stats.member_samples + stats.bound_samples;
        self.learn(lesson, lesson.recipe.uses * new, &mut stats);
        stats
    }

    fn beam(&mut self, lesson: &Lesson<'_>, stats: &mut RoundStats) {
        let Lesson { layout, goal, tables, recipe } = *lesson;
        let (start, homes) = self.starts.next(goal, recipe, &mut self.random);
        let board = board_of(&homes, goal);
        let distance = layout.distance(&homes) as usize;
        let side = (goal.shape().rows() + goal.shape().cols()) / 2;
        stats.boards += 1;
        let tries = [(recipe.width, 2 * distance + 3 * side), (4 * recipe.width, 3 * distance + 6 * side)];
        for (width, max_moves) in tries {
            let budget = Budget::start(&Limits { nodes: None, time: None }, &NEVER);
            let thread_share = ThreadShare::alone();
            let request =
                Request { board: &board, goal, width, max_moves, budget: &budget, thread_share: &thread_share };
            let mut record = Record::new(self.random.bits());
            let found = search(tables, &request, &mut 0, Some(&mut record));
            stats.members += record.layers().iter().map(|layer| layer.values.len() as u64).sum::<u64>();
            let is_last = width > recipe.width;
            if is_last || matches!(found, Found::Path(_)) {
                for member in record.sampled() {
                    self.starts.offer(&member.homes[..layout.cells()], &mut self.random);
                }
            }
            if let Found::Path(path) = found {
                if start == Start::Random {
                    stats.random_solved += 1;
                    stats.random_moves += path.len() as u64;
                }
                self.add_samples(lesson, homes, (&record, &path), width, stats);
                return;
            }
        }
        stats.failed += 1;
    }

    /// Adds the samples of a beam that found a path.
    fn add_samples(
        &mut self,
        lesson: &Lesson<'_>,
        mut homes: Vec<u8>,
        (record, path): (&Record, &Path),
        width: usize,
        stats: &mut RoundStats,
    ) {
        let Lesson { layout, goal, recipe, .. } = *lesson;
        let (samples, random) = (&mut self.samples, &mut self.random);
        let labels = labels::of_path(record, path, recipe.trust);
        let mut blank = homes.iter().position(|&home| usize::from(home) == goal.blank().index()).unwrap_or(0);
        let side = (goal.shape().rows() + goal.shape().cols()) as f32 / 2.0;
        for (number, (label, &step)) in labels.iter().zip(path.letters()).enumerate() {
            if number == 0 || random.bits().is_multiple_of(2) {
                let rest = (path.len() - number) as f32;
                // Far from the goal, a path may be too long to be informative.
                if rest <= 1.7 * layout.distance(&homes) as f32 + 16.0 * side / 6.0 {
                    samples.add(&homes, *label, LabelKind::Moves);
                    stats.path_samples += 1;
                }
            }
            let step = Move::from_letter(step).expect("paths are made of moves");
            let to = goal.shape().neighbour(Cell::new(blank), step).expect("paths stay on the board");
            homes.swap(blank, to.index());
            blank = to.index();
        }
        if !recipe.is_warm_up {
            let cells = layout.cells();
            labels::of_members(record, width, random, |homes, moves, kind| {
                samples.add(&homes[..cells], moves, kind);
                match kind {
                    LabelKind::Moves => stats.member_samples += 1,
                    LabelKind::AtLeast => stats.bound_samples += 1,
                }
            });
        }
    }

    /// Learns `count` randomly drawn samples.
    fn learn(&mut self, lesson: &Lesson<'_>, count: u64, stats: &mut RoundStats) {
        let Lesson { layout, recipe: Recipe { rate, .. }, .. } = lesson;
        if self.samples.len() == 0 {
            return;
        }
        let counts = layout.counts();
        // While one sample is learnt, the weights of the next are prefetched.
        let mut now = (Vec::new(), 0.0, LabelKind::Moves);
        let mut next = now.clone();
        self.fetch(layout, &mut next);
        for number in 0..count {
            std::mem::swap(&mut now, &mut next);
            self.fetch(layout, &mut next);
            let error = self.net.learn(&now.0, counts, now.1, now.2, *rate);
            if number >= count / 2 && now.2 == LabelKind::Moves {
                stats.squared_errors += f64::from(error * error);
                stats.error_count += 1;
            }
        }
    }

    fn fetch(&mut self, layout: &Layout, into: &mut (Vec<u32>, f32, LabelKind)) {
        let number = self.random.below(self.samples.len());
        let (homes, moves, kind) = self.samples.get(number);
        layout.indices(homes, &mut into.0);
        (into.1, into.2) = (moves - layout.distance(homes) as f32, kind);
        for &number in &into.0 {
            prefetch(&self.net.weights, number as usize);
        }
    }
}
