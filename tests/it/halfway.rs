//! Runs that are killed during the search of one board resume within that search.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use crate::common::{self, stderr};

/// One of Korf's hundred that takes this search millions of nodes.
const BOARD: &str = "15 2 12 11 14 13 9 5 1 3 8 7 0 10 6 4\n";

/// Returns a run on the board that saves search snapshots as soon as possible.
fn resumed(folder: &Path, threads: &str) -> std::process::Command {
    let mut command = common::taquin();
    command.args(["solve", "--resume", "--checkpoint-every", "1ms", "--heuristic", "5-5-5", "--goal", "blank-first"]);
    command.args(["--fields", "moves,path,nodes,iterations", "-j", threads, "-o"]);
    command.arg(folder.join("results")).arg(folder.join("boards.txt"));
    command
}

fn searches(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("results.taquin.searches")).ok()
}

/// Lets a run search until it has saved a snapshot other than `last`, and kills it. Returns the
/// snapshot, or `None` if the run ended first.
fn killed_halfway(folder: &Path, threads: &str, last: Option<&str>) -> Option<String> {
    let mut child = resumed(folder, threads).stderr(Stdio::null()).spawn().unwrap();
    let mut place = None;
    while place.is_none() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
        place = searches(folder).filter(|place| Some(&**place) != last);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    place
}

#[test]
fn a_search_that_is_killed_goes_on_where_it_stood() {
    let mut expected = None;
    for threads in ["1", "2"] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("boards.txt"), BOARD).unwrap();
        let whole = || {
            let output = resumed(folder, threads).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            assert_eq!(searches(folder), None, "nothing is left of a search that has ended");
            fs::read_to_string(folder.join("results")).unwrap()
        };
        let begin_anew = || {
            for file in ["results", "results.taquin"] {
                fs::remove_file(folder.join(file)).unwrap();
            }
        };
        let undisturbed = whole();
        assert!(undisturbed.starts_with("{\"moves\":65,"), "{undisturbed}");
        assert_eq!(*expected.get_or_insert(undisturbed.clone()), undisturbed);
        begin_anew();
        let (mut last, mut kills) = (None, 0);
        while kills < 4
            && let Some(place) = killed_halfway(folder, threads, last.as_deref())
        {
            (last, kills) = (Some(place), kills + 1);
        }
        assert!(kills >= 1, "{kills} kills");
        assert_eq!(whole(), undisturbed, "{threads} threads");
        // Damage only costs work.
        begin_anew();
        let place = killed_halfway(folder, threads, None).unwrap();
        let damaged = place.replacen("\"bound\":", "\"bound\":1", 1);
        fs::write(folder.join("results.taquin.searches"), damaged).unwrap();
        assert_eq!(whole(), undisturbed, "{threads} threads");
    }
}
