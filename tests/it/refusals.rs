//! Runs that are rejected, and change nothing: results that would be overwritten, runs that cannot
//! resume, files that were damaged between two runs, and two runs that write to one file.

#![cfg(unix)]

use std::process::Command;

use crate::common::{
    self,
    interrupted::{Case, HARD, times},
};
use crate::common::{Random, run, stderr};

#[test]
fn results_are_never_overwritten_silently() {
    let case = Case::new(50, false);
    let results = case.named("results");
    std::fs::write(&results, "").unwrap();
    assert_eq!(case.command(&["-o", &results]).status().unwrap().code(), Some(Case::STATUS));
    assert!(std::fs::read(&results).unwrap() == case.expected, "an empty file may be overwritten");
    let message = case.refused(&mut case.command(&["-o", &results]));
    assert!(message.contains("--force") && message.contains("--resume"), "{message}");
    std::fs::write(&results, "precious").unwrap();
    case.command(&["-o", &results, "--force"]).status().unwrap();
    assert!(std::fs::read(&results).unwrap() == case.expected);
    for special in ["/dev/null", "/dev/stdout"] {
        for _ in 0..2 {
            let output = run(&["solve", "--quiet", "-o", special], "1 2 3 4 5 6 7 0 8\n");
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        }
    }
}

/// Results named without a folder, and their checkpoint, are in the working directory.
#[test]
fn results_may_be_in_the_working_directory() {
    let case = Case::new(50, false);
    let mut command = case.command(&["--resume", "-o", "results"]);
    let output = command.current_dir(case.folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(Case::STATUS), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("missing.txt") && !stderr(&output).contains("cannot write"),
        "{}",
        stderr(&output)
    );
    assert!(case.path("results.taquin").exists() && std::fs::read(case.path("results")).unwrap() == case.expected);
}

#[test]
fn runs_that_cannot_resume_change_nothing() {
    let case = Case::new(50, false);
    let results = case.named("results");
    let refused = |options: &[&str], expected: &str| {
        let message = case.refused(&mut case.command(options));
        assert!(message.contains(expected), "{options:?}: {message}");
    };
    refused(&["--resume"], "--output");
    refused(&["--resume", "-o", "/dev/null"], "not a file");
    let before = case.contents();
    let output = run(&["solve", "--quiet", "--resume", "-o", &results], "1 2 3 4 5 6 7 0 8\n");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("standard input"), "{}", stderr(&output));
    let pipe = case.named("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    refused(&["--resume", "-o", &results, &pipe], "not a file");
    assert!(case.contents() == before, "files were left over");

    std::fs::write(&results, "precious").unwrap();
    refused(&["--resume", "-o", &results], "without a checkpoint");
    std::fs::remove_file(&results).unwrap();

    // A finished run that is repeated ends at once, with the same status. With other options it is
    // rejected.
    case.resumable(&[], "2").status().unwrap();
    let finished = case.contents();
    assert_eq!(case.resumable(&[], "1").status().unwrap().code(), Some(Case::STATUS));
    assert!(case.contents() == finished);
    for (other, name) in [
        (&["--format", "line"][..], "--format: 'auto', but it is now 'line'"),
        (&["--goal", "snail"], "--goal"),
        (&["--shape", "3x3"], "--shape"),
        (&["--fields", "status"], "--fields"),
        (&["--detail"], "--fields"),
        (&["--unordered"], "--unordered"),
        (&["--engine", "astar"], "--engine"),
        (&["--heuristic", "6-6-3"], "--heuristic"),
        (&["--memory", "1G"], "--memory"),
        (&["--time-limit", "9s"], "--time-limit: 'none', but it is now '9s'"),
        (&["--notation", "udlr"], "--notation: 'UDLR', but it is now 'udlr'"),
        (&["--all"], "--all"),
        (&["--path-of", "tile"], "--path-of: 'blank', but it is now 'tile'"),
        (&["inputs/korf.txt"], "with 7 inputs, but there are now 8"),
    ] {
        refused(&[&["--resume", "-o", &results], other].concat(), name);
    }
    // First the size of an input changes, then only its bytes.
    let input = case.path("a.txt");
    let bytes = std::fs::read(&input).unwrap();
    std::fs::write(&input, [&bytes[..], b"1 2 3 4 5 6 7 8 0\n"].concat()).unwrap();
    refused(&["--resume", "-o", &results], "sizes");
    let mut swapped = bytes.clone();
    swapped.swap(0, 2);
    std::fs::write(&input, swapped).unwrap();
    refused(&["--resume", "-o", &results], "changed");
    std::fs::write(&input, bytes).unwrap();
    // The output is missing.
    std::fs::remove_file(&results).unwrap();
    refused(&["--resume", "-o", &results], "is missing");
    // `--force` overrides all of this.
    assert_eq!(case.command(&["--resume", "--force", "-o", &results]).status().unwrap().code(), Some(Case::STATUS));
    assert!(case.contents() == finished);
}

#[test]
fn damage_between_runs_is_rejected_or_truncated() {
    let case = Case::new(50, false);
    case.resumable(&[], "2").status().unwrap();
    let (results, checkpoint) = (case.path("results"), case.path("results.taquin"));
    let (whole, saved) = (std::fs::read(&results).unwrap(), std::fs::read(&checkpoint).unwrap());
    let mut random = Random::new(31);
    let refused = |what: &str| {
        let message = case.refused(&mut case.resumable(&[], "1"));
        assert!(message.contains("--force"), "{what}: {message}");
    };
    // The suite changes about ten bytes, the soak test every byte. Unit tests try all values of
    // each byte.
    let bytes = (0..saved.len()).step_by(times(saved.len() / 10, 1));
    let tried = bytes.clone().count();
    for at in bytes {
        let mut damaged = saved.clone();
        damaged[at] ^= 1 << random.index(8);
        std::fs::write(&checkpoint, damaged).unwrap();
        refused(&format!("checkpoint, byte {at}"));
        std::fs::write(&checkpoint, &saved[..at]).unwrap();
        refused(&format!("checkpoint, cut to {at}"));
    }
    eprintln!("checkpoints with a changed byte: {tried} of {tried} refused; truncated there: {tried} of {tried}");
    std::fs::write(&checkpoint, &saved).unwrap();
    for _ in 0..times(10, 1000) {
        let (mut damaged, at) = (whole.clone(), random.index(whole.len()));
        damaged[at] ^= 1 << random.index(8);
        std::fs::write(&results, damaged).unwrap();
        refused(&format!("results, byte {at}"));
    }
    for _ in 0..times(3, 100) {
        let at = random.index(whole.len());
        std::fs::write(&results, &whole[..at]).unwrap();
        refused(&format!("results, cut to {at}"));
    }
    eprintln!("outputs with a changed bit: {0} of {0} refused; cut: {1} of {1}", times(10, 1000), times(3, 100));
    // Results after the last checkpoint may be incomplete, so they are truncated.
    std::fs::write(&results, [&whole[..], b"{\"index\":"].concat()).unwrap();
    case.complete("2", "a torn tail");
}

#[test]
fn two_runs_never_write_to_one_file() {
    let case = Case::new(50, false);
    let results = case.named("results");
    let lock = std::fs::File::create(&results).unwrap();
    lock.lock().unwrap();
    for options in [&["-o", &results][..], &["-o", &results, "--force"], &["-o", &results, "--resume"]] {
        let message = case.refused(&mut case.command(options));
        assert!(message.contains("another run is writing"), "{message}");
    }
    drop(lock);
    // The program holds the lock while it searches a 24-puzzle, until it is killed.
    let hard = case.named("hard.txt");
    std::fs::write(&hard, HARD).unwrap();
    let start = || common::taquin().args(["solve", "--quiet", "-j", "1", &hard, "-o", &results]).spawn().unwrap();
    let mut child = start();
    let file = std::fs::File::open(&results).unwrap();
    while file.try_lock().is_ok() {
        file.unlock().unwrap();
        // This loop holds the lock for a moment, in which the run may be rejected. If so, start
        // another.
        if child.try_wait().unwrap().is_some() {
            child = start();
        }
        std::thread::yield_now();
    }
    let message = case.refused(&mut case.command(&["-o", &results, "--force"]));
    assert!(message.contains("another run is writing"), "{message}");
    child.kill().unwrap();
    child.wait().unwrap();
    // A lock is released when its holder ends.
    file.lock().unwrap();
}
