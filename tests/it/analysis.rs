//! The fields that analyse boards (number of shortest paths, their first moves, bounds,
//! duplicates), compared with a plain breadth-first search that shares no code with the crate, and
//! with published boards.

use std::collections::HashMap;
use std::fs;
use std::sync::LazyLock;

use crate::common::schema::Schema;
use crate::common::{self, Random, run, scrambled_15, shuffled, stderr, stdout};
use proptest::prelude::*;
use serde_json::Value;
use taquin_oracle::{Oracle, blank_in, every_board, path_count_between};

/// Returns the results of a run, after checking each against the schema that the program prints.
fn analyse(options: &[&str], input: &str) -> Vec<Value> {
    let output = run(&[&["solve", "--quiet"], options].concat(), input);
    let check_schema = |line: &Value| {
        assert_eq!(SCHEMA.check(line), Ok(()), "{line}");
    };
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).inspect(check_schema).collect()
}

static SCHEMA: LazyLock<Schema> = LazyLock::new(|| Schema::printed(&[]));

/// Requests every field for records of every kind. [`analyse`] checks the results.
#[test]
fn all_fields_match_the_schema() {
    let schema: Value = serde_json::from_str(include_str!("../schema/solve.json")).unwrap();
    let fields: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    // Solved, repeated, reflected, unsolvable, invalid, too hard for the node limit, and too large.
    let large: Vec<u8> = (1..36).chain([0]).rev().collect();
    let input = format!(
        r#"{{"id":"a","board":[6,4,7,8,5,0,3,2,1]}}
{{"id":2.5,"board":[6,4,7,8,5,0,3,2,1]}}
{{"board":[8,6,7,2,5,4,3,0,1]}}
{{"board":[2,1,3,4,5,6,7,8,0]}}
{{"board":[2,1,3]}}
{{"board":[0,12,9,13,15,11,10,14,3,7,2,5,4,8,6,1]}}
{{"board":{large:?}}}
"#
    );
    let mut lines = analyse(&["--fields", "all", "--node-limit", "100", "--heuristic", "6-6-3"], &input);
    lines.extend(analyse(&["--fields", "analysis", "--count-cap", "1"], "6,2,8,4,12,14,1,10,13,15,3,9,11,0,5,7\n"));
    lines.extend(analyse(&["--all"], "2,3,4,1,5,0,7,6,8\n"));
    for name in fields {
        assert!(lines.iter().any(|line| line.get(name).is_some()), "no line has {name}");
    }
}

fn line(board: &[u8]) -> String {
    board.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

/// Returns the oracle's answer for a board, in the program's format.
fn expected(oracle: &Oracle, path_counts: &mut HashMap<Vec<u8>, u64>, board: &[u8]) -> Value {
    let Some(path) = oracle.path(board) else { return serde_json::json!({"status": "unsolvable"}) };
    let first: String = oracle.best_moves(board).iter().map(|(letter, _)| char::from(*letter)).collect();
    let (mut current, mut forced) = (board.to_vec(), String::new());
    while let [(letter, next)] = oracle.best_moves(&current).as_slice() {
        forced.push(char::from(*letter));
        current = next.clone();
    }
    let solutions = oracle.path_count(board, path_counts);
    serde_json::json!({"status": "solved", "moves": path.len(), "solutions": solutions, "first_moves": first, "forced_moves": forced})
}

const COUNT_FIELDS: &str = "status,moves,solutions,first_moves,forced_moves";

/// Solves every board of a shape, solvable or not, with these options, and checks the results.
fn check_shape(rows: usize, cols: usize, goal: &[u8], options: &[&str]) {
    let (oracle, mut path_counts) = (Oracle::new(rows, cols, goal), HashMap::new());
    let (mut input, mut boards) = (String::new(), Vec::new());
    every_board(rows * cols, &mut |board| {
        input += &(line(board) + "\n");
        boards.push(board.to_vec());
    });
    let (shape, goal) = (format!("{rows}x{cols}"), line(goal));
    let found = analyse(&[&["--shape", &shape, "--goal", &goal, "--fields", COUNT_FIELDS], options].concat(), &input);
    assert_eq!(found.len(), boards.len());
    for (found, board) in found.iter().zip(&boards) {
        assert_eq!(*found, expected(&oracle, &mut path_counts, board), "{shape} {board:?} to {goal} {options:?}");
    }
}

#[test]
fn every_board_of_small_shapes_agrees_with_breadth_first_search() {
    for options in [&[][..], &["--engine", "idastar"], &["--engine", "astar", "-j", "3"]] {
        for (rows, cols) in [(2, 2), (1, 5), (5, 1), (2, 3), (3, 2)] {
            let n = rows * cols;
            for goal in [blank_in(n - 1, n), shuffled(n, 5)] {
                check_shape(rows, cols, &goal, options);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3, ..ProptestConfig::default() })]
    /// Random 3×3 boards, four hundred for each random goal.
    #[test]
    fn boards_of_3x3_agree_with_breadth_first_search(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let mut permutation = || random.permutation(9).iter().map(|&tile| tile as u8).collect::<Vec<u8>>();
        let goal = permutation();
        let boards: Vec<Vec<u8>> = (0..400).map(|_| permutation()).collect();
        let (oracle, mut path_counts) = (Oracle::new(3, 3, &goal), HashMap::new());
        let input: String = boards.iter().map(|board| line(board) + "\n").collect();
        for options in [&[][..], &["--engine", "idastar"]] {
            let found = analyse(&[&["--goal", &line(&goal), "--fields", COUNT_FIELDS], options].concat(), &input);
            for (found, board) in found.iter().zip(&boards) {
                prop_assert_eq!(found, &expected(&oracle, &mut path_counts, board), "{:?} to {:?}", board, goal);
            }
        }
    }
}

/// Every line of the 8-puzzle fixtures: status, moves, path, and number of shortest paths. The
/// forced moves must be a prefix of the path.
#[test]
fn every_fixture_of_the_eight_puzzle() {
    let fixtures = fs::read_to_string(common::project().join("tests/data/fixtures_8puzzle.txt")).unwrap();
    let rows: Vec<Vec<&str>> =
        fixtures.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 24);
    let input: String = rows.iter().map(|row| format!("{}\n{}\n", row[0], row[1])).collect();
    let found = analyse(&["--format", "pair", "--fields", "status,moves,path,solutions,forced_moves"], &input);
    for (found, row) in found.iter().zip(&rows) {
        if row[2] == "-1" {
            assert_eq!(*found, serde_json::json!({"status": "unsolvable"}), "{row:?}");
            continue;
        }
        assert_eq!(
            (found["moves"].to_string(), found["solutions"].to_string()),
            (row[2].into(), row[4].into()),
            "{row:?}"
        );
        let path = row[3].trim_start_matches('-').to_uppercase();
        assert_eq!(found["path"], path, "{row:?}");
        assert!(path.starts_with(found["forced_moves"].as_str().unwrap()), "{row:?}");
    }
}

/// Solves the published 15-puzzles of at most `max_moves` moves with these options, and checks the
/// results. Includes the unsolvable ones.
fn check_fifteen_puzzles(max_moves: u64, options: &[&str]) {
    let fixtures = fs::read_to_string(common::project().join("tests/data/fixtures_15puzzle.txt")).unwrap();
    let rows: Vec<Vec<&str>> =
        fixtures.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 9);
    let rows: Vec<_> = rows.into_iter().filter(|row| row[1].parse::<i64>().unwrap() <= max_moves as i64).collect();
    let input: String = rows.iter().map(|row| format!("{}\n", row[0])).collect();
    let found = analyse(&[&["--fields", "status,moves,solutions"], options].concat(), &input);
    assert_eq!(found.len(), rows.len());
    for (found, row) in found.iter().zip(&rows) {
        match row[1] {
            "-1" => assert_eq!(*found, serde_json::json!({"status": "unsolvable"}), "{row:?}"),
            moves => {
                assert_eq!((found["moves"].to_string(), found["solutions"].to_string()), (moves.into(), row[3].into()))
            }
        }
    }
}

#[test]
fn easier_fixtures_of_the_fifteen_puzzle() {
    check_fifteen_puzzles(52, &[]);
    check_fifteen_puzzles(48, &["--engine", "idastar", "--heuristic", "walking-conflict"]);
}

#[test]
#[ignore = "counts the paths of a board of 80 moves: a minute in release; run by scripts/cross-check"]
fn every_fixture_of_the_fifteen_puzzle() {
    check_fifteen_puzzles(80, &["--heuristic", "7-8"]);
    check_fifteen_puzzles(60, &["--engine", "idastar", "--heuristic", "walking-conflict"]);
}

/// Boards near their goals. Their state space is too large for an [`Oracle`], so a breadth-first
/// search from both ends counts their shortest paths.
#[test]
fn larger_boards_agree_with_search_from_both_ends() {
    let mut random = Random::new(15);
    for (rows, cols) in [(3, 4), (2, 6), (3, 5), (4, 4), (2, 8), (4, 5)] {
        let n = rows * cols;
        let goal = blank_in(n - 1, n);
        let boards: Vec<Vec<u8>> = (0..6).map(|_| random_walk(rows, cols, &goal, 22, &mut random)).collect();
        let input: String = boards.iter().map(|board| line(board) + "\n").collect();
        let shape = format!("{rows}x{cols}");
        for options in [&[][..], &["--node-limit", "100000000"]] {
            let found = analyse(&[&["--shape", &shape, "--fields", COUNT_FIELDS], options].concat(), &input);
            for (found, board) in found.iter().zip(&boards) {
                let moves = found["moves"].as_u64().unwrap() as usize;
                let solutions = path_count_between(rows, cols, board, &goal, moves);
                assert_eq!(found["solutions"].as_u64(), solutions, "{shape} {board:?} {found}");
            }
        }
    }
}

/// Returns the board that `moves` random moves reach from `from`.
fn random_walk(rows: usize, cols: usize, from: &[u8], moves: usize, random: &mut Random) -> Vec<u8> {
    let mut board = from.to_vec();
    for _ in 0..moves {
        let blank = board.iter().position(|&tile| tile == 0).unwrap();
        let (row, col) = (blank / cols, blank % cols);
        let mut to = Vec::new();
        to.extend((row > 0).then(|| blank - cols));
        to.extend((row + 1 < rows).then_some(blank + cols));
        to.extend((col > 0).then(|| blank - 1));
        to.extend((col + 1 < cols).then_some(blank + 1));
        board.swap(blank, to[random.index(to.len())]);
    }
    board
}

/// Whole lines of output: for POJ 1077's sample, the same board again, an invalid record, and a
/// board without a solution.
#[test]
fn whole_lines() {
    let input = "2 3 4 1 5 x 7 6 8\n\n2 3 4 1 5 x 7 6 8\nno board\n1 2 3 4 5 6 8 7 0\n";
    let found = stdout(&run(&["solve", "-q", "--fields", "analysis"], input));
    let solved = "\"status\":\"solved\",\"moves\":19,\"solutions\":4,\"first_moves\":\"DLU\",\"forced_moves\":\"\",\
                  \"manhattan\":9,\"linear_conflict\":9";
    let expected = format!(
        "\
{{\"index\":1,\"source\":\"-\",\"line\":1,{solved},\"optimal\":true,\"lower_bound\":19}}
{{\"index\":2,\"source\":\"-\",\"line\":3,{solved},\"duplicate_of\":1,\"optimal\":true,\"lower_bound\":19}}
{{\"index\":3,\"source\":\"-\",\"line\":4,\"status\":\"invalid\",\"error\":\"'no' is neither a number nor a blank (0, x, X, _ or .)\"}}
{{\"index\":4,\"source\":\"-\",\"line\":5,\"status\":\"unsolvable\",\"manhattan\":2}}
"
    );
    assert_eq!(found, expected);
    // Some fields as CSV, with a passthrough column.
    let csv = "user,board\nann,2 3 4 1 5 0 7 6 8\nbob,2 3 4 1 5 0 7 6 8\n,1 2 3 4 5 6 8 7 0\n";
    let fields = "solvable,moves,solutions,first_moves,manhattan,duplicate_of";
    let found = stdout(&run(&["solve", "-q", "--to", "csv", "--pass", "user", "--fields", fields], csv));
    let expected = "solvable,moves,solutions,solutions_at_least,first_moves,manhattan,duplicate_of,user\r\n\
                    true,19,4,,DLU,9,,ann\r\ntrue,19,4,,DLU,9,1,bob\r\nfalse,,,,,2,,\r\n";
    assert_eq!(found, expected);
}

/// A field that compares records needs all of them, in order.
#[test]
fn comparing_fields_need_the_whole_input() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.jsonl");
    let out = out.to_str().unwrap();
    for options in [&["--unordered"][..], &["--shard", "1/2"], &["--resume", "-o", out]] {
        for field in ["duplicate_of", "index,reflection_of", "analysis"] {
            let refused = run(&[&["solve", "--fields", field], options].concat(), "123456780\n");
            assert_eq!(refused.status.code(), Some(2), "{options:?}");
            assert!(stderr(&refused).contains(&format!("leave out {}", options[0])), "{}", stderr(&refused));
        }
    }
}

/// The program does only the work that the fields need: it does not search a hard board.
#[test]
fn fields_of_the_board_need_no_search() {
    let hard = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1\n1 2 3 4 5 6 7 8 9 10 11 12 13 15 14 0\nno board\n";
    let output = run(&["solve", "--fields", "index,solvable,linear_conflict,duplicate_of", "--node-limit", "1"], hard);
    let expected =
        "{\"index\":1,\"solvable\":true,\"linear_conflict\":58}\n{\"index\":2,\"solvable\":false}\n{\"index\":3}\n";
    assert_eq!(stdout(&output), expected);
    assert!(stderr(&output).contains("3 records: 1 solvable, 1 unsolvable, 1 invalid"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(1));
}

/// The two farthest 8-puzzles are reflections of each other. They do not count as reflections if
/// the goal's blank is in the middle of the bottom row, because the reflection, about the main
/// diagonal, would move that blank.
#[test]
fn duplicates_and_reflections_are_found() {
    let boards = "647850321\n867254301\n647850321\n867254301\n";
    let found = |options: &[&str]| {
        let found = analyse(&[&["--fields", "index,duplicate_of,reflection_of"], options].concat(), boards);
        found.iter().map(Value::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        found(&[]),
        [
            "{\"index\":1}",
            "{\"index\":2,\"reflection_of\":1}",
            "{\"duplicate_of\":1,\"index\":3}",
            "{\"duplicate_of\":2,\"index\":4}"
        ]
    );
    let other = found(&["--goal", "1,2,3/4,5,6/7,0,8"]);
    assert_eq!(other[1], "{\"index\":2}");
    // The boards may be in several files.
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.txt", "b.txt"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    fs::write(&paths[0], "647850321\n").unwrap();
    fs::write(&paths[1], "123456780\n867254301\n").unwrap();
    let output = stdout(&run(&["solve", "-q", "--fields", "reflection_of", &paths[0], &paths[1]], ""));
    assert_eq!(output, "{}\n{}\n{\"reflection_of\":1}\n");
}

/// If not all boards fit into memory, the run reports this, and finds only duplicates of those that
/// fit.
#[test]
fn unknown_duplicates_are_null() {
    let mut random = Random::new(4);
    let boards: String =
        (0..3000).map(|_| random.permutation(9).iter().map(usize::to_string).collect::<String>() + "\n").collect();
    let input = boards.clone() + &boards;
    let output = run(&["solve", "-q", "--memory", "300K", "--fields", "duplicate_of"], &input);
    let found = stdout(&output);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 6000);
    // The boards may take a quarter of the memory, at 86 bytes per board.
    let capacity = 300 * 1024 / 4 / 86;
    assert_eq!(lines[3000], "{\"duplicate_of\":1}");
    assert_eq!(lines[5999], "{\"duplicate_of\":null}");
    assert!(lines[..capacity].iter().all(|line| *line != "{\"duplicate_of\":null}"));
    assert!(stderr(&output).contains(&format!("room for {capacity}")), "{}", stderr(&output));
}

/// The output is byte for byte the same on any number of threads, even with a node limit or
/// `--count-cap`.
#[test]
fn threads_do_not_change_a_byte() {
    let mut random = Random::new(9);
    let mut input: String = (0..400).map(|_| line(&shuffled(9, random.bits())) + "\n").collect();
    input += &(0..40).map(|_| scrambled_15(&mut random, 30) + "\n").collect::<String>();
    for options in [&[][..], &["--node-limit", "3000"], &["--count-cap", "1"]] {
        let bytes = |threads| {
            stdout(&run(&[&["solve", "-q", "--fields", "analysis", "-j", threads], options].concat(), &input))
        };
        let one = bytes("1");
        assert_eq!(one.lines().count(), 440);
        assert!(one == bytes("2") && one == bytes("8"), "{options:?}");
    }
}

/// `--count-cap` ends the count of shortest paths, but does not change the first or the forced
/// moves. On small shapes all paths are counted, whatever the cap.
#[test]
fn a_cap_ends_the_count() {
    let board = "6,2,8,4,12,14,1,10,13,15,3,9,11,0,5,7\n"; // 30 shortest paths of 48 moves
    let fields = "moves,solutions,first_moves,forced_moves,limit";
    let found = |cap: &str| analyse(&["--count-cap", cap, "--fields", fields], board).remove(0);
    let complete = found("30");
    assert_eq!((&complete["solutions"], &complete["limit"]), (&Value::from(30), &Value::Null));
    for cap in ["1", "7", "29"] {
        let capped = found(cap);
        assert_eq!(capped["solutions_at_least"].as_u64().unwrap(), cap.parse::<u64>().unwrap() + 1);
        assert_eq!((&capped["limit"], &capped["solutions"]), (&Value::from("count-cap"), &Value::Null));
        for field in ["first_moves", "forced_moves"] {
            assert_eq!(capped[field], complete[field], "{cap}");
        }
    }
    let small = analyse(&["--count-cap", "1", "--fields", "solutions"], "647850321\n").remove(0);
    assert_eq!(small["solutions"], 40);
    assert_eq!(run(&["solve", "--count-cap", "0"], "").status.code(), Some(2));
}

/// Boards of one row, and boards too large to search, also have the fields that analyse boards.
#[test]
fn one_row_and_large_boards_have_analysis_fields() {
    let row: String = (1..40).map(|tile| format!("{tile} ")).collect();
    let fields = "moves,solutions,forced_moves,manhattan,linear_conflict";
    let found = analyse(&["--shape", "1x40", "--fields", fields], &format!("0 {row}\n"));
    let path = "R".repeat(39);
    let expected =
        serde_json::json!({"moves": 39, "solutions": 1, "forced_moves": path, "manhattan": 39, "linear_conflict": 39});
    assert_eq!(found, [expected]);
    let mut large: Vec<usize> = (1..36).chain([0]).collect();
    large.swap(34, 35);
    let text = large.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let found = analyse(&["--fields", "status,limit,manhattan,linear_conflict"], &format!("{text}\n"));
    assert_eq!(found, [serde_json::json!({"status": "solved", "manhattan": 1, "linear_conflict": 1})]);
}

#[test]
fn unknown_and_repeated_fields_are_rejected() {
    let status = |fields: &str| run(&["solve", "-q", "--fields", fields], "123456780\n").status.code();
    assert_eq!(
        ["moves,moves", "colour", "dup_of", "default,analysis"].map(status),
        [Some(2), Some(2), Some(2), Some(0)]
    );
}

/// In the library, too, fields that compare boards need all records.
#[test]
fn sharded_batches_reject_comparing_fields() {
    let solver = taquin::Solver::builder().threads(1).memory(64 << 20).build().unwrap();
    let batch = taquin::files::Batch::new(["inputs/digits.txt"]).fields("index,duplicate_of".parse().unwrap());
    let error = batch.shard(1, 2).unwrap().run(&solver, std::io::sink()).unwrap_err();
    assert!(error.to_string().contains("the field duplicate_of compares"), "{error}");
}
