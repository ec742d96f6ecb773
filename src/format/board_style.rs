//! The details of written boards that their layout leaves open.

use serde::Deserialize;

use super::leaked::separator;

/// The style of written boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoardStyle {
    /// The text for the blank.
    #[serde(deserialize_with = "separator")]
    pub blank: &'static str,
    /// The text between the tiles of a line.
    #[serde(deserialize_with = "separator")]
    pub between_tiles: &'static str,
    /// The text before every board.
    #[serde(deserialize_with = "separator")]
    pub before: &'static str,
    /// True if there is an empty line between boards of several lines.
    pub gaps: bool,
    /// True if each pair of a start and a goal is preceded by the side of the board.
    pub side_of_pairs: bool,
}

impl BoardStyle {
    /// The style without a judge: 0 for the blank, a space between tiles, an empty line between
    /// boards of several lines.
    pub const PLAIN: BoardStyle =
        BoardStyle { blank: "0", between_tiles: " ", before: "", gaps: true, side_of_pairs: false };
}

/// The style of a judge, for keys that the profile omits: boards follow each other without gaps.
impl Default for BoardStyle {
    fn default() -> BoardStyle {
        BoardStyle { gaps: false, ..BoardStyle::PLAIN }
    }
}
