//! A run that is killed while it searches a board resumes that search from its last saved snapshot.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::common::{self, stderr};

/// One of Korf's hundred 15-puzzles (1985), which takes millions of nodes with 5-5-5 tables.
const BOARD: &str = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4\n";

/// Returns the command of a resumable run on the board, which saves snapshots as often as possible.
fn resumable(folder: &Path, threads: &str) -> std::process::Command {
    let mut command = common::taquin();
    command.args(["solve", "--resume", "--checkpoint-every", "1ms", "--heuristic", "5-5-5", "--goal", "blank-first"]);
    command.args(["--fields", "moves,path,nodes,iterations", "-j", threads, "-o"]);
    command.arg(folder.join("results")).arg(folder.join("boards.txt"));
    command
}

/// Returns the snapshots that a run has saved, if there are any.
fn saved_snapshots(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("results.taquin.searches")).ok()
}

/// Runs until a snapshot other than `last` is saved, then kills the run. Returns the snapshot, or
/// `None` if the run ended first.
fn kill_during_search(folder: &Path, threads: &str, last: Option<&str>) -> Option<String> {
    let mut child = resumable(folder, threads).stderr(Stdio::null()).spawn().unwrap();
    let mut snapshot = None;
    while snapshot.is_none() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
        snapshot = saved_snapshots(folder).filter(|snapshot| Some(&**snapshot) != last);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    snapshot
}

#[test]
fn a_killed_search_resumes_from_its_snapshot() {
    let mut expected = None;
    for threads in ["1", "2"] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("boards.txt"), BOARD).unwrap();
        let run_to_end = || {
            let output = resumable(folder, threads).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            assert_eq!(saved_snapshots(folder), None, "snapshots are removed at the end");
            fs::read_to_string(folder.join("results")).unwrap()
        };
        let start_over = || {
            for file in ["results", "results.taquin"] {
                fs::remove_file(folder.join(file)).unwrap();
            }
        };
        let uninterrupted = run_to_end();
        assert!(uninterrupted.starts_with("{\"moves\":65,"), "{uninterrupted}");
        assert_eq!(*expected.get_or_insert(uninterrupted.clone()), uninterrupted);
        start_over();
        let (mut last, mut kills) = (None, 0);
        while kills < 4
            && let Some(snapshot) = kill_during_search(folder, threads, last.as_deref())
        {
            (last, kills) = (Some(snapshot), kills + 1);
        }
        assert!(kills >= 1, "{kills} kills");
        assert_eq!(run_to_end(), uninterrupted, "{threads} threads");
        // If a snapshot is damaged, only the work that it saved is lost.
        start_over();
        let snapshot = kill_during_search(folder, threads, None).unwrap();
        let damaged = snapshot.replacen("\"bound\":", "\"bound\":1", 1);
        fs::write(folder.join("results.taquin.searches"), damaged).unwrap();
        assert_eq!(run_to_end(), uninterrupted, "{threads} threads");
    }
}
