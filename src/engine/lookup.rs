//! The lookup engine for boards up to 3×3: one search of the whole graph, then one table access per
//! board. [`super::full_table`] serves larger boards.
//!
//! It serves 2×2, 2×3, 3×2 and 3×3 boards, on which no shortest path is longer than 31 moves. One
//! search writes the complete path of every state into a separate word ([`Paths`]).
//!
//! That takes some 8 ms on 3×3, as long as searching more than two hundred average boards one by
//! one. Most calls from scripts and most judges' test files have fewer boards. So IDA* with the
//! Manhattan distance searches the first boards, and finds the same paths. The next board builds
//! the table.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::path_table::{Paths, moves, path_len};
use super::{Outcome, Stats, ThreadShare, ida};
use crate::board::frame::Space;
use crate::board::{Beginning, Move, Path, Ranking, Shape, Solvable, State};
use crate::heuristic::{Manhattan, SimpleHeuristic};
use crate::system::{Budget, Footprint, Limits};

/// The maximum number of cells of a shape whose table takes only milliseconds to build: up to 3×3
/// by this engine, 2×4 and 2×5 by [`super::full_table`].
pub const MAX_INSTANT_CELLS: usize = 10;

/// The number of boards that are searched before the table is built. Even if all of them are the
/// hardest 3×3 board (0.3 ms; the average is 30 µs), they take less time than building the table.
const MAX_SEARCHES: usize = 20;

/// The canonical path of every state of one [`Space`], and the search that is used until the table
/// of paths is built.
#[derive(Debug)]
pub struct Table {
    space: Space,
    ranking: Ranking,
    paths: OnceLock<Paths>,
    counts: OnceLock<PathCounts>,
    /// The number of boards searched so far.
    searched: AtomicUsize,
}

impl Table {
    /// Prepares the table of a space, but does not build it yet; `None` if the paths do not fit
    /// into words.
    pub fn new(space: &Space) -> Option<Table> {
        let ranking = Ranking::new(space.shape, space.goal_blank).filter(|_| Paths::fit(space.shape))?;
        let (paths, counts) = (OnceLock::new(), OnceLock::new());
        Some(Table { space: *space, ranking, paths, counts, searched: AtomicUsize::new(0) })
    }

    /// Overwrites `path` with the canonical path.
    #[inline]
    pub fn solve(&self, start: &Solvable, path: &mut Path) {
        if self.paths.get().is_none()
            && self.searched.fetch_add(1, Ordering::Relaxed) < MAX_SEARCHES
            && let Outcome::Solved(found) = self.search(start)
        {
            *path = found;
            return;
        }
        path.clear();
        path.extend(moves(self.paths().word(self.ranking.rank(start.state()))));
    }

    #[cold]
    fn search(&self, start: &Solvable) -> Outcome {
        let manhattan = SimpleHeuristic::Manhattan(Manhattan::new(self.space.shape, self.space.goal_blank));
        let (limits, stop) = (Limits::default(), AtomicBool::new(false));
        let (budget, alone) = (Budget::start(&limits, &stop), ThreadShare::alone());
        let context = ida::Context::new(&budget, &alone);
        let search = ida::plain(&Arc::new(manhattan), &self.space);
        search.solve(start, &context, &mut ida::Scratch::default(), &mut Stats::default())
    }

    /// Returns the complete paths. Computes them if necessary, while other threads wait for them.
    #[inline]
    pub fn paths(&self) -> &Paths {
        self.paths.get_or_init(|| {
            let paths = Paths::build(&self.space);
            paths.unwrap_or_else(|| unreachable!("the paths of {} fit into words", self.space.shape))
        })
    }

    /// Returns the distance of a solvable state in moves.
    #[inline]
    pub fn distance(&self, state: &State) -> u16 {
        path_len(self.paths().word(self.ranking.rank(state))) as u16
    }

    /// Returns the number of shortest paths of a state and their common beginning; `None` unless
    /// the table of complete paths is built.
    #[inline]
    pub fn count_paths(&self, start: &Solvable) -> Option<(u64, Beginning)> {
        let paths = self.paths.get()?;
        let count = || PathCounts::new(&self.space, &self.ranking, |rank| path_len(paths.word(rank)));
        Some(self.counts.get_or_init(count).of(self.ranking.rank(start.state())))
    }

    /// Returns how many more boards are searched one by one before the table is built.
    pub fn searches_left(&self) -> usize {
        match self.paths.get() {
            Some(_) => 0,
            None => MAX_SEARCHES.saturating_sub(self.searched.load(Ordering::Relaxed)),
        }
    }

    /// Returns the memory of a table of this shape. Building it takes at most twice as much as the
    /// finished table. It is built after the first boards, so the memory for building it stays
    /// reserved.
    pub fn footprint(shape: Shape) -> Footprint {
        let bytes = 2 * Table::bytes_of(shape);
        Footprint { peak: bytes, kept: bytes }
    }

    /// Returns the maximum memory of the finished table of this shape, in bytes.
    pub fn bytes_of(shape: Shape) -> u64 {
        let states: u64 = (3..=shape.cells() as u64).product();
        states * 9
    }
}

/// The number of shortest paths of each state, and their common beginning, by rank ([`Ranking`]).
///
/// The number of shortest paths of a state is the sum of the numbers of all neighbours that are one
/// move nearer to the goal. So one pass over all states, in order of distance, counts all paths.
/// 3×3: 181,440 entries of 8 bytes.
#[derive(Debug)]
struct PathCounts(Box<[CountEntry]>);

/// The shortest paths of one state.
#[derive(Clone, Copy, Default, Debug)]
struct CountEntry {
    /// The number of shortest paths.
    paths: u32,
    /// One bit for each letter that begins a shortest path.
    first_moves: u8,
    /// The number of moves that all shortest paths share at the beginning.
    forced: u8,
}

impl PathCounts {
    /// Counts the shortest paths of all states of a space. `distance` returns the distance of the
    /// state of a rank.
    fn new(space: &Space, ranking: &Ranking, distance: impl Fn(usize) -> u32) -> PathCounts {
        let mut by_distance: Vec<Vec<u32>> = Vec::new();
        for rank in 0..ranking.states() {
            let distance = distance(rank) as usize;
            by_distance.resize_with(by_distance.len().max(distance + 1), Vec::new);
            by_distance[distance].push(rank as u32);
        }
        let mut entries = vec![CountEntry::default(); ranking.states()];
        for (moves, ranks) in by_distance.iter().enumerate() {
            for &rank in ranks {
                let state = ranking.unrank(rank as usize);
                let mut entry = CountEntry { paths: u32::from(moves == 0), ..CountEntry::default() };
                for (letter, to) in space.steps(state.blank()) {
                    let mut next = state;
                    next.slide(to);
                    let next = ranking.rank(&next);
                    if distance(next) as usize + 1 == moves {
                        entry.paths += entries[next].paths;
                        entry.first_moves |= 1 << letter.index();
                        entry.forced = entries[next].forced + 1;
                    }
                }
                if entry.first_moves.count_ones() > 1 {
                    entry.forced = 0;
                }
                entries[rank as usize] = entry;
            }
        }
        PathCounts(entries.into())
    }

    /// Returns the number of shortest paths of the state of this rank, and their common beginning.
    #[inline]
    fn of(&self, rank: usize) -> (u64, Beginning) {
        let CountEntry { paths, first_moves, forced } = self.0[rank];
        let first_moves = Move::ALL.into_iter().filter(|step| first_moves >> step.index() & 1 == 1).collect();
        (u64::from(paths), Beginning { first_moves, forced: usize::from(forced) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;
    use crate::board::frame::Frame;

    /// Checks every state of the smaller shapes and every 25th of 3×3, for goals with the blank in
    /// a corner and elsewhere.
    #[test]
    fn searched_paths_match_the_table() {
        for (rows, cols, every) in [(2, 2, 1), (2, 3, 1), (3, 2, 1), (3, 3, 25)] {
            for goal in [Goal::BlankLast, Goal::BlankFirst, Goal::Snail] {
                let Ok(goal) = goal.on(Shape::new(rows, cols).unwrap()) else { continue };
                let frame = Frame::new(&goal).unwrap();
                let table = Table::new(frame.space()).unwrap();
                for rank in (0..table.ranking.states()).step_by(every) {
                    let start =
                        Solvable::check(table.ranking.unrank(rank), frame.space().shape, frame.space().goal_blank)
                            .unwrap();
                    let Outcome::Solved(path) = table.search(&start) else { panic!("{rows}x{cols} {rank}") };
                    assert!(path.moves().eq(moves(table.paths().word(rank))), "{rows}x{cols} {rank}");
                }
            }
        }
    }

    #[test]
    fn the_table_is_built_after_enough_boards() {
        let goal = Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
        let frame = Frame::new(&goal).unwrap();
        let (table, start, mut path) = (Table::new(frame.space()).unwrap(), frame.admit(&goal).unwrap(), Path::new());
        for searches_left in (0..MAX_SEARCHES).rev() {
            table.solve(&start, &mut path);
            assert_eq!((table.searches_left(), table.paths.get().is_none()), (searches_left, true));
        }
        table.solve(&start, &mut path);
        assert!(table.paths.get().is_some());
    }

    #[test]
    fn fit_agrees_with_the_search() {
        for (rows, cols) in [(1, 3), (2, 2), (3, 2), (2, 4), (4, 2), (3, 3), (1, 9), (2, 5)] {
            let shape = Shape::new(rows, cols).unwrap();
            let frame = Frame::new(&Goal::BlankLast.on(shape).unwrap()).unwrap();
            assert_eq!(Paths::build(frame.space()).is_some(), Paths::fit(shape), "{shape}");
        }
    }

    #[test]
    fn lines_and_large_shapes_have_no_table() {
        for (rows, cols) in [(1, 5), (2, 4), (5, 2), (3, 4), (4, 4)] {
            let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
            assert!(Table::new(Frame::new(&goal).unwrap().space()).is_none(), "{rows}x{cols}");
        }
    }

    /// The expected depth of the deepest level and its number of states are from OEIS A089473 (3×3)
    /// and from full searches of the small rectangles.
    #[test]
    fn deepest_levels_are_the_published_ones() {
        for (rows, cols, deepest, states) in [(2, 2, 6, 1), (2, 3, 21, 1), (3, 3, 31, 2)] {
            let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
            let table = Table::new(Frame::new(&goal).unwrap().space()).unwrap();
            let levels: Vec<u16> =
                (0..table.ranking.states()).map(|rank| table.distance(&table.ranking.unrank(rank))).collect();
            assert_eq!(levels.iter().max(), Some(&deepest), "{rows}x{cols}");
            assert_eq!(levels.iter().filter(|&&level| level == deepest).count(), states, "{rows}x{cols}");
        }
    }
}
