//! Tests that results are read as they were written, and that other lines are rejected.

use super::*;
use crate::board::{Beginning, Goal, Move, Path, PathList, Shape};
use crate::format::field_table::Presence;
use crate::format::output::{
    AllPaths, Detail, Expected, Fields, Occurrence, PathTotal, Row, Verdict, fill, json_string,
};
use crate::format::style::Style;
use crate::system::Limit;
use serde_json::{Value, json};

/// Writes a result with every field that its verdict can have, except `reflection_of` and the
/// fields for boards whose shortest paths are not all counted.
fn written(verdict: Verdict<'_>) -> String {
    let goal = Goal::BlankLast.on(Shape::new(2, 2).unwrap()).unwrap();
    let board = goal.after(Move::Up).unwrap();
    let all_paths = match verdict {
        Verdict::Solved(path) => Some(AllPaths {
            count: PathTotal::Exactly(1),
            list: Some(PathList::only(path, usize::MAX)),
            beginning: Some(Beginning::new(path.moves().collect(), 1)),
        }),
        _ => None,
    };
    let searched = !matches!(verdict, Verdict::Invalid(_) | Verdict::Failed(_));
    let source = json_string("a \"b\".txt");
    let row = Row {
        id: Some("\"x\""),
        puzzle: (!matches!(verdict, Verdict::Invalid(_))).then_some((&board, &goal)),
        detail: searched.then_some(Detail {
            engine: "idastar",
            heuristic: Some("7-8"),
            nodes: 9,
            time_us: 2,
            iterations: &[(1, 2), (3, 7)],
        }),
        all_paths: all_paths.as_ref(),
        linear_conflict: matches!(verdict.status(), Status::Solved | Status::Unsolved).then_some(3),
        expected: searched.then_some(Expected { nodes: 5, search: Some((6, 7, "7-8")) }),
        ..Row::bare(7, &source, 12, verdict)
    };
    let mut out = Vec::new();
    let fields = Fields::new(Field::ALL);
    row.write(&Style::Json(fields.clone()), &mut out);
    let mut filled = Vec::new();
    fill(&out, false, fields.count_earlier_record_fields(), || Occurrence::DuplicateOf(2), &mut filled);
    String::from_utf8(filled).unwrap()
}

fn verdicts(path: &Path) -> [Verdict<'_>; 6] {
    [
        Verdict::Solved(path),
        Verdict::Found { path, lower_bound: 0, limit: Some(Limit::Time) },
        Verdict::Unsolvable,
        Verdict::Unsolved { lower_bound: 5, limit: Limit::Memory },
        Verdict::Invalid("no board"),
        Verdict::Failed("oh"),
    ]
}

/// Returns the value read for a field, as JSON.
fn read_back(line: &ResultLine<'_>, field: Field) -> Value {
    match &line.values[field as usize] {
        ReadValue::Absent | ReadValue::Unknown | ReadValue::Foreign(_) => Value::Null,
        ReadValue::Number(number) => json!(number),
        ReadValue::Flag(flag) => json!(flag),
        ReadValue::Text(text) => json!(text),
        ReadValue::Raw(raw) => serde_json::from_str(raw.get()).unwrap(),
        ReadValue::Tiles(labels) => json!(labels),
        ReadValue::NumberLists(lists) => json!(lists),
        ReadValue::Texts(texts) => json!(texts.iter().map(|text| &*text.0).collect::<Vec<_>>()),
    }
}

#[test]
fn every_field_that_is_written_is_read_back() {
    let path = "D".parse().unwrap();
    for verdict in verdicts(&path) {
        let (text, status) = (written(verdict), verdict.status());
        let object: Value = serde_json::from_str(&text).unwrap();
        let strict = ResultLine::read(text.as_bytes(), ReadMode::STRICT).unwrap();
        assert_eq!((strict.status(), strict.misplaced(status).next()), (Ok(Some(status)), None), "{text}");
        for field in Field::ALL {
            let expected = object.get(field.name()).unwrap_or(&Value::Null);
            assert_eq!(read_back(&strict, field), *expected, "{field} of {text}");
            let only = ReadMode::Only(FieldSet::of(|other| other == field));
            let only = ResultLine::read(text.as_bytes(), only).unwrap();
            assert_eq!(read_back(&only, field), *expected, "{field} of {text}");
            for other in Field::ALL {
                assert_eq!(only.has(other), other == field && *expected != Value::Null, "{other} of {text}");
            }
        }
        assert_eq!(
            object.as_object().unwrap().len(),
            Field::ALL.into_iter().filter(|&field| strict.has(field)).count()
        );
    }
}

/// A field is written for exactly the verdicts that the table allows.
#[test]
fn fields_are_written_for_the_verdicts_in_the_table() {
    let path = "D".parse().unwrap();
    for verdict in verdicts(&path) {
        let object: Value = serde_json::from_str(&written(verdict)).unwrap();
        for field in Field::ALL {
            let presence = field.row().presence;
            let expected = match presence {
                Presence::Counted => matches!(verdict, Verdict::Solved(_)),
                Presence::Uncounted | Presence::Reflected => false,
                Presence::FirstMovesKnown => matches!(verdict, Verdict::Solved(_)),
                Presence::Estimated | Presence::SearchEstimated => {
                    !matches!(verdict.status(), Status::Invalid | Status::Error)
                }
                // A proven result has no limit.
                Presence::Limited => presence.allows(verdict.status()) && !matches!(verdict, Verdict::Solved(_)),
                Presence::Solvable => matches!(verdict.status(), Status::Solved | Status::Unsolved),
                _ => presence.allows(verdict.status()),
            };
            assert_eq!(object.get(field.name()).is_some(), expected, "{field} of {object}");
        }
    }
}

#[test]
fn lines_that_are_not_results_are_refused() {
    let deep = format!("{{\"states\":{}", "[".repeat(100_000));
    let wrong = [
        "",
        "null",
        "[]",
        "{\"index\":-1}",
        "{\"index\":18446744073709551616}",
        "{\"index\":1.5}",
        "{\"status\":\"Solved\"}",
        "{\"status\":1}",
        "{\"moves\":null}",
        "{\"id\":null}",
        "{\"id\":true}",
        "{\"index\":0}",
        "{\"rows\":256}",
        "{\"solutions\":0}",
        "{\"engine\":\"nonsense\"}",
        "{\"heuristic\":\"7_8\"}",
        "{\"first_moves\":\"X\"}",
        "{\"limit\":\"fun\"}",
        "{\"iterations\":[[9]]}",
        "{\"colour\":1}",
        "{\"path\":\"U\",\"path\":\"D\"}",
        "{\"path\":null,\"path\":\"D\"}",
        "{\"path\":\"U\"}{}",
        "{\"path\":\"\\ud800\"}",
        "{\"path\":\"U",
        &deep,
    ];
    for line in wrong {
        assert!(read(line.as_bytes()).unwrap_err().contains("not a result"), "{line:.40}");
    }
    assert!(read(b"{\"path\":\"\xff\"}").is_err());
}

#[test]
fn boards_are_arrays_of_tiles_or_rows() {
    let tiles =
        |board: &str| Some(read(format!("{{\"board\":{board}}}").as_bytes()).ok()?.tiles(Field::Board)?.to_vec());
    for board in ["[1,2,3,0]", "[[1,2],[3,0]]", "[ 1, [2, 3], 0 ]"] {
        assert_eq!(tiles(board), Some(vec![1, 2, 3, 0]), "{board}");
    }
    for wrong in ["[[[1]]]", "[1.5]", "[-1]", "[\"1\"]", "[1,null]", "7"] {
        assert_eq!(tiles(wrong), None, "{wrong}");
    }
}

/// Errors about unknown and repeated fields are worded as for a struct with derived `Deserialize`.
#[test]
fn unknown_and_repeated_fields_are_named() {
    let why = |line: &'static str| read(line.as_bytes()).unwrap_err();
    assert!(
        why("{\"colour\":1}").starts_with("is not a result: unknown field `colour`, expected one of `index`, `source`")
    );
    assert!(why("{\"colour\":1}").ends_with("`iterations`"));
    assert_eq!(why("{\"line\":1,\"line\":2}"), "is not a result: duplicate field `line`");
    assert_eq!(
        why("{\"status\":\"Solved\"}"),
        "is not a result: `status` does not match its schema: \"enum\": [\"solved\", \"unsolvable\", \
         \"unsolved\", \"invalid\", \"error\"]"
    );
}

#[test]
fn fields_belong_to_statuses() {
    let parsed = |line: &'static str| read(line.as_bytes()).unwrap();
    let misplaced = |line: &'static str, status| parsed(line).misplaced(status).next();
    assert_eq!(parsed("{}").status(), Ok(None));
    assert_eq!(parsed("{\"path\":\"U\"}").status(), Ok(Some(Status::Solved)));
    assert_eq!(misplaced("{\"path\":\"U\",\"moves\":1}", Status::Solved), None);
    assert_eq!(misplaced("{\"path\":\"U\",\"moves\":1}", Status::Unsolvable), Some(Field::Moves));
    assert_eq!(misplaced("{\"limit\":\"time\",\"error\":\"x\"}", Status::Unsolved), Some(Field::Error));
    assert_eq!(misplaced("{\"error\":\"x\",\"engine\":\"good\"}", Status::Invalid), Some(Field::Engine));
    assert_eq!(misplaced("{\"error\":\"x\",\"rows\":3}", Status::Invalid), Some(Field::Rows));
    assert_eq!(misplaced("{\"error\":\"x\",\"rows\":3}", Status::Error), None);
    assert_eq!(misplaced("{\"linear_conflict\":3}", Status::Unsolvable), Some(Field::LinearConflict));
}

#[test]
fn fields_that_are_not_requested_are_skipped() {
    let only = ReadMode::Only(FieldSet::of(|field| field == Field::Moves));
    let read = |line: &'static str| ResultLine::read(line.as_bytes(), only);
    let line = read(r#"{"nodes":{},"nodes":[1],"colour":[[]],"moves":3,"status":7}"#).unwrap();
    assert_eq!((line.number(Field::Moves), line.has(Field::Nodes)), (Some(3), false));
    assert!(read(r#"{"moves":3,"moves":3}"#).unwrap_err().contains("duplicate field `moves`"));
    assert!(read(r#"{"moves":3}}"#).is_err());
    assert!(read("[3]").unwrap_err().contains("not a JSON object"));
}

fn read(line: &[u8]) -> Result<ResultLine<'_>, String> {
    ResultLine::read(line, ReadMode::STRICT)
}

#[test]
fn a_record_number_is_read_wherever_it_is_and_never_overflows() {
    let index = |line: &str| index_of(format!("{line}\n").as_bytes()).ok().flatten();
    assert_eq!(index(r#"{"index":12,"status":"invalid","error":"r"}"#), Some(12));
    assert_eq!(index(r#"{"status":"invalid","error":"r","index":12}"#), Some(12));
    assert_eq!(index(r#"{"index":0,"status":"invalid","error":"r"}"#), None);
    assert_eq!(index(r#"{"index":999999999999999999,"status":"invalid","error":"r"}"#), Some(10_u64.pow(18) - 1));
    for digits in 19..50 {
        let line = format!(r#"{{"index":{},"status":"invalid","error":"r"}}"#, "9".repeat(digits));
        assert!(index(&line).is_none_or(|number| digits < 21 && number >= 10_u64.pow(18)), "{line}");
    }
}
