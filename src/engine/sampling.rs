//! How many nodes a search by iterative deepening will generate, told beforehand by a sample of them.
//!
//! A search cuts nodes at its bound, and the nodes that were cut are the roots of what the next iteration adds: its *layer*.
//! Layers grow sevenfold or so. Here each layer is expanded as the search would do it, by its own code, but of the
//! nodes that were cut no more than a *population* is kept, evenly spread over them in the order of the search, and
//! each of those stands for as many as were dropped. What grows from them, times that number, is what the next layer has, in
//! expectation exactly (P.-C. Chen, *Heuristic sampling: a method for predicting the performance of tree searching programs*, SIAM J.
//! Comput. 21, 1992; for iterative deepening L. Lelis, S. Zilles, R. Holte, *Predicting the size of IDA\*'s search tree*,
//! Artificial Intelligence 196, 2013). A thousand nodes a layer tell its size within some tens of percent, in milliseconds.
//!
//! What a sample does not tell is in which layer the first solution is: of a thousand million nodes it is one. Only where nothing was
//! dropped, because a board is easy, it is met here. Otherwise the caller brings a length.
//!
//! The population depends on the board, the heuristic and the numbers asked for alone: the same sample on every machine.

use crate::system::{Budget, Limit, scramble};

/// What is sampled.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The most nodes of a layer that are expanded.
    pub population: usize,
    /// The bound of the last layer that is of interest: the length of a path.
    pub most_moves: u64,
    /// What may be spent. A number of nodes does not count here.
    pub budget: &'a Budget<'a>,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct Sampled {
    /// The bound of the first iteration: what the heuristic says of the board.
    pub first_bound: u64,
    /// Nodes that each iteration generates and the one before it does not. Bounds rise by 2.
    pub layers: Vec<f64>,
    /// Where a solution was met, in the last layer: what was generated of that layer until then, as far as it was sampled.
    pub until_solution: Option<f64>,
    /// Whether nothing was dropped, so that the numbers are no estimates.
    pub is_exact: bool,
    /// Nodes of which the search keeps what it needs to go on from them. Beyond, every iteration repeats the one before.
    pub kept: f64,
    /// Nodes that were generated for the sample.
    pub generated: u64,
}

impl Sampled {
    /// What is found of the goal itself.
    pub(super) fn of_goal() -> Sampled {
        Sampled {
            first_bound: 0,
            layers: vec![1.0],
            until_solution: Some(1.0),
            is_exact: true,
            kept: 0.0,
            generated: 1,
        }
    }
}

/// A search as it expands nodes of its list.
pub(super) trait Layers {
    /// What lists are of.
    type Node: Copy;

    /// Expands some neighbouring nodes, which are within the bound; the nodes that are cut are added to `next`.
    fn expand(&mut self, nodes: &[Self::Node], bound: u16, next: &mut Vec<Self::Node>) -> Result<Grown, Limit>;
}

/// What grew from some nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grown {
    /// Nodes generated; up to the solution, where there is one and the search would end there.
    pub(super) generated: u64,
    /// Whether a solution is among them.
    pub(super) is_solved: bool,
}

/// Nodes that are expanded together: as many as the search takes, so that it would end where a sample in which nothing was dropped ends.
pub(super) const TOGETHER: usize = 96;

/// Samples the search from a root whose f is `first_bound` and which is not the goal.
pub(super) fn sample<L: Layers>(
    search: &mut L,
    root: L::Node,
    first_bound: u16,
    kept: f64,
    request: &Request<'_>,
) -> Result<Sampled, Limit> {
    let (mut nodes, mut next) = (vec![root], Vec::new());
    // Each node stands for so many.
    let mut weight = 1.0;
    let mut thinned = 0;
    let mut sampled = Sampled {
        first_bound: first_bound.into(),
        layers: Vec::new(),
        until_solution: None,
        is_exact: true,
        kept,
        generated: 1,
    };
    let mut bound = first_bound;
    while !nodes.is_empty() && u64::from(bound) <= request.most_moves {
        // The root was generated before the first layer.
        let mut layer = if sampled.layers.is_empty() { 1.0 } else { 0.0 };
        next.clear();
        for some in nodes.chunks(TOGETHER) {
            if let Some(limit) = request.budget.interrupted() {
                return Err(limit);
            }
            let grown = search.expand(some, bound, &mut next)?;
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

/// Keeps so many of the nodes, evenly spread: what is near in the search's order is alike, so this is a better sample than a random one.
fn thin_out<N: Copy>(nodes: &mut Vec<N>, population: usize, bits: u64) {
    let all = nodes.len() as u64;
    let wanted = population as u64;
    let first = bits % all;
    for place in 0..wanted {
        // Never before its own place: between two of them are at least as many as there are nodes for each.
        let from = (place * all + first) / wanted;
        nodes[place as usize] = nodes[from as usize];
    }
    nodes.truncate(population);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::system::Limits;

    /// A tree in which a node of the layer T has `T % 3 + 2` descendants in the next; its number is all that there is of it.
    struct Tree;

    impl Layers for Tree {
        type Node = u64;

        fn expand(&mut self, nodes: &[u64], bound: u16, next: &mut Vec<u64>) -> Result<Grown, Limit> {
            let children = u64::from(bound / 2 % 3 + 2);
            next.extend(nodes.iter().flat_map(|node| (0..children).map(move |child| node * children + child)));
            Ok(Grown { generated: nodes.len() as u64 * children, is_solved: false })
        }
    }

    fn sampled(population: usize, most_moves: u64) -> Sampled {
        let stop = AtomicBool::new(false);
        let budget = Budget::start(&Limits::default(), &stop);
        sample(&mut Tree, 0, 10, 0.0, &Request { population, most_moves, budget: &budget }).unwrap()
    }

    /// Where every node has as many descendants as any other, a sample of any size tells the layers exactly.
    #[test]
    fn layers_are_those_of_the_tree() {
        let all = sampled(usize::MAX, 20);
        assert!(all.is_exact && all.layers == [1.0 + 4.0, 8.0, 24.0, 96.0, 192.0, 576.0]);
        assert_eq!(all.generated, 901);
        let some = sampled(5, 20);
        assert!(!some.is_exact);
        for (exact, estimate) in all.layers.iter().zip(&some.layers) {
            assert!((exact - estimate).abs() < 1e-9 * exact, "{estimate} for {exact}");
        }
        assert!(some.generated < 100);
    }

    #[test]
    fn a_stop_ends_it() {
        let stop = AtomicBool::new(true);
        let budget = Budget::start(&Limits::default(), &stop);
        let request = Request { population: 9, most_moves: 99, budget: &budget };
        assert_eq!(sample(&mut Tree, 0, 10, 0.0, &request), Err(Limit::Cancelled));
    }

    #[test]
    fn nodes_are_kept_in_their_order_from_end_to_end() {
        for (all, population) in [(10, 9), (1000, 10), (97, 96), (50_001, 20_000)] {
            let mut nodes: Vec<usize> = (0..all).collect();
            thin_out(&mut nodes, population, scramble(7, 1));
            assert_eq!(nodes.len(), population);
            assert!(nodes.is_sorted_by(|a, b| a < b));
            assert!(nodes[0] <= all / population && nodes[population - 1] >= all - 1 - all / population - 1);
        }
    }
}
