//! What stands for a move, and whose move that is.

use serde::Deserialize;

/// What stands for a move.
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
    /// `U`, `D`, `L`, `R`, each with how often it comes in a row where that is more than once: `R3U2L`.
    Runs,
}

impl Notation {
    /// Every way to spell a move.
    pub const ALL: [Notation; 5] = [Notation::Upper, Notation::Lower, Notation::Words, Notation::Tiles, Notation::Runs];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Upper => "UDLR",
            Notation::Lower => "udlr",
            Notation::Words => "words",
            Notation::Tiles => "tiles",
            Notation::Runs => "runs",
        }
    }

    /// The words for a move, in the order of [`Move::ALL`](crate::board::Move::ALL); none where it is a number.
    pub(super) const fn words(self) -> Option<[&'static str; 4]> {
        match self {
            Notation::Upper | Notation::Runs => Some(["D", "L", "R", "U"]),
            Notation::Lower => Some(["d", "l", "r", "u"]),
            Notation::Words => Some(["DOWN", "LEFT", "RIGHT", "UP"]),
            Notation::Tiles => None,
        }
    }
}

/// Whose movement a letter or word names: they are always opposite.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PathOf {
    /// The blank's.
    #[default]
    Blank,
    /// That of the tile which slides into the blank.
    Tile,
}

impl PathOf {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            PathOf::Blank => "blank",
            PathOf::Tile => "tile",
        }
    }
}
