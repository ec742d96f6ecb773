//! Searches that wait, to be taken the easiest first.
//!
//! What is read one after the other would be searched so by threads that have nothing to do: so searches are held back until the
//! window of records in flight is full, or everything is read, and again when all of them were taken. How long they wait, and how many there are,
//! is bounded by the window. Which search comes when changes no result, and so none of it has to be the same on every run.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A queue of items by how hard they are.
#[derive(Debug)]
pub struct EasiestFirst<T>(Mutex<State<T>>);

#[derive(Debug)]
struct State<T> {
    waiting: BinaryHeap<Item<T>>,
    held_back: bool,
    /// Who may still add items: the reader, and every chunk that was read and not looked at. Without any nothing is held back.
    sources: usize,
}

#[derive(Debug)]
struct Item<T> {
    difficulty: u64,
    /// Of items that are as hard the one with the smaller number is first.
    number: u64,
    item: T,
}

impl<T> Default for EasiestFirst<T> {
    fn default() -> Self {
        EasiestFirst(Mutex::new(State { waiting: BinaryHeap::new(), held_back: true, sources: 1 }))
    }
}

impl<T> EasiestFirst<T> {
    /// Adds an item. `true`: it is not held back, and somebody has to be told to take one.
    #[must_use]
    pub fn push(&self, difficulty: u64, number: u64, item: T) -> bool {
        let mut state = self.lock();
        state.waiting.push(Item { difficulty, number, item });
        !state.held_back
    }

    /// Holds items back no more until all are taken; how many were: as many have to be told to take one.
    #[must_use]
    pub fn release(&self) -> usize {
        let mut state = self.lock();
        if !state.held_back || state.waiting.is_empty() {
            return 0;
        }
        state.held_back = false;
        state.waiting.len()
    }

    /// A chunk was read that may add items.
    pub fn add_source(&self) {
        self.lock().sources += 1;
    }

    /// The reader or a chunk adds nothing any more. After the last of them nothing is held back: how many items have to be taken then.
    #[must_use]
    pub fn end_source(&self) -> usize {
        let mut state = self.lock();
        state.sources -= 1;
        let released = if state.sources == 0 && state.held_back { state.waiting.len() } else { 0 };
        state.held_back &= state.sources > 0;
        released
    }

    /// Takes the easiest item.
    pub fn take(&self) -> Option<T> {
        let mut state = self.lock();
        let Item { item, .. } = state.waiting.pop()?;
        state.held_back = state.waiting.is_empty() && state.sources > 0;
        Some(item)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // The queue is whole between any two statements: a panic elsewhere cannot spoil it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Item<T> {
    fn key(&self) -> (u64, u64) {
        (self.difficulty, self.number)
    }
}

/// The easiest is the greatest: that is what a heap gives first.
impl<T> Ord for Item<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key().cmp(&self.key())
    }
}

impl<T> PartialOrd for Item<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Item<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl<T> Eq for Item<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(queue: &EasiestFirst<char>, items: usize) -> String {
        (0..items).filter_map(|_| queue.take()).collect()
    }

    #[test]
    fn the_easiest_of_those_held_back_is_first() {
        let queue = EasiestFirst::default();
        assert!(!queue.push(7, 1, 'c') && !queue.push(3, 3, 'b') && !queue.push(3, 2, 'a'));
        assert_eq!((queue.release(), queue.release()), (3, 0));
        assert_eq!(taken(&queue, 2), "ab");
        // What comes before all are taken is not held back.
        assert!(queue.push(9, 4, 'd') && queue.push(5, 5, 'e'));
        assert_eq!(taken(&queue, 3), "ecd");
        assert!(!queue.push(2, 6, 'g') && !queue.push(1, 7, 'f'));
        assert_eq!(queue.release(), 2);
        assert_eq!(taken(&queue, 3), "fg");
    }

    #[test]
    fn at_the_end_nothing_is_held_back() {
        let queue = EasiestFirst::default();
        queue.add_source();
        assert!(!queue.push(7, 1, 'b'));
        assert_eq!(queue.end_source(), 0);
        assert!(!queue.push(9, 2, 'c') && !queue.push(5, 3, 'a'));
        assert_eq!(queue.end_source(), 3);
        assert_eq!(taken(&queue, 4), "abc");
        assert!(queue.push(9, 2, 'd'));
        assert_eq!((taken(&queue, 1).as_str(), queue.release()), ("d", 0));
    }
}
