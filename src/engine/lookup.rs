//! Lookup: the whole graph is searched once, after which a board takes a load or a short walk.
//!
//! The solver uses it for shapes of whole paths, up to 3×3 but for 2×4; other shapes of up to ten cells, which `engine/full_table` serves, are
//! searched here by other steps, and the tests of both compare them.
//!
//! One retrograde breadth-first search from the goal over all states by rank ([`Ranking`]) gives
//! every state its distance. From the distances every state gets its *step*: the smallest letter
//! that leads one ply closer, and the rank it leads to. Following the steps spells the canonical
//! path, because the smallest path begins with the smallest letter that begins any shortest path,
//! and continues canonically from there.
//!
//! Distances depend on the shape and the blank's goal cell alone and are shared by every [`Space`]
//! that differs only in the order of its letters (such as the four corners of the 3×3); steps are not.
//! Where no path is longer than 31 moves – shapes up to 3×3 but for 2×4 – another search writes the
//! whole path into one word a state ([`Paths`]), and a board costs one load. That table is built when some boards have
//! come (`late_paths.rs`).
//!
//! Cost: 2×5: 1,814,400 states, 1.8 MB and 7.3 MB (time: `benches/parts.rs`, figures in `benches/README.md`).

mod engine;
mod late_paths;
mod path_counts;

use std::sync::Arc;

use self::late_paths::LatePaths;
use super::path_table::{Paths, plies};
use crate::board::frame::Space;
use crate::board::{Beginning, Cell, Move, Path, Ranking, Shape, Solvable, State};
use crate::engine::visited::{Insert, RankSet};
use crate::system::Footprint;

/// The most cells whose whole graph is searched.
pub const MAX_CELLS: usize = 10;

/// Every state's distance from the goal, by rank.
#[derive(Debug)]
pub struct Distances {
    ranking: Ranking,
    plies: Vec<u8>,
}

impl Distances {
    /// Not reached yet. No shape that is searched has a state this far away.
    const UNREACHED: u8 = u8::MAX;

    /// Below this many states a level is not worth a second thread.
    const STATES_A_THREAD: usize = 1 << 12;

    /// Searches the whole graph on up to `threads` threads; `None` for lines and for shapes of more
    /// than [`MAX_CELLS`] cells.
    ///
    /// The search starts its own threads: it never runs, nor waits for, other jobs of a pool.
    pub fn search(shape: Shape, goal_blank: Cell, threads: usize) -> Option<Distances> {
        if shape.cells() > MAX_CELLS {
            return None;
        }
        let ranking = Ranking::new(shape, goal_blank)?;
        let reached = RankSet::<8>::new(ranking.states());
        let goal = ranking.rank(&State::goal(shape, goal_blank));
        reached.insert(goal, 0);
        let (mut level, mut depth) = (vec![goal as u32], 0);
        while !level.is_empty() {
            depth += 1;
            let share = level.len().div_ceil(threads.max(1)).max(Self::STATES_A_THREAD);
            level = if level.len() <= share {
                expand(&ranking, &reached, &level, depth)
            } else {
                std::thread::scope(|scope| {
                    let (ranking, reached) = (&ranking, &reached);
                    let spawn = |part| scope.spawn(move || expand(ranking, reached, part, depth));
                    let parts: Vec<_> = level.chunks(share).map(spawn).collect();
                    parts
                        .into_iter()
                        .flat_map(|part| part.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
                        .collect()
                })
            };
        }
        let plies = (0..ranking.states()).map(|rank| reached.get(rank).unwrap_or(Self::UNREACHED)).collect();
        Some(Distances { ranking, plies })
    }

    /// The distance of a state in plies.
    #[inline]
    pub fn plies(&self, start: &Solvable) -> u16 {
        u16::from(self.plies[self.ranking.rank(start.state())])
    }

    /// How many states there are at each distance, from 0 to the greatest.
    pub fn distribution(&self) -> Vec<u64> {
        let greatest = self.plies.iter().copied().max().unwrap_or(0);
        let mut counts = vec![0; usize::from(greatest) + 1];
        for &plies in &self.plies {
            counts[usize::from(plies)] += 1;
        }
        counts
    }
}

/// The states of the next level that this part of a level is the first to reach.
fn expand(ranking: &Ranking, reached: &RankSet<8>, level: &[u32], depth: u8) -> Vec<u32> {
    let mut next = Vec::with_capacity(level.len() * 2);
    for &rank in level {
        let state = ranking.unrank(rank as usize);
        for step in Move::ALL {
            let Some(neighbour) = state.after(ranking.shape(), step) else { continue };
            let rank = ranking.rank(&neighbour);
            if reached.insert(rank, depth) == Insert::New {
                next.push(rank as u32);
            }
        }
    }
    next
}

/// Every state's canonical path in one space.
#[derive(Debug)]
pub struct Table {
    ranking: Ranking,
    answers: Answers,
}

#[derive(Debug)]
enum Answers {
    /// The whole path.
    Paths(LatePaths),
    /// The first letter (low two bits) and the rank it leads to (the rest).
    Steps { distances: Arc<Distances>, steps: Vec<u32> },
}

impl Table {
    /// Searches a space on its own: [`Table::packed`], or [`Distances::search`] and [`Table::derive`].
    pub fn build(space: &Space, threads: usize) -> Option<Table> {
        Table::packed(space).or_else(|| {
            let distances = Distances::search(space.shape, space.goal_blank, threads)?;
            Some(Table::derive(Arc::new(distances), space, threads))
        })
    }

    /// The whole paths of a space, where they fit into words; searched for when some boards have come.
    pub fn packed(space: &Space) -> Option<Table> {
        let ranking = Ranking::new(space.shape, space.goal_blank)?;
        Some(Table { ranking, answers: Answers::Paths(LatePaths::new(space)?) })
    }

    /// The canonical steps of a space from the distances of its shape and goal cell.
    pub fn derive(distances: Arc<Distances>, space: &Space, threads: usize) -> Table {
        let states = distances.plies.len();
        let mut steps = vec![0u32; states];
        let share = states.div_ceil(threads.max(1)).max(Distances::STATES_A_THREAD);
        std::thread::scope(|scope| {
            for (part, steps) in steps.chunks_mut(share).enumerate() {
                let distances = &distances;
                scope.spawn(move || {
                    for (i, step) in steps.iter_mut().enumerate() {
                        *step = canonical_step(distances, space, part * share + i);
                    }
                });
            }
        });
        Table { ranking: distances.ranking.clone(), answers: Answers::Steps { distances, steps } }
    }

    /// The canonical path, written over `path`.
    #[inline]
    pub fn solve(&self, start: &Solvable, path: &mut Path) {
        let mut rank = self.ranking.rank(start.state());
        match &self.answers {
            Answers::Paths(paths) => paths.write(rank, start, path),
            Answers::Steps { distances, steps } => {
                path.clear();
                for _ in 0..distances.plies[rank] {
                    let step = steps[rank];
                    path.push(Move::from_index(step as u8));
                    rank = (step >> 2) as usize;
                }
            }
        }
    }

    /// The distance of a solvable state in plies.
    #[inline]
    pub fn plies(&self, state: &State) -> u16 {
        let rank = self.ranking.rank(state);
        match &self.answers {
            Answers::Paths(paths) => plies(paths.table().word(rank)) as u16,
            Answers::Steps { distances, .. } => u16::from(distances.plies[rank]),
        }
    }

    /// Returns the number of shortest paths of a state and how they begin; `None` while no table of them pays.
    #[inline]
    pub fn count_paths(&self, start: &Solvable) -> Option<(u64, Beginning)> {
        match &self.answers {
            Answers::Paths(paths) => Some(paths.counts(&self.ranking)?.of(self.ranking.rank(start.state()))),
            Answers::Steps { .. } => None,
        }
    }

    /// The whole paths, where they fit into words; searched for now, if they were not yet.
    #[inline]
    pub fn paths(&self) -> Option<&Paths> {
        match &self.answers {
            Answers::Paths(paths) => Some(paths.table()),
            Answers::Steps { .. } => None,
        }
    }

    /// How many more boards are searched one by one before the table is built.
    pub fn searches_left(&self) -> usize {
        match &self.answers {
            Answers::Paths(paths) => paths.searches_left(),
            Answers::Steps { .. } => 0,
        }
    }

    /// The memory that a table of this shape takes at most: while it is built two bytes a state for the search, eight for
    /// its levels and the steps, and eight for the answers. What is searched for later has its place kept.
    pub fn footprint(shape: Shape) -> Footprint {
        let kept = Table::bytes_of(shape);
        Footprint { peak: 2 * kept, kept: if Paths::fit(shape) { 2 * kept } else { kept } }
    }

    /// The memory that a table of this shape will take, at most.
    pub fn bytes_of(shape: Shape) -> u64 {
        let states: u64 = (3..=shape.cells() as u64).product();
        states * 9
    }
}

/// The smallest letter that leads one ply closer to the goal, and the rank it leads to; 0 at the goal.
fn canonical_step(distances: &Distances, space: &Space, rank: usize) -> u32 {
    let ranking = &distances.ranking;
    let state = ranking.unrank(rank);
    let plies = distances.plies[rank];
    for (letter, to) in space.steps(state.blank()) {
        let mut next = state;
        next.slide(to);
        let next = ranking.rank(&next);
        if distances.plies[next] < plies {
            return (next as u32) << 2 | letter as u32;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;
    use crate::board::frame::Frame;

    /// Published in OEIS A089473 (3×3) and by full searches of the small rectangles: deepest level, states there.
    #[test]
    fn deepest_levels_are_the_published_ones() {
        for (rows, cols, deepest, states) in [(2, 2, 6, 1), (2, 3, 21, 1), (2, 4, 36, 1), (3, 3, 31, 2)] {
            let shape = Shape::new(rows, cols).unwrap();
            let distances = Distances::search(shape, Cell::new(shape.cells() - 1), 2).unwrap();
            let levels = distances.distribution();
            assert_eq!((levels.len() - 1, levels.last().copied()), (deepest, Some(states)), "{shape}");
        }
    }

    #[test]
    fn threads_do_not_change_the_table() {
        let shape = Shape::new(2, 4).unwrap();
        let frame = Frame::new(&Goal::BlankFirst.on(shape).unwrap()).unwrap();
        let [one, many] = [1, 5].map(|threads| Table::build(frame.space(), threads).unwrap());
        match (one.answers, many.answers) {
            (Answers::Steps { steps: one, .. }, Answers::Steps { steps: many, .. }) => assert!(one == many),
            _ => panic!("paths of more than 31 moves are not packed"),
        }
    }

    #[test]
    fn too_large_or_a_line_is_none() {
        for (rows, cols) in [(1, 5), (3, 4), (4, 4)] {
            let shape = Shape::new(rows, cols).unwrap();
            assert!(Distances::search(shape, Cell::new(0), 1).is_none(), "{shape}");
        }
    }
}
