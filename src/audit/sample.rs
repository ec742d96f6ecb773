//! Whether paths are the shortest, for a sample: those boards are solved again by another engine.
//!
//! Which records are in the sample depends on their numbers alone, not on the threads that came by
//! them: those whose numbers, scrambled, are the smallest.

use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::report::{Doubts, Place, Resolved};
use crate::board::{Board, Path};
use crate::engine::{Budget, Crew, Limits, Outcome, Parallel, Stats};
use crate::plan::{EngineKind, Wishes};
use crate::solver::Solvers;

/// How a sample is solved again.
#[derive(Clone, Debug)]
pub struct Resolve {
    /// Boards, at most.
    pub boards: usize,
    /// The engine and heuristic asked for; otherwise another engine than a run would take by itself.
    pub wishes: Wishes,
    /// Threads.
    pub threads: usize,
    /// Memory for tables and sets, in bytes.
    pub memory: u64,
    /// What may be spent on one board.
    pub limits: Limits,
}

/// The records that are in the sample so far.
pub struct Sample {
    chosen: Mutex<BinaryHeap<Chosen>>,
    most: usize,
    /// Records that scramble to more than this are not in it.
    bound: AtomicU64,
}

struct Chosen {
    order: (u64, u64),
    line: u64,
    board: Board,
    goal: Board,
    path: Path,
}

impl PartialEq for Chosen {
    fn eq(&self, other: &Chosen) -> bool {
        self.order == other.order
    }
}

impl Eq for Chosen {}

impl PartialOrd for Chosen {
    fn partial_cmp(&self, other: &Chosen) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Chosen {
    fn cmp(&self, other: &Chosen) -> std::cmp::Ordering {
        self.order.cmp(&other.order)
    }
}

/// Scrambles a number (SplitMix64; Steele, Lea, Flood 2014).
fn scramble(number: u64) -> u64 {
    let mut z = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

impl Sample {
    pub fn new(most: usize) -> Sample {
        Sample { chosen: Mutex::default(), most, bound: AtomicU64::new(if most > 0 { u64::MAX } else { 0 }) }
    }

    /// Offers a solved record; `board`, `goal` and `path` are asked for if it is taken.
    pub fn offer(&self, index: u64, line: u64, what: impl FnOnce() -> Option<(Board, Board, Path)>) {
        let order = (scramble(index), index);
        // A bound that is seen late is too large: then the heap sorts it out.
        if self.most == 0 || order.0 > self.bound.load(Ordering::Relaxed) {
            return;
        }
        let Some((board, goal, path)) = what() else { return };
        let mut chosen = self.chosen.lock().unwrap_or_else(PoisonError::into_inner);
        chosen.push(Chosen { order, line, board, goal, path });
        if chosen.len() > self.most {
            chosen.pop();
            if let Some(last) = chosen.peek() {
                self.bound.store(last.order.0, Ordering::Relaxed);
            }
        }
    }

    /// Solves the sample again, one board after the other on all threads.
    pub fn resolve(self, how: &Resolve, doubts: &Doubts) -> Result<Resolved, rayon::ThreadPoolBuildError> {
        let mut resolved = Resolved::default();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(how.threads).build()?;
        let crew = Crew::new(Parallel::Auto, how.threads);
        // What the two others keep stays beside each other.
        let solvers = |engine| Solvers::new(Wishes { engine, ..how.wishes.clone() }, how.threads, how.memory / 2);
        let own = solvers(None);
        let others = [EngineKind::Bidirectional, EngineKind::AStar].map(|engine| solvers(Some(engine)));
        let asked = how.wishes.engine.map(|engine| solvers(Some(engine)));
        let mut scratch = own.scratch();
        let stop = AtomicBool::new(false);
        for chosen in self.chosen.into_inner().unwrap_or_else(PoisonError::into_inner).into_sorted_vec() {
            let Chosen { order: (_, index), line, board, goal, path } = chosen;
            let of_a_table = |engine| matches!(engine, EngineKind::Lookup | EngineKind::Line);
            let other =
                if own.plan(&goal).is_some_and(|plan| of_a_table(plan.engine)) { &others[0] } else { &others[1] };
            let Some(prepared) = asked.as_ref().unwrap_or(other).prepare(&goal) else {
                // Too large to be searched, and solved: a line, whose only path was replayed, or nothing to do.
                resolved.agreed += 1;
                continue;
            };
            let Some(start) = prepared.frame.admit(&board) else {
                doubts.add(Place::Line(line), format!("(record {index}): the solver calls this board unsolvable"));
                continue;
            };
            let (budget, mut stats) = (Budget::start(&how.limits, &stop), Stats::default());
            let space = prepared.frame.space();
            let outcome =
                pool.install(|| prepared.engine.solve(space, &start, &budget, &crew, &mut scratch, &mut stats));
            match outcome {
                Outcome::Unsolved { .. } => resolved.unsettled += 1,
                Outcome::Solved(found) if found == path => resolved.agreed += 1,
                Outcome::Solved(found) => {
                    let name = prepared.engine.kind();
                    let what = match found.len().cmp(&path.len()) {
                        std::cmp::Ordering::Less => format!("has {} moves, {name} needs {}", path.len(), found.len()),
                        std::cmp::Ordering::Equal => format!("has another path than {name}, {found}"),
                        std::cmp::Ordering::Greater => {
                            format!("is shorter than {name} finds: please report this with the board")
                        }
                    };
                    doubts.add(Place::Line(line), format!("(record {index}) {what}"));
                }
            }
        }
        Ok(resolved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{GoalSpec, Move, Shape};

    #[test]
    fn the_sample_does_not_depend_on_the_order_of_offers() {
        let goal = GoalSpec::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let chosen = |indices: &mut dyn Iterator<Item = u64>| {
            let sample = Sample::new(7);
            for index in indices {
                sample.offer(index, index, || Some((board.clone(), goal.clone(), "D".parse().unwrap())));
            }
            let chosen = sample.chosen.into_inner().unwrap().into_sorted_vec();
            chosen.iter().map(|chosen| chosen.order.1).collect::<Vec<_>>()
        };
        let forwards = chosen(&mut (1..=1000));
        assert_eq!(forwards.len(), 7);
        assert_eq!(forwards, chosen(&mut (1..=1000).rev()));
        assert_eq!(chosen(&mut (1..=3)).len(), 3);
    }

    /// The first numbers of SplitMix64 from the seed 0, as its authors' program gives them.
    #[test]
    fn numbers_are_scrambled_as_published() {
        let published = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        assert_eq!([1, 2, 3].map(scramble), published);
    }

    /// What comes behind all that are chosen is not even asked for.
    #[test]
    fn only_what_may_be_chosen_is_asked_for() {
        let goal = GoalSpec::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        let sample = Sample::new(2);
        let mut asked = Vec::new();
        let offered: Vec<u64> = (1..=40).collect();
        for &index in &offered {
            sample.offer(index, index, || {
                asked.push(index);
                Some((goal.clone(), goal.clone(), Path::new()))
            });
        }
        let least = |of: &[u64]| {
            let mut of = of.to_vec();
            of.sort_by_key(|&index| scramble(index));
            of.truncate(2);
            of
        };
        let chosen: Vec<u64> =
            sample.chosen.into_inner().unwrap().into_sorted_vec().iter().map(|chosen| chosen.order.1).collect();
        assert_eq!(chosen, least(&offered));
        let expected: Vec<u64> =
            offered.iter().copied().filter(|&index| least(&offered[..index as usize]).contains(&index)).collect();
        assert_eq!(asked, expected);
    }
}
