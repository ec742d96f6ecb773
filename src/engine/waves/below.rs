//! The search below a list that can grow no more.
//!
//! It keeps to waves, which is why it is not the usual depth-first search: the cut nodes of a chunk are
//! a little list, one *layer* further on, which is expanded chunk by chunk to the next bound, and so on
//! to the bound of the iteration, before the next chunk of the layer above has its turn. What is first in
//! depth-first order is still found first, every node has its own f for a bound, and at any time one
//! chunk a layer is in memory. An 80-move board by a `7-8` and AVX-512, of whose 11 million nodes half are
//! below the list: 308 ms on a core of a Zen 5, by depth-first search 554.
//!
//! A chunk from which more grows than there is room for is halved; a single node from which more grows is
//! left to the depth-first search of [`super::dive`].

use super::dive::Below;
use super::expand::{CHUNK, Chunk, Expand, Keep, Part, Short, Watch, expand};
use super::node::ListNode;
use super::trace::Trail;
use crate::engine::Limit;

/// Why a search did not go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The goal, by a path whose end this is.
    Goal(Trail),
    Limit(Limit),
}

/// A thread's memory.
pub(super) struct Hands<E: Expand> {
    pub(super) wave: E::Wave,
    pub(super) stack: E::Stack,
    /// What grew from the chunks in hand, that of the list first.
    pub(super) layers: Vec<Part<E::Node>>,
    /// A chunk whose nodes were not in one piece.
    pub(super) gathered: Vec<E::Node>,
}

impl<E: Expand> Default for Hands<E> {
    fn default() -> Self {
        Hands { wave: E::Wave::default(), stack: E::Stack::default(), layers: Vec::new(), gathered: Vec::new() }
    }
}

/// A search below nodes that stay where they are.
pub(super) struct Descent<'a, 'b, E: Expand> {
    pub(super) by: &'a E,
    pub(super) wave: &'a mut E::Wave,
    pub(super) stack: &'a mut E::Stack,
    pub(super) watch: &'a mut Watch<'b>,
    pub(super) bound: u16,
}

impl<E: Expand> Descent<'_, '_, E> {
    /// Searches below roots whose f is `from`, at most `room` nodes being in memory at a time.
    pub(super) fn search(
        &mut self,
        roots: &[E::Node],
        from: u16,
        room: usize,
        layers: &mut [Part<E::Node>],
    ) -> Result<(), Stop> {
        roots.chunks(CHUNK).try_for_each(|roots| self.chunk(roots, from, room, layers))
    }

    fn chunk(&mut self, roots: &[E::Node], from: u16, room: usize, layers: &mut [Part<E::Node>]) -> Result<(), Stop> {
        let Some((layer, deeper)) = layers.split_first_mut() else { unreachable!("there is a layer for every bound") };
        let keep = if from < self.bound { Keep::Cut } else { Keep::Nothing };
        let chunk = Chunk { roots, bound: from, most: room, keep };
        layer.clear();
        let below = match expand(self.by, &chunk, self.wave, self.watch, layer) {
            Ok(Some(step)) => Err(Stop::Goal(Trail::from(step))),
            Ok(None) if from == self.bound => Ok(()),
            Ok(None) => self.search(&layer.nodes, from + 2, room.saturating_sub(layer.trace.len()), deeper),
            Err(Short::Limit(limit)) => return Err(Stop::Limit(limit)),
            Err(Short::Room) => {
                return match roots {
                    [root] => self.dive(root),
                    roots => {
                        let (one, other) = roots.split_at(roots.len() / 2);
                        self.chunk(one, from, room, layers)?;
                        self.chunk(other, from, room, layers)
                    }
                };
            }
        };
        below.map_err(|stop| match stop {
            Stop::Goal(trail) => Stop::Goal(layer.trace.rewound(trail)),
            limit => limit,
        })
    }

    fn dive(&mut self, root: &E::Node) -> Result<(), Stop> {
        match self.by.below(root, self.bound, self.stack, self.watch) {
            Below::Exhausted => Ok(()),
            Below::Limit(limit) => Err(Stop::Limit(limit)),
            Below::Goal(mut letters) => {
                letters.reverse();
                Err(Stop::Goal(Trail { step: root.step(), backwards: letters }))
            }
        }
    }
}

/// How many layers a search from one bound to another needs.
pub(super) fn layers(from: u16, bound: u16) -> usize {
    usize::from(bound - from) / 2 + 1
}
