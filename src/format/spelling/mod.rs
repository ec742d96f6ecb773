//! The notation of paths: upper or lower case letters, runs of letters, words, or the numbers of
//! the tiles that move. Letters and words name the direction in which the blank or the tile moves.
//!
//! Inside the crate, a path always consists of the moves of the blank, in the letters `DLRU`. This
//! module converts paths to and from the notations of judges, courses and papers.

mod notation;
mod runs;

use std::fmt;

use serde::Deserialize;

use super::leaked::some_separator;
use crate::board::tokens::quoted;
use crate::board::{Board, Cell, Move, Path};
use crate::format::input::number;

pub use notation::{MovingPiece, Notation};

/// The form of a written path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(from = "SpellingKeys")]
pub struct Spelling {
    /// The notation of a move.
    pub notation: Notation,
    /// The moving piece. It does not affect the notation by tile numbers.
    pub piece: MovingPiece,
    /// The text between two moves on one line.
    pub between: &'static str,
}

/// The keys of a spelling in a profile.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SpellingKeys {
    #[serde(default)]
    notation: Notation,
    #[serde(default, rename = "of")]
    piece: MovingPiece,
    /// If absent, the usual separator of the notation.
    #[serde(default, deserialize_with = "some_separator")]
    between: Option<&'static str>,
}

impl From<SpellingKeys> for Spelling {
    fn from(keys: SpellingKeys) -> Spelling {
        let usual = Spelling::new(keys.notation, keys.piece);
        Spelling { between: keys.between.unwrap_or(usual.between), ..usual }
    }
}

/// The reason why a text is not a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misspelled {
    /// The text found instead of a move.
    pub found: String,
    /// The valid moves.
    pub expected: &'static str,
}

impl fmt::Display for Misspelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a move: expected {}", self.found, self.expected)
    }
}

impl Spelling {
    /// Creates the usual form of this notation: nothing between single characters, a space between
    /// words or numbers.
    pub const fn new(notation: Notation, piece: MovingPiece) -> Spelling {
        let between = match notation {
            Notation::Upper | Notation::Lower | Notation::Runs => "",
            Notation::Words | Notation::Tiles => " ",
        };
        Spelling { notation, piece, between }
    }

    /// Replaces the notation or the moving piece, if given. If the notation changes, its usual
    /// separator replaces the present one.
    #[must_use]
    pub fn with(self, notation: Option<Notation>, piece: Option<MovingPiece>) -> Spelling {
        let piece = piece.unwrap_or(self.piece);
        match notation {
            Some(notation) if notation != self.notation => Spelling::new(notation, piece),
            _ => Spelling { piece, ..self },
        }
    }

    /// Returns true if written paths of boards with this number of cells can be read back. Tile
    /// numbers without a separator must have one digit.
    pub fn is_readable(&self, cells: usize) -> bool {
        self.notation != Notation::Tiles || !self.between.is_empty() || cells <= 10
    }

    /// Returns the maximum number of bytes per move, including the text before the move.
    pub fn max_move_bytes(&self) -> usize {
        let word = match self.notation {
            Notation::Upper | Notation::Lower | Notation::Runs => 1,
            Notation::Words | Notation::Tiles => 5,
        };
        word + self.between.len()
    }

    /// Appends a path of a board on one line.
    pub fn write(&self, board: &Board, path: &Path, out: &mut Vec<u8>) {
        if self.notation == Notation::Runs {
            return runs::write(path.moves().map(|step| self.convert(step)), out);
        }
        self.write_each(
            board,
            path,
            |first, word, out| {
                if !first {
                    out.extend_from_slice(self.between.as_bytes());
                }
                out.extend_from_slice(word);
            },
            out,
        );
    }

    /// Appends a path of a board, one move per line.
    pub fn write_lines(&self, board: &Board, path: &Path, out: &mut Vec<u8>) {
        self.write_each(
            board,
            path,
            |_, word, out| {
                out.extend_from_slice(word);
                out.push(b'\n');
            },
            out,
        );
    }

    fn write_each(&self, board: &Board, path: &Path, write: impl Fn(bool, &[u8], &mut Vec<u8>), out: &mut Vec<u8>) {
        if let Some(words) = self.notation.words() {
            for (i, step) in path.moves().enumerate() {
                write(i == 0, words[self.convert(step).index()].as_bytes(), out);
            }
            return;
        }
        let (mut board, mut number) = (board.clone(), itoa::Buffer::new());
        for (i, step) in path.moves().enumerate() {
            let blank = board.blank();
            // A verified path never leaves the board.
            if !board.make(step) {
                break;
            }
            let label = board.tiles()[blank.index()].label();
            write(i == 0, number.format(label).as_bytes(), out);
        }
    }

    /// Converts a move of the blank to a move of the moving piece, or back.
    fn convert(&self, step: Move) -> Move {
        match self.piece {
            MovingPiece::Blank => step,
            MovingPiece::Tile => step.inverse(),
        }
    }

    /// Reads a path of a board; the inverse of [`Self::write`].
    ///
    /// Letters have no separators. Words and tile numbers are separated by spaces, tabs or the
    /// separator of the spelling, with two exceptions: tile numbers with an empty separator have
    /// one digit each, and those with the separator `,` must be the elements of a JSON array.
    ///
    /// # Errors
    /// The text found instead of a move. A path that leaves the board is not an error here. Nor is
    /// a tile that cannot move: the path gets a letter that is not a move, at which every replay
    /// fails.
    pub fn read(&self, board: &Board, text: &[u8], path: &mut Vec<u8>) -> Result<(), Misspelled> {
        let words = self.words(text);
        match self.notation {
            Notation::Upper | Notation::Lower => self.read_letters(text, path),
            Notation::Runs => self.read_runs(text, path),
            Notation::Tiles if self.between.is_empty() && self.is_readable(board.shape().cells()) => {
                self.read_words(board, words.flat_map(|word| word.chunks(1)), path)
            }
            Notation::Tiles if self.between == "," => {
                let numbers = serde_json::from_slice::<Vec<u64>>(&[b"[", text, b"]"].concat());
                let expected = "numbers of tiles, separated by commas as in JSON";
                let numbers = numbers.map_err(|_| Misspelled { expected, ..self.misspelled(text) })?;
                self.follow_tiles(board, numbers.into_iter().map(Ok), path)
            }
            Notation::Words | Notation::Tiles => self.read_words(board, words, path),
        }
    }

    /// Returns the number of moves of a path whose board is not known, or `None` if that depends on
    /// the board.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn count(&self, text: &[u8]) -> Result<Option<usize>, Misspelled> {
        let Some(move_words) = self.notation.words() else { return Ok(None) };
        let mut path = Vec::new();
        match self.notation {
            Notation::Upper | Notation::Lower => self.read_letters(text, &mut path)?,
            Notation::Runs => self.read_runs(text, &mut path)?,
            Notation::Words | Notation::Tiles => self.read_move_words(&move_words, self.words(text), &mut path)?,
        }
        Ok(Some(path.len()))
    }

    /// Reads a path with one move per line; the inverse of [`Self::write_lines`].
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_lines(&self, board: &Board, text: &[u8], path: &mut Vec<u8>) -> Result<(), Misspelled> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        match text {
            [] => Ok(()),
            _ => self.read_words(board, text.split(|&byte| byte == b'\n'), path),
        }
    }

    /// Returns move number `at`, counted from 1, as it is written in `text`, a path of a board with
    /// `cells` cells. `letter` is the letter that was read for this move.
    pub fn move_in(&self, text: &[u8], cells: usize, at: usize, letter: u8) -> String {
        if let (Some(words), Some(step)) = (self.notation.words(), Move::from_letter(letter)) {
            return quoted(words[self.convert(step).index()].as_bytes());
        }
        let between = self.between.as_bytes();
        let words = text.split(|byte| byte.is_ascii_whitespace() || between.contains(byte));
        let max_digits = if between.is_empty() && self.is_readable(cells) { 1 } else { usize::MAX };
        quoted(words.flat_map(|word| word.chunks(max_digits)).nth(at.saturating_sub(1)).unwrap_or_default())
    }

    fn read_letters(&self, text: &[u8], path: &mut Vec<u8>) -> Result<(), Misspelled> {
        let upper = self.notation == Notation::Upper;
        path.reserve(text.len());
        for &letter in text {
            match Move::from_letter(letter) {
                Some(step) if letter.is_ascii_uppercase() == upper => path.push(self.convert(step).letter()),
                _ => return Err(self.misspelled(&[letter])),
            }
        }
        Ok(())
    }

    fn read_runs(&self, text: &[u8], path: &mut Vec<u8>) -> Result<(), Misspelled> {
        let letter = |step| self.convert(step).letter();
        runs::read(text, |step, times| path.extend(std::iter::repeat_n(letter(step), times)))
            .map_err(|found| self.misspelled(found))
    }

    fn read_words<'a>(
        &self,
        board: &Board,
        words: impl Iterator<Item = &'a [u8]>,
        path: &mut Vec<u8>,
    ) -> Result<(), Misspelled> {
        match self.notation.words() {
            Some(move_words) => self.read_move_words(&move_words, words, path),
            None => {
                let number = |word| number(word).ok_or_else(|| self.misspelled(word));
                self.follow_tiles(board, words.map(number), path)
            }
        }
    }

    fn read_move_words<'a>(
        &self,
        move_words: &[&str; 4],
        mut words: impl Iterator<Item = &'a [u8]>,
        path: &mut Vec<u8>,
    ) -> Result<(), Misspelled> {
        words.try_for_each(|word| {
            let place = move_words.iter().position(|move_word| move_word.as_bytes() == word);
            let step = Move::ALL[place.ok_or_else(|| self.misspelled(word))?];
            path.push(self.convert(step).letter());
            Ok(())
        })
    }

    fn follow_tiles(
        &self,
        board: &Board,
        mut tiles: impl Iterator<Item = Result<u64, Misspelled>>,
        path: &mut Vec<u8>,
    ) -> Result<(), Misspelled> {
        let (shape, mut blank) = (board.shape(), board.blank());
        let mut cells: Vec<Cell> = vec![blank; shape.cells()];
        for (cell, tile) in board.tiles().iter().enumerate() {
            cells[tile.label()] = Cell::new(cell);
        }
        tiles.try_for_each(|tile| {
            // The blank is not a tile.
            let cell = usize::try_from(tile?).ok().filter(|&tile| tile > 0).and_then(|tile| cells.get_mut(tile));
            let step_to = |cell: Cell| Move::ALL.into_iter().find(|&step| shape.neighbour(blank, step) == Some(cell));
            match cell.and_then(|cell| Some((step_to(*cell)?, cell))) {
                Some((step, cell)) => {
                    path.push(step.letter());
                    std::mem::swap(cell, &mut blank);
                }
                None => path.push(NO_MOVE),
            }
            Ok(())
        })
    }

    /// Splits a line at spaces, tabs and the characters of the separator.
    fn words<'a>(&self, text: &'a [u8]) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let between = self.between.as_bytes();
        text.split(|byte| matches!(byte, b' ' | b'\t') || between.contains(byte)).filter(|word| !word.is_empty())
    }

    fn misspelled(&self, found: &[u8]) -> Misspelled {
        let expected = match self.notation {
            Notation::Upper => "one of U, D, L, R",
            Notation::Runs => "one of U, D, L, R, optionally followed by a count from 1 to 254",
            Notation::Lower => "one of u, d, l, r",
            Notation::Words => "one of UP, DOWN, LEFT, RIGHT",
            Notation::Tiles => "the number of a tile",
        };
        Misspelled { found: quoted(found), expected }
    }
}

/// The letter in a path for a tile that cannot move.
const NO_MOVE: u8 = b'?';

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::replay;
    use crate::board::{Goal, Shape};

    fn spellings() -> impl Iterator<Item = Spelling> {
        let each = |notation| [MovingPiece::Blank, MovingPiece::Tile].map(|piece| Spelling::new(notation, piece));
        Notation::ALL.into_iter().flat_map(each)
    }

    /// Returns a board of three rows, and a path to the goal.
    fn puzzle() -> (Board, Path) {
        let goal = Goal::BlankLast.on(Shape::new(3, 4).unwrap()).unwrap();
        let back: Path = "LLURULLDDRRUURDD".parse().unwrap();
        let board = back.moves().fold(goal, |board, step| board.after(step).unwrap());
        (board, back.moves().rev().map(Move::inverse).collect())
    }

    #[test]
    fn every_notation_is_read_back() {
        let (board, path) = puzzle();
        for spelling in spellings() {
            let (mut text, mut read) = (Vec::new(), Vec::new());
            spelling.write(&board, &path, &mut text);
            spelling.read(&board, &text, &mut read).unwrap();
            assert_eq!(read, path.letters(), "{spelling:?}");
            let counted = (spelling.notation != Notation::Tiles).then_some(path.len());
            assert_eq!(spelling.count(&text), Ok(counted), "{spelling:?}");
            text.clear();
            read.clear();
            spelling.write_lines(&board, &path, &mut text);
            spelling.read_lines(&board, &text, &mut read).unwrap();
            assert_eq!(read, path.letters(), "{spelling:?}, one move per line");
        }
    }

    #[test]
    fn notations_match_examples() {
        let board = Board::new(Shape::new(2, 2).unwrap(), &[3, 1, 2, 0].map(crate::board::Tile::new)).unwrap();
        let path: Path = "LURD".parse().unwrap();
        let written = |spelling: Spelling| {
            let mut text = Vec::new();
            spelling.write(&board, &path, &mut text);
            String::from_utf8(text).unwrap()
        };
        let expected = [
            "LURD",
            "RDLU",
            "lurd",
            "rdlu",
            "LEFT UP RIGHT DOWN",
            "RIGHT DOWN LEFT UP",
            "2 3 1 2",
            "2 3 1 2",
            "LURD",
            "RDLU",
        ];
        assert_eq!(spellings().map(written).collect::<Vec<_>>(), expected);
        let tiles = Spelling { between: "", ..Spelling::new(Notation::Tiles, MovingPiece::Blank) };
        assert_eq!(written(tiles), "2312");
        let listed = Spelling { between: ",", ..tiles };
        let mut read = Vec::new();
        listed.read(&board, b"2,3, 1,2", &mut read).unwrap();
        assert_eq!((written(listed), &*read), ("2,3,1,2".into(), path.letters()));
        read.clear();
        listed.read(&board, b"2,3,1,0", &mut read).unwrap();
        assert_eq!(read, b"LUR?", "the blank is not a tile");
        for invalid in ["2,3,,1,2", "2,3,1,2,", ",2", "2 3", "02,3", "2.0", "\"2\"", "2],[3"] {
            assert!(listed.read(&board, invalid.as_bytes(), &mut read).is_err(), "{invalid}");
        }
        let mut lines = Vec::new();
        Spelling::new(Notation::Words, MovingPiece::Tile).write_lines(&board, &path, &mut lines);
        assert_eq!(lines, b"RIGHT\nDOWN\nLEFT\nUP\n");
    }

    #[test]
    fn unknown_moves_are_errors_and_impossible_moves_fail_the_replay() {
        let (board, _) = puzzle();
        let goal = Goal::BlankLast.on(board.shape()).unwrap();
        let read = |notation, text: &str| {
            let mut path = Vec::new();
            let result = Spelling::new(notation, MovingPiece::Blank).read(&board, text.as_bytes(), &mut path);
            result.map(|()| path).map_err(|error| error.to_string())
        };
        assert_eq!(read(Notation::Lower, "uD").unwrap_err(), "'D' is not a move: expected one of u, d, l, r");
        assert!(read(Notation::Upper, "U D").is_err());
        assert!(read(Notation::Words, "UP Down").is_err());
        for (notation, text) in [(Notation::Upper, "Ud"), (Notation::Lower, "uD"), (Notation::Words, "UP Down")] {
            let counted =
                Spelling::new(notation, MovingPiece::Blank).count(text.as_bytes()).map_err(|error| error.to_string());
            assert_eq!(counted, Err(read(notation, text).unwrap_err()));
        }
        assert!(read(Notation::Tiles, "1 -2").is_err());
        for text in ["0", "99", "123456789012345678901234567890"] {
            match read(Notation::Tiles, text) {
                Ok(path) => assert!(replay::replay(&board, &goal, &path).is_err(), "{text}"),
                Err(error) => assert!(error.contains("the number of a tile"), "{text}"),
            }
        }
    }

    /// Illegal moves are quoted as they were written.
    #[test]
    fn moves_are_found_in_a_text() {
        let spelling = |notation, piece| Spelling::new(notation, piece);
        let moved = |spelling: Spelling, text: &str, at, letter| spelling.move_in(text.as_bytes(), 9, at, letter);
        assert_eq!(moved(spelling(Notation::Lower, MovingPiece::Tile), "du", 2, b'D'), "'u'");
        assert_eq!(moved(spelling(Notation::Words, MovingPiece::Blank), "UP\nDOWN\n", 2, b'D'), "'DOWN'");
        assert_eq!(moved(spelling(Notation::Runs, MovingPiece::Blank), "R3U", 4, b'U'), "'U'");
        let tiles = spelling(Notation::Tiles, MovingPiece::Blank);
        assert_eq!(moved(tiles, "8  6 5", 2, NO_MOVE), "'6'");
        assert_eq!(moved(tiles, "8\n6\n", 2, NO_MOVE), "'6'");
        assert_eq!(moved(Spelling { between: ",", ..tiles }, "8, 6,5", 3, NO_MOVE), "'5'");
        assert_eq!(moved(Spelling { between: "", ..tiles }, "865", 3, NO_MOVE), "'5'");
    }

    #[test]
    fn options_replace_the_notation_and_the_moving_piece() {
        let komal = Spelling { notation: Notation::Tiles, piece: MovingPiece::Blank, between: "" };
        assert_eq!(komal.with(None, None), komal);
        assert_eq!(komal.with(Some(Notation::Tiles), None), komal);
        assert_eq!(komal.with(Some(Notation::Words), Some(MovingPiece::Tile)).between, " ");
        assert_eq!(Spelling::default().with(None, Some(MovingPiece::Tile)).piece, MovingPiece::Tile);
    }
}
