//! Writes boards in any layout that can be read, in taquin's own style or in that of a judge (see
//! [`super::profile`]).
//!
//! Reading a written file returns the same boards with the same goals. A property that the layout
//! cannot express (the shape of a board that is not square, a goal other than `blank-last`) is
//! written once, in the settings comment of the file. A judge's files have no such comment, because
//! contestants do not expect one.

use super::input::Layout;
use super::profile::{BoardStyle, Profile};
use super::text::one_of;
use crate::board::{Board, Goal, Shape, Tile};

/// A writer of boards, one by one.
#[derive(Debug)]
pub struct BoardWriter {
    layout: Layout,
    /// The details that the layout leaves open.
    style: BoardStyle,
    /// The goal of all boards, or `None` if each has its own.
    common_goal: Option<Board>,
    /// The first lines of the file.
    head: String,
    /// The number of earlier boards, in this file or others.
    before: u64,
    written: u64,
    /// True if each board is written with its id and the length of its solution.
    is_labelled: bool,
    /// The length of a shortest solution of the board that is being written, if known.
    moves: Option<u64>,
}

/// The format of a file of boards.
#[derive(Clone, Debug)]
pub struct BoardFormat<'a> {
    /// The requested layout.
    pub layout: Option<Layout>,
    /// The judge whose format is used, if any.
    pub profile: Option<&'a Profile>,
    /// The shape of all boards.
    pub shape: Shape,
    /// The goal of all boards, or `None` if each has its own.
    pub goal: Option<&'a Goal>,
    /// The number of boards in the file.
    pub count: u64,
    /// True if settings are written in a comment. Ignored for a judge's files, which have none.
    pub comment: bool,
    /// The number of earlier boards, in this file or others. The first id is this number plus 1.
    pub before: u64,
}

impl BoardWriter {
    /// Creates a writer for boards of one shape.
    ///
    /// # Errors
    /// A message for the user, if the layout or the judge's style cannot express such boards, or if
    /// the goal does not fit their shape.
    pub fn new(format: &BoardFormat<'_>) -> Result<BoardWriter, String> {
        let BoardFormat { profile, shape, goal, count, before, .. } = *format;
        let comment = format.comment && profile.is_none();
        let needs_goals = goal.is_none();
        let layout = layout(format.layout, profile, needs_goals);
        // Readers of this judge's files expect a count line in every layout.
        let has_count_line = profile.is_some_and(|profile| profile.count_line);
        // A judge's style applies only to the judge's layout.
        let profile = profile.filter(|profile| profile.layout.is_none_or(|expected| expected == layout));
        let style = profile.map_or(BoardStyle::PLAIN, |profile| profile.board_style);
        let one_character = layout == Layout::Digits || style.between_tiles.is_empty();
        if one_character && shape.cells() > 10 {
            return Err(format!("each tile is written as one character: {shape} boards have too many tiles for that"));
        }
        if needs_goals && !layout.holds_goal() {
            return Err(format!(
                "{layout} cannot hold a goal for each board: choose {}",
                one_of(Layout::ALL.into_iter().filter(|layout| layout.holds_goal()).map(Layout::name))
            ));
        }
        if style.side_before_pairs && shape.rows() != shape.cols() {
            return Err(format!("a pair begins with the side length of a square board: {shape} boards are not square"));
        }
        let common_goal = goal.map(|goal| goal.on(shape)).transpose().map_err(|error| error.to_string())?;
        let head = match (has_count_line, comment) {
            (true, _) => format!("{count}\n"),
            (false, true) => settings(layout, shape, goal),
            (false, false) => String::new(),
        };
        let head = head + columns(layout, goal);
        let is_labelled = layout == Layout::Json && profile.is_none();
        Ok(BoardWriter { layout, style, common_goal, head, before, written: 0, is_labelled, moves: None })
    }

    /// Appends the text before the first board.
    pub fn head(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.head.as_bytes());
    }

    /// Returns true if boards are written with the lengths of their solutions.
    pub fn writes_moves(&self) -> bool {
        self.is_labelled
    }

    /// Appends the record of a board. In some layouts, the record includes the goal and the length
    /// of a shortest solution. If the boards have a common goal, `goal` must equal it.
    pub fn write(&mut self, board: &Board, goal: &Board, moves: Option<u64>, out: &mut Vec<u8>) {
        let style = &self.style;
        debug_assert!(self.common_goal.as_ref().is_none_or(|common| common == goal));
        out.extend_from_slice(style.before.as_bytes());
        if self.written > 0 && self.layout == Layout::Grid && style.before.is_empty() && style.gaps {
            out.push(b'\n');
        }
        (self.written, self.moves) = (self.written + 1, moves);
        let (cells, cols, between) = (board.shape().cells(), board.shape().cols(), style.between_tiles);
        match self.layout {
            Layout::Line => self.lines(board, cells, between, out),
            Layout::Digits => self.lines(board, cells, "", out),
            Layout::Grid | Layout::Blocks => self.lines(board, cols, between, out),
            Layout::Sized => {
                BoardWriter::size(board.shape(), out);
                self.lines(board, cols, between, out);
            }
            Layout::Pair => {
                if style.side_before_pairs {
                    BoardWriter::size(board.shape(), out);
                }
                self.lines(board, cells, between, out);
                self.lines(goal, cells, between, out);
            }
            Layout::Json | Layout::JsonValues | Layout::JsonElements => self.json(board, goal, out),
            Layout::Csv => self.csv(board, goal, out),
        }
    }

    /// Appends an array of rows if boards are not labelled and all boards of the file have the goal
    /// `blank-last`, otherwise an object.
    fn json(&self, board: &Board, goal: &Board, out: &mut Vec<u8>) {
        let nested = |board: &Board| {
            let rows = board.tiles().chunks(board.shape().cols());
            let rows: Vec<Vec<usize>> = rows.map(|row| row.iter().map(|tile| tile.label()).collect()).collect();
            serde_json::json!(rows).to_string()
        };
        let is_blank_last = |goal: &Board| Goal::BlankLast.on(goal.shape()).is_ok_and(|last| last == *goal);
        let has_goal = !self.common_goal.as_ref().is_some_and(is_blank_last);
        let goal = if has_goal { format!(",\"goal\":{}", nested(goal)) } else { String::new() };
        let board = nested(board);
        let document = if self.is_labelled {
            let id = self.before + self.written;
            let moves = self.moves.map_or_else(String::new, |moves| format!(",\"moves\":{moves}"));
            format!("{{\"id\":{id},\"board\":{board}{goal}{moves}}}\n")
        } else if has_goal {
            format!("{{\"board\":{board}{goal}}}\n")
        } else {
            board + "\n"
        };
        out.extend_from_slice(document.as_bytes());
    }

    /// Appends the columns board, goal (if each record has its own), rows and cols.
    fn csv(&self, board: &Board, goal: &Board, out: &mut Vec<u8>) {
        self.tiles(board.tiles(), " ", out);
        if self.common_goal.is_none() {
            out.push(b',');
            self.tiles(goal.tiles(), " ", out);
        }
        out.extend_from_slice(format!(",{},{}\n", board.shape().rows(), board.shape().cols()).as_bytes());
    }

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

/// Returns the layout of a file of boards: the requested one, or else the judge's, or else a
/// default. `needs_goals` is true if each board has its own goal.
pub fn layout(requested: Option<Layout>, profile: Option<&Profile>, needs_goals: bool) -> Layout {
    let default = if needs_goals { Layout::Pair } else { Layout::Line };
    requested.or(profile.and_then(|profile| profile.layout)).unwrap_or(default)
}

/// Returns the line with the names of the columns, if the layout has one.
fn columns(layout: Layout, goal: Option<&Goal>) -> &'static str {
    match (layout, goal) {
        (Layout::Csv, Some(_)) => "board,rows,cols\n",
        (Layout::Csv, None) => "board,goal,rows,cols\n",
        _ => "",
    }
}

/// Returns the settings comment, with which a file can be read without options: the shape and goal
/// that the records do not show, and the layout. Returns an empty text if no settings are needed.
fn settings(layout: Layout, shape: Shape, goal: Option<&Goal>) -> String {
    let mut settings = String::new();
    if shape.rows() != shape.cols() && !layout.shows_shape() {
        settings += &format!(" shape={shape}");
    }
    if let Some(goal) = goal.filter(|&goal| *goal != Goal::BlankLast && layout != Layout::Json) {
        settings += &format!(" goal={goal}");
    }
    // A pair might also be read as two records of one line each.
    if layout == Layout::Pair || !settings.is_empty() {
        settings += &format!(" format={layout}");
    }
    if settings.is_empty() { settings } else { format!("# taquin:{settings}\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: &BoardFormat<'_>, puzzles: &[(&[usize], &[usize])]) -> String {
        let mut writer = BoardWriter::new(format).unwrap();
        let mut out = Vec::new();
        writer.head(&mut out);
        let board = |labels: &[usize]| {
            Board::new(format.shape, &labels.iter().copied().map(Tile::new).collect::<Vec<_>>()).unwrap()
        };
        for (start, goal) in puzzles {
            writer.write(&board(start), &board(goal), Some(7), &mut out);
        }
        String::from_utf8(out).unwrap()
    }

    const START: &[usize] = &[2, 3, 4, 1, 5, 0, 7, 6, 8];
    const GOAL: &[usize] = &[1, 2, 3, 4, 5, 6, 7, 8, 0];

    fn as_judge(name: &str) -> String {
        let profile = Profile::named(name).unwrap();
        let goal = profile.goal.clone();
        let shape = Shape::new(3, 3).unwrap();
        let format = BoardFormat {
            layout: None,
            profile: Some(profile),
            shape,
            goal: goal.as_ref(),
            count: 2,
            comment: true,
            before: 0,
        };
        let tiles: Vec<usize> = match &goal {
            Some(goal) => goal.on(shape).unwrap().tiles().iter().map(|tile| tile.label()).collect(),
            None => GOAL.to_vec(),
        };
        written(&format, &[(START, &tiles), (START, &tiles)])
    }

    /// Boards are written in the style of the examples in the problem statements.
    #[test]
    fn boards_in_the_style_of_each_judge() {
        assert_eq!(as_judge("hdu1043"), "2 3 4 1 5 x 7 6 8\n2 3 4 1 5 x 7 6 8\n");
        assert_eq!(as_judge("uva652"), "2\n\n2 3 4 1 5 x 7 6 8\n\n2 3 4 1 5 x 7 6 8\n");
        assert_eq!(as_judge("hdu3567"), "2\n23415X768\n12345678X\n23415X768\n12345678X\n");
        assert_eq!(as_judge("lightoj1139"), "2\n\n2 3 4\n1 5 0\n7 6 8\n\n2 3 4\n1 5 0\n7 6 8\n");
        assert_eq!(as_judge("uva10181"), "2\n2 3 4\n1 5 0\n7 6 8\n2 3 4\n1 5 0\n7 6 8\n");
        assert_eq!(as_judge("luogu1379"), "234150768\n234150768\n");
        assert_eq!(as_judge("hackerrank"), "3\n2\n3\n4\n1\n5\n0\n7\n6\n8\n".repeat(2));
        assert_eq!(as_judge("leetcode773"), "[[2,3,4],[1,5,0],[7,6,8]]\n".repeat(2));
        assert_eq!(as_judge("n-puzzle"), "3\n2 3 4 1 5 0 7 6 8\n1 2 3 4 5 6 7 8 0\n".repeat(2));
        assert_eq!(as_judge("korf"), "2 3 4 1 5 0 7 6 8\n".repeat(2));
    }

    #[test]
    fn files_without_a_profile_state_the_settings_that_records_do_not_show() {
        let format = |layout, rows, cols, goal| {
            let shape = Shape::new(rows, cols).unwrap();
            BoardFormat { layout: Some(layout), profile: None, shape, goal, count: 1, comment: true, before: 4 }
        };
        let (start, goal): (&[usize], &[usize]) = (&[1, 2, 3, 4, 0, 5], &[0, 1, 2, 3, 4, 5]);
        let first = Some(&Goal::BlankFirst);
        let text = written(&format(Layout::Line, 2, 3, first), &[(start, goal)]);
        assert_eq!(text, "# taquin: shape=2x3 goal=blank-first format=line\n1 2 3 4 0 5\n");
        let without = BoardFormat { comment: false, ..format(Layout::Line, 2, 3, first) };
        assert_eq!(written(&without, &[(start, goal)]), "1 2 3 4 0 5\n");
        let without = BoardFormat { comment: false, ..format(Layout::Csv, 2, 3, first) };
        assert_eq!(written(&without, &[(start, goal)]), "board,rows,cols\n1 2 3 4 0 5,2,3\n");
        let text = written(&format(Layout::Json, 2, 3, None), &[(start, goal)]);
        assert_eq!(text, "{\"id\":5,\"board\":[[1,2,3],[4,0,5]],\"goal\":[[0,1,2],[3,4,5]],\"moves\":7}\n");
        let text = written(&format(Layout::Csv, 2, 3, None), &[(start, goal)]);
        assert_eq!(text, "board,goal,rows,cols\n1 2 3 4 0 5,0 1 2 3 4 5,2,3\n");
        let text = written(&format(Layout::Grid, 3, 3, Some(&Goal::BlankLast)), &[(START, GOAL), (START, GOAL)]);
        assert_eq!(text, "2 3 4\n1 5 0\n7 6 8\n\n2 3 4\n1 5 0\n7 6 8\n");
        let error = |format: &BoardFormat<'_>| BoardWriter::new(format).unwrap_err();
        assert!(error(&format(Layout::Digits, 4, 4, first)).contains("too many tiles"));
        assert!(error(&format(Layout::Grid, 3, 3, None)).contains("pair, json or csv"));
    }
}
