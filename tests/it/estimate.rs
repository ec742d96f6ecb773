//! The fields that estimate the work of a search, compared with the node counts of actual searches.
//! These counts are the same on every machine.

use serde_json::Value;

use crate::common::{self, Random, run, stderr, stdout};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const FIELDS: &str = "index,solvable,estimated_nodes,estimated_moves,estimated_by,error";

fn estimate(options: &[&str], input: &str) -> Vec<Value> {
    lines(&stdout(&run(&[&["solve", "--quiet", "--fields", FIELDS], options].concat(), input)))
}

/// Returns `count` boards, one per line, each reached from the goal by a random walk of at most
/// `moves` moves.
fn scrambled_15(count: usize, moves: usize) -> String {
    let mut random = Random::new(17);
    (0..count).map(|_| common::scrambled_15(&mut random, moves) + "\n").collect()
}

/// Returns the ratio of estimated to actual nodes for each board whose estimated moves are right.
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
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// The first five of Korf's 15-puzzles (1985), with two heuristics.
#[test]
fn fifteen_puzzles_are_estimated_within_a_factor_of_five() {
    let korf: String = include_str!("../data/korf100.csv")
        .lines()
        .skip(1)
        .take(5)
        .filter_map(|line| Some(line.split(',').nth(1)?.to_string() + "\n"))
        .collect();
    for heuristic in ["6-6-3", "walking-conflict"] {
        let ratios = ratios(&["--goal", "blank-first", "--heuristic", heuristic], &korf);
        assert!(ratios.len() >= 5, "the moves of {} boards are right", ratios.len());
        assert!(ratios.iter().all(|ratio| (0.2..5.0).contains(ratio)), "{ratios:?}");
        assert!((0.6..1.5).contains(&geometric_mean(&ratios)), "{} of {ratios:?}", geometric_mean(&ratios));
    }
}

/// Boards near the goal, at the ends of walks of 50 moves.
#[test]
fn easy_24_puzzles_are_estimated_within_a_factor_of_five() {
    let boards = stdout(&run(
        &["generate", "-q", "--shape", "5x5", "--walk", "50", "--count", "2", "--seed", "5", "--format", "line"],
        "",
    ));
    let ratios = ratios(&["--heuristic", "walking-conflict"], &boards);
    assert!(!ratios.is_empty());
    assert!(ratios.iter().all(|ratio| (0.2..5.0).contains(ratio)), "{ratios:?}");
}

/// A record of every kind: easy, unsolvable, invalid, with one row, at the goal, too large, and
/// searched.
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
    let found: Vec<(Option<bool>, Option<u64>, Option<u64>)> = estimate(&["--heuristic", "6-6-3"], &input.concat())
        .iter()
        .map(|line| (line["solvable"].as_bool(), line["estimated_nodes"].as_u64(), line["estimated_moves"].as_u64()))
        .collect();
    let expected = [
        (Some(true), Some(0), None),
        (Some(false), Some(0), None),
        (None, None, None),
        (Some(true), Some(0), None),
        (Some(true), Some(1), Some(0)),
        (Some(true), None, None),
        (Some(true), Some(19), Some(8)),
    ];
    assert_eq!(found, expected);
}

#[test]
fn bytes_do_not_depend_on_threads() {
    let input = scrambled_15(6, 60);
    let bytes =
        |threads| stdout(&run(&["solve", "-q", "-j", threads, "--fields", FIELDS, "--heuristic", "6-6-3"], &input));
    let one = bytes("1");
    assert_eq!(one, bytes("3"));
    assert_eq!(one.lines().count(), 6);
}

/// Estimates do not need the solution, but can be combined with it. A search that cannot be sampled
/// has no estimate.
#[test]
fn estimates_can_be_combined_with_solutions() {
    let board = "5 1 2 4 9 6 3 8 0 10 7 11 13 14 15 12\n";
    let fields = ["--fields", "estimated_nodes,estimated_by,moves", "--heuristic", "6-6-3"];
    let unsolved = estimate(&fields[2..], board).remove(0);
    assert_eq!(unsolved.get("moves"), None);
    let output = stdout(&run(&[&["solve", "-q"][..], &fields].concat(), board));
    assert_eq!(output, "{\"estimated_nodes\":19,\"estimated_by\":\"6-6-3\",\"moves\":8}\n");
    let message = stderr(&run(&["solve", "--fields", "estimated_time_us", "--heuristic", "6-6-3"], board));
    assert!(message.contains("estimated: ") && message.contains(" on one thread for 1 board"), "{message}");
    let none = estimate(&["--engine", "astar"], board);
    assert_eq!((none[0]["solvable"].as_bool(), none[0].get("estimated_nodes")), (Some(true), None));
}

/// Boards of twelve cells are answered by a full table, unless a heuristic is requested.
#[test]
fn full_tables_need_no_nodes() {
    let board = "{\"rows\":3,\"cols\":4,\"board\":[1,2,3,4,5,6,7,8,9,10,0,11]}\n";
    let estimated = |options: &[&str]| {
        let options = [&["solve", "-q", "--fields", "estimated_nodes,estimated_by"], options].concat();
        lines(&stdout(&run(&options, board))).remove(0)
    };
    assert_eq!(estimated(&[]), serde_json::json!({"estimated_nodes": 0}));
    let searched = estimated(&["--heuristic", "walking-conflict"]);
    assert_eq!(searched, serde_json::json!({"estimated_nodes": 3, "estimated_by": "walking-conflict"}));
}
