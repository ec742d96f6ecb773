//! Positions of a beam, and the generation and evaluation of the children of some members of a
//! layer.
//!
//! Moves of the same tile between the same two cells read the same row of the tables. So moves are
//! first listed member by member, then evaluated row by row. While a row is in use, it and the
//! tables of the tile's triples ([`crate::heuristic::evaluation`]) stay in the cache, and the row
//! is summed for up to 64 moves at once. The resulting list still has the children in the order of
//! their parents.

use std::ops::Range;

use super::candidates::Keys;
use crate::board::{Board, Cell, Move};
use crate::heuristic::evaluation::{Group, LANES, Tables, fastest_instruction_set};
use crate::system::InstructionSet;

const OFF_BOARD: u8 = 255;

/// A position, with space for `M` cells: the cell of every tile, and the content of every cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeamPosition<const M: usize> {
    /// The exclusive or of the tiles' numbers in [`Keys`].
    pub(super) key: u64,
    pub(super) value: i32,
    pub(super) blank: u8,
    /// The last move; 4 at the start.
    pub(super) last: u8,
    /// By home: the cell of its tile, or of the blank.
    pub(super) cell_of: [u8; M],
    /// By cell: the home of its tile, or of the blank.
    pub(super) homes: [u8; M],
}

impl<const M: usize> BeamPosition<M> {
    /// Converts a board. Tiles are renamed by their homes (goal cells), and the position is
    /// evaluated.
    pub(super) fn of(board: &Board, goal: &Board, tables: &Tables, keys: &Keys) -> BeamPosition<M> {
        let cells = tables.shape().cells();
        let home_of = goal.cells_by_label();
        let blank = board.blank().index() as u8;
        let mut position = BeamPosition { key: 0, value: 0, blank, last: 4, cell_of: [0; M], homes: [0; M] };
        for (cell, tile) in board.tiles().iter().enumerate() {
            let home = home_of[tile.label()].index();
            position.homes[cell] = home as u8;
            position.cell_of[home] = cell as u8;
            if Cell::new(cell) != board.blank() {
                position.key ^= keys.number(home, cell);
            }
        }
        position.value = tables.value(&position.homes[..cells]);
        position
    }
}

/// A child of a member of the layer.
pub(super) struct Child {
    pub(super) key: u64,
    pub(super) value: i32,
    pub(super) parent: u32,
    pub(super) step: u8,
}

/// The generator of children, for one shape.
pub(super) struct ChildGenerator<'a> {
    pub(super) tables: &'a Tables,
    pub(super) keys: Keys,
    instruction_set: InstructionSet,
    /// By cell and move: the blank's new cell, or [`OFF_BOARD`].
    neighbours: Vec<[u8; 4]>,
}

/// A move to evaluate.
#[derive(Clone, Copy)]
struct ListedMove {
    /// The row of the tables that the move reads.
    row: u16,
    /// The index of the member whose move it is.
    member: u16,
    step: u8,
    tile: u8,
    /// The tile's cell before the move.
    from: u8,
}

/// The buffers of one thread.
#[derive(Default)]
pub(super) struct ThreadBuffers {
    steps: Vec<ListedMove>,
    values: Vec<i32>,
    /// By row: the end of its moves in `sorted`; during sorting, the index at which its next move
    /// is stored.
    ends: Vec<u32>,
    /// Indices into `steps`, sorted by row.
    sorted: Vec<u32>,
    /// Groups of moves that are evaluated together: a row, and a range of `sorted`.
    parts: Vec<(u32, Range<usize>)>,
    group: Box<Group>,
}

impl<'a> ChildGenerator<'a> {
    pub(super) fn new(tables: &'a Tables) -> ChildGenerator<'a> {
        let shape = tables.shape();
        let arrives =
            |cell: usize, step: Move| shape.neighbour(Cell::new(cell), step).map_or(OFF_BOARD, |to| to.index() as u8);
        let neighbours = (0..shape.cells()).map(|cell| Move::ALL.map(|step| arrives(cell, step))).collect();
        ChildGenerator {
            tables,
            keys: Keys::new(shape.cells()),
            instruction_set: fastest_instruction_set(),
            neighbours,
        }
    }

    /// Returns the position after a legal move. Its key, value and last move are still those of the
    /// position before the move.
    #[inline(always)]
    pub(super) fn slid<const M: usize>(&self, before: &BeamPosition<M>, step: u8) -> BeamPosition<M> {
        let (to, from) = (before.blank, self.neighbours[usize::from(before.blank)][usize::from(step)]);
        let (tile, goal_blank) = (before.homes[usize::from(from)], self.tables.goal_blank());
        let mut position = *before;
        position.homes[usize::from(to)] = tile;
        position.homes[usize::from(from)] = goal_blank as u8;
        position.cell_of[usize::from(tile)] = to;
        position.cell_of[goal_blank] = from;
        position.blank = from;
        position
    }

    /// Lists the children whose values are at most `limit`. `first` is the index of `members[0]` in
    /// its layer.
    pub(super) fn children<const M: usize>(
        &self,
        members: &[BeamPosition<M>],
        first: usize,
        limit: i32,
        buffers: &mut ThreadBuffers,
        list: &mut Vec<Child>,
    ) {
        self.list_steps(members, buffers);
        let ThreadBuffers { steps, values, ends, sorted, parts, group } = buffers;
        values.clear();
        values.resize(steps.len(), 0);
        parts.clear();
        let mut begin = 0;
        for (row, &end) in ends.iter().enumerate() {
            while begin < end as usize {
                let next = (begin + LANES).min(end as usize);
                parts.push((row as u32, begin..next));
                begin = next;
            }
        }
        for (i, (row, part)) in parts.iter().enumerate() {
            if let Some((next, _)) = parts.get(i + 1).filter(|(next, _)| next != row) {
                self.tables.prefetch_row(*next as usize);
            }
            self.evaluate(members, steps, *row as usize, &sorted[part.clone()], group, values);
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

    /// Lists the moves of the members, without the inverse of each member's last move, and sorts
    /// the moves by row.
    fn list_steps<const M: usize>(&self, members: &[BeamPosition<M>], buffers: &mut ThreadBuffers) {
        let ThreadBuffers { steps, ends, sorted, .. } = buffers;
        ends.clear();
        ends.resize(self.tables.rows(), 0);
        steps.clear();
        for (member, position) in members.iter().enumerate() {
            for step in Move::ALL {
                let from = self.neighbours[usize::from(position.blank)][step.index()];
                if from == OFF_BOARD || step.index() as u8 + position.last == 3 {
                    continue;
                }
                let tile = position.homes[usize::from(from)];
                let row = self.tables.row(usize::from(tile), usize::from(position.blank), step);
                ends[row] += 1;
                steps.push(ListedMove { row: row as u16, member: member as u16, step: step.index() as u8, tile, from });
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

    /// Evaluates the moves with these indices, all of them of one row.
    fn evaluate<const M: usize>(
        &self,
        members: &[BeamPosition<M>],
        steps: &[ListedMove],
        row: usize,
        numbers: &[u32],
        group: &mut Group,
        values: &mut [i32],
    ) {
        for (cell_of, &number) in group.by_position.iter_mut().zip(numbers) {
            cell_of[..M].copy_from_slice(&members[usize::from(steps[number as usize].member)].cell_of);
        }
        self.tables.differences(self.instruction_set, row, group, numbers.len());
        for (&number, difference) in numbers.iter().zip(group.sums) {
            let step = &steps[number as usize];
            // Rows describe tiles that move right or down. If the blank moves right or down, the
            // tile moves left or up, and the sign changes.
            let is_reversed = matches!(Move::from_index(step.step), Move::Right | Move::Down);
            let difference = if is_reversed { -i32::from(difference) } else { i32::from(difference) };
            values[number as usize] = members[usize::from(step.member)].value + difference;
        }
    }
}
