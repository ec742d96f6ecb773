//! The files of `inputs/` and the bad records of `examples/bad-records/` give the bytes of
//! `tests/expected/`, on several numbers of threads. `scripts/check-inputs` solves the three slowest
//! files.
//!
//! The expected results come from programs that share no code with this one
//! (`tests/expected/README.md`).

use std::fs;

use crate::common;

fn inputs() -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(common::project().join("inputs"))
        .expect("inputs/ exists")
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with(".md"))
        .collect();
    names.sort();
    assert!(names.len() >= 10, "inputs are missing");
    names
}

fn expected(name: &str) -> String {
    let path = common::project().join("tests/expected").join(format!("{name}.jsonl"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_file_gives_the_expected_bytes() {
    // These three take longer than all others together.
    let slow = ["korf.txt", "fixtures-15.txt", "shapes.jsonl"];
    for name in inputs().into_iter().filter(|name| !slow.contains(&name.as_str())) {
        for threads in ["1", "8"] {
            let output = common::run(&["solve", "--quiet", "-j", threads, &format!("inputs/{name}")], "");
            assert_eq!(output.status.code(), Some(0), "{name}: every record is solved or unsolvable");
            assert_eq!(common::stdout(&output), expected(&name), "{name} on {threads} threads");
        }
    }
}

#[test]
fn bad_records_have_results_and_exit_status_1() {
    for name in ["mixed-bad.csv", "mixed-bad.jsonl", "mixed-bad.txt"] {
        for threads in ["1", "2", "8"] {
            let file = format!("examples/bad-records/{name}");
            let output = common::run(&["solve", "--quiet", "-j", threads, &file], "");
            assert_eq!(common::stdout(&output), expected(name), "{name} on {threads} threads");
            assert_eq!(output.status.code(), Some(1), "{name}");
        }
    }
}

#[test]
fn a_folder_is_read_as_its_files_in_order() {
    let output = common::run(&["solve", "--quiet", "--node-limit", "100000", "inputs/"], "");
    let found = common::stdout(&output);
    let sources = |text: &str| -> Vec<String> {
        text.lines()
            .map(|line| line.split("\"source\":\"").nth(1).unwrap().split('"').next().unwrap().to_string())
            .collect()
    };
    let expected: String = inputs().iter().map(|name| expected(name)).collect();
    assert_eq!(sources(&found), sources(&expected));
    for (i, line) in found.lines().enumerate() {
        assert!(line.starts_with(&format!("{{\"index\":{},", i + 1)), "{line}");
    }
}
