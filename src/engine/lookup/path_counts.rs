//! The number of shortest paths of every state, and their common beginning.
//!
//! The number of shortest paths of a state is the sum of the numbers of all neighbours that are one
//! move nearer to the goal. So one pass over all states, in order of distance, counts them all.
//! 3×3: 181,440 entries of 8 bytes.

use crate::board::frame::Space;
use crate::board::{Beginning, Move, Ranking};

/// The number of shortest paths of each state, and their common beginning, by rank.
#[derive(Debug)]
pub(super) struct PathCounts(Box<[Entry]>);

#[derive(Clone, Copy, Default, Debug)]
struct Entry {
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
    pub fn new(space: &Space, ranking: &Ranking, distance: impl Fn(usize) -> u32) -> PathCounts {
        let mut by_distance: Vec<Vec<u32>> = Vec::new();
        for rank in 0..ranking.states() {
            let distance = distance(rank) as usize;
            by_distance.resize_with(by_distance.len().max(distance + 1), Vec::new);
            by_distance[distance].push(rank as u32);
        }
        let mut entries = vec![Entry::default(); ranking.states()];
        for (moves, ranks) in by_distance.iter().enumerate() {
            for &rank in ranks {
                let state = ranking.unrank(rank as usize);
                let mut entry = Entry { paths: u32::from(moves == 0), ..Entry::default() };
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
    pub fn of(&self, rank: usize) -> (u64, Beginning) {
        let Entry { paths, first_moves, forced } = self.0[rank];
        let first_moves = Move::ALL.into_iter().filter(|step| first_moves >> step.index() & 1 == 1).collect();
        (u64::from(paths), Beginning { first_moves, forced: usize::from(forced) })
    }
}
