//! `solve --all`: every shortest path, in alphabetical order, compared with a breadth-first search
//! that shares no code with the program.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Random, run, stderr, stdout};
use taquin_oracle::{LETTERS, Oracle};

/// The first board of Rosetta Code's "15 puzzle solver", and the two solutions printed there.
const ROSETTA: &str = "15 14 1 6 9 11 4 12 0 10 7 3 13 8 5 2";
const SOLUTIONS: [&str; 2] =
    ["RRRULDDLUUULDRURDDDRULLULURRRDDLDLUURDDLULURRULDRDRD", "RRRULDLUULDRURDDDLUULURRRDLDDRULDLUURDDLULURRULDRRDD"];

fn solved(options: &[&str], input: &str) -> Vec<Value> {
    let output = run(&[&["solve", "--quiet"], options].concat(), input);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn paths(result: &Value) -> Vec<&str> {
    result["paths"].as_array().unwrap().iter().map(|path| path.as_str().unwrap()).collect()
}

#[test]
fn rosetta_codes_board_has_its_two_solutions() {
    for options in [&["--all"][..], &["--all", "--heuristic", "walking-distance", "-j", "1"]] {
        let result = &solved(options, ROSETTA)[0];
        assert_eq!((paths(result), &result["solutions"]), (SOLUTIONS.to_vec(), &Value::from(2)));
    }
    let cut = &solved(&["--all=1"], ROSETTA)[0];
    assert_eq!((paths(cut), &cut["solutions"]), (SOLUTIONS[..1].to_vec(), &Value::from(2)));
    assert_eq!(solved(&["--fields", "solutions"], ROSETTA)[0], serde_json::json!({ "solutions": 2 }));
}

/// The list is the same whichever path the search finds. It begins with the canonical path, the
/// alphabetically first.
#[test]
fn the_list_does_not_depend_on_the_path_found() {
    // Databases for overlapping patterns: with them the two rules find different paths.
    let databases = "0,1,2,4,5;3,6,7,10,11;8,9,12,13,14;0,4,5,8,9;1,2,3,6,7;10,11,12,13,14";
    let boards = stdout(&run(&["generate", "--shape", "4x4", "--moves", "24..34", "--count", "15", "--seed", "3"], ""));
    let listed = |tie_break: &str| {
        let options = ["--all", "--heuristic", databases, "--tie-break", tie_break, "--fields", "path,paths,solutions"];
        solved(&options, &boards)
    };
    let canonical = listed("canonical");
    assert!(canonical.iter().any(|result| paths(result).len() > 1));
    assert_eq!(listed("any"), canonical);
}

/// Returns all shortest paths, found with the distances of the oracle.
fn oracle_paths(oracle: &Oracle, board: &[u8]) -> BTreeSet<String> {
    let mut paths = vec![(board.to_vec(), String::new())];
    let distance = |board: &[u8]| oracle.distance(board).unwrap();
    for remaining in (0..distance(board)).rev() {
        let extend = |(board, path): &(Vec<u8>, String)| {
            let step = |letter: &u8| {
                let next = oracle.after(board, *letter).filter(|next| distance(next) == remaining)?;
                Some((next, format!("{path}{}", char::from(*letter))))
            };
            LETTERS.iter().filter_map(step).collect::<Vec<_>>()
        };
        paths = paths.iter().flat_map(extend).collect();
    }
    paths.into_iter().map(|(_, path)| path).collect()
}

/// The lists are those of the oracle, and do not depend on the engine, the heuristic or the number
/// of threads. Unsolvable boards have no list.
#[test]
fn small_boards_have_the_paths_of_a_plain_search() {
    let goals: [(usize, usize, &str, &[u8]); 3] = [
        (3, 3, "blank-last", &[1, 2, 3, 4, 5, 6, 7, 8, 0]),
        (2, 4, "blank-first", &[0, 1, 2, 3, 4, 5, 6, 7]),
        (3, 3, "1,2,3/4,0,5/6,7,8", &[1, 2, 3, 4, 0, 5, 6, 7, 8]),
    ];
    for (rows, cols, goal, tiles) in goals {
        let (oracle, mut random) = (Oracle::new(rows, cols, tiles), Random::new(11));
        let boards: Vec<Vec<u8>> =
            (0..60).map(|_| random.permutation(rows * cols).into_iter().map(|tile| tile as u8).collect()).collect();
        let line = |board: &Vec<u8>| board.iter().map(u8::to_string).collect::<Vec<_>>().join(" ");
        let input = boards.iter().map(line).collect::<Vec<_>>().join("\n");
        let shape = format!("{rows}x{cols}");
        let options = ["--all", "--shape", &shape, "--goal", goal];
        let found = solved(&[&options[..], &["-j", "3"]].concat(), &input);
        for (result, board) in found.iter().zip(&boards) {
            if oracle.distance(board).is_none() {
                assert_eq!(result["status"], "unsolvable");
                assert!(result.get("paths").is_none() && result.get("solutions").is_none());
                continue;
            }
            let expected = oracle_paths(&oracle, board);
            assert!(paths(result).into_iter().eq(&expected), "{board:?}");
            assert_eq!((&result["solutions"], &result["path"]), (&expected.len().into(), &result["paths"][0]));
        }
        for other in [&["--engine", "idastar", "-j", "1"][..], &["--engine", "astar"], &["--heuristic", "manhattan"]] {
            assert!(solved(&[&options, other].concat(), &input) == found, "{other:?}");
        }
    }
}

#[test]
fn lists_use_the_notation_of_paths() {
    let result = &solved(&["--all", "--notation", "tiles", "--fields", "path"], "1 2 3 4 5 6 0 7 8")[0];
    assert_eq!(result, &serde_json::json!({ "path": "7 8", "paths": ["7 8"], "solutions": 1 }));
    let at_goal = &solved(&["--all", "--fields", "moves"], "1 2 3 4 5 6 7 8 0")[0];
    assert_eq!(at_goal, &serde_json::json!({ "moves": 0, "paths": [""], "solutions": 1 }));
}

#[test]
fn incomplete_lists_are_omitted() {
    let limited = run(&["solve", "--quiet", "--all", "--node-limit", "100000", "--fields", "status,moves"], ROSETTA);
    let unlimited = &solved(&["--all", "--fields", "status,moves"], ROSETTA)[0];
    let limited: Value = serde_json::from_str(&stdout(&limited)).unwrap();
    // Whether the limit ends the search, the count, or neither, no incomplete list is written.
    assert!(limited.get("paths").is_none_or(|paths| *paths == unlimited["paths"]), "{limited}");
}

/// A good path, found because a search reached its limit, is proven shortest if its length equals
/// the lower bound of the search. Then all shortest paths can be listed.
#[test]
fn proven_good_paths_have_lists() {
    let boards = stdout(&run(&["generate", "--shape", "4x4", "--walk", "24", "-n", "30"], ""));
    let options = ["--all", "--fallback", "good", "--node-limit", "50", "--effort", "3", "--detail"];
    let (mut listed, limited) = (0, solved(&options, &boards));
    let shortest = solved(&["--all"], &boards);
    for (result, shortest) in limited.iter().zip(&shortest).filter(|(result, _)| result.get("optimal").is_none()) {
        assert_ne!(result.get("solutions").is_some(), result.get("solutions_at_least").is_some(), "{result}");
        // The limit may suppress the list, but never truncates it.
        if result.get("paths").is_some() {
            listed += usize::from(result["engine"] == "good");
            assert_eq!((&result["path"], &result["paths"]), (&shortest["path"], &shortest["paths"]));
        }
    }
    assert!(listed > 0, "{limited:?}");
    // A 6x6 board is too large for a search that finds all shortest paths, so only one is known.
    let near: Vec<String> = (1..=34).chain([0, 35]).map(|tile| tile.to_string()).collect();
    let large = &solved(&["--all", "--effort", "1", "--fields", "moves"], &near.join(" "))[0];
    assert_eq!(large, &serde_json::json!({ "moves": 1, "solutions_at_least": 1 }));
}

#[test]
fn invalid_options_are_rejected() {
    for (options, why) in [
        (&["--all=0"][..], "at least 1"),
        (&["--all", "--as", "hdu1043"], "cannot be combined with --as hdu1043"),
        (&["--all", "--quality", "good"], "leave out --quality good"),
    ] {
        let output = run(&[&["solve"], options].concat(), "");
        assert!(output.status.code() == Some(2) && stderr(&output).contains(why), "{}", stderr(&output));
    }
}

/// `verify` reads lists in any notation, and from CSV.
#[test]
fn lists_are_read_in_every_notation() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (boards, results) = (named("boards"), named("results"));
    std::fs::write(&boards, "8 6 7 2 5 4 3 0 1\n1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 8 7 0\n").unwrap();
    for notation in ["UDLR", "udlr", "words", "tiles", "runs"] {
        for to in ["jsonl", "csv"] {
            let spelling = ["--notation", notation, "--path-of", "tile"];
            let options = [&["--all", "--to", to, "--force", "-o", &results, &boards][..], &spelling].concat();
            assert!(solved(&options, "").is_empty());
            let verified = run(&[&["verify", &results, &boards][..], &spelling].concat(), "");
            assert_eq!(verified.status.code(), Some(0), "{notation} {to}: {}", stdout(&verified));
        }
    }
}

/// `verify` replays every path of a list, and checks the order and length of the list.
#[test]
fn verify_reads_lists() {
    let folder = tempfile::tempdir().unwrap();
    let (boards, results) = (folder.path().join("boards"), folder.path().join("results"));
    let named = |path: &std::path::Path| path.to_str().unwrap().to_string();
    std::fs::write(&boards, ROSETTA).unwrap();
    let options = ["--all", "-o", &named(&results), &named(&boards)];
    assert!(solved(&options, "").is_empty());
    let valid = std::fs::read_to_string(&results).unwrap();
    let verified = || {
        let output = run(&["verify", &named(&results), &named(&boards)], "");
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    assert_eq!(verified().0, Some(0), "{valid}");
    let [one, other] = SOLUTIONS;
    let listed = format!(r#"["{one}","{other}"]"#);
    for (tampered, why) in [
        (format!(r#"["{other}","{one}"]"#), "does not list its `path` first"),
        (format!(r#"["{one}","{one}"]"#), "twice, or out of order"),
        (format!(r#"["{one}","{}"]"#, other.replacen('D', "U", 1)), "that is not a solution"),
        (format!(r#"["{one}","{other}UD"]"#), "of 54 moves"),
        ("[]".into(), "has an empty list of paths"),
    ] {
        std::fs::write(&results, valid.replace(&listed, &tampered)).unwrap();
        let (status, report) = verified();
        assert!(status == Some(1) && report.contains(why), "{tampered}: {report}");
    }
    std::fs::write(&results, valid.replace("\"solutions\":2", "\"solutions\":1")).unwrap();
    assert!(verified().1.contains("lists 2 shortest paths, but says that the board has 1"), "{}", verified().1);
}

/// `verify` does not count paths, and reports that.
#[test]
fn verify_reports_that_paths_are_not_counted() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(named("boards"), format!("{ROSETTA}\n1 2 3 4 5 6 7 8 0\n")).unwrap();
    assert!(solved(&["--all", "-o", &named("results"), &named("boards")], "").is_empty());
    let output = run(&["verify", &named("results"), &named("boards")], "");
    let report = stdout(&output);
    assert!(report.contains("  2 with claims about all shortest paths: the paths are not counted again"), "{report}");
    assert_eq!(output.status.code(), Some(0), "{report}");
}
