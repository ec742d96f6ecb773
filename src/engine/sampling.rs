//! Prediction of the nodes that an iterative-deepening search will generate, by sampling.
//!
//! An iteration *cuts* the nodes whose f exceeds its bound: it does not expand them. The nodes that
//! the next iteration adds, its *layer*, are descendants of these cut nodes. Each layer is several
//! times as large as the previous one. Here the search's own code expands each layer. From the cut
//! nodes, a sample of at most a fixed number, the *population*, is taken, evenly spread in the
//! order of the search. Each node of the sample represents the omitted nodes near it. The number of
//! descendants of the sample, times the number of nodes that each of its nodes represents, is an
//! unbiased estimate of the size of the next layer (P.-C. Chen, *Heuristic sampling: a method for
//! predicting the performance of tree searching programs*, SIAM J. Comput. 21, 1992; for iterative
//! deepening L. Lelis, S. Zilles, R. Holte, *Predicting the size of IDA\*'s search tree*,
//! Artificial Intelligence 196, 2013). With a thousand nodes per layer, the estimates are accurate
//! to a few tens of percent and take milliseconds.
//!
//! A sample does not show which layer contains the first solution, because a solution may be one
//! node in a billion. The solution is sure to be found only on an easy board, for which no node is
//! omitted. For other boards the caller supplies the length of a path
//! ([`SampleRequest::max_moves`]).
//!
//! The sample depends only on the board, the heuristic and the numbers in the request, so it is the
//! same on every machine.

use crate::system::{Budget, Limit, scramble};

/// The parameters of a sample.
#[derive(Clone, Copy, Debug)]
pub struct SampleRequest<'a> {
    /// The maximum number of cut nodes sampled from each layer.
    pub population: usize,
    /// The bound of the last layer of interest: the length of a path.
    pub max_moves: u64,
    /// The limits. A limit on nodes does not apply here.
    pub budget: &'a Budget<'a>,
}

/// The result of a sample.
#[derive(Clone, PartialEq, Debug)]
pub struct Sampled {
    /// The bound of the first iteration: h of the board.
    pub first_bound: u64,
    /// For each iteration, the number of nodes that it generates in addition to those of the
    /// previous iteration. Bounds rise by 2.
    pub layers: Vec<f64>,
    /// If the last layer contained a solution: the estimated number of nodes of that layer that are
    /// generated until the solution is found.
    pub until_solution: Option<f64>,
    /// True if no cut node was omitted, so the numbers are exact.
    pub is_exact: bool,
    /// The number of nodes that the search can keep in its list. If there are more, each iteration
    /// repeats the work of the previous one.
    pub list_capacity: f64,
    /// The nodes generated for the sample.
    pub generated: u64,
}

impl Sampled {
    /// Returns the result for the goal itself.
    pub(super) fn of_goal() -> Sampled {
        Sampled {
            first_bound: 0,
            layers: vec![1.0],
            until_solution: Some(1.0),
            is_exact: true,
            list_capacity: 0.0,
            generated: 1,
        }
    }
}

/// The result of expanding some nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expanded {
    /// The number of nodes generated. If one of them is a solution, only the nodes up to the
    /// solution are counted, because the search would end there.
    pub(super) generated: u64,
    /// True if one of the generated nodes is a solution.
    pub(super) is_solved: bool,
}

/// The number of nodes expanded together. The search uses the same number, so that it ends at the
/// same node as an exact sample.
pub(super) const BATCH: usize = 96;

/// Samples the search from a root whose f is `first_bound` and which is not the goal.
///
/// `expand` expands nodes that are consecutive in the search's list and within the bound, and
/// appends the nodes that it cuts to the vector.
pub(super) fn sample<N: Copy>(
    mut expand: impl FnMut(&[N], u16, &mut Vec<N>) -> Result<Expanded, Limit>,
    root: N,
    first_bound: u16,
    list_capacity: f64,
    request: &SampleRequest<'_>,
) -> Result<Sampled, Limit> {
    let (mut nodes, mut next) = (vec![root], Vec::new());
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
    while !nodes.is_empty() && u64::from(bound) <= request.max_moves {
        // The first layer includes the root.
        let mut layer = if sampled.layers.is_empty() { 1.0 } else { 0.0 };
        next.clear();
        for batch in nodes.chunks(BATCH) {
            if let Some(limit) = request.budget.interrupted() {
                return Err(limit);
            }
            let grown = expand(batch, bound, &mut next)?;
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
            thin_out(&mut next, request.population, scramble(first_bound.into(), thinned));
        }
        std::mem::swap(&mut nodes, &mut next);
        bound += 2;
    }
    Ok(sampled)
}

/// Keeps `population` nodes, evenly spread. `random` shifts the choice. Nodes that are close in the
/// search's order are similar, so this sample is better than a random one.
fn thin_out<N: Copy>(nodes: &mut Vec<N>, population: usize, random: u64) {
    let count = nodes.len() as u64;
    let wanted = population as u64;
    let offset = random % count;
    for place in 0..wanted {
        // `from` is at least `place`, so no node is overwritten before it is copied.
        let from = (place * count + offset) / wanted;
        nodes[place as usize] = nodes[from as usize];
    }
    nodes.truncate(population);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::system::Limits;

    /// Expands nodes of a tree in which a node that is expanded at bound T has `T / 2 % 3 + 2`
    /// children, all of them above the bound. A node is a number.
    fn expand(nodes: &[u64], bound: u16, next: &mut Vec<u64>) -> Result<Expanded, Limit> {
        let children = u64::from(bound / 2 % 3 + 2);
        next.extend(nodes.iter().flat_map(|node| (0..children).map(move |child| node * children + child)));
        Ok(Expanded { generated: nodes.len() as u64 * children, is_solved: false })
    }

    fn sampled(population: usize, max_moves: u64) -> Sampled {
        let stop = AtomicBool::new(false);
        let budget = Budget::start(&Limits::default(), &stop);
        sample(expand, 0, 10, 0.0, &SampleRequest { population, max_moves, budget: &budget }).unwrap()
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
        assert_eq!(sample(expand, 0, 10, 0.0, &request), Err(Limit::Cancelled));
    }

    #[test]
    fn nodes_are_kept_in_their_order_from_end_to_end() {
        for (count, population) in [(10, 9), (1000, 10), (97, 96), (50_001, 20_000)] {
            let mut nodes: Vec<usize> = (0..count).collect();
            thin_out(&mut nodes, population, scramble(7, 1));
            assert_eq!(nodes.len(), population);
            assert!(nodes.is_sorted_by(|a, b| a < b));
            assert!(nodes[0] <= count / population && nodes[population - 1] >= count - 1 - count / population - 1);
        }
    }
}
