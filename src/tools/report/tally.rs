//! The data of a page: counts, sums by length, and short lists.
//!
//! Lines are read leniently, unlike in `verify`: a report skips the fields that it does not use, so
//! it can read the results of later versions. Everything here is bounded. Kinds of boards beyond
//! the first few form one group, and lists are cut off and count what they omit. All texts are
//! escaped.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use super::stats::KindStats;
use crate::board::distribution::GoalBlank;
use crate::board::{Board, Goal, Shape, Tile};
use crate::format::fields::{Field, FieldSet};
use crate::format::result::{ReadMode, ResultLine};
use crate::format::result_lines::{End, Lines};
use crate::format::status::Status;
use crate::format::text::{id_text, plain};
use crate::format::trailer::Trailer;
use crate::system::grouped;
use crate::tools::text::{escaped_start, short, time};

/// The maximum number of characters kept of a text.
const MAX_TEXT: usize = 160;

/// The maximum number of kinds with their own charts.
const MAX_KINDS: usize = 6;

/// The maximum number of hardest boards.
const MAX_HARDEST: usize = 10;

/// The maximum number of rows of a list.
const MAX_ROWS: usize = 100;

/// The fields that a report uses. Other fields are skipped and may have any value.
static USED: LazyLock<FieldSet> = LazyLock::new(|| {
    use Field::*;
    let used = [Index, Source, Line, Id, Rows, Cols, Goal, Status, Moves, Path, Optimal, Error, Nodes, TimeUs];
    FieldSet::of(|field| used.contains(&field))
});

/// A kind of board: a shape and the place of the goal's blank, which determine the distribution of
/// solution lengths. `None` stands for an unknown shape or goal, and for all kinds beyond the first
/// few.
pub type Kind = Option<(Shape, GoalBlank)>;

/// The time, nodes and moves of a solved board. Boards are ordered by them.
type Effort = (Option<u64>, Option<u64>, u64);

/// The cells of a table's row, as text. Unknown values are `None`.
pub type Row = Vec<Option<String>>;

/// A list of rows that is cut off at [`MAX_ROWS`].
#[derive(Default, Debug)]
pub struct List {
    pub rows: Vec<Row>,
    /// The number of rows, including those that were cut off.
    pub total: u64,
}

impl List {
    fn add(&mut self, row: Row) {
        self.total += 1;
        if self.rows.len() < MAX_ROWS {
            self.rows.push(row);
        }
    }
}

/// The data of a page.
#[derive(Default, Debug)]
pub struct Tally {
    /// The shape and the goal of results that do not state them.
    shape: Option<Shape>,
    goal: Goal,
    /// The number of records by status, in the order of [`Status::ALL`].
    pub counts: [u64; Status::ALL.len()],
    /// The number of solved records whose paths are not proven shortest.
    pub unproven: u64,
    pub kinds: BTreeMap<Kind, KindStats>,
    /// The hardest boards, the hardest first.
    pub hardest: Vec<(Effort, Row)>,
    /// Records that are invalid or that the program failed on.
    pub bad_records: List,
    /// Lines that are not results, and files that cannot be read.
    pub problems: List,
}

impl Tally {
    /// Creates an empty tally. The shape and the goal are assumed for results that do not state
    /// them.
    pub fn new(shape: Option<Shape>, goal: Goal) -> Tally {
        Tally { shape, goal, ..Tally::default() }
    }

    /// Reads a results file to its end, or to the point where it cannot be read. Lines that are not
    /// results are listed on the page and are not an error. `count` counts all lines.
    ///
    /// # Errors
    /// When the file was not opened or cannot be read. The page then includes the lines before the
    /// error, and lists the error.
    pub fn read(&mut self, name: &str, opened: io::Result<Box<dyn Read + Send>>, count: &AtomicU64) -> io::Result<()> {
        let name = escaped_start(name, MAX_TEXT);
        let ended = opened.and_then(Lines::of_results).and_then(|lines| self.read_lines(&name, lines, count));
        if let Err(error) = &ended {
            self.add_problem(&name, None, &format!("cannot be read: {error}"));
        }
        ended
    }

    fn read_lines(&mut self, name: &str, mut lines: Lines, count: &AtomicU64) -> io::Result<()> {
        // CSV has a header.
        let (mut number, mut line) = (u64::from(lines.is_csv()), Vec::new());
        while lines.take(1, &mut line)? > 0 {
            number += 1;
            count.fetch_add(1, Ordering::Relaxed);
            if line.iter().all(u8::is_ascii_whitespace) || Trailer::is_trailer(&line) {
                continue;
            }
            if let Err(why) = self.add(&line) {
                self.add_problem(name, Some(number), &why);
            }
        }
        match lines.end() {
            End::Torn if lines.is_csv() => self.add_problem(name, Some(number), "has no line feed: it may be cut off"),
            End::TooLong => self.add_problem(name, Some(number + 1), "is too long; the rest was not read"),
            _ => {}
        }
        Ok(())
    }

    fn add_problem(&mut self, file: &str, line: Option<u64>, why: &str) {
        self.problems.add(vec![Some(file.into()), line.map(grouped), Some(escaped_start(why, MAX_TEXT))]);
    }

    /// Adds the result on a line.
    ///
    /// # Errors
    /// The reason why the line is not a result.
    fn add(&mut self, line: &[u8]) -> Result<(), String> {
        let line = ResultLine::read(line, ReadMode::Only(*USED))?;
        let status = match line.status() {
            Ok(Some(status)) => status,
            Ok(None) => return Err("is not a result: it has neither status nor path".into()),
            Err(other) => return Err(format!("is not a result: unknown status '{other}'")),
        };
        match status {
            Status::Solved => self.add_solved(&line)?,
            Status::Unsolvable | Status::Unsolved => {}
            Status::Invalid | Status::Error => {
                let error = line.text(Field::Error).map(|error| escaped_start(error, MAX_TEXT));
                self.bad_records.add(row(&line, [Some(status.name().into()), error]));
            }
        }
        self.counts[status as usize] += 1;
        Ok(())
    }

    fn add_solved(&mut self, line: &ResultLine<'_>) -> Result<(), String> {
        let moves = line.number(Field::Moves).ok_or("is solved, but has no field `moves`")?;
        let (nodes, time_us) = (line.number(Field::Nodes), line.number(Field::TimeUs));
        let kind = self.kind(line)?;
        let is_separate = self.kinds.len() < MAX_KINDS || self.kinds.contains_key(&kind);
        self.kinds.entry(kind.filter(|_| is_separate)).or_default().add(moves);
        self.unproven += u64::from(line.flag(Field::Optimal) == Some(false));
        // Among equally hard boards, the first are kept.
        let effort = (time_us, nodes, moves);
        let at = self.hardest.partition_point(|(other, _)| *other >= effort);
        if at < MAX_HARDEST {
            let row = row(line, [Some(grouped(moves)), nodes.map(short), time_us.map(time)]);
            self.hardest.insert(at, (effort, row));
            self.hardest.truncate(MAX_HARDEST);
        }
        Ok(())
    }

    /// Returns the kind of a board, from the result or from what is assumed.
    fn kind(&self, line: &ResultLine<'_>) -> Result<Kind, String> {
        let side = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        let shape = match (line.number(Field::Rows), line.number(Field::Cols)) {
            (Some(rows), Some(cols)) => Some(Shape::new(side(rows), side(cols)).ok_or("has an invalid shape")?),
            _ => self.shape,
        };
        let Some(shape) = shape else { return Ok(None) };
        let kind_of_copy = |text: String| Some((shape, GoalBlank::of(&text.parse::<Goal>().ok()?.on(shape).ok()?)));
        let goal = match (line.tiles(Field::Goal), line.foreign(Field::Goal).map(plain)) {
            (Some(labels), _) => {
                let tiles: Option<Vec<Tile>> = labels.iter().map(|&label| Tile::try_new(side(label))).collect();
                tiles.and_then(|tiles| Board::new(shape, &tiles).ok()).ok_or("has an invalid goal")?
            }
            // `solve --pass all` copies a goal as it is in the record, perhaps as text.
            (None, Some(text)) if !text.is_empty() => return Ok(kind_of_copy(text)),
            (None, _) => self.goal.on(shape).map_err(|why| format!("has a shape that does not fit the goal: {why}"))?,
        };
        Ok(Some((shape, GoalBlank::of(&goal))))
    }
}

/// Returns a row that begins with the place of a result's record: its number, source, line and id.
fn row<const COLUMNS: usize>(line: &ResultLine<'_>, more: [Option<String>; COLUMNS]) -> Row {
    let place = [
        line.number(Field::Index).map(|index| index.to_string()),
        line.text(Field::Source).map(|source| escaped_start(source, MAX_TEXT)),
        line.number(Field::Line).map(|line| line.to_string()),
        line.json(Field::Id).map(|id| escaped_start(&id_text(id), MAX_TEXT)),
    ];
    place.into_iter().chain(more).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;
    use crate::format::fields::Need;
    use crate::format::output::{self, Detail, Fields};
    use crate::format::style::Style;
    use crate::system::Limit;

    fn of_shape(shape: &str) -> Tally {
        Tally::new(Some(shape.parse().unwrap()), Goal::default())
    }

    fn texts(row: &Row) -> Vec<&str> {
        row.iter().map(|cell| cell.as_deref().unwrap_or("–")).collect()
    }

    #[test]
    fn the_hardest_boards_are_kept_and_the_first_among_equal_ones() {
        let mut tally = Tally::default();
        for (index, time) in (1..).zip([5, 1, 9, 5, 9, 0, 5, 9, 1, 5, 7, 7, 3]) {
            tally.add(format!(r#"{{"index":{index},"path":"","moves":{index},"time_us":{time}}}"#).as_bytes()).unwrap();
        }
        let order = |tally: &Tally| tally.hardest.iter().map(|(_, row)| row[0].clone().unwrap()).collect::<Vec<_>>();
        // Among equal times, the boards with more moves are harder.
        assert_eq!(order(&tally), ["8", "5", "3", "12", "11", "10", "7", "4", "1", "13"]);
        for (index, effort) in
            [(20, r#""nodes":9,"time_us":9"#), (21, r#""nodes":9"#), (22, r#""nodes":9,"time_us":9"#)]
        {
            tally.add(format!(r#"{{"index":{index},"path":"","moves":1,{effort}}}"#).as_bytes()).unwrap();
        }
        assert_eq!(order(&tally)[..3], ["20", "22", "8"]);
        assert_eq!(texts(&tally.hardest[0].1), ["20", "–", "–", "–", "1", "9", "9 µs"]);
    }

    #[test]
    fn the_kind_is_on_the_line_or_assumed() {
        let kinds = |mut tally: Tally, line: &str| {
            tally.add(line.as_bytes()).unwrap();
            let kinds = tally.kinds.keys().map(|kind| kind.map(|(shape, blank)| format!("{shape} {blank}")));
            kinds.map(Option::unwrap_or_default).collect::<Vec<_>>().join("; ")
        };
        let (bare, shaped) = (r#"{"path":"","moves":0}"#, r#"{"path":"","moves":0,"rows":2,"cols":3}"#);
        let whole = r#"{"path":"","moves":0,"rows":2,"cols":3,"goal":[1,0,2,3,4,5]}"#;
        assert_eq!(kinds(Tally::default(), bare), "");
        assert_eq!(kinds(of_shape("3x3"), bare), "3x3 in a corner");
        assert_eq!(kinds(of_shape("3x3"), shaped), "2x3 in a corner");
        assert_eq!(kinds(of_shape("3x3"), whole), "2x3 on an edge");
        for (goal, kind) in [
            ("null", "3x3 in a corner"),
            (r#"[8,1,2,7,null,3,6,5,4]"#, ""),
            (r#""8 1 2/7 0 3/6 5 4""#, "3x3 inside"),
            (r#""1 2""#, ""),
        ] {
            let copied = format!(r#"{{"path":"","moves":0,"goal":{goal}}}"#);
            assert_eq!(kinds(of_shape("3x3"), &copied), kind, "{goal}");
        }
        assert_eq!(kinds(of_shape("3x3"), r#"{"path":"","moves":0,"rows":"x","cols":3}"#), "3x3 in a corner");
        let centre = Tally::new(Some("3x3".parse().unwrap()), "snail".parse().unwrap());
        assert_eq!(kinds(centre, bare), "3x3 inside");
    }

    #[test]
    fn kinds_beyond_the_first_few_form_one_group() {
        let mut tally = Tally::default();
        for cols in [2, 3, 4, 5, 6, 7, 8, 9, 2] {
            let line = format!(r#"{{"path":"","moves":{cols},"rows":2,"cols":{cols}}}"#);
            tally.add(line.as_bytes()).unwrap();
        }
        let boards: Vec<u64> = tally.kinds.values().map(|stats| stats.boards).collect();
        assert_eq!(boards, [2, 2, 1, 1, 1, 1, 1]);
        assert_eq!(tally.kinds[&None].max_moves, 9);
    }

    #[test]
    fn lines_of_csv_are_counted_with_the_header_and_a_torn_one_is_a_problem() {
        let mut tally = Tally::default();
        let text = &b"index,status,moves\n1,maybe,3\n2,solved,3"[..];
        tally.read("a.csv", Ok(Box::new(text)), &AtomicU64::new(0)).unwrap();
        assert_eq!(texts(&tally.problems.rows[0]), ["a.csv", "2", "is not a result: unknown status 'maybe'"]);
        assert_eq!(texts(&tally.problems.rows[1]), ["a.csv", "3", "has no line feed: it may be cut off"]);
        assert_eq!(tally.problems.total, 2);
    }

    #[test]
    fn contradictory_lines_are_not_results() {
        let wrong = [
            r#"{"status":"solved"}"#,
            r#"{"status":"solved","path":"RD"}"#,
            r#"{"status":"solved","moves":2,"goal":[1,2,3,3,5,0]}"#,
            r#"{"status":"solved","moves":2,"goal":[1,2]}"#,
            r#"{"status":"solved","moves":2,"goal":[1,2,3,4,5,18446744073709551615]}"#,
            r#"{"status":"solved","rows":0,"cols":3,"moves":1}"#,
            r#"{"status":"solved","rows":18446744073709551615,"cols":3,"moves":1}"#,
            r#"{"status":"solved","moves":-1}"#,
            r#"{"status":"maybe"}"#,
            r#"{"index":1}"#,
            r#"{"status":"solved","moves":2"#,
            r#"{"status":"solved","moves":2}}"#,
            "[]",
            // An array of field values in order, which serde's derived deserializers accept.
            r#"[null,null,null,null,null,null,null,null,"unsolvable",null,null,null,null,null,null]"#,
            "7",
            "",
        ];
        for line in wrong {
            let mut tally = of_shape("2x3");
            assert!(tally.add(line.as_bytes()).is_err(), "{line}");
            assert!(tally.counts == [0; 5] && tally.kinds.is_empty() && tally.hardest.is_empty(), "{line}");
        }
    }

    #[test]
    fn unknown_fields_are_skipped_and_texts_escaped() {
        let mut tally = Tally::default();
        let line = r#"{"index":7,"new":[1],"source":"a\u0000\u202eb","line":3,"id":"x\u001b[2J","status":"invalid","error":"e\u0007"}"#;
        tally.add(line.as_bytes()).unwrap();
        let expected = ["7", "a\\u{0}\\u{202e}b", "3", "x\\u{1b}[2J", "invalid", "e\\u{7}"];
        assert_eq!(texts(&tally.bad_records.rows[0]), expected);
        tally.add("{\"id\":[1,\"\u{202e}\"],\"status\":\"error\"}".as_bytes()).unwrap();
        assert_eq!(texts(&tally.bad_records.rows[1]), ["–", "–", "–", "[1,\"\\u{202e}\"]", "error", "–"]);
    }

    /// A result written with all fields, except those that name earlier records, is read.
    #[test]
    fn results_with_every_field_are_read() {
        let goal = Goal::BlankLast.on("2x2".parse().unwrap()).unwrap();
        let (board, path) = (goal.after(Move::Up).unwrap(), "D".parse().unwrap());
        let unsolved = output::Verdict::Unsolved { lower_bound: 5, limit: Limit::Nodes };
        let invalid = output::Verdict::Invalid("no board");
        let mut tally = Tally::default();
        for verdict in [output::Verdict::Solved(&path), output::Verdict::Unsolvable, unsolved, invalid] {
            let row = output::Row {
                id: Some("2.5"),
                puzzle: (verdict.status() != Status::Invalid).then_some((&board, &goal)),
                detail: Some(Detail {
                    engine: "idastar",
                    heuristic: Some("7-8"),
                    nodes: 3,
                    time_us: 4,
                    iterations: &[],
                }),
                ..output::Row::bare(7, "\"a\"", 12, verdict)
            };
            let mut line = Vec::new();
            let written = Field::ALL.into_iter().filter(|field| field.need() != Need::EarlierRecords);
            row.write(&Style::Json(Fields::new(written)), &mut line);
            tally.add(&line).unwrap();
        }
        assert_eq!((tally.counts, tally.unproven), ([1, 1, 1, 1, 0], 0));
        assert_eq!(tally.kinds[&Some((goal.shape(), GoalBlank::Corner))].boards, 1);
        assert_eq!(texts(&tally.hardest[0].1), ["7", "a", "12", "2.5", "1", "3", "4 µs"]);
        assert_eq!(texts(&tally.bad_records.rows[0]), ["7", "a", "12", "2.5", "invalid", "no board"]);
    }
}
