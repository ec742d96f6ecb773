//! `taquin check`: the conditions, and how violations are reported.

use std::fs;
use std::process::Stdio;

use roxmltree::{Document, Node};

use crate::common::{run, stderr, stdout, taquin};

/// The two boards that need 31 moves (OEIS A089473), which are reflections of each other; a board
/// without a solution; the goal.
const SET: &str = "647850321\n867254301\n123456870\n123456780\n";

fn status(options: &[&str], input: &str) -> Option<i32> {
    run(&[&["check"], options].concat(), input).status.code()
}

/// Returns the direct child elements with this name.
fn elements<'a>(parent: Node<'a, 'a>, name: &str) -> Vec<Node<'a, 'a>> {
    parent.children().filter(|child| child.has_tag_name(name)).collect()
}

fn violations(options: &[&str], input: &str) -> String {
    stdout(&run(&[&["check", "--annotations", "plain"], options].concat(), input))
}

#[test]
fn each_condition_holds_or_is_reported() {
    assert_eq!(violations(&[], SET), "");
    assert_eq!(violations(&["--solvable"], SET), "-:3: unsolvable: the goal cannot be reached\n");
    assert_eq!(violations(&["--moves", "1..31"], SET), "-:4: needs 0 moves, expected 1..31\n");
    assert_eq!(violations(&["--moves", "0..31"], SET), "");
    // A lower bound is enough here. Solving this board, the first of Korf and Felner's 24-puzzles,
    // would take minutes.
    let hard = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13\n";
    let message = violations(&["--goal", "blank-first", "--moves", "..60"], hard);
    assert!(message.starts_with("-:1: needs at least ") && message.ends_with("expected ..60\n"), "{message}");
    assert_eq!(violations(&["--unique"], SET), "-:2: a reflection of the board of record 1 (-:1)\n");
    assert_eq!(violations(&["--unique=boards"], SET), "");
    assert_eq!(violations(&["--unique=boards"], "120453786\n\n120453786\n"), "-:3: the same board as record 1 (-:1)\n");
    assert_eq!(
        violations(&["--solutions", "1..2"], "123456780\n647850321\n"),
        "-:2: has 40 shortest solutions, expected 1..2\n"
    );
    assert_eq!(violations(&["--solutions", "40"], "647850321\n"), "");
    let named = "{\"id\":\"a\",\"board\":[1,2,3,0]}\n{\"id\":7,\"board\":[1,2,3,0]}\n";
    assert_eq!(violations(&["--unique"], named), "-:2: 7: the same board as record 1 (-:1: a)\n");
    let invalid = "{\"id\":\"a\"}\n{\"id\":\"b\",\"board\":[1,1]}\n{\"id\":\"c\"}\n{\"x\":0}\n{\"x\":0}\n";
    let expected = "\
        -: 2 records: not a valid board: the object has no \"board\"; it has: id (use --board-field) (a, c)\n\
        -:2: b: not a valid board: found 2 tiles; a board has a square number of them unless --shape says otherwise\n\
        -: 2 records: not a valid board: the object has no \"board\"; it has: x (use --board-field) (line 4, line 5)\n";
    assert_eq!(violations(&[], invalid), expected);
    assert_eq!(violations(&["--moves", "1", "--solvable"], "{\"id\":\"a\",\"board\":[0,1,2,3]}\n").lines().count(), 1);
    assert_eq!(violations(&["--count", "5"], SET), "4 records, expected 5\n");
    assert_eq!(violations(&["--count", "3..4"], SET), "");
    assert_eq!(violations(&["--shape", "2x2"], "1 2 3 0\n"), "");
    let other = violations(&["--shape", "2x2"], "[[1,2,3],[4,5,0]]\n");
    assert!(other.starts_with("-:1: ") && other.contains("2x2"), "{other}");
    let invalid = violations(&[], "123456780\n123456788\n");
    assert!(invalid.starts_with("-:2: not a valid board: "), "{invalid}");
    assert_eq!(violations(&[], ""), "no records: nothing was checked (use --count 0 if none are expected)\n");
    assert_eq!(violations(&["--count", "0"], ""), "");
}

#[test]
fn statuses() {
    assert_eq!(status(&["--moves", "..31", "--count", "4"], SET), Some(0));
    assert_eq!(status(&["--solvable"], SET), Some(1));
    assert_eq!(status(&["--count", "0", "no/such/file"], ""), Some(2));
    for wrong in [&["--moves", "x"][..], &["--moves", "9..3"], &["--unique=no"], &["--annotations", "x"], &["--count"]]
    {
        assert_eq!(status(wrong, SET), Some(2), "{wrong:?}");
    }
    assert_eq!(status(&["--junit", "no/such/folder/report.xml"], SET), Some(2));
    // A condition that could not be decided does not pass.
    let hard = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1\n";
    assert_eq!(status(&["--moves", "..80", "--node-limit", "1000"], hard), Some(1));
    assert_eq!(status(&["--shape", "4x4", "--solvable", "--unique", "--count", "1"], hard), Some(0));
}

/// The exit status reports violations even if nobody reads them.
#[test]
fn a_closed_pipe_does_not_hide_violations() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("set.txt");
    fs::write(&file, SET.repeat(2000)).unwrap();
    let mut command = taquin();
    command.args(["check", "--unique", "--max", "1000000"]).arg(&file).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[test]
fn github_sees_annotations() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a,b:c%.txt");
    fs::write(&file, SET).unwrap();
    let reported = |actions: &str, options: &[&str]| {
        let mut command = taquin();
        command.env("GITHUB_ACTIONS", actions).args(["check", "--solvable", "--count", "9"]).args(options).arg(&file);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let shown = folder.path().display();
    let expected = format!(
        "::error file={shown}/a%2Cb%3Ac%25.txt,line=3,title=taquin check solvable::unsolvable: the goal cannot be reached\n\
         ::error title=taquin check count::4 records, expected 9\n"
    );
    assert_eq!(reported("true", &[]), expected);
    assert_eq!(reported("false", &["--annotations", "github"]), expected);
    let plain = format!("{shown}/a,b:c%.txt:3: unsolvable: the goal cannot be reached\n4 records, expected 9\n");
    assert_eq!(reported("false", &[]), plain);
    assert_eq!(reported("true", &["--annotations", "plain"]), plain);
    assert_eq!(reported("true", &["--max", "1"]).lines().nth(1), Some("and 1 more"));
}

#[test]
fn junit_reports_are_valid_xml() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (odd, plain, report) = (path("<&\"\u{1}'>.txt"), path("plain.txt"), path("report.xml"));
    fs::write(&odd, format!("{SET}<![CDATA[ ]]> & \u{7}\n")).unwrap();
    fs::write(&plain, "120453786\n").unwrap();
    let output = run(&["check", "--moves", "..30", "--unique", "--count", "6", "--junit", &report, &odd, &plain], "");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let text = fs::read_to_string(&report).unwrap();
    let parsed = Document::parse(&text).unwrap();
    let suites = elements(parsed.root_element(), "testsuite");
    let names: Vec<&str> = suites.iter().map(|suite| suite.attribute("name").unwrap()).collect();
    // XML cannot represent the control character in the first file's name, so it is shown as an
    // escape.
    assert_eq!(names, [odd.replace('\u{1}', "\\u{1}").as_str(), &plain, "all files"]);
    let failed = |suite: usize| {
        let cases = elements(suites[suite], "testcase").into_iter();
        cases.map(|case| (case.attribute("name").unwrap(), case.has_children())).collect::<Vec<_>>()
    };
    assert_eq!(failed(0), [("valid", true), ("moves", true), ("unique", true)]);
    assert_eq!(failed(1), [("valid", false), ("moves", false), ("unique", false)]);
    assert_eq!(failed(2), [("count", false)]);
    let totals = ["tests", "failures", "errors"].map(|name| parsed.root_element().attribute(name).unwrap());
    assert_eq!(totals, ["7", "3", "0"]);
    let moves = elements(elements(suites[0], "testcase")[1], "failure")[0];
    assert_eq!(moves.attribute("message"), Some("2 of 5 records"));
    assert!(moves.text().unwrap().contains(":1: needs 31 moves, expected ..30"));
    // Many violations do not make a large report, and no temporary file is left.
    fs::write(&plain, "647850321\n".repeat(5000)).unwrap();
    assert_eq!(run(&["check", "-q", "--moves", "1", "--junit", &report, &plain], "").status.code(), Some(1));
    let text = fs::read_to_string(&report).unwrap();
    assert!(text.len() < 10_000 && text.contains("and 4980 more"), "{text}");
    assert!(
        fs::read_dir(folder.path()).unwrap().all(|file| !file.unwrap().path().to_str().unwrap().ends_with(".part"))
    );
}

/// Every file has a suite: with an error if the file cannot be read completely, and with passed
/// cases if it has no records.
#[test]
fn junit_reports_include_unreadable_and_empty_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (empty, plain, torn, report) = (path("empty.txt"), path("plain.txt"), path("torn.gz"), path("report.xml"));
    let missing = path("missing.txt");
    fs::write(&empty, "").unwrap();
    fs::write(&plain, "120453786\n").unwrap();
    // A gzip header without data.
    fs::write(&torn, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).unwrap();
    let files = [&empty, &missing, &plain, &torn, &empty];
    // A file that is named twice in a row has one suite.
    let named = [&empty, &missing, &missing, &plain, &torn, &empty];
    let output = run(&[&["check", "--solvable", "--junit", &report][..], &named.map(String::as_str)].concat(), "");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let text = fs::read_to_string(&report).unwrap();
    let parsed = Document::parse(&text).unwrap();
    let suites = elements(parsed.root_element(), "testsuite");
    let names: Vec<&str> = suites.iter().map(|suite| suite.attribute("name").unwrap()).collect();
    assert_eq!(names, files.map(String::as_str));
    for (suite, file) in suites.into_iter().zip(files) {
        let cases = elements(suite, "testcase");
        let names: Vec<&str> = cases.iter().map(|case| case.attribute("name").unwrap()).collect();
        let faults = ["errors", "failures"].map(|name| suite.attribute(name).unwrap());
        if file == &missing || file == &torn {
            assert_eq!((names, faults), (vec!["readable"], ["1", "0"]), "{file}");
            let message = elements(cases[0], "error")[0].attribute("message").unwrap();
            assert!(message.starts_with(&format!("cannot read {file}: ")), "{message}");
        } else {
            assert_eq!((names, faults), (vec!["valid", "solvable"], ["0", "0"]), "{file}");
            let records = if file == &plain { "1" } else { "0" };
            assert!(cases.iter().all(|case| case.attribute("assertions") == Some(records)), "{file}");
        }
    }
    assert_eq!(text.matches("<error").count(), 2, "{text}");
}

#[test]
fn reported_violations_are_bounded_and_counted() {
    let output = run(&["check", "--unique", "--max", "2", "--annotations", "plain"], "120453786\n".repeat(40));
    assert_eq!(stdout(&output).lines().count(), 3);
    assert_eq!(stdout(&output).lines().last(), Some("and 37 more"));
    assert!(stderr(&output).contains("40 records: 39 violations (39 duplicate)"), "{}", stderr(&output));
    let fine = run(&["check", "--solvable"], "120453786\n");
    assert_eq!((stdout(&fine), stderr(&fine)), (String::new(), "taquin: 1 record: all checks passed\n".into()));
    assert_eq!(stderr(&run(&["check", "--solvable", "-q"], "120453786\n")), "");
}

/// A generated set has the requested properties.
#[test]
fn generated_sets_pass() {
    let boards = stdout(&run(&["generate", "--moves", "20..24", "--unique", "--count", "1000", "--seed", "5"], ""));
    let options = ["--moves", "20..24", "--unique", "--solvable", "--count", "1000", "--shape", "3x3"];
    assert_eq!(status(&options, &boards), Some(0));
    assert_eq!(status(&["--moves", "20..23"], &boards), Some(1));
}

#[test]
fn a_report_never_overwrites_an_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("set.txt");
    fs::write(&file, SET).unwrap();
    let name = file.to_str().unwrap();
    assert_eq!(status(&["--junit", name, name], ""), Some(2));
    assert_eq!(fs::read_to_string(&file).unwrap(), SET);
}
