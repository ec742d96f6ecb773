//! The children of some members and their values.
//!
//! Members are looked at one by one only to list their moves. Moves of the same tile along the same edge read the same row of the
//! tables, so they are taken together, wherever their members stand in the layer: the row and the tables of the tile's triples stay in
//! the cache, and the row is summed for up to 64 of them at once. The list has the children in the order of their parents
//! all the same.

use super::position::{Keys, Position};
use crate::board::{Cell, Move};
use crate::heuristic::evaluation::{LANES, RowSums, Tables, UNIT};

/// A child after what its rows say may be this much above the cut and still get below it by its triples.
const TRIPLES_MAY_BRING: i32 = UNIT;
static MAY: std::sync::LazyLock<i32> = std::sync::LazyLock::new(|| std::env::var("MAY").map_or(UNIT, |x| x.parse().unwrap()));
const EDGE: u8 = 255;

/// A child that was evaluated.
pub(super) struct Child {
    pub(super) key: u64,
    pub(super) value: i32,
    pub(super) parent: u32,
    pub(super) step: u8,
}

/// What the children of a shape are made of.
pub(super) struct Parents<'a> {
    pub(super) tables: &'a Tables,
    pub(super) keys: Keys,
    sums: RowSums,
    /// By cell and move: where the blank arrives; 255 at the edge.
    neighbours: Vec<[u8; 4]>,
}

/// A move of a member.
#[derive(Clone, Copy)]
struct Step {
    /// Along which row.
    row: u16,
    /// The member's number.
    member: u16,
    step: u8,
    tile: u8,
    /// Where the tile comes from.
    from: u8,
}

/// Memory for the moves of some members.
#[derive(Default)]
pub(super) struct Scratch {
    steps: Vec<Step>,
    /// By move: its child's value, or [`i32::MAX`] where it is above the limit.
    values: Vec<i32>,
    /// By row: where its moves end in `sorted`; while they are sorted, where the next one goes.
    ends: Vec<u32>,
    /// The moves by row.
    sorted: Vec<u32>,
}

impl<'a> Parents<'a> {
    pub(super) fn new(tables: &'a Tables, sums: RowSums) -> Parents<'a> {
        let shape = tables.shape();
        let arrives =
            |cell: usize, step: Move| shape.neighbour(Cell::new(cell), step).map_or(EDGE, |to| to.index() as u8);
        let neighbours = (0..shape.cells()).map(|cell| Move::ALL.map(|step| arrives(cell, step))).collect();
        Parents { tables, keys: Keys::new(tables), sums, neighbours }
    }

    /// Where the blank arrives by a move that can be made.
    #[inline(always)]
    pub(super) fn arrival(&self, blank: u8, step: u8) -> usize {
        usize::from(self.neighbours[usize::from(blank)][usize::from(step)])
    }

    /// Lists the children whose values are not above the limit; the first member has the number `first`.
    pub(super) fn children<const M: usize>(
        &self,
        members: &[Position<M>],
        first: usize,
        limit: i32,
        scratch: &mut Scratch,
        list: &mut Vec<Child>,
    ) {
        self.list_steps(members, scratch);
        let Scratch { steps, values, ends, sorted } = scratch;
        values.clear();
        values.resize(steps.len(), i32::MAX);
        let mut begin = 0;
        for (row, &end) in ends.iter().enumerate() {
            for group in sorted[begin..end as usize].chunks(LANES) {
                self.evaluate(members, steps, row, group, limit, values);
            }
            begin = end as usize;
        }
        for (step, &value) in steps.iter().zip(values.iter()) {
            if value <= limit {
                let member = &members[usize::from(step.member)];
                let (tile, from) = (usize::from(step.tile), usize::from(step.from));
                let key = member.key ^ self.keys.change(tile, from, usize::from(member.blank));
                list.push(Child { key, value, parent: first as u32 + u32::from(step.member), step: step.step });
            }
        }
    }

    /// Lists the moves of the members, but for those that undo the last one, and sorts them by row.
    fn list_steps<const M: usize>(&self, members: &[Position<M>], scratch: &mut Scratch) {
        let Scratch { steps, ends, sorted, .. } = scratch;
        ends.clear();
        ends.resize(self.tables.rows(), 0);
        steps.clear();
        for (member, position) in members.iter().enumerate() {
            for step in Move::ALL {
                let from = self.neighbours[usize::from(position.blank)][step.index()];
                if from == EDGE || step.index() as u8 + position.last == 3 {
                    continue;
                }
                let tile = position.homes[usize::from(from)];
                let row = self.tables.row(usize::from(tile), usize::from(position.blank), step);
                ends[row] += 1;
                steps.push(Step { row: row as u16, member: member as u16, step: step.index() as u8, tile, from });
            }
        }
        let mut begin = 0;
        for end in ends.iter_mut() {
            begin += std::mem::replace(end, begin);
        }
        sorted.clear();
        sorted.resize(steps.len(), 0);
        for (number, step) in steps.iter().enumerate() {
            let next = &mut ends[usize::from(step.row)];
            sorted[*next as usize] = number as u32;
            *next += 1;
        }
    }

    /// The values of some moves along one row.
    fn evaluate<const M: usize>(
        &self,
        members: &[Position<M>],
        steps: &[Step],
        row: usize,
        group: &[u32],
        limit: i32,
        values: &mut [i32],
    ) {
        let mut at = [[0; M]; LANES];
        for (at, &step) in at.iter_mut().zip(group) {
            *at = members[usize::from(steps[step as usize].member)].at;
        }
        let at = &at[..group.len()];
        let mut differences = [0; LANES];
        self.tables.row_differences(self.sums, row, at, &mut differences);
        for ((&number, at), difference) in group.iter().zip(at).zip(differences) {
            let step = &steps[number as usize];
            let member = &members[usize::from(step.member)];
            // Rows are of tiles that go right or down; where the blank goes so, the tile goes back.
            let back = matches!(Move::from_index(step.step), Move::Right | Move::Down);
            let value = member.value + if back { -i32::from(difference) } else { i32::from(difference) };
            if value - limit <= *MAY {
                let (tile, from, to) = (usize::from(step.tile), usize::from(step.from), usize::from(member.blank));
                values[number as usize] = value + self.tables.triple_difference(at, tile, from, to);
            }
        }
    }
}
