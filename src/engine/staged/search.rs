//! The beam search, one group after another.
//!
//! Positions finish a group after different numbers of moves. In the next group, each joins the
//! layer of its number of moves, so all members of a layer have the same number of moves.

use super::stages::{NOWHERE, Stage, Stages, UNREACHED};
use crate::board::{Cell, Move, Path};
use crate::engine::beam::{Candidates, Keys, Request};
use crate::engine::constructive::{Beginning, cell_of, place_of};
use crate::system::Limit;

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

/// A member of a layer without its board.
#[derive(Clone, Copy)]
struct Member {
    key: u64,
    /// The position's index in [`Search::nodes`].
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

/// Members and their boards: by cell, the home of the tile in it.
#[derive(Default)]
struct Pool {
    members: Vec<Member>,
    homes: Vec<u16>,
}

/// The Manhattan distance of the tiles of later groups, and the number of moves that the group needs.
type Values = (i32, u16);

struct Search<'a> {
    stages: &'a Stages,
    request: &'a Request<'a>,
    cells: usize,
    keys: Keys,
    neighbours: Vec<[u16; 4]>,
    /// By tile: true unless the tile belongs to the current group or an earlier one.
    is_later: Vec<bool>,
    /// The parent and the last move of every position that was kept.
    nodes: Vec<u32>,
    candidates: Candidates<Values>,
}

/// Brings all groups home, so that only the last block remains. Returns up to `wanted` beginnings of
/// paths, the most promising first, or none if the beam did not reach any. No thread helps.
///
/// The request's maximum number of moves also ends a narrow beam that repeats a cycle of more layers
/// than the beam remembers.
///
/// # Errors
/// Returns the first limit that was reached.
pub fn search(
    stages: &Stages,
    request: &Request<'_>,
    wanted: usize,
    generated: &mut u64,
) -> Result<Vec<Beginning>, Limit> {
    let mut search = Search::new(stages, request);
    let mut pool = search.start();
    for stage in &stages.stages {
        pool = search.stage(stage, pool, generated)?;
    }
    Ok(search.reached(&pool, wanted))
}

impl Pool {
    fn push(&mut self, member: Member, homes: &[u16]) {
        self.members.push(member);
        self.homes.extend_from_slice(homes);
    }

    fn homes(&self, number: usize, cells: usize) -> &[u16] {
        &self.homes[number * cells..(number + 1) * cells]
    }

    fn clear(&mut self) {
        self.members.clear();
        self.homes.clear();
    }
}

impl<'a> Search<'a> {
    fn new(stages: &'a Stages, request: &'a Request<'a>) -> Search<'a> {
        let shape = stages.shape;
        let cells = shape.cells();
        let arrives =
            |cell: usize, step: Move| shape.neighbour(Cell::new(cell), step).map_or(NOWHERE, |to| to.index() as u16);
        Search {
            stages,
            request,
            cells,
            keys: Keys::new(cells),
            neighbours: (0..cells).map(|cell| Move::ALL.map(|step| arrives(cell, step))).collect(),
            is_later: vec![true; cells],
            nodes: vec![0],
            candidates: Candidates::new(request.width),
        }
    }

    /// Returns a pool whose only member is the given board.
    fn start(&self) -> Pool {
        let Request { board, goal, .. } = self.request;
        let home_of = goal.homes();
        let homes: Vec<u16> = board.tiles().iter().map(|tile| home_of[tile.label()].index() as u16).collect();
        let blank = board.blank().index();
        let tiles = homes.iter().enumerate().filter(|&(cell, _)| cell != blank);
        let key = tiles.fold(0, |key, (cell, &home)| key ^ self.keys.number(usize::from(home), cell));
        let (at, blank) = ([0; 3], blank as u16);
        let member = Member { key, node: 0, moves: 0, rest: 0, at, blank, group_moves: 0, last: 4 };
        let mut pool = Pool::default();
        pool.push(member, &homes);
        pool
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
            numbers.sort_by_key(|&i| {
                let member = &pool.members[i];
                GROUP_WEIGHT * member.moves as i32 + Search::cost(member)
            });
            numbers.truncate(max);
        }
        numbers.sort_by_key(|&i| pool.members[i].moves);
        numbers
    }

    /// Searches one stage. Returns the positions in which this group is also home.
    fn stage(&mut self, stage: &Stage, mut from: Pool, generated: &mut u64) -> Result<Pool, Limit> {
        let cells = self.cells;
        stage.tiles.iter().for_each(|&tile| self.is_later[usize::from(tile)] = false);
        for i in 0..from.members.len() {
            self.enter(stage, &mut from, i);
        }
        let entrants = Search::best(&from, self.request.width * FINISHED_PER_WIDTH);
        let mut entrants = entrants.into_iter().peekable();
        let (mut layer, mut next, mut finished) = (Pool::default(), Pool::default(), Pool::default());
        self.candidates.forget_keys();
        let Some(&first) = entrants.peek() else { return Ok(finished) };
        let mut moves = from.members[first].moves;
        let mut first_finished = None;
        loop {
            while let Some(i) = entrants.next_if(|&i| from.members[i].moves == moves) {
                let member = from.members[i];
                if member.group_moves == 0 {
                    finished.push(member, from.homes(i, cells));
                    first_finished.get_or_insert(moves);
                } else if member.group_moves != UNREACHED && self.candidates.insert_key(member.key) {
                    layer.push(member, from.homes(i, cells));
                }
            }
            let over = first_finished.is_some_and(|first| {
                let slack = if finished.members.len() >= self.request.width { SLACK } else { 4 * SLACK };
                moves > first + slack
            });
            if over || moves as usize >= self.request.max_moves || layer.members.is_empty() && entrants.peek().is_none()
            {
                break;
            }
            self.expand(stage, &layer, generated)?;
            self.select(stage, &layer, &mut next, &mut finished);
            moves += 1;
            if !finished.members.is_empty() {
                first_finished.get_or_insert(moves);
            }
            std::mem::swap(&mut layer, &mut next);
        }
        Ok(finished)
    }

    /// Sets the fields of a member that depend on the group.
    fn enter(&self, stage: &Stage, pool: &mut Pool, number: usize) {
        let homes = &pool.homes[number * self.cells..(number + 1) * self.cells];
        let member = &mut pool.members[number];
        member.rest = 0;
        for (cell, &home) in homes.iter().enumerate() {
            let tile = usize::from(home);
            if let Some(i) = stage.tiles.iter().position(|&group_tile| group_tile == home) {
                member.at[i] = cell as u16;
            } else if tile != self.stages.goal_blank.index() && self.is_later[tile] {
                member.rest += self.stages.shape.distance(Cell::new(tile), Cell::new(cell)) as i32;
            }
        }
        member.group_moves = stage.moves(&member.at[..stage.tiles.len()], usize::from(member.blank));
    }

    fn expand(&mut self, stage: &Stage, layer: &Pool, generated: &mut u64) -> Result<(), Limit> {
        let min_cost = layer.members.iter().map(Search::cost).min().unwrap_or(0);
        self.candidates.begin_layer(min_cost - 6 * GROUP_WEIGHT, None);
        for (number, member) in layer.members.iter().enumerate() {
            if number.is_multiple_of(1 << 12)
                && let Some(limit) = self.request.budget.interrupted()
            {
                return Err(limit);
            }
            let blank = usize::from(member.blank);
            let homes = layer.homes(number, self.cells);
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
            let (parent, (rest, group_moves)) = (&layer.members[candidate.parent()], candidate.data);
            let blank = usize::from(parent.blank);
            let to = usize::from(self.neighbours[blank][usize::from(candidate.step())]);
            let pool = if group_moves == 0 { &mut *finished } else { &mut *next };
            let start = pool.homes.len();
            pool.homes.extend_from_slice(layer.homes(candidate.parent(), self.cells));
            let homes = &mut pool.homes[start..];
            homes.swap(blank, to);
            let mut at = parent.at;
            if let Some(i) = stage.tiles.iter().position(|&group_tile| group_tile == homes[blank]) {
                at[i] = blank as u16;
            }
            self.nodes.push(parent.node << 2 | u32::from(candidate.step()));
            pool.members.push(Member {
                key: candidate.key,
                node: (self.nodes.len() - 1) as u32,
                moves: parent.moves + 1,
                rest,
                at,
                blank: to as u16,
                group_moves,
                last: candidate.step(),
            });
        }
    }

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
    fn reached(&self, pool: &Pool, wanted: usize) -> Vec<Beginning> {
        let (shape, block) = (self.stages.shape, &self.stages.block);
        let mut numbers: Vec<usize> = (0..pool.members.len()).collect();
        numbers.sort_by_key(|&i| GROUP_WEIGHT * pool.members[i].moves as i32 + REST_WEIGHT * pool.members[i].rest);
        let reached = numbers.iter().take(wanted).filter_map(|&i| {
            let homes = pool.homes(i, self.cells);
            let home = |place| place_of(shape, Cell::new(usize::from(homes[cell_of(shape, place).index()])));
            Beginning::new(self.path(pool.members[i].node), block, block.places().map(home))
        });
        reached.collect()
    }
}
