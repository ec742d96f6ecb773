//! What a board is to be turned into.

use std::fmt;
use std::sync::Arc;

use super::{Board, BoardError, Shape, Tile, tokens};

/// A goal as it is asked for: by name, to be laid out on whatever shape a board has, or tile by tile.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum GoalSpec {
    /// `1 2 3 … n-1 0`.
    #[default]
    BlankLast,
    /// `0 1 2 … n-1` (Korf 1985; HackerRank).
    BlankFirst,
    /// The numbers along the clockwise spiral from the top left corner, the blank where it ends.
    Snail,
    /// These tiles, row by row, on any shape with as many cells.
    Tiles(Arc<[Tile]>),
}

impl GoalSpec {
    /// The goal board for a shape.
    ///
    /// # Errors
    /// When the tiles that were given do not fill the shape, or are no board.
    pub fn on(&self, shape: Shape) -> Result<Board, BoardError> {
        let cells = shape.cells();
        let tiles = match self {
            GoalSpec::BlankLast => (1..cells).map(Tile::new).chain([Tile::BLANK]).collect(),
            GoalSpec::BlankFirst => (0..cells).map(Tile::new).collect(),
            GoalSpec::Snail => snail(shape),
            GoalSpec::Tiles(tiles) => tiles.to_vec(),
        };
        Board::new(shape, &tiles)
    }
}

/// The clockwise spiral: numbers 1, 2, … inwards, the blank on the last cell.
fn snail(shape: Shape) -> Vec<Tile> {
    let (rows, cols) = (shape.rows() as isize, shape.cols() as isize);
    let mut tiles = vec![Tile::BLANK; shape.cells()];
    let (mut row, mut col, mut down, mut right) = (0isize, 0isize, 0isize, 1isize);
    for number in 1..shape.cells() {
        tiles[(row * cols + col) as usize] = Tile::new(number);
        let free = |row: isize, col: isize| {
            (0..rows).contains(&row) && (0..cols).contains(&col) && tiles[(row * cols + col) as usize] == Tile::BLANK
        };
        if !free(row + down, col + right) {
            (down, right) = (right, -down);
        }
        (row, col) = (row + down, col + right);
    }
    tiles
}

/// Reads `blank-last`, `blank-first`, `snail`, or tiles: separated by blanks, commas or slashes
/// (`1,2,3/4,5,6/7,8,0`), or nine digits or fewer without separators (`123804765`).
impl std::str::FromStr for GoalSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<GoalSpec, String> {
        match text.trim() {
            "blank-last" => return Ok(GoalSpec::BlankLast),
            "blank-first" => return Ok(GoalSpec::BlankFirst),
            "snail" => return Ok(GoalSpec::Snail),
            _ => {}
        }
        let tiles = tokens::tiles_of_text(text).map_err(|wrong| {
            format!("'{text}' is not a goal: expected blank-last, blank-first, snail or a board ({wrong})")
        })?;
        // Whether they are a board does not depend on the shape: ask it of a single row, or of a
        // square where they are too many for one row.
        let shape = Shape::new(1, tiles.len()).or_else(|| Shape::square_of(tiles.len()));
        if let Some(shape) = shape {
            Board::new(shape, &tiles).map_err(|wrong| format!("'{text}' is not a goal: {wrong}"))?;
        }
        Ok(GoalSpec::Tiles(tiles.into()))
    }
}

impl fmt::Display for GoalSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoalSpec::BlankLast => f.write_str("blank-last"),
            GoalSpec::BlankFirst => f.write_str("blank-first"),
            GoalSpec::Snail => f.write_str("snail"),
            GoalSpec::Tiles(tiles) => {
                for (i, tile) in tiles.iter().enumerate() {
                    write!(f, "{}{}", if i > 0 { "," } else { "" }, tile.label())?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_out(goal: &str, rows: usize, cols: usize) -> String {
        let spec: GoalSpec = goal.parse().unwrap();
        spec.on(Shape::new(rows, cols).unwrap()).unwrap().to_string()
    }

    #[test]
    fn named_goals_are_the_published_ones() {
        assert_eq!(laid_out("blank-last", 2, 2), "1 2/3 0");
        assert_eq!(laid_out("blank-first", 2, 3), "0 1 2/3 4 5");
        assert_eq!(laid_out("snail", 3, 3), "1 2 3/8 0 4/7 6 5");
        assert_eq!(laid_out("snail", 4, 4), "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7");
        assert_eq!(laid_out("snail", 1, 4), "1 2 3 0");
        assert_eq!(laid_out("snail", 3, 1), "1/2/0");
        assert_eq!(laid_out("snail", 1, 1), "0");
    }

    #[test]
    fn boards_are_read_in_every_spelling() {
        for text in ["123804765", "1,2,3/8,0,4/7,6,5", "1 2 3 8 x 4 7 6 5", " 123/8_4/765 "] {
            assert_eq!(laid_out(text, 3, 3), "1 2 3/8 0 4/7 6 5", "{text}");
        }
        for text in ["", "blank", "112", "1,2,2,0", "1,2,9,0", "12"] {
            assert!(text.parse::<GoalSpec>().is_err(), "{text}");
        }
    }
}
