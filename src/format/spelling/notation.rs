//! The notation of a move, and the moving piece.

use serde::Deserialize;

use crate::board::Move;
use crate::format::input::number;

/// The notation of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notation {
    /// `U`, `D`, `L`, `R`.
    #[default]
    #[serde(rename = "UDLR")]
    Upper,
    /// `u`, `d`, `l`, `r`.
    #[serde(rename = "udlr")]
    Lower,
    /// `UP`, `DOWN`, `LEFT`, `RIGHT`.
    Words,
    /// The number of the tile that moves.
    Tiles,
    /// `U`, `D`, `L` or `R` for each run of equal moves, followed by the length of the run if that
    /// exceeds 1: `R3U2L`.
    Runs,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 5] = [Notation::Upper, Notation::Lower, Notation::Words, Notation::Tiles, Notation::Runs];

    /// Returns the name used in options and profiles.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Upper => "UDLR",
            Notation::Lower => "udlr",
            Notation::Words => "words",
            Notation::Tiles => "tiles",
            Notation::Runs => "runs",
        }
    }

    /// Returns the words for the moves, in the order of [`Move::ALL`], or `None` if moves are
    /// written as the numbers of tiles.
    pub(super) const fn words(self) -> Option<[&'static str; 4]> {
        match self {
            Notation::Upper | Notation::Runs => Some(["D", "L", "R", "U"]),
            Notation::Lower => Some(["d", "l", "r", "u"]),
            Notation::Words => Some(["DOWN", "LEFT", "RIGHT", "UP"]),
            Notation::Tiles => None,
        }
    }

    /// Returns the move that a word names, and the length of its run.
    pub(super) fn run(self, word: &[u8]) -> Option<(Move, usize)> {
        if self == Notation::Words {
            let place = self.words()?.iter().position(|move_word| move_word.as_bytes() == word)?;
            return Some((Move::ALL[place], 1));
        }
        let (&letter, length) = word.split_first()?;
        let step = Move::from_letter(letter).filter(|_| letter.is_ascii_uppercase() == (self != Notation::Lower))?;
        match length {
            [] => Some((step, 1)),
            [b'1'..=b'9', ..] if self == Notation::Runs => Some((step, number(length)? as usize)),
            _ => None,
        }
    }

    /// Returns the valid moves, for messages.
    pub(super) const fn expected(self) -> &'static str {
        match self {
            Notation::Upper => "one of U, D, L, R",
            Notation::Runs => "one of U, D, L, R, optionally followed by a count from 1 to 254",
            Notation::Lower => "one of u, d, l, r",
            Notation::Words => "one of UP, DOWN, LEFT, RIGHT",
            Notation::Tiles => "the number of a tile",
        }
    }
}

/// The piece whose movement a letter or word names. The blank and the tile move in opposite
/// directions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MovingPiece {
    /// The blank.
    #[default]
    Blank,
    /// The tile that slides into the blank.
    Tile,
}

impl MovingPiece {
    /// Returns the name used in options and profiles.
    pub const fn name(self) -> &'static str {
        match self {
            MovingPiece::Blank => "blank",
            MovingPiece::Tile => "tile",
        }
    }
}
