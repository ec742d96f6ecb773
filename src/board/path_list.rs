//! Several paths of the same length: those of a board to its goal, the smallest first.

use super::{Move, Path};

/// How all shortest paths of a board begin.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Beginning {
    /// The first moves of all of them, in alphabetical order; none at the goal.
    pub first_moves: Vec<Move>,
    /// The number of moves with which all of them begin.
    pub forced: usize,
}

impl Beginning {
    /// These first moves, and this number of moves with which all paths begin.
    pub fn new(first_moves: Vec<Move>, forced: usize) -> Beginning {
        Beginning { first_moves, forced }
    }
}

/// Paths of the same length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathList {
    moves: usize,
    paths: usize,
    /// The letters of all paths, one behind the other.
    letters: Vec<u8>,
}

impl PathList {
    /// No path; those to come have this number of moves.
    pub fn new(moves: usize) -> PathList {
        PathList { moves, paths: 0, letters: Vec::new() }
    }

    /// This path alone, if any is to be listed.
    pub fn only(path: &Path, most: usize) -> PathList {
        let mut list = PathList::new(path.len());
        if most > 0 {
            list.push(path.letters());
        }
        list
    }

    /// Adds a path by its letters, of which there must be as many as each of the others has.
    pub fn push(&mut self, letters: &[u8]) {
        debug_assert_eq!(letters.len(), self.moves);
        self.letters.extend_from_slice(letters);
        self.paths += 1;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.paths
    }

    /// The letters of each.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.paths).map(|path| &self.letters[path * self.moves..(path + 1) * self.moves])
    }
}
