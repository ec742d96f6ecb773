//! Runs over large boards: the summary, searches that are avoided, memory, and interrupts.

use std::fs;

use serde_json::Value;

use crate::common::{program, run, stderr, stdout};
use crate::large::boards;

/// Returns the results, the summary as JSON, and the messages.
fn solve(options: &[&str], boards: &str) -> (String, Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.json");
    let output = run(&[&["solve", "--summary", summary.to_str().unwrap()], options].concat(), boards);
    let summary = serde_json::from_str(&fs::read_to_string(&summary).unwrap()).unwrap();
    (stdout(&output), summary, stderr(&output))
}

#[test]
fn the_summary_counts_unproven_paths() {
    let near: String = (1..=34).map(|tile| format!("{tile} ")).collect::<String>() + "0 35\n";
    let (_, summary, message) = solve(&["--effort", "1"], &(boards("6x6", 2, 1) + &near));
    assert_eq!((&summary["solved"], &summary["unproven"]), (&3.into(), &2.into()));
    assert!(message.contains("3 solved (2 not proven optimal), 0 unsolvable"), "{message}");
    let (_, summary, message) = solve(&[], "1 2 3 4 5 6 7 0 8\n");
    assert!(summary["unproven"] == 0 && message.contains("1 solved, 0 unsolvable"), "{message}");
}

/// Equal boards with equal goals are searched once. Different boards, and equal boards with
/// different goals, are searched separately.
#[test]
fn good_paths_of_equal_boards_are_searched_once() {
    let [one, other] = [1, 2].map(|seed| boards("6x6", 1, seed));
    let results_and_nodes = |options: &[&str], boards: &str| {
        let (results, summary, _) = solve(&[options, &["-q", "--effort", "1", "--fields", "path"]].concat(), boards);
        (results, summary["nodes"].as_u64().unwrap())
    };
    for threads in ["1", "3"] {
        let [(a, nodes_a), (b, nodes_b)] = [&one, &other].map(|boards| results_and_nodes(&["-j", threads], boards));
        let (results, total) = results_and_nodes(&["-j", threads], &[&*one, &*other, &*one, &*one].concat());
        assert_eq!((results, total), ([&*a, &*b, &*a, &*a].concat(), nodes_a + nodes_b));
        // The same board with another goal is a different puzzle.
        let flat = one.replace('\n', "").replace(' ', ",");
        let goal = "3,1,2,".to_string() + &(4..=35).map(|tile| format!("{tile},")).collect::<String>() + "0";
        let record = |goal: &str| format!("{{\"board\":[{flat}],\"rows\":6,\"cols\":6{goal}}}\n");
        let both = record("") + &record(&format!(",\"goal\":[{goal}]"));
        let (results, total) = results_and_nodes(&["-j", threads], &both);
        let lines: Vec<&str> = results.lines().collect();
        assert!(lines.len() == 2 && lines[0] != lines[1] && total > nodes_a, "{results}");
    }
}

#[test]
fn the_plan_follows_the_settings_of_a_file() {
    let boards = boards("6x6", 2, 9);
    let plan = |options: &[&str], text: &str| stdout(&run(&[&["solve", "--explain"], options].concat(), text));
    let text = format!("# taquin: effort=2 shape=6x6\n{boards}");
    assert!(plan(&[], &text).contains("good paths at effort 2"), "{}", plan(&[], &text));
    assert!(plan(&["--effort", "4"], &text).contains("good paths at effort 4"));
    assert_eq!(plan(&[], &text), plan(&["--effort", "2"], &boards));
    // If the effort makes no difference, the plan has one group for boards of all efforts.
    let folder = tempfile::tempdir().unwrap();
    for effort in 1..=3 {
        let text = format!("# taquin: effort={effort}\n1 2 3 4 5 6 7 0 8\n");
        fs::write(folder.path().join(format!("{effort}.txt")), text).unwrap();
    }
    let plan = stdout(&run(&["solve", "--explain", folder.path().to_str().unwrap()], ""));
    assert_eq!(plan.matches("goal blank-last").count(), 1, "{plan}");
}

#[test]
fn a_listing_that_would_be_too_long_needs_no_search() {
    let lines = boards("90x90", 1, 4);
    let text = format!("90\n{}\n", lines.trim_end());
    for profile in ["princeton", "42"] {
        let (results, summary, message) = solve(&["--as", profile], &text);
        assert_eq!(results, "unsolved\n", "{message}");
        assert!(message.contains("moves take") && message.contains("GiB of text"), "{message}");
        assert_eq!((&summary["slowest"], &summary["nodes"]), (&Value::Null, &0.into()), "{summary}");
    }
    let (_, summary, _) = solve(&["-q", "--effort", "1", "--shape", "90x90", "--fields", "moves"], &lines);
    assert_ne!(summary["slowest"], Value::Null);
}

/// The results of searches with a node limit depend on the sizes of their lists of nodes. These
/// sizes and the widths of beams are the same with any number of threads.
#[test]
fn shares_of_the_memory_do_not_depend_on_the_number_of_threads() {
    let lines = boards("5x5", 3, 9);
    for memory in ["64M", "100M"] {
        let bounds = |threads: &str| {
            let limits = ["-j", threads, "--memory", memory, "--node-limit", "100000"];
            stdout(&run(&[&["solve", "-q", "--fields", "lower_bound,limit"], &limits[..]].concat(), &lines))
        };
        let one = bounds("1");
        assert_eq!(one.lines().count(), 3);
        assert!(["2", "8"].iter().all(|threads| bounds(threads) == one), "{memory}: {one}");
    }
    // Only the memory in the last line of the plan depends on the number of threads.
    let large = boards("8x8", 1, 9);
    let plan = |threads| {
        let text = stdout(&run(&["solve", "--explain", "-j", threads, "--memory", "100M", "--effort", "9"], &large));
        text.rsplit_once("memory: ").unwrap().0.to_string()
    };
    assert!(plan("1").contains("beam of") && plan("1") == plan("8"), "{}\n{}", plan("1"), plan("8"));
}

/// The default memory depends on the process limit. The memory affects the paths found by beams and
/// by searches with a node limit, so such runs do not resume under another process limit. A run
/// that proves all of its paths resumes under any limit.
#[cfg(target_os = "linux")]
#[test]
fn a_run_resumes_only_with_the_memory_that_affects_its_paths() {
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("boards.txt");
    fs::write(&boards, "1 2 3 4 5 6 7 0 8\n").unwrap();
    for (number, (option, status)) in
        [("", 0), ("--node-limit 9", 2), ("--quality good", 2), ("--effort 1", 2)].into_iter().enumerate()
    {
        let results = folder.path().join(number.to_string());
        let solve = |limit: &str| {
            let run = format!("ulimit -v {limit}; exec \"$0\" solve -q -j 1 {option} --resume -o \"$1\" \"$2\"");
            let mut command = std::process::Command::new("sh");
            command.args(["-c", &run, program()]).args([&results, &boards]).output().unwrap()
        };
        assert_eq!(solve("2000000").status.code(), Some(0), "{option}");
        let resumed = solve("1000000");
        assert_eq!(resumed.status.code(), Some(status), "{option}: {}", stderr(&resumed));
        assert!(status == 0 || stderr(&resumed).contains("--memory"), "{option}: {}", stderr(&resumed));
    }
}

/// Returns the processor time of a process in hundredths of a second, and true if that process has
/// ended.
#[cfg(target_os = "linux")]
fn processor_time(process: u32) -> (u64, bool) {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap(), fields[0] == "Z")
}

/// An interrupt ends the work on the largest possible board. The test measures the processor time
/// after the interrupt, and not the elapsed time.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_the_work_on_the_largest_board() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("boards.txt");
    fs::write(&input, boards("255x255", 1, 1)).unwrap();
    let mut command = crate::common::taquin();
    command.args(["solve", "-q", "--effort", "9", "--shape", "255x255"]).arg(&input);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let pause = || std::thread::sleep(std::time::Duration::from_millis(2));
    // After 0.6 s of processor time, seconds of work remain.
    while processor_time(child.id()).0 < 60 {
        pause();
    }
    assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
    let (before, _) = processor_time(child.id());
    let after = loop {
        if let (time, true) = processor_time(child.id()) {
            break time;
        }
        pause();
    };
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(after - before <= 20, "{} hundredths of a second", after - before);
}
