//! Boards that are too large for a proof, and paths that are not proven shortest: what the program
//! claims about them is true.

use std::fs;

use serde_json::Value;

use crate::common::{self, Random, run, stderr, stdout};

/// Returns random solvable boards, one per line, without the comment that states their shape.
pub fn boards(shape: &str, count: usize, seed: u64) -> String {
    let (count, seed) = (count.to_string(), seed.to_string());
    let output = run(&["generate", "--shape", shape, "--count", &count, "--seed", &seed], "");
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output).lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

fn results(output: &std::process::Output) -> Vec<Value> {
    stdout(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Solves boards with these options, verifies the results, and returns them.
fn solved(options: &[&str], boards: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("boards.txt"), folder.path().join("results.jsonl"));
    fs::write(&input, boards).unwrap();
    let names = [input.to_str().unwrap(), output.to_str().unwrap()];
    let solve = run(&[&["solve", "-q", names[0], "-o", names[1]], options].concat(), "");
    let shape: Vec<&str> = options.iter().copied().skip_while(|option| *option != "--shape").take(2).collect();
    let verify = run(&[&["verify", names[1], names[0]], &shape[..]].concat(), "");
    assert!(verify.status.success(), "{}\n{}", stdout(&verify), stderr(&verify));
    assert_eq!(solve.status.code(), Some(0), "{}", stderr(&solve));
    fs::read_to_string(&output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_unproven_path_is_marked() {
    for result in solved(&["--effort", "1"], &boards("6x6", 3, 1)) {
        let (moves, bound) = (result["moves"].as_u64().unwrap(), result["lower_bound"].as_u64().unwrap());
        assert_eq!((&result["status"], &result["optimal"]), (&"solved".into(), &Value::Bool(false)));
        assert!(bound < moves && (moves - bound).is_multiple_of(2), "{result}");
        assert_eq!(result["path"].as_str().unwrap().len() as u64, moves);
    }
    // A proven path is marked as optimal only if the field is requested by name.
    let proven = |options: &[&str]| stdout(&run(&[&["solve", "-q"], options].concat(), "1 2 3 4 5 6 0 7 8\n"));
    assert!(proven(&[]).ends_with("\"moves\":2,\"path\":\"RR\"}\n"));
    let named = proven(&["--fields", "moves,optimal,lower_bound"]);
    assert_eq!(named, "{\"moves\":2,\"optimal\":true,\"lower_bound\":2}\n");
    assert_eq!(proven(&["--fields", "moves,optimal,lower_bound", "--no-fast-path"]), named);
    // The path of a large board is proven if it is as long as the lower bound.
    let near = stdout(&run(&["solve", "-q", "--fields", "moves,optimal"], format!("{}0 35\n", line_to(34))));
    assert_eq!(near, "{\"moves\":1,\"optimal\":true}\n");
}

/// Returns the tiles from 1 to `last`, each followed by a space.
fn line_to(last: usize) -> String {
    (1..=last).map(|tile| format!("{tile} ")).collect()
}

/// Korf's 15-puzzles (1985) and Korf and Felner's 24-puzzles (2002), whose optimal lengths are
/// published: no bound is greater, and no path is shorter.
#[test]
fn published_lengths_lie_between_bounds_and_paths() {
    let read = |name: &str| fs::read_to_string(common::project().join("tests/data").join(name)).unwrap();
    let fifteen = read("korf100.csv");
    let fifteen = fifteen.lines().skip(1).map(|row| row.split(',').collect::<Vec<_>>());
    let fifteen: Vec<(String, u64)> = fifteen.map(|row| (row[1].into(), row[2].parse().unwrap())).collect();
    let twenty_four = read("korf50_24puzzle.txt");
    let twenty_four =
        twenty_four.lines().filter(|row| !row.starts_with('#')).map(|row| row.split(' ').collect::<Vec<_>>());
    let twenty_four: Vec<(String, u64)> =
        twenty_four.map(|row| (row[1].replace(',', " "), row[2].parse().unwrap())).collect();
    for (count, puzzles) in [(100, fifteen), (50, twenty_four)] {
        assert_eq!(puzzles.len(), count);
        let boards: String = puzzles.iter().map(|(board, _)| format!("{board}\n")).collect();
        let options = ["--goal", "blank-first", "--quality", "good", "--effort", "1", "--fields"];
        let results = results(&run(&[&["solve", "-q"], &options[..], &["moves,lower_bound,optimal"]].concat(), boards));
        assert_eq!(results.len(), count);
        for ((board, shortest), result) in puzzles.iter().zip(results) {
            let (moves, bound) = (result["moves"].as_u64().unwrap(), result["lower_bound"].as_u64().unwrap());
            assert!(bound <= *shortest && *shortest <= moves && (moves - bound).is_multiple_of(2), "{board}: {result}");
            assert_eq!(result["optimal"].as_bool().unwrap(), moves == bound, "{board}: {result}");
        }
    }
}

#[test]
fn large_boards_are_unsolved_if_a_proof_is_required() {
    let output = run(&["solve", "-q", "--quality", "shortest"], boards("6x6", 2, 7));
    assert_eq!(output.status.code(), Some(1));
    for result in results(&output) {
        assert_eq!((&result["status"], &result["limit"]), (&"unsolved".into(), &"effort".into()), "{result}");
        assert!(result["lower_bound"].as_u64().unwrap() > 50 && result.get("path").is_none());
    }
    // Contradictory and invalid options are rejected.
    for (options, why) in [
        (&["--quality", "good", "--engine", "astar"][..], "--engine"),
        (&["--quality", "good", "--node-limit", "9"], "--node-limit"),
        (&["--fallback", "good"], "--time-limit or --node-limit"),
        (&["--fallback", "shortest"], "possible values: good"),
        (&["--effort", "10"], "from 1 to 9"),
        (&["--quality", "good", "--as", "acwing179"], "shortest paths only"),
    ] {
        let output = run(&[&["solve"], options].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        assert!(stderr(&output).contains(why), "{options:?}: {}", stderr(&output));
    }
}

#[test]
fn an_unfinished_proof_falls_back_to_a_good_path() {
    let hard = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1\n"; // 80 moves
    let options = ["--fallback", "good", "--node-limit", "3000", "--effort", "1"];
    let [result] = &solved(&options, hard)[..] else { panic!("one board") };
    assert_eq!((&result["optimal"], &result["limit"]), (&Value::Bool(false), &"nodes".into()), "{result}");
    let (moves, bound) = (result["moves"].as_u64().unwrap(), result["lower_bound"].as_u64().unwrap());
    assert!(bound <= 80 && moves >= 80, "{result}");
    // The lower bound is the one that the search has proven.
    let without = run(&["solve", "-q", "--node-limit", "3000"], hard);
    assert_eq!(results(&without)[0]["lower_bound"], result["lower_bound"]);
    // With `--quality good`, boards that a search could solve may get unproven paths. Boards that
    // are looked up in a table still get proven ones.
    for result in solved(&["--quality", "good", "--effort", "1"], &boards("4x4", 5, 3)) {
        assert_eq!(result["status"], "solved");
    }
    let small = solved(&["--quality", "good"], &boards("3x3", 20, 3));
    assert!(small.iter().all(|result| result.get("optimal").is_none()));
}

/// The output for boards of several shapes is byte for byte the same with any number of threads.
#[test]
fn threads_do_not_change_a_byte() {
    let input: String = [("5x6", 1), ("6x6", 2), ("2x20", 1), ("9x9", 1), ("20x13", 1)]
        .iter()
        .flat_map(|&(shape, count)| {
            let (rows, cols) = shape.split_once('x').unwrap();
            let line = move |line: &str| {
                format!("{{\"rows\":{rows},\"cols\":{cols},\"board\":[{}]}}\n", line.replace(' ', ","))
            };
            boards(shape, count, 5).lines().map(line).collect::<Vec<_>>()
        })
        .collect();
    let bytes = |threads: &str| stdout(&run(&["solve", "-q", "-j", threads, "--effort", "2"], &input));
    let one = bytes("1");
    assert_eq!(one.lines().count(), 6);
    assert!(one.lines().all(|line| line.contains("\"status\":\"solved\"")), "{one}");
    assert!(one == bytes("3"));
}

/// About a seventh of the shapes from 1×1 to 12×12, and some long ones. Every path is replayed.
#[test]
fn boards_of_many_shapes_have_a_path() {
    let mut random = Random::new(17);
    let (mut lines, mut pairs) = (String::new(), 0);
    let mut add = |rows: usize, cols: usize| {
        let mut tiles = random.permutation(rows * cols);
        lines += &format!("{{\"rows\":{rows},\"cols\":{cols},\"board\":{tiles:?}}}\n");
        // Swapping two tiles gives a second board. Exactly one of the two is solvable, unless they
        // have a single row or column.
        let pair: Vec<usize> = (0..tiles.len()).filter(|&at| tiles[at] != 0).take(2).collect();
        if let [a, b] = pair[..] {
            tiles.swap(a, b);
            lines += &format!("{{\"rows\":{rows},\"cols\":{cols},\"board\":{tiles:?}}}\n");
            pairs += usize::from(rows.min(cols) > 1);
        }
    };
    for rows in 1..=12 {
        for cols in (1..=12).filter(|cols| (rows + 2 * cols) % 7 == 0) {
            add(rows, cols);
        }
    }
    for (rows, cols) in [(2, 13), (13, 3), (255, 2), (3, 255)] {
        add(rows, cols);
    }
    let results = solved(&["--quality", "good", "--effort", "1"], &lines);
    let count = |status: &str| results.iter().filter(|result| result["status"] == status).count();
    assert_eq!(count("solved") + count("unsolvable"), results.len());
    assert!(pairs > 20 && count("solved") >= pairs, "{} of {pairs}", count("solved"));
}

#[test]
fn large_boards_for_judges_get_a_path_if_any_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let board = run(&["generate", "--as", "poj3240", "--shape", "10x10", "--seed", "1"], "");
    fs::write(file("data.in"), &board.stdout).unwrap();
    let answer =
        run(&["solve", "-q", "--as", "poj3240", "--effort", "1", &file("data.in"), "-o", &file("data.out")], "");
    assert_eq!(answer.status.code(), Some(0), "{}", stderr(&answer));
    let judged = run(&["judge", "--as", "poj3240", &file("data.in"), &file("data.out")], "");
    assert_eq!(judged.status.code(), Some(0), "{}", stdout(&judged));
    // People read listings, so a listing that is not proven optimal comes with a warning.
    let six = run(&["generate", "--as", "princeton", "--shape", "6x6", "--seed", "1"], "");
    let listed = run(&["solve", "-q", "--as", "princeton", "--effort", "1"], &six.stdout);
    assert!(stdout(&listed).starts_with("Minimum number of moves = "), "{}", stdout(&listed));
    assert!(stderr(&listed).contains("not proven optimal: the lower bound is"), "{}", stderr(&listed));
    // If a judge accepts only shortest paths, there is no answer.
    let grid = run(&["generate", "--as", "boj1525", "--shape", "6x6", "--seed", "1"], "");
    let unanswered = run(&["solve", "-q", "--as", "boj1525", "--shape", "6x6"], &grid.stdout);
    assert!(
        stdout(&unanswered).contains("unsolved") && stderr(&unanswered).contains("unsolved"),
        "{}{}",
        stdout(&unanswered),
        stderr(&unanswered)
    );
}

#[test]
fn verify_rejects_bounds_that_contradict_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(file("boards"), "1 2 3 4 5 6 0 7 8\n").unwrap();
    let verified = |rest: &str| {
        fs::write(file("results"), format!("{{\"index\":1,\"status\":\"solved\",{rest}}}\n")).unwrap();
        let output = run(&["verify", &file("results"), &file("boards")], "");
        (output.status.code(), stdout(&output))
    };
    for (rest, why) in [
        (r#""path":"RR","optimal":false,"lower_bound":4"#, "no path is shorter than 4 moves"),
        (r#""path":"RRLR","optimal":true,"lower_bound":2"#, "its path is a shortest one"),
        (r#""path":"RRLR","lower_bound":2"#, "its path is a shortest one"),
        (r#""path":"RRLR","optimal":false,"lower_bound":4"#, "its path is not a shortest one"),
        (r#""path":"RR","limit":"time""#, "names a limit"),
        (r#""path":"RRLR","optimal":false,"lower_bound":2,"limit":"size""#, "`limit` does not match its schema"),
    ] {
        let (status, text) = verified(rest);
        assert!(status == Some(1) && text.contains(why), "{rest}: {text}");
    }
    let (status, text) = verified(r#""path":"RRLRLR","optimal":false,"lower_bound":2,"limit":"effort""#);
    assert!(status == Some(0) && text.contains("1 shortest, or with a lower bound: proven"), "{text}");
    // A bound that `verify` cannot check is accepted and reported.
    let (status, text) = verified(r#""path":"RRLRLR","optimal":false,"lower_bound":4"#);
    assert!(status == Some(0) && text.contains("1 with a lower bound: greater than"), "{text}");
}

#[test]
fn given_paths_are_improved() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(file("boards"), boards("7x7", 4, 2)).unwrap();
    let solve = run(&["solve", "-q", "--effort", "1", &file("boards"), "-o", &file("first")], "");
    assert!(solve.status.success());
    let improve = |options: &[&str], paths: &str, out: &str| {
        run(&[&["improve", &file("boards"), &file(paths), "-o", &file(out)], options].concat(), "")
    };
    let output = improve(&["--effort", "3"], "first", "second");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("4 paths"), "{}", stderr(&output));
    let moves = |name: &str| -> Vec<u64> {
        let text = fs::read_to_string(file(name)).unwrap();
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["moves"].as_u64().unwrap()).collect()
    };
    let (before, after) = (moves("first"), moves("second"));
    assert!(before.iter().zip(&after).all(|(before, after)| after <= before), "{before:?} {after:?}");
    assert!(run(&["verify", &file("second"), &file("boards")], "").status.success());
    // The same paths in lower case; the first has a detour, and the second is invalid.
    let text = fs::read_to_string(file("second")).unwrap();
    let path = |line: &str| serde_json::from_str::<Value>(line).unwrap()["path"].as_str().unwrap().to_lowercase();
    let mut paths: Vec<String> = text.lines().map(path).collect();
    let detour = if paths[0].ends_with('d') { "ud" } else { "lr" };
    paths[0] += detour;
    paths[1] = "udud".into();
    fs::write(file("letters"), paths.join("\n") + "\n").unwrap();
    let output = improve(&["--notation", "udlr", "--effort", "1"], "letters", "third");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("record 2: invalid path"), "{}", stderr(&output));
    let third = moves("third");
    assert!(third[0] <= after[0] && third[2] <= after[2] && third[3] <= after[3], "{after:?} {third:?}");
    // Fields that `improve` does not support.
    for field in ["duplicate_of", "solutions", "estimated_nodes", "linear_conflict", "all"] {
        let output = improve(&["--fields", field], "first", "fields");
        assert_eq!(output.status.code(), Some(2), "{field}");
        assert!(stderr(&output).contains("cannot write the field"), "{}", stderr(&output));
    }
    // More paths than boards, and results out of order.
    fs::write(file("more"), "u\n".repeat(9)).unwrap();
    let output = improve(&["--force", "--notation", "udlr", "--effort", "1"], "more", "third");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("has no board"), "{}", stderr(&output));
    let swapped: String = text.lines().rev().map(|line| format!("{line}\n")).collect();
    fs::write(file("swapped"), swapped).unwrap();
    let output = improve(&["--force", "--effort", "1"], "swapped", "third");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("expected record 1"), "{}", stderr(&output));
}

#[test]
fn improve_gives_canonical_paths_of_small_boards() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(name("boards"), "0 1 3 2\n0 3 2 1\n").unwrap();
    // The second board has two shortest paths. The given one is not the canonical one.
    fs::write(name("paths"), "RD\nRDLURD\n").unwrap();
    let output = run(&["improve", "-q", &name("boards"), &name("paths"), "-o", &name("results")], "");
    assert!(output.status.success(), "{}", stderr(&output));
    let results = fs::read_to_string(name("results")).unwrap();
    assert!(results.contains("\"moves\":6,\"path\":\"DRULDR\""), "{results}");
    let verify = run(&["verify", "--sample", "2", &name("results"), &name("boards")], "");
    assert!(verify.status.success(), "{}{}", stdout(&verify), stderr(&verify));
}

#[test]
fn results_before_an_unreadable_path_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let name = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(name("boards"), "1 2 3 4 5 6 7 0 8\n".repeat(100)).unwrap();
    let lines = (1..=90).map(|index| format!("{{\"index\":{index},\"status\":\"solved\",\"path\":\"R\"}}\n"));
    fs::write(name("paths"), lines.collect::<String>() + "{bad\n").unwrap();
    let output = run(&["improve", "-q", "-j", "1", &name("boards"), &name("paths")], "");
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!((80..=90).contains(&stdout(&output).lines().count()), "results before the unreadable line are missing");
}

/// All states along a path of hundreds of thousands of moves would take gigabytes.
#[test]
fn states_that_would_fill_the_memory_are_omitted() {
    let fields = ["solve", "-q", "--effort", "1", "--fields", "index,moves,states"];
    let result = stdout(&run(&fields, boards("60x60", 1, 5)));
    assert!(result.starts_with("{\"index\":1,\"moves\":") && !result.contains("states"), "{result:.100}");
    let result = stdout(&run(&fields, boards("6x6", 1, 5)));
    assert!(result.contains("\"states\":[["), "{result:.100}");
}

#[test]
fn files_may_set_the_effort() {
    let boards = boards("6x6", 2, 9);
    let solved_with = |setting: &str, options: &[&str]| {
        let text = format!("# taquin: {setting}\n{boards}");
        stdout(&run(&[&["solve", "-q", "--fields", "moves,path"], options].concat(), text))
    };
    assert_eq!(solved_with("effort=1", &[]), solved_with("", &["--effort", "1"]));
    // The command line takes precedence.
    assert_eq!(solved_with("effort=1", &["--effort", "2"]), solved_with("", &["--effort", "2"]));
    let wrong = stdout(&run(&["solve", "-q"], format!("# taquin: effort=0\n{boards}")));
    assert!(wrong.contains("not a number from 1 to 9"), "{wrong}");
}

#[test]
fn the_plan_and_the_report_mention_good_paths() {
    let lines = boards("6x6", 2, 4);
    let plan = stdout(&run(&["solve", "--explain", "--effort", "3"], &lines));
    assert!(plan.contains("good paths at effort 3") && plan.contains("constructive"), "{plan}");
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(file("boards"), &lines).unwrap();
    assert!(
        run(&["solve", "-q", "--effort", "1", "--boards", &file("boards"), "-o", &file("results")], "")
            .status
            .success()
    );
    assert!(run(&["report", &file("results"), "-o", &file("page.html")], "").status.success());
    let page = fs::read_to_string(file("page.html")).unwrap();
    assert!(page.contains("2 not proven shortest") && page.contains("6×6"), "{}", page.len());
}

/// A different effort gives different results, so a run resumes only with the same options.
#[test]
fn a_run_does_not_resume_at_another_effort() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(file("boards"), boards("6x6", 2, 4)).unwrap();
    let solve = |options: &[&str]| {
        run(&[&["solve", "-q", "--resume", &file("boards"), "-o", &file("results")], options].concat(), "")
    };
    assert!(solve(&["--effort", "1"]).status.success());
    for options in [&["--effort", "2"][..], &["--effort", "1", "--quality", "good"], &[]] {
        let output = solve(options);
        assert_eq!(output.status.code(), Some(2), "{options:?}");
    }
}

#[test]
fn boards_are_generated_by_walks() {
    let output = run(&["generate", "--shape", "8x9", "--walk", "10..12", "--count", "3", "--seed", "1"], "");
    assert_eq!(stdout(&output).lines().count(), 1 + 3, "{}", stderr(&output));
    let results = solved(&["--effort", "1", "--shape", "8x9"], &stdout(&output));
    assert!(results.iter().all(|result| result["lower_bound"].as_u64().unwrap_or_default() <= 12));
    assert_eq!(run(&["generate", "--walk", "5", "--moves", "5"], "").status.code(), Some(2));
}

/// Weights from a file replace the built-in ones. A file of another version is rejected, with an
/// error that names the file and its version.
#[test]
fn weights_are_read_from_a_file() {
    let lines = boards("4x4", 2, 9);
    let solve = |more: &[&str]| {
        run(&[&["solve", "-q", "--quality", "good", "--effort", "1", "--fields", "path"], more].concat(), &lines)
    };
    let shipped = "weights/4x4.weights";
    assert_eq!(stdout(&solve(&["--weights", shipped])), stdout(&solve(&[])));
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old.weights");
    fs::write(&old, b"taquin w\x01\0\0\0\x04\x04\x0f\x01").unwrap();
    let output = solve(&["--weights", old.to_str().unwrap()]);
    let message = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("old.weights") && message.contains("these weights have version 1"), "{message}");
}
