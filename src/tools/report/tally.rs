//! The data collected from results: counts, sums by length, and short lists of records.
//!
//! Everything here is bounded. Kinds of boards beyond the first few form one group, solutions of
//! more than [`MAX_MOVES`] moves are only counted, and lists are cut off and count what they omit.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::line::{Entry, EntryVerdict};
use crate::batch::Counts;
use crate::board::Shape;
use crate::board::distribution::GoalBlank;
use crate::format::status::Status;

/// The largest length with its own count.
pub const MAX_MOVES: usize = 4096;

/// The maximum number of groups whose kind is [`Kind::Known`].
const MAX_GROUPS: usize = 6;

/// A kind of board with its own charts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A shape and the position of the goal's blank, which determine the distribution.
    Known(Shape, GoalBlank),
    /// All boards beyond the first [`MAX_GROUPS`] kinds.
    Other,
    /// Boards of unknown shape.
    Unknown,
}

/// A list of at most `MAX` items, and the number of items left out.
#[derive(Debug)]
pub struct Capped<T, const MAX: usize> {
    pub items: Vec<T>,
    pub left_out: u64,
}

impl<T, const MAX: usize> Default for Capped<T, MAX> {
    fn default() -> Self {
        Capped { items: Vec::new(), left_out: 0 }
    }
}

impl<T, const MAX: usize> Capped<T, MAX> {
    pub fn add(&mut self, item: impl FnOnce() -> T) {
        if self.items.len() < MAX { self.items.push(item()) } else { self.left_out += 1 }
    }
}

/// The count, sum and maximum of a set of numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct NumberStats {
    pub count: u64,
    sum: u128,
    pub max: u64,
}

impl NumberStats {
    pub fn add(&mut self, number: u64) {
        self.count += 1;
        self.sum = self.sum.saturating_add(u128::from(number));
        self.max = self.max.max(number);
    }

    pub fn merge(&mut self, other: &NumberStats) {
        self.count += other.count;
        self.sum = self.sum.saturating_add(other.sum);
        self.max = self.max.max(other.max);
    }

    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum as f64 / self.count as f64 }
    }
}

/// The number of boards with certain solution lengths, and the effort of solving them.
#[derive(Clone, Copy, Default, Debug)]
pub struct BoardStats {
    pub boards: u64,
    pub nodes: NumberStats,
    pub time_us: NumberStats,
}

impl BoardStats {
    pub fn merge(&mut self, other: &BoardStats) {
        self.boards += other.boards;
        self.nodes.merge(&other.nodes);
        self.time_us.merge(&other.time_us);
    }
}

/// The solved boards of a kind, by the length of their solutions.
#[derive(Clone, Default, Debug)]
pub struct KindStats {
    /// The statistics by length, from 0 moves to the largest length found.
    pub by_length: Vec<BoardStats>,
    /// The number of boards whose solutions have more than [`MAX_MOVES`] moves.
    pub longer: u64,
}

impl KindStats {
    /// Returns the number of boards whose solutions have at most [`MAX_MOVES`] moves.
    pub fn boards(&self) -> u64 {
        self.by_length.iter().map(|stats| stats.boards).sum()
    }

    fn add(&mut self, moves: u64, entry: &Entry) {
        let Some(moves) = usize::try_from(moves).ok().filter(|&moves| moves <= MAX_MOVES) else {
            self.longer += 1;
            return;
        };
        if self.by_length.len() <= moves {
            self.by_length.resize(moves + 1, BoardStats::default());
        }
        let stats = &mut self.by_length[moves];
        stats.boards += 1;
        entry.nodes.into_iter().for_each(|nodes| stats.nodes.add(nodes));
        entry.time_us.into_iter().for_each(|time| stats.time_us.add(time));
    }
}

/// A line of a results file that is not a result, or an error that concerns the whole file.
#[derive(Clone, Debug)]
pub struct BadLine {
    pub file: String,
    /// The line number, from 1; `None` for the whole file.
    pub line: Option<u64>,
    pub message: String,
}

/// The data of a page.
#[derive(Default, Debug)]
pub struct Tally {
    /// The names of the results files, escaped.
    pub files: Capped<String, 20>,
    pub counts: Counts,
    /// The number of unsolved boards by the limit that ended their search.
    pub limits: BTreeMap<String, u64>,
    pub groups: BTreeMap<Kind, KindStats>,
    /// Records that are invalid or that the program failed on.
    pub bad_records: Capped<Entry, 100>,
    pub bad_lines: Capped<BadLine, 50>,
    /// The number of lines that are not results, including those left out of `bad_lines`.
    pub faulty_lines: u64,
    pub slowest: Top,
    pub most_nodes: Top,
    pub longest: Top,
}

impl Tally {
    /// Adds a line that is not a result, or an error that concerns the whole file.
    pub fn add_bad_line(&mut self, file: &str, line: Option<u64>, message: String) {
        self.faulty_lines += u64::from(line.is_some());
        self.bad_lines.add(|| BadLine { file: file.into(), line, message });
    }

    /// Adds a result.
    pub fn add(&mut self, entry: &Entry) {
        let order = self.counts.records();
        match &entry.verdict {
            &EntryVerdict::Solved { moves, is_optimal, .. } => {
                self.counts.solved += 1;
                self.counts.unproven += u64::from(!is_optimal);
                self.group(entry).add(moves, entry);
                entry.time_us.into_iter().for_each(|time| self.slowest.offer(time, order, entry));
                entry.nodes.into_iter().for_each(|nodes| self.most_nodes.offer(nodes, order, entry));
                self.longest.offer(moves, order, entry);
            }
            EntryVerdict::Other(Status::Unsolvable, _) => self.counts.unsolvable += 1,
            EntryVerdict::Other(Status::Unsolved, limit) => {
                self.counts.unsolved += 1;
                // Early versions wrote `size` for boards that were too large.
                let is_known = ["time", "nodes", "memory", "effort", "size", "cancelled"].contains(&limit.as_str());
                *self.limits.entry(if is_known { limit.clone() } else { "unknown".into() }).or_default() += 1;
            }
            EntryVerdict::Other(Status::Invalid, _) => {
                self.counts.invalid += 1;
                self.bad_records.add(|| entry.clone());
            }
            EntryVerdict::Other(Status::Error, _) => {
                self.counts.error += 1;
                self.bad_records.add(|| entry.clone());
            }
            EntryVerdict::Other(Status::Solved, _) => unreachable!("a solved board has a verdict of its own"),
        }
    }

    fn group(&mut self, entry: &Entry) -> &mut KindStats {
        let kind = match &entry.goal {
            None => Kind::Unknown,
            Some(goal) => Kind::Known(goal.shape(), GoalBlank::of(goal)),
        };
        let groups = self.groups.keys().filter(|kind| matches!(kind, Kind::Known(..))).count();
        let is_separate = groups < MAX_GROUPS || kind == Kind::Unknown || self.groups.contains_key(&kind);
        self.groups.entry(if is_separate { kind } else { Kind::Other }).or_default()
    }
}

/// The boards to draw: the results with the greatest keys. A key is a time or a number of nodes or
/// moves. Among equal keys, the first results are kept.
#[derive(Default, Debug)]
pub struct Top {
    boards: BTreeMap<(Reverse<u64>, u64), Entry>,
}

/// The maximum number of boards to draw.
const MAX_BOARDS: usize = 6;

/// The limits on the size of a board and the length of its path. Anything larger would take up most
/// of the page.
const MAX_DRAWN_CELLS: usize = 36;
const MAX_DRAWN_MOVES: usize = 600;

impl Top {
    /// Adds a result if it can be drawn and its key is among the greatest. `order` is the result's
    /// place among all results.
    pub fn offer(&mut self, key: u64, order: u64, entry: &Entry) {
        let EntryVerdict::Solved { solution: Some(solution), .. } = &entry.verdict else { return };
        if solution.board.shape().cells() > MAX_DRAWN_CELLS || solution.path.len() > MAX_DRAWN_MOVES {
            return;
        }
        let key = (Reverse(key), order);
        if self.boards.len() < MAX_BOARDS || self.boards.last_key_value().is_some_and(|(last, _)| key < *last) {
            self.boards.insert(key, entry.clone());
            if self.boards.len() > MAX_BOARDS {
                self.boards.pop_last();
            }
        }
    }

    /// Returns the boards, the greatest key first.
    pub fn boards(&self) -> Vec<&Entry> {
        self.boards.values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::report::line::Assumptions;

    #[test]
    fn the_greatest_keys_are_kept_and_the_first_among_equal_ones() {
        let assumed = Assumptions { shape: "2x2".parse().ok(), ..Assumptions::default() };
        let mut top = Top::default();
        let keys = [5, 1, 9, 5, 9, 0, 5, 9, 1, 5];
        for (order, key) in (1..).zip(keys) {
            let line = format!(r#"{{"index":{order},"path":"D"}}"#);
            top.offer(key, order, &Entry::read(line.as_bytes(), &assumed).unwrap());
        }
        let indices: Vec<_> = top.boards().iter().map(|entry| entry.index.unwrap()).collect();
        assert_eq!(indices, [3, 5, 8, 1, 4, 7]);
    }
}
