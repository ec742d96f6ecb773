//! Writes a [`Row`] as one JSON object on a line.

use super::earlier::placeholder;
use super::row::{Expected, PathTotal, Row, Verdict};
use super::selection::Fields;
use crate::board::{Board, Path, PathList, is_solvable};
use crate::format::fields::Field;
use crate::format::json_object::{JsonObject, append_tiles, json_string};
use crate::format::spelling::Spelling;

/// Maximum number of bytes for all boards of a path in one result. It bounds the memory of a
/// result.
const MAX_STATES_BYTES: usize = 64 << 20;

/// Returns true if a result with a path of this many moves may include the boards along the path.
pub fn has_states(board: &Board, moves: usize) -> bool {
    states_bytes(board, moves) <= MAX_STATES_BYTES
}

/// Returns the approximate number of bytes for the boards of a path of `moves` moves.
fn states_bytes(board: &Board, moves: usize) -> usize {
    let cells = board.shape().cells();
    let digits = (cells - 1).max(1).ilog10() as usize + 1;
    (moves + 1).saturating_mul(cells * (digits + 1) + 2)
}

/// Appends paths as an array of strings, each written by `write`.
fn append_list(out: &mut Vec<u8>, list: &PathList, mut write: impl FnMut(&[u8], &mut Vec<u8>)) {
    out.push(b'[');
    for (nth, letters) in list.iter().enumerate() {
        out.extend_from_slice(if nth == 0 { b"\"" } else { b",\"" });
        write(letters, out);
        out.push(b'"');
    }
    out.push(b']');
}

impl Row<'_> {
    /// Appends the result to `out`: one JSON object and a line feed.
    pub(in crate::format) fn write_json(&self, fields: &Fields, out: &mut Vec<u8>) {
        let mut object = JsonObject::open(out);
        let is_whole_record = fields.pass().is_all();
        if is_whole_record {
            self.write_passed(&mut object);
        }
        for field in fields.iter().filter(|field| !is_whole_record || !self.passthrough.keeps(field.name())) {
            self.write_member(field, fields, &mut object);
        }
        if !is_whole_record {
            self.write_passed(&mut object);
        }
        object.close_line();
    }

    fn write_passed(&self, object: &mut JsonObject<'_>) {
        for (name, value) in self.passthrough.iter_all() {
            object.json(&format!("{}:", json_string(name)), value);
        }
    }

    /// Writes a field, if the result has it.
    #[inline]
    pub(super) fn write_member(&self, field: Field, fields: &Fields, object: &mut JsonObject<'_>) {
        if let Some(byte) = placeholder(field) {
            return self.write_placeholder(byte, object);
        }
        let is_spelled = fields.spelling() != Spelling::default();
        if is_spelled && field == Field::Path {
            self.write_spelled(fields.spelling(), object);
        } else if is_spelled && field == Field::Paths {
            self.write_spelled_list(fields.spelling(), object);
        } else {
            self.write_field(field, fields.by_name(), object);
        }
    }

    /// Writes the placeholder of a field, if the record has a board.
    #[cold]
    fn write_placeholder(&self, byte: u8, object: &mut JsonObject<'_>) {
        if self.puzzle.is_some() {
            object.placeholder(byte);
        }
    }

    #[cold]
    fn write_spelled(&self, spelling: Spelling, object: &mut JsonObject<'_>) {
        if let (Some(path), Some((board, _))) = (self.verdict.path(), self.puzzle) {
            let out = object.member(Field::Path.key());
            out.push(b'"');
            spelling.write(board, path, out);
            out.push(b'"');
        }
    }

    #[cold]
    fn write_spelled_list(&self, spelling: Spelling, object: &mut JsonObject<'_>) {
        let (Some(list), Some((board, _))) = (self.listed(), self.puzzle) else { return };
        let mut path = Path::new();
        append_list(object.member(Field::Paths.key()), list, |letters, out| {
            path.assign(letters);
            spelling.write(board, &path, out);
        });
    }

    /// Returns the list of shortest paths, if there is one.
    fn listed(&self) -> Option<&PathList> {
        self.all_paths.and_then(|all| all.list.as_ref())
    }

    #[cold]
    fn write_all_paths(&self, field: Field, object: &mut JsonObject<'_>) {
        match (field, self.all_paths.map(|all| all.count), self.listed()) {
            (Field::Solutions, Some(PathTotal::Exactly(paths)), _)
            | (Field::SolutionsAtLeast, Some(PathTotal::AtLeast(paths, _)), _) => object.number(field.key(), paths),
            (Field::Paths, _, Some(list)) => {
                append_list(object.member(field.key()), list, |letters, out| out.extend_from_slice(letters));
            }
            (Field::FirstMoves | Field::ForcedMoves, ..) => self.write_beginning(field, object),
            _ => {}
        }
    }

    fn write_beginning(&self, field: Field, object: &mut JsonObject<'_>) {
        let beginning = self.all_paths.and_then(|all| all.beginning.as_ref());
        let (Some(beginning), Some(path)) = (beginning, self.verdict.path()) else { return };
        if field == Field::ForcedMoves {
            return object.word(field.key(), &path.letters()[..beginning.forced]);
        }
        let out = object.member(field.key());
        out.push(b'"');
        out.extend(beginning.first_moves.iter().map(|step| step.letter()));
        out.push(b'"');
    }

    /// Writes the limit that ended the count of all shortest paths, if there was one.
    fn write_count_limit(&self, object: &mut JsonObject<'_>) {
        if let Some(PathTotal::AtLeast(_, limit)) = self.all_paths.map(|all| all.count) {
            object.word(Field::Limit.key(), limit.as_bytes());
        }
    }

    #[cold]
    fn write_expected(&self, field: Field, object: &mut JsonObject<'_>) {
        let Some(Expected { nodes, search }) = self.expected else { return };
        match (field, search) {
            (Field::EstimatedNodes, _) => object.number(field.key(), nodes),
            (Field::EstimatedMoves, Some((moves, ..))) => object.number(field.key(), moves),
            (Field::EstimatedTimeUs, Some((_, time_us, _))) => object.number(field.key(), time_us),
            (Field::EstimatedBy, Some((.., heuristic))) => object.json(field.key(), &json_string(heuristic)),
            _ => {}
        }
    }

    #[inline]
    fn write_field(&self, field: Field, by_name: bool, object: &mut JsonObject<'_>) {
        match field {
            Field::Index => object.number(Field::Index.key(), self.index),
            Field::Source => object.json(Field::Source.key(), self.source),
            Field::Line => object.number(Field::Line.key(), self.line),
            Field::Status => object.word(Field::Status.key(), self.verdict.status().name().as_bytes()),
            Field::Moves => {
                if let Some(path) = self.verdict.path() {
                    object.number(Field::Moves.key(), path.len() as u64);
                }
            }
            Field::Path => {
                if let Some(path) = self.verdict.path() {
                    object.word(Field::Path.key(), path.letters());
                }
            }
            Field::Id => {
                if let Some(id) = self.id {
                    object.json(Field::Id.key(), id);
                }
            }
            Field::Limit => {
                let is_unproven = self.verdict.is_unproven();
                match self.verdict {
                    Verdict::Found { limit: Some(limit), .. } if is_unproven => {
                        object.word(Field::Limit.key(), limit.name().as_bytes());
                    }
                    Verdict::Unsolved { limit, .. } => object.word(Field::Limit.key(), limit.name().as_bytes()),
                    _ if by_name => self.write_count_limit(object),
                    _ => {}
                }
            }
            Field::LowerBound => {
                let is_written = by_name || self.verdict.is_unproven();
                match self.verdict {
                    Verdict::Unsolved { lower_bound, .. } => object.number(Field::LowerBound.key(), lower_bound),
                    Verdict::Found { lower_bound, .. } if is_written => {
                        object.number(Field::LowerBound.key(), lower_bound);
                    }
                    Verdict::Solved(path) if is_written => object.number(Field::LowerBound.key(), path.len() as u64),
                    _ => {}
                }
            }
            Field::Error => {
                if let Verdict::Invalid(error) | Verdict::Failed(error) = self.verdict {
                    object.json(Field::Error.key(), &json_string(error));
                }
            }
            Field::Optimal => {
                let is_unproven = self.verdict.is_unproven();
                if self.verdict.path().is_some() && (by_name || is_unproven) {
                    object.json(Field::Optimal.key(), if is_unproven { "false" } else { "true" });
                }
            }
            Field::Rows
            | Field::Cols
            | Field::Board
            | Field::Goal
            | Field::States
            | Field::Solvable
            | Field::Manhattan => self.write_board_field(field, object),
            Field::LinearConflict => {
                self.linear_conflict.into_iter().for_each(|bound| object.number(Field::LinearConflict.key(), bound));
            }
            Field::Paths | Field::Solutions | Field::SolutionsAtLeast | Field::FirstMoves | Field::ForcedMoves => {
                self.write_all_paths(field, object)
            }
            Field::EstimatedNodes | Field::EstimatedTimeUs | Field::EstimatedMoves | Field::EstimatedBy => {
                self.write_expected(field, object);
            }
            // `write_member` writes their placeholders.
            Field::DuplicateOf | Field::ReflectionOf => {}
            Field::Engine | Field::Heuristic | Field::Nodes | Field::TimeUs | Field::Iterations => {
                self.write_detail_field(field, object);
            }
        }
    }

    #[cold]
    fn write_board_field(&self, field: Field, object: &mut JsonObject<'_>) {
        let Some((board, goal)) = self.puzzle else { return };
        match (field, self.verdict.path()) {
            (Field::Rows, _) => object.number(field.key(), board.shape().rows() as u64),
            (Field::Cols, _) => object.number(field.key(), board.shape().cols() as u64),
            (Field::Board, _) => object.board(field.key(), board),
            (Field::Goal, _) => object.board(field.key(), goal),
            (Field::Solvable, _) => object.json(field.key(), if is_solvable(board, goal) { "true" } else { "false" }),
            (Field::Manhattan, _) => object.number(field.key(), board.manhattan_distance(goal)),
            (Field::States, Some(path)) if has_states(board, path.len()) => {
                let out = object.member(field.key());
                out.push(b'[');
                append_tiles(out, board);
                let mut current = board.clone();
                for step in path.moves() {
                    // A verified path never leaves the board.
                    if !current.make(step) {
                        break;
                    }
                    out.push(b',');
                    append_tiles(out, &current);
                }
                out.push(b']');
            }
            _ => {}
        }
    }

    #[cold]
    fn write_detail_field(&self, field: Field, object: &mut JsonObject<'_>) {
        let Some(detail) = self.detail else { return };
        match (field, detail.heuristic) {
            (Field::Engine, _) => object.json(field.key(), &json_string(detail.engine)),
            (Field::Heuristic, Some(name)) => object.json(field.key(), &json_string(name)),
            (Field::Nodes, _) => object.number(field.key(), detail.nodes),
            (Field::TimeUs, _) => object.number(field.key(), detail.time_us),
            (Field::Iterations, _) if !detail.iterations.is_empty() => {
                let pairs: Vec<String> =
                    detail.iterations.iter().map(|(bound, nodes)| format!("[{bound},{nodes}]")).collect();
                object.json(field.key(), &format!("[{}]", pairs.join(",")));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Detail;
    use super::*;
    use crate::board::{Goal, Move, Path, Shape};
    use crate::system::Limit;

    fn written(verdict: Verdict<'_>, fields: &Fields) -> String {
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
        row.write_json(fields, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn verdicts_are_written_in_the_default_fields() {
        let path: Path = "D".parse().unwrap();
        let head = "{\"index\":7,\"source\":\"a \\\"b\\\".txt\",\"line\":12,\"id\":\"x\",\"status\":";
        let cases = [
            (Verdict::Solved(&path), "\"solved\",\"moves\":1,\"path\":\"D\"}\n"),
            (Verdict::Unsolvable, "\"unsolvable\"}\n"),
            (
                Verdict::Unsolved { lower_bound: 55, limit: Limit::Time },
                "\"unsolved\",\"limit\":\"time\",\"lower_bound\":55}\n",
            ),
            (Verdict::Invalid("'\t' is not a tile"), "\"invalid\",\"error\":\"'\\t' is not a tile\"}\n"),
            (Verdict::Failed("oh"), "\"error\",\"error\":\"oh\"}\n"),
        ];
        for (verdict, tail) in cases {
            assert_eq!(written(verdict, &Fields::default()), format!("{head}{tail}"));
        }
    }

    #[test]
    fn fields_are_written_in_the_selected_order() {
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
        let tiles = Spelling::new(crate::format::spelling::Notation::Tiles, Default::default());
        let spelled = Fields::new([Field::Moves, Field::Path]).spelled(tiles);
        assert_eq!(written(Verdict::Solved(&path), &spelled), "{\"moves\":1,\"path\":\"2\"}\n");
        assert_eq!(written(Verdict::Unsolvable, &spelled), "{}\n");
    }
}
