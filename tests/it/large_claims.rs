//! The reports of `verify` about lower bounds and paths of boards that are too large to be solved
//! again.

use std::fs;

use crate::common::{run, stdout};
use crate::large::boards;

/// Returns the exit status and report of `verify` for these results and boards.
fn verify(results: &str, boards: &str, options: &[&str]) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(file("results"), results).unwrap();
    fs::write(file("boards"), boards).unwrap();
    let output = run(&[&["verify", &file("results"), &file("boards")], options].concat(), "");
    (output.status.code(), stdout(&output))
}

/// Returns the value of a field in a line, as text without quotes.
fn value<'a>(line: &'a str, field: &str) -> &'a str {
    let rest = line.split(&format!("\"{field}\":")).nth(1).unwrap();
    rest.split([',', '}']).next().unwrap().trim_matches('"')
}

#[test]
fn claims_about_large_boards_are_proven_or_reported() {
    let random = boards("6x6", 1, 1);
    let near: String = (1..=34).map(|tile| format!("{tile} ")).collect::<String>() + "0 35\n";
    let fields = "index,status,moves,path,optimal,lower_bound";
    let solve = |boards: &str| stdout(&run(&["solve", "-q", "--effort", "1", "--fields", fields], boards));
    let (unproven, proven) = (solve(&random), solve(&near));
    let (moves, bound) = (value(&unproven, "moves").parse::<u64>().unwrap(), value(&unproven, "lower_bound"));

    // A path as short as the lower bound is proven without a search.
    for options in [&[][..], &["--sample", "9"]] {
        let (status, report) = verify(&proven, &near, options);
        assert!(status == Some(0) && report.contains("1 shortest, or with a lower bound: proven"), "{report}");
        assert!(!report.contains("in the sample"), "{report}");
    }
    let (status, report) = verify(&unproven, &random, &["--sample", "9"]);
    assert!(status == Some(0) && report.contains("1 shortest, or with a lower bound: proven"), "{report}");

    // Results that claim a shortest path, or do not say that their path is unproven.
    let stripped =
        unproven.replace("\"optimal\":false", "\"optimal\":true").replace(&format!(",\"lower_bound\":{bound}"), "");
    let silent = stripped.replace(",\"optimal\":true", "");
    for claim in [&stripped, &silent] {
        assert!(!claim.contains("lower_bound") && !claim.contains("false"), "{claim}");
        let (status, report) = verify(claim, &random, &[]);
        assert!(status == Some(0) && report.contains("1 solved: that the path is shortest"), "{report}");
        // A search cannot prove it, even for a sample.
        let (status, report) = verify(claim, &random, &["--sample", "9"]);
        assert!(status == Some(0) && report.contains("1 solved: that the path is shortest"), "{report}");
    }
    let too_high = unproven.replace(&format!("\"lower_bound\":{bound}"), &format!("\"lower_bound\":{}", moves - 2));
    let (status, report) = verify(&too_high, &random, &[]);
    assert!(status == Some(0) && report.contains("1 with a lower bound: greater than the one"), "{report}");
}
