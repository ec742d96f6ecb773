//! The parameters of every round. In a round each student, which is a net trained by one thread
//! ([`super::student`]), learns from its own beams.

/// The parameters of a round.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Recipe {
    /// The minimum number of positions that the beams of one student keep in the round, in total.
    pub(super) min_positions: u64,
    /// The width of beams at the first try.
    pub(super) width: usize,
    /// True for the first rounds, in which boards come from random walks and labels are the
    /// remaining lengths of paths, because the evaluation is untrained.
    pub(super) is_warm_up: bool,
    /// A random walk has a fixed number of moves ([`super::starts`]) plus a random number below
    /// this.
    pub(super) walk_spread: usize,
    /// The weight of the evaluation in the labels of the positions on a path (`labels::of_path`).
    pub(super) trust: f32,
    /// The number of samples that are learnt for each new one.
    pub(super) uses: u64,
    /// The learning rate.
    pub(super) rate: f32,
    /// The share of the new weights in the running mean.
    pub(super) share: f32,
}

/// The number of warm-up rounds.
const WARM_UP: u64 = 6;
/// The minimum number of positions that the beams of one student keep in a round, per cell of the
/// board. With this value, a round takes about 4 s on 6×6.
pub(super) const POSITIONS_PER_CELL: u64 = 300_000;

/// The version of the recipe. A training run that was saved by another version cannot be resumed.
pub(super) const VERSION: u64 = 1;
/// The maximum number of samples that one student keeps.
pub(super) const SAMPLES: usize = 2_500_000;
/// The width of the widest beams: a second try is four times as wide as the first.
pub(super) const WIDEST: usize = 4 * 600;
/// The number of rounds between two measurements of the weights on fixed boards (`judge.rs`).
pub(super) const JUDGE_INTERVAL: u64 = 20;

impl Recipe {
    /// Returns the parameters of a round on boards of this many cells.
    pub(super) fn of(round: u64, cells: usize, positions_per_cell: u64) -> Recipe {
        let is_warm_up = round < WARM_UP;
        let rounds_since_warm_up = round.saturating_sub(WARM_UP) as f32;
        Recipe {
            min_positions: positions_per_cell * cells as u64,
            width: (300 + 3 * round as usize).min(600),
            is_warm_up,
            // During the warm-up, walks start short and grow: a beam that finds no path gives no
            // samples. Afterwards their spread is fixed.
            walk_spread: if is_warm_up { 2 * cells * (round as usize + 1) } else { 8 * cells },
            trust: if is_warm_up { 0.0 } else { 0.05 },
            uses: 2,
            rate: (0.3 / (1.0 + round as f32 / 30.0)).max(0.08),
            // The mean's window is about the last quarter of the rounds so far, at most about 67
            // rounds.
            share: if is_warm_up { 1.0 } else { (4.0 / (5.0 + rounds_since_warm_up)).max(0.015) },
        }
    }
}
