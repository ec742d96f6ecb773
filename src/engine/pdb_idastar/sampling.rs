//! The size of a search, by a sample of its lists ([`crate::engine::sampling`]).

use super::chunk::{Chunk, Keep, Part};
use super::expand::{Expand, Unfinished, expand};
use super::lists::Lists;
use super::node::ListNode;
use super::node_counter::NodeCounter;
use crate::engine::TieBreak;
use crate::engine::sampling::{Grown, Layers, Request, Sampled, sample};
use crate::system::Limit;

/// The most nodes that are generated from some nodes at a time, in memory.
const MAX_NODES: usize = 1 << 18;

/// A search whose lists are sampled.
struct Sampler<'a, 'b, E: Expand> {
    expander: &'a E,
    wave: E::Wave,
    part: Part<E::Node>,
    counter: NodeCounter<'b>,
}

/// Samples the search from a root that is not the goal, whose lists may take so many bytes.
pub(super) fn sample_search<E: Expand>(
    expander: &E,
    root: E::Node,
    bytes: usize,
    request: &Request<'_>,
) -> Result<Sampled, Limit> {
    let budget = request.budget.without_nodes();
    let counter = NodeCounter::start(&budget);
    let mut search = Sampler { expander, wave: E::Wave::default(), part: Part::default(), counter };
    sample(&mut search, root, root.f(), Lists::<E>::max_steps(bytes) as f64, request)
}

impl<E: Expand> Layers for Sampler<'_, '_, E> {
    type Node = E::Node;

    fn expand(&mut self, nodes: &[E::Node], bound: u16, next: &mut Vec<E::Node>) -> Result<Grown, Limit> {
        let Sampler { expander, wave, part, counter } = self;
        part.clear();
        let before = counter.stats.generated;
        let chunk =
            Chunk { roots: nodes, bound, max_nodes: MAX_NODES, keep: Keep::Cut, tie_break: TieBreak::Canonical };
        match expand(*expander, &chunk, wave, counter, part) {
            Ok(goal) => {
                next.extend_from_slice(&part.nodes);
                Ok(Grown { generated: counter.stats.generated - before, is_solved: goal.is_some() })
            }
            Err(Unfinished::Limit(limit)) => Err(limit),
            // From a single node so many cannot grow within one bound but on boards where nothing would be told.
            Err(Unfinished::TooMany) if nodes.len() == 1 => Err(Limit::Memory),
            Err(Unfinished::TooMany) => {
                let (one, other) = nodes.split_at(nodes.len() / 2);
                let (one, other) = (self.expand(one, bound, next)?, self.expand(other, bound, next)?);
                let generated = one.generated + other.generated;
                Ok(Grown { generated, is_solved: one.is_solved || other.is_solved })
            }
        }
    }
}
