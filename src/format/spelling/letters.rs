//! What stands for a move, and whose move that is.

use serde::Deserialize;

use std::str::FromStr;

/// What stands for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Letters {
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

impl Letters {
    /// Every way to spell a move.
    pub const ALL: [Letters; 5] = [Letters::Upper, Letters::Lower, Letters::Words, Letters::Tiles, Letters::Runs];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Letters::Upper => "UDLR",
            Letters::Lower => "udlr",
            Letters::Words => "words",
            Letters::Tiles => "tiles",
            Letters::Runs => "runs",
        }
    }

    /// The words for a move, in the order of [`Move::ALL`](crate::board::Move::ALL); none where it is a number.
    pub(super) const fn words(self) -> Option<[&'static str; 4]> {
        match self {
            Letters::Upper | Letters::Runs => Some(["D", "L", "R", "U"]),
            Letters::Lower => Some(["d", "l", "r", "u"]),
            Letters::Words => Some(["DOWN", "LEFT", "RIGHT", "UP"]),
            Letters::Tiles => None,
        }
    }
}

impl FromStr for Letters {
    type Err = String;

    fn from_str(name: &str) -> Result<Letters, String> {
        let named = Letters::ALL.into_iter().find(|letters| letters.name() == name);
        named.ok_or_else(|| "expected udlr, UDLR, words, tiles or runs".into())
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

impl FromStr for PathOf {
    type Err = String;

    fn from_str(name: &str) -> Result<PathOf, String> {
        let named = [PathOf::Blank, PathOf::Tile].into_iter().find(|of| of.name() == name);
        named.ok_or_else(|| "expected blank or tile".into())
    }
}
