//! Boards of an exact difficulty: the number of moves in their shortest solutions.
//!
//! One of four methods is used, depending on the goal and the requested distances. Every distance
//! is exact, because each board is solved or found by a search from the goal:
//!
//! - *From a list* ([`DistanceLayers`]): a board is drawn from all boards at the requested
//!   distances. Used if only a few million boards lie within the greatest requested distance of the
//!   goal.
//! - *By rejection*: boards are drawn uniformly, solved, and kept if they have the difficulty. The
//!   kept boards are uniform among all boards of the difficulty. Used if at least one board in a
//!   thousand has the difficulty, or if the shape has a full table ([`full_table`]), which solves
//!   about a million boards a second.
//! - *By walking*: used otherwise. A distance is drawn from the requested ones. A random walk
//!   takes that many steps from the goal, and the board where it ends is solved. If this board is
//!   too close to the goal, the walk continues by the missing number of steps. It cannot lead too
//!   far, because each step changes the distance by one. If random boards are usually closer than
//!   requested, the walk starts at a known farthest board instead, and continues while it is too
//!   far from the goal. Boards found by walking are not equally likely. If some farthest boards are
//!   unknown, boards near them may never be found.
//! - *From known boards*: used for the greatest known distance.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use parking_lot::Mutex;

use super::distance::DistanceSolver;
use super::farthest::farthest;
use super::layers::DistanceLayers;
use super::spec::Error;
use super::uniform::{self, BoardKind, random_walk};
use crate::board::distribution::{Distribution, GoalBlank};
use crate::board::frame::Frame;
use crate::board::{Board, Cell, Shape};
use crate::engine::full_table;
use crate::system::Random;

/// The maximum number of states searched for a list.
const MAX_LISTED_STATES: usize = 1 << 22;

/// The maximum number of legs of a walk: its first steps are a leg, and so is each continuation. A
/// candidate whose walk needs more legs fails.
const MAX_LEGS: usize = 256;

/// The maximum number of moves for shapes without a published distribution. Harder boards take too
/// long to solve.
const MAX_WALKED: u16 = 80;

/// If random boards are usually at least this many moves farther than requested, most of them are
/// rejected by a small search ([`Method::Rejection`]).
const MUCH_FARTHER: u16 = 5;

/// The list for a shape and the cell of the goal's blank; `None` if there are too many states.
type Listed = Option<Arc<DistanceLayers>>;

/// The method of finding boards for a goal.
#[derive(Debug)]
enum Method {
    /// All boards of the difficulty.
    List(Frame, Arc<DistanceLayers>),
    /// Random boards, solved and kept if they have the difficulty. With `Some(max)`, nearly all
    /// random boards need more than `max` moves. A small search then proves this for most boards,
    /// and is cheaper than solving the boards.
    Rejection(Option<u16>),
    /// The known farthest boards.
    KnownBoards(Vec<Board>),
    /// Walks that start at these boards, all at this distance from the goal, and end at a distance
    /// in the range.
    Walk(u16, Vec<Board>, RangeInclusive<u16>),
}

/// A difficulty: a range of distances from any goal.
#[derive(Debug)]
pub struct Difficulty {
    moves: RangeInclusive<u16>,
    lists: Mutex<HashMap<(Shape, Cell), Listed>>,
    methods: Mutex<HashMap<Board, Arc<Method>>>,
}

impl Difficulty {
    /// Creates the difficulty of boards whose shortest solutions have these lengths.
    pub fn new(moves: RangeInclusive<u16>) -> Difficulty {
        Difficulty { moves, lists: Mutex::default(), methods: Mutex::default() }
    }

    /// Makes one attempt to find a board for a goal. Returns `None` if the board drawn has another
    /// difficulty, or if the walk needs more than `MAX_LEGS` legs.
    ///
    /// # Errors
    /// When no such boards exist, none can be found, or an internal error occurs.
    pub fn attempt(
        &self,
        goal: &Board,
        distances: &DistanceSolver<'_>,
        rng: &mut Random,
    ) -> Result<Option<Board>, Error> {
        match &*self.method(goal)? {
            Method::List(frame, list) => Ok(Some(frame.board(&list.state(rng.index(list.len()))))),
            &Method::Rejection(nearly_all_beyond) => {
                let board = uniform::board(BoardKind::Solvable, goal, rng);
                let moves = match nearly_all_beyond {
                    None => Some(distances.moves(&board, goal)?),
                    Some(max_moves) => distances.moves_within(&board, goal, max_moves)?,
                };
                Ok(moves.is_some_and(|moves| self.moves.contains(&moves)).then_some(board))
            }
            Method::KnownBoards(boards) => Ok(Some(boards[rng.index(boards.len())].clone())),
            Method::Walk(start_distance, starts, moves) => {
                let (min_moves, max_moves) = moves.clone().into_inner();
                let wanted = min_moves + rng.below(u64::from(max_moves - min_moves) + 1) as u16;
                let mut board = starts[rng.index(starts.len())].clone();
                let (mut distance, mut last) = (*start_distance, None);
                for _ in 0..MAX_LEGS {
                    if distance == wanted {
                        return Ok(Some(board));
                    }
                    board = random_walk(board, u64::from(distance.abs_diff(wanted)), &mut last, rng);
                    distance = distances.moves(&board, goal)?;
                }
                Ok(None)
            }
        }
    }

    /// Returns the number of boards to draw from, if they are in a list.
    ///
    /// # Errors
    /// As [`Self::attempt`].
    pub fn listed_count(&self, goal: &Board) -> Result<Option<usize>, Error> {
        Ok(match &*self.method(goal)? {
            Method::List(_, list) => Some(list.len()),
            Method::KnownBoards(boards) => Some(boards.len()),
            Method::Rejection(_) | Method::Walk(..) => None,
        })
    }

    /// Returns all boards to draw from, if they are in a list.
    ///
    /// # Errors
    /// As [`Self::attempt`].
    pub fn listed_boards(&self, goal: &Board) -> Result<Option<Vec<Board>>, Error> {
        Ok(match &*self.method(goal)? {
            Method::List(frame, list) => Some((0..list.len()).map(|index| frame.board(&list.state(index))).collect()),
            Method::KnownBoards(boards) => Some(boards.clone()),
            Method::Rejection(_) | Method::Walk(..) => None,
        })
    }

    fn method(&self, goal: &Board) -> Result<Arc<Method>, Error> {
        if let Some(method) = self.methods.lock().get(goal) {
            return Ok(Arc::clone(method));
        }
        let method = Arc::new(self.choose(goal)?);
        let mut methods = self.methods.lock();
        // If each board has its own goal, caching more methods is not worth the memory.
        if methods.len() < 64 {
            methods.insert(goal.clone(), Arc::clone(&method));
        }
        Ok(method)
    }

    fn choose(&self, goal: &Board) -> Result<Method, Error> {
        let shape = goal.shape();
        let frame = Frame::new(goal).ok_or(Error::too_large(shape))?;
        let space = frame.space();
        let key = (space.shape, space.goal_blank);
        let search = || match exceeds_list(goal, *self.moves.end()) {
            true => None,
            false => DistanceLayers::search(space, &self.moves, MAX_LISTED_STATES).map(Arc::new),
        };
        let beyond = |farthest: u16| {
            Error::NotFound(format!("no {shape} board needs that many moves: the hardest need {farthest}"))
        };
        let list = self.lists.lock().entry(key).or_insert_with(search).clone();
        match list {
            Some(list) if list.is_empty() => return Err(beyond(list.last().0)),
            Some(list) => return Ok(Method::List(frame, list)),
            None => {}
        }
        let (min_moves, max_moves) = self.moves.clone().into_inner();
        let known_farthest = farthest(goal);
        match known_farthest {
            Some((far, _)) if min_moves > far => return Err(beyond(far)),
            Some((far, boards)) if min_moves == far => return Ok(Method::KnownBoards(boards)),
            _ => {}
        }
        if full_table::is_for(frame.space().shape) {
            return Ok(Method::Rejection(None));
        }
        match (usual(frame.space().shape), known_farthest) {
            (Some(usual), _) if min_moves <= *usual.end() && *usual.start() <= max_moves => {
                let middle = usual.start().midpoint(*usual.end());
                let is_easy = max_moves.saturating_add(MUCH_FARTHER) <= middle;
                Ok(Method::Rejection(is_easy.then_some(max_moves)))
            }
            (Some(usual), Some((far, boards))) if min_moves > *usual.end() => {
                Ok(Method::Walk(far, boards, min_moves..=max_moves.min(far)))
            }
            (Some(usual), None) if min_moves > *usual.end() => Err(Error::NotFound(format!(
                "{shape} boards of more than {} moves are too rare to find at random, and none are known",
                usual.end()
            ))),
            (None, _) if min_moves > MAX_WALKED => Err(Error::Unsupported(format!(
                "{shape} boards of more than {MAX_WALKED} moves take too long to solve"
            ))),
            (None, _) => Ok(Method::Walk(0, vec![goal.clone()], min_moves..=max_moves.min(MAX_WALKED))),
            (Some(_), _) => Ok(Method::Walk(0, vec![goal.clone()], min_moves..=max_moves)),
        }
    }
}

/// Returns true if, according to the published numbers, more states than a list can hold lie within
/// this distance of the goal. A search would find out only after a second.
fn exceeds_list(goal: &Board, max_moves: u16) -> bool {
    let published = Distribution::of(goal.shape(), GoalBlank::of(goal));
    let states = |published: &Distribution| published.boards.iter().take(usize::from(max_moves) + 1).sum::<u64>();
    published.is_some_and(|published| states(published) > MAX_LISTED_STATES as u64)
}

/// Returns the usual distances of random boards for a goal with its blank in a corner: the range
/// from the least to the greatest distance at which there is at least one board in a thousand.
fn usual(shape: Shape) -> Option<RangeInclusive<u16>> {
    let published = Distribution::of(shape, GoalBlank::Corner)?;
    let total = published.total();
    let is_usual = |&boards: &u64| boards * 1000 >= total;
    let (first, last) = (published.boards.iter().position(is_usual)?, published.boards.iter().rposition(is_usual)?);
    Some(first as u16..=last as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Goal;
    use crate::solver::Solver;

    fn goal(rows: usize, cols: usize, spec: &str) -> Board {
        spec.parse::<Goal>().unwrap().on(Shape::new(rows, cols).unwrap()).unwrap()
    }

    fn solver() -> Solver {
        Solver::builder().threads(1).memory(1 << 30).build().unwrap()
    }

    /// There are 24,047 boards of 3×3 at distance 24 (OEIS A089473). 10⁵ draws are put in 100 bins
    /// by the boards' places in the list, and must hit the bins evenly: chi-square with 99 degrees
    /// of freedom has the mean 99 and the standard deviation 14.
    #[test]
    fn draws_from_a_distance_are_uniform() {
        let (goal, solver, difficulty) = (goal(3, 3, "blank-last"), solver(), Difficulty::new(24..=24));
        let distances = DistanceSolver::new(&solver);
        let listed = difficulty.listed_boards(&goal).unwrap().unwrap();
        assert_eq!(listed.len(), 24_047);
        let place: HashMap<&Board, usize> = listed.iter().enumerate().map(|(i, board)| (board, i)).collect();
        let mut counts = [0f64; 100];
        for number in 0..100_000 {
            let drawn = difficulty.attempt(&goal, &distances, &mut Random::stream(24, number)).unwrap().unwrap();
            counts[place[&drawn] * 100 / listed.len()] += 1.0;
        }
        let size = |bin: usize| (0..listed.len()).filter(|place| place * 100 / listed.len() == bin).count() as f64;
        let expected = |bin| size(bin) * 100_000.0 / listed.len() as f64;
        let chi_square: f64 =
            counts.iter().enumerate().map(|(bin, count)| (count - expected(bin)).powi(2) / expected(bin)).sum();
        assert!((43.0..155.0).contains(&chi_square), "{chi_square}");
    }

    /// Draws two boards for each case and checks that they have the requested distances.
    fn check_distances(cases: &[(usize, usize, &str, RangeInclusive<u16>)]) {
        let solver = solver();
        let distances = DistanceSolver::new(&solver);
        for (rows, cols, spec, moves) in cases {
            let (goal, difficulty) = (goal(*rows, *cols, spec), Difficulty::new(moves.clone()));
            let drawn = |number| difficulty.attempt(&goal, &distances, &mut Random::stream(9, number)).unwrap();
            let boards: Vec<Board> = (0..500).filter_map(drawn).take(2).collect();
            assert_eq!(boards.len(), 2, "{rows}x{cols} {moves:?}");
            for board in boards {
                assert!(moves.contains(&distances.moves(&board, &goal).unwrap()), "{board}");
            }
        }
    }

    #[test]
    fn boards_have_the_requested_distance() {
        check_distances(&[
            (3, 3, "snail", 17..=19),
            (4, 2, "blank-first", 36..=40),
            (4, 4, "blank-last", 12..=12),
            // Beyond the list, in the lower half of the usual distances.
            (7, 2, "blank-first", 42..=45),
            (2, 9, "blank-last", 24..=24),
            (1, 6, "blank-last", 2..=5),
            (1, 20, "blank-first", 10..=19),
            (25, 1, "blank-last", 24..=300),
        ]);
    }

    #[test]
    #[ignore = "lists millions of boards; scripts/cross-check runs it"]
    fn boards_beyond_the_list_have_the_requested_distance() {
        // Below the usual distances, and in the middle of them.
        check_distances(&[(2, 7, "blank-last", 36..=38), (2, 7, "blank-last", 62..=63)]);
    }

    #[test]
    #[ignore = "solves 15-puzzles of 80 moves; scripts/cross-check runs it"]
    fn boards_of_the_15_puzzle_have_the_requested_distance() {
        check_distances(&[
            (4, 4, "blank-first", 45..=48),
            (4, 4, "blank-last", 76..=80),
            (4, 4, "blank-last", 80..=90),
        ]);
    }

    #[test]
    fn difficulties_without_boards_are_errors() {
        let solver = solver();
        let distances = DistanceSolver::new(&solver);
        let error = |rows, cols, moves| {
            let goal = goal(rows, cols, "blank-last");
            let tried = Difficulty::new(moves).attempt(&goal, &distances, &mut Random::stream(0, 0));
            tried.unwrap_err().to_string()
        };
        assert_eq!(error(3, 3, 32..=40), "no 3x3 board needs that many moves: the hardest need 31");
        assert_eq!(error(3, 4, 54..=54), "no 3x4 board needs that many moves: the hardest need 53");
        assert!(error(5, 5, 81..=90).contains("more than 80"));
        assert!(error(6, 6, 1..=2).contains("6x6"));
        assert_eq!(error(1, 20, 20..=40), "no 1x20 board needs that many moves: the hardest need 19");
        assert!(error(1, 30, 1..=2).contains("too large"));
        assert!(Difficulty::new(50..=u16::MAX - 1).choose(&goal(4, 4, "blank-last")).is_ok());
    }

    #[test]
    #[ignore = "lists millions of boards; scripts/cross-check runs it"]
    fn a_difficulty_that_is_too_rare_is_an_error() {
        let (goal, solver) = (goal(3, 5, "blank-last"), solver());
        let tried = Difficulty::new(80..=84).attempt(&goal, &DistanceSolver::new(&solver), &mut Random::stream(0, 0));
        assert!(tried.unwrap_err().to_string().contains("68"));
    }
}
