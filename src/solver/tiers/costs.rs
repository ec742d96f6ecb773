//! The costs of tiers, for building and for solving boards, in nanoseconds of one thread on a
//! machine of 2025.
//!
//! Only their ratios matter, and these are similar on other machines (`benches/constants.csv`). The
//! rules are themselves within a factor of two of the optimum, so they tolerate the difference.

use crate::board::Shape;
use crate::solver::tables::Tables;

/// The cost of a node of a search with the base heuristic.
pub(super) const PER_BASE_NODE: f64 = 19.0;

/// The fixed cost of a search over tables, before its first node.
pub(super) const PER_SEARCH: f64 = 15_000.0;

/// Returns the cost of a node of a search over these tables.
pub(super) fn per_node(tables: &Tables) -> f64 {
    match tables {
        // Large tables are not in the caches.
        Tables::Patterns(partition) if partition.entries_generated() > 50_000_000 => 70.0,
        Tables::Patterns(_) => 25.0,
        Tables::Collection(collection) => 35.0 + 2.6 * collection.patterns().len() as f64,
        // Boards are answered without nodes.
        Tables::Full => 1.0,
    }
}

/// The cost of generating a table entry.
pub(super) const PER_ENTRY: f64 = 3.0;

/// The far boards of a shape: their minimum distance and their costs.
#[derive(Debug)]
pub(super) struct FarBoards {
    /// Rows and columns, the smaller number first.
    sides: (usize, usize),
    /// Minimum Manhattan distance of a far board.
    pub(super) min_distance: u64,
    /// The cost of one far board at the base and at each tier.
    pub(super) costs: &'static [f64],
}

/// The shapes whose costs are known. The minimum distance is nine tenths of the mean of random
/// boards. If the base cannot solve random boards of a shape in a reasonable time, boards that are
/// not quite as far are also too expensive for it, so the minimum is smaller (three quarters of the
/// mean for 4×5, six tenths for 2×7, 2×8 and 5×5). Of 1,000 random 15-puzzles, 764 are far; of 1,000 random walks of 45 moves, 6 end at
/// a far board.
#[rustfmt::skip]
const FAR_BOARDS: [FarBoards; 8] = [
    FarBoards { sides: (3, 4), min_distance: 22, costs: &[640e3, 39e3, 0.9e3] },
    FarBoards { sides: (2, 6), min_distance: 25, costs: &[240e6, 48e3, 0.9e3] },
    FarBoards { sides: (2, 7), min_distance: 22, costs: &[15e9, 12e6, 99e3, 60e3] },
    FarBoards { sides: (3, 5), min_distance: 32, costs: &[330e6, 48e6, 1.3e6, 750e3] },
    FarBoards { sides: (2, 8), min_distance: 29, costs: &[3e12, 3e9, 42e6, 510e3] },
    FarBoards { sides: (4, 4), min_distance: 34, costs: &[240e6, 6.3e6, 1.4e6, 390e3] },
    FarBoards { sides: (4, 5), min_distance: 41, costs: &[1e12, 150e6, 7.4e6, 6e6] },
    FarBoards { sides: (5, 5), min_distance: 47, costs: &[1e15, 3e9, 2.9e9, 2.8e9] },
];

impl FarBoards {
    /// Returns the far boards of a shape, if their costs are known.
    pub(super) fn of(shape: Shape) -> Option<&'static FarBoards> {
        let sides = (shape.rows().min(shape.cols()), shape.rows().max(shape.cols()));
        FAR_BOARDS.iter().find(|far| far.sides == sides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::frame::Space;
    use crate::board::{Board, Cell, Goal, Move, Tile};
    use crate::system::Random;

    /// For goals with the blank in a corner, every shape has a cost at the base and at each tier,
    /// in decreasing order.
    #[test]
    fn costs_match_the_tiers() {
        for FarBoards { sides: (rows, cols), costs, .. } in &FAR_BOARDS {
            let shape = Shape::new(*rows, *cols).unwrap();
            let space = Space { shape, goal_blank: Cell::new(shape.cells() - 1), order: Move::ALL };
            assert_eq!(costs.len(), 1 + Tables::of(&space).len(), "{shape}");
            assert!(costs.is_sorted_by(|below, above| below > above), "{shape}");
        }
    }

    /// Checked on a square and on a shape that is given with its larger side first.
    #[test]
    fn most_random_boards_are_far_and_no_goal_is() {
        let mut random = Random::new(5);
        for (rows, cols, shares) in [(4, 4, 650..850), (7, 2, 950..1_001)] {
            let shape = Shape::new(rows, cols).unwrap();
            let (goal, far_boards) = (Goal::BlankLast.on(shape).unwrap(), FarBoards::of(shape).unwrap());
            let mut tiles: Vec<Tile> = goal.tiles().to_vec();
            let mut is_far = |_: &usize| {
                random.shuffle(&mut tiles);
                Board::new(shape, &tiles).unwrap().manhattan_distance(&goal) >= far_boards.min_distance
            };
            let share = (0..1_000).filter(&mut is_far).count();
            assert!(shares.contains(&share), "{shape} {share}");
            assert!(far_boards.min_distance > 0);
        }
    }
}
