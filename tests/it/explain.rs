//! A run follows the plan that `taquin solve --explain` prints. The fields of `--detail` show this.

use std::collections::HashMap;

use crate::common::{run, stderr, stdout};

/// Returns the engines and heuristics that a plan names, in the order in which they may be used.
fn planned(text: &str) -> Vec<(String, Option<String>)> {
    let mut lines = text.lines();
    assert!(lines.next().unwrap().contains(" to solve, 0 unsolvable"), "{text}");
    let (how, why) = lines.next().unwrap().trim().split_once(": ").unwrap();
    let how = how.split(" (").next().unwrap();
    let (engine, heuristic) = how.split_once(" with ").map_or((how, None), |(engine, by)| (engine, Some(by)));
    if heuristic != Some("pattern databases") {
        return vec![(engine.into(), heuristic.map(String::from))];
    }
    let built =
        lines.filter(|line| line.contains(" while building")).map(|line| line.trim().split_once(": ").unwrap().0);
    let tiers = built.map(|name| match name {
        "the full table" => ("lookup".into(), None),
        name => (engine.into(), Some(name.into())),
    });
    let base = why.contains("begins with walking-conflict").then(|| (engine.into(), Some("walking-conflict".into())));
    base.into_iter().chain(tiers).collect()
}

/// Returns the engine and heuristic that solved each board of a run on one thread.
fn solved_by(options: &[&str], boards: &str) -> Vec<(String, Option<String>)> {
    let results = stdout(&run(&[&["solve", "--quiet", "-j", "1", "--detail"], options].concat(), boards));
    let solver_of = |line: &str| {
        let result: HashMap<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        let text = |field: &str| result.get(field).and_then(|value| value.as_str()).map(String::from);
        (text("engine").unwrap(), text("heuristic"))
    };
    results.lines().map(solver_of).collect()
}

fn boards(shape: &str, walk: &str, count: &str) -> String {
    stdout(&run(&["generate", "--quiet", "--shape", shape, "--walk", walk, "--count", count, "--seed", "4"], ""))
}

/// The plan names the engine and heuristic of every board. During a run, tables are built in tiers,
/// from smaller to larger. No board is solved with a lower tier than the board before it.
#[test]
fn a_run_follows_its_plan() {
    let [small, ten_cells, twelve_cells, easy, hard] =
        [("3x3", "80", "4"), ("2x5", "80", "4"), ("3x4", "200", "40"), ("4x4", "30", "20"), ("4x4", "160", "8")]
            .map(|(shape, walk, count)| boards(shape, walk, count));
    let line = "1 2 0 3 4\n";
    let cases: [(&[&str], &str, usize); 15] = [
        (&[], &small, 1),
        (&["--engine", "idastar", "--heuristic", "manhattan"], &small, 1),
        (&[], &twelve_cells, 3),
        (&["--memory", "40M"], &twelve_cells, 2),
        (&["--engine", "lookup"], &ten_cells, 1),
        (&["--engine", "bidirectional"], &small, 1),
        (&[], &easy, 4),
        (&[], &hard, 4),
        (&["--memory", "64M"], &hard, 2),
        (&["--heuristic", "6-6-3"], &hard, 1),
        // Beams also take memory, and leave too little for these tables.
        (&["--heuristic", "7-7-1", "--tie-break", "any", "--memory", "200M"], &easy, 2),
        (&["--heuristic", "linear-conflict"], &easy, 1),
        (&["--engine", "astar"], &easy, 1),
        (&["--node-limit", "1000000"], &easy, 1),
        (&["--shape", "1x5", "--format", "line"], line, 1),
    ];
    for (options, boards, count) in cases {
        let text = stdout(&run(&[&["solve", "--explain"], options].concat(), boards));
        let planned = planned(&text);
        assert_eq!(planned.len(), count, "{options:?}: {text}");
        let mut tier = 0;
        for used in solved_by(options, boards) {
            let next = planned.iter().position(|planned| *planned == used);
            assert!(next.is_some_and(|next| next >= tier), "{options:?}: {used:?} after tier {tier} of {text}");
            tier = next.unwrap();
        }
    }
}

/// If requested tables do not fit, both the plan and the run say so.
#[test]
fn tables_that_do_not_fit_are_reported() {
    let board = boards("4x4", "20", "1");
    let options = ["--heuristic", "7-8", "--memory", "100M"];
    let text = stdout(&run(&[&["solve", "--explain"], &options[..]].concat(), &board));
    assert!(
        text.contains("7-8 was requested, but does not fit; begins with walking-conflict, and builds 6-6-3"),
        "{text}"
    );
    let other = "1 2 3 4 5\n6 7 8 9 10\n11 12 13 14 15\n16 17 18 19 20\n21 22 23 0 24\n";
    let wrong_shape = stdout(&run(&["solve", "--explain", "--heuristic", "7-8", "--memory", "31M"], other));
    assert!(
        wrong_shape.contains("'7-8' has 15 tiles, 5x5 has 24; begins with") && !wrong_shape.contains("fit"),
        "{wrong_shape}"
    );
    let output = run(&[&["solve", "--quiet"], &options[..]].concat(), &board);
    assert_eq!(output.status.code(), Some(0));
    let message = stderr(&output);
    assert!(message.contains("7-8 is not built for 4x4: it takes 425.88 MB, and --memory leaves"), "{message}");
    let fits = run(&["solve", "--quiet", "--heuristic", "6-6-3", "--memory", "100M"], &board);
    assert_eq!(stderr(&fits), "");
}

/// The plan gives the cost of a named collection, and of every tier.
#[test]
fn the_cost_of_tables_is_reported() {
    let board = boards("5x5", "20", "1");
    let named = stdout(&run(&["solve", "--explain", "-j", "1", "--memory", "4G", "--heuristic", "18x6"], &board));
    assert_eq!(named.lines().count(), 4, "{named}");
    let cost = |text: &str, name: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(&format!("{name}: "))).unwrap();
        line.to_string()
    };
    let named_cost = cost(&named, "18x6");
    assert!(named_cost.contains(" MB kept, ") && named_cost.ends_with(" MB while building"), "{named}");
    let tiers = stdout(&run(&["solve", "--explain", "-j", "1", "--memory", "4G"], &board));
    assert_eq!(tiers.matches(" while building").count(), 2, "{tiers}");
    assert_eq!(cost(&tiers, "18x6"), named_cost, "{tiers}");
}

/// On one thread, the tables that are built and the nodes that are searched do not depend on
/// timing: busy processors and slow pipes change nothing.
#[test]
fn one_thread_does_the_same_work_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.jsonl");
    let boards: String = [("4x4", "8"), ("3x4", "60")]
        .map(|(shape, count)| ["--shape", shape, "--walk", "200", "--count", count, "--seed", "4"])
        .map(|options| stdout(&run(&[&["generate", "--quiet", "--format", "json"], &options[..]].concat(), "")))
        .concat();
    std::fs::write(&file, &boards).unwrap();
    let work = |input: &str, text: &str| {
        let fields = "index,engine,heuristic,nodes,iterations";
        stdout(&run(&["solve", "--quiet", "-j", "1", "--fields", fields, input], text))
    };
    let name = file.to_str().unwrap();
    let first = work(name, "");
    assert!(["walking-conflict", "6-6-3", "6-5"].iter().all(|tables| first.contains(tables)), "{first}");
    let busy = std::sync::atomic::AtomicBool::new(true);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while busy.load(std::sync::atomic::Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let repeated = work(name, "");
        busy.store(false, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(repeated, first);
    });
    // A run that reads a pipe decides nothing before it has read the pipe to its end.
    assert_eq!(work("-", &boards), work("-", &boards));
}

/// The peak memory of a run is at most 20 MB more than 1.05 times the memory in its plan.
#[test]
fn runs_stay_near_the_memory_of_their_plan() {
    check_memory(&[
        ("3x3", "80", "2000", &[]),
        ("3x4", "200", "500", &["--memory", "64M"]),
        ("4x4", "100", "40", &["--memory", "64M"]),
        ("4x4", "40", "10", &["--engine", "bidirectional", "--memory", "100M"]),
        ("6x6", "300", "4", &["--effort", "2"]),
        ("20x20", "9000", "4", &["--effort", "1"]),
    ]);
}

#[test]
#[ignore = "builds large tables: run by scripts/cross-check"]
fn runs_with_large_tables_stay_near_the_memory_of_their_plan() {
    check_memory(&[
        ("3x4", "200", "20000", &[]),
        ("4x4", "200", "100", &[]),
        ("4x4", "200", "40", &["--memory", "300M", "-j", "1"]),
        ("4x4", "200", "1", &["--heuristic", "7-8"]),
        ("4x4", "70", "4", &["--engine", "astar", "--memory", "200M"]),
        ("5x5", "150", "2", &["--heuristic", "6-6-6-6"]),
        ("5x5", "150", "2", &["--tie-break", "any", "--memory", "200M"]),
        ("80x80", "900000", "4", &["--effort", "1", "-j", "4"]),
    ]);
}

/// Compares the peak memory of runs with their plans. Each case has the shape of the boards, the
/// moves of their random walks, their number, and the options of the run.
fn check_memory(cases: &[(&str, &str, &str, &[&str])]) {
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.json");
    for &(shape, walk, count, options) in cases {
        let file = folder.path().join("boards.txt");
        std::fs::write(&file, boards(shape, walk, count)).unwrap();
        let name = file.to_str().unwrap();
        let plan = stdout(&run(&[&["solve", "--explain", name], options].concat(), ""));
        let figure = plan.lines().last().and_then(|line| line.strip_prefix("memory: at most ")).unwrap();
        let (number, unit) = figure.split_once(' ').unwrap();
        let unit = if unit == "GB" { 1e9 } else { 1e6 };
        let limit = number.parse::<f64>().unwrap() * unit;
        let solved = [&["solve", "-q", "--fail-on", "none", "--summary", summary.to_str().unwrap(), name], options];
        run(&solved.concat(), "");
        let text = std::fs::read_to_string(&summary).unwrap();
        let summary: serde_json::Value = serde_json::from_str(&text).unwrap();
        let peak = summary["peak_memory_bytes"].as_f64().unwrap();
        println!("{shape} {options:?}: {:.0} of {:.0} MB", peak / 1e6, limit / 1e6);
        assert!(peak <= 1.05 * limit + 20e6, "{shape} {options:?}: {peak} bytes, more than {plan}");
    }
}
