//! Sampling of a search, as described in [`sampling`](crate::engine::sampling).

use super::expander::{CHUNK, CutNodes, DynExpander, ExpansionResult, NodeChunk, NodeCounter, ThreadMemory, expand};
use super::nodes::{NodeSlice, Nodes, TreeNode};
use crate::engine::sampling::{SampleRequest, Sampled};
use crate::system::{Limit, scramble};

/// The maximum number of nodes generated from one group of nodes before the group is split.
const MAX_GENERATED: u64 = 1 << 18;

/// The result of expanding some nodes.
#[derive(Clone, Copy, Debug)]
struct Expanded {
    /// The number of nodes generated. If one of them is a solution, only the nodes up to the
    /// solution are counted, because the search would end there.
    generated: u64,
    /// True if one of the generated nodes is a solution.
    is_solved: bool,
}

/// Implements [`Search::sample`](super::Search::sample). The search can keep `list_capacity` nodes
/// in its list.
pub(super) fn sample(
    expander: &dyn DynExpander,
    root: Box<dyn Nodes>,
    list_capacity: f64,
    request: &SampleRequest<'_>,
) -> Result<Sampled, Limit> {
    let costs = root.costs()[0];
    if costs.h == 0 {
        return Ok(Sampled::of_goal());
    }
    let budget = request.budget.without_nodes();
    let (memory, counter) = (ThreadMemory::default(), NodeCounter::start(&budget));
    let mut sampler = Sampler { expander, memory, counter };
    sample_layers(|nodes, bound, next| sampler.expand(nodes, bound, next), root, costs.f(), list_capacity, request)
}

struct Sampler<'a> {
    expander: &'a dyn DynExpander,
    memory: ThreadMemory,
    counter: NodeCounter<'a>,
}

impl Sampler<'_> {
    /// Expands consecutive nodes of a list, all of them within the bound, and adds the cut nodes to
    /// `next`.
    fn expand(&mut self, nodes: NodeSlice, bound: u16, next: &mut Box<dyn Nodes>) -> Result<Expanded, Limit> {
        let Sampler { expander, memory: ThreadMemory { expander: memory, result, .. }, counter } = self;
        *result = ExpansionResult { nodes: std::mem::take(next), ..ExpansionResult::default() };
        let cut_nodes = CutNodes::Kept { max_generated: MAX_GENERATED };
        let chunk = NodeChunk { roots: nodes.clone(), bound, cut_nodes };
        let end = expand(*expander, &chunk, memory, counter, result);
        *next = std::mem::take(&mut result.nodes);
        match end {
            Ok(goal) => Ok(Expanded { generated: result.stats.generated, is_solved: goal.is_some() }),
            Err(Limit::Memory) if nodes.range.len() > 1 => {
                let [one, other] = nodes.halves();
                let (one, other) = (self.expand(one, bound, next)?, self.expand(other, bound, next)?);
                let generated = one.generated + other.generated;
                Ok(Expanded { generated, is_solved: one.is_solved || other.is_solved })
            }
            // A single node generates more than `MAX_GENERATED` within one bound only on boards too
            // hard for a useful estimate.
            Err(limit) => Err(limit),
        }
    }
}

/// Samples the search from a root whose f is `first_bound` and which is not the goal.
///
/// `expand` expands nodes that are consecutive in the search's list and within the bound, and
/// appends the nodes that it cuts to the list.
///
/// The nodes expanded together are those of a chunk of the search, so that it ends at the same node
/// as an exact sample.
fn sample_layers(
    mut expand: impl FnMut(NodeSlice, u16, &mut Box<dyn Nodes>) -> Result<Expanded, Limit>,
    mut nodes: Box<dyn Nodes>,
    first_bound: u16,
    list_capacity: f64,
    request: &SampleRequest<'_>,
) -> Result<Sampled, Limit> {
    let mut next: Box<dyn Nodes> = Box::default();
    // The number of nodes that each node represents.
    let mut weight = 1.0;
    let mut thinned = 0;
    let mut sampled = Sampled {
        first_bound: first_bound.into(),
        layers: Vec::new(),
        until_solution: None,
        is_exact: true,
        list_capacity,
        generated: 1,
    };
    let mut bound = first_bound;
    while nodes.len() > 0 && u64::from(bound) <= request.max_moves {
        // The first layer includes the root.
        let mut layer = if sampled.layers.is_empty() { 1.0 } else { 0.0 };
        next.truncate(0);
        for begin in (0..nodes.len()).step_by(CHUNK) {
            if let Some(limit) = request.budget.interrupted() {
                return Err(limit);
            }
            let range = begin..nodes.len().min(begin + CHUNK);
            let grown = expand(NodeSlice { nodes: &*nodes, range }, bound, &mut next)?;
            sampled.generated += grown.generated;
            layer += weight * grown.generated as f64;
            if grown.is_solved && sampled.until_solution.is_none() {
                sampled.until_solution = Some(layer);
            }
        }
        sampled.layers.push(layer);
        if sampled.until_solution.is_some() {
            break;
        }
        if next.len() > request.population {
            weight *= next.len() as f64 / request.population as f64;
            sampled.is_exact = false;
            thinned += 1;
            let kept = evenly_spread(next.len(), request.population, scramble(first_bound.into(), thinned));
            let mut sample = Box::default();
            next.copy_to(&kept, 0, &mut sample);
            next = sample;
        }
        std::mem::swap(&mut nodes, &mut next);
        bound += 2;
    }
    Ok(sampled)
}

/// Returns the indices of `population` of `count` nodes, evenly spread. `random` shifts the choice.
/// Nodes that are close in the search's order are similar, so this sample is better than a random
/// one.
fn evenly_spread(count: usize, population: usize, random: u64) -> Vec<u32> {
    let (count, wanted) = (count as u64, population as u64);
    let offset = random % count;
    (0..wanted).map(|place| ((place * count + offset) / wanted) as u32).collect()
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::nodes::typed;
    use super::*;
    use crate::system::{Budget, Limits};

    impl TreeNode for u64 {
        fn depth(&self) -> u16 {
            unreachable!("the costs of the nodes do not matter")
        }

        fn h(&self) -> u16 {
            unreachable!("the costs of the nodes do not matter")
        }
    }

    /// Expands nodes of a tree in which a node that is expanded at bound T has `T / 2 % 3 + 2`
    /// children, all of them above the bound. A node is a number.
    fn expand(nodes: NodeSlice, bound: u16, next: &mut Box<dyn Nodes>) -> Result<Expanded, Limit> {
        let (nodes, children): (&[u64], _) = (nodes.typed(), u64::from(bound / 2 % 3 + 2));
        typed(next).extend(nodes.iter().flat_map(|node| (0..children).map(move |child| node * children + child)));
        Ok(Expanded { generated: nodes.len() as u64 * children, is_solved: false })
    }

    fn sampled(population: usize, max_moves: u64) -> Sampled {
        let stop = AtomicBool::new(false);
        let budget = Budget::start(&Limits::default(), &stop);
        sample_layers(expand, Box::new(vec![0u64]), 10, 0.0, &SampleRequest { population, max_moves, budget: &budget })
            .unwrap()
    }

    /// If all nodes of a layer have the same number of descendants, a sample of any size predicts
    /// the layers exactly.
    #[test]
    fn layers_match_the_tree() {
        let complete = sampled(usize::MAX, 20);
        assert!(complete.is_exact && complete.layers == [1.0 + 4.0, 8.0, 24.0, 96.0, 192.0, 576.0]);
        assert_eq!(complete.generated, 901);
        let thinned = sampled(5, 20);
        assert!(!thinned.is_exact);
        for (exact, estimate) in complete.layers.iter().zip(&thinned.layers) {
            assert!((exact - estimate).abs() < 1e-9 * exact, "{estimate} for {exact}");
        }
        assert!(thinned.generated < 100);
    }

    #[test]
    fn a_cancelled_sample_returns_the_limit() {
        let stop = AtomicBool::new(true);
        let budget = Budget::start(&Limits::default(), &stop);
        let request = SampleRequest { population: 9, max_moves: 99, budget: &budget };
        assert_eq!(sample_layers(expand, Box::new(vec![0u64]), 10, 0.0, &request), Err(Limit::Cancelled));
    }

    #[test]
    fn nodes_are_kept_in_their_order_from_end_to_end() {
        for (count, population) in [(10, 9), (1000, 10), (97, 96), (50_001, 20_000)] {
            let kept = evenly_spread(count, population, scramble(7, 1));
            assert_eq!(kept.len(), population);
            assert!(kept.is_sorted_by(|a, b| a < b));
            let [first, last] = [kept[0], kept[population - 1]].map(|index| index as usize);
            assert!(first <= count / population && last >= count - 1 - count / population - 1 && last < count);
        }
    }
}
