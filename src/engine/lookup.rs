//! The lookup engine: one search of the whole graph, then one load or a short walk per board.
//!
//! The solver uses it for 2×2, 2×3, 3×2 and 3×3 boards, on which no shortest path is longer than 31
//! moves. One search writes the complete path of every state into a word of its own ([`Paths`]).
//! Then a board costs one load. The table of these words is built after the first boards
//! (`late_paths.rs`).
//!
//! For the other shapes of up to ten cells, such as 2×4, the solver uses `engine/full_table`. Only
//! tests build a [`Table`] for them, to compare the engines with it. It stores the distance of
//! every state by rank ([`Ranking`]), found by a plain breadth-first search. A solution follows the
//! smallest letter that leads one move nearer to the goal, which yields the canonical path.

mod engine;
mod late_paths;
mod path_counts;

use self::late_paths::LatePaths;
use super::path_table::{Paths, plies};
use crate::board::frame::Space;
use crate::board::{Beginning, Move, Path, Ranking, Shape, Solvable, State};
use crate::system::Footprint;

/// The maximum number of cells of a shape whose whole graph is searched.
pub const MAX_CELLS: usize = 10;

/// The canonical path, or the distance, of every state of one space.
#[derive(Debug)]
pub struct Table {
    ranking: Ranking,
    answers: Answers,
}

#[derive(Debug)]
enum Answers {
    /// The complete path of every state.
    Paths(LatePaths),
    /// The distance of every state.
    Distances { space: Space, moves: Vec<u8> },
}

impl Table {
    /// Builds the table of a space; `None` for lines and for shapes of more than [`MAX_CELLS`]
    /// cells.
    pub fn build(space: &Space) -> Option<Table> {
        Table::packed(space).or_else(|| {
            let ranking = Ranking::new(space.shape, space.goal_blank).filter(|_| space.shape.cells() <= MAX_CELLS)?;
            let moves = distances(&ranking, space);
            Some(Table { ranking, answers: Answers::Distances { space: *space, moves } })
        })
    }

    /// Returns the table of complete paths if they fit into words. The paths are computed after the
    /// first boards.
    pub fn packed(space: &Space) -> Option<Table> {
        let ranking = Ranking::new(space.shape, space.goal_blank)?;
        Some(Table { ranking, answers: Answers::Paths(LatePaths::new(space)?) })
    }

    /// Writes the canonical path over `path`.
    #[inline]
    pub fn solve(&self, start: &Solvable, path: &mut Path) {
        let mut rank = self.ranking.rank(start.state());
        match &self.answers {
            Answers::Paths(paths) => paths.write(rank, start, path),
            Answers::Distances { space, moves } => {
                path.clear();
                let mut state = *start.state();
                while moves[rank] > 0 {
                    let nearer = neighbours(&self.ranking, space, &state).find(|(.., next)| moves[*next] < moves[rank]);
                    let Some((letter, after, next)) = nearer else { break };
                    path.push(letter);
                    (state, rank) = (after, next);
                }
            }
        }
    }

    /// Returns the distance of a solvable state in moves.
    #[inline]
    pub fn distance(&self, state: &State) -> u16 {
        let rank = self.ranking.rank(state);
        match &self.answers {
            Answers::Paths(paths) => plies(paths.table().word(rank)) as u16,
            Answers::Distances { moves, .. } => u16::from(moves[rank]),
        }
    }

    /// Returns the number of shortest paths of a state and their common beginning; `None` unless
    /// the table of complete paths is built.
    #[inline]
    pub fn count_paths(&self, start: &Solvable) -> Option<(u64, Beginning)> {
        match &self.answers {
            Answers::Paths(paths) => Some(paths.counts(&self.ranking)?.of(self.ranking.rank(start.state()))),
            Answers::Distances { .. } => None,
        }
    }

    /// Returns the complete paths if they fit into words. Computes them if necessary.
    #[inline]
    pub fn paths(&self) -> Option<&Paths> {
        match &self.answers {
            Answers::Paths(paths) => Some(paths.table()),
            Answers::Distances { .. } => None,
        }
    }

    /// Returns how many more boards are searched one by one before the table is built.
    pub fn searches_left(&self) -> usize {
        match &self.answers {
            Answers::Paths(paths) => paths.searches_left(),
            Answers::Distances { .. } => 0,
        }
    }

    /// Returns the maximum memory of a table of this shape. Building it takes at most twice as much
    /// as the finished table. A table of complete paths is built after the first boards, so the
    /// memory for building it stays reserved.
    pub fn footprint(shape: Shape) -> Footprint {
        let kept = Table::bytes_of(shape);
        Footprint { peak: 2 * kept, kept: if Paths::fit(shape) { 2 * kept } else { kept } }
    }

    /// Returns the maximum memory of the finished table of this shape, in bytes.
    pub fn bytes_of(shape: Shape) -> u64 {
        let states: u64 = (3..=shape.cells() as u64).product();
        states * 9
    }
}

/// Returns the states one move away with their ranks, smallest letter first.
fn neighbours(ranking: &Ranking, space: &Space, state: &State) -> impl Iterator<Item = (Move, State, usize)> {
    space.steps(state.blank()).map(|(letter, to)| {
        let mut next = *state;
        next.slide(to);
        (letter, next, ranking.rank(&next))
    })
}

/// Returns the distance of every state from the goal, by rank.
fn distances(ranking: &Ranking, space: &Space) -> Vec<u8> {
    let mut moves = vec![u8::MAX; ranking.states()];
    let (mut depth, mut level) = (0, vec![ranking.rank(&space.goal())]);
    moves[level[0]] = 0;
    while !level.is_empty() {
        depth += 1;
        let mut next_level = Vec::new();
        for rank in level {
            for (.., next) in neighbours(ranking, space, &ranking.unrank(rank)) {
                if moves[next] == u8::MAX {
                    moves[next] = depth;
                    next_level.push(next);
                }
            }
        }
        level = next_level;
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;
    use crate::board::frame::Frame;

    fn table(rows: usize, cols: usize) -> Option<Table> {
        let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        Table::build(Frame::new(&goal).unwrap().space())
    }

    /// The expected depth of the deepest level and its number of states are from OEIS A089473 (3×3)
    /// and from full searches of the small rectangles.
    #[test]
    fn deepest_levels_are_the_published_ones() {
        for (rows, cols, deepest, states) in [(2, 2, 6, 1), (2, 3, 21, 1), (2, 4, 36, 1), (3, 3, 31, 2)] {
            let table = table(rows, cols).unwrap();
            let levels: Vec<u16> =
                (0..table.ranking.states()).map(|rank| table.distance(&table.ranking.unrank(rank))).collect();
            assert_eq!(levels.iter().max(), Some(&deepest), "{rows}x{cols}");
            assert_eq!(levels.iter().filter(|&&level| level == deepest).count(), states, "{rows}x{cols}");
        }
    }

    #[test]
    fn lines_and_large_shapes_have_no_table() {
        for (rows, cols) in [(1, 5), (3, 4), (4, 4)] {
            assert!(table(rows, cols).is_none(), "{rows}x{cols}");
        }
    }
}
