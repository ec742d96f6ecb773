//! Expansion for a heuristic that costs a few nanoseconds: depth-first, with the current node in
//! registers.
//!
//! The search is iterative, with a preallocated stack. The untried moves of a node are packed into
//! one word, 16 bits each. The word of a new node is looked up by the blank's cell and the last
//! move. A child is generated only when it is visited, so cut nodes appear in depth-first order.

use std::marker::PhantomData;
use std::sync::Arc;

use super::expander::{CutNodes, Expander, ExpansionResult, NodeChunk, NodeCounter, Successors};
use super::nodes::TreeNode;
use crate::board::frame::Space;
use crate::board::{Cell, Move, Packed, State};
use crate::heuristic::{Heuristic, Step};
use crate::system::Limit;

pub struct Plain<K, H> {
    heuristic: Arc<H>,
    space: Space,
    goal_blank: usize,
    /// The blank's cell × 8 + last letter (or [`START`]) → up to four moves of 16 bits, the
    /// smallest letter in the lowest bits, without the inverse of the last move. A move has, from
    /// the lowest bit, 5 bits for the blank's new cell, 2 for the letter, 2 for the move in the
    /// space's frame, and 1 that is always set.
    moves: [u64; 256],
    board: PhantomData<K>,
}

/// The last letter of a start node.
const START: u8 = 4;
/// The bit that is set in every move.
const SET: u64 = 1 << 9;

/// Returns [`Plain::moves`] of a space.
fn moves(space: &Space) -> [u64; 256] {
    let mut moves = [0; 256];
    for (cell, last) in (0..space.shape.cells()).flat_map(|cell| (0..=START).map(move |last| (cell, last))) {
        let undo = (last < START).then(|| space.order[usize::from(last)].inverse());
        let steps = space.steps(Cell::new(cell)).map(|(letter, to)| (letter, space.order[letter.index()], to));
        for (number, (letter, step, to)) in steps.filter(|(_, step, _)| undo != Some(*step)).enumerate() {
            let bits = to.index() | letter.index() << 5 | step.index() << 7;
            moves[cell << 3 | usize::from(last)] |= (bits as u64 | SET) << (16 * number);
        }
    }
    moves
}

#[derive(Debug)]
pub struct PlainNode<K, H: Heuristic> {
    board: K,
    value: H::Value,
    depth: u16,
    blank: u8,
    /// The letter of the last move, or [`START`].
    last: u8,
}

impl<K: Copy, H: Heuristic> Clone for PlainNode<K, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: Copy, H: Heuristic> Copy for PlainNode<K, H> {}

impl<K: Packed, H: Heuristic + 'static> TreeNode for PlainNode<K, H> {
    #[inline(always)]
    fn depth(&self) -> u16 {
        self.depth
    }

    #[inline(always)]
    fn h(&self) -> u16 {
        H::h(self.value)
    }
}

/// A node on the current path, with its untried moves.
#[derive(Clone, Copy)]
pub struct StackFrame<K, V> {
    board: K,
    value: V,
    untried: u64,
    blank: u8,
}

impl<K: Packed, H: Heuristic> Plain<K, H> {
    pub fn new(heuristic: &Arc<H>, space: &Space) -> Plain<K, H> {
        let goal_blank = space.goal_blank.index();
        let moves = moves(space);
        Plain { heuristic: Arc::clone(heuristic), space: *space, goal_blank, moves, board: PhantomData }
    }

    #[inline(always)]
    fn frame(&self, board: K, value: H::Value, blank: u8, last: u8) -> StackFrame<K, H::Value> {
        StackFrame { board, value, blank, untried: self.moves[usize::from(blank & 31) << 3 | usize::from(last & 7)] }
    }

    /// Generates the next child of a frame, which must have untried moves. Returns the child's
    /// board, value, blank cell and last letter.
    #[inline(always)]
    fn next(&self, frame: &mut StackFrame<K, H::Value>) -> (K, H::Value, u8, u8) {
        let bits = frame.untried as u16;
        frame.untried >>= 16;
        let (to, letter) = ((bits & 31) as u8, (bits >> 5 & 3) as u8);
        let step = Step {
            tile: frame.board.home(usize::from(to)) as u8,
            from: to,
            to: frame.blank,
            blank: Move::from_index((bits >> 7) as u8),
        };
        let board = frame.board.slid(usize::from(frame.blank), usize::from(to), self.goal_blank);
        (board, self.heuristic.after(frame.value, board, step), to, letter)
    }

    /// Expands the nodes below a root up to the bound. Returns true as soon as a solution is found.
    /// `before` is the number of nodes in the stats of `result` before the chunk.
    fn expand_below<const KEEP: bool>(
        &self,
        chunk: &NodeChunk<&[PlainNode<K, H>]>,
        root: &PlainNode<K, H>,
        stack: &mut Vec<StackFrame<K, H::Value>>,
        counter: &mut NodeCounter,
        before: u64,
        result: &mut ExpansionResult<Vec<PlainNode<K, H>>>,
    ) -> Result<bool, Limit> {
        let (bound, spent) = (chunk.bound, result.stats.generated - before);
        let mut frame = self.frame(root.board, root.value, root.blank, root.last);
        // One frame for every depth up to the bound, including the root's.
        let frames = usize::from(bound - root.depth) + 1;
        if stack.len() < frames {
            stack.resize(frames, frame);
        }
        let stack = &mut stack[..];
        let (mut below, mut deepest) = (0, 0);
        let (mut expanded, mut granted) = (1, counter.check(chunk, spent, 0)?);
        // Of the nodes granted so far: those left until the next check, and those that the counter
        // knows of.
        let (mut fuel, mut counted) = (granted, 0);
        let solved = loop {
            if frame.untried == 0 {
                if below == 0 {
                    break false;
                }
                below -= 1;
                frame = stack[below];
                continue;
            }
            if fuel == 0 {
                let more = counter.check(chunk, spent + granted, granted - counted)?;
                (fuel, counted, granted) = (more, granted, granted + more);
            }
            fuel -= 1;
            let (board, value, blank, last) = self.next(&mut frame);
            let (depth, h) = (root.depth + below as u16 + 1, H::h(value));
            if depth + h > bound {
                if KEEP {
                    result.nodes.push(PlainNode { board, value, depth, blank, last });
                }
                continue;
            }
            if h == 0 {
                break true;
            }
            stack[below] = frame;
            below += 1;
            deepest = deepest.max(below);
            expanded += 1;
            frame = self.frame(board, value, blank, last);
        };
        result.stats.expanded += expanded;
        result.stats.generated += granted - fuel;
        // Without this, a search over many roots with few nodes below each would never poll its
        // limits.
        counter.since_poll += granted - fuel - counted;
        if chunk.cut_nodes == (CutNodes::Dropped { any_solution: true }) {
            result.depths.push(root.depth + deepest as u16);
        }
        Ok(solved)
    }
}

impl<K: Packed + 'static, H: Heuristic + Send + 'static> Expander for Plain<K, H> {
    type Node = PlainNode<K, H>;
    type Memory = Vec<StackFrame<K, H::Value>>;

    fn root(&self, state: &State) -> PlainNode<K, H> {
        let board = K::of(state, self.space.shape.cells());
        PlainNode {
            board,
            value: self.heuristic.root(state),
            depth: 0,
            blank: state.blank().index() as u8,
            last: START,
        }
    }

    fn expand(
        &self,
        chunk: &NodeChunk<&[PlainNode<K, H>]>,
        stack: &mut Vec<StackFrame<K, H::Value>>,
        counter: &mut NodeCounter,
        result: &mut ExpansionResult<Vec<PlainNode<K, H>>>,
    ) -> Result<Option<usize>, Limit> {
        let before = result.stats.generated;
        for (number, root) in chunk.roots.iter().enumerate() {
            let nodes_before = result.nodes.len();
            let is_solved = match chunk.cut_nodes {
                CutNodes::Kept { .. } => self.expand_below::<true>(chunk, root, stack, counter, before, result)?,
                CutNodes::Dropped { .. } => self.expand_below::<false>(chunk, root, stack, counter, before, result)?,
            };
            if is_solved {
                return Ok(Some(number));
            }
            if let CutNodes::Kept { .. } = chunk.cut_nodes {
                result.cut_counts.push((result.nodes.len() - nodes_before) as u32);
            }
        }
        Ok(None)
    }

    fn successors(&self, node: &PlainNode<K, H>, _: &mut Vec<StackFrame<K, H::Value>>) -> Successors<PlainNode<K, H>> {
        let mut frame = self.frame(node.board, node.value, node.blank, node.last);
        std::array::from_fn(|_| {
            (frame.untried != 0).then(|| {
                let (board, value, blank, last) = self.next(&mut frame);
                (Move::from_index(last), PlainNode { board, value, depth: node.depth + 1, blank, last })
            })
        })
    }
}
