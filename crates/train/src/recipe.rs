//! How much of what in every round.

/// What a round does.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Recipe {
    /// Positions that beams keep, at least.
    pub(super) members: u64,
    pub(super) width: usize,
    /// Only walks, and whole paths as labels: the evaluation knows nothing yet.
    pub(super) begin: bool,
    /// Walks have fewer moves than this beyond the least.
    pub(super) walk: usize,
    /// Of the evaluation in the labels of paths.
    pub(super) trust: f32,
    /// How many samples are learnt for each new one.
    pub(super) uses: u64,
    pub(super) rate: f32,
    /// The part of the new weights in the running mean.
    pub(super) share: f32,
}

/// The first rounds, in which the evaluation knows nothing.
const BEGIN: u64 = 6;
/// Positions that beams keep in a round for every cell of the board: some 4 s on 6 × 6.
pub(super) const MEMBERS_PER_CELL: u64 = 300_000;

/// Trainings of other recipes are not gone on with.
pub(super) const VERSION: u64 = 1;
/// Samples that a student keeps.
pub(super) const SAMPLES: usize = 2_500_000;
/// The widest beam.
pub(super) const WIDEST: usize = 4 * 600;
/// Rounds between two judgements.
pub(super) const JUDGED: u64 = 20;

impl Recipe {
    /// The recipe of a round on boards of so many cells.
    pub(super) fn of(round: u64, cells: usize, members_per_cell: u64) -> Recipe {
        let begin = round < BEGIN;
        let later = round.saturating_sub(BEGIN) as f32;
        Recipe {
            members: members_per_cell * cells as u64,
            width: (300 + 3 * round as usize).min(600),
            begin,
            // Longer and longer ones: a beam that finds no path teaches nothing.
            walk: if begin { 2 * cells * (round as usize + 1) } else { 8 * cells },
            trust: if begin { 0.0 } else { 0.05 },
            uses: 2,
            rate: (0.3 / (1.0 + round as f32 / 30.0)).max(0.08),
            // The mean's window is about the last quarter of the training.
            share: if begin { 1.0 } else { (4.0 / (5.0 + later)).max(0.015) },
        }
    }
}
