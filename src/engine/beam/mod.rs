//! Beam search over the whole board: only the best positions of each layer are kept, as ranked by
//! an evaluation.
//!
//! All moves of a layer's positions are generated, except those that undo the last move. Children
//! are dropped if they were already candidates for the next layer, for this layer, or for the
//! previous layer. Of the rest, the `width` children with the smallest values are the next layer
//! (`candidates.rs`). The search ends with the first layer that contains the goal. It finds a path
//! but does not prove it shortest; wider beams find shorter paths. (On the history of the method:
//! P. Furcy, S. Koenig, *Limited discrepancy beam search*, IJCAI 2005.)
//!
//! # Determinism
//!
//! Values are integers. Bits of the position's key are added to them as noise, and then equal
//! values are ordered by the order of generation. Threads share only the evaluation of children, in
//! chunks whose results are taken in order ([`super::ordered_chunks`]). Work that depends on
//! earlier results (duplicates, the cut-off) is done by one thread. So the path does not depend on
//! the number of threads.

mod candidates;
mod children;
mod history;
#[cfg(test)]
mod tests;

use self::children::{BeamPosition, Child, ChildGenerator, ThreadBuffers};
use super::ThreadShare;
use super::ordered_chunks::process_in_order;
use crate::board::{Board, Move, Path};
use crate::heuristic::evaluation::{Tables, UNIT};
use crate::system::{Budget, Limit};

pub(super) use self::candidates::{Candidate, Candidates, Keys};
pub(super) use self::history::History;
pub use self::history::{Layer, Record};

/// The input of a beam search.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The board as given.
    pub board: &'a Board,
    /// The goal as given. Its blank must be in the goal cell for which the tables were built.
    pub goal: &'a Board,
    /// The number of positions kept per layer.
    pub width: usize,
    /// The maximum length of the path.
    pub max_moves: usize,
    /// The limits.
    pub budget: &'a Budget<'a>,
    /// The threads that may help.
    pub thread_share: &'a ThreadShare,
}

/// The result of a beam search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A path.
    Path(Path),
    /// No path to the goal: the values stopped falling, no position was left, or the maximum length
    /// was reached. The path here leads to the position with the smallest value, from which another
    /// method may continue.
    Stuck(Path),
    /// A limit ended the search.
    Limit(Limit),
}

/// The number of members (positions of a layer) whose children are evaluated before duplicates and
/// the cut-off are handled.
const BLOCK: usize = 1 << 13;
/// The number of members in a thread's chunk of a block.
const CHUNK: usize = 1 << 11;
/// The minimum number of members in a block for which other threads may help.
const MIN_SHARED: usize = 4 * CHUNK;

/// The number of children that are handled between prefetching the slots of a key and reading them.
const AHEAD: usize = 12;

/// The maximum rise of the cut-off value from one layer to the next.
const MAX_CUT_RISE: i32 = UNIT / 6;
/// The number of possible noise values, a power of two. Before a candidate is ranked, noise taken
/// from the position's key is added to its value.
const NOISE: u64 = 16;

/// Searches with the evaluation's tables. `generated` counts the children whose values are within
/// the cut-off, and never exceeds the node limit. Adds the layers to a record, if there is one.
pub fn search(tables: &Tables, request: &Request<'_>, generated: &mut u64, record: Option<&mut Record>) -> Found {
    match padded(tables.shape().cells()) {
        16 => run::<16>(tables, request, generated, record),
        32 => run::<32>(tables, request, generated, record),
        48 => run::<48>(tables, request, generated, record),
        _ => run::<64>(tables, request, generated, record),
    }
}

/// Returns the number of cells for which a position on a board of `cells` cells has space.
fn padded(cells: usize) -> usize {
    cells.next_multiple_of(16)
}

/// Returns the maximum memory in bytes of a beam of this width, without the tables.
pub fn bytes(cells: usize, width: usize) -> u64 {
    let position = (2 * padded(cells) as u64 + 16).next_multiple_of(8);
    // Two layers, the candidates of one, the keys seen, and the history.
    let candidates = 3 * 32;
    width as u64 * (2 * position + candidates + Candidates::<i32>::KEY_BYTES as u64 + 4 * history::LAYERS_KEPT)
        + (2 << 20)
}

/// Searches layer by layer, on boards of up to `M` cells.
fn run<const M: usize>(
    tables: &Tables,
    request: &Request<'_>,
    generated: &mut u64,
    mut record: Option<&mut Record>,
) -> Found {
    let generator = ChildGenerator::new(tables);
    let start = BeamPosition::<M>::of(request.board, request.goal, tables, &generator.keys);
    let goal = BeamPosition::<M>::of(request.goal, request.goal, tables, &generator.keys);
    if start.homes == goal.homes {
        return Found::Path(Path::new());
    }
    let mut candidates = Candidates::new(request.width.max(1));
    let mut history = History::default();
    candidates.insert_key(start.key);
    let mut least = start.value;
    let mut greatest = None;
    // The smallest value so far, its layer, and the path to its position.
    let mut nearest = (start.value, 0, Path::new());
    let mut layer = vec![start];
    if let Some(record) = record.as_deref_mut() {
        record.push(&layer, &[]);
    }
    let mut next = Vec::new();
    let (mut buffers, mut children) = (ThreadBuffers::default(), Vec::new());
    // A beam without progress for this many layers usually cycles.
    let patience = 16 + 4 * (tables.shape().rows() + tables.shape().cols());
    while history.len() < request.max_moves && history.len() - nearest.1 < patience {
        // The largest observed change of a value by one move is less than 40 `UNIT`s.
        candidates.begin_layer(least - 40 * UNIT, greatest.map(|value: i32| value + MAX_CUT_RISE));
        for first in (0..layer.len()).step_by(BLOCK) {
            if let Some(limit) = request.budget.interrupted() {
                return Found::Limit(limit);
            }
            let members = &layer[first..layer.len().min(first + BLOCK)];
            let limit = candidates.limit_value();
            evaluate(&generator, members, first, limit, request.thread_share, &mut buffers, &mut children);
            for list in &children {
                for (number, child) in list.iter().enumerate() {
                    if let Some(later) = list.get(number + AHEAD) {
                        candidates.prefetch_key(later.key);
                    }
                    if *generated >= request.budget.nodes() {
                        return Found::Limit(Limit::Nodes);
                    }
                    *generated += 1;
                    let &Child { key, value, parent, step } = child;
                    if key == goal.key && generator.slid(&layer[parent as usize], step).homes == goal.homes {
                        return Found::Path(history.path(parent as usize, Move::from_index(step)));
                    }
                    candidates.offer(value + (key >> 50 & (NOISE - 1)) as i32, key, (parent, step), value);
                }
            }
        }
        let Some(smallest) = candidates.all().iter().min_by_key(|candidate| candidate.data) else { break };
        if smallest.data < nearest.0 {
            let path = history.path(smallest.parent(), Move::from_index(smallest.step()));
            nearest = (smallest.data, history.len() + 1, path);
        }
        greatest = candidates.greatest_kept();
        least = candidates.least();
        next.clear();
        let mut members = Vec::new();
        for candidate in candidates.kept() {
            let (key, value, last) = (candidate.key, candidate.data, candidate.step());
            next.push(BeamPosition { key, value, last, ..generator.slid(&layer[candidate.parent()], last) });
            members.push(candidate.member);
        }
        members.shrink_to_fit();
        if let Some(record) = record.as_deref_mut() {
            record.push(&next, &members);
        }
        history.push(members);
        std::mem::swap(&mut layer, &mut next);
    }
    Found::Stuck(nearest.2)
}

/// Lists the children of some members whose values are at most `limit`, in one or more lists.
/// `first` is the index of the first member in its layer.
fn evaluate<const M: usize>(
    generator: &ChildGenerator<'_>,
    members: &[BeamPosition<M>],
    first: usize,
    limit: i32,
    thread_share: &ThreadShare,
    buffers: &mut ThreadBuffers,
    children: &mut Vec<Vec<Child>>,
) {
    if members.len() < MIN_SHARED || thread_share.is_alone() {
        let mut list = children.pop().unwrap_or_default();
        list.clear();
        generator.children(members, first, limit, buffers, &mut list);
        *children = vec![list];
        return;
    }
    let chunks: Vec<&[BeamPosition<M>]> = members.chunks(CHUNK).collect();
    let lists = process_in_order(thread_share, chunks.len(), [], buffers, ThreadBuffers::default, |ticket, buffers| {
        let mut list = Vec::with_capacity(3 * CHUNK);
        let first = first + ticket.number * CHUNK;
        generator.children(chunks[ticket.number], first, limit, buffers, &mut list);
        list
    });
    *children = lists.into_iter().flatten().collect();
}
