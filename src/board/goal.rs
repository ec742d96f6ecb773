//! Goals: the boards at which searches end.

use std::fmt;
use std::sync::Arc;

use super::position::BoardError;
use super::{Board, Error, ErrorKind, Shape, Tile, tokens};

/// The specification of a goal: a name that fits any shape, or explicit tiles.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Goal {
    /// `1 2 3 … n-1 0`.
    #[default]
    BlankLast,
    /// `0 1 2 … n-1` (Korf 1985).
    BlankFirst,
    /// The numbers along the clockwise spiral from the top left corner, the blank at its end.
    Snail,
    /// These tiles, row by row.
    Tiles(GoalTiles),
}

/// The tiles of a goal given explicitly.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GoalTiles {
    tiles: Arc<[Tile]>,
    /// The shape of the goal, if it is fixed. Otherwise any shape with as many cells as tiles is
    /// valid.
    shape: Option<Shape>,
}

impl Goal {
    /// Returns the goal with these tiles, row by row, for any shape with as many cells as tiles.
    pub fn of_tiles(tiles: &[Tile]) -> Goal {
        Goal::Tiles(GoalTiles { tiles: tiles.into(), shape: None })
    }

    /// Returns the goal board for a shape.
    ///
    /// # Errors
    /// If the given tiles do not fill the shape, if their rows form another shape, or if they are
    /// not a board.
    pub fn on(&self, shape: Shape) -> Result<Board, Error> {
        let cells = shape.cells();
        let tiles: Vec<Tile> = match self {
            Goal::BlankLast => (1..cells).map(Tile::new).chain([Tile::BLANK]).collect(),
            Goal::BlankFirst => (0..cells).map(Tile::new).collect(),
            Goal::Snail => snail(shape),
            Goal::Tiles(GoalTiles { shape: Some(found), .. }) if *found != shape => {
                return Err(BoardError::Rows { found: *found, shape }.into());
            }
            Goal::Tiles(GoalTiles { tiles, .. }) => tiles.to_vec(),
        };
        if tiles.len() != cells {
            return Err(Error::new(ErrorKind::Mismatch, BoardError::Count { found: tiles.len(), shape }.to_string()));
        }
        Board::new(shape, &tiles)
    }
}

/// Returns this board as a goal, for its shape only.
impl From<&Board> for Goal {
    fn from(board: &Board) -> Goal {
        Goal::Tiles(GoalTiles { tiles: board.tiles().into(), shape: Some(board.shape()) })
    }
}

/// Returns this board as a goal, for its shape only.
impl From<Board> for Goal {
    fn from(board: Board) -> Goal {
        Goal::from(&board)
    }
}

/// Returns the clockwise spiral: the numbers 1, 2, … from the top left corner inwards, then the
/// blank.
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

/// Reads `blank-last`, `blank-first`, `snail`, or tiles. Tiles are separated by spaces or commas.
/// Up to ten tiles need no separators (`123804765`), nor do 11 to 16 with letters A to F for the
/// tiles 10 to 15. Slashes between rows (`1,2,3/4,5,6/7,8,0`) fix the shape of the goal.
impl std::str::FromStr for Goal {
    type Err = Error;

    fn from_str(text: &str) -> Result<Goal, Error> {
        match text.trim() {
            "blank-last" => return Ok(Goal::BlankLast),
            "blank-first" => return Ok(Goal::BlankFirst),
            "snail" => return Ok(Goal::Snail),
            _ => {}
        }
        let (tiles, shape) = tokens::tiles_of_text(text).map_err(|wrong| {
            Error::invalid(format!(
                "'{text}' is not a goal: expected blank-last, blank-first, snail or a board ({wrong})"
            ))
        })?;
        // The validity of the tiles does not depend on the shape. If the text does not fix the
        // shape, they are tested on a single row, or on a square if there are too many for one row.
        // If they do not fill a square either, only `Goal::on` tests them.
        let any_shape = shape.or_else(|| Shape::new(1, tiles.len())).or_else(|| Shape::square_of(tiles.len()));
        if let Some(shape) = any_shape {
            Board::new(shape, &tiles).map_err(|wrong| Error::invalid(format!("'{text}' is not a goal: {wrong}")))?;
        }
        Ok(Goal::Tiles(GoalTiles { tiles: tiles.into(), shape }))
    }
}

/// Writes the notation that `FromStr` reads.
impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::BlankLast => f.write_str("blank-last"),
            Goal::BlankFirst => f.write_str("blank-first"),
            Goal::Snail => f.write_str("snail"),
            Goal::Tiles(GoalTiles { tiles, shape }) => {
                let cols = shape.map_or(usize::MAX, Shape::cols);
                for (i, tile) in tiles.iter().enumerate() {
                    let before = match i {
                        0 => "",
                        _ if i % cols == 0 => "/",
                        _ => ",",
                    };
                    write!(f, "{before}{}", tile.label())?;
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
        let spec: Goal = goal.parse().unwrap();
        spec.on(Shape::new(rows, cols).unwrap()).unwrap().to_string()
    }

    #[test]
    fn named_goals_match_the_published_ones() {
        assert_eq!(laid_out("blank-last", 2, 2), "1 2/3 0");
        assert_eq!(laid_out("blank-first", 2, 3), "0 1 2/3 4 5");
        assert_eq!(laid_out("snail", 3, 3), "1 2 3/8 0 4/7 6 5");
        assert_eq!(laid_out("snail", 4, 4), "1 2 3 4/12 13 14 5/11 0 15 6/10 9 8 7");
        assert_eq!(laid_out("snail", 1, 4), "1 2 3 0");
        assert_eq!(laid_out("snail", 3, 1), "1/2/0");
        assert_eq!(laid_out("snail", 1, 1), "0");
    }

    #[test]
    fn boards_are_read_in_every_notation() {
        for text in ["123804765", "1,2,3/8,0,4/7,6,5", "1 2 3 8 x 4 7 6 5", " 123/8_4/765 "] {
            assert_eq!(laid_out(text, 3, 3), "1 2 3/8 0 4/7 6 5", "{text}");
        }
        for text in
            ["", "blank", "112", "1,2,2,0", "1,2,9,0", "12", "1,2/3,4,5,6/7,8,0", "12/3/0", "1,2/3,0/", "/1,2/3,0"]
        {
            assert!(text.parse::<Goal>().is_err(), "{text}");
        }
    }

    #[test]
    fn slashes_fix_the_shape() {
        let on = |goal: &str, rows, cols| {
            let goal = goal.parse::<Goal>().unwrap().on(Shape::new(rows, cols).unwrap());
            goal.map(|goal| goal.to_string()).map_err(|wrong| wrong.to_string())
        };
        assert_eq!(on("1,2/3,4/5,0", 3, 2).unwrap(), "1 2/3 4/5 0");
        assert_eq!(on("1,2/3,4/5,0", 2, 3).unwrap_err(), "the rows make a 3x2 board, expected a 2x3 board");
        assert_eq!(on("1,2,3,4,5,0", 2, 3).unwrap(), "1 2 3/4 5 0");
        let ragged = "1,2/3,4,5,6/7,8,0".parse::<Goal>().unwrap_err();
        assert!(ragged.to_string().ends_with("(row 2 has 4 tiles, row 1 has 2)"), "{ragged}");
    }

    #[test]
    fn displayed_goals_parse_back() {
        let column = (1..12).map(|tile| format!("{tile}/")).collect::<String>() + "0";
        let wide = (1..16).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ") + " 0";
        for text in ["snail", "blank-first", "blank-last", "123/804/765", "123804765", "1/2/0", "0", &column, &wide] {
            let goal: Goal = text.parse().unwrap();
            assert_eq!(goal.to_string().parse(), Ok(goal), "{text}");
        }
        assert_eq!(column.parse::<Goal>().unwrap().to_string(), column);
        assert!("1/2/3/4/5/6/7/8/9/11/0".parse::<Goal>().is_err());
    }
}
