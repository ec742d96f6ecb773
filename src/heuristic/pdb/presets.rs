//! Good partitions and PDB collections by shape and the blank's goal.
//!
//! A preset lists the goal cells of the blank for which it is used. Its patterns are written for
//! the first of these cells. For another of these cells, the patterns contain the first cell in
//! place of that cell, which is then not the home of a tile.

use crate::board::{Cell, Shape};
use crate::system::sort_few;

/// Good patterns, each as its homes.
type Patterns = &'static [&'static [usize]];

/// A good partition: the shape, the blank's goal cells, and the homes of each pattern.
type PartitionPreset = ((usize, usize), &'static [usize], Patterns);

/// The best partitions found by counting nodes on random boards (if the blank's goal is in a
/// corner), and similar ones for other goals. (The idea and `7-8`: Korf and Felner 2002.)
const PARTITIONS: [PartitionPreset; 8] = [
    // Transposition takes goal cell 14 to cell 11, for which `Partition::reflected` needs patterns.
    ((4, 4), &[15, 14, 11, 10], &[&[3, 6, 7, 10, 11, 14], &[4, 5, 8, 9, 12, 13], &[0, 1, 2]]),
    ((4, 4), &[15, 14, 11, 10], &[&[8, 9, 10, 11, 12, 13, 14], &[1, 2, 3, 4, 5, 6, 7], &[0]]),
    ((4, 4), &[15, 14, 11, 10], &[&[8, 9, 10, 11, 12, 13, 14], &[0, 1, 2, 3, 4, 5, 6, 7]]),
    ((4, 4), &[15], &[&[0, 1, 2, 5, 6], &[3, 7, 10, 11, 14], &[4, 8, 9, 12, 13]]),
    // 8,050 nodes per random board. A 7-7 along bands takes 19,774; other partitions take up to
    // 107,502.
    ((3, 5), &[14], &[&[2, 3, 4, 7, 8, 9, 12, 13], &[0, 1, 5, 6, 10, 11]]),
    // Three blocks. Of three 7-6-6 partitions tried, this one solved the most random boards within
    // 20 million nodes: 5 of 8.
    ((4, 5), &[19], &[&[0, 1, 5, 6, 10, 11, 15], &[2, 3, 4, 7, 8, 9], &[12, 13, 14, 16, 17, 18]]),
    (
        (5, 5),
        &[24],
        &[&[12, 17, 18, 19, 22, 23], &[10, 11, 15, 16, 20, 21], &[3, 4, 8, 9, 13, 14], &[0, 1, 2, 5, 6, 7]],
    ),
    // A pinwheel around the blank.
    (
        (5, 5),
        &[12],
        &[&[0, 1, 2, 5, 6, 7], &[3, 4, 8, 9, 13, 14], &[17, 18, 19, 22, 23, 24], &[10, 11, 15, 16, 20, 21]],
    ),
];

/// Returns the homes of the best known patterns of these sizes, which may be in any order.
pub(super) fn partition(shape: Shape, goal_blank: Cell, sizes: &[usize]) -> Option<Vec<Vec<usize>>> {
    let sorted = |mut sizes: Vec<usize>| {
        sort_few(&mut sizes, |&size| size);
        sizes
    };
    let requested = sorted(sizes.to_vec());
    let has_sizes = |patterns: Patterns| sorted(patterns.iter().map(|homes| homes.len()).collect()) == requested;
    let (_, goal_blanks, patterns) = PARTITIONS
        .iter()
        .find(|(sides, goal_blanks, patterns)| is_for(*sides, goal_blanks, shape, goal_blank) && has_sizes(patterns))?;
    Some(adapted(patterns, goal_blanks, goal_blank))
}

/// A collection for some goals. Its patterns are in the order in which they were chosen.
struct CollectionPreset {
    sides: (usize, usize),
    goal_blanks: &'static [usize],
    patterns: Patterns,
}

/// Returns the collections for a shape and the blank's goal cell, each as the homes of its
/// patterns, the cheapest to build first.
pub(super) fn collections(shape: Shape, goal_blank: Cell) -> impl Iterator<Item = Vec<Vec<usize>>> {
    let presets = COLLECTIONS.iter().filter(move |preset| is_for(preset.sides, preset.goal_blanks, shape, goal_blank));
    presets.map(move |preset| adapted(preset.patterns, preset.goal_blanks, goal_blank))
}

fn is_for(sides: (usize, usize), goal_blanks: &[usize], shape: Shape, goal_blank: Cell) -> bool {
    sides == (shape.rows(), shape.cols()) && goal_blanks.contains(&goal_blank.index())
}

/// Returns the patterns of a preset for one of its goals.
fn adapted(patterns: &[&[usize]], goal_blanks: &[usize], goal_blank: Cell) -> Vec<Vec<usize>> {
    let home = |&home: &usize| if home == goal_blank.index() { goal_blanks[0] } else { home };
    patterns.iter().map(|homes| homes.iter().map(home).collect()).collect()
}

/// The presets of collections. Their patterns were chosen greedily: the next pattern, or group of
/// patterns that completes a sum, was always the one that saved the most. Savings were measured by
/// counting nodes or, for 5×5 goals with the blank outside the corner, by comparing the sums of
/// sampled states.
#[rustfmt::skip]
const COLLECTIONS: [CollectionPreset; 7] = [
    // Chosen on samples of the fifty boards of Korf and Felner. It contains their
    // partition. Also used for a goal whose blank is inside the board, on the diagonal.
    CollectionPreset {
        sides: (5, 5),
        goal_blanks: &[24, 18],
        patterns: &[
            &[12, 17, 18, 19, 22, 23], &[10, 11, 15, 16, 20, 21], &[15, 16, 17, 20, 21, 22], &[0, 1, 5, 6, 10, 11],
            &[10, 15, 16, 17, 20, 21], &[0, 1, 5, 10, 15, 20], &[14, 18, 19, 21, 22, 23], &[6, 7, 11, 12, 16, 17],
            &[17, 18, 19, 21, 22, 23], &[10, 11, 12, 15, 16, 20], &[14, 17, 18, 19, 22, 23], &[12, 15, 16, 17, 20, 21],
            &[18, 19, 20, 21, 22, 23], &[10, 11, 12, 15, 16, 17], &[6, 11, 16, 17, 21, 22], &[0, 1, 2, 5, 10, 15],
            &[3, 8, 12, 13, 17, 22], &[2, 6, 7, 11, 16, 21],
        ],
    },
    // The goal's blank in the centre.
    CollectionPreset {
        sides: (5, 5),
        goal_blanks: &[12],
        patterns: &[
            &[0, 1, 2, 5, 6, 7], &[3, 4, 8, 9, 13, 14], &[2, 3, 4, 7, 8, 9], &[13, 14, 18, 19, 23, 24],
            &[6, 7, 8, 9, 13, 14], &[0, 1, 2, 3, 4, 5], &[2, 7, 16, 17, 18, 19], &[3, 4, 9, 14, 19, 24],
            &[13, 14, 16, 17, 18, 19], &[6, 7, 8, 9, 10, 11], &[2, 3, 4, 7, 8, 13], &[9, 14, 18, 19, 23, 24],
            &[1, 2, 3, 4, 8, 9], &[0, 1, 2, 3, 5, 6], &[4, 8, 9, 13, 14, 19], &[11, 13, 14, 18, 19, 24],
            &[0, 1, 2, 6, 7, 11], &[4, 7, 8, 9, 13, 14],
        ],
    },
    // The goal's blank in the middle of an edge, or inside, next to the centre.
    CollectionPreset {
        sides: (5, 5),
        goal_blanks: &[22, 17],
        patterns: &[
            &[0, 1, 2, 5, 6, 7], &[0, 1, 5, 6, 10, 11], &[10, 11, 15, 16, 20, 21], &[12, 15, 16, 17, 20, 21],
            &[0, 1, 5, 6, 10, 15], &[11, 12, 16, 17, 20, 21], &[10, 11, 12, 13, 15, 20], &[16, 17, 18, 20, 21, 23],
            &[15, 16, 20, 21, 23, 24], &[0, 1, 2, 5, 6, 10], &[7, 11, 12, 15, 16, 17], &[1, 2, 3, 4, 6, 7],
            &[0, 5, 10, 11, 12, 15], &[5, 6, 10, 11, 15, 20], &[0, 1, 6, 7, 11, 12], &[5, 10, 15, 16, 20, 21],
            &[11, 15, 16, 17, 20, 21], &[10, 11, 12, 15, 16, 17],
        ],
    },
    // The goal's blank next to a corner. No reflection keeps this cell in its place, so there are
    // no sums for a mirrored board.
    CollectionPreset {
        sides: (5, 5),
        goal_blanks: &[23],
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
    // Nearly as fast to build as the 7-6-6 partition. A search needs an eighth of the nodes that it
    // needs with that partition.
    CollectionPreset {
        sides: (4, 5),
        goal_blanks: &[19],
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
    CollectionPreset {
        sides: (4, 5),
        goal_blanks: &[19],
        patterns: &[
            &[0, 1, 5, 6, 10, 11], &[2, 3, 4, 7, 8, 9], &[12, 13, 14, 15, 16, 17, 18], &[0, 1, 2, 5, 6, 7],
            &[3, 4, 8, 9, 13, 14], &[10, 11, 12, 15, 16, 17, 18], &[0, 1, 5, 6, 10, 15], &[11, 12, 13, 14, 16, 17, 18],
            &[0, 1, 2, 3, 4, 9], &[5, 6, 10, 11, 15, 16], &[7, 8, 12, 13, 14, 17, 18],
        ],
    },
    CollectionPreset {
        sides: (3, 6),
        goal_blanks: &[17],
        patterns: &[
            &[0, 1, 6, 7, 12, 13], &[2, 3, 8, 9, 14, 15], &[4, 5, 10, 11, 16], &[0, 1, 2, 6, 7, 8],
            &[3, 4, 5, 9, 10, 11], &[12, 13, 14, 15, 16], &[0, 1, 6, 12, 13, 14], &[2, 3, 4, 7, 8, 9],
            &[5, 10, 11, 15, 16], &[0, 1, 2, 6, 7, 12], &[3, 8, 9, 13, 14], &[4, 5, 10, 11, 15, 16],
        ],
    },
];
