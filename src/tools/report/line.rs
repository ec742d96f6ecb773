//! The part of a result line that a report needs.
//!
//! Lines are read leniently, unlike in `verify`. A report skips the fields that it does not use, so
//! it can read the results of later versions. The fields that it uses must agree: a path must lead
//! to the goal and have the stated length.

use std::sync::LazyLock;

use crate::board::replay;
use crate::board::{Board, Goal, Path, Shape, Tile};
use crate::format::fields::{Field, FieldSet};
use crate::format::result::{ReadMode, ResultLine, Text};
use crate::format::spelling::{Notation, Spelling};
use crate::format::status::Status;
use crate::tools::text::escaped_start;

/// The shape and goal assumed for results that do not state them, and the notation of all paths.
#[derive(Clone, Debug, Default)]
pub struct Assumptions {
    /// The shape.
    pub shape: Option<Shape>,
    /// The goal.
    pub goal: Goal,
    /// The notation of paths.
    pub spelling: Spelling,
}

/// A result, and the record that it belongs to. All texts are escaped.
#[derive(Clone, Debug)]
pub struct Entry {
    pub index: Option<u64>,
    pub source: Option<String>,
    /// The line on which the record starts.
    pub line: Option<u64>,
    /// The record's id. An id that is a JSON string is kept without its quotes.
    pub id: Option<String>,
    pub verdict: EntryVerdict,
    /// The goal, if its shape is known.
    pub goal: Option<Board>,
    pub nodes: Option<u64>,
    pub time_us: Option<u64>,
}

#[derive(Clone, Debug)]
pub enum EntryVerdict {
    Solved {
        moves: u64,
        solution: Option<ReplayedSolution>,
        /// True unless the result says that the path is not proven shortest.
        is_optimal: bool,
    },
    /// Any other status, with the limit of an unsolved board, or the error.
    Other(Status, String),
}

/// A board and its replayed path.
#[derive(Clone, Debug)]
pub struct ReplayedSolution {
    pub board: Board,
    pub path: Path,
}

/// The fields that a report uses. Other fields are skipped and may have any value.
static USED: LazyLock<FieldSet> = LazyLock::new(|| {
    use Field::*;
    let used =
        [Index, Source, Line, Id, Rows, Cols, Board, Goal, Status, Moves, Path, Optimal, Limit, Error, Nodes, TimeUs];
    FieldSet::of(|field| used.contains(&field))
});

/// The maximum number of characters kept of a source, a limit or an error.
const MAX_TEXT: usize = 120;

impl Entry {
    /// Reads the result on a line.
    ///
    /// # Errors
    /// The reason why the line is not a result.
    pub fn read(line: &[u8], assumed: &Assumptions) -> Result<Entry, String> {
        let line = ResultLine::read(line, ReadMode::Only(*USED))?;
        let goal = goal_of(&line, assumed)?;
        let verdict = match line.status() {
            Ok(Some(Status::Solved)) => read_solved(&line, goal.as_ref(), assumed.spelling)?,
            Ok(Some(status)) => {
                let field = if status == Status::Unsolved { Field::Limit } else { Field::Error };
                EntryVerdict::Other(status, escaped_start(line.text(field).unwrap_or_default(), MAX_TEXT))
            }
            Ok(None) => return Err("is not a result: it has neither status nor path".into()),
            Err(other) => return Err(format!("is not a result: unknown status '{}'", escaped_start(other, 20))),
        };
        let id = |json: &str| match serde_json::from_str::<Text<'_>>(json) {
            Ok(text) => escaped_start(&text.0, 40),
            Err(_) => escaped_start(json, 40),
        };
        Ok(Entry {
            index: line.number(Field::Index),
            source: line.text(Field::Source).map(|source| escaped_start(source, MAX_TEXT)),
            line: line.number(Field::Line),
            id: line.json(Field::Id).map(id),
            verdict,
            goal,
            nodes: line.number(Field::Nodes),
            time_us: line.number(Field::TimeUs),
        })
    }
}

/// Returns the goal on a line, or the assumed one; `None` if the shape is unknown.
fn goal_of(line: &ResultLine<'_>, assumed: &Assumptions) -> Result<Option<Board>, String> {
    let side = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let shape = match (line.number(Field::Rows), line.number(Field::Cols)) {
        (Some(rows), Some(cols)) => {
            Some(Shape::new(side(rows), side(cols)).ok_or_else(|| format!("has an invalid shape, {rows} x {cols}"))?)
        }
        _ => assumed.shape,
    };
    let Some(shape) = shape else { return Ok(None) };
    let goal = match line.tiles(Field::Goal) {
        Some(labels) => board(shape, labels).map_err(|why| format!("has an invalid goal: {why}"))?,
        None => assumed.goal.on(shape).map_err(|why| format!("has a shape that does not fit the goal: {why}"))?,
    };
    Ok(Some(goal))
}

fn read_solved(line: &ResultLine<'_>, goal: Option<&Board>, spelling: Spelling) -> Result<EntryVerdict, String> {
    let path = line.text(Field::Path);
    let solution = match (goal, path) {
        (Some(goal), Some(path)) => read_solution(line, goal, path.as_bytes(), spelling)?,
        _ => None,
    };
    let counted = match (&solution, path) {
        (Some(solution), _) => Some(solution.path.len()),
        // Without a board, the moves can only be counted.
        (None, Some(path)) => spelling.count(path.as_bytes()).map_err(invalid_path)?,
        (None, None) => None,
    };
    let counted = counted.map(|moves| moves as u64);
    let moves = match (line.number(Field::Moves), counted) {
        (Some(claimed), Some(counted)) if claimed != counted => {
            return Err(format!("says {claimed} moves, but the path has {counted}"));
        }
        (claimed, counted) => claimed.or(counted),
    };
    let moves = moves.ok_or("is solved, but has neither moves nor a path that can be counted")?;
    let is_optimal = line.flag(Field::Optimal).unwrap_or(true);
    Ok(EntryVerdict::Solved { moves, solution, is_optimal })
}

/// Returns the board and its replayed path. A board that is not on the line is found by undoing the
/// path from the goal. Returns `None` if this is impossible because the path has tile numbers.
fn read_solution(
    line: &ResultLine<'_>,
    goal: &Board,
    text: &[u8],
    spelling: Spelling,
) -> Result<Option<ReplayedSolution>, String> {
    let written = line.tiles(Field::Board).map(|labels| board(goal.shape(), labels)).transpose();
    let written = written.map_err(|why| format!("has an invalid board: {why}"))?;
    if written.is_none() && spelling.notation == Notation::Tiles {
        return Ok(None);
    }
    let mut letters = Vec::new();
    spelling.read(written.as_ref().unwrap_or(goal), text, &mut letters).map_err(invalid_path)?;
    let letters = String::from_utf8_lossy(&letters);
    let path: Path = letters.parse().map_err(|error: crate::board::Error| invalid_path(error.to_string()))?;
    let board = match written {
        Some(board) => board,
        None => undo_path(goal, &path).ok_or_else(|| invalid_path("it leaves the board".into()))?,
    };
    let hint = if line.has(Field::Goal) { "" } else { " (the results do not state their goal: use --goal)" };
    replay::replay(&board, goal, path.letters()).map_err(|fault| invalid_path(format!("{fault}{hint}")))?;
    Ok(Some(ReplayedSolution { board, path }))
}

fn invalid_path(why: String) -> String {
    format!("has an invalid path: {why}")
}

/// Returns the board from which a path leads to the goal.
fn undo_path(goal: &Board, path: &Path) -> Option<Board> {
    let mut board = goal.clone();
    path.moves().rev().all(|step| board.make(step.inverse())).then_some(board)
}

fn board(shape: Shape, labels: &[u64]) -> Result<Board, String> {
    let tile = |&label: &u64| usize::try_from(label).ok().and_then(Tile::try_new).ok_or("a tile is out of range");
    let tiles: Vec<Tile> = labels.iter().map(tile).collect::<Result<_, _>>()?;
    Board::new(shape, &tiles).map_err(|why| why.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;
    use crate::format::fields::Need;
    use crate::format::output::{self, Detail, Fields, Row};
    use crate::format::spelling::MovingPiece;
    use crate::format::style::Style;
    use crate::system::Limit;

    fn of_shape(shape: &str) -> Assumptions {
        Assumptions { shape: Some(shape.parse().unwrap()), ..Assumptions::default() }
    }

    fn solution(line: &str, assumed: &Assumptions) -> Option<String> {
        match Entry::read(line.as_bytes(), assumed).unwrap().verdict {
            EntryVerdict::Solved { solution, .. } => {
                solution.map(|solution| format!("{} {}", solution.board, solution.path))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_board_is_on_the_line_or_found_by_undoing_the_path() {
        let whole = r#"{"rows":2,"cols":3,"board":[1,0,2,4,5,3],"goal":[1,2,3,4,5,0],"status":"solved","path":"RD"}"#;
        let found = Some("1 0 2/4 5 3 RD".to_string());
        assert_eq!(solution(whole, &Assumptions::default()), found);
        assert_eq!(solution(r#"{"path":"RD"}"#, &of_shape("2x3")), found);
        assert_eq!(solution(r#"{"path":"RD"}"#, &Assumptions::default()), None);
        let spelled = |notation, piece| Assumptions { spelling: Spelling::new(notation, piece), ..of_shape("2x3") };
        assert_eq!(solution(r#"{"path":"LEFT UP"}"#, &spelled(Notation::Words, MovingPiece::Tile)), found);
        let tiles = spelled(Notation::Tiles, MovingPiece::Blank);
        assert_eq!(solution(&whole.replace("RD", "2 3"), &tiles), found);
        assert_eq!(solution(r#"{"path":"2 3","moves":2}"#, &tiles), None);
    }

    #[test]
    fn contradictory_lines_are_not_results() {
        let wrong = [
            r#"{"status":"solved"}"#,
            r#"{"status":"solved","path":"RD","moves":3}"#,
            r#"{"status":"solved","path":"UU"}"#,
            r#"{"status":"solved","path":"X"}"#,
            r#"{"status":"solved","path":"RD","board":[1,2,0,4,5,3]}"#,
            r#"{"status":"solved","path":"RD","board":[1,2]}"#,
            r#"{"status":"solved","path":"RD","goal":[1,2,3,3,5,0]}"#,
            r#"{"status":"solved","rows":0,"cols":3,"moves":1}"#,
            r#"{"status":"solved","rows":18446744073709551615,"cols":3,"moves":1}"#,
            r#"{"status":"solved","moves":-1}"#,
            r#"{"status":"maybe"}"#,
            r#"{"index":1}"#,
            r#"{"status":"solved","path":"RD""#,
            "[]",
            // An array of field values in order, which serde's derived deserializers accept.
            r#"[null,null,null,null,null,null,null,null,"unsolvable",null,null,null,null,null,null]"#,
            "7",
            "",
        ];
        for line in wrong {
            assert!(Entry::read(line.as_bytes(), &of_shape("2x3")).is_err(), "{line}");
        }
    }

    #[test]
    fn moves_are_counted_without_a_shape() {
        let read = |line: &str, notation, moving_piece| {
            let assumed = Assumptions { spelling: Spelling::new(notation, moving_piece), ..Assumptions::default() };
            Entry::read(line.as_bytes(), &assumed).map(|entry| entry.verdict)
        };
        let moves = |line, notation| match read(line, notation, MovingPiece::Blank) {
            Ok(EntryVerdict::Solved { moves, solution: None, .. }) => Ok(moves),
            other => Err(format!("{other:?}")),
        };
        assert_eq!(moves(r#"{"path":"RDLU"}"#, Notation::Upper), Ok(4));
        assert_eq!(moves(r#"{"path":"RIGHT DOWN","moves":2}"#, Notation::Words), Ok(2));
        let wrong = [
            (r#"{"path":"RX"}"#, Notation::Upper, "'X' is not a move"),
            (r#"{"path":"RX","moves":2}"#, Notation::Upper, "'X' is not a move"),
            (r#"{"path":"rd"}"#, Notation::Upper, "'r' is not a move"),
            (r#"{"path":"R"}"#, Notation::Lower, "'R' is not a move"),
            (r#"{"path":"RD"}"#, Notation::Words, "'RD' is not a move"),
            (r#"{"path":"RIGHT DOWN","moves":3}"#, Notation::Words, "the path has 2"),
        ];
        for (line, notation, why) in wrong {
            for moving_piece in [MovingPiece::Blank, MovingPiece::Tile] {
                let error = read(line, notation, moving_piece).unwrap_err();
                assert!(error.contains(why), "{line}: {error}");
            }
        }
    }

    #[test]
    fn a_missing_goal_may_differ_from_the_assumed_one() {
        let line = r#"{"rows":2,"cols":2,"board":[0,2,1,3],"path":""}"#;
        let error = |line: &str| Entry::read(line.as_bytes(), &Assumptions::default()).unwrap_err();
        assert!(error(line).contains("use --goal"), "{}", error(line));
        assert!(!error(&line.replace("\"path\"", "\"goal\":[1,2,3,0],\"path\"")).contains("use --goal"));
        let assumed = Assumptions { goal: "0,2/1,3".parse().unwrap(), ..Assumptions::default() };
        assert_eq!(solution(line, &assumed).as_deref(), Some("0 2/1 3 "));
    }

    #[test]
    fn unknown_fields_are_skipped_and_texts_escaped() {
        let line = r#"{"index":7,"new":[1],"source":"a\u0000\u202eb","line":3,"id":"x\u001b[2J","status":"invalid","error":"e"}"#;
        let entry = Entry::read(line.as_bytes(), &Assumptions::default()).unwrap();
        assert_eq!(entry.source.as_deref(), Some("a\\u{0}\\u{202e}b"));
        assert_eq!(entry.id.as_deref(), Some("x\\u{1b}[2J"));
        let id = Entry::read(br#"{"id":[1,"a"],"status":"unsolvable"}"#, &Assumptions::default()).unwrap().id;
        assert_eq!(id.as_deref(), Some(r#"[1,"a"]"#));
    }

    /// A result written with all fields, except those that name earlier records, is read back.
    #[test]
    fn results_with_every_field_are_entries() {
        let goal = Goal::BlankLast.on("2x2".parse().unwrap()).unwrap();
        let (board, path) = (goal.after(Move::Up).unwrap(), "D".parse().unwrap());
        let unsolved = output::Verdict::Unsolved { lower_bound: 5, limit: Limit::Nodes };
        let invalid = output::Verdict::Invalid("no board");
        for verdict in [output::Verdict::Solved(&path), output::Verdict::Unsolvable, unsolved, invalid] {
            let row = Row {
                id: Some("2.5"),
                puzzle: (verdict.status() != Status::Invalid).then_some((&board, &goal)),
                detail: Some(Detail {
                    engine: "idastar",
                    heuristic: Some("7-8"),
                    nodes: 3,
                    time_us: 4,
                    iterations: &[],
                }),
                ..Row::bare(7, "\"a\"", 12, verdict)
            };
            let mut line = Vec::new();
            let written = Field::ALL.into_iter().filter(|field| field.need() != Need::EarlierRecords);
            row.write(&Style::Json(Fields::new(written)), &mut line);
            let entry = Entry::read(&line, &Assumptions::default()).unwrap();
            let place = (entry.index, entry.source.as_deref(), entry.line, entry.id.as_deref());
            assert_eq!(place, (Some(7), Some("a"), Some(12), Some("2.5")));
            assert_eq!((entry.nodes, entry.time_us), (Some(3), Some(4)));
            assert_eq!(entry.goal, row.puzzle.map(|_| goal.clone()));
            match entry.verdict {
                EntryVerdict::Solved { moves: 1, solution: Some(solution), is_optimal: true } => {
                    assert_eq!((solution.board, solution.path), (board.clone(), path.clone()));
                }
                EntryVerdict::Other(status, text) => {
                    let expected = match status {
                        Status::Unsolved => "nodes",
                        Status::Invalid => "no board",
                        _ => "",
                    };
                    assert_eq!((status, &*text), (verdict.status(), expected));
                }
                other => panic!("{other:?}"),
            }
        }
    }
}
