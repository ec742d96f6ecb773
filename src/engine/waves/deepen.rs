//! The iterations, and what happens when memory or budget run out.

use super::below::{Hands, Stop};
use super::expand::{Expand, Part, Watch};
use super::list::List;
use super::node::ListNode;
use super::pass::{Aim, End, Pass, Stratum, WORTH_HELP};
#[cfg(test)]
use super::trace::Trail;
use super::trace::{Archive, Trace};
use crate::engine::{Budget, Crew, Outcome, Stats};

/// How much a search may keep, and a number that tests choose otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// For lists and steps.
    pub(super) bytes: usize,
    /// Nodes that a thread may have in memory below a frozen list.
    pub(super) below: usize,
    /// Nodes generated before help is called.
    pub(super) help_from: u64,
}

impl Room {
    /// Eleven megabytes on 4×4. A chunk from which more grows is halved,
    /// and what had been generated of them is generated again.
    const BELOW: usize = 1 << 18;

    /// Bytes of lists for each node below a frozen one: with shorter lists than the usual there are fewer.
    const BYTES_A_NODE_BELOW: usize = super::Scratch::BYTES / Room::BELOW;

    pub(super) fn new(bytes: usize) -> Room {
        Room { bytes, below: (bytes / Room::BYTES_A_NODE_BELOW).min(Room::BELOW), help_from: WORTH_HELP }
    }
}

/// A worker's memory, kept from board to board.
pub(super) struct Lists<E: Expand> {
    hands: Hands<E>,
    archive: Archive,
    /// The current list; once it is frozen, its nodes beyond the bound at that time and then the others.
    strata: Vec<Stratum<E::Node>>,
    /// Memory of lists that are gone.
    spare: Vec<Vec<E::Node>>,
}

impl<E: Expand> Default for Lists<E> {
    fn default() -> Self {
        Lists { hands: Hands::default(), archive: Archive::default(), strata: Vec::new(), spare: Vec::new() }
    }
}

/// The search from a root that is not the goal.
pub(super) fn deepen<E: Expand>(
    by: &E,
    root: E::Node,
    budget: &Budget,
    crew: &Crew,
    room: Room,
    lists: &mut Lists<E>,
    stats: &mut Stats,
) -> Outcome {
    let mut watch = Watch::start(budget);
    // A limit of nodes says which node is the last: one thread counts them.
    let alone = Crew::alone();
    let crew = if budget.nodes() < u64::MAX { &alone } else { crew };
    let mut bound = root.f();
    let stop = match watch.look() {
        Some(limit) => Stop::Limit(limit),
        None => Search { by, crew, room, watch: &mut watch, bound: &mut bound }.run(root, lists),
    };
    stats.generated += watch.stats.generated;
    stats.expanded += watch.stats.expanded;
    match stop {
        Stop::Goal(trail) => Outcome::Solved(lists.archive.path(trail)),
        Stop::Limit(limit) => Outcome::Unsolved { lower_bound: bound, limit },
    }
}

struct Search<'a, 'b, E: Expand> {
    by: &'a E,
    crew: &'a Crew,
    room: Room,
    watch: &'a mut Watch<'b>,
    bound: &'a mut u16,
}

impl<E: Expand> Search<'_, '_, E> {
    fn run(mut self, root: E::Node, lists: &mut Lists<E>) -> Stop {
        // A node is in one list at most, and has one step.
        let steps = (self.room.bytes / (size_of::<E::Node>() + size_of::<u32>())).clamp(1, Trace::MAX_STEPS);
        lists.begin(root, steps);
        match self.with_growing_list(lists, steps) {
            Some(stop) => stop,
            None => self.below_frozen_list(lists),
        }
    }

    /// The iterations as long as there is room for as many steps. `None`: the list is frozen.
    fn with_growing_list(&mut self, lists: &mut Lists<E>, steps: usize) -> Option<Stop> {
        loop {
            let mut parts = vec![lists.next_part()];
            let room = steps.saturating_sub(lists.archive.len());
            let end = self.pass(Aim::List { room }, &lists.strata, &mut parts, &mut lists.hands);
            let mut next = Stratum { list: List::default(), from: 0, f: *self.bound + 2 };
            for Part { nodes, trace, .. } in parts {
                let ahead = lists.archive.add(trace);
                next.list.add(nodes, ahead);
            }
            match end {
                End::Stop(stop) => return Some(stop),
                End::Exhausted => {
                    assert!(!next.list.is_empty(), "a state that can be solved has a path");
                    lists.spare.extend(lists.strata[0].list.take());
                    lists.strata[0] = next;
                    *self.bound += 2;
                }
                End::Full(from) => {
                    lists.strata[0].from = from;
                    lists.strata.insert(0, next);
                    return None;
                }
            }
        }
    }

    /// The iterations when there is no more room.
    fn below_frozen_list(&mut self, lists: &mut Lists<E>) -> Stop {
        let Lists { hands, strata, .. } = lists;
        let mut due = &strata[1..];
        loop {
            let mut parts = vec![Part::default()];
            if let End::Stop(stop) = self.pass(Aim::Goal { room: self.room.below }, due, &mut parts, hands) {
                return stop;
            }
            *self.bound += 2;
            due = strata;
        }
    }

    fn pass(
        &mut self,
        aim: Aim,
        strata: &[Stratum<E::Node>],
        parts: &mut Vec<Part<E::Node>>,
        hands: &mut Hands<E>,
    ) -> End {
        let &mut Search { by, crew, room: Room { help_from, .. }, ref bound, .. } = self;
        Pass { by, strata, bound: **bound, aim, crew, help_from }.run(parts, hands, self.watch)
    }
}

impl<E: Expand> Lists<E> {
    /// A list of one node, and memory for no more than so many.
    fn begin(&mut self, root: E::Node, room: usize) {
        let Lists { archive, strata, spare, .. } = self;
        archive.begin(room);
        spare.extend(strata.drain(..).flat_map(|mut stratum| stratum.list.take().collect::<Vec<_>>()));
        let mut nodes = 0;
        spare.retain(|memory| {
            nodes += memory.capacity();
            nodes <= room
        });
        let mut start = self.next_part().nodes;
        start.push(root);
        let mut list = List::default();
        list.add(start, 0);
        self.strata.push(Stratum { list, from: 0, f: root.f() });
    }

    /// An empty part behind all that is in the archive.
    fn next_part(&mut self) -> Part<E::Node> {
        let mut nodes = self.spare.pop().unwrap_or_default();
        nodes.clear();
        Part { nodes, trace: self.archive.next_trace(), expanded: 0 }
    }
}

#[cfg(test)]
impl<E: Expand> Lists<E> {
    /// What the last search left: the list's nodes with the f and the path of each.
    pub(super) fn frontier(&self) -> Vec<(u16, String, crate::board::Path)>
    where
        E::Node: std::fmt::Debug,
    {
        let mut gathered = Vec::new();
        let mut all = Vec::new();
        for Stratum { list, from, f } in &self.strata {
            for number in *from..list.chunks() {
                let nodes = list.chunk(number, &mut gathered).iter();
                all.extend(nodes.map(|node| (*f, format!("{node:?}"), self.archive.path(Trail::from(node.step())))));
            }
        }
        all
    }
}
