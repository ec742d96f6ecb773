//! A path as text: every board from the start to the end of the path, then the number of moves.
//!
//! Columns are aligned, and `taquin` can read the boards in the layout `grid`.

use std::io::Write;

use crate::board::{Board, Move, Path};
use crate::format::spelling::Spelling;

/// Returns the rows of a board as lines, with every number padded to the width of the largest.
pub fn board_rows(board: &Board, blank: &str) -> String {
    let width = label_width(board);
    let mut text = String::new();
    for row in board.tiles().chunks(board.shape().cols()) {
        let cells = row.iter().map(|tile| match tile.label() {
            0 => format!("{blank:>width$}"),
            label => format!("{label:>width$}"),
        });
        text += &cells.collect::<Vec<_>>().join(" ");
        text.push('\n');
    }
    text
}

/// Returns the number of digits of the largest tile.
pub(super) fn label_width(board: &Board) -> usize {
    (board.shape().cells() - 1).to_string().len()
}

/// Returns the name of a move of a board, in the given notation.
pub fn move_name(board: &Board, step: Move, spelling: Spelling) -> String {
    let mut name = Vec::new();
    spelling.write(board, &Path::from_iter([step]), &mut name);
    String::from_utf8_lossy(&name).into_owned()
}

/// Writes every board on the path of a board and, at the end, the number of moves. If there is a
/// notation, the name of each move comes before the board that it leads to.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_frames(
    start: &Board,
    path: &Path,
    spelling: Option<Spelling>,
    out: &mut impl Write,
) -> std::io::Result<()> {
    let mut board = start.clone();
    writeln!(out, "{}", board_rows(&board, "0"))?;
    for (at, step) in (1..).zip(path.moves()) {
        if let Some(spelling) = spelling {
            writeln!(out, "move {at}: {}", move_name(&board, step, spelling))?;
        }
        board.make(step);
        writeln!(out, "{}", board_rows(&board, "0"))?;
    }
    writeln!(out, "{}", path.len())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{Shape, Tile};

    /// Creates a board of one row.
    pub fn row(labels: impl IntoIterator<Item = usize>) -> Board {
        let tiles: Vec<Tile> = labels.into_iter().map(Tile::new).collect();
        Board::new(Shape::new(1, tiles.len()).unwrap(), &tiles).unwrap()
    }

    fn text(start: &Board, path: &str, spelling: Option<Spelling>) -> String {
        let mut out = Vec::new();
        write_frames(start, &path.parse().unwrap(), spelling, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_board_then_the_number_of_moves() {
        let frames = |spelling| text(&"1 0 2/4 5 3".parse().unwrap(), "RD", spelling);
        assert_eq!(frames(None), "1 0 2\n4 5 3\n\n1 2 0\n4 5 3\n\n1 2 3\n4 5 0\n\n2\n");
        let named = "1 0 2\n4 5 3\n\nmove 1: R\n1 2 0\n4 5 3\n\nmove 2: D\n1 2 3\n4 5 0\n\n2\n";
        assert_eq!(frames(Some(Spelling::default())), named);
    }

    #[test]
    fn cells_are_as_wide_as_the_largest_number() {
        let expected = " 1  2  3  4  5  6  7  8  9 10  0 11\n\n 1  2  3  4  5  6  7  8  9 10 11  0\n\n1\n";
        assert_eq!(text(&row((1..11).chain([0, 11])), "R", None), expected);
    }
}
