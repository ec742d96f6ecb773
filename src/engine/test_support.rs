//! Boards for the tests of engines. For small boards, a plain breadth-first search finds the
//! canonical paths, with which the paths of the engines are compared.

use crate::board::frame::Space;
use crate::board::{Board, Move, Path, Ranking, Shape, Solvable, State, Tile, is_solvable};
use crate::system::Random;

/// Returns the board with these labels, row by row.
pub fn board_of(shape: Shape, labels: &[usize]) -> Board {
    Board::new(shape, &labels.iter().map(|&label| Tile::new(label)).collect::<Vec<_>>()).unwrap()
}

/// Returns a random solvable board.
pub fn random_board(shape: Shape, goal: &Board, random: &mut Random) -> Board {
    loop {
        let board = board_of(shape, &random.permutation(shape.cells()));
        if is_solvable(&board, goal) {
            return board;
        }
    }
}

/// The distance of every state of one [`Space`], by rank ([`Ranking`]). A solution follows the
/// smallest letter that leads one move nearer to the goal, which yields the canonical path.
pub struct Reference {
    space: Space,
    ranking: Ranking,
    distances: Vec<u8>,
}

impl Reference {
    /// Searches the whole graph of a space of at most ten cells; `None` for lines.
    pub fn build(space: &Space) -> Option<Reference> {
        assert!(space.shape.cells() <= 10, "{} has too many states", space.shape);
        let ranking = Ranking::new(space.shape, space.goal_blank)?;
        let mut distances = vec![u8::MAX; ranking.states()];
        let (mut depth, mut level) = (0, vec![ranking.rank(&space.goal())]);
        distances[level[0]] = 0;
        while !level.is_empty() {
            depth += 1;
            let mut next_level = Vec::new();
            for rank in level {
                for (.., next) in neighbours(&ranking, space, &ranking.unrank(rank)) {
                    if distances[next] == u8::MAX {
                        distances[next] = depth;
                        next_level.push(next);
                    }
                }
            }
            level = next_level;
        }
        Some(Reference { space: *space, ranking, distances })
    }

    /// Overwrites `path` with the canonical path.
    pub fn solve(&self, start: &Solvable, path: &mut Path) {
        path.clear();
        let mut state = *start.state();
        let mut rank = self.ranking.rank(&state);
        while self.distances[rank] > 0 {
            let is_nearer = |&(.., next): &(Move, State, usize)| self.distances[next] < self.distances[rank];
            let nearer = neighbours(&self.ranking, &self.space, &state).find(is_nearer);
            let (letter, after, next) = nearer.unwrap();
            path.push(letter);
            (state, rank) = (after, next);
        }
    }

    /// Returns the distance of a solvable state in moves.
    pub fn distance(&self, state: &State) -> u16 {
        u16::from(self.distances[self.ranking.rank(state)])
    }
}

/// Returns the states one move away with their ranks, smallest letter first.
fn neighbours(ranking: &Ranking, space: &Space, state: &State) -> impl Iterator<Item = (Move, State, usize)> {
    space.steps(state.blank()).map(|(letter, to)| {
        let mut next = *state;
        next.slide(to);
        (letter, next, ranking.rank(&next))
    })
}
