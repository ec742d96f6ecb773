//! The functions of each layout (the splitter, the parser and the writer of its records), and the
//! writers. The layout leaves some details of a written board open; its style states them.

use serde::Deserialize;

use super::csv;
use super::json;
use super::layout::Layout;
use super::record::{Record, Source};
use super::split::{self, NeedMore, Split};
use super::text;
use crate::board::{Board, Goal, Shape, Tile};
use crate::format::text::separator;

/// The splitter, the parser and the writer of records.
struct Functions {
    split: Split,
    parse: fn(&[u8], &Source) -> Record,
    write: Write,
}

impl Layout {
    const fn functions(self) -> Functions {
        const JSON: Functions = Functions { split: split::line, parse: json::record, write: json };
        match self {
            Layout::Line => Functions { split: split::line, parse: text::line, write: line },
            Layout::Digits => Functions { split: split::line, parse: text::line, write: digits },
            Layout::Grid => Functions { split: split::grid, parse: text::grid, write: rows },
            Layout::Blocks => Functions { split: split::block, parse: text::grid, write: rows },
            Layout::Sized => Functions { split: split::sized, parse: text::sized, write: sized },
            Layout::Pair => Functions { split: split::pair, parse: text::pair, write: pair },
            Layout::Json => JSON,
            Layout::JsonValues | Layout::JsonElements => Functions { split: split::value, ..JSON },
            Layout::Csv => Functions { split: split::line, parse: csv::record, write: csv },
        }
    }

    /// Returns the end of the record at the start of the bytes.
    #[inline]
    pub(super) fn split(self, bytes: &[u8], ended: bool, shape: Option<Shape>) -> Result<usize, NeedMore> {
        (self.functions().split)(bytes, ended, shape)
    }

    /// Parses a record.
    #[inline]
    pub(super) fn parse(self, record: &[u8], source: &Source) -> Record {
        (self.functions().parse)(record, source)
    }

    /// Returns the function that writes a record.
    pub(in crate::format) fn write(self) -> Write {
        self.functions().write
    }
}

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

/// A function that appends a board, and its goal if the layout can hold one.
pub type Write = fn(&Writing, board: &Board, goal: &Board, out: &mut Vec<u8>);

/// The style, the common goal and the label with which boards are written.
#[derive(Debug)]
pub struct Writing {
    /// The details that the layout leaves open.
    pub style: BoardStyle,
    /// The goal of the whole file. `None`: each record has its own.
    pub common_goal: Option<Board>,
    /// The label of the next board, if boards have labels.
    pub label: Option<Label>,
}

/// A board's id and the length of its shortest solution, if known.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    pub id: u64,
    pub moves: Option<u64>,
}

impl Writing {
    fn size(shape: Shape, out: &mut Vec<u8>) {
        let (rows, cols) = (shape.rows(), shape.cols());
        let size = if rows == cols { format!("{rows}\n") } else { format!("{rows} {cols}\n") };
        out.extend_from_slice(size.as_bytes());
    }

    /// Appends tiles.
    fn tiles(&self, tiles: &[Tile], between: &str, out: &mut Vec<u8>) {
        let mut number = itoa::Buffer::new();
        for (i, tile) in tiles.iter().enumerate() {
            out.extend_from_slice(if i > 0 { between.as_bytes() } else { b"" });
            match tile.label() {
                0 => out.extend_from_slice(self.style.blank.as_bytes()),
                label => out.extend_from_slice(number.format(label).as_bytes()),
            }
        }
    }

    /// Appends the tiles of a board in lines of this length.
    fn lines(&self, board: &Board, length: usize, between: &str, out: &mut Vec<u8>) {
        for line in board.tiles().chunks(length) {
            self.tiles(line, between, out);
            out.push(b'\n');
        }
    }
}

pub fn line(writing: &Writing, board: &Board, _: &Board, out: &mut Vec<u8>) {
    writing.lines(board, board.shape().cells(), writing.style.between_tiles, out);
}

pub fn digits(writing: &Writing, board: &Board, _: &Board, out: &mut Vec<u8>) {
    writing.lines(board, board.shape().cells(), "", out);
}

pub fn rows(writing: &Writing, board: &Board, _: &Board, out: &mut Vec<u8>) {
    writing.lines(board, board.shape().cols(), writing.style.between_tiles, out);
}

pub fn sized(writing: &Writing, board: &Board, goal: &Board, out: &mut Vec<u8>) {
    Writing::size(board.shape(), out);
    rows(writing, board, goal, out);
}

pub fn pair(writing: &Writing, board: &Board, goal: &Board, out: &mut Vec<u8>) {
    if writing.style.side_before_pairs {
        Writing::size(board.shape(), out);
    }
    line(writing, board, goal, out);
    line(writing, goal, goal, out);
}

/// Appends an array of rows if there is no label and all boards of the file have the usual goal,
/// otherwise an object.
pub fn json(writing: &Writing, board: &Board, goal: &Board, out: &mut Vec<u8>) {
    let nested = |board: &Board| {
        let rows = board.tiles().chunks(board.shape().cols());
        let rows: Vec<Vec<usize>> = rows.map(|row| row.iter().map(|tile| tile.label()).collect()).collect();
        serde_json::json!(rows).to_string()
    };
    let is_usual = |goal: &Board| Goal::BlankLast.on(goal.shape()).is_ok_and(|usual| usual == *goal);
    let has_goal = !writing.common_goal.as_ref().is_some_and(is_usual);
    let goal = if has_goal { format!(",\"goal\":{}", nested(goal)) } else { String::new() };
    let board = nested(board);
    let document = match writing.label {
        Some(Label { id, moves }) => {
            let moves = moves.map_or_else(String::new, |moves| format!(",\"moves\":{moves}"));
            format!("{{\"id\":{id},\"board\":{board}{goal}{moves}}}\n")
        }
        None if has_goal => format!("{{\"board\":{board}{goal}}}\n"),
        None => board + "\n",
    };
    out.extend_from_slice(document.as_bytes());
}

/// Appends the columns board, goal (if each record has its own), rows and cols.
pub fn csv(writing: &Writing, board: &Board, goal: &Board, out: &mut Vec<u8>) {
    writing.tiles(board.tiles(), " ", out);
    if writing.common_goal.is_none() {
        out.push(b',');
        writing.tiles(goal.tiles(), " ", out);
    }
    out.extend_from_slice(format!(",{},{}\n", board.shape().rows(), board.shape().cols()).as_bytes());
}
