//! The program as its users see it: exit statuses, pipes, order, signals, summaries, the schema.

use crate::common::schema::Schema;
use crate::common::{self, Random, run, scrambled_15, stderr, stdout};

/// Returns random 3×3 boards, one per line. About half of the boards are unsolvable.
fn boards(count: usize) -> String {
    let mut random = Random::new(3);
    let mut text = String::new();
    for _ in 0..count {
        let tiles: Vec<String> = random.permutation(9).iter().map(usize::to_string).collect();
        text += &tiles.join(" ");
        text.push('\n');
    }
    text
}

#[test]
fn one_board_from_standard_input() {
    let output = run(&["solve", "--quiet"], "2  3  4  1  5  x  7  6  8\n");
    // The published sample of POJ 1077, with its canonical path.
    let expected = r#"{"index":1,"source":"-","line":1,"status":"solved","moves":19,"path":"DLURULLDDRURDLLURDR"}"#;
    assert_eq!(stdout(&output), format!("{expected}\n"));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}

/// A board on the command line is read like one from standard input.
#[test]
fn boards_on_the_command_line() {
    let piped = stdout(&run(&["solve", "-q", "--boards"], "2 3 4 1 5 x 7 6 8\n"));
    for board in ["2 3 4 1 5 x 7 6 8", "2,3,4,1,5,0,7,6,8", "2 3 4/1 5 x/7 6 8", "[[2,3,4],[1,5,0],[7,6,8]]"] {
        let output = run(&["solve", "-q", "--boards", board], "");
        assert_eq!((stdout(&output), stderr(&output)), (piped.clone(), String::new()), "{board}");
    }
    let output = run(&["solve", "-q", "--fields", "index,line,status", "1 2 0 3", "1,2,2,0"], "");
    let expected = "{\"index\":1,\"line\":1,\"status\":\"solved\"}\n{\"index\":2,\"line\":1,\"status\":\"invalid\"}\n";
    assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(1)));
    assert!(stdout(&run(&["solve", "--explain", "1 2 0 3"], "")).starts_with("2x2, goal blank-last: 1 board"));
    for (options, why) in [
        (&["--resume", "-o", "never.jsonl"][..], "--resume needs files"),
        (&["--shard", "1/2"], "--shard needs files"),
        (&["boards.txt"], "cannot read both the board"),
        (&["--as", "hdu3567"], "contain their goals"),
    ] {
        let output = run(&[&["solve", "1 2 0 3"], options].concat(), "");
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{options:?}");
        assert!(stderr(&output).contains(why), "{options:?}: {}", stderr(&output));
    }
    let missing = run(&["solve", "2024/05"], "");
    assert!(
        missing.status.code() == Some(2) && stderr(&missing).contains("cannot read 2024/05"),
        "{}",
        stderr(&missing)
    );
}

#[test]
fn exit_statuses() {
    let status = |arguments: &[&str], input: &str| {
        run(&[&["solve", "--quiet", "--format", "line"], arguments].concat(), input).status.code()
    };
    let (solved, unsolvable, invalid) = ("1 2 3 4 5 6 7 0 8", "2 1 3 4 5 6 7 8 0", "1 2 3");
    assert_eq!(status(&[], ""), Some(0));
    assert_eq!(status(&[], solved), Some(0));
    assert_eq!(status(&[], unsolvable), Some(0));
    assert_eq!(status(&[], invalid), Some(1));
    assert_eq!(status(&["--fail-on", "none"], invalid), Some(0));
    assert_eq!(status(&["--fail-on", "unsolvable"], unsolvable), Some(1));
    assert_eq!(status(&["--fail-on", "unsolvable"], invalid), Some(0));
    assert_eq!(status(&["no/such/file"], ""), Some(2));
    assert_eq!(status(&["--threads", "0"], ""), Some(2));
    let hard = "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0";
    assert_eq!(status(&["--node-limit", "1000", "--goal", "blank-first"], hard), Some(1));
    assert_eq!(status(&["--node-limit", "1000", "--goal", "blank-first", "--fail-on", "invalid"], hard), Some(0));
}

#[test]
fn other_files_are_read_if_one_is_missing() {
    let output = run(&["solve", "--quiet", "no/such/file", "-"], "1 2 3 4 5 6 7 0 8\n");
    assert_eq!(stdout(&output).lines().count(), 1);
    assert!(stderr(&output).contains("no/such/file"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn mistyped_options_get_a_suggestion() {
    let output = run(&["solve", "--thread", "2"], "");
    assert!(stderr(&output).contains("--threads"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
    let output = run(&["slove"], "");
    assert!(stderr(&output).contains("solve"), "{}", stderr(&output));
}

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    let input = boards(30_000);
    let [one, two, eight] = ["1", "2", "8"].map(|threads| run(&["solve", "--quiet", "-j", threads], &input).stdout);
    assert_eq!(one.iter().filter(|&&byte| byte == b'\n').count(), 30_000);
    assert!(one == two && two == eight);
}

/// A result does not depend on whether one thread searched its board, or all threads did together.
/// The boards are a few dozen moves from the goal; one takes hundreds of thousands of nodes.
#[test]
fn parallel_modes_do_not_change_a_byte() {
    let mut random = Random::new(7);
    let mut input: Vec<String> = (0..30).map(|_| scrambled_15(&mut random, 50)).collect();
    input.insert(5, "5 1 2 4 9 6 3 8 13 15 10 11 14 0 7 12".into());
    // Korf's board 12, rotated by 180 degrees and renumbered: 45 moves.
    input.insert(20, "1 3 5 6 0 13 14 9 11 4 8 12 10 7 15 2".into());
    let input = input.join("\n") + "\n";
    let results = |threads, mode: &str, more: &[&str]| {
        let arguments = [&["solve", "--quiet", "-j", threads, "--parallel", mode], more].concat();
        run(&arguments, &input).stdout
    };
    for more in [&[][..], &["--fields", "index,status,moves,path,limit,lower_bound", "--node-limit", "40000"]] {
        let one = results("1", "auto", more);
        assert_eq!(one.iter().filter(|&&byte| byte == b'\n').count(), 32);
        for threads in ["2", "8"] {
            for mode in ["auto", "across", "within"] {
                assert!(results(threads, mode, more) == one, "{threads} threads, {mode}");
            }
        }
    }
}

#[test]
fn unordered_results_are_the_same_results() {
    let input = boards(20_000);
    let sorted = |arguments: &[&str]| {
        let output = run(&[&["solve", "--quiet"], arguments].concat(), &input);
        let mut lines: Vec<String> = stdout(&output).lines().map(String::from).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&["--unordered", "-j", "4"]), sorted(&[]));
}

#[test]
fn a_closed_pipe_ends_the_run_quietly() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::Stdio;
    let mut child = common::taquin()
        .args(["solve"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || {
        let input = boards(10_000);
        // Write until the program stops reading.
        while stdin.write_all(input.as_bytes()).is_ok() {}
    });
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("{\"index\":1,"));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_writes_finished_results() {
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let mut child = common::taquin()
            .args(["solve", "-j", "2", "--goal", "blank-first"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Two boards that are solved immediately, one that takes far too long, and one after it;
        // the input stays open.
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(b"1 0 2 3 4 5 6 7 8\n3 1 2 0 4 5 6 7 8\n").unwrap();
        let mut first = [0; 1];
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut first).unwrap();
        stdin.write_all(b"15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0\n1 0 2 3 4 5 6 7 8\n").unwrap();
        assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(status), "{signal}");
        assert!(rest.lines().count() >= 1 && rest.lines().count() <= 2, "{rest}");
        assert!(rest.lines().last().unwrap().contains("\"status\":\"solved\""), "{rest}");
        drop(stdin);
    }
}

#[test]
fn the_summary_counts_every_record() {
    let folder = tempfile::tempdir().unwrap();
    let (results, summary) = (folder.path().join("results"), folder.path().join("summary"));
    let input = "1 2 3 4 5 6 7 0 8\n2 1 3 4 5 6 7 8 0\n1 2 3\n5 1 2 4 9 6 3 8 13 15 10 11 14 0 7 12\n";
    let output = run(
        &["solve", "--format", "line", "-o", results.to_str().unwrap(), "--summary", summary.to_str().unwrap()],
        input,
    );
    assert_eq!(stdout(&output), "");
    assert_eq!(std::fs::read_to_string(&results).unwrap().lines().count(), 4);
    let reported: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&summary).unwrap()).unwrap();
    for (field, count) in
        [("records", 4), ("solved", 2), ("unsolvable", 1), ("invalid", 1), ("unsolved", 0), ("error", 0)]
    {
        assert_eq!(reported[field], count, "{field}");
    }
    assert_eq!(reported["slowest"]["index"], 4);
    assert!(stderr(&output).contains("4 records: 2 solved, 1 unsolvable, 1 invalid"), "{}", stderr(&output));
}

/// If a file has fewer boards than its count line promises, the missing ones are reported, and
/// affect the exit status like invalid ones. The second run resumes at the end, and reports the
/// same.
#[test]
fn missing_boards_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (one, two, three) = (path("1.txt"), path("2.txt"), path("3.txt"));
    let (results, summary, junit) = (path("results"), path("summary"), path("junit.xml"));
    std::fs::write(&one, "5\n1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 0 7 8\n").unwrap();
    std::fs::write(&two, "1\n1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 0 7 8\n").unwrap();
    std::fs::write(&three, "3\n1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 0 7 8\n").unwrap();
    let files = ["--count-line", &one, &two, &three];
    for _ in 0..2 {
        let words = ["solve", "--resume", "-o", &results, "--summary", &summary];
        let output = run(&[&words[..], &files].concat(), "");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stderr(&output).contains("4 records promised by a count line but missing"), "{}", stderr(&output));
        let reported: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&summary).unwrap()).unwrap();
        assert_eq!(
            (&reported["records"], &reported["solved"], &reported["missing"]),
            (&6.into(), &6.into(), &4.into())
        );
    }
    let status = |words: &[&str], files: &[&str]| run(&[words, &["--count-line"], files].concat(), "").status.code();
    assert_eq!(status(&["solve", "--fail-on", "unsolved"], &[&one]), Some(0));
    // If there are more boards than promised, all are answered, with a warning.
    assert_eq!(status(&["solve"], &[&two]), Some(0));
    for words in [&["solve", "--fields", "index"][..], &["check"], &["check", "--junit", &junit]] {
        assert_eq!((status(words, &[&one]), status(words, &[&two])), (Some(1), Some(0)), "{words:?}");
    }
    let output = run(&["check", "--junit", &junit, "--count-line", &three], "");
    assert_eq!(stdout(&output), "1 record promised by a count line but missing\n");
    assert!(std::fs::read_to_string(&junit).unwrap().contains("promised by a count line but missing"));
}

#[test]
fn identical_boards_are_searched_once() {
    let board = "5 1 2 4 9 6 3 8 13 15 10 11 14 0 7 12\n";
    let nodes = |copies: usize| {
        let folder = tempfile::tempdir().unwrap();
        let summary = folder.path().join("summary");
        let output =
            run(&["solve", "--quiet", "-j", "4", "--summary", summary.to_str().unwrap()], board.repeat(copies));
        assert_eq!(stdout(&output).lines().count(), copies);
        let paths: std::collections::BTreeSet<String> =
            stdout(&output).lines().map(|line| line.split("\"status\"").nth(1).unwrap().to_string()).collect();
        assert_eq!(paths.len(), 1);
        let reported: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&summary).unwrap()).unwrap();
        reported["nodes"].as_u64().unwrap()
    };
    assert_eq!(nodes(1), nodes(100));
}

#[test]
fn results_match_the_published_schema() {
    let text = stdout(&run(&["schema"], ""));
    // Other programs rely on the schema, so no change to it may go unnoticed.
    assert_eq!(text, include_str!("../schema/solve.json"));
    let schema = Schema::new(serde_json::from_str(&text).unwrap());
    let input = "1 2 3 4 5 6 7 0 8\n2 1 3 4 5 6 7 8 0\n1 2 3\n15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0\n";
    let fields = "index,source,line,id,rows,cols,board,goal,status,moves,path,optimal,limit,lower_bound,error,states";
    for arguments in [
        &["--detail"][..],
        &["--fields", fields, "--detail"],
        &["--fields", "moves"],
        &[],
        &["--notation", "udlr"],
        &["--notation", "words", "--path-of", "tile"],
        &["--notation", "tiles"],
    ] {
        let arguments = [&["solve", "--quiet", "--format", "line", "--node-limit", "100"], arguments].concat();
        let output = stdout(&run(&arguments, input));
        assert_eq!(output.lines().count(), 4);
        for line in output.lines() {
            let result: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!(schema.check(&result), Ok(()), "{line}");
        }
    }
    // The schema rejects lines that are not results.
    for wrong in [
        r#"{"status":"solved","error":"x"}"#,
        r#"{"path":"UX"}"#,
        r#"{"path":"UP,LEFT"}"#,
        r#"{"moves":-1}"#,
        r#"{"colour":1}"#,
    ] {
        assert!(schema.check(&serde_json::from_str(wrong).unwrap()).is_err(), "{wrong}");
    }
}

#[test]
fn explain_shows_the_plan_and_solves_nothing() {
    let output = run(&["solve", "--explain", "--format", "line"], "1 2 3 4 5 6 7 0 8\n2 1 3 4 5 6 7 8 0\n1 2 3\n");
    let reported = stdout(&output);
    assert!(reported.contains("3x3, goal blank-last: 1 board to solve, 1 unsolvable"), "{reported}");
    assert!(reported.contains("lookup"), "{reported}");
    assert!(reported.contains("1 invalid record"), "{reported}");
    assert!(!reported.contains("path"), "{reported}");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(run(&["solve", "--explain", "no/such/file"], "").status.code(), Some(2));
}

/// Warnings about a file are printed while the file is read, before errors about later files. The
/// file has more boards than are read at a time.
#[test]
fn explain_warns_about_the_files_in_their_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.txt");
    let boards = "1 2 3 4 5 6 7 0 8\n".repeat(10_000);
    std::fs::write(&path, format!("# taquin: goal=snial\n{boards}")).unwrap();
    let output = run(&["solve", "--explain", path.to_str().unwrap(), "no/such/file"], "");
    let reported = stderr(&output);
    let place = |text: &str| reported.find(text).unwrap_or_else(|| panic!("no '{text}' in {reported}"));
    assert!(place("setting 'goal=snial'") < place("cannot read no/such/file"), "{reported}");
    assert_eq!(output.status.code(), Some(2), "{reported}");
}

/// Tables that do not fit are not built, and the plan says so.
#[test]
fn tables_stay_within_the_memory() {
    let board = "5 1 2 4 9 6 3 8 13 15 10 11 14 0 7 12\n";
    let plan = stdout(&run(&["solve", "--explain", "-j", "1", "--memory", "80M"], board));
    for tier in ["6-6-3: ", "7-7-1: not built, ", "7-8: not built, "] {
        assert!(plan.contains(&format!("    {tier}")), "{plan}");
    }
    let plan = stdout(&run(&["solve", "--explain", "-j", "1", "--memory", "80M", "--heuristic", "7-8"], board));
    assert!(plan.contains("    7-8: not built, ") && plan.contains("    6-6-3: "), "{plan}");
    // If tables that do not fit are requested, the run does without them, and finds the same path.
    let solve = |options: &[&str]| stdout(&run(&[&["solve", "--quiet", "--fields", "path"], options].concat(), board));
    assert_eq!(
        solve(&["-j", "1", "--memory", "80M", "--heuristic", "7-8"]),
        solve(&["--heuristic", "walking-conflict"])
    );
}

#[test]
fn completions_and_the_manual_name_the_options() {
    for arguments in [&["completions", "bash"][..], &["completions", "fish"], &["man", "solve"]] {
        let reported = stdout(&run(arguments, ""));
        assert!(reported.contains("time-limit") || reported.contains("time\\-limit"), "{arguments:?}");
    }
}

/// Returns forty easy 15-puzzles followed by one that takes minutes.
fn hard_at_the_end() -> String {
    let easy: String = (0..40).map(|_| "1 0 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n").collect();
    // One of the seventeen boards that need 80 moves, rotated for the goal with the blank first.
    easy + "# the hard one\n15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0\n"
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_during_a_hard_search() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut child = common::taquin()
        .args(["solve", "--quiet", "--format", "line", "--goal", "blank-first"])
        .stdin(std::process::Stdio::piped())
        .stdout(full)
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), hard_at_the_end().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot write"), "{}", stderr(&output));
}

#[test]
fn results_never_overwrite_an_input() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let named = |name: &str| file(name).to_str().unwrap().to_string();
    std::fs::write(file("a.txt"), "1 2 3 4 5 6 7 0 8\n").unwrap();
    let output = run(&["solve", "--quiet", &named("a.txt"), "-o", &named("a.txt")], "");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(file("a.txt")).unwrap(), "1 2 3 4 5 6 7 0 8\n");
    // In a folder of inputs, the results of an earlier run are not an input.
    let folder_name = folder.path().to_str().unwrap().to_string();
    for _ in 0..2 {
        let output = run(&["solve", "--quiet", "--force", &folder_name, "-o", &named("results.jsonl")], "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(file("results.jsonl")).unwrap().lines().count(), 1);
    }
    // If an input is missing, the results are not overwritten.
    let output = run(&["solve", "--quiet", "--force", &named("b.txt"), "-o", &named("results.jsonl")], "");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read_to_string(file("results.jsonl")).unwrap().lines().count(), 1);
}

#[test]
fn unordered_results_do_not_wait_for_a_hard_board() {
    use std::io::{BufRead, BufReader, Write};
    let mut child = common::taquin()
        .args(["solve", "--quiet", "--unordered", "-j", "2", "--format", "line", "--goal", "blank-first"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(hard_at_the_end().as_bytes()).unwrap();
    let results = BufReader::new(child.stdout.take().unwrap());
    // The forty results arrive during the search of the last board. Otherwise this test would take
    // minutes.
    assert_eq!(results.lines().take(40).filter(|line| line.as_ref().unwrap().contains("solved")).count(), 40);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn boards_of_one_row_or_column_are_solved() {
    let tiles: Vec<String> = (0..200).map(|tile| tile.to_string()).collect();
    let output = run(&["solve", "--quiet", "--shape", "1x200", "--fields", "moves,path"], tiles.join(" "));
    assert_eq!(stdout(&output), format!("{{\"moves\":199,\"path\":\"{}\"}}\n", "R".repeat(199)));
    let output = run(&["solve", "--quiet", "--shape", "200x1", "--fields", "path"], tiles.join(" "));
    assert_eq!(stdout(&output), format!("{{\"path\":\"{}\"}}\n", "D".repeat(199)));
}

/// Every engine gives the same bytes, with any number of threads and in every parallel mode.
#[test]
fn engines_threads_and_parallel_modes_do_not_change_a_byte() {
    let mut random = Random::new(11);
    let mut input = String::new();
    for _ in 0..30 {
        let tiles: Vec<String> = random.permutation(9).iter().map(usize::to_string).collect();
        let goal: Vec<String> = random.permutation(9).iter().map(usize::to_string).collect();
        input += &format!("{{\"board\":[{}],\"goal\":[{}]}}\n", tiles.join(","), goal.join(","));
    }
    let easy = ["5,1,2,4,9,6,3,8,13,15,10,11,14,0,7,12", "2,3,4,0,1,5,7,8,9,6,10,12,13,14,11,15"];
    input += &easy.map(|tiles| format!("[{tiles}]\n")).concat();
    let expected = stdout(&run(&["solve", "--quiet", "-j", "1"], &input));
    assert_eq!(expected.lines().count(), 32);
    for engine in ["lookup", "bidirectional", "astar", "idastar"] {
        for (threads, parallel) in [("1", "auto"), ("2", "within"), ("8", "across"), ("8", "auto")] {
            let arguments =
                ["solve", "--quiet", "--engine", engine, "-j", threads, "--parallel", parallel, "--memory", "512M"];
            assert_eq!(stdout(&run(&arguments, &input)), expected, "{engine} on {threads}, {parallel}");
        }
    }
}

/// Boards of 10 cells are looked up in the full table in batches, even if records of other kinds
/// come between them. With any number of threads, the bytes equal those of separate searches.
#[test]
fn boards_of_a_full_table_keep_their_order() {
    let mut random = Random::new(12);
    let mut input = String::new();
    for number in 0..700 {
        let rows: Vec<String> = random.permutation(10).chunks(5).map(|row| format!("{row:?}")).collect();
        input += &format!("[{}]\n", rows.join(","));
        // The first 600 boards fill whole chunks. Between the others are records of other kinds: an
        // invalid one, a board to search, and a board of another table.
        let other = ["", "[1,2,3", "[[5,1,2,4],[9,6,3,8],[13,15,10,11],[14,0,7,12]]", "[[1,2,3],[4,5,6],[7,0,8]]"];
        if number > 600 && number % 4 > 0 {
            input += &format!("{}\n", other[number % 4]);
        }
    }
    let solve = |options: &[&str]| {
        let output = run(&[&["solve", "--quiet"], options].concat(), &input);
        (stdout(&output), stderr(&output))
    };
    let (expected, reported) = solve(&["--engine", "idastar", "--heuristic", "5-4"]);
    assert!(
        expected.lines().count() > 750 && expected.contains("unsolvable") && expected.contains("invalid"),
        "{reported}"
    );
    for threads in ["1", "8"] {
        assert_eq!(solve(&["--engine", "lookup", "-j", threads]).0, expected, "{threads} threads");
    }
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines.sort();
        lines
    };
    let (unordered, _) = solve(&["--engine", "lookup", "-j", "2", "--unordered"]);
    assert_eq!(sorted(&unordered), sorted(&expected));
}

/// Returns the ten boards with the fewest nodes in Korf's paper (1985).
fn ten_of_korf() -> String {
    let data = std::fs::read_to_string(common::project().join("tests/data/korf100.csv")).unwrap();
    let ids = ["12", "16", "55", "79", "42", "97", "48", "28", "30", "19"];
    let mut input = "# taquin: goal=blank-first format=line\n".to_string();
    for row in data.lines().filter(|row| ids.contains(&row.split(',').next().unwrap())) {
        input += row.split(',').nth(1).unwrap();
        input.push('\n');
    }
    input
}

/// A path that is written is the canonical one by default. If none is written, any shortest path
/// ends the search, which saves nodes. This does not apply with `--tie-break canonical`, or with a
/// node limit: the fields must not affect which boards are solved within the limit.
#[test]
fn a_path_that_is_not_written_may_be_any_shortest_path() {
    let input = ten_of_korf();
    let nodes = |options: &str| -> u64 {
        let fixed = ["solve", "--quiet", "-j", "1", "--heuristic", "6-6-3"];
        let reported = stdout(&run(&[&fixed[..], &options.split(' ').collect::<Vec<_>>()].concat(), &input));
        reported
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["nodes"].as_u64().unwrap())
            .sum()
    };
    for options in ["--fields nodes", "--fields moves,nodes", "--fields path,nodes --tie-break any"] {
        assert_eq!(nodes(options), 37_268, "{options}");
    }
    for options in [
        "--fields path,nodes",
        "--fields states,nodes",
        "--fields nodes --tie-break canonical",
        "--fields nodes --node-limit 1000000",
    ] {
        assert_eq!(nodes(options), 52_200, "{options}");
    }
}

/// Checks the total number of nodes that each search generates for a fixed set of boards on one
/// thread. If a number differs, the search has changed.
#[test]
fn node_counts_are_unchanged() {
    let input = ten_of_korf();
    let nodes = |options: &[&str]| -> (usize, u64) {
        let arguments =
            [&["solve", "--quiet", "-j", "1", "--fields", "nodes", "--tie-break", "canonical"], options].concat();
        let reported = stdout(&run(&arguments, &input));
        let counts = reported.lines().map(|line| line[9..line.len() - 1].parse::<u64>().unwrap());
        (reported.lines().count(), counts.sum())
    };
    let expected = [
        (&["--heuristic", "6-6-3"][..], 52_200),
        (&["--heuristic", "5-5-5"], 74_814),
        (&["--heuristic", "walking-conflict"], 1_964_940),
        (&["--engine", "astar", "--heuristic", "walking-conflict"], 1_935_432),
    ];
    for (options, count) in expected {
        assert_eq!(nodes(options), (10, count), "{options:?}");
    }
}
