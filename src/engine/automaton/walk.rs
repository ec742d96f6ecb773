//! Multithreaded walks over all strings that an automaton accepts.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::compile::{REJECT, Transitions};
use super::grid::{CELLS, MIDDLE, Reach, TO_NEIGHBOUR};
use super::hands::Hands;
use super::word::Word;
use crate::system::Random;

/// All strings accepted by `machine` with `letters` letters, or fewer by an even number, whose
/// boxes are at most `side` cells high and wide.
#[derive(Clone, Copy)]
pub(super) struct Strings<'a> {
    pub(super) machine: &'a Transitions,
    pub(super) letters: usize,
    pub(super) side: usize,
}

/// A consumer of strings and their fingerprints.
pub(super) trait Visitor {
    /// Announces a string that will be visited soon, so that memory can be prefetched.
    fn announce(&self, print: u64);

    fn visit(&mut self, print: u64, word: Word);
}

impl Strings<'_> {
    /// The length of the prefixes that are divided among threads, or one less: some hundreds of
    /// prefixes.
    const SHARED_LETTERS: usize = 6;

    /// Passes every string to one of the visitors, one visitor per thread, in unspecified order.
    /// Returns `None` if stopped.
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

/// A delay queue between the announcement and the visit of a string, long enough for memory to
/// arrive.
struct Announced<V> {
    visitor: V,
    waiting: [(u64, Word); Announced::<()>::WAITING],
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

    fn end(mut self) -> V {
        for number in self.shown.saturating_sub(Announced::WAITING)..self.shown {
            let (print, word) = self.waiting[number % Announced::WAITING];
            self.visitor.visit(print, word);
        }
        self.visitor
    }
}

/// The position of a walk: the automaton's state, the blank's cell, and the box and fingerprint of
/// the string so far.
#[derive(Clone, Copy)]
struct Place {
    state: u32,
    blank: usize,
    reach: Reach,
    print: u64,
}

/// A depth-first walk of one thread.
///
/// The fingerprint of an effect is the wrapping sum, over all displaced tiles, of `key of the
/// origin × (key of the current cell − key of the origin)`. A move changes one term. Equal effects
/// have equal fingerprints; different effects hardly ever do.
struct Walk<'a> {
    strings: &'a Strings<'a>,
    keys: Box<[u64; CELLS]>,
    /// By cell, the key of the origin of its tile; meaningless for the blank's cell.
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

    /// Passes every string with its fingerprint to `visit`.
    fn run(&mut self, visit: &mut impl FnMut(u64, Word)) {
        self.below(Word::EMPTY, Self::START, self.strings.letters, visit);
    }

    /// Visits the strings that begin with these letters, which must be accepted.
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

    /// Returns the position after a letter, without moving any tile.
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
