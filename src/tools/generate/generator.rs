//! The generator of puzzles.
//!
//! If lengths are spread evenly, there is a queue for each length. It tries the same candidates as
//! a run that requests only this length with the same seed, so it gives the first puzzles of that
//! run. If there are too few boards of a length, the other lengths give more. The number of boards
//! of a length is known in advance if all of them are in a list ([`super::difficulty`]).

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::distance::DistanceSolver;
use super::distinct::{SeenPuzzles, count_distinct_boards};
use super::queue::Queue;
use super::spec::{Error, Goals, Puzzle, Spec, Spread};
use super::uniform::{self, BoardKind};
use crate::board::Board;
use crate::solver::{CancelToken, Solver};
use crate::system::Random;

/// The number of the random stream that places the unsolvable puzzles. No candidate uses it.
const PLACEMENT_STREAM: u64 = u64::MAX;

/// A lazy iterator over puzzles. Neither the puzzles nor their order depend on the number of
/// threads. The iterator ends after an error.
pub struct Generator<'a> {
    distances: Arc<DistanceSolver<'a>>,
    seen: SeenPuzzles,
    /// The queues of solvable puzzles, which take turns: one for each length if lengths are spread
    /// evenly, and otherwise a single one.
    solvable: Vec<Queue<'a>>,
    /// The index of the queue whose turn is next.
    turn: usize,
    unsolvable: Queue<'a>,
    /// Places the unsolvable puzzles.
    placement: Random,
    remaining: u64,
}

impl<'a> Generator<'a> {
    /// Creates a generator. If lengths are requested ([`Spec::moves`]), boards are solved to find
    /// their distances.
    ///
    /// # Errors
    /// When a range is empty, there is no method to find boards of the requested lengths, too few
    /// boards exist (as far as that is known in advance), or threads cannot be started.
    pub fn new(spec: Spec, solver: &'a Solver) -> Result<Generator<'a>, Error> {
        if spec.walk.as_ref().is_some_and(RangeInclusive::is_empty)
            || spec.moves.as_ref().is_some_and(RangeInclusive::is_empty)
        {
            return Err(Error::Unsupported("the range of moves is empty".into()));
        }
        let remaining = spec.count;
        let unsolvable = spec.unsolvable.min(remaining);
        let solvable = remaining - unsolvable;
        let kind = BoardKind::Unsolvable;
        if unsolvable > 0 && !uniform::exists(kind, spec.goals.shape()) {
            return Err(Error::too_few(0, unsolvable, kind.noun(), None));
        }
        let (spec, distances) = (Arc::new(spec), Arc::new(DistanceSolver::new(solver)));
        let queue = |kind, asked| Queue::new(&spec, &distances, kind, asked);
        let (solvable, unsolvable) = (queue(BoardKind::Solvable, solvable), queue(kind, unsolvable));
        if let Goals::Same(goal) = &spec.goals {
            unsolvable.check_count(goal)?;
            if spec.moves.is_some() || spec.walk.is_none() {
                solvable.check_count(goal)?;
            }
        }
        let is_even = spec.spread == Spread::Even && spec.moves.is_some() && solvable.asked > 0;
        let solvable = if is_even { one_per_length(&spec, &solvable)? } else { vec![solvable] };
        let placement = Random::stream(spec.seed, PLACEMENT_STREAM);
        let seen = SeenPuzzles::new(spec.repeats);
        Ok(Generator { distances, seen, solvable, turn: 0, unsolvable, placement, remaining })
    }

    /// Excludes these boards, and their reflections if reflections are duplicates
    /// ([`Spec::repeats`]).
    #[must_use]
    pub fn exclude(mut self, boards: Arc<HashSet<Board>>) -> Generator<'a> {
        self.seen.exclude(boards);
        self
    }

    /// Sets the token with which another thread can stop the work. Once the token is cancelled, the
    /// iterator returns the puzzles that are already made, and then [`Error::Cancelled`] as its
    /// last item.
    #[must_use]
    pub fn cancel(self, token: &CancelToken) -> Generator<'a> {
        self.distances.cancel_by(token);
        self
    }
}

/// Returns a queue for each requested length for which boards exist, the shortest first. Together
/// they give as many puzzles as the queue `all` was asked for.
///
/// # Errors
/// When each board has its own goal, no boards of these lengths can be found, or too few exist.
fn one_per_length<'a>(spec: &Spec, all: &Queue<'a>) -> Result<Vec<Queue<'a>>, Error> {
    let Goals::Same(goal) = &spec.goals else {
        return Err(Error::Unsupported("lengths can be spread evenly only if all boards have the same goal".into()));
    };
    let (mut queues, mut board_counts, asked) = (Vec::new(), Vec::new(), all.asked);
    for moves in spec.moves.clone().into_iter().flatten() {
        let queue = all.of_moves(moves..=moves);
        let repeats = (spec.repeats, asked);
        match count_distinct_boards(BoardKind::Solvable, queue.difficulty.as_ref(), goal, repeats) {
            Ok(boards) => board_counts.push(boards.unwrap_or(u64::MAX)),
            Err(error) if queues.is_empty() => return Err(error),
            // There are no boards of this length, or they cannot be found. The same holds for
            // greater lengths.
            Err(_) => break,
        }
        queues.push(queue);
    }
    let shares = even_shares(asked, &board_counts);
    let found = shares.iter().sum();
    if found < asked {
        return Err(Error::too_few(found, asked, BoardKind::Solvable.noun(), None));
    }
    queues.iter_mut().zip(shares).for_each(|(queue, share)| queue.asked = share);
    Ok(queues)
}

/// Splits a count as evenly as possible. Share `i` is at most `limits[i]`. A remainder is divided
/// among the first shares that are below their limits, one more for each.
fn even_shares(count: u64, limits: &[u64]) -> Vec<u64> {
    let (mut shares, mut rest) = (vec![0; limits.len()], count);
    loop {
        let open: Vec<usize> = (0..limits.len()).filter(|&at| shares[at] < limits[at]).collect();
        let each = rest.checked_div(open.len() as u64).unwrap_or(0);
        if each == 0 {
            open.into_iter().take(rest as usize).for_each(|at| shares[at] += 1);
            return shares;
        }
        for at in open {
            let more = each.min(limits[at] - shares[at]);
            shares[at] += more;
            rest -= more;
        }
    }
}

/// Returns the queue whose turn it is, and sets the next turn. Queues without puzzles are skipped.
fn next_in_turn<'q, 'a>(queues: &'q mut [Queue<'a>], turn: &mut usize) -> &'q mut Queue<'a> {
    let number = queues.len();
    let mut turns = (*turn..*turn + number).map(|turn| turn % number);
    let found = turns.find(|&turn| queues[turn].remaining() > 0).unwrap_or_default();
    *turn = found + 1;
    &mut queues[found]
}

impl Iterator for Generator<'_> {
    type Item = Result<Puzzle, Error>;

    fn next(&mut self) -> Option<Result<Puzzle, Error>> {
        if self.remaining == 0 {
            return None;
        }
        // Selection sampling (Knuth, TAOCP 2, 3.4.2, algorithm S): exactly the requested number,
        // with every choice of positions equally likely.
        let unsolvable = self.unsolvable.remaining();
        let is_unsolvable = unsolvable > 0 && self.placement.below(self.remaining) < unsolvable;
        let queue = match is_unsolvable {
            true => &mut self.unsolvable,
            false => next_in_turn(&mut self.solvable, &mut self.turn),
        };
        let puzzle = queue.next(&mut self.seen);
        self.remaining = if puzzle.is_ok() { self.remaining - 1 } else { 0 };
        Some(puzzle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Shape, is_solvable};
    use crate::tools::generate::spec::Repeats;

    fn spec(rows: usize, cols: usize, count: u64) -> Spec {
        Spec::uniform(Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap(), count, 7)
    }

    fn generated(spec: &Spec, threads: usize) -> Result<Vec<Puzzle>, Error> {
        let solver = Solver::builder().threads(threads).memory(1 << 30).build().unwrap();
        Generator::new(spec.clone(), &solver)?.collect()
    }

    /// These boards are the same on every machine, which is part of the interface.
    #[test]
    fn a_seed_gives_the_same_boards_for_ever() {
        let boards = generated(&spec(3, 3, 3), 1).unwrap();
        let boards: Vec<String> = boards.iter().map(|puzzle| puzzle.board.to_string()).collect();
        assert_eq!(boards, PINNED);
    }

    const PINNED: [&str; 3] = ["3 1 2/4 7 6/8 5 0", "5 3 0/4 6 7/8 1 2", "0 8 5/1 7 3/6 2 4"];

    #[test]
    fn threads_do_not_change_a_puzzle() {
        for spec in [
            Spec { unsolvable: 300, repeats: Repeats::ReflectionsAvoided, ..spec(3, 3, 1000) },
            Spec { moves: Some(20..=22), goals: Goals::Random(Shape::new(2, 4).unwrap()), ..spec(3, 3, 500) },
            Spec { moves: Some(42..=45), unsolvable: 1, ..spec(2, 7, 2) },
            // Goals with the blank in the centre have no such boards.
            Spec { moves: Some(31..=31), goals: Goals::Random(Shape::new(3, 3).unwrap()), ..spec(3, 3, 20) },
        ] {
            let one = generated(&spec, 1).unwrap();
            assert_eq!(one.len() as u64, spec.count);
            assert!(one == generated(&spec, 3).unwrap());
            let unsolvable = one.iter().filter(|puzzle| !is_solvable(&puzzle.board, &puzzle.goal)).count();
            assert_eq!(unsolvable as u64, spec.unsolvable);
        }
    }

    /// Walks of an even number of moves end at even distances, and never farther than their length.
    #[test]
    fn walks_have_the_requested_length() {
        let walked = generated(&Spec { walk: Some(6..=6), ..spec(6, 6, 50) }, 2).unwrap();
        for Puzzle { board, goal } in walked {
            let distance = board.manhattan_distance(&goal);
            assert!(distance <= 6 && distance % 2 == 0 && is_solvable(&board, &goal), "{board}");
        }
        let long = Spec { walk: Some(0..=100_000), ..spec(255, 255, 1) };
        let [Puzzle { board, goal }] = &generated(&long, 1).unwrap()[..] else { panic!("one puzzle was requested") };
        assert!(board != goal && is_solvable(board, goal));
        let (from, to) = (3, 2);
        assert!(generated(&Spec { walk: Some(from..=to), ..spec(2, 2, 1) }, 1).is_err());
    }

    #[test]
    fn a_cancelled_generator_ends() {
        let solver = Solver::builder().threads(1).memory(1 << 30).build().unwrap();
        let token = CancelToken::new();
        // A token is also obeyed if it is set after the first boards were solved.
        let mut generator = Generator::new(Spec { moves: Some(20..=30), ..spec(4, 4, 100) }, &solver).unwrap();
        assert!(generator.next().unwrap().is_ok());
        let mut generator = generator.cancel(&token);
        token.cancel();
        let ended = generator.find(Result::is_err).unwrap();
        assert!(matches!(ended, Err(Error::Cancelled)) && generator.next().is_none());
    }

    /// This does not hold for sets with unsolvable boards.
    #[test]
    fn a_larger_set_begins_with_the_smaller_one() {
        let (few, many) = (generated(&spec(4, 4, 20), 1).unwrap(), generated(&spec(4, 4, 900), 2).unwrap());
        assert!(many[..20] == few);
    }

    /// The two boards of 31 moves are reflections of each other.
    #[test]
    fn exhausted_boards_are_an_error() {
        let hardest = Spec { moves: Some(31..=31), ..spec(3, 3, 40) };
        let boards: HashSet<String> =
            generated(&hardest, 2).unwrap().iter().map(|puzzle| puzzle.board.to_string()).collect();
        assert_eq!(boards, ["6 4 7/8 5 0/3 2 1", "8 6 7/2 5 4/3 0 1"].map(String::from).into());
        let error = |spec: Spec| generated(&spec, 2).unwrap_err().to_string();
        let two = Spec { repeats: Repeats::ReflectionsAvoided, count: 2, ..hardest };
        let too_few_reflected = "only 1 distinct board exists when reflections count as the same; 2 were requested \
                                 (--unique=boards allows 2)";
        assert_eq!(error(two), too_few_reflected);
        let impossible = Spec { unsolvable: 1, ..spec(1, 2, 4) };
        assert_eq!(error(impossible), "no such unsolvable boards exist; 1 was requested");
    }

    #[test]
    fn excluded_boards_are_not_made() {
        let puzzles = generated(&Spec { repeats: Repeats::ExactAvoided, ..spec(2, 2, 12) }, 1).unwrap();
        let excluded: HashSet<Board> = puzzles.iter().take(4).map(|puzzle| puzzle.board.clone()).collect();
        let solver = Solver::builder().threads(1).memory(1 << 30).build().unwrap();
        for (repeats, count) in [(Repeats::ExactAvoided, 8), (Repeats::ReflectionsAvoided, 3)] {
            let generator = Generator::new(Spec { repeats, ..spec(2, 2, count) }, &solver).unwrap();
            for puzzle in generator.exclude(Arc::new(excluded.clone())) {
                let Puzzle { board, goal } = puzzle.unwrap();
                let mirrored = crate::board::Reflections::of(&goal).each(&board).any(|board| excluded.contains(&board));
                assert!(!excluded.contains(&board) && (repeats == Repeats::ExactAvoided || !mirrored), "{board}");
            }
        }
    }

    /// The lengths alternate, and each gives the same boards as when requested alone. If a length
    /// has no more boards, the others continue.
    #[test]
    fn an_even_spread_is_round_robin() {
        let even = Spec { moves: Some(12..=14), spread: Spread::Even, ..spec(3, 3, 7) };
        let found = generated(&even, 2).unwrap();
        assert!(found == generated(&even, 1).unwrap());
        for (turn, moves) in (12..=14).enumerate() {
            let alone = generated(&Spec { moves: Some(moves..=moves), ..spec(3, 3, 3) }, 1).unwrap();
            let of_length: Vec<&Puzzle> = found.iter().skip(turn).step_by(3).collect();
            assert!(of_length.iter().copied().eq(alone.iter().take(of_length.len())), "{moves}");
        }
        let rare =
            Spec { moves: Some(30..=99), repeats: Repeats::ReflectionsAvoided, spread: Spread::Even, ..spec(3, 3, 40) };
        let solver = Solver::builder().threads(1).memory(1 << 28).build().unwrap();
        let is_hardest = |puzzle: &&Puzzle| solver.solve(&puzzle.board).unwrap().moves() == Some(31);
        assert_eq!(generated(&rare, 2).unwrap().iter().filter(is_hardest).count(), 1);
    }

    /// 90,792 boards of 3×3 are different up to reflection. A request for one more fails before any
    /// board is made.
    #[test]
    fn impossible_counts_are_rejected_at_once() {
        let refused = |repeats, count| Generator::new(Spec { repeats, ..spec(3, 3, count) }, &Solver::new()).is_err();
        assert!(refused(Repeats::ReflectionsAvoided, 90_793) && !refused(Repeats::ReflectionsAvoided, 90_792));
        assert!(refused(Repeats::ExactAvoided, 181_441) && !refused(Repeats::ExactAvoided, 181_440));
        assert!(!refused(Repeats::Allowed, u64::MAX));
    }

    /// Finds all 360 boards of 2×3. None is a duplicate, because no reflection keeps the goal's
    /// blank in place.
    #[test]
    fn every_board_in_a_range_of_lengths_is_found() {
        let spec = Spec { moves: Some(0..=99), repeats: Repeats::ReflectionsAvoided, ..spec(2, 3, 360) };
        let puzzles: HashSet<Puzzle> = generated(&spec, 2).unwrap().into_iter().collect();
        assert_eq!(puzzles.len(), 360);
    }

    #[test]
    fn shares_are_even_up_to_their_limits() {
        assert_eq!(even_shares(10, &[u64::MAX; 3]), [4, 3, 3]);
        assert_eq!(even_shares(2, &[u64::MAX; 3]), [1, 1, 0]);
        assert_eq!(even_shares(100, &[2, u64::MAX, 10]), [2, 88, 10]);
        assert_eq!(even_shares(100, &[2, 3]), [2, 3]);
        assert_eq!(even_shares(0, &[2, 3]), [0, 0]);
        assert_eq!(even_shares(7, &[0, 3, 9]), [0, 3, 4]);
    }
}
