//! `taquin inspect`: how many shortest paths, how they begin, duplicates – compared with a plain breadth-first
//! search that shares no code with the crate, and with published boards.

use std::collections::HashMap;
use std::fs;
use std::sync::LazyLock;

use crate::common::{self, Random, run, scrambled_15, stderr, stdout};
use crate::oracle::{Oracle, blank_in, every_board, shuffled, ways_between};
use jsonschema::Validator;
use proptest::prelude::*;
use serde_json::Value;

/// The lines of a run, each of which keeps to the published schema.
fn inspect(options: &[&str], input: &str) -> Vec<Value> {
    let output = run(&[&["inspect", "--quiet"], options].concat(), input);
    let keeps_to_schema = |line: &Value| {
        let errors: Vec<String> = SCHEMA.iter_errors(line).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
    };
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).inspect(keeps_to_schema).collect()
}

static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
    let schema = stdout(&run(&["schema", "--of", "inspect"], ""));
    jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap()
});

/// Programs rely on it: whoever changes it changes this file too.
#[test]
fn the_schema_is_the_published_one() {
    assert_eq!(stdout(&run(&["schema", "--of", "inspect"], "")), include_str!("../schema/inspect.json"));
    assert_eq!(run(&["schema", "--of", "judge"], "").status.code(), Some(2));
}

/// Every field on every kind of record, checked against the schema by [`inspect`].
#[test]
fn all_fields_keep_to_the_schema() {
    let schema: Value = serde_json::from_str(include_str!("../schema/inspect.json")).unwrap();
    let members: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
    // In place of `solutions`: not to be asked for by itself.
    let fields = members.iter().filter(|&&name| name != "solutions_at_least").copied().collect::<Vec<_>>().join(",");
    // Solved, again, reflected, unsolvable, no board, a board that is too hard for so few nodes, and one that is too large.
    let large: Vec<u8> = (1..36).chain([0]).rev().collect();
    let input = format!(
        r#"{{"id":"a","board":[6,4,7,8,5,0,3,2,1]}}
{{"id":2.5,"board":[6,4,7,8,5,0,3,2,1]}}
{{"board":[8,6,7,2,5,4,3,0,1]}}
{{"board":[2,1,3,4,5,6,7,8,0]}}
{{"board":[2,1,3]}}
{{"board":[15,14,8,12,10,11,9,13,2,6,5,1,3,7,4,0]}}
{{"board":{large:?}}}
"#
    );
    let mut lines = inspect(&["--fields", &fields, "--node-limit", "3000", "--heuristic", "6-6-3"], &input);
    lines.extend(inspect(&["--fields", &fields, "--count-cap", "1"], "6,2,8,4,12,14,1,10,13,15,3,9,11,0,5,7\n"));
    for name in members {
        assert!(lines.iter().any(|line| line.get(name).is_some()), "no line has {name}");
    }
}

fn line(board: &[u8]) -> String {
    board.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

/// What the oracle says of a board, as `inspect` writes it.
fn expected(oracle: &Oracle, known: &mut HashMap<Vec<u8>, u64>, board: &[u8]) -> Value {
    let Some(path) = oracle.path(board) else { return serde_json::json!({"status": "unsolvable"}) };
    let first: String = oracle.nearer(board).iter().map(|(letter, _)| char::from(*letter)).collect();
    let (mut at, mut forced) = (board.to_vec(), String::new());
    while let [(letter, next)] = oracle.nearer(&at).as_slice() {
        forced.push(char::from(*letter));
        at = next.clone();
    }
    let ways = oracle.ways(board, known);
    serde_json::json!({"status": "solved", "moves": path.len(), "solutions": ways, "first": first, "forced": forced})
}

const COUNTED: &str = "status,moves,solutions,first,forced";

/// Every board of a shape, solvable or not, with tables and by search.
fn whole_shape(rows: usize, cols: usize, goal: &[u8], options: &[&str]) {
    let (oracle, mut known) = (Oracle::new(rows, cols, goal), HashMap::new());
    let (mut input, mut boards) = (String::new(), Vec::new());
    every_board(rows * cols, &mut |board| {
        input += &(line(board) + "\n");
        boards.push(board.to_vec());
    });
    let (shape, goal) = (format!("{rows}x{cols}"), line(goal));
    let found = inspect(&[&["--shape", &shape, "--goal", &goal, "--fields", COUNTED], options].concat(), &input);
    assert_eq!(found.len(), boards.len());
    for (found, board) in found.iter().zip(&boards) {
        assert_eq!(*found, expected(&oracle, &mut known, board), "{shape} {board:?} to {goal} {options:?}");
    }
}

#[test]
fn every_board_of_small_shapes_is_counted_as_by_breadth_first_search() {
    for options in [&[][..], &["--engine", "idastar"], &["--engine", "astar", "-j", "3"]] {
        for (rows, cols) in [(2, 2), (1, 5), (5, 1), (2, 3), (3, 2)] {
            let n = rows * cols;
            for goal in [blank_in(n - 1, n), shuffled(n, 5)] {
                whole_shape(rows, cols, &goal, options);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]
    /// Random 3×3 boards to random goals, four hundred at a time.
    #[test]
    fn boards_of_3x3_are_counted_as_by_breadth_first_search(seed in any::<u64>()) {
        let mut random = Random(seed);
        let mut permutation = || random.permutation(9).iter().map(|&tile| tile as u8).collect::<Vec<u8>>();
        let goal = permutation();
        let boards: Vec<Vec<u8>> = (0..400).map(|_| permutation()).collect();
        let (oracle, mut known) = (Oracle::new(3, 3, &goal), HashMap::new());
        let input: String = boards.iter().map(|board| line(board) + "\n").collect();
        for options in [&[][..], &["--engine", "idastar"]] {
            let found = inspect(&[&["--goal", &line(&goal), "--fields", COUNTED], options].concat(), &input);
            for (found, board) in found.iter().zip(&boards) {
                prop_assert_eq!(found, &expected(&oracle, &mut known, board), "{:?} to {:?}", board, goal);
            }
        }
    }
}

/// Every line of the published 8-puzzles: status, moves, how many shortest paths, and that all begin as the smallest does.
#[test]
fn every_fixture_of_the_eight_puzzle() {
    let fixtures = fs::read_to_string(common::project().join("tests/data/fixtures_8puzzle.txt")).unwrap();
    let rows: Vec<Vec<&str>> =
        fixtures.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 24);
    let input: String = rows.iter().map(|row| format!("{}\n{}\n", row[0], row[1])).collect();
    let found = inspect(&["--format", "pair", "--fields", "status,moves,path,solutions,forced"], &input);
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
        assert!(path.starts_with(found["forced"].as_str().unwrap()), "{row:?}");
    }
}

/// Every line of the published 15-puzzles up to some number of moves, by whatever pattern databases are built and by walking distance.
fn fifteen_puzzles(most: u64, options: &[&str]) {
    let fixtures = fs::read_to_string(common::project().join("tests/data/fixtures_15puzzle.txt")).unwrap();
    let rows: Vec<Vec<&str>> =
        fixtures.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 9);
    let rows: Vec<_> = rows.into_iter().filter(|row| row[1].parse::<i64>().unwrap() <= most as i64).collect();
    let input: String = rows.iter().map(|row| format!("{}\n", row[0])).collect();
    let found = inspect(&[&["--fields", "status,moves,solutions"], options].concat(), &input);
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
fn every_fixture_of_the_fifteen_puzzle() {
    fifteen_puzzles(52, &[]);
    fifteen_puzzles(48, &["--engine", "idastar", "--heuristic", "walking-conflict"]);
}

#[test]
#[ignore = "counts the paths of a board of 80 moves: a minute in release; run by scripts/cross-check"]
fn the_hardest_fixtures_of_the_fifteen_puzzle() {
    fifteen_puzzles(80, &["--heuristic", "7-8"]);
    fifteen_puzzles(60, &["--engine", "idastar", "--heuristic", "walking-conflict"]);
}

/// Boards too large for a table, near their goals: counted by breadth-first search from both ends.
#[test]
fn larger_boards_are_counted_as_by_search_from_both_ends() {
    let mut random = Random(15);
    for (rows, cols) in [(3, 4), (2, 6), (3, 5), (4, 4), (2, 8), (4, 5)] {
        let n = rows * cols;
        let goal = blank_in(n - 1, n);
        let boards: Vec<Vec<u8>> = (0..6).map(|_| walked(rows, cols, &goal, 22, &mut random)).collect();
        let input: String = boards.iter().map(|board| line(board) + "\n").collect();
        let shape = format!("{rows}x{cols}");
        for options in [&[][..], &["--node-limit", "100000000"]] {
            let found = inspect(&[&["--shape", &shape, "--fields", COUNTED], options].concat(), &input);
            for (found, board) in found.iter().zip(&boards) {
                let moves = found["moves"].as_u64().unwrap() as usize;
                let ways = ways_between(rows, cols, board, &goal, moves);
                assert_eq!(found["solutions"].as_u64(), ways, "{shape} {board:?} {found}");
            }
        }
    }
}

/// A board some random moves from another.
fn walked(rows: usize, cols: usize, from: &[u8], moves: usize, random: &mut Random) -> Vec<u8> {
    let mut board = from.to_vec();
    for _ in 0..moves {
        let hole = board.iter().position(|&tile| tile == 0).unwrap();
        let (row, col) = (hole / cols, hole % cols);
        let mut to = Vec::new();
        to.extend((row > 0).then(|| hole - cols));
        to.extend((row + 1 < rows).then_some(hole + cols));
        to.extend((col > 0).then(|| hole - 1));
        to.extend((col + 1 < cols).then_some(hole + 1));
        board.swap(hole, to[random.below(to.len())]);
    }
    board
}

/// Whole lines: POJ 1077's sample and the same board again, no board, a board without a solution.
#[test]
fn whole_lines() {
    let found =
        stdout(&run(&["inspect", "-q"], "2 3 4 1 5 x 7 6 8\n\n2 3 4 1 5 x 7 6 8\nno board\n1 2 3 4 5 6 8 7 0\n"));
    let expected = "\
{\"index\":1,\"source\":\"-\",\"line\":1,\"status\":\"solved\",\"moves\":19,\"solutions\":4,\"first\":\"DLU\",\"forced\":\"\",\"manhattan\":9,\
\"linear_conflict\":9,\"manhattan_gap\":10,\"linear_conflict_gap\":10}
{\"index\":2,\"source\":\"-\",\"line\":3,\"status\":\"solved\",\"moves\":19,\"solutions\":4,\"first\":\"DLU\",\"forced\":\"\",\"manhattan\":9,\
\"linear_conflict\":9,\"manhattan_gap\":10,\"linear_conflict_gap\":10,\"dup_of\":1}
{\"index\":3,\"source\":\"-\",\"line\":4,\"status\":\"invalid\",\"error\":\"'no' is neither a number nor a blank (0, x, X, _ or .)\"}
{\"index\":4,\"source\":\"-\",\"line\":5,\"status\":\"unsolvable\",\"manhattan\":2}
";
    assert_eq!(found, expected);
}

/// The two farthest 8-puzzles are reflections; for a goal with its blank at an edge, and with another goal, they are not.
#[test]
fn duplicates_and_reflections_are_found() {
    let far = "647850321\n867254301\n647850321\n867254301\n";
    let found = |options: &[&str]| {
        let found = inspect(&[&["--fields", "index,dup_of,reflection_of"], options].concat(), far);
        found.iter().map(Value::to_string).collect::<Vec<_>>()
    };
    assert_eq!(
        found(&[]),
        [
            "{\"index\":1}",
            "{\"index\":2,\"reflection_of\":1}",
            "{\"dup_of\":1,\"index\":3}",
            "{\"dup_of\":2,\"index\":4}"
        ]
    );
    let other = found(&["--goal", "1,2,3/4,5,6/7,0,8"]);
    assert_eq!(other[1], "{\"index\":2}");
    // Over several files, too.
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.txt", "b.txt"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    fs::write(&paths[0], "647850321\n").unwrap();
    fs::write(&paths[1], "123456780\n867254301\n").unwrap();
    let output = stdout(&run(&["inspect", "-q", "--fields", "reflection_of", &paths[0], &paths[1]], ""));
    assert_eq!(output, "{}\n{}\n{\"reflection_of\":1}\n");
}

/// Where not all boards can be kept, that is written and reported; duplicates of those that are kept are found.
#[test]
fn duplicates_that_cannot_be_known_are_null() {
    let mut random = Random(4);
    let boards: String =
        (0..3000).map(|_| random.permutation(9).iter().map(usize::to_string).collect::<String>() + "\n").collect();
    let input = boards.clone() + &boards;
    let output = run(&["inspect", "-q", "--memory", "300K", "--fields", "dup_of"], &input);
    let found = stdout(&output);
    let lines: Vec<&str> = found.lines().collect();
    assert_eq!(lines.len(), 6000);
    let room = 300 * 1024 / 4 / 115;
    assert_eq!(lines[3000], "{\"dup_of\":1}");
    assert_eq!(lines[5999], "{\"dup_of\":null}");
    assert!(lines[..room].iter().all(|line| *line != "{\"dup_of\":null}"));
    assert!(stderr(&output).contains(&format!("room for {room}")), "{}", stderr(&output));
}

/// The same bytes on any number of threads, with and without a limit of nodes.
#[test]
fn threads_do_not_change_a_byte() {
    let mut random = Random(9);
    let mut input: String = (0..400).map(|_| line(&shuffled(9, random.bits())) + "\n").collect();
    input += &(0..40).map(|_| scrambled_15(&mut random, 30) + "\n").collect::<String>();
    for options in [&[][..], &["--node-limit", "3000"], &["--count-cap", "1"]] {
        let bytes = |threads| stdout(&run(&[&["inspect", "-q", "-j", threads], options].concat(), &input));
        let one = bytes("1");
        assert_eq!(one.lines().count(), 440);
        assert!(one == bytes("2") && one == bytes("8"), "{options:?}");
    }
}

/// A cap ends the count, never what is written with it; small shapes are counted to the end whatever it is.
#[test]
fn a_cap_ends_the_count() {
    let board = "6,2,8,4,12,14,1,10,13,15,3,9,11,0,5,7\n"; // 30 shortest paths of 48 moves
    let found =
        |cap: &str| inspect(&["--count-cap", cap, "--fields", "moves,solutions,first,forced,limit"], board).remove(0);
    let all = found("30");
    assert_eq!((&all["solutions"], &all["limit"]), (&Value::from(30), &Value::Null));
    for cap in ["1", "7", "29"] {
        let some = found(cap);
        assert_eq!(some["solutions_at_least"].as_u64().unwrap(), cap.parse::<u64>().unwrap() + 1);
        assert_eq!((&some["limit"], &some["solutions"]), (&Value::from("count-cap"), &Value::Null));
        assert_eq!((&some["first"], &some["forced"]), (&all["first"], &all["forced"]), "{cap}");
    }
    let small = inspect(&["--count-cap", "1", "--fields", "solutions"], "647850321\n").remove(0);
    assert_eq!(small["solutions"], 40);
}

/// Lines and boards too large to be searched have their facts, too.
#[test]
fn lines_and_large_boards() {
    let row: String = (1..40).map(|tile| format!("{tile} ")).collect();
    let found = inspect(
        &["--shape", "1x40", "--fields", "moves,solutions,forced,manhattan,linear_conflict"],
        &format!("0 {row}\n"),
    );
    let all = "R".repeat(39);
    let expected =
        serde_json::json!({"moves": 39, "solutions": 1, "forced": all, "manhattan": 39, "linear_conflict": 39});
    assert_eq!(found, [expected]);
    let mut large: Vec<usize> = (1..36).chain([0]).collect();
    large.swap(34, 35);
    let text = large.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let found = inspect(&["--fields", "status,limit,lower_bound,manhattan,linear_conflict"], &format!("{text}\n"));
    assert_eq!(found, [serde_json::json!({"status": "solved", "manhattan": 1, "linear_conflict": 1})]);
    // Three tiles far from home, each in the place of the next.
    let mut far: Vec<usize> = (1..36).chain([0]).collect();
    (far[0], far[17], far[33]) = (far[17], far[33], far[0]);
    let text = far.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let found = inspect(&["--fields", "status,limit,lower_bound,manhattan"], &format!("{text}\n"));
    assert_eq!((&found[0]["status"], &found[0]["limit"]), (&"unsolved".into(), &"effort".into()));
    assert!(found[0]["lower_bound"].as_u64() >= found[0]["manhattan"].as_u64(), "{found:?}");
}

#[test]
fn statuses_and_refusals() {
    let status = |options: &[&str], input: &str| run(&[&["inspect", "-q"], options].concat(), input).status.code();
    assert_eq!(status(&[], "123456780\n"), Some(0));
    assert_eq!(status(&[], "123456780\nnonsense\n"), Some(1));
    assert_eq!(status(&["no/such/file"], ""), Some(2));
    assert_eq!(status(&["--fields", "moves,moves"], ""), Some(2));
    assert_eq!(status(&["--fields", "colour"], ""), Some(2));
    assert_eq!(status(&["--count-cap", "0"], ""), Some(2));
    assert_eq!(stdout(&run(&["inspect", "-q"], "")), "");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("facts.jsonl");
    let file = file.to_str().unwrap();
    assert_eq!(status(&["-o", file], "123456780\n"), Some(0));
    assert_eq!(status(&["-o", file], "123456780\n"), Some(2));
    assert_eq!(status(&["-o", file, "--force"], "123456780\n"), Some(0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]
    /// Whatever the bytes are, every record that `solve` finds has one line, with the same status.
    #[test]
    fn nothing_in_a_file_breaks_it(bytes in prop::collection::vec(prop_oneof![any::<u8>(), b'0'..=b'9', Just(b'\n'), Just(b' ')], 0..400)) {
        let found = |command: &[&str]| stdout(&run(&[command, &["-q", "--fields", "index,line,status"]].concat(), &bytes));
        prop_assert_eq!(found(&["inspect"]), found(&["solve"]));
    }
}
