//! The screen of a playback in a terminal of a given size: lines of text, in which the tile that
//! moved is highlighted.
//!
//! A board that does not fit is shown in part, around its blank.

use std::ops::Range;

use super::frames::{label_width, move_name};
use super::playback::Playback;
use crate::board::{Board, Cell, Path, Shape};
use crate::format::spelling::Spelling;

/// A line of text with a highlighted part.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The text.
    pub text: String,
    /// The highlighted characters: the tile that moved.
    pub highlighted: Option<Range<usize>>,
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line { text, highlighted: None }
    }
}

/// The number of lines below the board: the status, an empty line, and the keys.
const OTHER_LINES: usize = 3;

/// Returns the lines to show in a terminal of this size, given in characters and lines. Moves are
/// named in the given notation.
pub fn layout(
    start: &Board,
    path: &Path,
    spelling: Spelling,
    playback: &Playback,
    (columns, max_lines): (usize, usize),
) -> Vec<Line> {
    let board = board_after(start, path, playback.at);
    let last_move = playback.at.checked_sub(1).and_then(|at| path.moves().nth(at));
    let before = last_move.and_then(|step| board.after(step.inverse()));
    // The tile that moved is where the blank was.
    let moved = before.as_ref().map(Board::blank);
    let name = last_move.zip(before).map(|(step, before)| move_name(&before, step, spelling));
    let (shape, blank) = (board.shape(), board.blank());
    // A cell takes its number, a space on either side and a border; a row takes two lines.
    let rows = visible(shape.rows(), max_lines.saturating_sub(OTHER_LINES + 1) / 2, shape.row(blank));
    let cols = visible(shape.cols(), columns.saturating_sub(1) / (label_width(&board) + 3), shape.col(blank));
    let mut lines = grid(&board, (&rows, &cols), moved);
    lines.extend([status(playback, name, shape, (&rows, &cols)).into(), Line::default()]);
    lines.push("space play/pause   ← → step   home/end   + - speed   q quit".to_string().into());
    for line in &mut lines {
        if let Some((end, _)) = line.text.char_indices().nth(columns) {
            line.text.truncate(end);
        }
    }
    lines.truncate(max_lines);
    lines
}

/// Returns the board after the first moves of a path.
fn board_after(start: &Board, path: &Path, moves: usize) -> Board {
    let mut board = start.clone();
    path.moves().take(moves).for_each(|step| _ = board.make(step));
    board
}

/// The visible rows and columns of a board.
type VisiblePart<'a> = (&'a Range<usize>, &'a Range<usize>);

/// Draws the visible part of the board with its frame.
fn grid(board: &Board, (rows, cols): VisiblePart<'_>, moved: Option<Cell>) -> Vec<Line> {
    let (shape, width) = (board.shape(), label_width(board));
    let rule = |ends: [&str; 3]| {
        let cells: Vec<String> = cols.clone().map(|_| "─".repeat(width + 2)).collect();
        Line::from(format!("{}{}{}", ends[0], cells.join(ends[1]), ends[2]))
    };
    let mut lines = vec![rule(["┌", "┬", "┐"])];
    for row in rows.clone() {
        if row > rows.start {
            lines.push(rule(["├", "┼", "┤"]));
        }
        let mut line = Line::from("│".to_string());
        for col in cols.clone() {
            let cell = shape.cell(row, col);
            let shown = match board.tiles()[cell.index()].label() {
                0 => String::new(),
                label => label.to_string(),
            };
            if moved == Some(cell) {
                let start = line.text.chars().count();
                line.highlighted = Some(start..start + width + 2);
            }
            line.text += &format!(" {shown:>width$} │");
        }
        lines.push(line);
    }
    lines.push(rule(["└", "┴", "┘"]));
    lines
}

/// Returns the status line: the move, the state, and the visible part.
fn status(playback: &Playback, move_name: Option<String>, shape: Shape, (rows, cols): VisiblePart<'_>) -> String {
    let &Playback { at, moves, .. } = playback;
    let mut text = format!("move {at} of {moves}");
    if let Some(name) = move_name {
        text += &format!(": {name}");
    }
    text += match playback.is_playing {
        true => "  (playing)",
        false if at < moves => "  (paused)",
        false => "  (solved)",
    };
    if rows.len() < shape.rows() || cols.len() < shape.cols() {
        text += &format!(
            "  rows {}-{} of {}, columns {}-{} of {}",
            rows.start + 1,
            rows.end,
            shape.rows(),
            cols.start + 1,
            cols.end,
            shape.cols()
        );
    }
    text
}

/// Returns the rows or columns to show around `middle`, out of `count`, if `capacity` of them fit.
/// At least one is shown.
fn visible(count: usize, capacity: usize, middle: usize) -> Range<usize> {
    let shown = capacity.clamp(1, count);
    let start = middle.saturating_sub(shown / 2).min(count - shown);
    start..start + shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::show::frames::tests::row;
    use crate::tools::show::playback::Command;

    fn drawn(start: &Board, path: &str, playback: &Playback, size: (usize, usize)) -> Vec<Line> {
        layout(start, &path.parse().unwrap(), Spelling::default(), playback, size)
    }

    #[test]
    fn a_board_with_its_move() {
        let mut playback = Playback::new(2);
        playback.press(Command::Forward);
        let drawn = drawn(&"1 0 2/4 5 3".parse().unwrap(), "RD", &playback, (80, 24));
        let lines: Vec<&str> = drawn.iter().map(|line| line.text.as_str()).collect();
        let expected = [
            "┌───┬───┬───┐",
            "│ 1 │ 2 │   │",
            "├───┼───┼───┤",
            "│ 4 │ 5 │ 3 │",
            "└───┴───┴───┘",
            "move 1 of 2: R  (paused)",
            "",
            "space play/pause   ← → step   home/end   + - speed   q quit",
        ];
        assert_eq!(lines, expected);
        assert_eq!(drawn[1].highlighted, Some(5..8));
        assert_eq!(drawn.iter().filter(|line| line.highlighted.is_some()).count(), 1);
    }

    #[test]
    fn a_large_board_is_shown_around_the_blank() {
        let (start, playback) = (row((1..29).chain([0, 29])), Playback::new(1));
        let texts = |columns: usize, lines: usize| -> Vec<String> {
            drawn(&start, "R", &playback, (columns, lines)).into_iter().map(|line| line.text).collect()
        };
        let lines = texts(26, 24);
        assert_eq!(lines[1], "│ 26 │ 27 │ 28 │    │ 29 │");
        assert!(lines.iter().all(|line| line.chars().count() <= 26), "{lines:?}");
        assert_eq!(texts(90, 24)[3], "move 0 of 1  (playing)  rows 1-1 of 1, columns 14-30 of 30");
        // No size is too small.
        for columns in 0..9 {
            for lines in 0..9 {
                assert!(texts(columns, lines).len() <= lines);
            }
        }
    }

    #[test]
    fn every_move_leads_to_its_board() {
        let (start, path) = ("1 0 2/4 5 3".parse().unwrap(), "RD".parse().unwrap());
        let boards = [0, 1, 2].map(|moves| board_after(&start, &path, moves).to_string());
        assert_eq!(boards, ["1 0 2/4 5 3", "1 2 0/4 5 3", "1 2 3/4 5 0"]);
    }

    #[test]
    fn the_visible_part_never_leaves_the_board() {
        for count in 1..9 {
            for capacity in 0..12 {
                for middle in 0..count {
                    let shown = visible(count, capacity, middle);
                    assert!(shown.contains(&middle) && shown.end <= count, "{count} {capacity} {middle}: {shown:?}");
                    assert_eq!(shown.len(), capacity.clamp(1, count));
                }
            }
        }
    }
}
