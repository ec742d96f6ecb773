//! Multithreaded walks over all strings that an automaton accepts.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::grid::{BoundingBox, CELLS, MIDDLE, TO_NEIGHBOUR};
use crate::engine::automaton::compile::{REJECT, Transitions};
use crate::engine::automaton::strings::Word;
use crate::system::Random;

/// All strings accepted by `machine` with `letters` letters, or an even number fewer, whose
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
    fn announce(&self, fingerprint: u64);

    fn visit(&mut self, fingerprint: u64, word: Word);
}

impl Strings<'_> {
    /// The length of the prefixes that are divided among threads, without the letter that is added
    /// if `letters` is odd. There are hundreds or thousands of such prefixes.
    const SHARED_LETTERS: usize = 6;

    /// Passes every string to one of the visitors, one visitor per thread, in unspecified order.
    pub(super) fn visit_all<V: Visitor + Send>(&self, threads: usize, new_visitor: impl Fn() -> V + Sync) -> Vec<V> {
        let (mut first, mut prefixes) = (DelayQueue::new(new_visitor()), Vec::new());
        let shared = Self::SHARED_LETTERS + self.letters % 2;
        let short = Strings { letters: shared.min(self.letters), ..*self };
        Walk::new(&short).run(&mut |fingerprint, word| match word.len() {
            letters if letters == shared && letters < self.letters => prefixes.push(word),
            _ => first.visit(fingerprint, word),
        });
        let next = AtomicUsize::new(0);
        let work = |mut visitor: DelayQueue<V>| {
            let mut walk = Walk::new(self);
            while let Some(&word) = prefixes.get(next.fetch_add(1, Ordering::Relaxed)) {
                walk.run_from(word, &mut |fingerprint, word| visitor.visit(fingerprint, word));
            }
            visitor.finish()
        };
        std::thread::scope(|scope| {
            let spawned = 1..threads.clamp(1, prefixes.len().max(1));
            let spawned: Vec<_> = spawned.map(|_| scope.spawn(|| work(DelayQueue::new(new_visitor())))).collect();
            let mut visitors = vec![work(first)];
            visitors.extend(spawned.into_iter().map(|thread| match thread.join() {
                Ok(visitor) => visitor,
                Err(panic) => std::panic::resume_unwind(panic),
            }));
            visitors
        })
    }
}

/// A delay queue between the announcement and the visit of a string, long enough for memory to
/// arrive.
struct DelayQueue<V> {
    visitor: V,
    waiting: [(u64, Word); DelayQueue::<()>::LENGTH],
    pushed: usize,
}

impl DelayQueue<()> {
    const LENGTH: usize = 32;
}

impl<V: Visitor> DelayQueue<V> {
    fn new(visitor: V) -> DelayQueue<V> {
        DelayQueue { visitor, waiting: [(0, Word::EMPTY); DelayQueue::LENGTH], pushed: 0 }
    }

    #[inline]
    fn visit(&mut self, fingerprint: u64, word: Word) {
        self.visitor.announce(fingerprint);
        let (due_fingerprint, due) =
            std::mem::replace(&mut self.waiting[self.pushed % DelayQueue::LENGTH], (fingerprint, word));
        if self.pushed >= DelayQueue::LENGTH {
            self.visitor.visit(due_fingerprint, due);
        }
        self.pushed += 1;
    }

    fn finish(mut self) -> V {
        for number in self.pushed.saturating_sub(DelayQueue::LENGTH)..self.pushed {
            let (fingerprint, word) = self.waiting[number % DelayQueue::LENGTH];
            self.visitor.visit(fingerprint, word);
        }
        self.visitor
    }
}

/// A node of a walk: the automaton's state, the blank's cell, and the box and fingerprint of the
/// string so far.
#[derive(Clone, Copy)]
struct Node {
    state: u32,
    blank: usize,
    bounds: BoundingBox,
    fingerprint: u64,
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
    const START: Node = Node { state: 0, blank: MIDDLE, bounds: BoundingBox::START, fingerprint: 0 };

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
        self.walk_below(Word::EMPTY, Self::START, self.strings.letters, visit);
    }

    /// Visits the strings that begin with these letters, which must be accepted.
    fn run_from(&mut self, prefix: Word, visit: &mut impl FnMut(u64, Word)) {
        let mut node = Self::START;
        for letter in prefix.letters() {
            let Some(next) = self.step(node, letter) else { unreachable!("the automaton accepts every prefix") };
            self.tiles[node.blank] = self.tiles[next.blank];
            node = next;
        }
        self.walk_below(prefix, node, self.strings.letters - prefix.len(), visit);
        self.tiles.copy_from_slice(&*self.keys);
    }

    /// Returns the node after a letter, without moving any tile.
    #[inline(always)]
    fn step(&self, node: Node, letter: usize) -> Option<Node> {
        let Node { state, blank, bounds, fingerprint } = node;
        let state = self.strings.machine[state as usize][letter];
        if state == REJECT {
            return None;
        }
        let to = blank.wrapping_add(TO_NEIGHBOUR[letter]) % CELLS;
        let bounds = bounds.with(to);
        if bounds.side() > self.strings.side {
            return None;
        }
        let change = self.tiles[to].wrapping_mul(self.keys[blank].wrapping_sub(self.keys[to]));
        Some(Node { state, blank: to, bounds, fingerprint: fingerprint.wrapping_add(change) })
    }

    fn walk_below(&mut self, word: Word, node: Node, remaining: usize, visit: &mut impl FnMut(u64, Word)) {
        if remaining.is_multiple_of(2) {
            visit(node.fingerprint, word);
        }
        if remaining == 0 {
            return;
        }
        for letter in 0..4 {
            let Some(next) = self.step(node, letter) else { continue };
            if remaining == 1 {
                visit(next.fingerprint, word.then(letter));
                continue;
            }
            let tile = self.tiles[next.blank];
            self.tiles[node.blank] = tile;
            self.walk_below(word.then(letter), next, remaining - 1, visit);
            self.tiles[next.blank] = tile;
        }
    }
}
