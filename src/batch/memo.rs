//! Solves identical expensive boards once.
//!
//! Generated and collected data sets repeat boards. A board that needs a search is looked up here
//! first. If another thread is searching it, that thread will complete the task, and this thread
//! continues with other work. If it was searched before, its result is returned. No thread waits. A
//! result is kept until `capacity` newer ones are stored. The output for a board never depends on
//! whether its result was kept.

use std::sync::{Arc, OnceLock};

use crossbeam::queue::ArrayQueue;
use dashmap::{DashMap, Entry};

use super::solve::{SearchKey, SearchResult};
use crate::engine::Outcome;
use crate::system::Limit;

/// Maximum length of a good path that is kept, in moves.
const MAX_KEPT_MOVES: usize = 1200;

/// The active searches and the results of finished ones, by key. A `T` is a task that waits for a
/// result.
#[derive(Debug)]
pub struct Memo<T> {
    searches: DashMap<SearchKey, State<T>>,
    /// The keys of results, oldest first. When the queue is full, the oldest result is dropped. The
    /// queue is allocated for the first result, because most runs do not search.
    keys_by_age: OnceLock<ArrayQueue<SearchKey>>,
    capacity: usize,
}

#[derive(Debug)]
enum State<T> {
    /// The tasks that wait for the result.
    Active(Vec<T>),
    Finished(Arc<SearchResult>),
}

/// The result of looking up a board.
#[derive(Debug)]
pub enum Lookup<T> {
    /// It is new: search it, then call [`Memo::finish`] or [`Memo::abandon`].
    Search(T),
    /// Another thread is searching it, and will complete the task.
    Queued,
    /// It was searched before.
    Known(T, Arc<SearchResult>),
}

impl<T> Memo<T> {
    /// Creates a memo of at most `capacity` results.
    pub fn new(capacity: usize) -> Memo<T> {
        Memo { searches: DashMap::new(), keys_by_age: OnceLock::new(), capacity: capacity.max(1) }
    }

    /// Looks up a board, and adds it if it is new.
    pub fn look_up(&self, key: SearchKey, task: T) -> Lookup<T> {
        match self.searches.entry(key) {
            Entry::Vacant(vacant) => {
                vacant.insert(State::Active(Vec::new()));
                Lookup::Search(task)
            }
            Entry::Occupied(mut occupied) => match occupied.get_mut() {
                State::Active(tasks) => {
                    tasks.push(task);
                    Lookup::Queued
                }
                State::Finished(result) => Lookup::Known(task, Arc::clone(result)),
            },
        }
    }

    /// Stores the result of a search and returns the tasks that wait for it.
    ///
    /// A result is not kept if a time limit or the end of the run prevented a better one, or if it
    /// is a very long good path.
    pub fn finish(&self, key: SearchKey, result: &Arc<SearchResult>) -> Vec<T> {
        let keep = match &result.outcome {
            None => true,
            Some(Outcome::Unsolved { limit, .. }) => !matches!(limit, Limit::Time | Limit::Cancelled),
            Some(Outcome::Found { path, .. }) => path.len() <= MAX_KEPT_MOVES,
            Some(Outcome::Solved(_)) => true,
        };
        if !keep {
            return self.abandon(&key);
        }
        let before = self.searches.insert(key.clone(), State::Finished(Arc::clone(result)));
        let keys_by_age = self.keys_by_age.get_or_init(|| ArrayQueue::new(self.capacity));
        if let Some(oldest) = keys_by_age.force_push(key) {
            self.searches.remove_if(&oldest, |_, state| matches!(state, State::Finished(_)));
        }
        State::tasks(before)
    }

    /// Removes a search that failed and returns the tasks that wait for its result.
    pub fn abandon(&self, key: &SearchKey) -> Vec<T> {
        State::tasks(self.searches.remove(key).map(|(_, state)| state))
    }
}

impl<T> State<T> {
    fn tasks(state: Option<State<T>>) -> Vec<T> {
        match state {
            Some(State::Active(tasks)) => tasks,
            Some(State::Finished(_)) | None => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::frame::Space;
    use crate::board::{Cell, Move, Path, Shape};
    use crate::engine::contract::Effort;

    fn key(board: u128) -> SearchKey {
        let space = Space { shape: Shape::new(4, 4).unwrap(), goal_blank: Cell::new(15), order: Move::ALL };
        SearchKey::Proven((space, board))
    }

    fn result(outcome: Outcome) -> Arc<SearchResult> {
        let (outcome, effort, iterations) = (Some(outcome), Effort::default(), Box::default());
        Arc::new(SearchResult { outcome, estimate: None, effort, iterations, all_paths: None, time_us: 0 })
    }

    #[test]
    fn repeated_boards_are_queued_during_the_search_and_known_after_it() {
        let memo = Memo::new(4);
        assert!(matches!(memo.look_up(key(1), 'a'), Lookup::Search('a')));
        assert!(matches!(memo.look_up(key(1), 'b'), Lookup::Queued));
        assert!(matches!(memo.look_up(key(2), 'c'), Lookup::Search('c')));
        assert_eq!(memo.finish(key(1), &result(Outcome::Solved(Path::new()))), ['b']);
        assert!(matches!(memo.look_up(key(1), 'd'), Lookup::Known('d', _)));
        assert!(memo.abandon(&key(2)).is_empty());
        assert!(matches!(memo.look_up(key(2), 'e'), Lookup::Search('e')));
    }

    #[test]
    fn old_results_and_results_of_time_limits_are_not_kept() {
        let memo = Memo::new(2);
        for board in 0..3 {
            memo.look_up(key(board), ());
            memo.finish(key(board), &result(Outcome::Solved(Path::new())));
        }
        assert!(matches!(memo.look_up(key(0), ()), Lookup::Search(())));
        assert!(matches!(memo.look_up(key(2), ()), Lookup::Known(..)));
        memo.look_up(key(7), ());
        memo.finish(key(7), &result(Outcome::Unsolved { lower_bound: 3, limit: Limit::Time }));
        assert!(matches!(memo.look_up(key(7), ()), Lookup::Search(())));
    }
}
