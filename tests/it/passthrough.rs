//! Passthrough columns (fields of a record that are copied into its result), and results as CSV.

use std::path::Path;

use crate::common::schema::Schema;
use crate::common::{run, stderr, stdout};

const OBJECTS: &str = "{\"id\":7,\"user\":\"ann\",\"board\":[1,2,3,4,5,6,7,0,8],\"moves\":99,\"tags\":[1,\"a,b\"]}\n\
                       {\"user\":null,\"board\":[1,2,3,4,5,6,8,7,0]}\n{\"board\":[1,1]}\n";

fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().into()
}

#[test]
fn members_of_objects_pass_through_unchanged() {
    let fields = ["solve", "--quiet", "--fields", "index,moves", "--pass"];
    let pass = |what: &str, more: &[&str]| stdout(&run(&[&fields, &[what][..], more].concat(), OBJECTS));
    assert_eq!(
        pass("tags,user,moves=theirs", &[]),
        "{\"index\":1,\"moves\":1,\"tags\":[1,\"a,b\"],\"user\":\"ann\",\"theirs\":99}\n{\"index\":2,\"user\":null}\n{\"index\":3}\n"
    );
    assert_eq!(
        pass("all,moves=old", &[]),
        "{\"id\":7,\"user\":\"ann\",\"board\":[1,2,3,4,5,6,7,0,8],\"old\":99,\"tags\":[1,\"a,b\"],\"index\":1,\"moves\":1}\n\
         {\"user\":null,\"board\":[1,2,3,4,5,6,8,7,0],\"index\":2}\n{\"board\":[1,1],\"index\":3}\n"
    );
}

/// A column with the name of a result field is rejected on the command line. `--pass all` renames
/// such a column, unless it is one of the fields that define a record, such as `board` or `rows`.
#[test]
fn names_of_result_fields_are_rejected_or_renamed() {
    let rejected = run(&["solve", "--pass", "user,moves"], OBJECTS);
    assert_eq!(rejected.status.code(), Some(2));
    assert!(stderr(&rejected).contains("--pass moves=their_moves"), "{}", stderr(&rejected));
    let renamed = stdout(&run(&["solve", "--quiet", "--pass", "all"], OBJECTS));
    assert!(renamed.lines().next().unwrap().contains("\"their_moves\":99,"), "{renamed}");
    let csv = "board,path,rows,cols\n1 2 3 0,U,2,2\n";
    let fields = ["solve", "--quiet", "--fields", "board,moves", "--pass", "all"];
    let expected = "{\"board\":\"1 2 3 0\",\"their_path\":\"U\",\"rows\":2,\"cols\":2,\"moves\":0}\n";
    assert_eq!(stdout(&run(&fields, csv)), expected);
}

/// Results with boards that are passed through can be verified and reported, whatever form the
/// boards are in.
#[test]
fn boards_that_pass_through_are_verified() {
    let folder = tempfile::tempdir().unwrap();
    let boards = "{\"id\":\"a\",\"board\":[[1,2,3],[4,5,6],[7,0,8]],\"rows\":3,\"cols\":3}\n{\"board\":\"1 2/0 3\",\"goal\":\"1 2/3 0\"}\n";
    let (boards, results) = (file(&folder, "boards.jsonl", boards), folder.path().join("r.jsonl"));
    let results = results.to_str().unwrap();
    assert_eq!(run(&["solve", "--quiet", "--pass", "all", &boards, "-o", results], "").status.code(), Some(0));
    let valid = run(&["verify", "--pass", "all", results, &boards], "");
    assert_eq!(valid.status.code(), Some(0), "{}{}", stdout(&valid), stderr(&valid));
    assert_eq!(run(&["report", results], "").status.code(), Some(0));
    let original = std::fs::read_to_string(results).unwrap();
    for (from, to) in [("[7,0,8]", "[7,8,0]"), ("1 2/0 3", "2 1/0 3"), ("1 2/3 0", "null")] {
        let tampered = original.replacen(from, to, 1);
        assert_ne!(tampered, original);
        let found = run(&["verify", "--pass", "all", &file(&folder, "t.jsonl", &tampered), &boards], "");
        assert_eq!(found.status.code(), Some(1), "{to}: {}", stdout(&found));
    }
}

/// Fields that define a record are copied whatever they are: an id that is not an id, a foreign
/// board next to the board, the text of an empty column.
#[test]
fn odd_copies_are_verified_and_reported() {
    let board = "\"board\":[1,2,3,4,5,6,7,0,8]";
    let members = [
        "\"id\":null",
        "\"id\":\"\"",
        "\"id\":[1]",
        "\"goal\":{}",
        "\"goal\":[1,2,3,4,5,6,7,8,null]",
        "\"rows\":\"x\",\"cols\":-1",
    ];
    let objects = members.map(|member| format!("{{{member},{board}}}\n")).concat()
        + "{\"board\":{}}\n{\"board\": null, \"id\": 7}\n";
    let csv = "id,board,rows,cols\n,1 2 3 4 5 6 7 0 8,,\n7,,x,3\n,1 2 3 4 5 6 7 0 8\n";
    let two_boards = "{\"grid\":[1,2,3,0]}\n{\"grid\":[1,2,3,0],\"board\":[0,1]}\n";
    let folder = tempfile::tempdir().unwrap();
    let boards = [("b.jsonl", &objects[..]), ("b.csv", csv), ("g.jsonl", two_boards)]
        .map(|(name, text)| file(&folder, name, text));
    let results = boards.each_ref().map(|boards| stdout(&run(&["solve", "--quiet", "--pass", "all", boards], "")));
    for (boards, results) in boards.iter().zip(&results) {
        let spaced = results
            .replace(",\"", ", \"")
            .replace("\":", "\": ")
            .replace("[1,2,3,", "[1, 2, 3, ")
            .replace("6 7 0", "6\\u00207 0");
        for results in [results, &spaced] {
            let valid = run(&["verify", "--pass", "all", "-", boards], results);
            assert_eq!(valid.status.code(), Some(0), "{}{}", stdout(&valid), stderr(&valid));
            let report = run(&["report"], results);
            assert_eq!((report.status.code(), stderr(&report)), (Some(0), String::new()));
        }
    }
    let has_no = |name: &str| format!("has a field '{name}', which the record does not have");
    let other = |name: &str| format!("has a field '{name}' other than ");
    for (at, from, to, problem) in [
        (0, "\"id\":null", "\"id\":7", other("id")),
        (0, "\"id\":null,", "", "lacks the field 'id'".into()),
        (0, "\"goal\":{}", "\"goal\":[]", other("goal")),
        (0, "\"rows\":\"x\"", "\"rows\":\"y\"", other("rows")),
        (0, "\"board\":{}", "\"board\":null", other("board")),
        (0, "\"board\":{}", "\"board\":{},\"goal\":null", has_no("goal")),
        (0, "\"board\":{}", "\"board\":{},\"id\":9", "is for a different id: the record's is none".into()),
        (1, "\"id\":\"\"", "\"id\":\"7\"", other("id")),
        (2, "\"board\":[0,1]", "\"board\":[1,0]", other("board")),
        (2, "{\"grid\":[1,2,3,0],\"index\"", "{\"grid\":[1,2,3,0],\"board\":[0],\"index\"", "shows a board".into()),
        (2, "{\"grid\":[1,2,3,0],\"index\"", "{\"grid\":[1,2,3,0],\"board\":{},\"index\"", has_no("board")),
    ] {
        assert!(results[at].contains(from), "{from}: {}", results[at]);
        let tampered = results[at].replacen(from, to, 1);
        let found = run(&["verify", "--pass", "all", "-", &boards[at]], &tampered);
        assert!(stdout(&found).contains(&problem), "{to}: {}", stdout(&found));
    }
    let of_names = stdout(&run(&["solve", "--quiet", "--to", "csv", "--pass", "grid", &boards[2]], ""));
    let refused = run(&["verify", "--pass", "all", "-", &boards[2]], &of_names);
    assert_eq!((refused.status.code(), stderr(&refused).contains("name the columns")), (Some(2), true));
}

#[test]
fn columns_pass_through_as_text() {
    let csv = "id,level,board,Name\n007,2,1 2 0 3,\"a \"\"b\"\", c\"\n8,,1 0 2 3,\n";
    let output = run(&["solve", "--fields", "id,status", "--pass", "Name,level,user"], csv);
    assert_eq!(
        stdout(&output),
        "{\"id\":\"007\",\"status\":\"solved\",\"Name\":\"a \\\"b\\\", c\",\"level\":\"2\"}\n\
         {\"id\":\"8\",\"status\":\"unsolvable\",\"Name\":\"\",\"level\":\"\"}\n"
    );
    assert!(stderr(&output).contains("the header has no column 'user'"), "{}", stderr(&output));
}

/// `verify` and `report` read results in CSV, and `verify` detects every significant change.
#[test]
fn csv_results_are_verified() {
    let folder = tempfile::tempdir().unwrap();
    let (boards, results) = (file(&folder, "boards.jsonl", OBJECTS), folder.path().join("r.csv"));
    let results = results.to_str().unwrap();
    let pass = "user,tags,moves=theirs";
    let solve = ["solve", "--quiet", "--boards", "--to", "csv", "--pass", pass, &boards, "-o", results];
    assert_eq!(run(&solve, "").status.code(), Some(1));
    let text = std::fs::read_to_string(results).unwrap();
    let lines: Vec<&str> = text.split("\r\n").collect();
    assert_eq!(
        lines[0],
        "index,source,line,id,status,moves,path,optimal,limit,lower_bound,error,rows,cols,board,goal,user,tags,theirs"
    );
    let source = &boards;
    assert_eq!(
        lines[1],
        format!("1,{source},1,7,solved,1,R,,,,,3,3,1 2 3 4 5 6 7 0 8,1 2 3 4 5 6 7 8 0,ann,\"[1,\"\"a,b\"\"]\",99")
    );
    assert_eq!(lines.len(), 5);
    let verify = |results: &str| run(&["verify", "--pass", pass, results, &boards], "");
    let valid = verify(results);
    assert_eq!(valid.status.code(), Some(0), "{}{}", stdout(&valid), stderr(&valid));
    // Lines are counted as in an editor, so the header is line 1.
    let garbage = verify(&file(&folder, "g.csv", &format!("{}garbage\n", text.replacen(",R,", ",L,", 1))));
    let message = stdout(&garbage) + &stderr(&garbage);
    assert!(message.contains("results line 2 (record 1)"), "{message}");
    assert!(
        message.contains("results line 5 is not a result: the header names 18 fields, the record has 1"),
        "{message}"
    );
    for (what, other) in
        [("ann", "bob"), (",99", ",98"), (",R,", ",L,"), (",7,solved", ",8,solved"), ("1 2 3 4", "1 2 4 3")]
    {
        assert!(text.contains(what), "{what}");
        let tampered = file(&folder, "t.csv", &text.replacen(what, other, 1));
        let found = verify(&tampered);
        assert_eq!(found.status.code(), Some(1), "{what} as {other}: {}", stdout(&found));
    }
    // The same problem in every line is reported once.
    let without = stdout(&run(&["verify", results, &boards], ""));
    assert!(without.starts_with("results line 2 is not a result: unknown field `user`"), "{without}");
    assert!(without.contains("(and 2 more with this problem)") && without.matches("`user`").count() == 1, "{without}");
    let page = run(&["report", results], "");
    assert_eq!(page.status.code(), Some(0), "{}", stderr(&page));
    assert!(stdout(&page).contains("3×3, goal with its blank in a corner"), "{}", stdout(&page));
}

/// A value that differs from the record's is an error. A null may stand for a missing value.
#[test]
fn verify_checks_passthrough_columns() {
    let folder = tempfile::tempdir().unwrap();
    let (boards, results) = (file(&folder, "boards.jsonl", OBJECTS), folder.path().join("r.jsonl"));
    let results = results.to_str().unwrap();
    run(&["solve", "--quiet", "--pass", "user,level", &boards, "-o", results], "");
    let valid = std::fs::read_to_string(results).unwrap();
    let verify = |results: &str| run(&["verify", "--pass", "user,level", results, &boards], "");
    for (tampered, status) in [
        (valid.clone(), 0),
        (valid.replacen("\"user\":\"ann\"", "\"user\":\"ann\",\"level\":null", 1), 0),
        (valid.replacen("\"user\":\"ann\"", "\"user\":\"ann\",\"level\":3", 1), 1),
        (valid.replacen(",\"user\":\"ann\"", "", 1), 1),
    ] {
        let found = verify(&file(&folder, "t.jsonl", &tampered));
        assert_eq!(found.status.code(), Some(status), "{tampered}{}", stdout(&found));
    }
}

/// A run that is resumed at its end does not change the file, and writes no second header.
#[test]
fn a_csv_run_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let text: String =
        (0..400).map(|i| if i % 3 == 0 { "1 2 3 4 5 6 7 0 8,b\n" } else { "1 2 3 4 5 6 8 7 0,c\n" }).collect();
    let boards = file(&folder, "b.csv", &format!("board,who\n{text}"));
    let path = folder.path().join("r.csv");
    let solve = |more: &[&str]| {
        let options = ["solve", "--quiet", "--to", "csv", "--pass", "who", &boards, "-o", path.to_str().unwrap()];
        run(&[&options[..], more].concat(), "")
    };
    assert_eq!(solve(&["--resume"]).status.code(), Some(0));
    let whole = std::fs::read(&path).unwrap();
    assert_eq!(solve(&["--resume"]).status.code(), Some(0), "a finished run resumes at its end");
    assert_eq!(std::fs::read(&path).unwrap(), whole);
    assert_eq!(whole.iter().filter(|&&byte| byte == b'\n').count(), 401);
    let other = run(&["solve", "--quiet", "--pass", "who", &boards, "-o", path.to_str().unwrap(), "--resume"], "");
    assert!(stderr(&other).contains("use --force to start again"), "{}", stderr(&other));
    assert!(Path::new(&path).exists());
}

#[test]
fn unsupported_options_are_rejected() {
    for (options, why) in [
        (&["--to", "csv", "--pass", "all"][..], "name the columns"),
        (&["--to", "csv", "--as", "uva10181"], "cannot be combined"),
        (&["--pass", "a,a"], "named twice"),
    ] {
        let output = run(&[&["solve"], options].concat(), "");
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

/// Results match the schema printed for their options.
#[test]
fn the_schema_includes_passthrough_columns() {
    for options in [&["--pass", "user,tags"][..], &["--pass", "all,moves=old"], &[]] {
        let schema = Schema::printed(options);
        let results = stdout(&run(&[&["solve", "--quiet", "--boards"], options].concat(), OBJECTS));
        assert_eq!(results.lines().count(), 3);
        for line in results.lines() {
            let line = serde_json::from_str(line).unwrap();
            assert_eq!(schema.check(&line), Ok(()), "{options:?}: {line}");
        }
    }
}
