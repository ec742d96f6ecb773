//! The inner loop: depth-first search below list nodes, to a bound on f = depth + lower bound.
//!
//! Iterative, on a stack allocated beforehand; the current node lives in registers, and the children
//! still to be tried are a word of 16-bit steps looked up by the blank's cell and the last move.
//! A child is made only when its turn comes, so cut nodes appear in depth-first order by themselves.

use super::frontier::{Link, Node, Part};
use crate::board::{Cell, Move, Packed, Path};
use crate::engine::deal::Ticket;
use crate::engine::{Budget, Limit, Stats};
use crate::frame::Space;
use crate::heuristic::{Heuristic, Step};

/// The moves from every cell, smallest letter first, without the one that undoes the last.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    space: Space,
    /// cell × 8 + last letter (or [`Node::START`]) → up to four steps of 16 bits, the next one lowest:
    /// 5 bits the cell where the blank arrives, 2 the letter, 2 the frame's move, 1 that is set.
    steps: [u64; 256],
}

impl Moves {
    const SET: u64 = 1 << 9;

    pub(super) fn new(space: &Space) -> Moves {
        let mut steps = [0; 256];
        for cell in 0..space.shape.cells() {
            for last in 0..=4u8 {
                let undo = (last < 4).then(|| space.order[usize::from(last)].inverse());
                let word = &mut steps[cell << 3 | usize::from(last)];
                let mut place = 0;
                for (letter, to) in space.steps(Cell::new(cell)) {
                    let step = space.order[letter.index()];
                    if undo != Some(step) {
                        let bits = to.index() | letter.index() << 5 | step.index() << 7;
                        *word |= (bits as u64 | Moves::SET) << place;
                        place += 16;
                    }
                }
            }
        }
        Moves { space: *space, steps }
    }

    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    #[inline(always)]
    fn from(&self, cell: u8, last: u8) -> u64 {
        self.steps[usize::from(cell & 31) << 3 | usize::from(last & 7)]
    }
}

/// Counts generated nodes and looks at the budget now and then.
#[derive(Debug)]
pub(super) struct Meter<'a> {
    pub(super) budget: &'a Budget<'a>,
    /// For one stretch among several: the others may say that it is no longer needed.
    stretch: Option<Ticket<'a>>,
    /// Nodes that may be generated before the budget is asked again.
    fuel: u64,
    granted: u64,
    pub(super) expanded: u64,
}

impl<'a> Meter<'a> {
    /// The meter of a search that has its start node.
    pub(super) fn start(budget: &'a Budget<'a>) -> Meter<'a> {
        Meter { budget, stretch: None, fuel: 0, granted: 1, expanded: 0 }
    }

    /// The meter of one stretch of a search without a limit of nodes.
    pub(super) fn of_stretch(budget: &'a Budget<'a>, stretch: Ticket<'a>) -> Meter<'a> {
        Meter { budget, stretch: Some(stretch), fuel: 0, granted: 0, expanded: 0 }
    }

    pub(super) fn generated(&self) -> u64 {
        self.granted - self.fuel
    }

    /// Adds what was spent on a stretch.
    pub(super) fn add(&mut self, stats: &Stats) {
        self.granted += stats.generated;
        self.expanded += stats.expanded;
    }

    /// Asks for more nodes when there are none left.
    #[cold]
    fn refill(&mut self) -> Option<Limit> {
        if self.granted >= self.budget.nodes() {
            return Some(Limit::Nodes);
        }
        if let Some(limit) = self.budget.interrupted() {
            return Some(limit);
        }
        if self.stretch.is_some_and(|stretch| !stretch.is_needed()) {
            return Some(Limit::Cancelled);
        }
        self.fuel = Budget::POLL_NODES.min(self.budget.nodes() - self.granted);
        self.granted += self.fuel;
        None
    }
}

/// A node on the way down, and which of its moves are still to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rung<K, V> {
    board: K,
    value: V,
    todo: u64,
    /// As in [`Link`], since the list node.
    letters: u64,
    blank: u8,
}

/// How the search below some list nodes ended.
#[derive(Debug)]
pub(super) enum End {
    /// Every node within the bound has been expanded.
    Exhausted,
    /// The goal, reached from the root of this index by these letters.
    Goal(usize, Path),
    /// The part had no room for what grew from the root of this index, which therefore counts as not expanded.
    Full(usize),
    /// The budget ended it.
    Limit(Limit),
}

/// What a search needs and never changes.
pub(super) struct Descent<'a, K, H> {
    pub(super) heuristic: &'a H,
    pub(super) moves: &'a Moves,
    pub(super) goal: K,
    pub(super) goal_blank: usize,
    /// The most letters of a link; [`Link::MAX_LETTERS`] but in tests.
    pub(super) letters: usize,
}

/// What a search writes to.
pub(super) struct Desk<'a, 'b, K, V> {
    pub(super) part: &'a mut Part<K, V>,
    pub(super) stack: &'a mut Vec<Rung<K, V>>,
    pub(super) meter: &'a mut Meter<'b>,
}

impl<K: Packed, H: Heuristic> Descent<'_, K, H> {
    /// Expands a stretch of list nodes to the bound.
    ///
    /// A function of its arguments alone: stretches can be expanded in any order, by any thread, and
    /// their parts joined in the order of the list. `first` is the link of the first root. With `KEEP`
    /// the cut nodes, and the roots that are not due yet, go to `part`, which can have `room` nodes in
    /// all and always keeps some for the roots still to come; without, only the next bound does.
    pub(super) fn expand_chunk<const KEEP: bool>(
        &self,
        roots: &[Node<K, H::Value>],
        first: u32,
        bound: u16,
        room: usize,
        desk: &mut Desk<K, H::Value>,
    ) -> End {
        for (index, root) in roots.iter().enumerate() {
            let part = &mut *desk.part;
            let (len, next) = (part.nodes.len(), part.next);
            let room = (room + 1 + index).saturating_sub(roots.len());
            let link = first + index as u32;
            let f = root.depth + H::plies(root.value);
            let end = if f <= bound {
                if root.board == self.goal {
                    return End::Goal(index, Path::new());
                }
                self.descend::<KEEP>(root, link, bound, room, desk)
            } else if !KEEP {
                part.next = next.min(f);
                continue;
            } else if part.push(*root, f, link, Link::EMPTY, room) {
                continue;
            } else {
                End::Full(0)
            };
            match end {
                End::Exhausted => {}
                End::Goal(_, path) => return End::Goal(index, path),
                End::Full(_) => {
                    desk.part.truncate(len, next);
                    return End::Full(index);
                }
                End::Limit(limit) => return End::Limit(limit),
            }
        }
        End::Exhausted
    }

    fn descend<const KEEP: bool>(
        &self,
        root: &Node<K, H::Value>,
        link: u32,
        bound: u16,
        room: usize,
        desk: &mut Desk<K, H::Value>,
    ) -> End {
        let Desk { part, stack, meter } = desk;
        let todo = self.moves.from(root.blank, root.last);
        let mut rung = Rung { board: root.board, value: root.value, todo, letters: Link::EMPTY, blank: root.blank };
        // As deep as the bound, the root included.
        let rungs = usize::from(bound - root.depth) + 1;
        if stack.len() < rungs {
            stack.resize(rungs, rung);
        }
        let stack = &mut stack[..];
        let mut below = 0;
        meter.expanded += 1;
        loop {
            if rung.todo == 0 {
                if below == 0 {
                    return End::Exhausted;
                }
                below -= 1;
                rung = stack[below];
                continue;
            }
            if meter.fuel == 0
                && let Some(limit) = meter.refill()
            {
                return End::Limit(limit);
            }
            meter.fuel -= 1;

            let bits = rung.todo as u16;
            rung.todo >>= 16;
            let (to, letter) = ((bits & 31) as u8, (bits >> 5 & 3) as u8);
            let step = Step {
                tile: rung.board.home(usize::from(to)) as u8,
                from: to,
                to: rung.blank,
                blank: Move::from_index((bits >> 7) as u8),
            };
            let board = rung.board.slid(usize::from(rung.blank), usize::from(to), self.goal_blank);
            let value = self.heuristic.after(rung.value, board, step);
            let letters = Link::push(rung.letters, letter);

            let depth = root.depth + below as u16 + 1;
            let f = depth + H::plies(value);
            // A link holds no more letters: the way on from here is a root of its own, due at once.
            let long = KEEP && below + 1 == self.letters && board != self.goal;
            if f > bound || long {
                if !KEEP {
                    part.next = part.next.min(f);
                } else if !part.push(Node { board, value, depth, blank: to, last: letter }, f, link, letters, room) {
                    return End::Full(0);
                }
                continue;
            }
            stack[below] = rung;
            if board == self.goal {
                let letters = stack[1..=below].iter().map(|rung| rung.letters).chain([letters]);
                return End::Goal(0, letters.map(|letters| Move::from_index(Link::last(letters))).collect());
            }
            below += 1;
            meter.expanded += 1;
            rung = Rung { board, value, todo: self.moves.from(to, letter), letters, blank: to };
        }
    }
}
