//! Tests of whole runs: errors are reported, and correct lines are counted.

use std::fs;
use std::io::Cursor;

use super::report::{Finding, FindingCounts};
use super::*;
use crate::engine::Parallel;
use crate::format::input::{Input, InputOptions};
use crate::format::spelling::{Notation, Spelling};
use crate::format::trailer::Trailer;
use crate::heuristic::learned::AvailableWeights;
use crate::solver::{Aim, EnginePreference, Settings};
use crate::system::{Checksum, Limits};

fn options(ordered: bool) -> Options {
    Options { ordered, pass: Arc::default(), spelling: Spelling::default(), threads: 1, sample: None }
}

/// Returns the report on results for these records. Panics on a warning.
fn report_with(records: &str, results: &str, options: &Options) -> Report {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards");
    fs::write(&path, records).unwrap();
    let mut reader = Reader::new(vec![Input::Path(path)], InputOptions::default());
    run(&mut reader, Box::new(Cursor::new(results.to_string())), options, &mut |line| panic!("{line}")).unwrap()
}

fn report(records: &str, results: &str) -> Report {
    report_with(records, results, &options(true))
}

fn counts(findings: &[Finding]) -> FindingCounts {
    let mut counts = FindingCounts::default();
    findings.iter().for_each(|&finding| counts.add(finding));
    counts
}

/// A board that needs one move, `D`.
const NEAR: &str = "1 2 3 4 5 0 7 8 6\n";
/// A 2×2 board with the two shortest paths `DRULDR` and `RDLURD`.
const OPPOSITE: &str = "0 3\n2 1\n";

/// A solved 4×4 board.
const SOLVED: &str = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0\n";

/// A board that needs 31 moves, and its canonical path.
const FARTHEST: &str = "8 6 7 2 5 4 3 0 1\n";
const FARTHEST_PATH: &str = "LURDRULURDLLDRRULULDDRUULDDRURD";

#[test]
fn errors_in_lines_are_reported() {
    let unsolvable = "2 1 3 4 5 6 7 8 0\n";
    for (records, line, problem) in [
        (NEAR, r#"{"path":"R"}"#, "has a path that is not a solution"),
        (NEAR, r#"{"path":"X"}"#, "has a path that is not a solution"),
        (NEAR, r#"{"path":"D","moves":2}"#, "has `moves` 2, expected 1"),
        (NEAR, r#"{"status":"unsolvable"}"#, "calls the board unsolvable, but by its parity it can be solved"),
        (NEAR, r#"{"status":"invalid"}"#, "calls the record invalid, but it is a board"),
        (unsolvable, r#"{"status":"unsolved"}"#, "leaves the board unsolved, but by its parity it is unsolvable"),
        (NEAR, r#"{"moves":1}"#, "has neither `status` nor `path`"),
        (NEAR, r#"{"path":"D","index":7}"#, "is for record 7, but the inputs have 1"),
        (NEAR, r#"{"path":"D","index":0}"#, "`index` does not match its schema"),
        ("oh\n", r#"{"status":"invalid","error":"no"}"#, "gives a reason other than"),
        ("oh\n", r#"{"status":"invalid","rows":3}"#, "shows a board, but the record has none"),
        ("oh\n", r#"{"path":"D"}"#, "is wrong: the record is invalid"),
        (NEAR, r#"{"path":"D","lower_bound":3}"#, "says that no path is shorter than 3 moves, but its path has 1"),
        (NEAR, r#"{"path":"D","optimal":false,"lower_bound":1}"#, "is not a shortest one"),
        (NEAR, r#"{"path":"DUD","optimal":true,"lower_bound":1}"#, "are the fewest"),
        (NEAR, r#"{"path":"D","solvable":false}"#, "has a `solvable` that contradicts the board's parity"),
        (NEAR, r#"{"path":"D","manhattan":2}"#, "has `manhattan` 2, expected 1"),
        (NEAR, r#"{"path":"D","linear_conflict":3}"#, "has a wrong linear-conflict bound"),
        (NEAR, r#"{"path":"D","moves":null}"#, "`moves` does not match its schema"),
        (NEAR, r#"{"path":"D","solutions":0}"#, "`solutions` does not match its schema"),
        (NEAR, r#"{"path":"D","engine":"nonsense"}"#, "`engine` does not match its schema"),
        (NEAR, r#"{"path":"D","iterations":[[2]]}"#, "`iterations` does not match its schema"),
        (SOLVED, r#"{"path":"","solutions":9}"#, "the board has 9 shortest paths, but it has 1"),
        ("oh\n", r#"{"status":"invalid","manhattan":3}"#, "shows a board, but the record has none"),
        (NEAR, r#"{"path":"D","first_moves":"LU"}"#, "has first or forced moves that its path does not begin with"),
        (NEAR, r#"{"path":"D","forced_moves":"DR"}"#, "has first or forced moves that its path does not begin with"),
        (NEAR, r#"{"path":"D","optimal":true,"limit":"time"}"#, "names a limit, but says that the path is a shortest"),
        (NEAR, r#"{"path":"DUD","optimal":false,"lower_bound":1,"limit":"fun"}"#, "`limit` does not match its schema"),
        (NEAR, r#"{"path":"D","states":[[1,2,3,4,5,0,7,8,6]]}"#, "shows boards other than those on its path"),
        (NEAR, r#"{"path":"D","board":[1,2,3,4,5,6,7,8,0]}"#, "shows a board other"),
        (NEAR, r#"{"path":"D","goal":[1,2,3,4,5,6,8,7,0]}"#, "shows a goal other"),
        (NEAR, r#"{"path":"D","rows":2}"#, "has `rows` 2, expected 3"),
        (NEAR, r#"{"path":"D","line":2}"#, "has `line` 2, expected 1"),
        (OPPOSITE, r#"{"path":"DRULDR","solutions":3}"#, "the board has 3 shortest paths, but it has 2"),
        (OPPOSITE, r#"{"path":"DRULDR","solutions":1}"#, "the board has 1 shortest path, but it has 2"),
        (OPPOSITE, r#"{"path":"DRULDR","solutions_at_least":3}"#, "at least 3 shortest paths, but it has 2"),
        (OPPOSITE, r#"{"path":"DRULDR","paths":["RDLURD"]}"#, "does not list its `path` first"),
        (OPPOSITE, r#"{"path":"DRULDR","paths":["DRULDR","DRULDR"]}"#, "twice, or out of order"),
        (
            OPPOSITE,
            r#"{"path":"DRULDR","paths":["DRULDR","RDLURD"],"solutions":1}"#,
            "lists 2 shortest paths, but says",
        ),
        (NEAR, r#"{"path":"DUD","solutions":1}"#, "describes all shortest paths, but there is a path of only 1"),
    ] {
        let found = report(records, &format!("{line}\n"));
        let problems = found.first_problems.join("\n");
        assert!(found.problems >= 1 && !found.is_sound() && problems.contains(problem), "{line}: {problems}");
    }
    assert_eq!(report(NEAR, "").first_problems[0].split(" (").next(), Some("record 1"));
    assert!(report(NEAR, "{\"path\":\"D\"}").first_problems[0].contains("was cut off"));
    assert!(report(NEAR, "{\"path\":\"D\"}\n{\"path\":\"D\"}\n").first_problems[0].contains("line 2 is one too many"));
}

#[test]
fn correct_lines_are_counted_by_finding() {
    let mut findings = FindingCounts::default();
    for (record, result) in [NEAR, "1 2 3 4 5 6 8 7 0\n", "oh\n", NEAR, NEAR, NEAR, NEAR, FARTHEST, NEAR].into_iter().zip([
        r#"{"index":1,"line":1,"path":"D","moves":1,"optimal":true,"lower_bound":1,"nodes":6,"iterations":[[1,5]]}"#,
        r#"{"status":"unsolvable"}"#,
        r#"{"status":"invalid"}"#,
        r#"{"path":"D","goal":[1,2,3,4,5,6,7,8,0],"board":[1,2,3,4,5,0,7,8,6],"rows":3,"cols":3,"states":[[1,2,3,4,5,0,7,8,6],[1,2,3,4,5,6,7,8,0]]}"#,
        r#"{"path":"DUD","optimal":false,"lower_bound":1,"limit":"effort"}"#,
        r#"{"status":"unsolved","limit":"time","lower_bound":1}"#,
        r#"{"status":"error","error":"oh"}"#,
        &format!(r#"{{"path":"{FARTHEST_PATH}LR","optimal":false,"lower_bound":31}}"#),
        r#"{"path":"DUD","optimal":false}"#,
    ]) {
        let found = report(record, &format!("{result}\n"));
        assert_eq!((found.problems, &*found.first_problems), (0, &[][..]));
        assert_eq!((found.records, found.results, found.failed_inputs), (1, 1, 0));
        findings.merge(&found.findings);
    }
    use Finding::{BoundUnproven, Bounded, Failed, Invalid, OnlyReplayed, Solved, Unsolvable, Unsolved};
    let expected = [Solved, Solved, Unsolvable, Invalid, Bounded, Unsolved, Failed, BoundUnproven, OnlyReplayed];
    assert_eq!(findings, counts(&expected));
    assert!(report(NEAR, "{\"path\":\"D\"}\n").is_sound());
}

/// If one line or the header has a field, all lines to which the field applies must have it.
#[test]
fn all_lines_have_the_same_fields() {
    let problems = |records: &str, results: &str| report(records, results).first_problems.join("\n");
    let (records, mixed) = (NEAR.repeat(3), format!("{NEAR}1 2 3 4 5 6 8 7 0\noh\n"));
    let lines = |second: &str| {
        format!("{{\"index\":1,\"moves\":1,\"path\":\"D\"}}\n{second}\n{{\"index\":3,\"moves\":1,\"path\":\"D\"}}\n")
    };
    assert_eq!(problems(&records, &lines(r#"{"path":"D","moves":1,"index":2}"#)), "");
    for (second, field) in [(r#"{"moves":1,"path":"D"}"#, "index"), (r#"{"index":2,"path":"D"}"#, "moves")] {
        assert_eq!(
            problems(&records, &lines(second)),
            format!("results line 2 lacks the field `{field}`, which other results have")
        );
    }
    let csv =
        "index,id,status,moves,path,error\n1,,solved,1,D,\n2,,unsolvable,,,\n3,,invalid,,,expected a tile, not 'oh'\n";
    let csv = csv.replace("expected a tile, not 'oh'", &format!("\"{}\"", reason("oh\n")));
    assert_eq!(problems(&mixed, &csv), "");
    for (from, to, problem) in [
        ("1,,solved,1,D", "1,,solved,,D", "line 2 lacks the field `moves`"),
        ("1,,solved", ",,solved", "line 2 lacks the field `index`"),
        ("2,,unsolvable", "2,x,unsolvable", "a different id"),
        ("index,id", "index,idd", "unknown field `idd`"),
        ("index,id", "index,index", "duplicate field `index`"),
        ("moves,path", "movess,path", "unknown field `movess`"),
    ] {
        let problems = problems(&mixed, &csv.replacen(from, to, 1));
        assert!(problems.contains(problem), "{to}: {problems}");
    }
    assert!(
        problems("{\"id\":7,\"board\":[1,2,3,0]}\n", "id,status,moves,path\n,solved,0,\n")
            .contains("lacks the field `id`")
    );
    // By default, only unproven paths have the fields `optimal` and `lower_bound`. If a field is
    // requested by name, all solved boards have it.
    let records = &format!("{NEAR}{NEAR}");
    let unproven = r#"{"path":"DUD","optimal":false,"lower_bound":1}"#;
    assert_eq!(problems(records, &format!("{{\"path\":\"D\"}}\n{unproven}\n")), "");
    let by_name = format!("{{\"path\":\"D\",\"optimal\":true}}\n{unproven}\n");
    assert!(
        problems(records, &by_name).contains("line 1 lacks the field `lower_bound`"),
        "{}",
        problems(records, &by_name)
    );
}

/// Returns the reason why a record is invalid.
fn reason(record: &str) -> String {
    let problems = report(record, "{\"status\":\"invalid\",\"error\":\"\"}\n").first_problems.remove(0);
    problems.split_once("than: ").unwrap().1.into()
}

#[test]
fn the_schema_names_every_engine() {
    use crate::engine::EngineKind::{Good, Line};
    let mut engines = [&[Line, Good][..], &crate::engine::EngineKind::SEARCHES].concat();
    engines.retain(|engine| crate::format::fields::ENGINES.contains(&engine.name()));
    assert_eq!(engines.len(), crate::format::fields::ENGINES.len());
}

#[test]
fn all_paths_are_recounted_unless_their_list_may_be_truncated() {
    for (line, counted) in [
        (r#"{"path":"DRULDR","paths":["DRULDR","RDLURD"],"solutions":2}"#, true),
        (r#"{"path":"DRULDR","paths":["DRULDR","RDLURD"]}"#, true),
        (r#"{"path":"DRULDR","paths":["DRULDR"]}"#, false),
        (r#"{"path":"DRULDR","paths":["DRULDR"],"solutions":2}"#, true),
        (r#"{"path":"DRULDR","solutions_at_least":1}"#, true),
    ] {
        let found = report(OPPOSITE, &format!("{line}\n"));
        assert_eq!(found.problems, 0, "{line}: {:?}", found.first_problems);
        let paths = if counted { Finding::PathsCounted } else { Finding::PathsUncounted };
        assert_eq!(found.findings, counts(&[Finding::Solved, paths]), "{line}");
    }
}

/// Lines are matched across blocks in any order. Lines for unknown records are reported.
#[test]
fn unordered_lines_find_their_records() {
    let records = NEAR.repeat(1300);
    let line = |index: usize| format!("{{\"index\":{index},\"path\":\"D\"}}\n");
    let backwards: String = (1..=1300).rev().map(line).collect();
    let found = report_with(&records, &backwards, &options(false));
    let solved = found.findings.count(Finding::Solved);
    assert_eq!((found.records, found.results, solved, found.problems), (1300, 1300, 1300, 0));
    assert!(report(&records, &backwards).problems > 0, "out of order");
    for (last, problem) in
        [(1301, "is for record 1301, but the inputs have 1300"), (0, "is not a result"), (7, "is one too many")]
    {
        let found = report_with(&records, &(backwards.clone() + &line(last)), &options(false));
        assert_eq!(found.problems, 1);
        assert!(found.first_problems[0].contains(&format!("line 1301 {problem}")), "{:?}", found.first_problems);
    }
}

#[test]
fn an_input_that_cannot_be_read_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = ["one", "two"].map(|name| Input::Path(folder.path().join(name))).to_vec();
    let mut reader = Reader::new(inputs, InputOptions::default());
    let mut warnings = 0;
    let found = run(&mut reader, Box::new(io::empty()), &options(true), &mut |_| warnings += 1).unwrap();
    assert_eq!((found.failed_inputs, warnings, found.records), (2, 2, 0));
}

/// A 3×3 board never needs more than 31 moves (board/distributions.txt).
#[test]
fn shortest_paths_are_not_longer_than_those_of_the_hardest_boards() {
    let line = |rounds: usize| format!("{{\"index\":1,\"path\":\"{}D\"}}\n", "UD".repeat(rounds));
    assert_eq!(report(NEAR, &line(15)).problems, 0);
    let padded = report(NEAR, &line(16));
    assert!(padded.first_problems[0].contains("calls a path of 33 moves shortest"), "{:?}", padded.first_problems);
}

/// The trailer of a shard is compared with its results.
#[test]
fn trailers_are_checked() {
    let lines = "{\"index\":1,\"path\":\"D\"}\n{\"index\":2,\"path\":\"D\"}\n";
    let trailer = |shard: &str, records: u64, written: u64| {
        Trailer::new(shard.parse().unwrap(), records, written, 0xab, &Checksum::default()).line()
    };
    let problems = |results: &str| report(&NEAR.repeat(2), results).first_problems.first().cloned().unwrap_or_default();
    assert_eq!(problems(&(lines.to_string() + &trailer("1/1", 2, 2))), "");
    let one = "{\"index\":1,\"path\":\"D\"}\n";
    for (results, end, expected) in [
        (lines, trailer("1/1", 3, 3), "does not match"),
        (lines, trailer("1/2", 2, 2), "give a part as a file"),
        (lines, trailer("1/2", 2, 1), "end with an invalid trailer: shard 1/2 of 2 records has 2 results, not 1"),
        (lines, "{\"shard\":1}\n".into(), "end with an invalid trailer: "),
        (one, trailer("1/1", 2, 2), "does not match"),
    ] {
        let problem = problems(&(results.to_string() + &end));
        assert!(problem.contains(expected), "{end}: {problem}");
    }
    let appended = lines.to_string() + &trailer("1/1", 2, 2) + lines;
    assert!(!problems(&appended).is_empty());
}

#[test]
fn csv_and_other_notations_are_read() {
    let records = "{\"id\":7,\"board\":[1,2,3,4,5,0,7,8,6]}\n";
    assert_eq!(report(records, "id,status,path\n7,solved,D\n").first_problems, [""; 0]);
    assert_eq!(report(records, "id,status,path\n8,solved,D\n").problems, 1);
    // In CSV the number 7 and the text "7" are the same, unlike in JSON.
    assert_eq!(report("{\"id\":\"7\",\"board\":[1,2,3,4,5,0,7,8,6]}\n", "id,status,path\n7,solved,D\n").problems, 0);
    assert_eq!(report(records, "{\"id\":\"7\",\"path\":\"D\"}\n").problems, 1);
    let spelled = |text: &str| {
        let spelling = Spelling::default().with(Some(Notation::Tiles), None);
        report_with(NEAR, &format!("{{\"path\":\"{text}\"}}\n"), &Options { spelling, ..options(true) }).problems
    };
    assert_eq!((spelled("6"), spelled("5"), spelled("D")), (0, 1, 1));
}

/// Returns settings for a sample with these limits.
fn solving(limits: Limits) -> Settings {
    Settings {
        threads: 1,
        parallel: Parallel::Auto,
        memory: 256 << 20,
        preference: EnginePreference::default(),
        aim: Aim::SHORTEST,
        weights: AvailableWeights::default(),
        limits,
    }
}

#[test]
fn a_sample_is_solved_again() {
    use Finding::{BoundProven, PathsCountedAgain, Uncontradicted, Unsettled};
    let within = |limits: Limits, records: &str, line: &str, any_shortest: bool| {
        let sample = Some(SampleOptions { boards: 5, solving: solving(limits), any_shortest });
        let found = report_with(records, &format!("{line}\n"), &Options { sample, ..options(true) });
        let sampled = [Finding::Agreed, PathsCountedAgain, BoundProven, Uncontradicted, Unsettled];
        let findings: Vec<_> = sampled.into_iter().filter(|&finding| found.findings.count(finding) > 0).collect();
        (findings, found.first_problems.join("\n"))
    };
    let sampled = |records: &str, line: &str, any| within(Limits::default(), records, line, any);
    let agreed = (vec![Finding::Agreed], String::new());
    let bound_proven = (vec![BoundProven], String::new());
    assert_eq!(sampled(NEAR, r#"{"path":"D"}"#, false), agreed);
    // The paths of boards of more than 9 cells are counted only in a sample.
    let corner = "1 2 3 4 5 6 7 8 9 10 0 15 13 14 12 11\n";
    let line = |claims: &str| format!(r#"{{"path":"DRULDR",{claims}}}"#);
    let counted = (vec![Finding::Agreed, PathsCountedAgain], String::new());
    let right = [r#""solutions":2"#, r#""solutions_at_least":2"#, r#""first_moves":"DR""#, r#""forced_moves":"""#];
    for claims in right {
        assert_eq!(sampled(corner, &line(claims), false), counted, "{claims}");
    }
    for (claims, problem) in [
        (r#""solutions":1"#, "the board has 1 shortest path, but it has at least 2"),
        (r#""solutions":9"#, "the board has 9 shortest paths, but it has 2"),
        (r#""solutions_at_least":3"#, "at least 3 shortest paths, but it has 2"),
        (r#""first_moves":"D""#, "first moves of shortest paths are 'D', but they are 'DR'"),
        (r#""forced_moves":"DR""#, "share their first 2 moves, but they share 0"),
    ] {
        assert_eq!(report(corner, &(line(claims) + "\n")).problems, 0, "{claims}");
        let (_, problems) = sampled(corner, &line(claims), false);
        assert!(problems.contains(problem), "{claims}: {problems}");
    }
    assert_eq!(sampled(OPPOSITE, r#"{"path":"DRULDR"}"#, false), agreed);
    assert_eq!(sampled(OPPOSITE, r#"{"path":"RDLURD"}"#, true), agreed);
    let (_, problems) = sampled(OPPOSITE, r#"{"path":"RDLURD"}"#, false);
    assert!(problems.contains("has a path that differs from bidirectional's: DRULDR"), "{problems}");
    let (_, problems) = sampled(NEAR, r#"{"path":"DUD"}"#, true);
    assert!(problems.contains("has 3 moves, but bidirectional needs 1"), "{problems}");
    let bounded = |more: &str, bound: u64| {
        sampled(
            FARTHEST,
            &format!(r#"{{"path":"{FARTHEST_PATH}{more}","optimal":false,"lower_bound":{bound}}}"#),
            false,
        )
    };
    assert_eq!(bounded("LR", 31), bound_proven);
    assert_eq!(bounded("LR", 29), bound_proven);
    let line = format!(r#"{{"path":"{FARTHEST_PATH}LR","optimal":false,"lower_bound":31}}"#);
    let uncontradicted = (vec![Uncontradicted], String::new());
    let one_node = Limits { nodes: Some(1), time: None };
    assert_eq!(within(one_node, FARTHEST, &line, false), uncontradicted);
    let sample = Some(SampleOptions { boards: 5, solving: solving(Limits::default()), any_shortest: false });
    let text = report_with(FARTHEST, &(line + "\n"), &Options { sample, ..options(true) }).to_string();
    assert!(text.contains("1 with a lower bound, in the sample: proven by another engine"), "{text}");
    let (_, problems) = bounded("LRLR", 33);
    assert!(problems.contains("no path is shorter than 33 moves, but there is one of 31"), "{problems}");
}

#[test]
fn proofs_have_a_default_node_limit() {
    let nodes_of_proofs = |nodes, time| {
        SampleOptions { boards: 1, solving: solving(Limits { nodes, time }), any_shortest: false }
            .limits_of_proofs()
            .nodes
    };
    let second = Some(std::time::Duration::from_secs(1));
    assert_eq!(
        [nodes_of_proofs(None, None), nodes_of_proofs(Some(7), None), nodes_of_proofs(None, second)],
        [Some(20_000_000), Some(7), None]
    );
}
