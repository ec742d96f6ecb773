//! `taquin estimate`: estimates compared with the nodes that searches took, which are the same on every machine.

use serde_json::Value;

use crate::common::{self, Random, run, stderr, stdout};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn estimate(options: &[&str], input: &str) -> Vec<Value> {
    lines(&stdout(&run(&[&["estimate", "--quiet"], options].concat(), input)))
}

/// Boards on lines, each by so many random moves from the goal.
fn scrambled_15(boards: usize, moves: usize) -> String {
    let mut random = Random(17);
    (0..boards).map(|_| common::scrambled_15(&mut random, moves) + "\n").collect()
}

/// Estimated nodes over those that `solve` takes, by record, where the moves are right.
fn ratios(options: &[&str], input: &str) -> Vec<f64> {
    let solved = stdout(&run(&[&["solve", "-q", "--fields", "nodes,moves,path"], options].concat(), input));
    let estimates = estimate(options, input);
    let pairs = estimates
        .iter()
        .zip(lines(&solved))
        .filter(|(estimate, solved)| estimate["estimated_moves"] == solved["moves"]);
    pairs.map(|(estimate, solved)| number(&estimate["estimated_nodes"]) / number(&solved["nodes"])).collect()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// Of Korf's 15-puzzles (1985) the first twenty, by two heuristics.
#[test]
fn fifteen_puzzles_are_estimated_within_a_factor() {
    let korf: String = include_str!("../data/korf100.csv")
        .lines()
        .skip(1)
        .take(20)
        .filter_map(|line| Some(line.split(',').nth(1)?.to_string() + "\n"))
        .collect();
    for heuristic in ["6-6-3", "walking-conflict"] {
        let ratios = ratios(&["--goal", "blank-first", "--heuristic", heuristic], &korf);
        assert!(ratios.len() >= 18, "the moves of {} boards are right", ratios.len());
        assert!(ratios.iter().all(|ratio| (0.2..5.0).contains(ratio)), "{ratios:?}");
        assert!((0.6..1.5).contains(&geometric_mean(&ratios)), "{} of {ratios:?}", geometric_mean(&ratios));
    }
}

/// Boards that a walk of some dozens of moves has left near the goal.
#[test]
fn easy_24_puzzles_are_estimated_within_a_factor() {
    let boards = stdout(&run(
        &["generate", "-q", "--shape", "5x5", "--walk", "60", "--count", "2", "--seed", "5", "--format", "line"],
        "",
    ));
    let ratios = ratios(&["--heuristic", "walking-conflict"], &boards);
    assert!(!ratios.is_empty());
    assert!(ratios.iter().all(|ratio| (0.2..5.0).contains(ratio)), "{ratios:?}");
}

/// A board of every kind; the default fields.
#[test]
fn every_record_has_a_line() {
    let large: Vec<String> = (1..36).chain([0]).rev().map(|tile| tile.to_string()).collect();
    let text = |tiles: &str| format!("{{\"board\":[{tiles}]}}\n");
    let sized =
        |rows: usize, cols: usize, tiles: &str| format!("{{\"rows\":{rows},\"cols\":{cols},\"board\":[{tiles}]}}\n");
    let input = [
        text("2,3,4,1,5,0,7,6,8"),
        text("2,1,3,4,5,6,7,8,0"),
        text("1,2"),
        sized(1, 3, "0,1,2"),
        text("1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0"),
        text(&large.join(",")),
        text("5,1,2,4,9,6,3,8,0,10,7,11,13,14,15,12"),
    ];
    let output = run(&["estimate", "--heuristic", "6-6-3"], input.concat());
    let found: Vec<(String, Option<u64>, Option<u64>)> = lines(&stdout(&output))
        .iter()
        .map(|line| {
            (
                line["status"].as_str().unwrap().into(),
                line["estimated_nodes"].as_u64(),
                line["estimated_moves"].as_u64(),
            )
        })
        .collect();
    let solvable = |nodes, moves| ("solvable".to_string(), nodes, moves);
    let expected = [
        solvable(Some(0), None),
        ("unsolvable".into(), Some(0), None),
        ("invalid".into(), None, None),
        solvable(Some(0), None),
        solvable(Some(1), Some(0)),
        solvable(None, None),
        solvable(Some(19), Some(8)),
    ];
    assert_eq!(found, expected);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("7 records, 2 invalid or without an estimate, 20 nodes expected"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let input = scrambled_15(12, 60);
    let bytes = |threads| stdout(&run(&["estimate", "-q", "-j", threads, "--heuristic", "6-6-3"], &input));
    assert_eq!(bytes("1"), bytes("3"));
    assert_eq!(bytes("1").lines().count(), 12);
}

#[test]
fn what_contradicts_an_estimate_is_told() {
    let refused = run(&["estimate", "--fields", "index,path"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("estimated_nodes"), "{}", stderr(&refused));
    // A search whose work is not sampled has none.
    let none = estimate(&["--engine", "astar"], "5 1 2 4 9 6 3 8 0 10 7 11 13 14 15 12\n");
    assert_eq!((none[0]["status"].as_str(), none[0].get("estimated_nodes")), (Some("solvable"), None));
}

/// Of twelve cells there will be a table of all states; most smaller shapes have one at once.
#[test]
fn what_tables_answer_costs_nothing() {
    let board = "{\"rows\":3,\"cols\":4,\"board\":[1,2,3,4,5,6,7,8,9,10,0,11]}\n";
    let only = |options: &[&str]| {
        estimate(&[&["--fields", "estimated_nodes,estimated_by"], options].concat(), board).remove(0)
    };
    assert_eq!(only(&[]), serde_json::json!({"estimated_nodes": 0}));
    let searched = only(&["--heuristic", "walking-conflict"]);
    assert_eq!(searched, serde_json::json!({"estimated_nodes": 3, "estimated_by": "walking-conflict"}));
}
