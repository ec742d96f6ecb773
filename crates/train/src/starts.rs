//! The boards from which beams start: random ones, ends of random walks from the goal, and
//! *members* of earlier beams, which are positions that the beams kept.

use taquin::internal::training::is_solvable;
use taquin::{Board, Cell, Move, Shape, Tile};

use super::random::Random;
use super::recipe::Recipe;

/// The maximum number of members of earlier beams in the pool.
pub(super) const POOL: usize = 4000;
/// Boards are taken from the pool only if the pool has at least this number of members.
const MIN_POOL: usize = 100;
/// Each beam samples members of its layers. On average, one in this many of them is put into the
/// pool.
const SAMPLED_PER_POOLED: u64 = 80;

/// The length of the shortest walks.
const MIN_WALK: usize = 30;

/// The kind of board from which a beam starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Start {
    Random,
    Walk,
    Member,
}

/// A chooser of start boards, with a pool of members of earlier beams.
#[derive(Debug)]
pub(super) struct Starts {
    pub(super) pool: Vec<Vec<u8>>,
}

impl Starts {
    /// Returns the kind of the next board, and the home cell of the tile in each of its cells.
    pub(super) fn next(&mut self, goal: &Board, recipe: &Recipe, random: &mut Random) -> (Start, Vec<u8>) {
        if recipe.is_warm_up || random.below(3) == 0 {
            return (Start::Walk, walk(goal, recipe.walk_spread, random));
        }
        if self.pool.len() < MIN_POOL || random.below(5) == 0 {
            return (Start::Random, random_homes(goal, random));
        }
        let number = random.below(self.pool.len());
        (Start::Member, self.pool.swap_remove(number))
    }

    /// Puts a sampled member into the pool with a small probability.
    pub(super) fn offer(&mut self, homes: &[u8], random: &mut Random) {
        if !random.bits().is_multiple_of(SAMPLED_PER_POOLED) {
            return;
        }
        if self.pool.len() < POOL {
            self.pool.push(homes.to_vec());
        } else {
            let number = random.below(POOL);
            self.pool[number].copy_from_slice(homes);
        }
    }
}

/// Returns the board with these home cells.
pub(super) fn board_of(homes: &[u8], goal: &Board) -> Board {
    let tiles: Vec<Tile> = homes.iter().map(|&home| goal.tiles()[usize::from(home)]).collect();
    Board::new(goal.shape(), &tiles).expect("homes are a permutation of the cells")
}

/// Returns the home cells of a random solvable board.
pub(super) fn random_homes(goal: &Board, random: &mut Random) -> Vec<u8> {
    loop {
        let homes: Vec<u8> = random.permutation(goal.tiles().len()).iter().map(|&home| home as u8).collect();
        if is_solvable(&board_of(&homes, goal), goal) {
            return homes;
        }
    }
}

pub(super) fn random_boards(goal: &Board, seed: u64, count: usize) -> Vec<Board> {
    let mut random = Random(seed);
    (0..count).map(|_| board_of(&random_homes(goal, &mut random), goal)).collect()
}

/// Returns the end of a random walk from the goal. The walk undoes its last move only in a dead
/// end. It has [`MIN_WALK`] moves plus a random number below `spread`.
fn walk(goal: &Board, spread: usize, random: &mut Random) -> Vec<u8> {
    let shape = goal.shape();
    let mut homes: Vec<u8> = (0..shape.cells() as u8).collect();
    let (mut blank, mut last) = (goal.blank(), None);
    for _ in 0..MIN_WALK + random.below(spread) {
        let (step, to) = loop {
            let step = Move::from_index((random.bits() & 3) as u8);
            if last == Some(step.inverse()) && degree(shape, blank) > 1 {
                continue;
            }
            if let Some(to) = shape.neighbour(blank, step) {
                break (step, to);
            }
        };
        homes.swap(blank.index(), to.index());
        (blank, last) = (to, Some(step));
    }
    homes
}

fn degree(shape: Shape, cell: Cell) -> usize {
    Move::ALL.into_iter().filter(|&step| shape.neighbour(cell, step).is_some()).count()
}
