//! The weights during training: one list of floating-point numbers ([`Layout`]).
//!
//! A sample corrects the weights of its position. A fraction of the error is divided among these
//! weights (normalised least mean squares: Nagumo, Noda 1967). Sums are computed in a fixed order,
//! so the same samples give the same weights on every machine.

use taquin::internal::training::{Learned, UNIT, Untrained, Zeroed, trominoes};

use super::layout::{Counts, Layout};

// The shares below need not add up to 1. As they are, they correct 1.02 times the error.

/// The fraction of the error that the pairs of a position correct together.
const PAIR_SHARE: f32 = 0.65;
/// The fraction that the triples correct.
const TRIPLE_SHARE: f32 = 0.2;
/// The fraction that the singles correct.
const SINGLE_SHARE: f32 = 0.16;
/// The fraction that the bias corrects.
const BIAS_SHARE: f32 = 0.01;
/// Errors are clamped to this many moves.
const MAX_ERROR: f32 = 4.0;

/// The meaning of a sample's label.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LabelKind {
    /// The approximate number of moves.
    Moves,
    /// An approximate lower bound on the number of moves.
    AtLeast,
}

/// Weights during training.
pub(super) struct Net {
    pub(super) weights: Zeroed<f32>,
}

impl Net {
    /// Creates the untrained weights.
    pub(super) fn new(layout: &Layout) -> Net {
        let mut weights = Zeroed::new(layout.weight_count());
        layout.fill(&mut weights, &Untrained::new(layout.shape(), layout.goal_blank()));
        Net { weights }
    }

    /// Returns the sum of the weights with these indices, which is added to the Manhattan distance.
    pub(super) fn sum(&self, indices: &[u32]) -> f32 {
        const LANES: usize = 8;
        let mut lanes = [0.0f32; LANES];
        let chunks = indices.chunks_exact(LANES);
        for (lane, &index) in lanes.iter_mut().zip(chunks.remainder()) {
            *lane += self.weights[index as usize];
        }
        for chunk in chunks {
            for (lane, &index) in lanes.iter_mut().zip(chunk) {
                *lane += self.weights[index as usize];
            }
        }
        lanes.iter().sum()
    }

    /// Corrects the weights with these indices towards a sum of `target`, and returns the error
    /// before the correction. Does nothing and returns 0 if the target is a lower bound that the
    /// sum already satisfies.
    pub(super) fn learn(&mut self, indices: &[u32], counts: Counts, target: f32, kind: LabelKind, rate: f32) -> f32 {
        let error = target - self.sum(indices);
        if kind == LabelKind::AtLeast && error <= 0.0 {
            return 0.0;
        }
        let step = rate * error.clamp(-MAX_ERROR, MAX_ERROR);
        let (pairs, rest) = indices.split_at(counts.pairs);
        let (triples, rest) = rest.split_at(counts.triples);
        let (singles, bias) = rest.split_at(counts.singles);
        for (indices, share) in
            [(pairs, PAIR_SHARE), (triples, TRIPLE_SHARE), (singles, SINGLE_SHARE), (bias, BIAS_SHARE)]
        {
            let step = step * share / indices.len().max(1) as f32;
            for &index in indices {
                self.weights[index as usize] += step;
            }
        }
        error
    }
}

/// Sums the shared weights over the symmetric views of the board ([`Layout`]), and rounds the sums
/// to the integers of an evaluation.
pub(super) fn round_weights(layout: &Layout, weights: &[f32]) -> Learned {
    let n = layout.cells();
    let unit = |weight: f32| weight * UNIT as f32;
    let byte = |weight: f32| unit(weight).round().clamp(-127.0, 127.0) as i8;
    let single = (0..n * n).map(|i| unit(layout.single(weights, i / n, i % n)).round() as i16).collect();
    let mut pair = vec![0; n.pow(4)];
    let mut sums = Vec::new();
    for high in 0..n {
        for low in 0..high {
            layout.pair(weights, high as u8, low as u8, &mut sums);
            for (i, &sum) in sums.iter().enumerate() {
                pair[((high * n + i / n) * n + low) * n + i % n] = if i / n == i % n { 0 } else { byte(sum) };
            }
        }
    }
    let sets = trominoes(layout.shape(), layout.goal_blank().index());
    let mut triple = Vec::with_capacity(sets.len() * n.pow(3));
    for set in sets {
        layout.triple(weights, set, &mut sums);
        triple.extend(sums.iter().map(|&sum| byte(sum)));
    }
    Learned::new(layout.shape(), layout.goal_blank(), single, pair, triple)
}
