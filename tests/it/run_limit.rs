//! `--run-limit`: a run ends normally when its time is up. Also tests results in a folder of
//! inputs.

use std::process::Stdio;

use crate::common::{project, run, stderr, stdout, taquin};

/// Returns the first twelve of Korf's boards, which are solved quickly.
fn easy() -> String {
    let korf = std::fs::read_to_string(project().join("inputs/korf.txt")).unwrap();
    korf.lines().take(12).map(|line| format!("{line}\n")).collect()
}

/// A 24-puzzle of more than a hundred moves, which a search with the options [`SLOW_SEARCH`] cannot
/// solve within the limit on any machine.
const ENDLESS: &str = "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0\n";
const SLOW_SEARCH: [&str; 4] = ["--engine", "idastar", "--heuristic", "manhattan"];

/// Finished results are written, the status and the summary give the reason for the end, and the
/// same command resumes the run.
#[test]
fn a_limit_ends_a_run_normally() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(named("boards.txt"), "1 2 3 4 5 6 7 0 8\n".repeat(5) + ENDLESS + "1 2 3 4 5 6 7 0 8\n").unwrap();
    let (results, summary, boards) = (named("results"), named("summary.json"), named("boards.txt"));
    let command = ["solve", "--resume", "-o", &results, "--summary", &summary, "--run-limit", "200ms", &boards];
    for _ in 0..2 {
        let ended = run(&[&command[..], &SLOW_SEARCH].concat(), "");
        assert_eq!(ended.status.code(), Some(3), "{}", stderr(&ended));
        assert!(stderr(&ended).contains("run limit reached"), "{}", stderr(&ended));
        let summary: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(named("summary.json")).unwrap()).unwrap();
        assert_eq!((&summary["run_limit_reached"], &summary["interrupted"]), (&true.into(), &true.into()));
        // The number of results depends on the machine, but each is whole, and they are in order.
        let written = std::fs::read_to_string(named("results")).unwrap();
        assert!(written.is_empty() || written.ends_with('\n'), "{written}");
        for (at, line) in written.lines().enumerate() {
            let result: serde_json::Value = serde_json::from_str(line).unwrap();
            assert_eq!((&result["index"], &result["moves"]), (&(at + 1).into(), &1.into()), "{line}");
        }
        assert!(written.lines().count() <= 5, "{written}");
    }
}

/// A limit of zero is reached before anything is solved. The same command without a limit then
/// gives the bytes of an uninterrupted run.
#[test]
fn a_run_that_ended_at_its_limit_can_be_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(named("boards.txt"), easy()).unwrap();
    let command = ["solve", "--resume", "-o", &named("results"), &named("boards.txt")];
    let ended = run(&[&command[..], &["--run-limit", "0"]].concat(), "");
    assert_eq!(ended.status.code(), Some(3), "{}", stderr(&ended));
    assert!(stderr(&ended).contains("0 records: 0 solved"), "{}", stderr(&ended));
    assert_eq!(std::fs::read_to_string(named("results")).unwrap(), "");
    assert_eq!(run(&command, "").status.code(), Some(0));
    let uninterrupted = run(&["solve", "--quiet", &named("boards.txt")], "");
    assert!(std::fs::read(named("results")).unwrap() == uninterrupted.stdout);
}

#[test]
fn a_limit_ends_a_run_that_waits_for_input() {
    let mut child = taquin().args(["solve", "--run-limit", "10ms"]).stdin(Stdio::piped()).spawn().unwrap();
    let input = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(3));
    drop(input);
}

#[test]
fn a_limit_that_is_not_reached_has_no_effect() {
    let output = run(&["solve", "--run-limit", "10h", "--fields", "moves"], "1 2 3 4 5 6 7 8 0\n");
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), "{\"moves\":0}\n".into()));
    assert!(stderr(&output).starts_with("1 record: 1 solved"), "{}", stderr(&output));
}

/// If a folder contains the results of an earlier run, the next run over the folder solves the same
/// boards.
#[test]
fn results_in_a_folder_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(named("boards.txt"), "1 2 3 4 5 6 7 0 8\n").unwrap();
    let boards_folder = folder.path().to_str().unwrap().to_string();
    for name in ["one.jsonl", "two.jsonl", "three.jsonl"] {
        let output = run(&["solve", "--boards", "-o", &named(name), &boards_folder], "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(named(name)).unwrap().lines().count(), 1);
    }
    let last = stderr(&run(&["solve", &boards_folder], ""));
    let names = ["one", "three", "two"].map(|name| named(&format!("{name}.jsonl"))).join(", ");
    assert!(last.ends_with(&format!("\nskipped 3 files in folders (results of a run): {names}\n")), "{last}");
}

/// A file in an input folder is not overwritten, even with `--force`, unless it holds results.
#[test]
fn boards_in_a_folder_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let boards_folder = folder.path().to_str().unwrap();
    for name in ["a.txt", "b.txt"] {
        std::fs::write(named(name), "1 2 3 4 5 6 7 0 8\n").unwrap();
    }
    for command in [["solve", "--force"], ["solve", "--resume"]] {
        let output = run(&[&command[..], &["-o", &named("b.txt"), boards_folder]].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert_eq!(std::fs::read_to_string(named("b.txt")).unwrap(), "1 2 3 4 5 6 7 0 8\n", "{command:?}");
    }
    assert_eq!(run(&["solve", "-o", &named("c.jsonl"), boards_folder], "").status.code(), Some(0));
    assert_eq!(run(&["solve", "--force", "-o", &named("c.jsonl"), boards_folder], "").status.code(), Some(0));
    for (command, is_recognised) in [(&["solve", "--to", "csv"][..], true), (&["solve", "--as", "poj1077"], false)] {
        let again = || run(&[command, &["--force", "-o", &named("d.txt"), boards_folder]].concat(), "");
        assert_eq!(again().status.code(), Some(0), "{command:?}");
        assert_eq!(again().status.code(), Some(if is_recognised { 0 } else { 2 }), "{command:?}");
        assert!(std::fs::metadata(named("d.txt")).is_ok_and(|file| file.len() > 0));
        std::fs::remove_file(named("d.txt")).unwrap();
    }
}

/// The first command of the project's README solves the boards of `inputs/`. That folder also has a
/// README, and no message about it is printed. Other files that are skipped are reported.
#[test]
fn a_readme_among_the_boards_is_skipped_silently() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["README.md", "poj1077.txt"] {
        std::fs::copy(project().join("inputs").join(name), folder.path().join(name)).unwrap();
    }
    let (boards_folder, results) = (folder.path().to_str().unwrap(), folder.path().join("results.jsonl"));
    let results = results.to_str().unwrap();
    let first = run(&["solve", "-o", results, boards_folder], "");
    assert_eq!(first.status.code(), Some(0));
    let message = stderr(&first);
    assert!(message.starts_with("1 record: 1 solved") && message.lines().count() == 1, "{message}");
    assert!(!message.contains("skipped"), "{message}");
    let second = stderr(&run(&["solve", boards_folder], ""));
    assert!(second.starts_with("1 record: 1 solved") && second.lines().count() == 2, "{second}");
    let skipped = format!("skipped 1 file in folders (results of a run): {results}\n");
    assert!(second.ends_with(&format!("\n{skipped}")), "{second}");
    assert!(stderr(&run(&["check", boards_folder], "")).contains(&skipped));
    assert_eq!(stderr(&run(&["check", "--quiet", boards_folder], "")), "");
}
