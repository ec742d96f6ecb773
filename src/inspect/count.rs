//! How many shortest paths a board has, and where they part.
//!
//! *What is counted.* Given one shortest path – the engines' canonical one – every other leaves it exactly once for the
//! first time: at its i-th board, by another move. So their number is 1 and, for every i, the paths by other moves that
//! are home in the moves that are left; and because the canonical path is the smallest, only greater letters than its own
//! can be. Each of those is counted by depth-first search to that length, cut where the bound of a [`Guide`] says that a state
//! is too far (as Korf's iterative deepening, 1985, in its last iteration, but to the end).
//!
//! *States that several paths meet in* are counted once: how many shortest paths lead home from a state, and how long they
//! are, does not depend on how it was reached. That is kept for states from which some do. From the path's end to its
//! start, so that a path which comes back to it finds the rest counted. States that lead nowhere in time are not
//! kept: there are too many. With exact distances there are none, and what is kept serves every board of the goal.
//!
//! *What ends a count early*: a cap on the paths, time, or nodes. Then the paths found so far are told, which all are
//! different ones. After the cap it is still found out which first moves there are and how long all paths are the same,
//! by asking for one path each.
//!
//! Cost: with a full table some microseconds a board (3×3, what is kept is in the cache); else about what an iteration to
//! the optimum without stopping takes, a few times the search for one path.

use std::collections::HashMap;

use super::guide::Guide;
use crate::board::{Move, Path, State};
use crate::engine::{Budget, Limit};
use crate::frame::Space;

/// How many shortest paths there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Solutions {
    /// All were counted.
    Exactly(u64),
    /// Counting was ended.
    AtLeast(u64, Ended),
}

/// Why not all were counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// There are as many as were to be counted at the most.
    Cap,
    /// A limit of the run.
    Limit(Limit),
}

impl Ended {
    /// The word that is written for it.
    pub const fn name(self) -> &'static str {
        match self {
            Ended::Cap => "count-cap",
            Ended::Limit(limit) => limit.name(),
        }
    }
}

/// The shortest paths of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ways {
    /// How many.
    pub solutions: Solutions,
    /// Where they begin; `None`: not known.
    pub fork: Option<Fork>,
}

impl Ways {
    /// Those of a board that has but this one.
    pub fn only(path: &Path) -> Ways {
        let fork = Fork { first: path.moves().take(1).collect(), forced: path.len() };
        Ways { solutions: Solutions::Exactly(1), fork: Some(fork) }
    }
}

/// Where shortest paths part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fork {
    /// The first moves of all of them, smallest first; none at the goal.
    pub first: Vec<Move>,
    /// They are the same for so many moves.
    pub forced: usize,
}

/// What was counted of states: how long their shortest paths are, and how many.
#[derive(Debug)]
pub(super) struct Memo {
    known: HashMap<u128, (u16, u64)>,
    most: usize,
    /// What tells the states of one shape and goal cell from those of others.
    tag: u128,
}

impl Memo {
    /// What one needs at the most, in bytes: all states of 3×3, and more than most boards have on their shortest paths. What is
    /// more is counted each time it is met.
    pub const BYTES: u64 = Memo::BYTES_A_STATE * (1 << 18);

    /// 33 bytes for each place of a table that is doubled when it is seven eighths full, and half as much for the table before.
    const BYTES_A_STATE: u64 = 115;

    /// Nothing counted yet; so many bytes may be taken.
    pub fn new(bytes: u64) -> Memo {
        Memo { known: HashMap::new(), most: (bytes.min(Memo::BYTES) / Memo::BYTES_A_STATE) as usize, tag: 0 }
    }

    /// Room for a board, among states of which all is known that will be asked: those of boards before are kept, until there
    /// are too many. They have at most 12 cells, which leaves half of a key to tell shapes and goal cells apart.
    pub fn go_on(&mut self, space: &Space) {
        debug_assert!(5 * space.shape.cells() <= 64);
        if self.known.len() >= self.most {
            self.known.clear();
        }
        let Space { shape, goal_blank, .. } = space;
        self.tag = ((shape.rows() << 16 | shape.cols() << 8 | (goal_blank.index() + 1)) as u128) << 64;
    }

    /// Room for a board of which nothing is known.
    pub fn begin(&mut self) {
        self.known.clear();
        self.tag = 0;
    }

    fn key(&self, state: &State, cells: usize) -> u128 {
        state.pack_wide(cells) | self.tag
    }

    fn insert(&mut self, key: u128, plies: u16, paths: u64) {
        if self.known.len() < self.most {
            self.known.insert(key, (plies, paths));
        }
    }
}

/// A count that is under way.
struct Count<'a, G: Guide> {
    space: &'a Space,
    guide: &'a mut G,
    memo: &'a mut Memo,
    budget: &'a Budget<'a>,
    cells: usize,
    /// States looked at.
    nodes: u64,
    /// Different paths found.
    found: u64,
    /// No more are counted.
    most: u64,
}

/// Counts the shortest paths of a state, one of which is `path`, in the letters of the board as given.
pub(super) fn ways<G: Guide>(
    space: &Space,
    start: &State,
    path: &Path,
    guide: &mut G,
    memo: &mut Memo,
    budget: &Budget<'_>,
    cap: Option<u64>,
) -> Ways {
    let (cells, most) = (space.shape.cells(), cap.unwrap_or(u64::MAX));
    let mut count = Count { space, guide, memo, budget, cells, nodes: 0, found: 1, most };
    let line = count.line(start, path);
    match count.all(&line) {
        // As many as that are not told apart from more.
        Ok(fork) if count.found == u64::MAX => {
            Ways { solutions: Solutions::AtLeast(u64::MAX, Ended::Cap), fork: Some(fork) }
        }
        Ok(fork) => Ways { solutions: Solutions::Exactly(count.found), fork: Some(fork) },
        Err((ended, at)) => {
            let found = count.found.min(most.saturating_add(1));
            let fork = if ended == Ended::Cap { count.fork_by_asking(&line, at) } else { None };
            Ways { solutions: Solutions::AtLeast(found, ended), fork }
        }
    }
}

/// A board of the path and the move that follows.
struct Place<V> {
    state: State,
    value: V,
    letter: Move,
    /// Moves that are left, this one included.
    left: u16,
}

impl<G: Guide> Count<'_, G> {
    /// The boards of a path, its end left out.
    fn line(&mut self, start: &State, path: &Path) -> Vec<Place<G::Value>> {
        let (mut state, mut value, mut left) = (*start, self.guide.root(start), path.len() as u16);
        let mut line = Vec::with_capacity(path.len());
        for letter in path.moves() {
            line.push(Place { state, value, letter, left });
            // A replayed path never leaves the board.
            let Some(next) = state.after(self.space.shape, self.space.order[letter.index()]) else { break };
            (value, left) = (self.guide.after(&value, &state, &next), left - 1);
            state = next;
        }
        line
    }

    /// Counts all paths, from the end of the line to its start.
    ///
    /// # Errors
    /// What ended it, and the place from which a path was on the way.
    fn all(&mut self, line: &[Place<G::Value>]) -> Result<Fork, (Ended, usize)> {
        let (mut below, mut forced) = (1u64, line.len());
        let mut first: Vec<Move> = line.first().map(|place| place.letter).into_iter().collect();
        for (at, place) in line.iter().enumerate().rev() {
            for (letter, next, value) in self.others(line, at) {
                let paths = self.below(&next, &value, place.left - 1, letter).map_err(|ended| (ended, at))?;
                if paths > 0 {
                    (below, forced) = (below.saturating_add(paths), at);
                    first.extend((at == 0).then_some(letter));
                }
            }
            let key = self.memo.key(&place.state, self.cells);
            self.memo.insert(key, place.left, below);
        }
        Ok(Fork { first, forced })
    }

    /// The moves at a place that are greater than the path's own, and where they lead; not the way back.
    fn others(&mut self, line: &[Place<G::Value>], at: usize) -> Vec<(Move, State, G::Value)> {
        let place = &line[at];
        let back = at.checked_sub(1).map(|before| line[before].state.blank());
        let mut others = Vec::new();
        for (letter, to) in self.space.steps(place.state.blank()) {
            if letter > place.letter && Some(to) != back {
                let mut next = place.state;
                next.slide(to);
                let value = self.guide.after(&place.value, &place.state, &next);
                others.push((letter, next, value));
            }
        }
        others
    }

    /// How many paths lead from a state to the goal in exactly `left` moves, none of which has fewer; it was reached by
    /// `letter`.
    fn below(&mut self, state: &State, value: &G::Value, left: u16, letter: Move) -> Result<u64, Ended> {
        if G::plies(value) > left {
            return Ok(0);
        }
        self.nodes += 1;
        if self.nodes >= self.budget.nodes() {
            return Err(Ended::Limit(Limit::Nodes));
        }
        if self.nodes.is_multiple_of(Budget::POLL_NODES)
            && let Some(limit) = self.budget.interrupted()
        {
            return Err(Ended::Limit(limit));
        }
        let key = self.memo.key(state, self.cells);
        if let Some(&(plies, paths)) = self.memo.known.get(&key) {
            return if plies == left { self.find(paths) } else { Ok(0) };
        }
        if left == 0 {
            return if *state == self.space.goal() { self.find(1) } else { Ok(0) };
        }
        let undo = self.space.order[letter.index()].inverse();
        let mut paths = 0u64;
        for (letter, to) in self.space.steps(state.blank()) {
            if self.space.order[letter.index()] == undo {
                continue;
            }
            let mut next = *state;
            next.slide(to);
            let value = self.guide.after(value, state, &next);
            paths = paths.saturating_add(self.below(&next, &value, left - 1, letter)?);
        }
        if paths > 0 {
            self.memo.insert(key, left, paths);
        }
        Ok(paths)
    }

    /// So many different paths more.
    fn find(&mut self, paths: u64) -> Result<u64, Ended> {
        self.found = self.found.saturating_add(paths);
        if self.found > self.most { Err(Ended::Cap) } else { Ok(paths) }
    }

    /// Where paths begin, when a path that leaves the line at `at` was the last that was to be counted: before it, and at the
    /// start, one path is asked for by each move.
    fn fork_by_asking(&mut self, line: &[Place<G::Value>], at: usize) -> Option<Fork> {
        let mut forced = 0;
        while forced < at && !self.leaves(line, forced)? {
            forced += 1;
        }
        let first = if forced == 0 { self.first(line)? } else { vec![line.first()?.letter] };
        Some(Fork { first, forced })
    }

    /// Whether a path leaves the line at a place.
    fn leaves(&mut self, line: &[Place<G::Value>], at: usize) -> Option<bool> {
        for (letter, next, value) in self.others(line, at) {
            if self.leads(&next, &value, line[at].left - 1, letter)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The first moves of all paths.
    fn first(&mut self, line: &[Place<G::Value>]) -> Option<Vec<Move>> {
        let Some(start) = line.first() else { return Some(Vec::new()) };
        let mut first = vec![start.letter];
        for (letter, next, value) in self.others(line, 0) {
            if self.leads(&next, &value, start.left - 1, letter)? {
                first.push(letter);
            }
        }
        Some(first)
    }

    /// Whether a path leads from a state to the goal in so many moves; `None`: a limit came before the answer.
    fn leads(&mut self, state: &State, value: &G::Value, left: u16, letter: Move) -> Option<bool> {
        (self.found, self.most) = (0, 0);
        match self.below(state, value, left, letter) {
            Ok(paths) => Some(paths > 0),
            Err(Ended::Cap) => Some(true),
            Err(Ended::Limit(_)) => None,
        }
    }
}
