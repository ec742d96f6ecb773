//! A section of the infinite grid on which strings move the blank, and multithreaded walks over all
//! strings that an automaton accepts.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::automaton::compile::{PackedString, REJECT, Transitions};
use crate::system::Random;

/// The maximum length of a string.
pub(super) const MAX_WALK_LETTERS: usize = 31;

/// The side of the section of the grid, in cells. The section is a square with the blank's first
/// cell in the middle, so large that no string leaves it.
const SIDE: usize = 64;
const CELLS: usize = SIDE * SIDE;
const MIDDLE: usize = SIDE / 2 * SIDE + SIDE / 2;
const _: () = assert!(MAX_WALK_LETTERS < SIDE / 2);

/// By letter: the offset from a cell to its neighbour, for wrapping addition.
const TO_NEIGHBOUR: [usize; 4] = [SIDE, 1usize.wrapping_neg(), 1, SIDE.wrapping_neg()];

/// The box of a string: the rows and columns that the blank visits, relative to its first cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct BoundingBox {
    rows: (i8, i8),
    cols: (i8, i8),
}

impl BoundingBox {
    pub(super) const START: BoundingBox = BoundingBox { rows: (0, 0), cols: (0, 0) };

    pub(super) fn of(string: PackedString) -> BoundingBox {
        let mut blank = MIDDLE;
        string.letters().fold(BoundingBox::START, |bounds, letter| {
            blank = blank.wrapping_add(TO_NEIGHBOUR[letter]) % CELLS;
            bounds.with(blank)
        })
    }

    #[inline]
    pub(super) fn with(self, cell: usize) -> BoundingBox {
        let [row, col] = [cell / SIDE, cell % SIDE].map(|line| line as i8 - (SIDE / 2) as i8);
        BoundingBox {
            rows: (self.rows.0.min(row), self.rows.1.max(row)),
            cols: (self.cols.0.min(col), self.cols.1.max(col)),
        }
    }

    /// Returns the longer side, in cells.
    #[inline]
    pub(super) fn side(self) -> usize {
        (self.rows.1 - self.rows.0).max(self.cols.1 - self.cols.0) as usize + 1
    }

    pub(super) fn lies_within(self, other: BoundingBox) -> bool {
        other.rows.0 <= self.rows.0
            && self.rows.1 <= other.rows.1
            && other.cols.0 <= self.cols.0
            && self.cols.1 <= other.cols.1
    }
}

/// A grid to which strings are applied. Between uses every tile is in its original cell.
pub(super) struct Grid([u16; CELLS]);

impl Default for Grid {
    fn default() -> Grid {
        Grid(std::array::from_fn(|cell| cell as u16))
    }
}

impl Grid {
    /// Returns true if the second string followed by the inverse of the first leaves every tile in
    /// place.
    pub(super) fn have_same_effect(&mut self, first: PackedString, second: PackedString) -> bool {
        let there = second.letters();
        let back = first.letters().rev().map(|letter| 3 - letter);
        let mut touched = [MIDDLE; 2 * MAX_WALK_LETTERS + 1];
        let mut blank = MIDDLE;
        for (letter, visited) in there.chain(back).zip(&mut touched[1..]) {
            let to = blank.wrapping_add(TO_NEIGHBOUR[letter]) % CELLS;
            self.0.swap(blank, to);
            (blank, *visited) = (to, to);
        }
        let same = touched.iter().all(|&cell| usize::from(self.0[cell]) == cell);
        touched.iter().for_each(|&cell| self.0[cell] = cell as u16);
        same
    }
}

/// All strings of `letters` letters, or an even number fewer, that `machine` accepts and whose
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

    fn visit(&mut self, fingerprint: u64, string: PackedString);
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
        StringWalk::new(&short).run(&mut |fingerprint, string| match string.len() {
            letters if letters == shared && letters < self.letters => prefixes.push(string),
            _ => first.push(fingerprint, string),
        });
        let next = AtomicUsize::new(0);
        let work = |mut queue: DelayQueue<V>| {
            let mut walk = StringWalk::new(self);
            while let Some(&string) = prefixes.get(next.fetch_add(1, Ordering::Relaxed)) {
                walk.run_from(string, &mut |fingerprint, string| queue.push(fingerprint, string));
            }
            queue.finish()
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

/// A queue that announces each string to a visitor, and lets it visit the string so much later that
/// the prefetched memory has arrived.
struct DelayQueue<V> {
    visitor: V,
    waiting: [(u64, PackedString); DelayQueue::<()>::LENGTH],
    pushed: usize,
}

impl DelayQueue<()> {
    const LENGTH: usize = 32;
}

impl<V: Visitor> DelayQueue<V> {
    fn new(visitor: V) -> DelayQueue<V> {
        DelayQueue { visitor, waiting: [(0, PackedString::EMPTY); DelayQueue::LENGTH], pushed: 0 }
    }

    /// Adds a string, and visits the string that has waited longest if the queue is full.
    #[inline]
    fn push(&mut self, fingerprint: u64, string: PackedString) {
        self.visitor.announce(fingerprint);
        let (due_fingerprint, due) =
            std::mem::replace(&mut self.waiting[self.pushed % DelayQueue::LENGTH], (fingerprint, string));
        if self.pushed >= DelayQueue::LENGTH {
            self.visitor.visit(due_fingerprint, due);
        }
        self.pushed += 1;
    }

    /// Visits the strings that still wait, and returns the visitor.
    fn finish(mut self) -> V {
        for number in self.pushed.saturating_sub(DelayQueue::LENGTH)..self.pushed {
            let (fingerprint, string) = self.waiting[number % DelayQueue::LENGTH];
            self.visitor.visit(fingerprint, string);
        }
        self.visitor
    }
}

/// A node of a walk: the automaton's state, the blank's cell, and the box and fingerprint of the
/// string so far.
#[derive(Clone, Copy)]
struct WalkNode {
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
struct StringWalk<'a> {
    strings: &'a Strings<'a>,
    /// By cell: its random key.
    keys: Box<[u64; CELLS]>,
    /// By cell: the key of the origin of its tile; meaningless for the blank's cell.
    tiles: Box<[u64; CELLS]>,
}

impl<'a> StringWalk<'a> {
    const START: WalkNode = WalkNode { state: 0, blank: MIDDLE, bounds: BoundingBox::START, fingerprint: 0 };

    fn new(strings: &'a Strings<'a>) -> StringWalk<'a> {
        let mut keys = Box::new([0; CELLS]);
        let mut random = Random::new(0);
        for key in keys.iter_mut() {
            *key = random.bits();
        }
        StringWalk { strings, tiles: keys.clone(), keys }
    }

    /// Visits all strings.
    fn run(&mut self, visit: &mut impl FnMut(u64, PackedString)) {
        self.walk_below(PackedString::EMPTY, Self::START, self.strings.letters, visit);
    }

    /// Visits the strings that begin with `prefix`, which must be accepted.
    fn run_from(&mut self, prefix: PackedString, visit: &mut impl FnMut(u64, PackedString)) {
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
    fn step(&self, node: WalkNode, letter: usize) -> Option<WalkNode> {
        let WalkNode { state, blank, bounds, fingerprint } = node;
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
        Some(WalkNode { state, blank: to, bounds, fingerprint: fingerprint.wrapping_add(change) })
    }

    fn walk_below(
        &mut self,
        string: PackedString,
        node: WalkNode,
        remaining: usize,
        visit: &mut impl FnMut(u64, PackedString),
    ) {
        if remaining.is_multiple_of(2) {
            visit(node.fingerprint, string);
        }
        if remaining == 0 {
            return;
        }
        for letter in 0..4 {
            let Some(next) = self.step(node, letter) else { continue };
            if remaining == 1 {
                visit(next.fingerprint, string.then(letter));
                continue;
            }
            let tile = self.tiles[next.blank];
            self.tiles[node.blank] = tile;
            self.walk_below(string.then(letter), next, remaining - 1, visit);
            self.tiles[next.blank] = tile;
        }
    }
}
