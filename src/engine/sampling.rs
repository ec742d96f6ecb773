//! Prediction of the nodes that an iterative-deepening search will generate, by sampling.
//!
//! An iteration *cuts* the nodes whose f exceeds its bound: it does not expand them. The nodes that
//! the next iteration adds, its *layer*, are descendants of these cut nodes. Each layer is several
//! times as large as the previous one. The search's own code expands each layer. From the cut
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

use crate::system::Budget;

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
