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
    /// True if the side length of the board is written before each pair of a start and a goal.
    #[serde(rename = "side_of_pairs")]
    pub side_before_pairs: bool,
}

impl BoardStyle {
    /// The style without a judge: 0 for the blank, a space between tiles, an empty line between
    /// boards of several lines.
    pub const PLAIN: BoardStyle =
        BoardStyle { blank: "0", between_tiles: " ", before: "", gaps: true, side_before_pairs: false };
}

/// The values of the keys that a judge's profile omits: those of [`BoardStyle::PLAIN`], but without
/// gaps between boards.
impl Default for BoardStyle {
    fn default() -> BoardStyle {
        BoardStyle { gaps: false, ..BoardStyle::PLAIN }
    }
}
