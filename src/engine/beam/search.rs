//! The search, layer by layer.

use super::cut::Cut;
use super::history::{History, member};
use super::position::{Keys, Position};
use super::record::Record;
use super::request::{Found, Request};
use super::seen::Seen;
use crate::board::{Cell, Move, Path};
use crate::engine::ordered_chunks::process_in_order;
use crate::heuristic::evaluation::{Tables, UNIT};
use crate::system::Limit;

/// Members whose children are evaluated before duplicates and the cut are looked at, and how many a thread takes at a time.
const BLOCK: usize = 1 << 14;
const CHUNK: usize = 1 << 9;
/// Fewer members than this are not worth a second thread.
const SHARED: usize = 4 * CHUNK;

/// A child after what its rows say may be this much above the cut and still get below it by its triples.
const TRIPLES_MAY_BRING: i32 = UNIT;
/// The cut of a layer may be this much above that of the layer before it.
const CUT_MAY_RISE: i32 = UNIT / 6;
/// Equal values are ordered by chance, among values that differ by less than this (a power of two).
const CHANCE: u64 = 16;

/// A child that was evaluated.
struct Child {
    key: u64,
    value: i32,
    parent: u32,
    step: u8,
}

/// A child that may become a member.
struct Candidate {
    key: u64,
    value: i32,
    rank: u32,
    parent: u32,
    step: u8,
}

struct Search<'a, const M: usize> {
    tables: &'a Tables,
    keys: Keys,
    cells: usize,
    /// By cell and move: where the blank arrives; 255 at the edge.
    neighbours: Vec<[u8; 4]>,
}

const EDGE: u8 = 255;

/// Searches for a path.
pub(super) fn run<const M: usize>(
    tables: &Tables,
    request: &Request<'_>,
    generated: &mut u64,
    record: Option<&mut Record>,
) -> Found {
    let shape = tables.shape();
    let keys = Keys::new(tables);
    let arrives = |cell: usize, step: Move| shape.neighbour(Cell::new(cell), step).map_or(EDGE, |to| to.index() as u8);
    let neighbours = (0..shape.cells()).map(|cell| Move::ALL.map(|step| arrives(cell, step))).collect();
    let search = Search::<M> { tables, keys, cells: shape.cells(), neighbours };
    let start = Position::of(request.board, request.goal, tables, &search.keys);
    let goal = Position::<M>::of(request.goal, request.goal, tables, &search.keys);
    if start.homes == goal.homes {
        return Found::Path(Path::new());
    }
    search.layers(start, &goal, request, generated, record)
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
        let (mut seen, mut cut) = (Seen::new(width), Cut::new(width));
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
        let mut children = Vec::new();
        // The position with the smallest value, and when it was found.
        let mut nearest = (start.value, 0, Path::new());
        // A beam that has not come nearer for so long goes around in circles, as a rule at a far end of the board.
        let patience = 16 + 4 * (self.tables.shape().rows() + self.tables.shape().cols());
        while history.len() < request.most_moves && history.len() - nearest.1 < patience {
            seen.begin_layer();
            // No move changes a value by more than the sum of some rows and triples; 40 moves are more than was ever seen.
            cut.begin_layer(least - 40 * UNIT, greatest.map(|value: i32| value + CUT_MAY_RISE));
            candidates.clear();
            for first in (0..layer.len()).step_by(BLOCK) {
                if let Some(limit) = request.budget.interrupted() {
                    return Found::Limit(limit);
                }
                let members = &layer[first..layer.len().min(first + BLOCK)];
                self.evaluate(members, first, cut.limit_value(), request, &mut children);
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
                    let rank = cut.rank(child.value + (child.key >> 50 & (CHANCE - 1)) as i32);
                    if cut.admits(rank) && seen.insert(child.key) {
                        cut.take(rank);
                        let Child { key, value, parent, step } = *child;
                        candidates.push(Candidate { key, value, rank: rank as u32, parent, step });
                    }
                }
            }
            let Some(first) = candidates.iter().min_by_key(|candidate| candidate.value) else { break };
            if first.value < nearest.0 {
                let path = history.path(first.parent as usize, Move::from_index(first.step));
                nearest = (first.value, history.len() + 1, path);
            }
            greatest = cut.greatest();
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

    /// Whether this move of a member is the goal.
    fn leads_to(&self, parent: &Position<M>, step: u8, goal: &Position<M>) -> bool {
        let mut position = *parent;
        let from = self.neighbours[usize::from(parent.blank)][usize::from(step)];
        position.slide(usize::from(from), self.cells, self.tables.goal_blank());
        position.homes == goal.homes
    }

    /// The children of some members, the first of which has the number `first`.
    fn evaluate(
        &self,
        members: &[Position<M>],
        first: usize,
        limit: i32,
        request: &Request<'_>,
        children: &mut Vec<Vec<Child>>,
    ) {
        if members.len() < SHARED || request.thread_share.is_alone() {
            let mut list = children.pop().unwrap_or_default();
            list.clear();
            self.children_of(members, first, limit, &mut list);
            *children = vec![list];
            return;
        }
        let chunks: Vec<&[Position<M>]> = members.chunks(CHUNK).collect();
        let lists = process_in_order(
            request.thread_share,
            chunks.len(),
            &mut (),
            || (),
            |ticket, ()| {
                let mut list = Vec::with_capacity(3 * CHUNK);
                self.children_of(chunks[ticket.number], first + ticket.number * CHUNK, limit, &mut list);
                list
            },
        );
        *children = lists.into_iter().flatten().collect();
    }

    fn children_of(&self, members: &[Position<M>], first: usize, limit: i32, list: &mut Vec<Child>) {
        let tables = self.tables;
        for (i, member) in members.iter().enumerate() {
            let blank = usize::from(member.blank);
            for step in Move::ALL {
                let from = self.neighbours[blank][step.index()];
                if from == EDGE || step.index() as u8 + member.last == 3 {
                    continue;
                }
                let from = usize::from(from);
                let tile = usize::from(member.homes[from]);
                let mut value = member.value + tables.row_difference(&member.offsets, tile, blank, step);
                if value > limit + TRIPLES_MAY_BRING {
                    continue;
                }
                value += tables.triple_difference(&member.offsets, tile, from, blank);
                let key = member.key ^ self.keys.change(tile, from, blank);
                list.push(Child { key, value, parent: (first + i) as u32, step: step.index() as u8 });
            }
        }
    }

    /// The next layer, and its history.
    fn select(
        &self,
        layer: &[Position<M>],
        candidates: &[Candidate],
        cut: &Cut,
        next: &mut Vec<Position<M>>,
    ) -> Vec<u32> {
        let (limit, mut equal) = cut.kept();
        let mut members = Vec::new();
        next.clear();
        for candidate in candidates {
            let rank = candidate.rank as usize;
            if rank > limit || rank == limit && equal == 0 {
                continue;
            }
            equal -= usize::from(rank == limit);
            let mut position = layer[candidate.parent as usize];
            let from = self.neighbours[usize::from(position.blank)][usize::from(candidate.step)];
            position.slide(usize::from(from), self.cells, self.tables.goal_blank());
            (position.key, position.value, position.last) = (candidate.key, candidate.value, candidate.step);
            next.push(position);
            members.push(member(candidate.parent, candidate.step));
        }
        members.shrink_to_fit();
        members
    }
}

/// The children of a block in the order of their parents, each with one that comes some time later.
fn in_order(lists: &[Vec<Child>]) -> impl Iterator<Item = (&Child, Option<&Child>)> {
    const AHEAD: usize = 12;
    lists.iter().flat_map(|list| list.iter().enumerate().map(|(i, child)| (child, list.get(i + AHEAD))))
}
