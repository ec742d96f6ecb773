//! What a terminal of some size shows of a replay: lines of text, one cell of them set off.
//!
//! A board that does not fit is shown in part, around its blank.

use std::ops::Range;

use super::frames::width;
use super::{Film, Replay, State};

/// Columns and lines of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Characters on a line.
    pub columns: usize,
    /// Lines.
    pub lines: usize,
}

/// A line, and the part of it that is set off, in characters.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The text.
    pub text: String,
    /// The characters that are set off: the tile that moved.
    pub stressed: Option<Range<usize>>,
}

impl From<String> for Line {
    fn from(text: String) -> Line {
        Line { text, stressed: None }
    }
}

/// Lines beside those of the board: the move, the keys, and one between.
const OTHERS: usize = 3;

/// The lines to show, none longer than the terminal is wide.
pub fn draw(film: &Film, replay: &Replay, size: Size) -> Vec<Line> {
    let (at, moves) = (replay.at(), film.moves());
    let Some(board) = film.boards().get(at) else { return Vec::new() };
    let (shape, width) = (board.shape(), width(board));
    let blank = (shape.row(board.blank()), shape.col(board.blank()));
    // A cell takes its number, a blank on either side, and a line; a row takes two lines.
    let rows = seen(shape.rows(), size.lines.saturating_sub(OTHERS + 1) / 2, blank.0);
    let cols = seen(shape.cols(), size.columns.saturating_sub(1) / (width + 3), blank.1);
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
            if film.moved(at) == Some(cell) {
                let start = line.text.chars().count();
                line.stressed = Some(start..start + width + 2);
            }
            line.text += &format!(" {shown:>width$} │");
        }
        lines.push(line);
    }
    lines.push(rule(["└", "┴", "┘"]));
    let mut told = format!("move {at} of {moves}");
    if let Some(word) = film.word(at) {
        told += &format!(": {word}");
    }
    told += match (replay.state(), at == moves) {
        (State::Playing, _) => "  (playing)",
        (State::Paused, false) => "  (paused)",
        (State::Paused, true) => "  (solved)",
    };
    if rows.len() < shape.rows() || cols.len() < shape.cols() {
        told += &format!(
            "  rows {}-{} of {}, columns {}-{} of {}",
            rows.start + 1,
            rows.end,
            shape.rows(),
            cols.start + 1,
            cols.end,
            shape.cols()
        );
    }
    lines.extend([told.into(), Line::default()]);
    lines.push("space play/pause   ← → step   home/end   + - pace   q quit".to_string().into());
    for line in &mut lines {
        if let Some((end, _)) = line.text.char_indices().nth(size.columns) {
            line.text.truncate(end);
        }
    }
    lines.truncate(size.lines);
    lines
}

/// Which of so many rows or columns are shown where there is room for `room`: at least one, those around `middle`.
fn seen(all: usize, room: usize, middle: usize) -> Range<usize> {
    let room = room.clamp(1, all);
    let start = middle.saturating_sub(room / 2).min(all - room);
    start..start + room
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::Key;
    use crate::show::tests::film;

    fn texts(film: &Film, replay: &Replay, columns: usize, lines: usize) -> Vec<String> {
        draw(film, replay, Size { columns, lines }).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn a_board_with_its_move() {
        let film = film(2, 3, &[1, 0, 2, 4, 5, 3], &[1, 2, 3, 4, 5, 0], "RD");
        let mut replay = Replay::new(2);
        replay.press(Key::Forward);
        let drawn = draw(&film, &replay, Size { columns: 80, lines: 24 });
        let lines: Vec<&str> = drawn.iter().map(|line| line.text.as_str()).collect();
        let expected = [
            "┌───┬───┬───┐",
            "│ 1 │ 2 │   │",
            "├───┼───┼───┤",
            "│ 4 │ 5 │ 3 │",
            "└───┴───┴───┘",
            "move 1 of 2: R  (paused)",
            "",
            "space play/pause   ← → step   home/end   + - pace   q quit",
        ];
        assert_eq!(lines, expected);
        assert_eq!(drawn[1].stressed, Some(5..8));
        assert_eq!(drawn.iter().filter(|line| line.stressed.is_some()).count(), 1);
    }

    #[test]
    fn what_does_not_fit_is_shown_around_the_blank() {
        let labels: Vec<usize> = (1..30).chain([0]).collect();
        let mut start = labels.clone();
        start.swap(28, 29);
        let film = film(1, 30, &start, &labels, "R");
        let replay = Replay::new(1);
        let lines = texts(&film, &replay, 26, 24);
        assert_eq!(lines[1], "│ 26 │ 27 │ 28 │    │ 29 │");
        assert!(lines.iter().all(|line| line.chars().count() <= 26), "{lines:?}");
        assert_eq!(texts(&film, &replay, 90, 24)[3], "move 0 of 1  (playing)  rows 1-1 of 1, columns 14-30 of 30");
        // No size is too small to live with.
        for columns in 0..9 {
            for lines in 0..9 {
                assert!(texts(&film, &replay, columns, lines).len() <= lines);
            }
        }
    }

    #[test]
    fn the_part_that_is_seen_never_leaves_the_board() {
        for all in 1..9 {
            for room in 0..12 {
                for middle in 0..all {
                    let seen = seen(all, room, middle);
                    assert!(seen.contains(&middle) && seen.end <= all, "{all} {room} {middle}: {seen:?}");
                    assert_eq!(seen.len(), room.clamp(1, all));
                }
            }
        }
    }
}
