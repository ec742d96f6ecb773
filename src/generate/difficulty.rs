//! Boards of an exact difficulty: so many moves in the shortest solution, and none fewer.
//!
//! Three ways, by what the shape allows, and each board is solved or was found by a search from the goal:
//!
//! - *From a list* ([`Pool`]): all boards at these distances, where they are no more than some millions.
//! - *By rejection*: boards drawn evenly from all, solved, and kept when they are of the difficulty. So they are drawn evenly
//!   from those at these distances too. Where that is what one board in a thousand is, or a full table solves a million a second.
//! - *By walking*: else. A number of moves is drawn; a walk goes that far from the goal, is solved, and goes on for what is
//!   missing, until nothing is; it can never go too far. Above what random boards need, the walk goes from
//!   the farthest boards that are known towards the goal. Boards found so are not equally likely, and those near
//!   farthest boards that are not known are not met.
//! - *As known*: the farthest boards themselves are drawn from those that are kept.

use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};

use super::Error;
use super::farthest::{farthest, line_end, on_line};
use super::pool::{Pool, TooMany};
use super::random::Draw;
use super::uniform::{Kind, of_kind, walk};
use crate::board::{Board, Cell, MAX_SEARCH_CELLS, Shape};
use crate::desk::Desk;
use crate::engine::descent;
use crate::frame::{Frame, Space};
use crate::solver::Solvers;

/// The most states that are held while a list is made.
const MOST: usize = 1 << 22;

/// How often a walk goes on before it begins anew.
const LEGS: usize = 256;

/// The most moves of boards for which nothing is known of the usual number: harder ones take too long to be solved for certain.
const WALKED: u16 = 80;

/// Distances that at least one board in a thousand has, from the published distributions of the goal with its blank in the
/// corner (logs of SlidingTilesSolver by lightln2, 2022).
const USUAL: [((usize, usize), RangeInclusive<u16>); 4] =
    [((2, 7), 40..=89), ((3, 5), 34..=68), ((2, 8), 54..=112), ((4, 4), 36..=66)];

/// The list of a shape and goal cell, or that it would be too long.
type Listed = Result<Arc<Pool>, TooMany>;

/// How boards of a goal are found.
#[derive(Debug)]
enum Way {
    List(Frame, Arc<Pool>),
    Rejection,
    /// All of them are known.
    Known(Vec<Board>),
    /// From these boards, which are so far from the goal, to boards at these distances.
    Walk(u16, Vec<Board>, RangeInclusive<u16>),
}

/// Boards at some distances from any goal.
#[derive(Debug)]
pub struct Difficulty {
    moves: RangeInclusive<u16>,
    pools: Mutex<HashMap<(Shape, Cell), Listed>>,
    ways: Mutex<HashMap<Board, Arc<Way>>>,
}

impl Difficulty {
    /// Boards whose shortest solutions have so many moves.
    pub fn new(moves: RangeInclusive<u16>) -> Difficulty {
        Difficulty { moves, pools: Mutex::default(), ways: Mutex::default() }
    }

    /// One try for a board of a goal; `None`: it was of another difficulty.
    ///
    /// # Errors
    /// When there are none, or none that could be found; when the program fails on a board.
    pub fn attempt(
        &self,
        goal: &Board,
        solvers: &Solvers,
        desk: &mut Desk,
        draw: &mut Draw,
    ) -> Result<Option<Board>, Error> {
        match &*self.way(goal)? {
            Way::List(frame, pool) => Ok(Some(frame.board(&pool.state(draw.index(pool.len()))))),
            Way::Rejection => {
                let board = of_kind(Kind::Solvable, goal, draw);
                let moves = distance(&board, goal, solvers, desk)?;
                Ok(self.moves.contains(&moves).then_some(board))
            }
            Way::Known(boards) => Ok(Some(boards[draw.index(boards.len())].clone())),
            Way::Walk(far, from, moves) => {
                let (least, most) = moves.clone().into_inner();
                let wanted = least + draw.below(u64::from(most - least) + 1) as u16;
                let (mut board, mut at, mut last) = (from[draw.index(from.len())].clone(), *far, None);
                for _ in 0..LEGS {
                    if at == wanted {
                        return Ok(Some(board));
                    }
                    board = walk(board, u64::from(at.abs_diff(wanted)), &mut last, draw);
                    at = distance(&board, goal, solvers, desk)?;
                }
                Ok(None)
            }
        }
    }

    /// How many boards there are to draw from, where they are in a list.
    pub fn listed(&self, goal: &Board) -> Result<Option<usize>, Error> {
        Ok(match &*self.way(goal)? {
            Way::List(_, pool) => Some(pool.len()),
            Way::Known(boards) => Some(boards.len()),
            Way::Rejection | Way::Walk(..) => None,
        })
    }

    /// Every board there is to draw from, where they are in a list.
    pub fn all(&self, goal: &Board) -> Result<Option<Vec<Board>>, Error> {
        Ok(match &*self.way(goal)? {
            Way::List(frame, pool) => Some((0..pool.len()).map(|index| frame.board(&pool.state(index))).collect()),
            Way::Known(boards) => Some(boards.clone()),
            Way::Rejection | Way::Walk(..) => None,
        })
    }

    fn way(&self, goal: &Board) -> Result<Arc<Way>, Error> {
        if let Some(way) = lock(&self.ways).get(goal) {
            return Ok(Arc::clone(way));
        }
        let way = Arc::new(self.choose(goal)?);
        let mut ways = lock(&self.ways);
        // Goals are as many as boards where each has its own: those are not worth being remembered.
        if ways.len() < 64 {
            ways.insert(goal.clone(), Arc::clone(&way));
        }
        Ok(way)
    }

    fn choose(&self, goal: &Board) -> Result<Way, Error> {
        let shape = goal.shape();
        // Shorter ones are in a list, as they were made from the first seed on.
        if shape.is_line() && shape.cells() > MAX_SEARCH_CELLS {
            let boards = on_line(goal, &self.moves);
            let farthest = line_end(goal);
            return if boards.is_empty() { Err(Error::NoneSoFar { shape, farthest }) } else { Ok(Way::Known(boards)) };
        }
        let frame = Frame::new(goal).ok_or(Error::TooLarge(shape))?;
        let space = frame.space();
        let key = (space.shape, space.goal_blank);
        let pool = lock(&self.pools).entry(key).or_insert_with(|| self.pool(space)).clone();
        match pool {
            Ok(pool) if pool.is_empty() => return Err(Error::NoneSoFar { shape, farthest: pool.last().0 }),
            Ok(pool) => return Ok(Way::List(frame, pool)),
            Err(TooMany(_)) => {}
        }
        let (least, most) = self.moves.clone().into_inner();
        let known = farthest(goal);
        match known {
            Some((far, _)) if least > far => return Err(Error::NoneSoFar { shape, farthest: far }),
            Some((far, boards)) if least == far => return Ok(Way::Known(boards)),
            _ => {}
        }
        if descent::is_for(frame.space().shape) {
            return Ok(Way::Rejection);
        }
        match (usual(frame.space().shape), known) {
            (Some(usual), _) if least <= *usual.end() && *usual.start() <= most => Ok(Way::Rejection),
            (Some(usual), Some((far, boards))) if least > *usual.end() => {
                Ok(Way::Walk(far, boards, least..=most.min(far)))
            }
            (Some(usual), None) if least > *usual.end() => Err(Error::NotKnown { shape, usual: *usual.end() }),
            (None, _) if least > WALKED => Err(Error::TooHard { shape, most: WALKED }),
            (None, _) => Ok(Way::Walk(0, vec![goal.clone()], least..=most.min(WALKED))),
            (Some(_), _) => Ok(Way::Walk(0, vec![goal.clone()], least..=most)),
        }
    }

    fn pool(&self, space: &Space) -> Listed {
        Pool::search(space, &self.moves, MOST).map(Arc::new)
    }
}

fn usual(shape: Shape) -> Option<RangeInclusive<u16>> {
    let of = |&((rows, cols), _): &((usize, usize), _)| Shape::new(rows, cols) == Some(shape);
    USUAL.iter().find(|row| of(row)).map(|(_, moves)| moves.clone())
}

fn distance(board: &Board, goal: &Board, solvers: &Solvers, desk: &mut Desk) -> Result<u16, Error> {
    let path = desk.unlimited(solvers, board, goal).map_err(|why| Error::Fault(board.to_string(), why))?;
    path.map(|path| path.len() as u16).ok_or(Error::TooLarge(board.shape()))
}

fn lock<T>(what: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::GoalSpec;

    fn goal(rows: usize, cols: usize, spec: &str) -> Board {
        spec.parse::<GoalSpec>().unwrap().on(Shape::new(rows, cols).unwrap()).unwrap()
    }

    fn solvers() -> Solvers {
        Solvers::new(Default::default(), 1, 1 << 30)
    }

    /// Depth 24 of the 3×3 has 24,047 boards (OEIS A089473): 10⁵ draws, put in 100 bins by where the boards stand in the
    /// list, hit each bin evenly. Chi-square with 99 degrees of freedom: mean 99, deviation 14.
    #[test]
    fn a_depth_is_drawn_from_evenly() {
        let (goal, solvers, difficulty) = (goal(3, 3, "blank-last"), solvers(), Difficulty::new(24..=24));
        let all = difficulty.all(&goal).unwrap().unwrap();
        assert_eq!(all.len(), 24_047);
        let place: HashMap<&Board, usize> = all.iter().enumerate().map(|(i, board)| (board, i)).collect();
        let (mut counts, mut desk) = ([0f64; 100], Desk::default());
        for number in 0..100_000 {
            let drawn = difficulty.attempt(&goal, &solvers, &mut desk, &mut Draw::new(24, number)).unwrap().unwrap();
            counts[place[&drawn] * 100 / all.len()] += 1.0;
        }
        let size = |bin: usize| (0..all.len()).filter(|place| place * 100 / all.len() == bin).count() as f64;
        let expected = |bin| size(bin) * 100_000.0 / all.len() as f64;
        let chi_square: f64 =
            counts.iter().enumerate().map(|(bin, count)| (count - expected(bin)).powi(2) / expected(bin)).sum();
        assert!((43.0..155.0).contains(&chi_square), "{chi_square}");
    }

    /// Each way gives boards that are exactly as far, whatever the goal.
    #[test]
    fn every_way_is_exact() {
        let (solvers, mut desk) = (solvers(), Desk::default());
        for (rows, cols, spec, moves) in [
            (3, 3, "snail", 17..=19),
            (4, 2, "blank-first", 36..=40),
            (4, 4, "blank-last", 12..=12),
            (4, 4, "snail", 26..=27),
            (4, 4, "blank-first", 45..=48),
            (4, 4, "blank-last", 76..=80),
            (4, 4, "blank-last", 80..=90),
            (2, 6, "blank-first", 80..=80),
            (5, 5, "blank-last", 30..=30),
            (1, 6, "blank-last", 2..=5),
            (1, 80, "blank-first", 40..=79),
            (255, 1, "blank-last", 254..=300),
        ] {
            let (goal, difficulty) = (goal(rows, cols, spec), Difficulty::new(moves.clone()));
            let mut found = 0;
            for number in 0..200 {
                let draw = &mut Draw::new(9, number);
                let Some(board) = difficulty.attempt(&goal, &solvers, &mut desk, draw).unwrap() else { continue };
                assert!(moves.contains(&distance(&board, &goal, &solvers, &mut desk).unwrap()), "{board}");
                found += 1;
                if found == 3 {
                    break;
                }
            }
            assert_eq!(found, 3, "{rows}x{cols} {moves:?}");
        }
    }

    #[test]
    fn what_there_is_not_is_told() {
        let told = |rows, cols, moves| {
            let tried = Difficulty::new(moves).attempt(
                &goal(rows, cols, "blank-last"),
                &solvers(),
                &mut Desk::default(),
                &mut Draw::new(0, 0),
            );
            tried.unwrap_err().to_string()
        };
        assert_eq!(told(3, 3, 32..=40), "no 3x3 board needs so many moves: the farthest need 31");
        assert_eq!(told(3, 4, 54..=54), "no 3x4 board needs so many moves: the farthest need 53");
        assert!(told(5, 5, 81..=90).contains("more than 80"));
        assert_eq!(told(4, 4, 81..=90), "no 4x4 board needs so many moves: the farthest need 80");
        assert!(told(6, 6, 1..=2).contains("6x6"));
        assert_eq!(told(1, 30, 30..=40), "no 1x30 board needs so many moves: the farthest need 29");
        assert!(told(3, 5, 80..=84).contains("68"));
    }
}
