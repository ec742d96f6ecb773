//! Conversions to boards: from text, from flat lists of numbers, and from rows of numbers.

use super::{Board, Error, ErrorKind, Shape, Tile, tokens};

/// Reads tiles separated by spaces or commas, in rows separated by slashes: `2 3 4/1 5 0/7 6 8`.
/// `0`, `x`, `X`, `_` and `.` are the blank. Without slashes the board is a square. Up to ten tiles
/// need no separators (`234150768`), nor do 11 to 16 with letters A to F for the tiles 10 to 15.
///
/// ```
/// use taquin::Board;
///
/// let board: Board = "2 3 4/1 5 x/7 6 8".parse()?;
/// assert_eq!(board, "234150768".parse()?);
/// assert_eq!("1,2,3,4/5,6,7,0".parse::<Board>()?.shape().to_string(), "2x4");
/// assert_eq!("1 2 2 0".parse::<Board>().unwrap_err().to_string(), "tile 2 appears twice");
/// # Ok::<(), taquin::Error>(())
/// ```
impl std::str::FromStr for Board {
    type Err = Error;

    fn from_str(text: &str) -> Result<Board, Error> {
        let (tiles, shape) = tokens::tiles_of_text(text).map_err(|why| Error::new(ErrorKind::Invalid, why))?;
        board_of(shape, &tiles)
    }
}

/// Creates a board of this shape, or a square one if there is no shape.
fn board_of(shape: Option<Shape>, tiles: &[Tile]) -> Result<Board, Error> {
    let shape = shape.or_else(|| Shape::square_of(tiles.len())).ok_or_else(|| {
        let message = format!("{} tiles do not fill a square: boards of other shapes need rows", tiles.len());
        Error::new(ErrorKind::Invalid, message)
    })?;
    Board::new(shape, tiles)
}

fn tile(number: impl Into<usize>) -> Result<Tile, Error> {
    let number = number.into();
    Tile::try_new(number).ok_or_else(|| {
        Error::new(ErrorKind::Invalid, format!("tile {number} is out of range: no board has more than 65025 cells"))
    })
}

fn board_of_numbers<T: Copy + Into<usize>>(numbers: &[T]) -> Result<Board, Error> {
    let tiles: Vec<Tile> = numbers.iter().map(|&number| tile(number)).collect::<Result<_, Error>>()?;
    board_of(None, &tiles)
}

fn board_of_rows<R: AsRef<[T]>, T: Copy + Into<usize>>(rows: &[R]) -> Result<Board, Error> {
    let cols = rows.first().map_or(0, |row| row.as_ref().len());
    if let Some(at) = rows.iter().position(|row| row.as_ref().len() != cols) {
        let found = rows[at].as_ref().len();
        let plural = if found == 1 { "" } else { "s" };
        let message = format!("row {} has {found} tile{plural}, row 1 has {cols}", at + 1);
        return Err(Error::new(ErrorKind::Invalid, message));
    }
    let shape = Shape::new(rows.len(), cols).ok_or_else(|| {
        Error::new(ErrorKind::Invalid, format!("a board has 1 to 255 rows and columns, not {} and {cols}", rows.len()))
    })?;
    let tiles = rows.iter().flat_map(AsRef::as_ref).map(|&number| tile(number)).collect::<Result<Vec<_>, Error>>()?;
    Board::new(shape, &tiles)
}

macro_rules! from_numbers {
    ($($number:ty),*) => {$(
        /// Reads the tiles of a square board row by row; 0 is the blank.
        ///
        /// ```
        /// # use taquin::Board;
        #[doc = concat!("let tiles: [", stringify!($number), "; 4] = [1, 2, 3, 0];")]
        /// assert_eq!(Board::try_from(&tiles[..])?, "1 2/3 0".parse()?);
        /// # Ok::<(), taquin::Error>(())
        /// ```
        impl TryFrom<&[$number]> for Board {
            type Error = Error;

            fn try_from(tiles: &[$number]) -> Result<Board, Error> {
                board_of_numbers(tiles)
            }
        }

        /// Reads the tiles of a square board row by row; 0 is the blank.
        impl<const N: usize> TryFrom<[$number; N]> for Board {
            type Error = Error;

            fn try_from(tiles: [$number; N]) -> Result<Board, Error> {
                board_of_numbers(&tiles)
            }
        }

        /// Reads the rows of a board; 0 is the blank.
        impl<const ROWS: usize, const COLS: usize> TryFrom<[[$number; COLS]; ROWS]> for Board {
            type Error = Error;

            fn try_from(tiles: [[$number; COLS]; ROWS]) -> Result<Board, Error> {
                board_of_rows(&tiles)
            }
        }

        /// Reads the rows of a board; 0 is the blank.
        ///
        /// ```
        /// # use taquin::Board;
        #[doc = concat!("let tiles: Vec<Vec<", stringify!($number), ">> = vec![vec![1, 2, 3], vec![4, 5, 0]];")]
        /// assert_eq!(Board::try_from(&tiles[..])?, "1 2 3/4 5 0".parse()?);
        /// # Ok::<(), taquin::Error>(())
        /// ```
        impl TryFrom<&[Vec<$number>]> for Board {
            type Error = Error;

            fn try_from(tiles: &[Vec<$number>]) -> Result<Board, Error> {
                board_of_rows(tiles)
            }
        }

        /// Reads the rows of a board; 0 is the blank.
        impl TryFrom<Vec<Vec<$number>>> for Board {
            type Error = Error;

            fn try_from(tiles: Vec<Vec<$number>>) -> Result<Board, Error> {
                board_of_rows(&tiles)
            }
        }

        /// Reads the rows of a board; 0 is the blank.
        impl TryFrom<&[&[$number]]> for Board {
            type Error = Error;

            fn try_from(tiles: &[&[$number]]) -> Result<Board, Error> {
                board_of_rows(tiles)
            }
        }
    )*};
}

from_numbers!(u8, u16);

#[cfg(test)]
mod tests {
    use super::*;

    fn message(result: Result<Board, Error>) -> String {
        result.expect_err("not a board").to_string()
    }

    #[test]
    fn all_notations_give_the_same_board() {
        let board: Board = "1 2 3/4 5 0".parse().unwrap();
        assert_eq!(Board::try_from([[1u8, 2, 3], [4, 5, 0]]).unwrap(), board);
        assert_eq!(Board::try_from(vec![vec![1u16, 2, 3], vec![4, 5, 0]]).unwrap(), board);
        assert_eq!(Board::try_from(&[&[1u8, 2, 3][..], &[4, 5, 0]][..]).unwrap(), board);
        let square: Board = "1 2/3 0".parse().unwrap();
        assert_eq!(Board::try_from([1u16, 2, 3, 0]).unwrap(), square);
        assert_eq!("1,2,3,x".parse::<Board>().unwrap(), square);
    }

    #[test]
    fn invalid_boards_are_rejected_with_a_reason() {
        assert_eq!(
            message(Board::try_from([1u8, 2, 0])),
            "3 tiles do not fill a square: boards of other shapes need rows"
        );
        assert_eq!(message(Board::try_from(vec![vec![1u8, 2], vec![0]])), "row 2 has 1 tile, row 1 has 2");
        assert_eq!(
            message(Board::try_from(vec![vec![0u8; 256]])),
            "a board has 1 to 255 rows and columns, not 1 and 256"
        );
        assert_eq!(
            message(Board::try_from([1u16, 2, 65_535, 0])),
            "tile 65535 is out of range: no board has more than 65025 cells"
        );
        assert_eq!(message(Board::try_from([1u8, 1, 2, 0])), "tile 1 appears twice");
        assert!("".parse::<Board>().is_err() && "a b".parse::<Board>().is_err());
    }
}
