//! The inner loop: depth-first search below list nodes, to a bound on f = depth + lower bound.
//!
//! Iterative, on a stack allocated beforehand. The current node lives in registers, and the children
//! still to be tried are a word of 16-bit moves looked up by the blank's cell and the last move.
//! A child is made only when its turn comes, so cut nodes appear in depth-first order by themselves.

use super::frontier::{Link, Node, Part};
use super::move_table::MoveTable;
use super::node_counter::NodeCounter;
use crate::board::{Move, Packed, Path};
use crate::heuristic::{Heuristic, Step};
use crate::system::Limit;

/// A node on the path being searched, and which of its moves are still to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackFrame<K, V> {
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
    /// The part had no place for what grew from the root of this index, which therefore counts as not expanded.
    Full(usize),
    /// The budget ended it.
    Limit(Limit),
}

/// What a search needs and never changes.
pub(super) struct DepthFirst<'a, K, H> {
    pub(super) heuristic: &'a H,
    pub(super) moves: &'a MoveTable,
    pub(super) goal: K,
    pub(super) goal_blank: usize,
    /// The most letters of a link; [`Link::MAX_LETTERS`] but in tests.
    pub(super) max_letters: usize,
}

/// What a search writes to.
pub(super) struct Workspace<'a, 'b, K, V> {
    pub(super) part: &'a mut Part<K, V>,
    pub(super) stack: &'a mut Vec<StackFrame<K, V>>,
    pub(super) counter: &'a mut NodeCounter<'b>,
}

impl<K: Packed, H: Heuristic> DepthFirst<'_, K, H> {
    /// Expands a chunk of list nodes to the bound.
    ///
    /// A function of its arguments alone: chunks can be expanded in any order, by any thread, and
    /// their parts joined in the order of the list. `first` is the link of the first root. With `KEEP`
    /// the cut nodes, and the roots that are not due yet, go to `part`, which can have `max_nodes` nodes in
    /// all and always keeps some for the roots still to come; without, only the next bound does.
    pub(super) fn expand_chunk<const KEEP: bool>(
        &self,
        roots: &[Node<K, H::Value>],
        first: u32,
        bound: u16,
        max_nodes: usize,
        workspace: &mut Workspace<K, H::Value>,
    ) -> End {
        for (index, root) in roots.iter().enumerate() {
            let part = &mut *workspace.part;
            let (len, next) = (part.nodes.len(), part.next_bound);
            let max_nodes = (max_nodes + 1 + index).saturating_sub(roots.len());
            let link = first + index as u32;
            let f = root.depth + H::plies(root.value);
            let end = if f <= bound {
                if root.board == self.goal {
                    return End::Goal(index, Path::new());
                }
                self.search_below::<KEEP>(root, link, bound, max_nodes, workspace)
            } else if !KEEP {
                part.next_bound = next.min(f);
                continue;
            } else if part.push(*root, f, link, Link::EMPTY, max_nodes) {
                continue;
            } else {
                End::Full(0)
            };
            match end {
                End::Exhausted => {}
                End::Goal(_, path) => return End::Goal(index, path),
                End::Full(_) => {
                    workspace.part.truncate(len, next);
                    return End::Full(index);
                }
                End::Limit(limit) => return End::Limit(limit),
            }
        }
        End::Exhausted
    }

    fn search_below<const KEEP: bool>(
        &self,
        root: &Node<K, H::Value>,
        link: u32,
        bound: u16,
        max_nodes: usize,
        workspace: &mut Workspace<K, H::Value>,
    ) -> End {
        let Workspace { part, stack, counter } = workspace;
        let todo = self.moves.from(root.blank, root.last);
        let mut frame =
            StackFrame { board: root.board, value: root.value, todo, letters: Link::EMPTY, blank: root.blank };
        // As deep as the bound, the root included.
        let frames = usize::from(bound - root.depth) + 1;
        if stack.len() < frames {
            stack.resize(frames, frame);
        }
        let stack = &mut stack[..];
        let mut below = 0;
        counter.expanded += 1;
        loop {
            if frame.todo == 0 {
                if below == 0 {
                    return End::Exhausted;
                }
                below -= 1;
                frame = stack[below];
                continue;
            }
            if let Some(limit) = counter.count_generated() {
                return End::Limit(limit);
            }

            let bits = frame.todo as u16;
            frame.todo >>= 16;
            let (to, letter) = ((bits & 31) as u8, (bits >> 5 & 3) as u8);
            let step = Step {
                tile: frame.board.home(usize::from(to)) as u8,
                from: to,
                to: frame.blank,
                blank: Move::from_index((bits >> 7) as u8),
            };
            let board = frame.board.slid(usize::from(frame.blank), usize::from(to), self.goal_blank);
            let value = self.heuristic.after(frame.value, board, step);
            let letters = Link::push(frame.letters, letter);

            let depth = root.depth + below as u16 + 1;
            let f = depth + H::plies(value);
            // A link holds no more letters: the node becomes a root of its own, due at once.
            let link_is_full = KEEP && below + 1 == self.max_letters && board != self.goal;
            if f > bound || link_is_full {
                if !KEEP {
                    part.next_bound = part.next_bound.min(f);
                } else if !part.push(Node { board, value, depth, blank: to, last: letter }, f, link, letters, max_nodes)
                {
                    return End::Full(0);
                }
                continue;
            }
            stack[below] = frame;
            if board == self.goal {
                let letters = stack[1..=below].iter().map(|frame| frame.letters).chain([letters]);
                return End::Goal(0, letters.map(|letters| Move::from_index(Link::last(letters))).collect());
            }
            below += 1;
            counter.expanded += 1;
            frame = StackFrame { board, value, todo: self.moves.from(to, letter), letters, blank: to };
        }
    }
}
