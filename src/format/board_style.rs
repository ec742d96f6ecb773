//! How boards are written.

use serde::Deserialize;

use super::leaked::text;

/// How boards are written, where their layout leaves that open.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoardStyle {
    /// The blank.
    #[serde(deserialize_with = "text")]
    pub blank: &'static str,
    /// What stands between the tiles of a line.
    #[serde(deserialize_with = "text")]
    pub between_tiles: &'static str,
    /// What stands before every board.
    #[serde(deserialize_with = "text")]
    pub before: &'static str,
    /// Boards of several lines have an empty line between them.
    pub gaps: bool,
    /// The side of the boards stands before each start and goal.
    pub side_of_pairs: bool,
}

impl BoardStyle {
    /// The style of files of no judge: 0 for the blank, a space between tiles, an empty line between boards of
    /// several lines.
    pub const PLAIN: BoardStyle =
        BoardStyle { blank: "0", between_tiles: " ", before: "", gaps: true, side_of_pairs: false };
}

impl Default for BoardStyle {
    fn default() -> BoardStyle {
        BoardStyle::PLAIN
    }
}
