//! The search below a list that can grow no more.
//!
//! It keeps to waves, which is why it is not the usual depth-first search: the cut nodes of a chunk are
//! a little list, one *layer* further on, which is expanded chunk by chunk to the next bound, and so on
//! to the bound of the iteration, before the next chunk of the layer above has its turn. What is first in
//! depth-first order is still found first, every node has its own f for a bound, and at any time one
//! chunk of each layer is in memory. With AVX-512 it takes little more than half the time of the depth-first search
//! (`benches/README.md`).
//!
//! A chunk from which more grows than may be in memory is halved; a single node from which more grows is
//! left to the depth-first search of [`super::depth_first`].

use super::chunk::{CHUNK, Chunk, Keep, Part};
use super::expand::{Expand, SubtreeEnd, Unfinished, expand};
use super::node::ListNode;
use super::node_counter::NodeCounter;
use super::trace::PathEnd;
use crate::board::Path;
use crate::engine::TieBreak;
use crate::system::Limit;

/// Why a search did not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The goal, and the end of the path there.
    Goal(PathEnd),
    /// A path from elsewhere, than which none is shorter.
    Proven(Path),
    Limit(Limit),
}

/// A search below nodes that stay where they are.
pub(super) struct BelowFrozen<'a, 'b, E: Expand> {
    pub(super) expander: &'a E,
    pub(super) wave: &'a mut E::Wave,
    pub(super) stack: &'a mut E::Stack,
    pub(super) counter: &'a mut NodeCounter<'b>,
    pub(super) bound: u16,
    pub(super) tie_break: TieBreak,
}

impl<E: Expand> BelowFrozen<'_, '_, E> {
    /// Searches below roots whose f is `from`; at most `max_nodes` nodes are in memory at a time.
    pub(super) fn search(
        &mut self,
        roots: &[E::Node],
        from: u16,
        max_nodes: usize,
        layers: &mut [Part<E::Node>],
    ) -> Result<(), Stop> {
        let tie_break = self.tie_break;
        let mut chunk = |roots| self.chunk(roots, from, max_nodes, layers);
        match tie_break {
            TieBreak::Canonical => roots.chunks(CHUNK).try_for_each(&mut chunk),
            // What was cut last is deepest.
            TieBreak::Any | TieBreak::Unseen => roots.rchunks(CHUNK).try_for_each(&mut chunk),
        }
    }

    fn chunk(
        &mut self,
        roots: &[E::Node],
        from: u16,
        max_nodes: usize,
        layers: &mut [Part<E::Node>],
    ) -> Result<(), Stop> {
        let Some((layer, deeper)) = layers.split_first_mut() else { unreachable!("there is a layer for every bound") };
        let keep = if from < self.bound { Keep::Cut } else { Keep::Nothing };
        let chunk = Chunk { roots, bound: from, max_nodes, keep, tie_break: self.tie_break };
        layer.clear();
        let below = match expand(self.expander, &chunk, self.wave, self.counter, layer) {
            Ok(Some(step)) => Err(Stop::Goal(PathEnd::from(step))),
            Ok(None) if from == self.bound => Ok(()),
            Ok(None) => self.search(&layer.nodes, from + 2, max_nodes.saturating_sub(layer.trace.len()), deeper),
            Err(Unfinished::Limit(limit)) => return Err(Stop::Limit(limit)),
            Err(Unfinished::TooMany) => {
                return match roots {
                    [root] => self.depth_first(root),
                    roots => {
                        let (one, other) = roots.split_at(roots.len() / 2);
                        self.chunk(one, from, max_nodes, layers)?;
                        self.chunk(other, from, max_nodes, layers)
                    }
                };
            }
        };
        below.map_err(|stop| match stop {
            Stop::Goal(end) => Stop::Goal(layer.trace.trace_back(end)),
            other => other,
        })
    }

    fn depth_first(&mut self, root: &E::Node) -> Result<(), Stop> {
        match self.expander.below(root, self.bound, self.stack, self.counter) {
            SubtreeEnd::Exhausted => Ok(()),
            SubtreeEnd::Limit(limit) => Err(Stop::Limit(limit)),
            SubtreeEnd::Goal(mut letters) => {
                letters.reverse();
                Err(Stop::Goal(PathEnd { step: root.step(), backwards: letters }))
            }
        }
    }
}

/// How many layers a search from one bound to another needs.
pub(super) fn layer_count(from: u16, bound: u16) -> usize {
    usize::from(bound - from) / 2 + 1
}
