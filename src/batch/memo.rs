//! Identical boards that are expensive are solved once.
//!
//! Generated and collected sets repeat boards. A board that needs a search is entered here first:
//! whoever comes second leaves his task to be answered by the first when it is done, and goes on
//! with something else; whoever comes later finds the answer. Nobody waits. Answers are kept until
//! as many others have come after them; what an answer says never depends on whether it was kept.

use std::sync::{Arc, OnceLock};

use crossbeam::queue::ArrayQueue;
use dashmap::{DashMap, Entry};

use crate::engine::{Limit, Outcome, Stats};
use crate::frame::Space;
use crate::ladder::Used;

/// A board in its space: what decides the answer.
pub type Key = (Space, u128);

/// An outcome and what it cost.
#[derive(Debug)]
pub struct Answer {
    /// How the search ended.
    pub outcome: Outcome,
    /// What it did.
    pub stats: Stats,
    /// How long it took, in microseconds.
    pub time_us: u64,
    /// What of its engine answered.
    pub used: Used,
}

/// Answers and searches under way; `T` is what waits for an answer.
#[derive(Debug)]
pub struct Memo<T> {
    entries: DashMap<Key, Entered<T>>,
    /// Keys of finished answers, oldest first: when it is full, the oldest is forgotten. Made for the first of them: most
    /// runs search nothing.
    age: OnceLock<ArrayQueue<Key>>,
    capacity: usize,
}

#[derive(Debug)]
enum Entered<T> {
    UnderWay(Vec<T>),
    Done(Arc<Answer>),
}

/// What to do with a board.
#[derive(Debug)]
pub enum Turn<T> {
    /// Nobody has it: solve it, then [`Memo::done`].
    Solve(T),
    /// Somebody is at it: the task was left there.
    Left,
    /// It is solved.
    Known(T, Arc<Answer>),
}

impl<T> Memo<T> {
    /// A memo of at most `capacity` finished answers.
    pub fn new(capacity: usize) -> Memo<T> {
        Memo { entries: DashMap::new(), age: OnceLock::new(), capacity: capacity.max(1) }
    }

    /// Enters a board.
    pub fn enter(&self, key: Key, task: T) -> Turn<T> {
        match self.entries.entry(key) {
            Entry::Vacant(vacant) => {
                vacant.insert(Entered::UnderWay(Vec::new()));
                Turn::Solve(task)
            }
            Entry::Occupied(mut occupied) => match occupied.get_mut() {
                Entered::UnderWay(tasks) => {
                    tasks.push(task);
                    Turn::Left
                }
                Entered::Done(answer) => Turn::Known(task, Arc::clone(answer)),
            },
        }
    }

    /// The board was solved: gives back the tasks that were left for its answer.
    ///
    /// Answers that another run at it could improve – time was up, the run was stopped – are not kept.
    pub fn done(&self, key: Key, answer: &Arc<Answer>) -> Vec<T> {
        let keep = !matches!(answer.outcome, Outcome::Unsolved { limit: Limit::Time | Limit::Cancelled, .. });
        let before = if keep {
            let before = self.entries.insert(key, Entered::Done(Arc::clone(answer)));
            let age = self.age.get_or_init(|| ArrayQueue::new(self.capacity));
            if let Some(oldest) = age.force_push(key) {
                self.entries.remove_if(&oldest, |_, entered| matches!(entered, Entered::Done(_)));
            }
            before
        } else {
            self.entries.remove(&key).map(|(_, entered)| entered)
        };
        match before {
            Some(Entered::UnderWay(tasks)) => tasks,
            _ => Vec::new(),
        }
    }

    /// The search failed: gives back the tasks that were left for its answer.
    pub fn give_up(&self, key: &Key) -> Vec<T> {
        match self.entries.remove(key) {
            Some((_, Entered::UnderWay(tasks))) => tasks,
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Move, Path, Shape};

    fn key(board: u128) -> Key {
        (Space { shape: Shape::new(4, 4).unwrap(), goal_blank: Cell::new(15), order: Move::ALL }, board)
    }

    fn answer(outcome: Outcome) -> Arc<Answer> {
        Arc::new(Answer { outcome, stats: Stats::default(), time_us: 0, used: Used::Own })
    }

    #[test]
    fn the_first_solves_the_second_leaves_the_third_finds() {
        let memo = Memo::new(4);
        assert!(matches!(memo.enter(key(1), 'a'), Turn::Solve('a')));
        assert!(matches!(memo.enter(key(1), 'b'), Turn::Left));
        assert!(matches!(memo.enter(key(2), 'c'), Turn::Solve('c')));
        assert_eq!(memo.done(key(1), &answer(Outcome::Solved(Path::new()))), ['b']);
        assert!(matches!(memo.enter(key(1), 'd'), Turn::Known('d', _)));
        assert_eq!(memo.give_up(&key(2)), []);
        assert!(matches!(memo.enter(key(2), 'e'), Turn::Solve('e')));
    }

    #[test]
    fn old_answers_and_those_of_a_clock_are_not_kept() {
        let memo = Memo::new(2);
        for board in 0..3 {
            memo.enter(key(board), ());
            memo.done(key(board), &answer(Outcome::Solved(Path::new())));
        }
        assert!(matches!(memo.enter(key(0), ()), Turn::Solve(())));
        assert!(matches!(memo.enter(key(2), ()), Turn::Known(..)));
        memo.enter(key(7), ());
        memo.done(key(7), &answer(Outcome::Unsolved { lower_bound: 3, limit: Limit::Time }));
        assert!(matches!(memo.enter(key(7), ()), Turn::Solve(())));
    }
}
