//! A proof that a table is correct, from the table alone.
//!
//! It uses no code of the builder: states are ranked by [`Ranking`] and moved by the rules of
//! boards. First the letters of all states are followed, which gives each state a length d. Then
//! three facts are checked, each of which concerns only a state and its neighbours. Together they
//! prove the table:
//! * Only the goal has d = 0 (the only length set in advance), and the letter of every other state
//!   leads to a state of d − 1. So a path of d moves exists.
//! * No neighbour has a length below d − 1. Along any path d falls by at most one per move, so no
//!   path is shorter.
//! * No letter smaller than a state's own leads to d − 1. So the path is the smallest of the
//!   shortest paths.
//!
//! Lengths do not depend on the order of letters. So tables that differ only in that order are
//! proved together: the letters of the first table determine the lengths, and the letters of all
//! tables are checked against these lengths.
//!
//! The proof takes a byte per state, 240 MB for 12 cells, and minutes.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use super::super::Table;
use crate::board::{Move, Ranking, State};

/// The result of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proved {
    /// The number of states at each distance from the goal.
    pub levels: Vec<u64>,
}

/// An error in a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// A letter leads off the board.
    #[error("state {rank}: its letter leads off the board")]
    Edge {
        /// The state.
        rank: usize,
    },
    /// The letters form a cycle.
    #[error("state {rank}: its letters do not lead to the goal")]
    Endless {
        /// The state.
        rank: usize,
    },
    /// There is a shorter path.
    #[error("state {rank}: its path has {length} moves, a neighbour's {near}")]
    Longer {
        /// The state.
        rank: usize,
        /// The length of its path.
        length: u8,
        /// The length of the neighbour's path.
        near: u8,
    },
    /// The letter leads to a state that is no nearer to the goal.
    #[error("state {rank}: its letter does not lead towards the goal")]
    Astray {
        /// The state.
        rank: usize,
    },
    /// There is a smaller first letter of a shortest path.
    #[error("state {rank}: a smaller letter also begins a shortest path")]
    Larger {
        /// The state.
        rank: usize,
    },
}

/// Proves every letter of a table, on `threads` threads.
///
/// # Errors
/// Returns one of the flaws, if there are any.
pub fn prove(table: &Table, threads: usize) -> Result<Proved, Flaw> {
    prove_orders(table, &[], threads)
}

/// Proves every letter of a table, and of other tables for the same goal that differ from it only
/// in the order of letters.
///
/// # Errors
/// Returns one of the flaws, if there are any.
///
/// # Panics
/// Panics if one of the other tables is for another goal.
pub fn prove_orders(first: &Table, other_tables: &[Table], threads: usize) -> Result<Proved, Flaw> {
    let goal = |table: &Table| (table.space().shape, table.space().goal_blank);
    assert!(other_tables.iter().all(|other| goal(other) == goal(first)), "tables for different goals");
    let proof = TableProof::new(first, other_tables);
    proof.in_ranges(threads, |ranks, _| ranks.into_iter().try_for_each(|rank| proof.follow(rank)))?;
    let levels = proof.in_ranges(threads, |ranks, levels| {
        for rank in ranks {
            levels[usize::from(proof.check_neighbours(rank)?)] += 1;
        }
        Ok(())
    })?;
    let deepest = levels.iter().rposition(|&states| states > 0).unwrap_or(0);
    Ok(Proved { levels: levels[..=deepest].to_vec() })
}

/// Returns, by rank, the number of moves that the table's letters take from each state to the goal.
pub fn lengths(table: &Table, threads: usize) -> Result<(Ranking, Vec<u8>), Flaw> {
    let proof = TableProof::new(table, &[]);
    proof.in_ranges(threads, |ranks, _| ranks.into_iter().try_for_each(|rank| proof.follow(rank)))?;
    let TableProof { ranking, lengths, .. } = proof;
    Ok((ranking, lengths.into_iter().map(AtomicU8::into_inner).collect()))
}

/// A proof in progress.
struct TableProof<'a> {
    first: &'a Table,
    other_tables: &'a [Table],
    ranking: Ranking,
    /// By rank: the length of the path given by the letters. Any thread may write it, always with
    /// the same value.
    lengths: Vec<AtomicU8>,
}

/// The value of an unknown length, greater than the length of any path.
const UNKNOWN: u8 = u8::MAX;

/// The number of states that a thread examines at a time.
const RANGE: usize = 1 << 16;

/// The number of states at each distance from the goal.
type Levels = [u64; UNKNOWN as usize + 1];

impl<'a> TableProof<'a> {
    fn new(first: &'a Table, other_tables: &'a [Table]) -> TableProof<'a> {
        let (space, ranking) = (first.space(), first.ranking.clone());
        let goal = ranking.rank(&State::goal(space.shape, space.goal_blank));
        let lengths: Vec<AtomicU8> = (0..ranking.states()).map(|_| AtomicU8::new(UNKNOWN)).collect();
        lengths[goal].store(0, Ordering::Relaxed);
        TableProof { first, other_tables, ranking, lengths }
    }

    /// Examines all ranks, range by range, and adds up the counts.
    fn in_ranges(
        &self,
        threads: usize,
        examine: impl Fn(std::ops::Range<usize>, &mut Levels) -> Result<(), Flaw> + Sync,
    ) -> Result<Levels, Flaw> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut levels = [0; UNKNOWN as usize + 1];
            loop {
                let first = next.fetch_add(RANGE, Ordering::Relaxed);
                if first >= self.lengths.len() {
                    return Ok(levels);
                }
                examine(first..self.lengths.len().min(first + RANGE), &mut levels)?;
            }
        };
        let parts: Vec<Result<Levels, Flaw>> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
        });
        let mut sum = [0; UNKNOWN as usize + 1];
        for part in parts {
            sum.iter_mut().zip(part?).for_each(|(sum, part)| *sum += part);
        }
        Ok(sum)
    }

    fn length(&self, rank: usize) -> u8 {
        self.lengths[rank].load(Ordering::Relaxed)
    }

    /// Returns the state to which the letter of the first table leads.
    fn next(&self, rank: usize) -> Result<usize, Flaw> {
        let state = self.ranking.unrank(rank);
        let space = self.first.space();
        let step = space.order[self.first.first_letter(&state).index()];
        let next = state.after(space.shape, step).ok_or(Flaw::Edge { rank })?;
        Ok(self.ranking.rank(&next))
    }

    /// Follows the letters to the first state of known length, then sets the lengths of all states
    /// on the way.
    fn follow(&self, rank: usize) -> Result<(), Flaw> {
        let mut visited = [0; UNKNOWN as usize];
        let (mut at, mut steps) = (rank, 0);
        while self.length(at) == UNKNOWN {
            *visited.get_mut(steps).ok_or(Flaw::Endless { rank })? = at;
            at = self.next(at)?;
            steps += 1;
        }
        let mut length = self.length(at);
        for &at in visited[..steps].iter().rev() {
            length = length.checked_add(1).filter(|&length| length != UNKNOWN).ok_or(Flaw::Endless { rank })?;
            self.lengths[at].store(length, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Checks by the neighbours' lengths that a state's path is shortest and that its letter is the
    /// smallest in every table. Returns the path's length.
    fn check_neighbours(&self, rank: usize) -> Result<u8, Flaw> {
        let (state, length, shape) = (self.ranking.unrank(rank), self.length(rank), self.first.space().shape);
        let mut nearer = [false; 4];
        for step in Move::ALL {
            let Some(next) = state.after(shape, step) else { continue };
            let near = self.length(self.ranking.rank(&next));
            if near + 1 < length {
                return Err(Flaw::Longer { rank, length, near });
            }
            nearer[step.index()] = near + 1 == length;
        }
        if length > 0 {
            for table in std::iter::once(self.first).chain(self.other_tables) {
                let (first_letter, order) = (table.first_letter(&state), &table.space().order);
                if !nearer[order[first_letter.index()].index()] {
                    return Err(Flaw::Astray { rank });
                }
                if Move::ALL[..first_letter.index()].iter().any(|letter| nearer[order[letter.index()].index()]) {
                    return Err(Flaw::Larger { rank });
                }
            }
        }
        Ok(length)
    }
}
