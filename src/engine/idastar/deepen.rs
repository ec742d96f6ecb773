//! The iterations: passes over the frontier list, to bounds that grow until one of them suffices.

use super::depth_first::{DepthFirst, End, StackFrame, Workspace};
use super::frontier::{Frontier, Link, Node, Part};
use super::move_table::MoveTable;
use super::node_counter::NodeCounter;
use super::pass::{Pass, WORTH_HELP};
use crate::board::{Packed, Path, Solvable};
use crate::engine::{Outcome, ThreadShare};
use crate::heuristic::Heuristic;

/// A worker's memory, kept from board to board.
#[derive(Clone, Debug)]
pub(super) struct Lists<K, V> {
    frontier: Frontier<K, V>,
    part: Part<K, V>,
    stack: Vec<StackFrame<K, V>>,
}

impl<K, V> Default for Lists<K, V> {
    fn default() -> Lists<K, V> {
        Lists { frontier: Frontier::default(), part: Part::default(), stack: Vec::new() }
    }
}

/// How much a search may keep, and two numbers that tests choose otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    /// The most that a frontier list with its links may take.
    pub(super) bytes: usize,
    /// Letters of a link.
    pub(super) max_letters: usize,
    /// Nodes generated before idle threads are asked to help.
    pub(super) help_from: u64,
}

impl Settings {
    pub(super) fn new(bytes: usize) -> Settings {
        Settings { bytes, max_letters: Link::MAX_LETTERS, help_from: WORTH_HELP }
    }
}

/// Finds the canonical shortest path by iterative deepening.
pub(super) fn deepen<K: Packed, H: Heuristic>(
    heuristic: &H,
    moves: &MoveTable,
    start: &Solvable,
    settings: Settings,
    lists: &mut Lists<K, H::Value>,
    counter: &mut NodeCounter,
    thread_share: &ThreadShare,
) -> Outcome {
    let (space, max_letters) = (moves.space(), settings.max_letters);
    let goal = K::of(&space.goal(), space.shape.cells());
    let search = DepthFirst { heuristic, moves, goal, goal_blank: space.goal_blank.index(), max_letters };
    let root = search.root(start);
    if root.board == goal {
        return Outcome::Solved(Path::new());
    }
    let Lists { frontier, part, stack } = lists;
    frontier.begin(root);
    part.clear();
    let mut bound = H::plies(root.value);
    let mut frozen = false;
    let mut found = None;
    loop {
        counter.begin_iteration(bound);
        let (roots, first, max_nodes) = (&frontier.nodes[..], frontier.first, frontier.max_nodes(settings.bytes));
        let pass =
            Pass { search: &search, roots, first, bound, max_nodes, thread_share, help_from: settings.help_from };
        let mut workspace = Workspace { part: &mut *part, stack: &mut *stack, counter: &mut *counter };
        let (end, replaced) = iterate(&pass, &mut frozen, &mut workspace);
        match end {
            End::Limit(limit) => return Outcome::Unsolved { lower_bound: bound.into(), limit },
            End::Goal(index, letters) => {
                let mut path = frontier.path_to(frontier.first + index as u32);
                path.extend(letters.moves());
                found = Some(path);
            }
            End::Exhausted | End::Full(_) => {}
        }
        let next = std::mem::replace(&mut part.next_bound, u16::MAX);
        match found.take() {
            Some(path) if next > bound => return Outcome::Solved(path),
            path => found = path,
        }
        assert_ne!(next, u16::MAX, "a state that can be solved has a path");
        // The part replaces the roots that it grew from; those after them stay as they are.
        if replaced > 0 {
            frontier.advance(replaced, part);
        }
        bound = next;
    }
}

/// One iteration: how it ended, and how many of the list's nodes the part replaces. The list is frozen when the part is
/// full; from then on the search below its nodes keeps nothing that is cut.
fn iterate<K: Packed, H: Heuristic>(
    pass: &Pass<K, H>,
    frozen: &mut bool,
    workspace: &mut Workspace<K, H::Value>,
) -> (End, usize) {
    let (mut end, mut replaced) = (End::Exhausted, 0);
    if !*frozen {
        end = pass.run::<true>(0, workspace);
        replaced = pass.roots.len();
        if let End::Full(index) = end {
            (replaced, *frozen) = (index, true);
        }
    }
    if *frozen {
        end = pass.run::<false>(replaced, workspace);
    }
    (end, replaced)
}

impl<K: Packed, H: Heuristic> DepthFirst<'_, K, H> {
    /// The node of the start.
    pub(super) fn root(&self, start: &Solvable) -> Node<K, H::Value> {
        let state = start.state();
        Node {
            board: K::of(state, self.moves.space().shape.cells()),
            value: self.heuristic.root(state),
            depth: 0,
            blank: state.blank().index() as u8,
            last: Node::<K, H::Value>::START,
        }
    }
}
