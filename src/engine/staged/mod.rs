//! Staged beam search, for large and for long boards. It finishes one row or column after another,
//! in groups of one to three tiles.
//!
//! For each group a table contains the number of moves that bring its tiles home from any placement
//! of these tiles and the blank, with all other tiles indistinguishable (`stages.rs`). A beam ranks
//! positions by that number plus most of the Manhattan distance of the tiles of later groups, so
//! solving a group takes the remaining tiles into account. Positions in which the group is home
//! continue with the next group. The last block, of at most 36 cells, is left to another search.
//! The tables are built once for a goal and used for all boards.
//!
//! Positions finish a group after different numbers of moves. In the next group, each joins the
//! layer of its number of moves, so all members of a layer have the same number of moves.

mod stages;
#[cfg(test)]
mod tests;

use self::stages::{NOWHERE, Stage, UNREACHED};
use crate::board::{Cell, Move, Path, Shape};
use crate::engine::beam::{Candidates, Keys, Request};
use crate::engine::constructive::{PartialSolution, cell_of, place_of};
use crate::system::Limit;

pub use self::stages::Stages;

/// The weight of a move that the group needs, in sixteenths.
const GROUP_WEIGHT: i32 = 16;
/// The weight of the later tiles' Manhattan distance, in sixteenths per move.
const REST_WEIGHT: i32 = 15;
/// The number of layers searched after the first position has finished a group. Up to four times as
/// many are searched while fewer positions than the beam's width have finished the group.
const SLACK: u32 = 8;
/// The maximum number of positions kept that have finished a group, as a multiple of the beam's
/// width.
const FINISHED_PER_WIDTH: usize = 4;

/// Returns the maximum memory of a beam of this width in bytes, without the tables: six boards per
/// unit of width, and the history of a long path on this shape.
pub fn bytes(shape: Shape, width: usize) -> u64 {
    let cells = shape.cells() as u64;
    let moves = cells * (shape.rows() + shape.cols()) as u64;
    width as u64 * (6 * (2 * cells + 48) + 3 * 32 + 128 + 4 * moves) + 8 * cells * cells + (1 << 20)
}

/// A member of a layer, without the board.
#[derive(Clone, Copy)]
struct Member {
    key: u64,
    /// The position's index in [`StagedSearch::nodes`].
    node: u32,
    moves: u32,
    /// The Manhattan distance of the tiles of later groups.
    rest: i32,
    /// The cells of the group's tiles.
    at: [u16; 3],
    blank: u16,
    /// The number of moves that the group needs.
    group_moves: u16,
    /// The last move; 4 at the start.
    last: u8,
}

/// Members and their boards.
struct Pool {
    /// The number of cells of a board.
    cells: usize,
    members: Vec<Member>,
    /// By member and cell: the home of the tile in the cell.
    homes: Vec<u16>,
}

/// The Manhattan distance of the tiles of later groups, and the number of moves that the group
/// needs.
type Values = (i32, u16);

/// The search for one board.
struct StagedSearch<'a> {
    stages: &'a Stages,
    request: &'a Request<'a>,
    keys: Keys,
    /// By cell and move: the blank's cell after the move, or [`NOWHERE`].
    neighbours: Vec<[u16; 4]>,
    /// By a tile's home cell: true unless the tile belongs to the current group or an earlier one,
    /// or is the blank.
    is_later: Vec<bool>,
    /// The parent and the last move of every position that was kept.
    nodes: Vec<u32>,
    candidates: Candidates<Values>,
}

/// Brings all groups home, so that only the last block remains. Returns up to `wanted` beginnings
/// of paths, the most promising first, or none if the beam did not bring all groups home. Uses one
/// thread.
///
/// The request's maximum number of moves also ends a narrow beam that repeats a cycle of more
/// layers than the beam remembers.
///
/// # Errors
/// Returns the first limit that was reached.
pub fn search(
    stages: &Stages,
    request: &Request<'_>,
    wanted: usize,
    generated: &mut u64,
) -> Result<Vec<PartialSolution>, Limit> {
    let mut search = StagedSearch::new(stages, request);
    let mut pool = search.start();
    for stage in &stages.stages {
        pool = search.stage(stage, pool, generated)?;
    }
    Ok(search.reached(&pool, wanted))
}

impl Pool {
    fn new(cells: usize) -> Pool {
        Pool { cells, members: Vec::new(), homes: Vec::new() }
    }

    fn push(&mut self, member: Member, homes: &[u16]) {
        self.members.push(member);
        self.homes.extend_from_slice(homes);
    }

    fn homes(&self, number: usize) -> &[u16] {
        &self.homes[number * self.cells..][..self.cells]
    }

    fn clear(&mut self) {
        self.members.clear();
        self.homes.clear();
    }

    /// Sorts members, given by their indices, by a value; those of equal value keep their order.
    fn sort(&self, numbers: &mut [usize], value: &dyn Fn(&Member) -> i32) {
        numbers.sort_by_key(|&i| value(&self.members[i]));
    }
}

impl<'a> StagedSearch<'a> {
    fn new(stages: &'a Stages, request: &'a Request<'a>) -> StagedSearch<'a> {
        let shape = stages.shape;
        let cells = shape.cells();
        let arrives =
            |cell: usize, step: Move| shape.neighbour(Cell::new(cell), step).map_or(NOWHERE, |to| to.index() as u16);
        let mut is_later = vec![true; cells];
        is_later[stages.goal_blank.index()] = false;
        StagedSearch {
            stages,
            request,
            keys: Keys::new(cells),
            neighbours: (0..cells).map(|cell| Move::ALL.map(|step| arrives(cell, step))).collect(),
            is_later,
            nodes: vec![0],
            candidates: Candidates::new(request.width),
        }
    }

    /// Returns a pool whose only member is the given board.
    fn start(&self) -> Pool {
        let Request { board, goal, .. } = self.request;
        let home_of = goal.cells_by_label();
        let homes: Vec<u16> = board.tiles().iter().map(|tile| home_of[tile.label()].index() as u16).collect();
        let blank = board.blank().index();
        let tiles = homes.iter().enumerate().filter(|&(cell, _)| cell != blank);
        let key = tiles.fold(0, |key, (cell, &home)| key ^ self.keys.number(usize::from(home), cell));
        let (at, blank) = ([0; 3], blank as u16);
        let member = Member { key, node: 0, moves: 0, rest: 0, at, blank, group_moves: 0, last: 4 };
        Pool { cells: homes.len(), members: vec![member], homes }
    }

    fn distance(&self, tile: usize, cell: usize) -> i32 {
        self.stages.shape.distance(Cell::new(tile), Cell::new(cell)) as i32
    }

    /// Returns the cost of a member within its layer; smaller is better.
    fn cost(member: &Member) -> i32 {
        GROUP_WEIGHT * i32::from(member.group_moves) + REST_WEIGHT * member.rest
    }

    /// Returns the indices of the best members, at most `max`, sorted by their moves.
    fn best(pool: &Pool, max: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..pool.members.len()).collect();
        if numbers.len() > max {
            pool.sort(&mut numbers, &|member| GROUP_WEIGHT * member.moves as i32 + StagedSearch::cost(member));
            numbers.truncate(max);
        }
        pool.sort(&mut numbers, &|member| member.moves as i32);
        numbers
    }

    /// Searches one stage. Returns the positions in which this group is also home.
    fn stage(&mut self, stage: &Stage, mut from: Pool, generated: &mut u64) -> Result<Pool, Limit> {
        stage.tiles.iter().for_each(|&tile| self.is_later[usize::from(tile)] = false);
        for i in 0..from.members.len() {
            self.enter(stage, &mut from, i);
        }
        let entrants = StagedSearch::best(&from, self.request.width * FINISHED_PER_WIDTH);
        let mut entrants = entrants.into_iter().peekable();
        let new_pool = || Pool::new(self.stages.shape.cells());
        let (mut layer, mut next, mut finished) = (new_pool(), new_pool(), new_pool());
        self.candidates.forget_keys();
        let Some(&first) = entrants.peek() else { return Ok(finished) };
        let mut moves = from.members[first].moves;
        loop {
            while let Some(i) = entrants.next_if(|&i| from.members[i].moves == moves) {
                let member = from.members[i];
                if member.group_moves == 0 {
                    finished.push(member, from.homes(i));
                } else if member.group_moves != UNREACHED && self.candidates.insert_key(member.key) {
                    layer.push(member, from.homes(i));
                }
            }
            let over = finished.members.first().is_some_and(|first| {
                let slack = if finished.members.len() >= self.request.width { SLACK } else { 4 * SLACK };
                moves > first.moves + slack
            });
            if over || moves as usize >= self.request.max_moves || layer.members.is_empty() && entrants.peek().is_none()
            {
                break;
            }
            self.expand(stage, &layer, generated)?;
            self.select(stage, &layer, &mut next, &mut finished);
            moves += 1;
            std::mem::swap(&mut layer, &mut next);
        }
        Ok(finished)
    }

    /// Sets the fields of a member that depend on the group.
    fn enter(&self, stage: &Stage, pool: &mut Pool, number: usize) {
        let homes = &pool.homes[number * pool.cells..][..pool.cells];
        let member = &mut pool.members[number];
        member.rest = 0;
        for (cell, &home) in homes.iter().enumerate() {
            if let Some(i) = stage.tiles.iter().position(|&group_tile| group_tile == home) {
                member.at[i] = cell as u16;
            } else if self.is_later[usize::from(home)] {
                member.rest += self.distance(usize::from(home), cell);
            }
        }
        member.group_moves = stage.moves(&member.at[..stage.tiles.len()], usize::from(member.blank));
    }

    /// Offers the children of a layer as candidates for the next layer.
    fn expand(&mut self, stage: &Stage, layer: &Pool, generated: &mut u64) -> Result<(), Limit> {
        let min_cost = layer.members.iter().map(StagedSearch::cost).min().unwrap_or(0);
        self.candidates.begin_layer(min_cost - 6 * GROUP_WEIGHT, None);
        for (number, member) in layer.members.iter().enumerate() {
            if number.is_multiple_of(1 << 12)
                && let Some(limit) = self.request.budget.interrupted()
            {
                return Err(limit);
            }
            let blank = usize::from(member.blank);
            let homes = layer.homes(number);
            for step in 0..4u8 {
                let to = self.neighbours[blank][usize::from(step)];
                if step + member.last == 3 || to == NOWHERE || stage.free_number[usize::from(to)] == NOWHERE {
                    continue;
                }
                if *generated >= self.request.budget.nodes() {
                    return Err(Limit::Nodes);
                }
                *generated += 1;
                let to = usize::from(to);
                let tile = usize::from(homes[to]);
                let mut at = member.at;
                let mut rest = member.rest;
                match stage.tiles.iter().position(|&group_tile| usize::from(group_tile) == tile) {
                    Some(i) => at[i] = blank as u16,
                    None => rest += self.distance(tile, blank) - self.distance(tile, to),
                }
                let group_moves = stage.moves(&at[..stage.tiles.len()], to);
                if group_moves == UNREACHED {
                    continue;
                }
                let cost = GROUP_WEIGHT * i32::from(group_moves) + REST_WEIGHT * rest;
                let key = member.key ^ self.keys.change(tile, to, blank);
                self.candidates.offer(cost, key, (number as u32, step), (rest, group_moves));
            }
        }
        Ok(())
    }

    /// Selects the next layer. Positions in which the group is home go to `finished`.
    fn select(&mut self, stage: &Stage, layer: &Pool, next: &mut Pool, finished: &mut Pool) {
        next.clear();
        for candidate in self.candidates.kept() {
            let (mut member, homes) = (layer.members[candidate.parent()], layer.homes(candidate.parent()));
            let blank = usize::from(member.blank);
            let to = self.neighbours[blank][usize::from(candidate.step())];
            let tile = homes[usize::from(to)];
            if let Some(i) = stage.tiles.iter().position(|&group_tile| group_tile == tile) {
                member.at[i] = blank as u16;
            }
            self.nodes.push(member.node << 2 | u32::from(candidate.step()));
            (member.node, member.moves) = ((self.nodes.len() - 1) as u32, member.moves + 1);
            (member.rest, member.group_moves) = candidate.data;
            (member.key, member.blank, member.last) = (candidate.key, to, candidate.step());
            let pool = if member.group_moves == 0 { &mut *finished } else { &mut *next };
            pool.push(member, homes);
            let start = pool.homes.len() - pool.cells;
            pool.homes[start..].swap(blank, usize::from(to));
        }
    }

    /// Returns the path to a position, by its index in `nodes`.
    fn path(&self, mut node: u32) -> Path {
        let mut path = Path::new();
        while node > 0 {
            let entry = self.nodes[node as usize];
            path.push(Move::from_index((entry & 3) as u8));
            node = entry >> 2;
        }
        path.reverse();
        path
    }

    /// Returns the best positions in which the last group is home, at most `wanted`.
    fn reached(&self, pool: &Pool, wanted: usize) -> Vec<PartialSolution> {
        let (shape, block) = (self.stages.shape, &self.stages.block);
        let mut numbers: Vec<usize> = (0..pool.members.len()).collect();
        pool.sort(&mut numbers, &|member| GROUP_WEIGHT * member.moves as i32 + REST_WEIGHT * member.rest);
        let reached = numbers.iter().take(wanted).filter_map(|&i| {
            let homes = pool.homes(i);
            let home = |place| place_of(shape, Cell::new(usize::from(homes[cell_of(shape, place).index()])));
            PartialSolution::new(self.path(pool.members[i].node), block, block.places().map(home))
        });
        reached.collect()
    }
}
