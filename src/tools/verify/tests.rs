//! Tests of whole runs: errors are reported, and correct lines are counted.

use std::fs;
use std::io::Cursor;

use super::report::{Finding, FindingCounts};
use super::*;
use crate::engine::Parallel;
use crate::format::input::{Input, InputOptions};
use crate::format::spelling::{Notation, Spelling};
use crate::heuristic::learned::AvailableWeights;
use crate::solver::{Aim, EnginePreference, Settings};
use crate::system::Limits;

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
        (NEAR, r#"{"status":"solved","path":"R"}"#, "has a path that is not a solution"),
        (NEAR, r#"{"status":"solved","path":"X"}"#, "has a path that is not a solution"),
        (NEAR, r#"{"status":"solved","path":"D","moves":2}"#, "has `moves` 2, expected 1"),
        (NEAR, r#"{"status":"unsolvable"}"#, "calls the board unsolvable, but by its parity it can be solved"),
        (NEAR, r#"{"status":"invalid"}"#, "calls the record invalid, but it is a board"),
        (unsolvable, r#"{"status":"unsolved"}"#, "leaves the board unsolved, but by its parity it is unsolvable"),
        (NEAR, r#"{"path":"D"}"#, "has no field `status`"),
        (NEAR, r#"{"status":"solved","moves":1}"#, "has no field `path`"),
        (
            NEAR,
            r#"{"status":"solved","path":"D","index":7}"#,
            "(record 7) is for a record that does not exist: the inputs have 1",
        ),
        (NEAR, r#"{"status":"solved","path":"D","index":0}"#, "`index` does not match its schema"),
        ("oh\n", r#"{"status":"invalid","error":"no"}"#, "gives a reason other than"),
        (
            "oh\n",
            r#"{"status":"invalid","rows":3}"#,
            "contradicts itself: it has the field `rows`, but its status is invalid",
        ),
        ("oh\n", r#"{"status":"solved","path":"D"}"#, "is wrong: the record is invalid"),
        (
            NEAR,
            r#"{"status":"solved","path":"D","lower_bound":3}"#,
            "says that no path is shorter than 3 moves, but its path has 1",
        ),
        (NEAR, r#"{"status":"solved","path":"D","optimal":false,"lower_bound":1}"#, "its path is not a shortest one"),
        (NEAR, r#"{"status":"solved","path":"DUD","optimal":true,"lower_bound":1}"#, "its path is a shortest one"),
        (
            NEAR,
            r#"{"status":"solved","path":"D","solvable":false}"#,
            "has a `solvable` that contradicts the board's parity",
        ),
        (NEAR, r#"{"status":"solved","path":"D","manhattan":2}"#, "has `manhattan` 2, expected 1"),
        (NEAR, r#"{"status":"solved","path":"D","linear_conflict":3}"#, "has `linear_conflict` 3, expected 1"),
        (NEAR, r#"{"status":"solved","path":"D","moves":null}"#, "`moves` does not match its schema"),
        (NEAR, r#"{"status":"solved","path":"D","solutions":0}"#, "`solutions` does not match its schema"),
        (NEAR, r#"{"status":"solved","path":"D","engine":"nonsense"}"#, "`engine` does not match its schema"),
        (NEAR, r#"{"status":"solved","path":"D","iterations":[[2]]}"#, "`iterations` does not match its schema"),
        (SOLVED, r#"{"status":"solved","path":"","first_moves":"D"}"#, "that its path does not begin with"),
        (NEAR, r#"{"status":"solved","path":"D","first_moves":""}"#, "that its path does not begin with"),
        (NEAR, r#"{"status":"solved","path":"D","solutions":1,"solutions_at_least":1}"#, "has both"),
        (NEAR, r#"{"status":"solved","path":"DUD","optimal":false,"solutions":1}"#, "is not proven shortest"),
        (
            "oh\n",
            r#"{"status":"invalid","manhattan":3}"#,
            "contradicts itself: it has the field `manhattan`, but its status is invalid",
        ),
        (
            NEAR,
            r#"{"status":"solved","path":"D","first_moves":"LU"}"#,
            "has first or forced moves that its path does not begin with",
        ),
        (
            NEAR,
            r#"{"status":"solved","path":"D","forced_moves":"DR"}"#,
            "has first or forced moves that its path does not begin with",
        ),
        (
            NEAR,
            r#"{"status":"solved","path":"D","optimal":true,"limit":"time"}"#,
            "names a limit, but says that the path is a shortest",
        ),
        (
            NEAR,
            r#"{"status":"solved","path":"DUD","optimal":false,"lower_bound":1,"limit":"fun"}"#,
            "`limit` does not match its schema",
        ),
        (
            NEAR,
            r#"{"status":"solved","path":"D","states":[[1,2,3,4,5,0,7,8,6]]}"#,
            "shows boards other than those on its path",
        ),
        (NEAR, r#"{"status":"solved","path":"D","board":[1,2,3,4,5,6,7,8,0]}"#, "shows a board other"),
        (NEAR, r#"{"status":"solved","path":"D","goal":[1,2,3,4,5,6,8,7,0]}"#, "shows a goal other"),
        (NEAR, r#"{"status":"solved","path":"D","rows":2}"#, "has `rows` 2, expected 3"),
        (NEAR, r#"{"status":"solved","path":"D","line":2}"#, "has `line` 2, expected 1"),
        (OPPOSITE, r#"{"status":"solved","path":"DRULDR","paths":["RDLURD"]}"#, "does not list its `path` first"),
        (OPPOSITE, r#"{"status":"solved","path":"DRULDR","paths":["DRULDR","DRULDR"]}"#, "twice, or out of order"),
        (
            OPPOSITE,
            r#"{"status":"solved","path":"DRULDR","paths":["DRULDR","RDLURD"],"solutions":1}"#,
            "lists 2 shortest paths, but says",
        ),
        (OPPOSITE, r#"{"status":"solved","path":"DRULDR","paths":[]}"#, "has an empty list of paths"),
    ] {
        let found = report(records, &format!("{line}\n"));
        let problems = found.problem_lines.join("\n");
        assert!(found.problems >= 1 && !found.is_sound() && problems.contains(problem), "{line}: {problems}");
    }
    assert_eq!(report(NEAR, "").problem_lines[0].split(" (").next(), Some("record 1"));
    assert!(report(NEAR, "{\"status\":\"solved\",\"path\":\"D\"}").problem_lines[0].contains("was cut off"));
    assert!(
        report(NEAR, "{\"status\":\"solved\",\"path\":\"D\"}\n{\"status\":\"solved\",\"path\":\"D\"}\n").problem_lines
            [0]
        .contains("is for a record that does not exist")
    );
}

#[test]
fn correct_lines_are_counted_by_finding() {
    let mut findings = FindingCounts::default();
    for (record, result) in [NEAR, "1 2 3 4 5 6 8 7 0\n", "oh\n", NEAR, NEAR, NEAR, NEAR, FARTHEST, NEAR].into_iter().zip([
        r#"{"index":1,"line":1,"status":"solved","path":"D","moves":1,"optimal":true,"lower_bound":1,"nodes":6,"iterations":[[1,5]]}"#,
        r#"{"status":"unsolvable"}"#,
        r#"{"status":"invalid"}"#,
        r#"{"status":"solved","path":"D","goal":[1,2,3,4,5,6,7,8,0],"board":[1,2,3,4,5,0,7,8,6],"rows":3,"cols":3,"states":[[1,2,3,4,5,0,7,8,6],[1,2,3,4,5,6,7,8,0]]}"#,
        r#"{"status":"solved","path":"DUD","optimal":false,"lower_bound":1,"limit":"effort"}"#,
        r#"{"status":"unsolved","limit":"time","lower_bound":1}"#,
        r#"{"status":"error","error":"oh"}"#,
        &format!(r#"{{"status":"solved","path":"{FARTHEST_PATH}LR","optimal":false,"lower_bound":31}}"#),
        r#"{"status":"solved","path":"DUD","optimal":false}"#,
    ]) {
        let found = report(record, &format!("{result}\n"));
        assert_eq!((found.problems, &*found.problem_lines), (0, &[][..]));
        assert_eq!((found.totals.records, found.totals.results, found.totals.failed_inputs), (1, 1, 0));
        findings.merge(&found.findings);
    }
    use Finding::{BoundUnproven, Bounded, Failed, Invalid, ShortestUnproven, Solved, Unsolvable, Unsolved};
    let of_solved = [ShortestUnproven, ShortestUnproven, Bounded, BoundUnproven];
    assert_eq!(findings, counts(&[&[Solved; 5], &of_solved[..], &[Unsolvable, Invalid, Unsolved, Failed]].concat()));
    assert!(report(NEAR, "{\"status\":\"solved\",\"path\":\"D\"}\n").is_sound());
}

/// Every result needs the field `status`, and solved ones `path`. Other fields may be missing.
#[test]
fn columns_of_csv_are_the_fields_of_results() {
    let problems = |results: &str| report(&format!("{NEAR}1 2 3 4 5 6 8 7 0\noh\n"), results).problem_lines.join("\n");
    let csv = "index,id,status,moves,path,error\n1,,solved,1,D,\n2,,unsolvable,,,\n3,,invalid,,,\"REASON\"\n";
    let csv = csv.replace("REASON", &reason("oh\n"));
    assert_eq!(problems(&csv), "");
    for (from, to, problem) in [
        ("1,,solved,1,D", "1,,solved,,D", ""),
        ("1,,solved", ",,solved", ""),
        ("1,,solved", "1,,", "line 2 (record 1) has no field `status`"),
        ("solved,1,D", "solved,1,", "line 2 (record 1) has a path that is not a solution"),
        ("2,,unsolvable", "2,x,unsolvable", "a different id"),
        ("index,id", "index,idd", "unknown field `idd`"),
        ("index,id", "index,index", "duplicate field `index`"),
        ("moves,path", "movess,path", "unknown field `movess`"),
    ] {
        let problems = problems(&csv.replacen(from, to, 1));
        assert!(problems.contains(problem) && problems.is_empty() == problem.is_empty(), "{to}: {problems}");
    }
}

/// An option that was forgotten does not fill the report.
#[test]
fn a_problem_of_many_lines_is_one_entry() {
    let lines =
        "{\"status\":\"solved\",\"user\":7,\"path\":\"D\"}\n{\"status\":\"solved\",\"path\":\"D\",\"user\":7}\n";
    let found = report(&NEAR.repeat(2000), &lines.repeat(1000)).problem_lines;
    assert!(found.iter().any(|line| {
        line.starts_with("results line 1 is not a result: unknown field `user`, expected one of ")
            && line.ends_with(" (and 1,999 more with this problem)")
    }));
    assert!(found.iter().any(|line| {
        line.starts_with("record 1 (") && line.ends_with(":1) has no result (and 1,999 more with this problem)")
    }));
    assert_eq!(found.len(), 2);
}

/// Returns the reason why a record is invalid.
fn reason(record: &str) -> String {
    let problems = report(record, "{\"status\":\"invalid\",\"error\":\"\"}\n").problem_lines.remove(0);
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
fn claims_about_all_paths_are_not_proven() {
    for claims in [
        r#""paths":["DRULDR","RDLURD"],"solutions":2"#,
        r#""paths":["DRULDR"]"#,
        r#""solutions":9"#,
        r#""solutions_at_least":1"#,
        r#""first_moves":"DR","forced_moves":"""#,
    ] {
        let found = report(OPPOSITE, &format!("{{\"status\":\"solved\",\"path\":\"DRULDR\",{claims}}}\n"));
        assert_eq!(found.problem_lines, [""; 0], "{claims}");
        let expected = counts(&[Finding::Solved, Finding::ShortestUnproven, Finding::AllPathsUnproven]);
        assert_eq!(found.findings, expected, "{claims}");
    }
}

/// Lines are matched across blocks in any order. Lines for unknown records are reported.
#[test]
fn unordered_lines_find_their_records() {
    let records = NEAR.repeat(1300);
    let line = |index: usize| format!("{{\"index\":{index},\"status\":\"solved\",\"path\":\"D\"}}\n");
    let backwards: String = (1..=1300).rev().map(line).collect();
    let found = report_with(&records, &backwards, &options(false));
    let solved = found.findings.count(Finding::Solved);
    assert_eq!((found.totals.records, found.totals.results, solved, found.problems), (1300, 1300, 1300, 0));
    assert!(report(&records, &backwards).problems > 0, "out of order");
    for (last, problem) in [
        (1301, "1301 (record 1301) is for a record that does not exist: the inputs have 1300"),
        (0, "1301 is not a result"),
        (7, "1301 (record 7) is one too many"),
    ] {
        let found = report_with(&records, &(backwards.clone() + &line(last)), &options(false));
        assert_eq!(found.problems, 1);
        assert!(found.problem_lines[0].contains(&format!("line {problem}")), "{:?}", found.problem_lines);
    }
}

#[test]
fn an_input_that_cannot_be_read_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = ["one", "two"].map(|name| Input::Path(folder.path().join(name))).to_vec();
    let mut reader = Reader::new(inputs, InputOptions::default());
    let mut warnings = 0;
    let found = run(&mut reader, Box::new(io::empty()), &options(true), &mut |_| warnings += 1).unwrap();
    assert_eq!((found.totals.failed_inputs, warnings, found.totals.records), (2, 2, 0));
}

/// A 3×3 board never needs more than 31 moves (board/distributions.txt).
#[test]
fn shortest_paths_are_not_longer_than_those_of_the_hardest_boards() {
    let line = |rounds: usize| format!("{{\"index\":1,\"status\":\"solved\",\"path\":\"{}D\"}}\n", "UD".repeat(rounds));
    assert_eq!(report(NEAR, &line(15)).problems, 0);
    let padded = report(NEAR, &line(16));
    assert!(padded.problem_lines[0].contains("calls a path of 33 moves shortest"), "{:?}", padded.problem_lines);
}

#[test]
fn csv_and_other_notations_are_read() {
    let records = "{\"id\":7,\"board\":[1,2,3,4,5,0,7,8,6]}\n";
    assert_eq!(report(records, "id,status,path\n7,solved,D\n").problem_lines, [""; 0]);
    assert_eq!(report(records, "id,status,path\n8,solved,D\n").problems, 1);
    // In CSV the number 7 and the text "7" are the same, unlike in JSON.
    assert_eq!(report("{\"id\":\"7\",\"board\":[1,2,3,4,5,0,7,8,6]}\n", "id,status,path\n7,solved,D\n").problems, 0);
    assert_eq!(report(records, "{\"id\":\"7\",\"status\":\"solved\",\"path\":\"D\"}\n").problems, 1);
    let spelled = |text: &str| {
        let spelling = Spelling::default().with(Some(Notation::Tiles), None);
        report_with(
            NEAR,
            &format!("{{\"status\":\"solved\",\"path\":\"{text}\"}}\n"),
            &Options { spelling, ..options(true) },
        )
        .problems
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
    use Finding::{AllPathsUnproven, BoundUnproven, Bounded, Confirmed, ShortestUnproven, Unsettled};
    let within = |limits: Limits, records: &str, line: &str, any_shortest: bool| {
        let sample = Some(SampleOptions { boards: 5, solving: solving(limits), any_shortest });
        let found = report_with(records, &format!("{line}\n"), &Options { sample, ..options(true) });
        let all = [Bounded, ShortestUnproven, BoundUnproven, AllPathsUnproven, Confirmed, Unsettled];
        let findings: Vec<_> = all.into_iter().filter(|&finding| found.findings.count(finding) > 0).collect();
        (findings, found.problem_lines.join("\n"))
    };
    let sampled = |records: &str, line: &str, any| within(Limits::default(), records, line, any);
    let one_node = Limits { nodes: Some(1), time: None };
    let confirmed = (vec![Confirmed], String::new());
    assert_eq!(sampled(NEAR, r#"{"status":"solved","path":"D"}"#, false), confirmed);
    let hard = format!(r#"{{"status":"solved","path":"{FARTHEST_PATH}"}}"#);
    assert_eq!(within(one_node, FARTHEST, &hard, false), (vec![Unsettled], String::new()));
    let counted = r#"{"status":"solved","path":"D","solutions":2}"#;
    assert_eq!(sampled(NEAR, counted, false), (vec![AllPathsUnproven, Confirmed], String::new()));
    assert_eq!(sampled(OPPOSITE, r#"{"status":"solved","path":"DRULDR"}"#, false), confirmed);
    assert_eq!(sampled(OPPOSITE, r#"{"status":"solved","path":"RDLURD"}"#, true), confirmed);
    let (findings, problems) = sampled(OPPOSITE, r#"{"status":"solved","path":"RDLURD"}"#, false);
    assert!(problems.contains("has a path that differs from another engine's: DRULDR"), "{problems}");
    assert_eq!(findings, [ShortestUnproven]);
    let (_, problems) = sampled(NEAR, r#"{"status":"solved","path":"DUD"}"#, true);
    assert!(problems.contains("has 3 moves, but there is a path of 1"), "{problems}");
    let bounded = |more: &str, bound: u64| {
        format!(r#"{{"status":"solved","path":"{FARTHEST_PATH}{more}","optimal":false,"lower_bound":{bound}}}"#)
    };
    // Bounds are not proven again by a search.
    assert_eq!(sampled(FARTHEST, &bounded("LR", 31), false), (vec![BoundUnproven], String::new()));
    assert_eq!(sampled(FARTHEST, &bounded("LR", 1), false), (vec![Bounded], String::new()));
}
