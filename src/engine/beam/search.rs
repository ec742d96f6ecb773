//! The search, layer by layer.

use super::children::{Child, ChildGenerator, Scratch};
use super::cut::Cut;
use super::history::{History, member};
use super::position::Position;
use super::record::Record;
use super::seen::SeenKeys;
use crate::board::{Board, Move, Path};
use crate::engine::ThreadShare;
use crate::engine::ordered_chunks::process_in_order;
use crate::heuristic::evaluation::{SumMethod, Tables, UNIT};
use crate::system::{Budget, Limit};

/// The input of a beam search.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The board as given.
    pub board: &'a Board,
    /// The goal as given. Its blank must be in the tables' goal cell.
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
    /// No path: the values stopped falling, no position was left, or the maximum length was
    /// reached. The path given leads to the position with the smallest value, from which another
    /// method may continue.
    Stuck(Path),
    /// A limit ended the search.
    Limit(Limit),
}

/// The number of members whose children are evaluated before duplicates and the cut-off are
/// handled.
const BLOCK: usize = 1 << 13;
/// The number of members in a thread's chunk of a block.
const CHUNK: usize = 1 << 11;
/// The minimum number of members in a block for which other threads may help.
const SHARED: usize = 4 * CHUNK;

/// The maximum rise of the cut-off value from one layer to the next.
const MAX_CUT_RISE: i32 = UNIT / 6;
/// The number of noise values, a power of two. For ranking, noise from the position's key is added
/// to its value.
const NOISE: u64 = 16;

struct Candidate {
    key: u64,
    value: i32,
    rank: u32,
    parent: u32,
    step: u8,
}

struct Search<'a, const M: usize> {
    generator: ChildGenerator<'a>,
}

pub(super) fn run<const M: usize>(
    tables: &Tables,
    sums: SumMethod,
    request: &Request<'_>,
    generated: &mut u64,
    record: Option<&mut Record>,
) -> Found {
    let generator = ChildGenerator::new(tables, sums);
    let start = Position::of(request.board, request.goal, tables, &generator.keys);
    let goal = Position::<M>::of(request.goal, request.goal, tables, &generator.keys);
    if start.homes == goal.homes {
        return Found::Path(Path::new());
    }
    Search::<M> { generator }.layers(start, &goal, request, generated, record)
}

impl<const M: usize> Search<'_, M> {
    fn layers(
        &self,
        start: Position<M>,
        goal: &Position<M>,
        request: &Request<'_>,
        generated: &mut u64,
        mut record: Option<&mut Record>,
    ) -> Found {
        let width = request.width.max(1);
        let (mut seen, mut cut) = (SeenKeys::new(width), Cut::new(width));
        let mut history = History::default();
        seen.insert(start.key);
        let mut least = start.value;
        let mut greatest = None;
        let mut layer = vec![start];
        if let Some(record) = record.as_deref_mut() {
            record.push(&layer, &[]);
        }
        let mut next: Vec<Position<M>> = Vec::new();
        let mut candidates: Vec<Candidate> = Vec::new();
        let (mut scratch, mut children) = (Scratch::default(), Vec::new());
        // The smallest value so far, its layer, and the path to its position.
        let mut nearest = (start.value, 0, Path::new());
        // A beam without progress for this many layers usually cycles.
        let patience = 16 + 4 * (self.generator.tables.shape().rows() + self.generator.tables.shape().cols());
        while history.len() < request.max_moves && history.len() - nearest.1 < patience {
            seen.begin_layer();
            // The largest observed change of a value by one move is less than 40 `UNIT`s.
            cut.begin_layer(least - 40 * UNIT, greatest.map(|value: i32| value + MAX_CUT_RISE));
            candidates.clear();
            for first in (0..layer.len()).step_by(BLOCK) {
                if let Some(limit) = request.budget.interrupted() {
                    return Found::Limit(limit);
                }
                let members = &layer[first..layer.len().min(first + BLOCK)];
                self.evaluate(members, first, cut.limit_value(), request, &mut scratch, &mut children);
                for (child, later) in in_order(&children) {
                    if let Some(later) = later {
                        seen.prefetch(later.key);
                    }
                    if *generated >= request.budget.nodes() {
                        return Found::Limit(Limit::Nodes);
                    }
                    *generated += 1;
                    let parent = &layer[child.parent as usize];
                    if child.key == goal.key && self.leads_to(parent, child.step, goal) {
                        return Found::Path(history.path(child.parent as usize, Move::from_index(child.step)));
                    }
                    let rank = cut.rank(child.value + (child.key >> 50 & (NOISE - 1)) as i32);
                    if cut.admits(rank) && seen.insert(child.key) {
                        cut.take(rank);
                        let Child { key, value, parent, step } = *child;
                        candidates.push(Candidate { key, value, rank: rank as u32, parent, step });
                    }
                }
            }
            let Some(smallest) = candidates.iter().min_by_key(|candidate| candidate.value) else { break };
            if smallest.value < nearest.0 {
                let path = history.path(smallest.parent as usize, Move::from_index(smallest.step));
                nearest = (smallest.value, history.len() + 1, path);
            }
            greatest = cut.greatest_kept();
            least = cut.least();
            let members = self.select(&layer, &candidates, &cut, &mut next);
            if let Some(record) = record.as_deref_mut() {
                record.push(&next, &members);
            }
            history.push(members);
            std::mem::swap(&mut layer, &mut next);
        }
        Found::Stuck(nearest.2)
    }

    fn leads_to(&self, parent: &Position<M>, step: u8, goal: &Position<M>) -> bool {
        let mut position = *parent;
        position.slide(self.generator.arrival(parent.blank, step), self.generator.tables.goal_blank());
        position.homes == goal.homes
    }

    /// Evaluates the children of some members. `first` is the index of the first member in its
    /// layer.
    fn evaluate(
        &self,
        members: &[Position<M>],
        first: usize,
        limit: i32,
        request: &Request<'_>,
        scratch: &mut Scratch<M>,
        children: &mut Vec<Vec<Child>>,
    ) {
        if members.len() < SHARED || request.thread_share.is_alone() {
            let mut list = children.pop().unwrap_or_default();
            list.clear();
            self.generator.children(members, first, limit, scratch, &mut list);
            *children = vec![list];
            return;
        }
        let chunks: Vec<&[Position<M>]> = members.chunks(CHUNK).collect();
        let lists =
            process_in_order(request.thread_share, chunks.len(), [], scratch, Scratch::default, |ticket, scratch| {
                let mut list = Vec::with_capacity(3 * CHUNK);
                let first = first + ticket.number * CHUNK;
                self.generator.children(chunks[ticket.number], first, limit, scratch, &mut list);
                list
            });
        *children = lists.into_iter().flatten().collect();
    }

    /// Builds the next layer. Returns its members, packed by [`member`].
    fn select(
        &self,
        layer: &[Position<M>],
        candidates: &[Candidate],
        cut: &Cut,
        next: &mut Vec<Position<M>>,
    ) -> Vec<u32> {
        let mut selection = cut.selection();
        let mut members = Vec::new();
        next.clear();
        for candidate in candidates {
            if !selection.keeps(candidate.rank as usize) {
                continue;
            }
            let mut position = layer[candidate.parent as usize];
            position.slide(self.generator.arrival(position.blank, candidate.step), self.generator.tables.goal_blank());
            (position.key, position.value, position.last) = (candidate.key, candidate.value, candidate.step);
            next.push(position);
            members.push(member(candidate.parent, candidate.step));
        }
        members.shrink_to_fit();
        members
    }
}

/// Iterates over the children of a block in the order of their parents, each with a later child to
/// prefetch.
fn in_order(lists: &[Vec<Child>]) -> impl Iterator<Item = (&Child, Option<&Child>)> {
    const AHEAD: usize = 12;
    lists.iter().flat_map(|list| list.iter().enumerate().map(|(i, child)| (child, list.get(i + AHEAD))))
}
