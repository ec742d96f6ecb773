//! Runs that are killed, cannot write, or are interrupted: nothing is lost, and nothing is silently
//! wrong.
//!
//! Faults are injected by signals, by limits on file sizes, and by `strace`, which makes the n-th
//! system call fail or kills the run at that call. If `strace` is missing or not permitted, the
//! tests that need it report that they were skipped. The suite runs a few rounds, `scripts/soak`
//! hundreds.

#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{
    self,
    interrupted::{Case, HARD, Tracer, sorted_lines, times},
};
use crate::common::{Random, stderr};
use taquin::internal::batch::resume::Checkpoint;

/// Returns true if a process has a handler for a signal.
#[cfg(target_os = "linux")]
fn handles(process: u32, signal: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
    u64::from_str_radix(caught.trim(), 16).unwrap() >> (signal - 1) & 1 == 1
}

/// An interrupt ends active searches. All results that the checkpoint counts are in the output, and
/// a second interrupt loses none of them.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_a_run_that_can_be_resumed() {
    for (signal, number, unordered) in [("INT", 2, false), ("TERM", 15, true)] {
        let case = Case::new(50, unordered);
        let (boards, results) = (case.named("boards.txt"), case.path("results"));
        let easy = "1 2 3 4 5 6 7 0 8\n".repeat(500);
        std::fs::write(&boards, easy.clone() + HARD + if unordered { &easy } else { "" }).unwrap();
        // In an ordered run, the results in the chunk of the hard board wait for that board.
        let enough = if unordered { 1000 } else { 100 };
        let mut before = 0;
        for _ in 0..2 {
            let order = unordered.then_some("--unordered");
            let mut command = common::taquin();
            command.args(["solve", "-j", "2", "--format", "line", "--resume", "-o"]).args([&results]);
            let child = command.arg(&boards).args(order).stderr(Stdio::piped()).spawn().unwrap();
            let written = || std::fs::read(&results).map_or(0, |bytes| sorted_lines(&bytes).len());
            while written() < enough || !handles(child.id(), number) {
                std::thread::yield_now();
            }
            assert!(Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap().success());
            let output = child.wait_with_output().unwrap();
            assert_eq!(output.status.code(), Some(128 + number as i32), "{}", stderr(&output));
            assert!(stderr(&output).contains("run the same command again"), "{}", stderr(&output));
            assert_eq!(stderr(&output).contains("resuming after"), before > 0, "{}", stderr(&output));
            let progress = Checkpoint::decode(&std::fs::read(case.path("results.taquin")).unwrap()).unwrap().progress;
            let promised = std::fs::read(&results).unwrap()[..progress.bytes as usize].to_vec();
            assert_eq!(sorted_lines(&promised).len() as u64, progress.counts.records());
            assert!(progress.counts.records() >= before, "records in a checkpoint were lost");
            assert!(!unordered || progress.counts.records() == 1000, "{progress:?}");
            assert!(written() <= 1000);
            before = progress.counts.records();
        }
        assert!(before >= 100);
    }
}

/// After one signal, a run still waits until its results are read. A second signal ends the run at
/// once, and determines the exit status.
#[cfg(target_os = "linux")]
#[test]
fn a_second_signal_stops_at_once() {
    let case = Case::new(10, false);
    let boards = case.named("boards.txt");
    std::fs::write(&boards, "1 2 3 4 5 6 7 0 8\n".repeat(200_000)).unwrap();
    // If the first signal comes while the run is not writing, the run ends normally. This proves
    // nothing, so try again.
    for _ in 0..100 {
        let output = interrupted_twice(&boards);
        if stderr(&output).contains("records") {
            continue;
        }
        // If both signals are pending, the system may deliver either first.
        assert!(matches!(output.status.code(), Some(130 | 143)), "{:?} {}", output.status, stderr(&output));
        return;
    }
    panic!("no run was interrupted while it was writing");
}

/// Sends two signals to a run whose results are not read, and returns its output.
#[cfg(target_os = "linux")]
fn interrupted_twice(boards: &str) -> Output {
    use std::io::{BufRead, BufReader};
    let mut command = common::taquin();
    command.args(["solve", "-j", "1", boards]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut results = BufReader::new(child.stdout.take().unwrap());
    results.read_line(&mut String::new()).unwrap();
    // Wait until the pipe has little room left for the next chunk.
    while rustix::io::ioctl_fionread(results.get_ref()).unwrap() < 32 << 10 {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::yield_now();
    }
    let both = format!("kill -s INT {0} && kill -s TERM {0}", child.id());
    assert!(Command::new("sh").args(["-c", &both]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

/// The modes of a run: unordered or not, and the number of threads.
const MODES: [(bool, &str); 4] = [(false, "1"), (false, "2"), (true, "2"), (true, "3")];

#[test]
fn a_run_killed_at_any_moment_is_completed_by_the_next() {
    let mut completed = 0;
    for (unordered, threads) in MODES {
        let case = Case::new(1000, unordered);
        let mut random = Random::new(41);
        for round in 0..times(2, 50) {
            // The second time, the resumed run is killed.
            for _ in 0..2 {
                let mut child = case.resumable(&[], threads).stderr(Stdio::null()).spawn().unwrap();
                let enough = random.index(case.expected.len()) as u64;
                let length = || std::fs::metadata(case.path("results")).map_or(0, |file| file.len());
                while length() < enough && child.try_wait().unwrap().is_none() {
                    std::thread::yield_now();
                }
                child.kill().unwrap();
                child.wait().unwrap();
            }
            case.complete(threads, &format!("round {round}, {threads} threads, unordered: {unordered}"));
            completed += 1;
        }
    }
    eprintln!("killed at random and killed again: {completed} of {} completed to the same bytes", 4 * times(2, 50));
}

#[test]
fn a_run_killed_at_its_nth_call_is_completed_by_the_next() {
    const CALLS: [&str; 4] = ["write", "fdatasync", "fsync", "rename"];
    let (mut random, mut completed, mut killed) = (Random::new(43), 0, 0);
    for (unordered, threads) in MODES {
        let case = Case::new(400, unordered);
        let paths = case.written_files();
        let counts = CALLS.map(|call| {
            let tracer = Tracer::new(&case, call, &paths)?;
            case.resumable(&tracer.words, threads).stderr(Stdio::null()).status().unwrap();
            let calls = tracer.calls();
            case.clean();
            Some(calls)
        });
        for round in 0..times(2, 50) {
            for _ in 0..2 {
                let number = if round % 2 == 0 { 0 } else { random.index(4) };
                let (call, Some(calls)) = (CALLS[number], counts[number]) else { return };
                let inject = format!("{call}:signal=KILL:when={}", 1 + random.index(calls));
                let Some(tracer) = Tracer::new(&case, &inject, &paths) else { return };
                let status = case.resumable(&tracer.words, threads).stderr(Stdio::null()).status().unwrap();
                killed += usize::from(status.signal() == Some(9) || status.code() == Some(137));
            }
            case.complete(threads, &format!("round {round}, {threads} threads, unordered: {unordered}"));
            completed += 1;
        }
    }
    assert!(killed >= completed / 2, "{killed} kills in {completed} rounds");
    let rounds = 4 * times(2, 50);
    eprintln!("killed at the n-th call, {killed} times: {completed} of {rounds} completed to the same bytes");
}

/// In each run one system call fails: the first of its kind, then the second, and so on.
#[test]
fn failing_calls_are_reported_and_the_next_run_completes() {
    let case = Case::new(100, false);
    let paths = case.written_files();
    for (call, error) in [
        ("write", "ENOSPC"),
        ("write", "EIO"),
        ("fdatasync", "ENOSPC"),
        ("fdatasync", "EIO"),
        ("fsync", "ENOSPC"),
        ("fsync", "EIO"),
        ("rename", "EACCES"),
        ("rename", "ENOSPC"),
        ("rename", "EIO"),
        ("ftruncate", "EIO"),
        ("openat", "EMFILE"),
    ] {
        let mut failed = 0;
        for n in 1..=times(2, 1000) {
            let inject = format!("{call}:error={error}:when={n}");
            let Some(tracer) = Tracer::new(&case, &inject, &paths) else { return };
            let output = case.resumable(&tracer.words, "1").output().unwrap();
            let message = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{inject}: {message}");
            if !tracer.injected() {
                case.complete("1", &inject);
                break;
            }
            failed += 1;
            let faults = ["cannot write", "cannot keep a checkpoint", "cannot be read"];
            assert!(faults.iter().any(|fault| message.contains(fault)), "{inject}: {message}");
            if let Ok(written) = std::fs::read(case.path("results")) {
                assert!(written.is_empty() || written.ends_with(b"\n"), "{inject}: a torn line");
                assert!(case.expected.starts_with(&written), "{inject}");
            }
            case.complete("1", &inject);
        }
        assert!(failed > 0, "no {call} ever failed");
        eprintln!("{call} failing with {error}: reported and completed, {failed} of {failed}");
    }
    // If a signal interrupts a system call, the run repeats the call.
    for call in ["write", "fdatasync", "fsync", "openat", "ftruncate"] {
        let mut interrupted = 0;
        for n in 1..=times(2, 1000) {
            let Some(tracer) = Tracer::new(&case, &format!("{call}:error=EINTR:when={n}"), &paths) else { return };
            let output = case.resumable(&tracer.words, "1").output().unwrap();
            let found = std::fs::read(case.path("results")).unwrap();
            assert!(found == case.expected, "{call} {n}: {}", stderr(&output));
            let injected = tracer.injected();
            case.complete("1", "EINTR");
            if !injected {
                break;
            }
            interrupted += 1;
        }
        assert!(interrupted > 0, "no {call} was ever interrupted");
        eprintln!("{call} interrupted: same results, {interrupted} of {interrupted}");
    }
}

/// A limit on file sizes cuts a write short at a random byte; the next write fails.
#[test]
fn short_writes_leave_whole_lines_and_the_next_run_completes() {
    let case = Case::new(100, false);
    let mut random = Random::new(47);
    for round in 0..times(5, 200) {
        let limit = random.index(case.expected.len());
        let wrapper = ["prlimit", &format!("--fsize={limit}"), "sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh"];
        let Ok(output) = case.resumable(&wrapper.map(String::from), "2").output() else {
            return eprintln!("SKIPPED: there is no prlimit");
        };
        let message = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("too large") || message.contains("cannot keep a checkpoint"), "{limit}: {message}");
        let written = std::fs::read(case.path("results")).unwrap_or_default();
        assert!(written.is_empty() || written.ends_with(b"\n"), "{limit}: a torn line");
        assert!(case.expected.starts_with(&written), "{limit}");
        case.complete("2", &format!("round {round}, files of {limit} bytes"));
    }
    eprintln!("short writes: {0} of {0} completed to the same bytes", times(5, 200));
}

/// A limit on file sizes has the effects of a full disk: a short write, then an error.
#[test]
fn a_full_disk_is_reported_and_leaves_whole_lines() {
    let case = Case::new(2000, false);
    let results = case.named("results");
    let limited = |trap: &str, blocks: usize, options: &[&str]| -> Output {
        let limit = format!("{trap}ulimit -f {blocks}; exec \"$@\"");
        let wrapper = ["sh", "-c", &limit, "sh"].map(String::from);
        case.wrapped_by(&wrapper, options).output().unwrap()
    };
    // The limit also raises SIGXFSZ. The program ignores this signal, even if the shell that
    // started the program did not.
    for (trap, blocks) in [("trap '' XFSZ; ", 8), ("", 8), ("trap '' XFSZ; ", 60), ("", 333)] {
        for options in [&["-j", "2", "-o", &results][..], &["-j", "2", "-o", &results, "--resume"]] {
            let output = limited(trap, blocks, options);
            let message = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{message}");
            let next = if options.contains(&"--resume") { "the same command" } else { "--force" };
            assert!(message.contains("too large") && message.contains(next), "{message}");
            let written = std::fs::read(&results).unwrap();
            assert!(written.ends_with(b"\n") && case.expected.starts_with(&written), "a torn line");
            assert!(written.len() > blocks * 256, "results that fit are missing");
            if options.contains(&"--resume") {
                let output = case.command(&["-j", "2", "-o", &results, "--resume"]).output().unwrap();
                assert!(std::fs::read(&results).unwrap() == case.expected, "{}", stderr(&output));
            }
            case.clean();
        }
    }
}

/// Standard output may be redirected to a file, which may be opened for appending.
#[test]
fn a_full_disk_leaves_whole_lines_in_redirected_output() {
    let case = Case::new(2000, false);
    for (append, blocks) in [(false, 8), (true, 8), (true, 61)] {
        let path = case.named("redirected");
        fs::write(&path, "before\n").unwrap();
        let wrapper = ["sh", "-c", &format!("ulimit -f {blocks}; exec \"$@\""), "sh"].map(String::from);
        let mut command = case.wrapped_by(&wrapper, &["-j", "2"]);
        let file = fs::File::options().write(true).append(append).truncate(!append).open(&path).unwrap();
        let output =
            command.stdout(file).stderr(std::process::Stdio::piped()).spawn().unwrap().wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let written = fs::read(&path).unwrap();
        let added = written.strip_prefix(&b"before\n"[..usize::from(append) * 7]).unwrap();
        assert!(added.ends_with(b"\n") && case.expected.starts_with(added), "a torn line");
        assert!(written.len() > blocks * 256, "results that fit are missing");
    }
}

/// Incomplete files are not kept, whether a limit on file sizes or a signal ended the run.
#[test]
fn an_unfinished_generate_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("boards.txt");
    let names = || fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect::<Vec<_>>();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -f 8; exec \"$@\"", "sh", common::program(), "generate", "-n", "10000", "-o"]);
    let output = command.arg(&boards).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let message = stderr(&output);
    assert!(
        message.contains("cannot write") && message.contains("boards.txt") && names().is_empty(),
        "{message} {:?}",
        names()
    );
    // `timeout` and some shells send the signal twice, to the process and to its group.
    for (signals, status) in [(&["INT"][..], 130), (&["TERM"], 143), (&["TERM", "TERM"], 143)] {
        let mut command = common::taquin();
        command.args(["generate", "--shape", "4x4", "-n", "10000000000", "-o"]).arg(&boards).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Signal handlers are installed before the file is created.
        while names().is_empty() {
            assert_eq!(child.try_wait().unwrap(), None);
            std::thread::yield_now();
        }
        let kills: Vec<String> = signals.iter().map(|signal| format!("kill -s {signal} {}", child.id())).collect();
        // The process may end before the second signal.
        Command::new("sh").args(["-c", &kills.join("; ")]).stderr(Stdio::null()).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(status), "{}", stderr(&output));
        assert!(names().is_empty(), "{:?}", names());
    }
    // While a hard board is solved, its file is complete, but not the file of the answers.
    let mut command = common::taquin();
    command.args(["generate", "--shape", "5x5", "-o"]).arg(&boards).arg("--answers").arg(folder.path().join("answers"));
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
    while names().len() < 2 {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::yield_now();
    }
    Command::new("kill").arg(child.id().to_string()).status().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
    assert_eq!(names(), ["boards.txt"]);
}

#[test]
fn results_are_kept_if_the_summary_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let (results, summary) = (folder.path().join("results"), folder.path().join("missing/summary"));
    fs::write(&results, "earlier results\n").unwrap();
    let mut command = common::taquin();
    command.args(["solve", "283104765", "--force", "-o"]).arg(&results).arg("--summary").arg(summary);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert_eq!(fs::read(&results).unwrap(), b"earlier results\n");
}

/// The process warns about the limit before it is aborted for lack of memory.
#[cfg(target_os = "linux")]
#[test]
fn too_little_address_space_is_reported() {
    let limited = ["-c", "ulimit -v 24000; exec \"$@\"", "sh", common::program(), "solve", "inputs/korf.txt"];
    let output = Command::new("sh").args(limited).current_dir(common::project()).output().unwrap();
    assert!(stderr(&output).contains("this process is limited to 24M of memory"), "{}", stderr(&output));
}

#[test]
fn a_vanished_folder_is_reported() {
    let case = Case::new(50, false);
    let (folder, boards) = (case.path("folder"), case.named("boards.txt"));
    for resume in [None, Some("--resume")] {
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(&boards, "1 2 3 4 5 6 7 0 8\n".repeat(500) + HARD).unwrap();
        let results = folder.join("results");
        let mut command = common::taquin();
        command.args(["solve", "--quiet", "-j", "1", "--format", "line", &boards]).args(resume).arg("-o").arg(&results);
        let child = command.stderr(Stdio::piped()).spawn().unwrap();
        // Signal handlers are installed before the first result is written.
        while std::fs::read(&results).map_or(0, |bytes| bytes.len()) == 0 {
            std::thread::yield_now();
        }
        remove(&folder);
        assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("cannot write to"), "{}", stderr(&output));
    }
}

/// Removes a folder in which files may still be created.
fn remove(folder: &Path) {
    while folder.exists() {
        let _ = std::fs::remove_dir_all(folder);
    }
}

/// The first checkpoint is written before the first result.
#[test]
fn a_run_killed_at_its_first_result_can_be_resumed() {
    let case = Case::new(50, false);
    let Some(tracer) = Tracer::new(&case, "write:signal=KILL:when=1", &[case.named("results")]) else { return };
    let output = case.resumable(&tracer.words, "1").output().unwrap();
    assert!(output.status.signal() == Some(9) || output.status.code() == Some(137), "{:?}", output.status);
    case.complete("1", "killed before its first result");
}
