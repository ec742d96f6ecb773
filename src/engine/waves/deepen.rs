//! The iterations: chunks of the list in its order, and what happens when memory or budget run out.

use super::dive::Below;
use super::node::Trace;
use crate::board::Path;
use crate::engine::{Budget, Limit, Outcome, Stats};

/// List nodes that are expanded together. Smaller chunks fill fewer vectors, of larger ones more is
/// expanded in vain where the solution is. With 7-8 and AVX-512 on a Zen 5, 4,000 random boards:
/// 48: 3,150 boards/s, 64: 3,220, 96: 3,440, 128: 3,450, 192: 3,450; portable: no difference.
pub(super) const CHUNK: usize = 96;

/// A stretch of list nodes to be expanded to a bound.
pub(super) struct Chunk<'a, N> {
    pub(super) roots: &'a [N],
    pub(super) bound: u16,
    /// The most nodes that may be generated.
    pub(super) most: usize,
}

/// What grows from chunks: the next list, and the steps to its nodes.
#[derive(Clone, Debug)]
pub(super) struct Part<N> {
    pub(super) nodes: Vec<N>,
    pub(super) trace: Trace,
    /// Nodes expanded.
    pub(super) expanded: u64,
}

impl<N> Default for Part<N> {
    fn default() -> Part<N> {
        Part { nodes: Vec::new(), trace: Trace::default(), expanded: 0 }
    }
}

/// How the expansion of a chunk ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ChunkEnd {
    /// Every node within the bound has been expanded.
    Exhausted,
    /// So it was, and this is the step of the first solution in depth-first order.
    Goal(u32),
    /// There are more nodes than were allowed; what was added to the part is to be thrown away.
    TooMany,
    /// The clock or the stop flag ended it; likewise.
    Interrupted(Limit),
}

/// A way to expand nodes. Every implementation has the same answers and the same number of nodes.
pub(super) trait Expand {
    type Node: Copy;

    /// Expands a chunk: a function of its arguments, so that chunks can be expanded in any order, by
    /// any thread, and their parts joined in the order of the list.
    fn chunk(&mut self, chunk: &Chunk<Self::Node>, watch: &mut Watch, part: &mut Part<Self::Node>) -> ChunkEnd;

    /// Searches depth-first below a node of the list, as far as the bound, and keeps nothing.
    fn below(&mut self, root: &Self::Node, bound: u16, watch: &mut Watch) -> Below;

    /// The f of a node.
    fn f(node: &Self::Node) -> u16;

    /// The node's step.
    fn step(node: &Self::Node) -> u32;
}

/// Counts nodes and looks at the budget now and then.
pub(super) struct Watch<'a> {
    budget: &'a Budget<'a>,
    /// Nodes generated since the budget was last looked at.
    since: u64,
    /// Nodes generated in all, those of the chunk in hand not counted.
    generated: u64,
    /// Nodes expanded below a frozen list.
    pub(super) expanded: u64,
}

impl<'a> Watch<'a> {
    pub(super) fn start(budget: &'a Budget<'a>) -> Watch<'a> {
        Watch { budget, since: 0, generated: 1, expanded: 0 }
    }

    /// Counts nodes of a chunk; what interrupts the search, if anything does.
    #[inline(always)]
    pub(super) fn tick(&mut self, nodes: usize) -> Option<Limit> {
        self.since += nodes as u64;
        if self.since < Budget::POLL_NODES { None } else { self.look() }
    }

    #[cold]
    fn look(&mut self) -> Option<Limit> {
        self.since = 0;
        self.budget.interrupted()
    }

    /// Asks for nodes below a frozen list; a budget without that many is spent to its end.
    #[inline(always)]
    pub(super) fn grant(&mut self, nodes: usize) -> Option<Limit> {
        self.generated += nodes as u64;
        if self.generated > self.budget.nodes() {
            self.generated = self.budget.nodes();
            return Some(Limit::Nodes);
        }
        self.tick(nodes)
    }
}

/// The lists of a search, kept from board to board.
#[derive(Clone, Debug)]
pub(super) struct Lists<N> {
    list: Vec<N>,
    part: Part<N>,
}

impl<N> Default for Lists<N> {
    fn default() -> Lists<N> {
        Lists { list: Vec::new(), part: Part::default() }
    }
}

/// The search from a root that is not the goal. `bytes`: what lists and steps may take together.
pub(super) fn deepen<E: Expand>(
    expand: &mut E,
    root: E::Node,
    budget: &Budget,
    bytes: usize,
    lists: &mut Lists<E::Node>,
    stats: &mut Stats,
) -> Outcome {
    let mut watch = Watch::start(budget);
    let Lists { list, part } = lists;
    list.clear();
    list.push(root);
    part.nodes.clear();
    part.trace.begin();
    part.expanded = 0;
    let outcome = search(expand, E::f(&root), bytes, list, part, &mut watch);
    stats.generated += watch.generated;
    stats.expanded += watch.expanded + part.expanded;
    outcome
}

fn search<E: Expand>(
    expand: &mut E,
    mut bound: u16,
    bytes: usize,
    list: &mut Vec<E::Node>,
    part: &mut Part<E::Node>,
    watch: &mut Watch,
) -> Outcome {
    // A node is in one list at most, and has one step.
    let room = (bytes / (size_of::<E::Node>() + size_of::<u32>())).clamp(1, Trace::MAX_STEPS);
    let unsolved = |lower_bound, limit| Outcome::Unsolved { lower_bound, limit };
    if let Some(limit) = watch.look() {
        return unsolved(bound, limit);
    }
    loop {
        debug_assert!(list.iter().all(|root| E::f(root) == bound));
        let mut at = 0;
        while at < list.len() {
            let roots = &list[at..list.len().min(at + CHUNK)];
            let (kept, steps, expanded) = (part.nodes.len(), part.trace.len(), part.expanded);
            let granted = usize::try_from(watch.budget.nodes()).unwrap_or(usize::MAX).saturating_sub(steps);
            let most = granted.min(room.saturating_sub(steps));
            match expand.chunk(&Chunk { roots, bound, most }, watch, part) {
                ChunkEnd::Exhausted => watch.generated = part.trace.len() as u64,
                ChunkEnd::Goal(step) => {
                    watch.generated = part.trace.len() as u64;
                    return Outcome::Solved(part.trace.path_to(step));
                }
                end => {
                    part.nodes.truncate(kept);
                    part.trace.truncate(steps);
                    part.expanded = expanded;
                    match end {
                        ChunkEnd::Interrupted(limit) => return unsolved(bound, limit),
                        _ if granted <= most => {
                            watch.generated = watch.budget.nodes();
                            return unsolved(bound, Limit::Nodes);
                        }
                        _ => {
                            // The list is frozen: what grew from its beginning, then what is left of it.
                            part.nodes.extend_from_slice(&list[at..]);
                            std::mem::swap(list, &mut part.nodes);
                            return search_below(expand, bound, list, &part.trace, watch);
                        }
                    }
                }
            }
            at += roots.len();
        }
        assert!(!part.nodes.is_empty(), "a state that can be solved has a path");
        std::mem::swap(list, &mut part.nodes);
        part.nodes.clear();
        bound += 2;
    }
}

/// The iterations below a list that can grow no more.
fn search_below<E: Expand>(
    expand: &mut E,
    mut bound: u16,
    list: &[E::Node],
    trace: &Trace,
    watch: &mut Watch,
) -> Outcome {
    loop {
        for root in list.iter().filter(|root| E::f(root) <= bound) {
            match expand.below(root, bound, watch) {
                Below::Exhausted => {}
                Below::Limit(limit) => return Outcome::Unsolved { lower_bound: bound, limit },
                Below::Goal(letters) => {
                    let mut path: Path = trace.path_to(E::step(root));
                    path.extend(letters.moves());
                    return Outcome::Solved(path);
                }
            }
        }
        bound += 2;
    }
}
