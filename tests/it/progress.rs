//! Progress counts finished boards. It is shown as a bar on a terminal that can draw one, and
//! otherwise as a line at intervals. Short runs show no progress.

#![cfg(unix)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::common::interrupted::HARD;
use crate::common::terminal::Terminal;
use crate::common::{self, run, stderr};

const EASY: &str = "1 2 3 4 5 6 7 0 8\n";

/// The option that shows progress as often as possible.
const OFTEN: &str = "--progress-every=1ms";

/// Starts the program, and returns it with its standard error.
fn start(words: &[&str]) -> (Child, BufReader<ChildStderr>) {
    let mut command = common::taquin();
    command.args(words).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let messages = BufReader::new(child.stderr.take().unwrap());
    (child, messages)
}

/// Reads up to the first line that satisfies the condition, and returns this line.
fn until(messages: &mut BufReader<ChildStderr>, is_wanted: impl Fn(&str) -> bool) -> String {
    let mut line = String::new();
    loop {
        line.clear();
        assert!(messages.read_line(&mut line).unwrap() > 0, "the program ended before the expected line");
        if is_wanted(&line) {
            return line;
        }
    }
}

/// Returns the first two numbers of a progress line.
fn numbers(line: &str) -> (u64, u64) {
    let number = |word: &str| word.replace(',', "").parse::<u64>().ok();
    let mut numbers = line.split_whitespace().filter_map(number);
    (numbers.next().unwrap(), numbers.next().unwrap())
}

/// The whole file is read at once, but few of its boards are solved.
#[test]
fn unsolved_boards_do_not_count() {
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("boards.txt");
    std::fs::write(&boards, EASY.repeat(23) + &HARD.repeat(1977)).unwrap();
    let boards = boards.to_str().unwrap();
    let (mut child, mut messages) = start(&["solve", "-j", "1", "--format", "line", OFTEN, boards]);
    // The results of easy boards wait for a hard board in the same chunk.
    let line = until(&mut messages, |line| line.contains(" of about ") && numbers(line).0 > 0);
    let (done, total) = numbers(&line);
    assert!(done <= 23, "{line}");
    // The total is an estimate: for input that is not yet split into records, only the number of
    // bytes is known, and lines differ in length.
    assert!((1000..=8000).contains(&total), "{line}");
    assert!(line.contains(&format!("({} %)", done * 100 / total)) && !line.contains("100 %"), "{line}");
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The number of boards from a pipe is unknown.
#[test]
fn progress_is_lines_without_a_terminal() {
    let (mut child, mut messages) = start(&["solve", "--progress", "always", OFTEN]);
    let mut boards = child.stdin.take().unwrap();
    for number in 1..=3 {
        boards.write_all(EASY.as_bytes()).unwrap();
        let line = until(&mut messages, |line| line.starts_with(&format!("taquin: {number} of ")));
        assert!(line.contains(&format!("{number} of {number} or more boards, ")), "{line}");
    }
    drop(boards);
    until(&mut messages, |line| line.starts_with("3 records: 3 solved"));
    assert!(child.wait().unwrap().success());
}

#[test]
fn generated_boards_are_counted() {
    let (mut child, mut messages) = start(&["generate", "--shape", "4x4", "--moves", "50", "-n", "300", OFTEN]);
    let line = until(&mut messages, |line| line.contains(" of 300 boards ("));
    assert!(numbers(&line).0 <= 300);
    drop(messages);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn short_and_quiet_runs_show_no_progress() {
    for (options, lines) in [(&[][..], 1), (&["--progress", "never", OFTEN], 1), (&["-q"], 0), (&["-q", OFTEN], 0)] {
        let output = run(&[&["solve"], options].concat(), EASY.repeat(5000));
        let messages = stderr(&output);
        assert!(
            output.status.success() && messages.lines().count() == lines && !messages.contains(" of "),
            "{options:?}: {messages}"
        );
    }
    assert_eq!(stderr(&run(&["generate", "-n", "1000"], "")), "");
    assert_eq!(stderr(&run(&["generate", "-n", "1000", "-q", OFTEN], "")), "");
    assert_eq!(run(&["solve", "--progress", "sometimes"], "").status.code(), Some(2));
}

#[test]
fn a_bar_needs_a_capable_terminal() {
    for (kind, drawn) in [("xterm", true), ("dumb", false), ("", false)] {
        let mut command = Command::new(common::program());
        let korf = common::project().join("inputs/korf.txt");
        command.args(["solve", "--node-limit", "1000", "--format", "line", "-o", "/dev/null"]).arg(korf);
        let mut terminal = Terminal::start(command, kind);
        let text = terminal.until("100 records: ");
        assert_eq!(text.contains('\x1b'), drawn, "{kind:?}: {text:?}");
        terminal.child.wait().unwrap();
    }
}
