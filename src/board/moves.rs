//! Moves and paths. Moves are named by the direction of the *blank*. Their order defines which of
//! several shortest paths is canonical.

use std::fmt;

use smallvec::SmallVec;

use super::Error;

/// A move of the blank. The variants are ordered by their letters, D < L < R < U. The *canonical*
/// path of a board is the first of its shortest paths in the alphabetical order of these letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Move {
    /// The blank moves down, and the tile below it moves up.
    Down = 0,
    /// The blank moves left.
    Left = 1,
    /// The blank moves right.
    Right = 2,
    /// The blank moves up, and the tile above it moves down.
    Up = 3,
}

impl Move {
    /// Every move, in the order of the letters.
    pub const ALL: [Move; 4] = [Move::Down, Move::Left, Move::Right, Move::Up];

    /// Returns the move that undoes this one.
    #[inline]
    #[must_use]
    pub const fn inverse(self) -> Move {
        Move::from_index(3 - self as u8)
    }

    /// Returns the move whose index in [`Move::ALL`] is the low two bits of `index`.
    #[inline]
    pub const fn from_index(index: u8) -> Move {
        match index & 3 {
            0 => Move::Down,
            1 => Move::Left,
            2 => Move::Right,
            _ => Move::Up,
        }
    }

    /// Returns the index of the move in [`Move::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the letter of the move: `D`, `L`, `R` or `U`.
    #[inline]
    pub const fn letter(self) -> u8 {
        b"DLRU"[self as usize]
    }

    /// Returns the move for a letter, in upper or lower case.
    pub const fn from_letter(letter: u8) -> Option<Move> {
        match letter {
            b'D' | b'd' => Some(Move::Down),
            b'L' | b'l' => Some(Move::Left),
            b'R' | b'r' => Some(Move::Right),
            b'U' | b'u' => Some(Move::Up),
            _ => None,
        }
    }
}

/// A sequence of moves of the blank, stored as letters.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Path {
    letters: SmallVec<[u8; 88]>,
}

impl Path {
    /// Returns the empty path.
    pub fn new() -> Path {
        Path::default()
    }

    /// Returns the number of moves.
    #[inline]
    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// Returns true if the path has no moves.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, step: Move) {
        self.letters.push(step.letter());
    }

    /// Appends a move or, if this move would undo the last one, removes the last one instead.
    #[inline]
    pub(crate) fn push_or_cancel(&mut self, step: Move) {
        if self.letters.last() == Some(&step.inverse().letter()) {
            self.letters.pop();
        } else {
            self.push(step);
        }
    }

    /// Replaces the path with these letters, each of which must be one of `DLRU`.
    #[inline]
    pub(crate) fn assign(&mut self, letters: &[u8]) {
        debug_assert!(letters.iter().all(|letter| b"DLRU".contains(letter)));
        self.letters.clear();
        self.letters.extend_from_slice(letters);
    }

    /// Removes all moves but keeps the allocated memory.
    #[inline]
    pub fn clear(&mut self) {
        self.letters.clear();
    }

    /// Returns the path's letters, one of `DLRU` per move.
    #[inline]
    pub fn letters(&self) -> &[u8] {
        &self.letters
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        // The letters are always ASCII.
        std::str::from_utf8(&self.letters).unwrap_or_default()
    }

    /// Returns the moves in order.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + '_ {
        self.letters.iter().filter_map(|&letter| Move::from_letter(letter))
    }

    /// Reverses the order of the moves. The moves themselves do not change.
    pub fn reverse(&mut self) {
        self.letters.reverse();
    }
}

impl FromIterator<Move> for Path {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Path {
        Path { letters: moves.into_iter().map(Move::letter).collect() }
    }
}

impl Extend<Move> for Path {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        self.letters.extend(moves.into_iter().map(Move::letter));
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.letters.iter().try_for_each(|&letter| fmt::Write::write_char(f, char::from(letter)))
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads the letters of moves, in upper or lower case.
impl std::str::FromStr for Path {
    type Err = Error;

    fn from_str(text: &str) -> Result<Path, Error> {
        let step = |letter: char| {
            u8::try_from(letter)
                .ok()
                .and_then(Move::from_letter)
                .ok_or_else(|| Error::invalid(format!("'{letter}' is not a move: expected one of D, L, R, U")))
        };
        text.chars().map(step).collect()
    }
}

/// The first moves of all shortest paths of a board, and the length of the beginning that all these
/// paths share.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Beginning {
    /// The different first moves, in the order of their letters; empty for the goal.
    pub first_moves: Vec<Move>,
    /// The number of moves at the beginning that are the same in all shortest paths.
    pub forced: usize,
}

impl Beginning {
    /// Creates a beginning from the different first moves and the number of shared moves.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_letters_and_inverses_agree() {
        for (i, step) in Move::ALL.into_iter().enumerate() {
            assert_eq!(step.index(), i);
            assert_eq!(Move::from_index(i as u8), step);
            assert_eq!(Move::from_letter(step.letter()), Some(step));
            assert_eq!(step.inverse().inverse(), step);
        }
        assert!(Move::ALL.is_sorted_by_key(|step| step.letter()));
        assert_eq!(Move::Down.inverse(), Move::Up);
        assert_eq!(Move::Left.inverse(), Move::Right);
    }

    #[test]
    fn displayed_paths_parse_back() {
        let path: Path = "dLRu".parse().unwrap();
        assert_eq!(path.to_string(), "DLRU");
        assert_eq!(path.moves().collect::<Path>(), path);
        assert!("DX".parse::<Path>().is_err());
        assert!("DLRU".parse::<Path>().unwrap() < "DLU".parse().unwrap());
    }
}
