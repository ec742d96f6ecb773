//! A list of shortest paths of a board, and the moves with which all its shortest paths begin.

use super::{Move, Path};

/// The beginnings of all shortest paths of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Beginning {
    /// The different first moves, in the order of their letters; empty for the goal.
    pub first_moves: Vec<Move>,
    /// The number of moves at the beginning that all paths share.
    pub forced: usize,
}

impl Beginning {
    /// Creates the beginnings from the different first moves and the number of shared moves.
    pub fn new(first_moves: Vec<Move>, forced: usize) -> Beginning {
        Beginning { first_moves, forced }
    }
}

/// Paths of the same length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathList {
    path_length: usize,
    path_count: usize,
    /// The letters of all paths, one path after the other.
    letters: Vec<u8>,
}

impl PathList {
    /// Returns an empty list of paths with this number of moves.
    pub fn new(moves: usize) -> PathList {
        PathList { path_length: moves, path_count: 0, letters: Vec::new() }
    }

    /// Returns a list of only this path; an empty list if `max_paths` is 0.
    pub fn only(path: &Path, max_paths: usize) -> PathList {
        let mut list = PathList::new(path.len());
        if max_paths > 0 {
            list.push(path.letters());
        }
        list
    }

    /// Adds a path by its letters. It must be as long as the other paths.
    pub fn push(&mut self, letters: &[u8]) {
        debug_assert_eq!(letters.len(), self.path_length);
        self.letters.extend_from_slice(letters);
        self.path_count += 1;
    }

    /// Returns the number of paths.
    pub fn len(&self) -> usize {
        self.path_count
    }

    /// Returns the letters of each path.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.path_count).map(|path| &self.letters[path * self.path_length..(path + 1) * self.path_length])
    }
}
