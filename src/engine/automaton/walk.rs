//! Walks over all strings that an automaton accepts, by several threads.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::compile::{REJECT, Transitions};
use super::grid::{CELLS, MIDDLE, Reach, TO_NEIGHBOUR};
use super::hands::Hands;
use super::word::Word;
use crate::system::Random;

/// All strings that `machine` accepts, of as many letters as `letters`, or fewer by an even number, and with boxes that are no
/// higher and no wider than `side` cells.
#[derive(Clone, Copy)]
pub(super) struct Strings<'a> {
    pub(super) machine: &'a Transitions,
    pub(super) letters: usize,
    pub(super) side: usize,
}

/// What is done with strings and their fingerprints.
pub(super) trait Visitor {
    /// A string that will be visited soon: its memory may be fetched.
    fn announce(&self, print: u64);

    fn visit(&mut self, print: u64, word: Word);
}

impl Strings<'_> {
    /// The letters of the beginnings that are shared out among threads, or one more: some hundreds.
    const SHARED_LETTERS: usize = 6;

    /// Shows every string to one of the visitors, one for each thread, in no order that could be relied on; `None` where the work
    /// was stopped.
    pub(super) fn show<V: Visitor + Send>(&self, hands: Hands<'_>, new: impl Fn() -> V + Sync) -> Option<Vec<V>> {
        let (mut first, mut beginnings) = (Announced::new(new()), Vec::new());
        let shared = Self::SHARED_LETTERS + self.letters % 2;
        let until = Strings { letters: shared.min(self.letters), ..*self };
        Walk::new(&until).run(&mut |print, word| match word.len() {
            letters if letters == shared && letters < self.letters => beginnings.push(word),
            _ => first.visit(print, word),
        });
        let next = AtomicUsize::new(0);
        let work = |mut visitor: Announced<V>| {
            let mut walk = Walk::new(self);
            while let Some(&word) = beginnings.get(next.fetch_add(1, Ordering::Relaxed)) {
                if hands.are_stopped() {
                    break;
                }
                walk.run_from(word, &mut |print, word| visitor.visit(print, word));
            }
            visitor.end()
        };
        let visitors = std::thread::scope(|scope| {
            let others = 1..hands.threads.clamp(1, beginnings.len().max(1));
            let others: Vec<_> = others.map(|_| scope.spawn(|| work(Announced::new(new())))).collect();
            let mut visitors = vec![work(first)];
            visitors.extend(others.into_iter().map(|other| match other.join() {
                Ok(visitor) => visitor,
                Err(panic) => std::panic::resume_unwind(panic),
            }));
            visitors
        });
        (!hands.are_stopped()).then_some(visitors)
    }
}

/// Strings wait some time between announcement and visit, long enough for memory to arrive.
struct Announced<V> {
    visitor: V,
    waiting: [(u64, Word); Announced::<()>::WAITING],
    /// Strings so far.
    shown: usize,
}

impl Announced<()> {
    const WAITING: usize = 32;
}

impl<V: Visitor> Announced<V> {
    fn new(visitor: V) -> Announced<V> {
        Announced { visitor, waiting: [(0, Word::EMPTY); Announced::WAITING], shown: 0 }
    }

    #[inline]
    fn visit(&mut self, print: u64, word: Word) {
        self.visitor.announce(print);
        let (due_print, due) = std::mem::replace(&mut self.waiting[self.shown % Announced::WAITING], (print, word));
        if self.shown >= Announced::WAITING {
            self.visitor.visit(due_print, due);
        }
        self.shown += 1;
    }

    /// Visits those that wait.
    fn end(mut self) -> V {
        for number in self.shown.saturating_sub(Announced::WAITING)..self.shown {
            let (print, word) = self.waiting[number % Announced::WAITING];
            self.visitor.visit(print, word);
        }
        self.visitor
    }
}

/// Where a walk is: the automaton's state, the blank's cell, the box of the string so far and its fingerprint.
#[derive(Clone, Copy)]
struct Place {
    state: u32,
    blank: usize,
    reach: Reach,
    print: u64,
}

/// A depth-first walk of one thread.
///
/// The fingerprint of an effect is the sum over all displaced tiles, wrapping, of
/// `key of the cell it comes from × (key of the cell it is in − key of the cell it comes from)`. A move
/// changes one term. Equal effects have equal fingerprints; different ones hardly ever.
struct Walk<'a> {
    strings: &'a Strings<'a>,
    keys: Box<[u64; CELLS]>,
    /// By cell the key of the cell that its tile comes from; without meaning where the blank is.
    tiles: Box<[u64; CELLS]>,
}

impl<'a> Walk<'a> {
    const START: Place = Place { state: 0, blank: MIDDLE, reach: Reach::START, print: 0 };

    fn new(strings: &'a Strings<'a>) -> Walk<'a> {
        let mut keys = Box::new([0; CELLS]);
        let mut random = Random::new(0);
        for key in keys.iter_mut() {
            *key = random.bits();
        }
        Walk { strings, tiles: keys.clone(), keys }
    }

    /// Shows every string to `visit`, with its fingerprint.
    fn run(&mut self, visit: &mut impl FnMut(u64, Word)) {
        self.below(Word::EMPTY, Self::START, self.strings.letters, visit);
    }

    /// Those that begin with these letters, which are accepted.
    fn run_from(&mut self, beginning: Word, visit: &mut impl FnMut(u64, Word)) {
        let mut place = Self::START;
        for letter in beginning.letters() {
            let Some(next) = self.step(place, letter) else { unreachable!("a beginning is accepted") };
            self.tiles[place.blank] = self.tiles[next.blank];
            place = next;
        }
        self.below(beginning, place, self.strings.letters - beginning.len(), visit);
        self.tiles.copy_from_slice(&*self.keys);
    }

    /// Where a letter leads; the tiles stay where they are.
    #[inline(always)]
    fn step(&self, place: Place, letter: usize) -> Option<Place> {
        let Place { state, blank, reach, print } = place;
        let state = self.strings.machine[state as usize][letter];
        if state == REJECT {
            return None;
        }
        let to = blank.wrapping_add(TO_NEIGHBOUR[letter]) % CELLS;
        let reach = reach.with(to);
        if reach.side() > self.strings.side {
            return None;
        }
        let change = self.tiles[to].wrapping_mul(self.keys[blank].wrapping_sub(self.keys[to]));
        Some(Place { state, blank: to, reach, print: print.wrapping_add(change) })
    }

    fn below(&mut self, word: Word, place: Place, left: usize, visit: &mut impl FnMut(u64, Word)) {
        if left.is_multiple_of(2) {
            visit(place.print, word);
        }
        if left == 0 {
            return;
        }
        for letter in 0..4 {
            let Some(next) = self.step(place, letter) else { continue };
            if left == 1 {
                visit(next.print, word.then(letter));
                continue;
            }
            let tile = self.tiles[next.blank];
            self.tiles[place.blank] = tile;
            self.below(word.then(letter), next, left - 1, visit);
            self.tiles[next.blank] = tile;
        }
    }
}
