//! Sets of patterns that were found good, by shape and the blank's goal.

use super::{Pattern, PatternSet};
use crate::board::{Cell, Shape};

/// Patterns in the order in which they were chosen. Each stage of a ladder is a beginning of them, so that its tables serve the
/// next; where a space has several lists, those of one stand before those of the next.
struct Chosen {
    sides: (usize, usize),
    goal_blank: usize,
    /// How many patterns each stage has.
    stages: &'static [usize],
    patterns: &'static [&'static [usize]],
}

impl Chosen {
    fn is_for(&self, shape: Shape, goal_blank: Cell) -> bool {
        self.sides == (shape.rows(), shape.cols()) && self.goal_blank == goal_blank.index()
    }
}

/// The sets of a space, the cheapest to build first.
pub(super) fn of(shape: Shape, goal_blank: Cell) -> Vec<PatternSet> {
    let chosen = CHOSEN.iter().filter(|chosen| chosen.is_for(shape, goal_blank));
    let beginnings = chosen.flat_map(|chosen| chosen.stages.iter().map(|&count| &chosen.patterns[..count]));
    let set = |patterns: &[&[usize]]| {
        let patterns = patterns.iter().map(|homes| Pattern::new(shape, goal_blank, homes));
        PatternSet::new(patterns.collect::<Result<_, _>>()?)
    };
    beginnings.filter_map(|patterns| set(patterns).ok()).collect()
}

/// Each chosen greedily, by the nodes of searches over boards of its own: that pattern, or those few that complete a
/// sum, which save most.
const CHOSEN: [Chosen; 4] = [
    // Over samples of the fifty boards of Korf and Felner. The first stage contains their partition.
    Chosen {
        sides: (5, 5),
        goal_blank: 24,
        stages: &[8, 18],
        patterns: &[
            &[12, 17, 18, 19, 22, 23],
            &[10, 11, 15, 16, 20, 21],
            &[15, 16, 17, 20, 21, 22],
            &[0, 1, 5, 6, 10, 11],
            &[10, 15, 16, 17, 20, 21],
            &[0, 1, 5, 10, 15, 20],
            &[14, 18, 19, 21, 22, 23],
            &[6, 7, 11, 12, 16, 17],
            &[17, 18, 19, 21, 22, 23],
            &[10, 11, 12, 15, 16, 20],
            &[14, 17, 18, 19, 22, 23],
            &[12, 15, 16, 17, 20, 21],
            &[18, 19, 20, 21, 22, 23],
            &[10, 11, 12, 15, 16, 17],
            &[6, 11, 16, 17, 21, 22],
            &[0, 1, 2, 5, 10, 15],
            &[3, 8, 12, 13, 17, 22],
            &[2, 6, 7, 11, 16, 21],
        ],
    },
    // Tables that are built in the time of a 7-6-6, of which this one needs a tenth of the nodes.
    Chosen {
        sides: (4, 5),
        goal_blank: 19,
        stages: &[26],
        patterns: &[
            &[0, 1, 5, 6, 10, 11],
            &[2, 3, 4, 7, 8, 9],
            &[12, 13, 14, 16, 17, 18],
            &[15],
            &[0, 5],
            &[1, 2, 3, 4, 6, 7],
            &[8, 9, 13, 14, 18],
            &[10, 11, 12, 15, 16, 17],
            &[0, 5, 10, 15, 16],
            &[1, 2, 3, 6, 7, 8],
            &[4, 9],
            &[11, 12, 13, 14, 17, 18],
            &[0, 1],
            &[2, 3, 4, 7, 8],
            &[5, 6, 10, 11, 15, 16],
            &[9, 12, 13, 14, 17, 18],
            &[0, 1, 2, 5, 6, 10],
            &[3, 4, 7, 8, 9, 14],
            &[11, 12, 13, 17, 18],
            &[15, 16],
            &[0, 5, 6, 10, 15],
            &[1, 2],
            &[11, 12, 13, 16, 17, 18],
            &[0, 1, 2, 5, 6, 7],
            &[3, 8],
            &[4, 9, 13, 14, 18],
        ],
    },
    // Larger patterns: half of the nodes again, for eight times the work.
    Chosen {
        sides: (4, 5),
        goal_blank: 19,
        stages: &[11],
        patterns: &[
            &[0, 1, 5, 6, 10, 11],
            &[2, 3, 4, 7, 8, 9],
            &[12, 13, 14, 15, 16, 17, 18],
            &[0, 1, 2, 5, 6, 7],
            &[3, 4, 8, 9, 13, 14],
            &[10, 11, 12, 15, 16, 17, 18],
            &[0, 1, 5, 6, 10, 15],
            &[11, 12, 13, 14, 16, 17, 18],
            &[0, 1, 2, 3, 4, 9],
            &[5, 6, 10, 11, 15, 16],
            &[7, 8, 12, 13, 14, 17, 18],
        ],
    },
    Chosen {
        sides: (3, 6),
        goal_blank: 17,
        stages: &[12],
        patterns: &[
            &[0, 1, 6, 7, 12, 13],
            &[2, 3, 8, 9, 14, 15],
            &[4, 5, 10, 11, 16],
            &[0, 1, 2, 6, 7, 8],
            &[3, 4, 5, 9, 10, 11],
            &[12, 13, 14, 15, 16],
            &[0, 1, 6, 12, 13, 14],
            &[2, 3, 4, 7, 8, 9],
            &[5, 10, 11, 15, 16],
            &[0, 1, 2, 6, 7, 12],
            &[3, 8, 9, 13, 14],
            &[4, 5, 10, 11, 15, 16],
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    /// What is not a set would be left out of the ladder without a word.
    #[test]
    fn every_stage_is_a_set() {
        for chosen in &CHOSEN {
            let shape = Shape::new(chosen.sides.0, chosen.sides.1).unwrap();
            let sizes: Vec<usize> =
                of(shape, Cell::new(chosen.goal_blank)).iter().map(|set| set.patterns().len()).collect();
            assert!(sizes.windows(chosen.stages.len()).any(|sizes| sizes == chosen.stages), "{shape}: {sizes:?}");
            assert_eq!(chosen.stages.last(), Some(&chosen.patterns.len()), "{shape}");
        }
    }
}
