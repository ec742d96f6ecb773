//! Listings of the boards along a path. An empty line follows each board. A listing is read back as
//! moves.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::board::tokens::tile;
use crate::board::{Board, Move, Path, Tile};
use crate::format::input::tokens;
use crate::format::text::{MAX_SEPARATOR_BYTES, separator};

/// The form of each board in a listing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Listing {
    /// True if a line with the side length precedes each board.
    pub side_first: bool,
    /// The number of characters to which tiles are padded.
    #[serde(deserialize_with = "width")]
    pub width: usize,
    /// The text after the last tile of a row.
    #[serde(deserialize_with = "separator")]
    pub row_end: &'static str,
}

/// Reads the width of a tile.
fn width<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    match usize::deserialize(from)? {
        width @ ..=MAX_SEPARATOR_BYTES => Ok(width),
        width => Err(D::Error::custom(format!("expected at most {MAX_SEPARATOR_BYTES}, found {width}"))),
    }
}

/// The meaning of a number that is alone on its line and not a side length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoneNumber {
    /// The number is a row of a board with one column.
    Row,
    /// The number follows the boards and does not belong to them.
    AfterBoards,
}

/// Rows of numbers, separated by spaces.
impl Default for Listing {
    fn default() -> Listing {
        Listing { side_first: false, width: 1, row_end: "" }
    }
}

impl Listing {
    /// Appends every board from the start to the goal.
    pub fn write(&self, board: &Board, path: &Path, out: &mut Vec<u8>) {
        self.write_board(board, out);
        let mut board = board.clone();
        for step in path.moves() {
            // A verified path never leaves the board.
            if !board.make(step) {
                break;
            }
            self.write_board(&board, out);
        }
    }

    /// Returns the number of bytes that [`Listing::write`] appends for a path of `moves` moves.
    pub fn bytes(&self, board: &Board, moves: u64) -> u64 {
        let mut text = Vec::new();
        self.write_board(board, &mut text);
        (text.len() as u64).saturating_mul(moves.saturating_add(1))
    }

    fn write_board(&self, board: &Board, out: &mut Vec<u8>) {
        let (shape, mut number) = (board.shape(), itoa::Buffer::new());
        if self.side_first {
            out.extend_from_slice(number.format(shape.rows()).as_bytes());
            out.push(b'\n');
        }
        for row in board.tiles().chunks(shape.cols()) {
            for (i, tile) in row.iter().enumerate() {
                let label = number.format(tile.label()).as_bytes();
                out.extend(std::iter::repeat_n(b' ', usize::from(i > 0) + self.width.saturating_sub(label.len())));
                out.extend_from_slice(label);
            }
            out.extend_from_slice(self.row_end.as_bytes());
            out.push(b'\n');
        }
        out.push(b'\n');
    }

    /// Returns true if a line can be part of a listing: a row, a side length (if the listing has
    /// them), or an empty line.
    pub fn can_contain(&self, line: &[u8], lone: LoneNumber) -> bool {
        let is_number = |token: &[u8]| tile(token).is_ok();
        let lone_belongs = self.side_first || lone == LoneNumber::Row;
        tokens(line).all(is_number) && (lone_belongs || tokens(line).count() != 1)
    }

    /// Reads a listing that begins with `board`, and appends its moves to `path` as letters; the
    /// inverse of [`Self::write`]. Line breaks and padding are ignored.
    ///
    /// # Errors
    /// A message with the reason and, unless no board is listed, the number of the wrong board.
    pub fn read(&self, board: &Board, text: &[u8], path: &mut Vec<u8>) -> Result<(), String> {
        let mut numbers = text.split(|&byte| byte == b'\n').flat_map(tokens).map(tile).peekable();
        let mut current = board.clone();
        let (rows, cells) = (board.shape().rows(), board.shape().cells());
        for nth in 1.. {
            if numbers.peek().is_none() {
                return if nth > 1 { Ok(()) } else { Err("no board is listed".into()) };
            }
            if self.side_first && !matches!(numbers.next(), Some(Ok(side)) if side.label() == rows) {
                return Err(format!("board {nth} of the listing does not begin with its side length"));
            }
            let tiles: Vec<Tile> = numbers.by_ref().take(cells).map_while(Result::ok).collect();
            if tiles.len() < cells {
                let found = tiles.len();
                return Err(format!("board {nth} of the listing has {found} tiles instead of {cells}"));
            }
            if nth == 1 {
                if tiles != current.tiles() {
                    return Err("the first board of the listing is not the given board".into());
                }
                continue;
            }
            let step = Move::ALL
                .into_iter()
                .find_map(|step| Some((step, current.after(step).filter(|b| b.tiles() == tiles)?)));
            let Some((step, after)) = step else {
                return Err(format!("board {nth} of the listing is not one move away from the one before"));
            };
            path.push(step.letter());
            current = after;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Shape};

    fn puzzle() -> (Board, Path) {
        let goal = Goal::BlankLast.on(Shape::new(3, 3).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap().after(Move::Left).unwrap();
        (board, "RD".parse().unwrap())
    }

    const PRINCETON: Listing = Listing { side_first: true, width: 2, row_end: " " };

    #[test]
    fn listings_are_read_back() {
        let (board, path) = puzzle();
        for listing in [Listing::default(), PRINCETON] {
            let (mut text, mut read) = (Vec::new(), Vec::new());
            listing.write(&board, &path, &mut text);
            for lone in [LoneNumber::Row, LoneNumber::AfterBoards] {
                assert!(text.split(|&byte| byte == b'\n').all(|line| listing.can_contain(line, lone)));
            }
            listing.read(&board, &text, &mut read).unwrap();
            assert_eq!(read, b"RD");
        }
        let mut text = Vec::new();
        PRINCETON.write(&board, &Path::new(), &mut text);
        assert_eq!(String::from_utf8(text).unwrap(), "3\n 1  2  3 \n 4  0  5 \n 7  8  6 \n\n");
    }

    /// A row of a board with one column is a single number on a line, and so is the number of moves
    /// after a listing.
    #[test]
    fn rows_of_one_number_are_distinguished_from_a_count() {
        let goal = Goal::BlankLast.on(Shape::new(3, 1).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let (mut text, mut read) = (Vec::new(), Vec::new());
        Listing::default().write(&board, &"D".parse().unwrap(), &mut text);
        assert!(text.split(|&byte| byte == b'\n').all(|line| Listing::default().can_contain(line, LoneNumber::Row)));
        assert!(
            !Listing::default().can_contain(b"2", LoneNumber::AfterBoards)
                && PRINCETON.can_contain(b"2", LoneNumber::AfterBoards)
        );
        Listing::default().read(&board, &text, &mut read).unwrap();
        assert_eq!(read, b"D");
    }

    #[test]
    fn errors_name_the_board() {
        let (board, _) = puzzle();
        let read = |text: &str| Listing::default().read(&board, text.as_bytes(), &mut Vec::new()).unwrap_err();
        assert_eq!(read("\n"), "no board is listed");
        assert!(read("1 2 3\n4 5 0\n7 8 6\n").contains("first board"));
        assert!(read("1 2 3\n4 0 5\n7 8\n").contains("8 tiles instead of 9"));
        assert!(read("1 2 3\n4 0 5\n7 8 6\n\n1 2 3\n4 5 6\n7 8 0\n").contains("board 2"));
        let sided = PRINCETON.read(&board, b"4\n1 2 3\n4 0 5\n7 8 6\n", &mut Vec::new());
        assert!(sided.unwrap_err().contains("its side"));
    }
}
