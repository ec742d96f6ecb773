//! The notation of paths: upper or lower case letters, runs of letters, words, or the numbers of
//! the tiles that move. Letters and words name the direction in which the blank or the tile moves.
//!
//! Inside the crate, a path always consists of the moves of the blank, in the letters `DLRU`. This
//! module converts paths to and from the notations of judges, courses and papers.

mod notation;

use std::borrow::Cow;

use serde::Deserialize;

use super::text::some_separator;
use crate::board::tokens::quoted;
use crate::board::{Board, Cell, Move, Path, Shape};
use crate::format::input::number;

pub use notation::{MovingPiece, Notation};

/// The form of a written path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spelling {
    /// The notation of a move.
    pub notation: Notation,
    /// The moving piece. It does not affect the notation by tile numbers.
    #[serde(rename = "of")]
    pub piece: MovingPiece,
    /// The text between two moves on one line, or `None` for the default of the notation.
    #[serde(deserialize_with = "some_separator")]
    pub between: Option<&'static str>,
}

/// The longest run: from one edge of the widest board to the other.
const MAX_RUN: usize = Shape::MAX_SIDE - 1;

impl Spelling {
    /// Creates a spelling in this notation with its default separator.
    pub const fn new(notation: Notation, piece: MovingPiece) -> Spelling {
        Spelling { notation, piece, between: None }
    }

    /// Returns the text between two moves on one line: by default nothing between single
    /// characters, a space between words or numbers. Runs are never separated.
    fn between(&self) -> &'static str {
        match self.notation {
            Notation::Runs => "",
            Notation::Upper | Notation::Lower => self.between.unwrap_or_default(),
            Notation::Words | Notation::Tiles => self.between.unwrap_or(" "),
        }
    }

    /// Replaces the notation or the moving piece, if given. If the notation changes, the default
    /// separator of the new notation replaces the present one.
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
        self.notation != Notation::Tiles || !self.between().is_empty() || cells <= 10
    }

    /// Returns the maximum number of bytes per move, including the text before the move.
    pub fn max_move_bytes(&self) -> usize {
        let word = match self.notation {
            Notation::Upper | Notation::Lower | Notation::Runs => 1,
            Notation::Words | Notation::Tiles => 5,
        };
        word + self.between().len()
    }

    /// Appends a path of a board on one line.
    pub fn write(&self, board: &Board, path: &Path, out: &mut Vec<u8>) {
        if *self == Spelling::default() {
            return out.extend_from_slice(path.letters());
        }
        let (words, mut number) = (self.notation.words(), itoa::Buffer::new());
        // Only `Notation::Tiles` needs the board after each move. The board is copied before the
        // first move.
        let mut board = Cow::Borrowed(board);
        // Only `Notation::Runs` joins equal moves.
        let is_run = |last: &u8, next: &u8| self.notation == Notation::Runs && last == next;
        let runs = path.letters().chunk_by(is_run).filter_map(|run| Some((Move::from_letter(run[0])?, run.len())));
        for (nth, (step, times)) in runs.enumerate() {
            if nth > 0 {
                out.extend_from_slice(self.between().as_bytes());
            }
            match words {
                Some(words) => out.extend_from_slice(words[self.convert(step).index()].as_bytes()),
                None => {
                    let blank = board.blank();
                    // A verified path never leaves the board.
                    board.to_mut().make(step);
                    out.extend_from_slice(number.format(board.tiles()[blank.index()].label()).as_bytes());
                }
            }
            if times > 1 {
                out.extend_from_slice(number.format(times).as_bytes());
            }
        }
    }

    /// Appends a path of a board, one move per line.
    pub fn write_lines(&self, board: &Board, path: &Path, out: &mut Vec<u8>) {
        self.on_lines().write(board, path, out);
        if !path.is_empty() {
            out.push(b'\n');
        }
    }

    /// Returns the form of a path with one move per line. This form has no runs.
    fn on_lines(&self) -> Spelling {
        let notation = if self.notation == Notation::Runs { Notation::Upper } else { self.notation };
        Spelling { notation, between: Some("\n"), ..*self }
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
    /// Letters are read without separators. Words and tile numbers are separated by spaces, tabs or
    /// the separator of the spelling, with two exceptions: on boards of up to 10 cells, tile
    /// numbers with an empty separator have one digit each, and tile numbers with the separator `,`
    /// must be the elements of a JSON array.
    ///
    /// # Errors
    /// A message with the text found instead of a move. A path that leaves the board is not an
    /// error here. Nor is a tile that cannot move: the path gets a letter that is not a move, at
    /// which every replay fails.
    pub fn read(&self, board: &Board, text: &[u8], path: &mut Vec<u8>) -> Result<(), String> {
        if self.notation == Notation::Tiles && self.between() == "," {
            let numbers = serde_json::from_slice::<Vec<u64>>(&[b"[", text, b"]"].concat());
            let expected = "numbers of tiles, separated by commas as in JSON";
            let numbers = numbers.map_err(|_| misspelled(text, expected))?;
            return self.follow_tiles(board, numbers.into_iter().map(Ok), path);
        }
        self.read_words(board, self.words(text, board.shape().cells()), path)
    }

    /// Reads a path with one move per line; the inverse of [`Self::write_lines`].
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_lines(&self, board: &Board, text: &[u8], path: &mut Vec<u8>) -> Result<(), String> {
        match text.strip_suffix(b"\n").unwrap_or(text) {
            [] => Ok(()),
            text => self.on_lines().read_words(board, text.split(|&byte| byte == b'\n'), path),
        }
    }

    /// Returns move number `at`, counted from 1, as it is written in `text`, a path of a board with
    /// `cells` cells. `letter` is the letter that was read for this move.
    pub fn move_in(&self, text: &[u8], cells: usize, at: usize, letter: u8) -> String {
        if let (Some(words), Some(step)) = (self.notation.words(), Move::from_letter(letter)) {
            return quoted(words[self.convert(step).index()].as_bytes());
        }
        let mut words = text.split(|&byte| byte == b'\n').flat_map(|line| self.words(line, cells));
        quoted(words.nth(at.saturating_sub(1)).unwrap_or_default())
    }

    /// Splits a line into words: moves, runs or tile numbers.
    fn words<'a>(&self, text: &'a [u8], cells: usize) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        let (notation, between) = (self.notation, self.between());
        let is_separated = matches!(notation, Notation::Words | Notation::Tiles);
        let is_separator =
            move |byte: u8| is_separated && (matches!(byte, b' ' | b'\t') || between.as_bytes().contains(&byte));
        let are_joined = move |&last: &u8, &next: &u8| match notation {
            Notation::Upper | Notation::Lower => false,
            Notation::Runs => next.is_ascii_digit(),
            Notation::Tiles if between.is_empty() && cells <= 10 => false,
            Notation::Words | Notation::Tiles => !is_separator(last) && !is_separator(next),
        };
        text.chunk_by(are_joined).filter(move |word| !is_separator(word[0]))
    }

    fn read_words<'a>(
        &self,
        board: &Board,
        mut words: impl Iterator<Item = &'a [u8]>,
        path: &mut Vec<u8>,
    ) -> Result<(), String> {
        if self.notation == Notation::Tiles {
            let number = |word| number(word).ok_or_else(|| misspelled(word, self.notation.expected()));
            return self.follow_tiles(board, words.map(number), path);
        }
        words.try_for_each(|word| {
            let (step, times) = self.run(word)?;
            path.extend(std::iter::repeat_n(self.convert(step).letter(), times));
            Ok(())
        })
    }

    /// Reads a move as it is written, and the length of its run.
    fn run(&self, word: &[u8]) -> Result<(Move, usize), String> {
        self.notation
            .run(word)
            .filter(|&(_, times)| times <= MAX_RUN)
            .ok_or_else(|| misspelled(word, self.notation.expected()))
    }

    /// Appends the move of each of these tiles, which move one after the other, or [`NO_MOVE`] for
    /// a tile that cannot move.
    fn follow_tiles(
        &self,
        board: &Board,
        mut tiles: impl Iterator<Item = Result<u64, String>>,
        path: &mut Vec<u8>,
    ) -> Result<(), String> {
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
}

fn misspelled(found: &[u8], expected: &str) -> String {
    format!("{} is not a move: expected {expected}", quoted(found))
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
        let tiles = Spelling { between: Some(""), ..Spelling::new(Notation::Tiles, MovingPiece::Blank) };
        assert_eq!(written(tiles), "2312");
        let listed = Spelling { between: Some(","), ..tiles };
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
            result.map(|()| path)
        };
        assert_eq!(read(Notation::Lower, "uD").unwrap_err(), "'D' is not a move: expected one of u, d, l, r");
        assert!(read(Notation::Upper, "U D").is_err());
        assert!(read(Notation::Words, "UP Down").is_err());
        assert!(read(Notation::Tiles, "1 -2").is_err());
        for text in ["0", "99", "123456789012345678901234567890"] {
            match read(Notation::Tiles, text) {
                Ok(path) => assert!(replay::replay(&board, &goal, &path).is_err(), "{text}"),
                Err(error) => assert!(error.contains("the number of a tile"), "{text}"),
            }
        }
    }

    #[test]
    fn runs_are_read_as_they_are_written() {
        let (board, _) = puzzle();
        let spelling = Spelling::new(Notation::Runs, MovingPiece::Blank);
        let expanded = |text: &str| {
            let mut path = Vec::new();
            spelling.read(&board, text.as_bytes(), &mut path).map(|()| String::from_utf8(path).unwrap())
        };
        assert_eq!(expanded("R3U2L").as_deref(), Ok("RRRUUL"));
        assert_eq!(expanded("R12R1").unwrap().len(), 13);
        for (text, found) in [
            ("R0", "R0"),
            ("UR255D", "R255"),
            ("R99999999999999999999999", "R99999999999999999999999"),
            ("r2", "r2"),
            ("2R", "2"),
            ("R 2", " 2"),
        ] {
            let found = format!("{} is not a move", quoted(found.as_bytes()));
            assert!(expanded(text).unwrap_err().starts_with(&found), "{text}");
        }
        let mut out = Vec::new();
        // A separator would make the runs unreadable.
        let spelling = Spelling { between: Some(" "), ..spelling };
        spelling.write(&board, &"RRRUULRR".parse().unwrap(), &mut out);
        assert_eq!(out, b"R3U2LR2");
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
        assert_eq!(moved(Spelling { between: Some(","), ..tiles }, "8, 6,5", 3, NO_MOVE), "'5'");
        assert_eq!(moved(Spelling { between: Some(""), ..tiles }, "865", 3, NO_MOVE), "'5'");
    }

    #[test]
    fn options_replace_the_notation_and_the_moving_piece() {
        let komal = Spelling { notation: Notation::Tiles, piece: MovingPiece::Blank, between: Some("") };
        assert_eq!(komal.with(None, None), komal);
        assert_eq!(komal.with(Some(Notation::Tiles), None), komal);
        assert_eq!(komal.with(Some(Notation::Words), Some(MovingPiece::Tile)).between(), " ");
        assert_eq!(Spelling::default().with(None, Some(MovingPiece::Tile)).piece, MovingPiece::Tile);
    }
}
