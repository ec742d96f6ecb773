//! Decides which thread searches a board: identical expensive boards are searched once ([`Memo`]),
//! and on request boards are searched one at a time ([`SerialQueue`]). No thread waits for another.
//!
//! Generated and collected data sets repeat boards. If a record needs a search, its board is looked
//! up here first. If another thread is searching the same board, that thread will also write the
//! result of this record, and this thread continues with other work. If the board was searched
//! before, the result is returned. A result is kept until `capacity` newer ones are stored. The
//! output for a board never depends on whether a result was kept.
//!
//! If boards are searched one at a time, a thread adds its item to a queue, and returns if another
//! thread is processing items. The other thread continues until the queue is empty. So all threads
//! but one are free to help with the current item.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;

use super::solve::{SearchKey, SearchResult};
use crate::engine::Outcome;
use crate::system::Limit;

/// Maximum length of a good path that is kept, in moves.
const MAX_KEPT_MOVES: usize = 1200;

/// The active searches and the results of finished ones, by key. A `T` is a task that waits for a
/// result.
#[derive(Debug)]
pub struct Memo<T> {
    state: Mutex<MemoState<T>>,
    capacity: usize,
}

#[derive(Debug)]
struct MemoState<T> {
    searches: HashMap<SearchKey, SearchState<T>>,
    /// The keys of results, oldest first. If there are too many, the oldest result is dropped.
    keys_by_age: VecDeque<SearchKey>,
}

#[derive(Debug)]
enum SearchState<T> {
    /// The tasks that wait for the result.
    Active(Vec<T>),
    Finished(Arc<SearchResult>),
}

/// The result of looking up a board.
#[derive(Debug)]
pub enum LookupResult<T> {
    /// The board is new: search it, then call [`Memo::finish`], even if the search failed.
    Search(T),
    /// Another thread is searching the board, and will complete the task.
    Queued,
    /// The board was searched before.
    Known(T, Arc<SearchResult>),
}

impl<T> Memo<T> {
    /// Creates a memo of at most `capacity` results.
    pub fn new(capacity: usize) -> Memo<T> {
        let state = MemoState { searches: HashMap::new(), keys_by_age: VecDeque::new() };
        Memo { state: Mutex::new(state), capacity: capacity.max(1) }
    }

    /// Looks up a board, and adds it if it is new.
    pub fn look_up(&self, key: SearchKey, task: T) -> LookupResult<T> {
        match self.state.lock().searches.entry(key) {
            Entry::Vacant(vacant) => {
                vacant.insert(SearchState::Active(Vec::new()));
                LookupResult::Search(task)
            }
            Entry::Occupied(mut occupied) => match occupied.get_mut() {
                SearchState::Active(tasks) => {
                    tasks.push(task);
                    LookupResult::Queued
                }
                SearchState::Finished(result) => LookupResult::Known(task, Arc::clone(result)),
            },
        }
    }

    /// Stores the result of a search and returns the tasks that wait for it. If `result` is `None`,
    /// the search failed, and its entry is removed.
    ///
    /// A result is not kept if a time limit or the end of the run prevented a better one, or if it
    /// is a very long good path.
    pub fn finish(&self, key: SearchKey, result: Option<&Arc<SearchResult>>) -> Vec<T> {
        let is_kept = |result: &&Arc<SearchResult>| match &result.outcome {
            Some(Outcome::Unsolved { limit, .. }) => !matches!(limit, Limit::Time | Limit::Cancelled),
            Some(Outcome::Found { path, .. }) => path.len() <= MAX_KEPT_MOVES,
            Some(Outcome::Solved(_)) | None => true,
        };
        let MemoState { searches, keys_by_age } = &mut *self.state.lock();
        let search = match result.filter(is_kept) {
            Some(result) => {
                if keys_by_age.len() == self.capacity
                    && let Some(oldest) = keys_by_age.pop_front()
                {
                    searches.remove(&oldest);
                }
                keys_by_age.push_back(key.clone());
                searches.insert(key, SearchState::Finished(Arc::clone(result)))
            }
            None => searches.remove(&key),
        };
        match search {
            Some(SearchState::Active(tasks)) => tasks,
            Some(SearchState::Finished(_)) | None => Vec::new(),
        }
    }
}

/// A queue that is processed one item at a time, in the order of arrival, by the thread that adds
/// the first item.
#[derive(Debug)]
pub struct SerialQueue<T>(Mutex<QueueState<T>>);

#[derive(Debug)]
struct QueueState<T> {
    waiting: VecDeque<T>,
    /// True if a thread is processing items. This thread checks the queue again before it returns.
    busy: bool,
}

impl<T> Default for SerialQueue<T> {
    fn default() -> Self {
        SerialQueue(Mutex::new(QueueState { waiting: VecDeque::new(), busy: false }))
    }
}

impl<T> SerialQueue<T> {
    /// Adds an item. If no other thread is processing items, this one processes all of them.
    ///
    /// `work` must not panic, because the remaining items would never be processed.
    pub fn run(&self, item: T, work: impl Fn(T)) {
        let mut state = self.0.lock();
        state.waiting.push_back(item);
        if state.busy {
            return;
        }
        state.busy = true;
        while let Some(item) = state.waiting.pop_front() {
            drop(state);
            work(item);
            state = self.0.lock();
        }
        state.busy = false;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::board::frame::Space;
    use crate::board::{Cell, Move, Path, Shape};

    fn key(board: u128) -> SearchKey {
        let space = Space { shape: Shape::new(4, 4).unwrap(), goal_blank: Cell::new(15), order: Move::ALL };
        SearchKey::Proven((space, board))
    }

    fn result(outcome: Outcome) -> Arc<SearchResult> {
        Arc::new(SearchResult { outcome: Some(outcome), ..SearchResult::default() })
    }

    #[test]
    fn repeated_boards_are_queued_during_the_search_and_known_after_it() {
        let memo = Memo::new(4);
        assert!(matches!(memo.look_up(key(1), 'a'), LookupResult::Search('a')));
        assert!(matches!(memo.look_up(key(1), 'b'), LookupResult::Queued));
        assert!(matches!(memo.look_up(key(2), 'c'), LookupResult::Search('c')));
        assert_eq!(memo.finish(key(1), Some(&result(Outcome::Solved(Path::new())))), ['b']);
        assert!(matches!(memo.look_up(key(1), 'd'), LookupResult::Known('d', _)));
        assert!(memo.finish(key(2), None).is_empty());
        assert!(matches!(memo.look_up(key(2), 'e'), LookupResult::Search('e')));
    }

    #[test]
    fn old_results_and_results_of_time_limits_are_not_kept() {
        let memo = Memo::new(2);
        for board in 0..3 {
            memo.look_up(key(board), ());
            memo.finish(key(board), Some(&result(Outcome::Solved(Path::new()))));
        }
        assert!(matches!(memo.look_up(key(0), ()), LookupResult::Search(())));
        assert!(matches!(memo.look_up(key(2), ()), LookupResult::Known(..)));
        memo.look_up(key(7), ());
        memo.finish(key(7), Some(&result(Outcome::Unsolved { lower_bound: 3, limit: Limit::Time })));
        assert!(matches!(memo.look_up(key(7), ()), LookupResult::Search(())));
    }

    #[test]
    fn items_are_processed_once_and_one_at_a_time() {
        let (queue, active, done) = (SerialQueue::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for item in 0..500 {
                        queue.run(item, |item: usize| {
                            assert_eq!(active.fetch_add(1, Ordering::SeqCst), 0);
                            done.fetch_add(item, Ordering::SeqCst);
                            active.fetch_sub(1, Ordering::SeqCst);
                        });
                    }
                });
            }
        });
        assert_eq!(done.into_inner(), 4 * 499 * 500 / 2);
    }

    #[test]
    fn items_added_by_the_work_are_processed_next() {
        let (queue, order) = (SerialQueue::default(), Mutex::new(Vec::new()));
        queue.run(1, |item| {
            order.lock().push(item);
            if item < 3 {
                queue.run(item + 1, |_| panic!("it was run before its turn"));
            }
        });
        assert_eq!(order.into_inner(), [1, 2, 3]);
    }
}
