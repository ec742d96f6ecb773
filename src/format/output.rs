//! Results as JSON Lines: which fields there are, and one line for every record.
//!
//! Lines are put together by hand into the chunk's buffer: at millions of boards a second a general
//! serializer would be the most expensive part of the whole run. What is text – source names, ids,
//! errors – is escaped by `serde_json`, names once a source.

use std::fmt;

use crate::board::{Board, Path};
use crate::engine::Limit;
use crate::format::spelling::Spelling;

/// A field of a result. The names are the contract with everyone who reads the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    /// Number of the record in the whole run, from 1.
    Index,
    /// Where the record was read.
    Source,
    /// The line it began on, from 1.
    Line,
    /// The record's own name, where it had one.
    Id,
    /// Rows of the board.
    Rows,
    /// Columns of the board.
    Cols,
    /// The board, row by row.
    Board,
    /// The goal, row by row.
    Goal,
    /// What became of the record.
    Status,
    /// Length of the path.
    Moves,
    /// The canonical shortest path.
    Path,
    /// Whether the path is proven to be a shortest one.
    Optimal,
    /// What ended an unfinished search.
    Limit,
    /// No path is shorter than this.
    LowerBound,
    /// What is wrong with the record.
    Error,
    /// Every board of the solution, start and goal included.
    States,
    /// The engine that answered.
    Engine,
    /// The heuristic it used.
    Heuristic,
    /// Nodes it generated.
    Nodes,
    /// Time it took, in microseconds.
    TimeUs,
}

impl Field {
    /// Every field, in the order in which `--help` and the schema list them.
    pub const ALL: [Field; 20] = [
        Field::Index,
        Field::Source,
        Field::Line,
        Field::Id,
        Field::Rows,
        Field::Cols,
        Field::Board,
        Field::Goal,
        Field::Status,
        Field::Moves,
        Field::Path,
        Field::Optimal,
        Field::Limit,
        Field::LowerBound,
        Field::Error,
        Field::States,
        Field::Engine,
        Field::Heuristic,
        Field::Nodes,
        Field::TimeUs,
    ];

    /// Its name in the output.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Index => "index",
            Field::Source => "source",
            Field::Line => "line",
            Field::Id => "id",
            Field::Rows => "rows",
            Field::Cols => "cols",
            Field::Board => "board",
            Field::Goal => "goal",
            Field::Status => "status",
            Field::Moves => "moves",
            Field::Path => "path",
            Field::Optimal => "optimal",
            Field::Limit => "limit",
            Field::LowerBound => "lower_bound",
            Field::Error => "error",
            Field::States => "states",
            Field::Engine => "engine",
            Field::Heuristic => "heuristic",
            Field::Nodes => "nodes",
            Field::TimeUs => "time_us",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Field {
    type Err = String;

    fn from_str(name: &str) -> Result<Field, String> {
        Field::ALL.into_iter().find(|field| field.name() == name).ok_or_else(|| {
            let names: Vec<_> = Field::ALL.iter().map(|field| field.name()).collect();
            format!("there is no field '{name}': choose from {}", names.join(", "))
        })
    }
}

/// The fields that are written, in order, and how paths are spelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fields {
    pub(super) names: Vec<Field>,
    spelling: Spelling,
}

impl Fields {
    const DEFAULT: [Field; 10] = [
        Field::Index,
        Field::Source,
        Field::Line,
        Field::Id,
        Field::Status,
        Field::Moves,
        Field::Path,
        Field::Limit,
        Field::LowerBound,
        Field::Error,
    ];

    /// These fields in this order.
    pub fn new(fields: impl IntoIterator<Item = Field>) -> Fields {
        Fields { names: fields.into_iter().collect(), spelling: Spelling::default() }
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = Field> + '_ {
        self.names.iter().copied()
    }

    /// The same fields, paths in another spelling.
    #[must_use]
    pub fn spelled(self, spelling: Spelling) -> Fields {
        Fields { spelling, ..self }
    }

    /// How paths are spelled.
    pub fn spelling(&self) -> Spelling {
        self.spelling
    }

    /// The same fields and, after them, what varies from run to run: engine, heuristic, nodes, time.
    #[must_use]
    pub fn with_detail(self) -> Fields {
        self.and([Field::Engine, Field::Heuristic, Field::Nodes, Field::TimeUs])
    }

    /// The same fields and, after them, what was asked: rows, columns, board, goal.
    #[must_use]
    pub fn with_boards(self) -> Fields {
        self.and([Field::Rows, Field::Cols, Field::Board, Field::Goal])
    }

    /// Those of the others that are not there yet, behind these.
    fn and(mut self, others: [Field; 4]) -> Fields {
        for field in others {
            if !self.names.contains(&field) {
                self.names.push(field);
            }
        }
        self
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.names.iter().map(|field| field.name()).collect();
        f.write_str(&names.join(","))
    }
}

impl Default for Fields {
    fn default() -> Fields {
        Fields::new(Self::DEFAULT)
    }
}

/// What became of a record.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<'a> {
    /// Solved by a path that was replayed and is a shortest one.
    Solved(&'a Path),
    /// No sequence of moves leads to the goal: proven by parity.
    Unsolvable,
    /// Not settled within its limits.
    Unsolved {
        /// No path is shorter.
        lower_bound: u64,
        /// What ended the search.
        limit: Limit,
    },
    /// No board could be read.
    Invalid(&'a str),
    /// The program failed on this record.
    Failed(&'a str),
}

impl Verdict<'_> {
    /// The word that is written for it.
    pub const fn status(&self) -> &'static str {
        match self {
            Verdict::Solved(_) => "solved",
            Verdict::Unsolvable => "unsolvable",
            Verdict::Unsolved { .. } => "unsolved",
            Verdict::Invalid(_) => "invalid",
            Verdict::Failed(_) => "error",
        }
    }
}

/// How a board was solved; differs between runs, and is only written on request.
#[derive(Clone, Copy, Default, Debug)]
pub struct Detail<'a> {
    /// Name of the engine.
    pub engine: &'a str,
    /// Name of its heuristic, where it has one.
    pub heuristic: Option<&'a str>,
    /// Nodes generated.
    pub nodes: u64,
    /// Microseconds.
    pub time_us: u64,
}

/// Everything that can be written of one record.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Number of the record in the run.
    pub index: u64,
    /// The source's name, as a JSON string (see [`json_string`]).
    pub source: &'a str,
    /// Line it began on.
    pub line: u64,
    /// The record's id as JSON text.
    pub id: Option<&'a str>,
    /// Board and goal, where there was a board.
    pub puzzle: Option<(&'a Board, &'a Board)>,
    /// What became of it.
    pub verdict: Verdict<'a>,
    /// How.
    pub detail: Option<Detail<'a>>,
}

/// A text as a JSON string, quotes included.
pub fn json_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

impl Row<'_> {
    /// Appends the result to `out`: one JSON object and a line feed.
    pub(super) fn write_json(&self, fields: &Fields, out: &mut Vec<u8>) {
        out.push(b'{');
        let start = out.len();
        for &field in &fields.names {
            if field == Field::Path && fields.spelling != Spelling::default() {
                self.write_spelled(fields.spelling, start, out);
            } else {
                self.write_field(field, start, out);
            }
        }
        out.extend_from_slice(b"}\n");
    }

    #[cold]
    fn write_spelled(&self, spelling: Spelling, start: usize, out: &mut Vec<u8>) {
        if let (Verdict::Solved(path), Some((board, _))) = (self.verdict, self.puzzle) {
            key(out, start, "\"path\":\"");
            spelling.write(board, path, out);
            out.push(b'"');
        }
    }

    #[inline]
    fn write_field(&self, field: Field, start: usize, out: &mut Vec<u8>) {
        match field {
            Field::Index => number(key(out, start, "\"index\":"), self.index),
            Field::Source => text(key(out, start, "\"source\":"), self.source),
            Field::Line => number(key(out, start, "\"line\":"), self.line),
            Field::Status => {
                text(key(out, start, "\"status\":\""), self.verdict.status());
                out.push(b'"');
            }
            Field::Moves => {
                if let Verdict::Solved(path) = self.verdict {
                    number(key(out, start, "\"moves\":"), path.len() as u64);
                }
            }
            Field::Path => {
                if let Verdict::Solved(path) = self.verdict {
                    key(out, start, "\"path\":\"").extend_from_slice(path.letters());
                    out.push(b'"');
                }
            }
            Field::Id => {
                if let Some(id) = self.id {
                    text(key(out, start, "\"id\":"), id);
                }
            }
            Field::Limit => {
                if let Verdict::Unsolved { limit, .. } = self.verdict {
                    text(key(out, start, "\"limit\":\""), limit.name());
                    out.push(b'"');
                }
            }
            Field::LowerBound => {
                let bound = match self.verdict {
                    Verdict::Unsolved { lower_bound, .. } => lower_bound,
                    _ => return,
                };
                number(key(out, start, "\"lower_bound\":"), bound);
            }
            Field::Error => {
                if let Verdict::Invalid(error) | Verdict::Failed(error) = self.verdict {
                    text(key(out, start, "\"error\":"), &json_string(error));
                }
            }
            Field::Optimal => {
                if let Verdict::Solved(_) = self.verdict {
                    text(key(out, start, "\"optimal\":"), "true");
                }
            }
            Field::Rows | Field::Cols | Field::Board | Field::Goal | Field::States => {
                self.write_board_field(field, start, out);
            }
            Field::Engine | Field::Heuristic | Field::Nodes | Field::TimeUs => {
                self.write_detail_field(field, start, out);
            }
        }
    }

    #[cold]
    fn write_board_field(&self, field: Field, start: usize, out: &mut Vec<u8>) {
        let Some((board, goal)) = self.puzzle else { return };
        match (field, self.verdict) {
            (Field::Rows, _) => number(key(out, start, "\"rows\":"), board.shape().rows() as u64),
            (Field::Cols, _) => number(key(out, start, "\"cols\":"), board.shape().cols() as u64),
            (Field::Board, _) => tiles(key(out, start, "\"board\":"), board),
            (Field::Goal, _) => tiles(key(out, start, "\"goal\":"), goal),
            (Field::States, Verdict::Solved(path)) => {
                tiles(key(out, start, "\"states\":["), board);
                let mut at = board.clone();
                for step in path.moves() {
                    // A verified path never leaves the board.
                    let Some(next) = at.after(step) else { break };
                    out.push(b',');
                    tiles(out, &next);
                    at = next;
                }
                out.push(b']');
            }
            _ => {}
        }
    }

    #[cold]
    fn write_detail_field(&self, field: Field, start: usize, out: &mut Vec<u8>) {
        let Some(detail) = self.detail else { return };
        match (field, detail.heuristic) {
            (Field::Engine, _) => text(key(out, start, "\"engine\":"), &json_string(detail.engine)),
            (Field::Heuristic, Some(name)) => text(key(out, start, "\"heuristic\":"), &json_string(name)),
            (Field::Nodes, _) => number(key(out, start, "\"nodes\":"), detail.nodes),
            (Field::TimeUs, _) => number(key(out, start, "\"time_us\":"), detail.time_us),
            _ => {}
        }
    }
}

/// Begins a field: a comma unless it is the first of its object, then the name as it stands.
#[inline]
fn key<'a>(out: &'a mut Vec<u8>, start: usize, name: &str) -> &'a mut Vec<u8> {
    if out.len() > start {
        out.push(b',');
    }
    out.extend_from_slice(name.as_bytes());
    out
}

#[inline]
fn number(out: &mut Vec<u8>, number: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes());
}

#[inline]
fn text(out: &mut Vec<u8>, text: &str) {
    out.extend_from_slice(text.as_bytes());
}

fn tiles(out: &mut Vec<u8>, board: &Board) {
    for (i, tile) in board.tiles().iter().enumerate() {
        out.push(if i == 0 { b'[' } else { b',' });
        number(out, tile.label() as u64);
    }
    out.push(b']');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{GoalSpec, Move, Shape};

    fn written(verdict: Verdict<'_>, fields: &Fields) -> String {
        let shape = Shape::new(2, 2).unwrap();
        let goal = GoalSpec::BlankLast.on(shape).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let row = Row {
            index: 7,
            source: &json_string("a \"b\".txt"),
            line: 12,
            id: Some("\"x\""),
            puzzle: Some((&board, &goal)),
            verdict,
            detail: Some(Detail { engine: "lookup", heuristic: None, nodes: 1, time_us: 2 }),
        };
        let mut out = Vec::new();
        row.write_json(fields, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn every_verdict_in_the_default_fields() {
        let path: Path = "D".parse().unwrap();
        let head = "{\"index\":7,\"source\":\"a \\\"b\\\".txt\",\"line\":12,\"id\":\"x\",\"status\":";
        let cases = [
            (Verdict::Solved(&path), "\"solved\",\"moves\":1,\"path\":\"D\"}\n"),
            (Verdict::Unsolvable, "\"unsolvable\"}\n"),
            (
                Verdict::Unsolved { lower_bound: 55, limit: Limit::Time },
                "\"unsolved\",\"limit\":\"time\",\"lower_bound\":55}\n",
            ),
            (Verdict::Invalid("'\t' is no tile"), "\"invalid\",\"error\":\"'\\t' is no tile\"}\n"),
            (Verdict::Failed("oh"), "\"error\",\"error\":\"oh\"}\n"),
        ];
        for (verdict, tail) in cases {
            assert_eq!(written(verdict, &Fields::default()), format!("{head}{tail}"));
        }
    }

    #[test]
    fn fields_come_in_the_order_asked_for() {
        let path: Path = "D".parse().unwrap();
        let fields =
            Fields::new(["moves", "goal", "board", "rows", "states", "optimal"].map(|name| name.parse().unwrap()));
        assert_eq!(
            written(Verdict::Solved(&path), &fields),
            "{\"moves\":1,\"goal\":[1,2,3,0],\"board\":[1,0,3,2],\"rows\":2,\"states\":[[1,0,3,2],[1,2,3,0]],\"optimal\":true}\n"
        );
        assert_eq!(written(Verdict::Unsolvable, &Fields::new([Field::Moves])), "{}\n");
        assert_eq!(
            written(Verdict::Unsolvable, &Fields::new([Field::Status]).with_detail()),
            "{\"status\":\"unsolvable\",\"engine\":\"lookup\",\"nodes\":1,\"time_us\":2}\n"
        );
        let tiles = Spelling::new(crate::format::spelling::Letters::Tiles, Default::default());
        let spelled = Fields::new([Field::Moves, Field::Path]).spelled(tiles);
        assert_eq!(written(Verdict::Solved(&path), &spelled), "{\"moves\":1,\"path\":\"2\"}\n");
        assert_eq!(written(Verdict::Unsolvable, &spelled), "{}\n");
        assert!("colour".parse::<Field>().unwrap_err().contains("lower_bound"));
    }
}
