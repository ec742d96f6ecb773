//! Good PDB collections by shape and the blank's goal.

use crate::board::{Cell, Shape};

/// The patterns for a shape and the blank's goal cell, in the order in which they were chosen. The
/// collection of each tier is a prefix of this list, so the next tier reuses its tables. If a shape
/// and goal cell have several presets, the tiers of one precede those of the next.
struct Preset {
    sides: (usize, usize),
    goal_blank: usize,
    /// The number of patterns of each tier.
    tiers: &'static [usize],
    patterns: &'static [&'static [usize]],
}

impl Preset {
    fn is_for(&self, shape: Shape, goal_blank: Cell) -> bool {
        self.sides == (shape.rows(), shape.cols()) && self.goal_blank == goal_blank.index()
    }
}

/// Returns the collections for a shape and the blank's goal cell, each as the homes of its
/// patterns, the cheapest to build first.
pub(super) fn of(shape: Shape, goal_blank: Cell) -> impl Iterator<Item = &'static [&'static [usize]]> {
    let presets = PRESETS.iter().filter(move |preset| preset.is_for(shape, goal_blank));
    presets.flat_map(|preset| preset.tiers.iter().map(|&count| &preset.patterns[..count]))
}

/// The lists were chosen greedily: the next pattern, or group of patterns that completes a sum, was
/// always the one that saved the most. Savings were measured by counting nodes or, for 5×5 goals
/// with the blank outside the corner, by comparing the sums of sampled states.
#[rustfmt::skip]
const PRESETS: [Preset; 9] = [
    // Chosen on samples of the fifty boards of Korf and Felner. The first tier contains their
    // partition.
    Preset {
        sides: (5, 5),
        goal_blank: 24,
        tiers: &[8, 18],
        patterns: &[
            &[12, 17, 18, 19, 22, 23], &[10, 11, 15, 16, 20, 21], &[15, 16, 17, 20, 21, 22], &[0, 1, 5, 6, 10, 11],
            &[10, 15, 16, 17, 20, 21], &[0, 1, 5, 10, 15, 20], &[14, 18, 19, 21, 22, 23], &[6, 7, 11, 12, 16, 17],
            &[17, 18, 19, 21, 22, 23], &[10, 11, 12, 15, 16, 20], &[14, 17, 18, 19, 22, 23], &[12, 15, 16, 17, 20, 21],
            &[18, 19, 20, 21, 22, 23], &[10, 11, 12, 15, 16, 17], &[6, 11, 16, 17, 21, 22], &[0, 1, 2, 5, 10, 15],
            &[3, 8, 12, 13, 17, 22], &[2, 6, 7, 11, 16, 21],
        ],
    },
    // The goal's blank in the centre.
    Preset {
        sides: (5, 5),
        goal_blank: 12,
        tiers: &[8, 18],
        patterns: &[
            &[0, 1, 2, 5, 6, 7], &[3, 4, 8, 9, 13, 14], &[2, 3, 4, 7, 8, 9], &[13, 14, 18, 19, 23, 24],
            &[6, 7, 8, 9, 13, 14], &[0, 1, 2, 3, 4, 5], &[2, 7, 16, 17, 18, 19], &[3, 4, 9, 14, 19, 24],
            &[13, 14, 16, 17, 18, 19], &[6, 7, 8, 9, 10, 11], &[2, 3, 4, 7, 8, 13], &[9, 14, 18, 19, 23, 24],
            &[1, 2, 3, 4, 8, 9], &[0, 1, 2, 3, 5, 6], &[4, 8, 9, 13, 14, 19], &[11, 13, 14, 18, 19, 24],
            &[0, 1, 2, 6, 7, 11], &[4, 7, 8, 9, 13, 14],
        ],
    },
    // The goal's blank in the middle of an edge.
    Preset {
        sides: (5, 5),
        goal_blank: 22,
        tiers: &[8, 18],
        patterns: &[
            &[0, 1, 2, 5, 6, 7], &[0, 1, 5, 6, 10, 11], &[10, 11, 15, 16, 20, 21], &[12, 15, 16, 17, 20, 21],
            &[0, 1, 5, 6, 10, 15], &[11, 12, 16, 17, 20, 21], &[10, 11, 12, 13, 15, 20], &[16, 17, 18, 20, 21, 23],
            &[15, 16, 20, 21, 23, 24], &[0, 1, 2, 5, 6, 10], &[7, 11, 12, 15, 16, 17], &[1, 2, 3, 4, 6, 7],
            &[0, 5, 10, 11, 12, 15], &[5, 6, 10, 11, 15, 20], &[0, 1, 6, 7, 11, 12], &[5, 10, 15, 16, 20, 21],
            &[11, 15, 16, 17, 20, 21], &[10, 11, 12, 15, 16, 17],
        ],
    },
    // The goal's blank next to a corner, where no mirror doubles the sums.
    Preset {
        sides: (5, 5),
        goal_blank: 23,
        tiers: &[8, 32],
        patterns: &[
            &[0, 1, 5, 6, 10, 11], &[2, 3, 4, 7, 8, 9], &[12, 15, 16, 17, 20, 21], &[13, 14, 18, 19, 22, 24],
            &[3, 4, 8, 9, 13, 14], &[0, 1, 2, 5, 6, 7], &[10, 11, 12, 15, 16, 20], &[17, 18, 19, 21, 22, 24],
            &[2, 3, 7, 8, 12, 13], &[15, 16, 17, 20, 21, 22], &[4, 9, 14, 18, 19, 24], &[12, 13, 14, 18, 19, 24],
            &[10, 11, 15, 16, 20, 21], &[1, 2, 6, 7, 11, 12], &[0, 5, 10, 15, 16, 20], &[1, 2, 3, 4, 8, 9],
            &[0, 5, 6, 7, 10, 11], &[0, 1, 6, 11, 12, 17], &[5, 10, 15, 16, 20, 21], &[2, 3, 4, 7, 8, 13],
            &[9, 14, 18, 19, 22, 24], &[11, 12, 16, 17, 20, 21], &[0, 1, 2, 3, 4, 5], &[6, 7, 8, 12, 13, 17],
            &[6, 7, 8, 9, 13, 14], &[0, 1, 5, 6, 10, 15], &[12, 13, 14, 15, 16, 17], &[18, 19, 20, 21, 22, 24],
            &[10, 11, 12, 15, 16, 17], &[3, 4, 8, 9, 12, 13], &[14, 17, 18, 19, 22, 24], &[3, 8, 10, 11, 12, 13],
        ],
    },
    // The goal's blank inside, on the diagonal: the patterns for the corner, with the corner's tile
    // in place of this cell's tile.
    Preset {
        sides: (5, 5),
        goal_blank: 18,
        tiers: &[8, 18],
        patterns: &[
            &[12, 17, 19, 22, 23, 24], &[10, 11, 15, 16, 20, 21], &[15, 16, 17, 20, 21, 22], &[0, 1, 5, 6, 10, 11],
            &[10, 15, 16, 17, 20, 21], &[0, 1, 5, 10, 15, 20], &[14, 19, 21, 22, 23, 24], &[6, 7, 11, 12, 16, 17],
            &[17, 19, 21, 22, 23, 24], &[10, 11, 12, 15, 16, 20], &[14, 17, 19, 22, 23, 24], &[12, 15, 16, 17, 20, 21],
            &[19, 20, 21, 22, 23, 24], &[10, 11, 12, 15, 16, 17], &[6, 11, 16, 17, 21, 22], &[0, 1, 2, 5, 10, 15],
            &[3, 8, 12, 13, 17, 22], &[2, 6, 7, 11, 16, 21],
        ],
    },
    // The goal's blank inside, next to the centre: likewise, the patterns for the middle of an
    // edge.
    Preset {
        sides: (5, 5),
        goal_blank: 17,
        tiers: &[8, 18],
        patterns: &[
            &[0, 1, 2, 5, 6, 7], &[0, 1, 5, 6, 10, 11], &[10, 11, 15, 16, 20, 21], &[12, 15, 16, 20, 21, 22],
            &[0, 1, 5, 6, 10, 15], &[11, 12, 16, 20, 21, 22], &[10, 11, 12, 13, 15, 20], &[16, 18, 20, 21, 22, 23],
            &[15, 16, 20, 21, 23, 24], &[0, 1, 2, 5, 6, 10], &[7, 11, 12, 15, 16, 22], &[1, 2, 3, 4, 6, 7],
            &[0, 5, 10, 11, 12, 15], &[5, 6, 10, 11, 15, 20], &[0, 1, 6, 7, 11, 12], &[5, 10, 15, 16, 20, 21],
            &[11, 15, 16, 20, 21, 22], &[10, 11, 12, 15, 16, 22],
        ],
    },
    // Nearly as fast to build as the 7-6-6 partition. A search needs an eighth of the nodes.
    Preset {
        sides: (4, 5),
        goal_blank: 19,
        tiers: &[26],
        patterns: &[
            &[0, 1, 5, 6, 10, 11], &[2, 3, 4, 7, 8, 9], &[12, 13, 14, 16, 17, 18], &[15],
            &[0, 5], &[1, 2, 3, 4, 6, 7], &[8, 9, 13, 14, 18], &[10, 11, 12, 15, 16, 17],
            &[0, 5, 10, 15, 16], &[1, 2, 3, 6, 7, 8], &[4, 9], &[11, 12, 13, 14, 17, 18],
            &[0, 1], &[2, 3, 4, 7, 8], &[5, 6, 10, 11, 15, 16], &[9, 12, 13, 14, 17, 18],
            &[0, 1, 2, 5, 6, 10], &[3, 4, 7, 8, 9, 14], &[11, 12, 13, 17, 18], &[15, 16],
            &[0, 5, 6, 10, 15], &[1, 2], &[11, 12, 13, 16, 17, 18], &[0, 1, 2, 5, 6, 7],
            &[3, 8], &[4, 9, 13, 14, 18],
        ],
    },
    // Larger patterns. Compared with the preset above, a search needs two thirds of the nodes, and
    // the build costs three times as much.
    Preset {
        sides: (4, 5),
        goal_blank: 19,
        tiers: &[11],
        patterns: &[
            &[0, 1, 5, 6, 10, 11], &[2, 3, 4, 7, 8, 9], &[12, 13, 14, 15, 16, 17, 18], &[0, 1, 2, 5, 6, 7],
            &[3, 4, 8, 9, 13, 14], &[10, 11, 12, 15, 16, 17, 18], &[0, 1, 5, 6, 10, 15], &[11, 12, 13, 14, 16, 17, 18],
            &[0, 1, 2, 3, 4, 9], &[5, 6, 10, 11, 15, 16], &[7, 8, 12, 13, 14, 17, 18],
        ],
    },
    Preset {
        sides: (3, 6),
        goal_blank: 17,
        tiers: &[12],
        patterns: &[
            &[0, 1, 6, 7, 12, 13], &[2, 3, 8, 9, 14, 15], &[4, 5, 10, 11, 16], &[0, 1, 2, 6, 7, 8],
            &[3, 4, 5, 9, 10, 11], &[12, 13, 14, 15, 16], &[0, 1, 6, 12, 13, 14], &[2, 3, 4, 7, 8, 9],
            &[5, 10, 11, 15, 16], &[0, 1, 2, 6, 7, 12], &[3, 8, 9, 13, 14], &[4, 5, 10, 11, 15, 16],
        ],
    },
];
