//! Estimation of the size of a search by sampling its lists ([`crate::engine::sampling`]).

use super::expander::{Chunk, CutNodes, Expander, Grown as GrownNodes, Node, NodeCounter, expand};
use super::list::Lists;
use crate::engine::sampling::{Grown, Layers, Request, Sampled, sample};
use crate::system::Limit;

/// The maximum number of nodes generated from one group of nodes before the group is split.
const MAX_GENERATED: u64 = 1 << 18;

struct Sampler<'a, 'b, E: Expander> {
    expander: &'a E,
    memory: E::Memory,
    grown: GrownNodes<E::Node>,
    counter: NodeCounter<'b>,
}

/// Samples the search from `root`, whose lists may take `bytes` bytes.
pub fn sample_search<E: Expander>(
    expander: &E,
    root: E::Node,
    bytes: usize,
    request: &Request<'_>,
) -> Result<Sampled, Limit> {
    if root.h() == 0 {
        return Ok(Sampled::of_goal());
    }
    let budget = request.budget.without_nodes();
    let counter = NodeCounter::start(&budget);
    let mut search = Sampler { expander, memory: E::Memory::default(), grown: GrownNodes::default(), counter };
    sample(&mut search, root, root.f(), Lists::<E>::max_generated(bytes) as f64, request)
}

impl<E: Expander> Layers for Sampler<'_, '_, E> {
    type Node = E::Node;

    fn expand(&mut self, nodes: &[E::Node], bound: u16, next: &mut Vec<E::Node>) -> Result<Grown, Limit> {
        let Sampler { expander, memory, grown, counter } = self;
        *grown = GrownNodes { nodes: std::mem::take(next), ..GrownNodes::default() };
        let chunk = Chunk { roots: nodes, bound, cut_nodes: CutNodes::Kept { max_generated: MAX_GENERATED } };
        let end = expand(*expander, &chunk, memory, counter, grown);
        *next = std::mem::take(&mut grown.nodes);
        match end {
            Ok(goal) => Ok(Grown { generated: grown.stats.generated, is_solved: goal.is_some() }),
            Err(Limit::Memory) if nodes.len() > 1 => {
                let (one, other) = nodes.split_at(nodes.len() / 2);
                let (one, other) = (self.expand(one, bound, next)?, self.expand(other, bound, next)?);
                let generated = one.generated + other.generated;
                Ok(Grown { generated, is_solved: one.is_solved || other.is_solved })
            }
            // A single node generates too many within one bound only on boards too hard for a
            // useful estimate.
            Err(limit) => Err(limit),
        }
    }
}
