//! The reports of `verify` about lower bounds and paths of hard boards, with and without a sample
//! of boards that `verify` solves again.

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

/// A 15-puzzle of 43 moves, far more than the lower bound of `verify`.
const BOARD: &str = "4 5 10 12 3 9 6 15 7 2 8 0 13 14 1 11\n";

#[test]
fn a_sample_tests_the_bounds_of_unproven_paths() {
    let solved = stdout(&run(&["solve", "-q"], BOARD));
    let (path, shortest) = (value(&solved, "path"), value(&solved, "moves").parse::<u64>().unwrap());
    let detour = if path.ends_with('R') { "LR" } else { "UD" };
    let claimed = |bound: u64| {
        let path = format!("{path}{detour}{detour}");
        let moves = path.len();
        format!(
            "{{\"index\":1,\"status\":\"solved\",\"moves\":{moves},\"path\":\"{path}\",\"optimal\":false,\"lower_bound\":{bound}}}\n"
        )
    };
    let (status, report) = verify(&claimed(shortest), BOARD, &["--sample", "9"]);
    assert!(status == Some(0) && report.contains("1 in the sample: confirmed"), "{report}");
    let (status, report) = verify(&claimed(shortest + 2), BOARD, &[]);
    assert!(status == Some(0) && report.contains("1 with a lower bound: greater than the one"), "{report}");
    for options in [["--sample", "9", "-j", "2"], ["--sample", "9", "-j", "1"]]
        .map(|sample| [&sample[..], &["--effort", "1"]].concat())
    {
        let (status, report) = verify(&claimed(shortest + 2), BOARD, &options);
        let message = format!("no path is shorter than {} moves, but there is one of {shortest}", shortest + 2);
        assert!(status == Some(1) && report.contains(&message), "{report}");
    }
}

#[test]
fn claims_about_large_boards_are_proven_tested_or_reported() {
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
        let (status, report) = verify(claim, &random, &["--sample", "9", "--effort", "3"]);
        assert!(
            status == Some(1)
                && report.contains(&format!("no path is shorter than {moves} moves, but there is one of")),
            "{report}"
        );
    }
    // If no shorter path is found, the claim is reported as not proven.
    let (status, report) = verify(&stripped, &random, &["--sample", "9", "--effort", "1"]);
    assert!(status == Some(0) && report.contains("1 in the sample: not proven"), "{report}");

    let too_high = unproven.replace(&format!("\"lower_bound\":{bound}"), &format!("\"lower_bound\":{}", moves - 2));
    let (status, report) = verify(&too_high, &random, &["--sample", "9", "--effort", "3"]);
    assert!(status == Some(1) && report.contains(&format!("no path is shorter than {} moves", moves - 2)), "{report}");
}
