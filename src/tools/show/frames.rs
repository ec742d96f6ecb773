//! A solution as text: every board from start to goal, then the number of moves.
//!
//! Columns are aligned. `taquin` reads the boards back as the layout `grid`.

use std::io::Write;

use super::walkthrough::Walkthrough;
use crate::board::Board;

/// Appends the rows of a board, with every number padded to the width of the largest.
pub fn write_board_rows(board: &Board, blank: &str, out: &mut Vec<u8>) {
    let (cols, width) = (board.shape().cols(), label_width(board));
    for row in board.tiles().chunks(cols) {
        for (col, tile) in row.iter().enumerate() {
            let between = if col == 0 { "" } else { " " };
            // Writing to a vector cannot fail.
            let _ = match tile.label() {
                0 => write!(out, "{between}{blank:>width$}"),
                label => write!(out, "{between}{label:>width$}"),
            };
        }
        out.push(b'\n');
    }
}

/// Returns the number of digits of the largest tile.
pub(super) fn label_width(board: &Board) -> usize {
    (board.shape().cells() - 1).to_string().len()
}

/// Writes every board and, at the end, the number of moves. If `names_moves`, the name of each move
/// comes before the board that it leads to.
///
/// # Errors
/// When `out` cannot be written.
pub fn write_frames(steps: &Walkthrough, names_moves: bool, out: &mut impl Write) -> std::io::Result<()> {
    let mut text = Vec::new();
    for (at, board) in steps.boards().enumerate() {
        if let Some(name) = steps.move_name(at).filter(|_| names_moves) {
            writeln!(text, "move {at}: {name}")?;
        }
        write_board_rows(&board, "0", &mut text);
        text.push(b'\n');
        out.write_all(&text)?;
        text.clear();
    }
    writeln!(out, "{}", steps.moves())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::show::walkthrough::tests::walkthrough;

    fn text(steps: &Walkthrough, names_moves: bool) -> String {
        let mut out = Vec::new();
        write_frames(steps, names_moves, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_board_then_the_number_of_moves() {
        let steps = walkthrough(2, 3, &[1, 0, 2, 4, 5, 3], &[1, 2, 3, 4, 5, 0], "RD");
        assert_eq!(text(&steps, false), "1 0 2\n4 5 3\n\n1 2 0\n4 5 3\n\n1 2 3\n4 5 0\n\n2\n");
        let named = "1 0 2\n4 5 3\n\nmove 1: R\n1 2 0\n4 5 3\n\nmove 2: D\n1 2 3\n4 5 0\n\n2\n";
        assert_eq!(text(&steps, true), named);
    }

    #[test]
    fn cells_are_as_wide_as_the_largest_number() {
        let row: Vec<usize> = (1..11).chain([0, 11]).collect();
        let goal: Vec<usize> = (1..12).chain([0]).collect();
        let steps = walkthrough(1, 12, &row, &goal, "R");
        let expected = " 1  2  3  4  5  6  7  8  9 10  0 11\n\n 1  2  3  4  5  6  7  8  9 10 11  0\n\n1\n";
        assert_eq!(text(&steps, false), expected);
    }
}
