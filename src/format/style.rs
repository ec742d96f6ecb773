//! The format of results, chosen once per run: JSON Lines, CSV, or the format of a judge.

use std::sync::Arc;

use super::output::{Field, Fields, PathsRequest, Row, Value};
use super::profile::AnswerWriter;
use super::text::json_string;
use crate::board::Board;

/// The format of results.
#[derive(Clone, Debug)]
pub enum Style {
    /// A JSON object on each line.
    Json(Fields),
    /// A CSV header, and a CSV record for each result.
    Csv(Fields),
    /// The format of a judge.
    Answers(Arc<AnswerWriter>),
}

impl Style {
    /// Returns true if results contain this field.
    pub fn writes(&self, field: Field) -> bool {
        self.fields().is_some_and(|fields| fields.contains(field))
    }

    /// Returns true if even a path of `min_moves` moves, a proven lower bound, would be too large
    /// to be written.
    pub fn is_too_large(&self, board: &Board, min_moves: impl FnOnce() -> u64) -> bool {
        match self {
            Style::Json(_) | Style::Csv(_) => false,
            Style::Answers(answers) => answers.is_too_large(board, min_moves),
        }
    }

    /// Returns which information about all shortest paths of a board is requested, if any.
    pub fn paths_request(&self) -> Option<PathsRequest> {
        self.fields().and_then(Fields::paths_request)
    }

    /// Returns true if paths, or the boards along them, are written.
    pub fn writes_paths(&self) -> bool {
        match self {
            Style::Json(_) | Style::Csv(_) => self.writes(Field::Path) || self.writes(Field::States),
            Style::Answers(answers) => answers.format.has_paths(),
        }
    }

    /// Returns the fields of a result, or `None` for the format of a judge.
    pub fn fields(&self) -> Option<&Fields> {
        match self {
            Style::Json(fields) | Style::Csv(fields) => Some(fields),
            Style::Answers(_) => None,
        }
    }

    /// Returns the text before the first result.
    pub fn header(&self) -> Vec<u8> {
        match self {
            Style::Csv(fields) => {
                let mut header = Vec::new();
                let names = fields.iter().map(|field| Value::Text(field.name()));
                append_record(names.chain(fields.pass.names().map(Value::Text)).map(Some), &mut header);
                header
            }
            Style::Json(_) | Style::Answers(_) => Vec::new(),
        }
    }
}

impl Default for Style {
    fn default() -> Style {
        Style::Json(Fields::default())
    }
}

impl Row<'_> {
    /// Appends the result to `out`.
    #[inline]
    pub fn write(&self, style: &Style, out: &mut Vec<u8>) {
        match style {
            Style::Json(fields) => self.write_json(fields, out),
            Style::Csv(fields) => self.write_csv(fields, out),
            Style::Answers(answers) => answers.write(self, out),
        }
    }

    /// Appends the result to `out`: one JSON object and a line feed.
    fn write_json(&self, fields: &Fields, out: &mut Vec<u8>) {
        out.push(b'{');
        let start = out.len();
        // If every column is copied, the columns precede the fields. A copied column that defines
        // the record, such as `board`, replaces the field of that name.
        let copies_all = fields.pass.is_all();
        if copies_all {
            self.write_passthrough(start, out);
        }
        for field in fields.iter().filter(|field| !copies_all || !self.passthrough.keeps(field.name())) {
            if let Some(value) = self.value(field, fields) {
                append_key(field.row().key, start, out);
                value.write_json(out);
            }
        }
        if !copies_all {
            self.write_passthrough(start, out);
        }
        out.extend_from_slice(b"}\n");
    }

    /// Appends the passthrough columns to an object whose members begin at `start`.
    fn write_passthrough(&self, start: usize, out: &mut Vec<u8>) {
        for (name, value) in self.passthrough.iter_all() {
            append_key(&format!("{}:", json_string(name)), start, out);
            out.extend_from_slice(value.as_bytes());
        }
    }

    /// Appends the result to `out` as a record of CSV.
    fn write_csv(&self, fields: &Fields, out: &mut Vec<u8>) {
        let values = fields.iter().map(|field| self.value(field, fields));
        let is_empty = |json: &&str| matches!(*json, "null" | "\"\"");
        let passthrough = fields.pass.names().map(|name| self.passthrough.get(name).filter(|json| !is_empty(json)));
        append_record(values.chain(passthrough.map(|json| json.map(Value::Json))), out);
    }
}

/// Appends the key of the next member of an object whose members begin at `start`.
#[inline]
fn append_key(key: &str, start: usize, out: &mut Vec<u8>) {
    if out.len() > start {
        out.push(b',');
    }
    out.extend_from_slice(key.as_bytes());
}

/// Appends a record of CSV. An absent value is an empty field.
fn append_record<'a>(values: impl Iterator<Item = Option<Value<'a>>>, out: &mut Vec<u8>) {
    let start = out.len();
    for (nth, value) in values.enumerate() {
        if nth > 0 {
            out.push(b',');
        }
        if let Some(value) = value {
            value.write_csv(out);
        }
    }
    // Readers of CSV skip empty lines, so a single empty field is quoted.
    if out.len() == start {
        Value::Text("").write_csv(out);
    }
    out.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Move, Path, Shape};
    use crate::format::output::{Detail, Verdict};
    use crate::format::passthrough::Passthrough;
    use crate::format::spelling::{Notation, Spelling};
    use crate::system::Limit;

    fn json(verdict: Verdict<'_>, fields: &Fields) -> String {
        let shape = Shape::new(2, 2).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let source = json_string("a \"b\".txt");
        let row = Row {
            id: Some("\"x\""),
            puzzle: Some((&board, &goal)),
            detail: Some(Detail { engine: "lookup", heuristic: None, nodes: 1, time_us: 2, iterations: &[] }),
            ..Row::bare(7, &source, 12, verdict)
        };
        let mut out = Vec::new();
        row.write(&Style::Json(fields.clone()), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn verdicts_are_written_in_the_default_fields() {
        let path: Path = "D".parse().unwrap();
        let head = "\"index\":7,\"source\":\"a \\\"b\\\".txt\",\"line\":12,\"id\":\"x\",\"status\":";
        let cases = [
            (Verdict::Solved(&path), "\"solved\",\"moves\":1,\"path\":\"D\""),
            (Verdict::Unsolvable, "\"unsolvable\""),
            (
                Verdict::Unsolved { lower_bound: 55, limit: Limit::Time },
                "\"unsolved\",\"limit\":\"time\",\"lower_bound\":55",
            ),
            (Verdict::Invalid("'\t' is not a tile"), "\"invalid\",\"error\":\"'\\t' is not a tile\""),
            (Verdict::Failed("oh"), "\"error\",\"error\":\"oh\""),
        ];
        for (verdict, tail) in cases {
            assert_eq!(json(verdict, &Fields::default()), format!("{{{head}{tail}}}\n"));
        }
    }

    #[test]
    fn fields_are_written_in_the_selected_order() {
        let path: Path = "D".parse().unwrap();
        let fields =
            Fields::new(["moves", "goal", "board", "rows", "states", "optimal"].map(|name| name.parse().unwrap()));
        assert_eq!(
            json(Verdict::Solved(&path), &fields),
            "{\"moves\":1,\"goal\":[1,2,3,0],\"board\":[1,0,3,2],\"rows\":2,\"states\":[[1,0,3,2],[1,2,3,0]],\"optimal\":true}\n"
        );
        assert_eq!(json(Verdict::Unsolvable, &Fields::new([Field::Moves])), "{}\n");
        assert_eq!(
            json(Verdict::Unsolvable, &Fields::new([Field::Status]).with_detail()),
            "{\"status\":\"unsolvable\",\"engine\":\"lookup\",\"nodes\":1,\"time_us\":2}\n"
        );
        let tiles = Spelling::new(Notation::Tiles, Default::default());
        let mut spelled = Fields::new([Field::Moves, Field::Path]);
        spelled.spelling = tiles;
        assert_eq!(json(Verdict::Solved(&path), &spelled), "{\"moves\":1,\"path\":\"2\"}\n");
        assert_eq!(json(Verdict::Unsolvable, &spelled), "{}\n");
    }

    fn header_of(fields: &Fields) -> Vec<u8> {
        Style::Csv(fields.clone()).header()
    }

    fn csv(verdict: Verdict<'_>, id: &str, passthrough: &[(&str, &str)], fields: &Fields) -> String {
        let goal = Goal::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let values = passthrough.iter().enumerate().map(|(at, (name, value))| (at, (*name).into(), (*value).into()));
        let passthrough = Passthrough::of(values.collect());
        let puzzle = Some((&board, &goal));
        let row = Row { id: Some(id), passthrough: &passthrough, puzzle, ..Row::bare(7, "\"a,b\"", 2, verdict) };
        let mut out = Vec::new();
        row.write(&Style::Csv(fields.clone()), &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn absent_values_are_empty_and_texts_are_quoted_if_necessary() {
        let path: Path = "D".parse().unwrap();
        let fields: Fields = "source,id,status,moves,path,board,states".parse().unwrap();
        assert_eq!(header_of(&fields), b"source,id,status,moves,path,board,states\r\n");
        let solved = csv(Verdict::Solved(&path), "\"a \\\"b\\\"\\n\"", &[], &fields);
        assert_eq!(solved, "\"a,b\",\"a \"\"b\"\"\n\",solved,1,D,1 0 3 2,1 0 3 2;1 2 3 0\r\n");
        let few = Fields::new([Field::Id, Field::Moves, Field::Path]);
        assert_eq!(csv(Verdict::Unsolvable, "2.50", &[], &few), "2.50,,\r\n");
        assert_eq!(csv(Verdict::Solved(&Path::new()), "1", &[], &few), "1,0,\"\"\r\n");
        // An empty line would not be a record.
        let one = Fields::new([Field::Moves]);
        assert_eq!(csv(Verdict::Solved(&path), "1", &[], &one), "1\r\n");
        assert_eq!(csv(Verdict::Unsolvable, "1", &[], &one), "\"\"\r\n");
    }

    #[test]
    fn passthrough_columns_follow_the_fields() {
        let fields = Fields::new([Field::Index]).passing("user,\"x\"=y,level".parse().unwrap());
        assert_eq!(header_of(&fields), b"index,user,y,level\r\n");
        let passthrough = [("user", "\"ann, b\""), ("level", "{\"a\":1}")];
        assert_eq!(csv(Verdict::Unsolvable, "1", &passthrough, &fields), "7,\"ann, b\",,\"{\"\"a\"\":1}\"\r\n");
    }
}
