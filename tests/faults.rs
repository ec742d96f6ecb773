//! Runs that are killed, that cannot write, that are interrupted: nothing is lost, and nothing is
//! silently wrong. Files that are damaged between runs are refused.
//!
//! Faults are put in by the system's own means: signals, file size limits, and – where `strace` is
//! there and allowed, else that is said – by letting the n-th system call fail or kill. A few rounds of
//! each here; `scripts/soak` sets `TAQUIN_ROUNDS` for more.

#![cfg(unix)]

mod common;

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use common::{Random, run, stderr};
use taquin::resume::Checkpoint;

/// Mixed inputs, what comes of them, and a file for results.
struct Case {
    folder: tempfile::TempDir,
    inputs: Vec<String>,
    expected: Vec<u8>,
    unordered: bool,
}

impl Case {
    fn new(size: usize, unordered: bool) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let inputs = common::mixed::write(folder.path(), size);
        let inputs = inputs.iter().map(|path| path.to_str().unwrap().to_string()).collect();
        let mut case = Case { folder, inputs, expected: Vec::new(), unordered };
        let output = case.command(&["-j", "2", "-o", &case.named("undisturbed")]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "an input is missing: {}", stderr(&output));
        case.expected = std::fs::read(case.path("undisturbed")).unwrap();
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn named(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_string()
    }

    /// The program on the inputs, behind the words of another command.
    fn behind(&self, before: &[String], options: &[&str]) -> Command {
        let words: Vec<&str> = before.iter().map(String::as_str).chain([env!("CARGO_BIN_EXE_taquin")]).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(["solve", "--quiet", "--node-limit", "1000000"]).args(options);
        command.args(&self.inputs).args(self.unordered.then_some("--unordered"));
        command.current_dir(common::project()).stdin(Stdio::null());
        command
    }

    fn command(&self, options: &[&str]) -> Command {
        self.behind(&[], options)
    }

    /// The command of a run that can be resumed, with as many checkpoints as there can be.
    fn resumed(&self, before: &[String], threads: &str) -> Command {
        let results = self.named("results");
        self.behind(before, &["--resume", "--checkpoint-every", "0.001ms", "-j", threads, "-o", &results])
    }

    /// Resumes until the end, and holds the results against those of the undisturbed run.
    fn complete(&self, threads: &str, what: &str) {
        let output = self.resumed(&[], threads).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{what}: {}", stderr(&output));
        assert!(stderr(&output).contains("missing.txt"), "{what}: {}", stderr(&output));
        let found = std::fs::read(self.path("results")).unwrap();
        let same = match self.unordered {
            false => found == self.expected,
            true => lines(&found) == lines(&self.expected),
        };
        assert!(same, "{what}: the results are others");
        self.clean();
    }

    fn clean(&self) {
        for name in ["results", "results.taquin", "results.taquin.new"] {
            let _ = std::fs::remove_file(self.path(name));
        }
    }

    /// Everything in the folder.
    fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.filter(|path| path.is_file());
        files.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect()
    }

    /// Runs a command that has to be refused and to change nothing; gives back why.
    fn refused(&self, command: &mut Command) -> String {
        let before = self.contents();
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}: {}", stderr(&output));
        assert!(self.contents() == before, "{command:?} changed something: {}", stderr(&output));
        stderr(&output)
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    lines.sort();
    lines
}

/// How many rounds of a disturbance: few, or as many as `scripts/soak` asks for.
fn rounds(few: usize) -> usize {
    std::env::var("TAQUIN_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

/// A tracer that puts faults into system calls on these files, where there is one that may.
fn strace(inject: &str, paths: &[String]) -> Option<Vec<String>> {
    static WORKS: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    let works = || {
        let probe = ["-f", "-o", "/dev/null", "-e", "inject=write:error=EIO:when=9999", "true"];
        let works = Command::new("strace").args(probe).output().is_ok_and(|output| output.status.success());
        if !works {
            eprintln!("SKIPPED: no strace that may trace, so no faults in system calls");
        }
        works
    };
    WORKS.get_or_init(works).then(|| {
        let call = inject.split(':').next().unwrap();
        let mut words: Vec<String> = ["strace", "-f", "-qq", "-o", "/dev/null"].map(String::from).into();
        words.extend(["-e".to_string(), format!("trace={call}"), "-e".to_string(), format!("inject={inject}")]);
        words.extend(paths.iter().flat_map(|path| ["-P".to_string(), path.clone()]));
        words
    })
}

#[test]
fn results_are_never_overwritten_silently() {
    let case = Case::new(50, false);
    let results = case.named("results");
    std::fs::write(&results, "").unwrap();
    assert_eq!(case.command(&["-o", &results]).status().unwrap().code(), Some(2));
    assert!(std::fs::read(&results).unwrap() == case.expected, "an empty file holds no results");
    let told = case.refused(&mut case.command(&["-o", &results]));
    assert!(told.contains("--force") && told.contains("--resume"), "{told}");
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

#[test]
fn what_cannot_be_resumed_is_refused_and_nothing_touched() {
    let case = Case::new(50, false);
    let results = case.named("results");
    let refused = |options: &[&str], told_as: &str| {
        let told = case.refused(&mut case.command(options));
        assert!(told.contains(told_as), "{options:?}: {told}");
    };
    refused(&["--resume"], "--output");
    refused(&["--resume", "-o", "/dev/null"], "not a file");
    let before = case.contents();
    let output = run(&["solve", "--quiet", "--resume", "-o", &results], "1 2 3 4 5 6 7 0 8\n");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("standard input"), "{}", stderr(&output));
    let pipe = case.named("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    refused(&["--resume", "-o", &results, &pipe], "not a file");
    assert!(case.contents() == before, "nothing is left behind");

    std::fs::write(&results, "precious").unwrap();
    refused(&["--resume", "-o", &results], "no checkpoint");
    std::fs::remove_file(&results).unwrap();

    // A run that ended; again, it ends at once with the same status, and another is refused.
    case.resumed(&[], "2").status().unwrap();
    let finished = case.contents();
    assert_eq!(case.resumed(&[], "1").status().unwrap().code(), Some(2));
    assert!(case.contents() == finished);
    for (other, name) in [
        (&["--format", "line"][..], "--format: 'auto', and it is 'line'"),
        (&["--goal", "snail"], "--goal"),
        (&["--shape", "3x3"], "--shape"),
        (&["--override"], "--override"),
        (&["--max-line", "1000"], "--max-line"),
        (&["--fields", "status"], "--fields"),
        (&["--detail"], "--fields"),
        (&["--unordered"], "--unordered"),
        (&["--engine", "astar"], "--engine"),
        (&["--heuristic", "6-6-3"], "--heuristic"),
        (&["--memory", "1G"], "--memory"),
        (&["--time-limit", "9s"], "--time-limit"),
        (&["inputs/korf.txt"], "over 7 inputs, and there are 8"),
    ] {
        refused(&[&["--resume", "-o", &results], other].concat(), name);
    }
    // An input of another size, and one with other bytes.
    let input = case.path("a.txt");
    let bytes = std::fs::read(&input).unwrap();
    std::fs::write(&input, [&bytes[..], b"1 2 3 4 5 6 7 8 0\n"].concat()).unwrap();
    refused(&["--resume", "-o", &results], "sizes");
    let mut swapped = bytes.clone();
    swapped.swap(0, 2);
    std::fs::write(&input, swapped).unwrap();
    refused(&["--resume", "-o", &results], "changed");
    std::fs::write(&input, bytes).unwrap();
    // The output is gone.
    std::fs::remove_file(&results).unwrap();
    refused(&["--resume", "-o", &results], "is gone");
    // All this is what --force is for.
    assert_eq!(case.command(&["--resume", "--force", "-o", &results]).status().unwrap().code(), Some(2));
    assert!(case.contents() == finished);
}

#[test]
fn damage_between_runs_is_refused_or_cut_off() {
    let case = Case::new(50, false);
    case.resumed(&[], "2").status().unwrap();
    let (results, checkpoint) = (case.path("results"), case.path("results.taquin"));
    let (whole, kept) = (std::fs::read(&results).unwrap(), std::fs::read(&checkpoint).unwrap());
    let mut random = Random(31);
    let refused = |what: &str| {
        let told = case.refused(&mut case.resumed(&[], "1"));
        assert!(told.contains("--force"), "{what}: {told}");
    };
    // Every byte of the checkpoint is tried in the library's own tests.
    for _ in 0..rounds(10) {
        let (mut damaged, at) = (kept.clone(), random.below(kept.len()));
        damaged[at] ^= 1 << random.below(8);
        std::fs::write(&checkpoint, damaged).unwrap();
        refused(&format!("checkpoint, byte {at}"));
        std::fs::write(&checkpoint, &kept[..at]).unwrap();
        refused(&format!("checkpoint, cut to {at}"));
    }
    std::fs::write(&checkpoint, &kept).unwrap();
    for round in 0..rounds(10) {
        let (mut damaged, at) = (whole.clone(), random.below(whole.len()));
        damaged[at] ^= 1 << random.below(8);
        std::fs::write(&results, damaged).unwrap();
        refused(&format!("results, byte {at}"));
        if round % 10 == 0 {
            std::fs::write(&results, &whole[..at]).unwrap();
            refused(&format!("results, cut to {at}"));
        }
    }
    // What is behind the checkpoint was never promised: it is cut off.
    std::fs::write(&results, [&whole[..], b"{\"index\":"].concat()).unwrap();
    case.complete("2", "a torn tail");
}

#[test]
fn two_runs_never_write_to_one_file() {
    let case = Case::new(50, false);
    let results = case.named("results");
    let held = std::fs::File::create(&results).unwrap();
    held.lock().unwrap();
    for options in [&["-o", &results][..], &["-o", &results, "--force"], &["-o", &results, "--resume"]] {
        let told = case.refused(&mut case.command(options));
        assert!(told.contains("another run is writing"), "{told}");
    }
    drop(held);
    // The program itself holds it as long as it runs: here until it is stopped, with a board of 24 tiles.
    let hard = case.named("hard.txt");
    std::fs::write(&hard, HARD).unwrap();
    let mut child = common::taquin().args(["solve", "--quiet", "-j", "1", &hard, "-o", &results]).spawn().unwrap();
    let file = std::fs::File::open(&results).unwrap();
    while file.try_lock().is_ok() {
        file.unlock().unwrap();
        std::thread::yield_now();
    }
    let told = case.refused(&mut case.command(&["-o", &results, "--force"]));
    assert!(told.contains("another run is writing"), "{told}");
    child.kill().unwrap();
    child.wait().unwrap();
    // A lock dies with who held it.
    file.lock().unwrap();
}

/// A random 24-puzzle, which is far beyond any patience.
const HARD: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13\n";

/// Whether a process has a handler for a signal.
#[cfg(target_os = "linux")]
fn handles(process: u32, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

/// Searches under way are abandoned; all that is finished is there, and the checkpoint knows of it.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_a_run_that_can_be_resumed() {
    for (signal, number, unordered) in [("INT", 2, false), ("TERM", 15, true)] {
        let case = Case::new(50, unordered);
        let (boards, results) = (case.named("boards.txt"), case.path("results"));
        let easy = "1 2 3 4 5 6 7 0 8\n".repeat(500);
        std::fs::write(&boards, easy.clone() + HARD + if unordered { &easy } else { "" }).unwrap();
        // In order, what shares its chunk with the hard board waits for it.
        let enough = if unordered { 1000 } else { 100 };
        let mut before = 0;
        for _ in 0..2 {
            let order = unordered.then_some("--unordered");
            let mut command = common::taquin();
            command.args(["solve", "-j", "2", "--format", "line", "--resume", "-o"]).args([&results]);
            let child = command.arg(&boards).args(order).stderr(Stdio::piped()).spawn().unwrap();
            let written = || std::fs::read(&results).map_or(0, |bytes| lines(&bytes).len());
            while written() < enough || !handles(child.id(), number) {
                std::thread::yield_now();
            }
            assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(128 + number as i32), "{}", stderr(&output));
            assert!(stderr(&output).contains("the same command goes on"), "{}", stderr(&output));
            assert_eq!(stderr(&output).contains("going on behind"), before > 0, "{}", stderr(&output));
            let progress = Checkpoint::decode(&std::fs::read(case.path("results.taquin")).unwrap()).unwrap().progress;
            let promised = std::fs::read(&results).unwrap()[..progress.bytes as usize].to_vec();
            assert_eq!(lines(&promised).len() as u64, progress.counts.records());
            assert!(progress.counts.records() >= before, "what was promised is kept");
            assert!(!unordered || progress.counts.records() == 1000, "{progress:?}");
            assert!(written() <= 1000);
            before = progress.counts.records();
        }
        assert!(before >= 100);
    }
}

#[test]
fn killed_at_any_moment_a_run_is_completed_by_the_next() {
    for (unordered, threads) in [(false, "1"), (false, "2"), (true, "2")] {
        let case = Case::new(1000, unordered);
        let mut random = Random(41);
        for round in 0..rounds(4) {
            // Twice: the run that goes on is killed, too.
            for _ in 0..2 {
                let mut child = case.resumed(&[], threads).stderr(Stdio::null()).spawn().unwrap();
                let enough = random.below(case.expected.len()) as u64;
                let length = || std::fs::metadata(case.path("results")).map_or(0, |file| file.len());
                while length() < enough && child.try_wait().unwrap().is_none() {
                    std::thread::yield_now();
                }
                child.kill().unwrap();
                child.wait().unwrap();
            }
            case.complete(threads, &format!("round {round}, {threads} threads, unordered: {unordered}"));
        }
    }
}

#[test]
fn killed_at_its_nth_call_a_run_is_completed_by_the_next() {
    let mut random = Random(43);
    for (unordered, threads) in [(false, "1"), (true, "2")] {
        let case = Case::new(400, unordered);
        let paths = ["results", "results.taquin.new", "results.taquin"].map(|name| case.named(name));
        for round in 0..rounds(4) {
            for _ in 0..2 {
                let call = ["write", "fdatasync", "fsync", "rename"][if round % 2 == 0 { 0 } else { random.below(4) }];
                let inject = format!("{call}:signal=KILL:when={}", 1 + random.below(12));
                let Some(tracer) = strace(&inject, &paths) else { return };
                case.resumed(&tracer, threads).stderr(Stdio::null()).status().unwrap();
            }
            case.complete(threads, &format!("round {round}, {threads} threads, unordered: {unordered}"));
        }
    }
}

/// Each write, fsync and rename fails in turn, until there is none left to fail.
#[test]
fn every_call_that_fails_is_told_and_the_run_completed_by_the_next() {
    let case = Case::new(100, false);
    let paths = ["results", "results.taquin.new", "results.taquin"].map(|name| case.named(name));
    for (call, error, remedy) in [
        ("write", "ENOSPC", "make room"),
        ("write", "EIO", "check the device"),
        ("fdatasync", "EIO", "check the device"),
        ("fsync", "ENOSPC", "make room"),
        ("rename", "EACCES", "writable"),
    ] {
        let mut failed = 0;
        for n in 1..=rounds(3) {
            let inject = format!("{call}:error={error}:when={n}");
            let Some(tracer) = strace(&inject, &paths) else { return };
            let output = case.resumed(&tracer, "1").output().unwrap();
            let told = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{inject}: {told}");
            // Otherwise there was no n-th call, and the run came to its end.
            let was_disturbed = told.contains("cannot write") || told.contains("cannot keep a checkpoint");
            assert!(!was_disturbed || told.contains(remedy) || told.contains("cannot keep"), "{inject}: {told}");
            failed += usize::from(was_disturbed);
            if let Ok(written) = std::fs::read(case.path("results")) {
                assert!(written.is_empty() || written.ends_with(b"\n"), "{inject}: a torn line");
                assert!(case.expected.starts_with(&written), "{inject}");
            }
            case.complete("1", &inject);
        }
        assert!(failed > 0, "no {call} ever failed");
    }
    // A signal in the middle of a call is no error.
    for n in 1..=3 {
        let Some(tracer) = strace(&format!("write:error=EINTR:when={n}"), &paths) else { return };
        let output = case.resumed(&tracer, "1").output().unwrap();
        assert!(!stderr(&output).contains("cannot write"), "{}", stderr(&output));
        case.complete("1", "EINTR");
    }
}

/// A limit on the size of files: a real short write, and behind it the error.
#[test]
fn a_full_disk_is_told_and_every_line_before_it_is_whole() {
    let case = Case::new(2000, false);
    let results = case.named("results");
    let limited = |blocks: usize, options: &[&str]| -> Output {
        let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let before = ["sh", "-c", &limit, "sh"].map(String::from);
        case.behind(&before, options).output().unwrap()
    };
    for blocks in [8, 60, 333] {
        for options in [&["-j", "2", "-o", &results][..], &["-j", "2", "-o", &results, "--resume"]] {
            let output = limited(blocks, options);
            let told = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{told}");
            let next = if options.contains(&"--resume") { "--resume" } else { "--force" };
            assert!(told.contains("make room") && told.contains(next), "{told}");
            let written = std::fs::read(&results).unwrap();
            assert!(written.ends_with(b"\n") && case.expected.starts_with(&written), "a torn line");
            assert!(written.len() > blocks * 256, "what there was room for is written");
            if options.contains(&"--resume") {
                let output = case.command(&["-j", "2", "-o", &results, "--resume"]).output().unwrap();
                assert!(std::fs::read(&results).unwrap() == case.expected, "{}", stderr(&output));
            }
            case.clean();
        }
    }
}

#[test]
fn a_folder_that_vanishes_is_told() {
    let case = Case::new(50, false);
    let (folder, boards) = (case.path("folder"), case.named("boards.txt"));
    for resume in [None, Some("--resume")] {
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&boards, "1 2 3 4 5 6 7 0 8\n".repeat(500) + HARD).unwrap();
        let results = folder.join("results");
        let mut command = common::taquin();
        command.args(["solve", "--quiet", "-j", "1", "--format", "line", &boards]).args(resume).arg("-o").arg(&results);
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        // Results are only written once signals are heard.
        while std::fs::read(&results).map_or(0, |bytes| bytes.len()) == 0 {
            std::thread::yield_now();
        }
        remove(&folder);
        assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("put the file and its folder back"), "{}", stderr(&output));
    }
}

/// Removes a folder in which files may still be made.
fn remove(folder: &Path) {
    while folder.exists() {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// The first checkpoint is there before the first result.
#[test]
fn killed_at_its_first_result_a_run_can_be_resumed() {
    let case = Case::new(50, false);
    let Some(tracer) = strace("write:signal=KILL:when=1", &[case.named("results")]) else { return };
    let output = case.resumed(&tracer, "1").output().unwrap();
    assert!(output.status.signal() == Some(9) || output.status.code() == Some(137), "{:?}", output.status);
    case.complete("1", "killed before its first result");
}
