//! Hostile inputs: each record has one result, each unreadable file is reported, and all other
//! boards are solved. Memory does not grow with the size of an input, and no read blocks forever.

#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{self, run, stderr, stdout};

const EASY: &str = "1 2 3 4 5 6 7 0 8";

/// Returns the statuses of results. Each line must be JSON.
fn statuses(results: &str) -> Vec<String> {
    let status = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        line["status"].as_str().unwrap().to_string()
    };
    results.lines().map(status).collect()
}

/// Places each of these lines between two boards, and checks that the line is one invalid record.
fn check_invalid(layout: &str, easy: &str, lines: &[Vec<u8>]) {
    let mut input = Vec::new();
    for line in lines {
        input.extend_from_slice(easy.as_bytes());
        input.push(b'\n');
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend_from_slice(easy.as_bytes());
    let output = run(&["solve", "--quiet", "--format", layout, "--fields", "status,line,error"], input);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let found = statuses(&stdout(&output));
    assert_eq!(found.len(), 2 * lines.len() + 1, "{layout}");
    for (number, status) in found.iter().enumerate() {
        let expected = if number % 2 == 0 { "solved" } else { "invalid" };
        let line = || String::from_utf8_lossy(&lines[number / 2]).chars().take(80).collect::<String>();
        assert_eq!(status, expected, "{layout}: {:?}", line());
    }
}

#[test]
fn lines_that_are_not_boards_are_invalid() {
    let bytes = |text: &[u8]| text.to_vec();
    let lines = [
        bytes(b"1 2 3 4 5 6 7 \0 8"),
        bytes(b"\0"),
        bytes(&[0; 5000]),
        bytes(b"1 2 3 4 5 6 7 8 \xff"),
        bytes(b"\xc3\x28 \xa0\xa1 \xe2\x28\xa1 \xf0\x90\x28\xbc"),
        bytes(b"\xed\xa0\x80"),
        bytes(b"\xff\xfe1\x00 \x002\x00"),
        bytes("1 2 3 4 5 6 7 8 ０".as_bytes()),
        bytes(b"\x1b[31m1 2 3 4 5 6 7 0 8\x1b[0m"),
        bytes(b"1 2 3 4 5 6 7 8 8"),
        bytes(b"1 2 3 4 5 6 7 8 9"),
        bytes(b"1 2 3 4 5 6 7 8 -0 1"),
        bytes(b"0 1 2 3 4 5 6 7 65536"),
        [&b"0 1 2 3 4 5 6 7 "[..], &[b'9'; 1000]].concat(),
        "7 ".repeat(200_000).into_bytes(),
        vec![b'7'; 1 << 20],
        vec![b'7'; (1 << 20) + 1],
    ];
    check_invalid("line", EASY, &lines);
    // An eight with a thousand leading zeros is part of one record, valid or not.
    let padded = format!("1 2 3 4 5 6 7 0 {}8\n", "0".repeat(1000));
    let found = statuses(&stdout(&run(&["solve", "--quiet", "--format", "line"], padded)));
    assert_eq!(found.len(), 1);
}

#[test]
fn json_that_is_not_a_board_is_invalid() {
    let deep = |open: &str, close: &str, times: usize| open.repeat(times) + &close.repeat(times);
    let nested = |times| deep("[", "]", times);
    let objects = |times| "{\"board\":".repeat(times) + "1" + &"}".repeat(times);
    let documents = [
        nested(100_000),
        "[".repeat(100_000),
        format!("[[1,2],[3,{}]]", nested(100_000)),
        objects(100_000),
        format!("{{\"id\":{},\"board\":[1,0]}}", nested(100_000)),
        format!("{{\"board\":{}}}", nested(100_000)),
        format!("{{\"goal\":{},\"board\":[[1,2],[3,0]]}}", nested(100_000)),
        "{\"board\":[[1,2],[3,0]],\"board\":[[1,2],[0,3]]}".into(),
        "{\"rows\":2,\"rows\":2,\"cols\":2,\"board\":[1,2,3,0]}".into(),
        format!("[1,2,3,4,5,6,7,0,{}]", "8".repeat(1000)),
        format!("[1,2,3,4,5,6,7,0,8e{}]", "9".repeat(1000)),
        "[1,2,3,4,5,6,7,0,8.0]".into(),
        "[1,2,3,4,5,6,7,0,-8]".into(),
        "{\"rows\":0,\"cols\":0,\"board\":[]}".into(),
        "{\"rows\":256,\"cols\":1,\"board\":[0]}".into(),
        "{\"rows\":18446744073709551615,\"cols\":18446744073709551615,\"board\":[0]}".into(),
        "[]".into(),
        "[[],[]]".into(),
        "{}".into(),
        "null".into(),
        "\"\\ud800\"".into(),
        "{\"id\":\"\\ud800\",\"board\":[[1,2],[3,0]]}".into(),
        "[[1,2],[3,0]] [[1,2],[3,0]]".into(),
    ];
    check_invalid("json", "[[1,2,3],[4,5,6],[7,0,8]]", &documents.map(String::into_bytes));
    // Ignored values may be nested to any depth.
    let ignored = format!("{{\"x\":{},\"board\":[[1,2],[0,3]]}}", nested(100_000));
    let output = run(&["solve", "--quiet", "--format", "json", "--fields", "moves"], ignored);
    assert_eq!(stdout(&output), "{\"moves\":1}\n");
}

/// The format is detected from a limited number of bytes.
#[test]
fn records_may_be_longer_than_what_is_read_to_detect_the_format() {
    let long = "y".repeat(2 << 20);
    let objects: String = (1..=64).map(|id| format!("{{\"id\":{id},\"x\":\"{}\"}}\n", &long[..18_000])).collect();
    for (text, records) in [
        (format!("{{\"board\":\"{long}\"}}"), 1),
        (format!("[{{\"x\":\"{long}\"}}]"), 1),
        ("[".repeat(2 << 20), 1),
        (long.clone(), 1),
        ("1,".repeat(2 << 20), 1),
        (objects, 64),
    ] {
        let output = run(&["solve", "--quiet"], text.as_str());
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert_eq!(statuses(&stdout(&output)), vec!["invalid"; records], "{}", &text[..20]);
    }
}

#[test]
fn extreme_shapes_are_answered() {
    let solved = |rows: usize, cols: usize| {
        let tiles: Vec<String> = (1..rows * cols).map(|tile| tile.to_string()).chain(["0".into()]).collect();
        tiles.join(" ")
    };
    for (rows, cols) in [(255, 255), (1, 255), (255, 1), (1, 1)] {
        let shape = format!("{rows}x{cols}");
        let output = run(&["solve", "--quiet", "--fields", "moves", "--shape", &shape], solved(rows, cols));
        assert_eq!(stdout(&output), "{\"moves\":0}\n", "{shape}: {}", stderr(&output));
    }
    for shape in ["0x0", "0x3", "256x1", "99999999999999999999x1"] {
        assert_eq!(run(&["solve", "--shape", shape], EASY).status.code(), Some(2), "{shape}");
    }
}

/// Returns the peak memory of a process in KiB. The system writes this unit as kB.
fn peak(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

#[test]
fn a_line_of_a_gigabyte_is_one_record_in_little_memory() {
    let command = ["solve", "--quiet", "--format", "line", "--fields", "status,line,error"];
    let mut child = common::taquin().args(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    writeln!(stdin, "{EASY}").unwrap();
    let block = vec![b'7'; 1 << 20];
    for _ in 0..1000 {
        stdin.write_all(&block).unwrap();
    }
    writeln!(stdin, "\n{EASY}").unwrap();
    let mut results = BufReader::new(child.stdout.take().unwrap());
    let mut reported = String::new();
    for _ in 0..3 {
        results.read_line(&mut reported).unwrap();
    }
    // The program waits for more input, so its peak memory can still be read.
    let peak = peak(child.id());
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(statuses(&reported), ["solved", "invalid", "solved"], "{reported}");
    assert!(reported.contains("longer than 1048576 bytes"), "{reported}");
    eprintln!("a line of 1000 MiB: {peak} KiB of memory at most");
    assert!(peak < 64 << 10, "{peak} KiB");
}

/// `/dev/zero` is one endless line.
#[test]
fn an_endless_line_is_reported_and_the_next_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let board = folder.path().join("board.txt");
    std::fs::write(&board, EASY).unwrap();
    let output = run(&["solve", "--quiet", "--format", "line", "/dev/zero", board.to_str().unwrap(), "/dev/null"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot read /dev/zero: a line does not end within"), "{}", stderr(&output));
    assert_eq!(statuses(&stdout(&output)), ["invalid", "solved"]);
}

#[test]
fn named_pipes_are_read_and_link_cycles_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let pipe = named("pipe.txt");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let feeder = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, format!("{EASY}\n{EASY}")).unwrap()
    });
    let output = run(&["solve", "--quiet", &pipe], "");
    feeder.join().unwrap();
    assert_eq!(statuses(&stdout(&output)), ["solved", "solved"]);
    std::fs::remove_file(&pipe).unwrap();

    // Links from a folder to itself and to its parent, and two links to each other. The program
    // reads a link to a file as that file.
    std::fs::create_dir(folder.path().join("below")).unwrap();
    std::fs::write(folder.path().join("below/board.txt"), EASY).unwrap();
    for (to, name) in [
        (".", "below/self.txt"),
        ("..", "below/up"),
        ("b.txt", "a.txt"),
        ("a.txt", "b.txt"),
        ("below/board.txt", "c.txt"),
    ] {
        std::os::unix::fs::symlink(to, folder.path().join(name)).unwrap();
    }
    let output = run(&["solve", "--quiet", folder.path().to_str().unwrap()], "");
    assert_eq!(statuses(&stdout(&output)), ["solved", "solved"], "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2), "cyclic links cannot be read");
    assert!(stderr(&output).contains("a.txt") && stderr(&output).contains("b.txt"), "{}", stderr(&output));
}

/// The program reads the file and does not map it. So it reports the missing data, and answers the
/// records that it read before.
#[test]
fn a_file_that_shrinks_during_reading_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.txt");
    std::fs::write(&path, format!("{EASY}\n").repeat(2_000_000)).unwrap();
    let command = ["solve", "--quiet", "--format", "line", "--fields", "status", "-j", "1"];
    let mut child = common::taquin();
    let child = child.args(command).arg(&path).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut results = BufReader::new(child.stdout.take().unwrap());
    let mut reported = String::new();
    results.read_line(&mut reported).unwrap();
    // The results are not read, so the program is still waiting, far from the end of its input of
    // 36 MB.
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_len(1000).unwrap();
    results.read_to_string(&mut reported).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("became shorter while it was read"), "{}", stderr(&output));
    assert!(reported.lines().count() < 2_000_000 && reported.lines().all(|line| line == "{\"status\":\"solved\"}"));
}

/// Writes a board as a zstd file that requests a window of 2^`log` bytes: a frame header that
/// contains only the window, and one uncompressed block.
fn write_zstd_with_window(path: &Path, log: u32) {
    let header = [0x28, 0xb5, 0x2f, 0xfd, 0, (log as u8 - 10) << 3];
    let block = (EASY.len() as u32) << 3 | 1;
    std::fs::write(path, [&header[..], &block.to_le_bytes()[..3], EASY.as_bytes()].concat()).unwrap();
}

#[test]
fn a_zstd_window_above_its_share_of_memory_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("board.txt.zst");
    for (log, memory, status) in [(27, "4G", 0), (28, "4G", 2), (27, "100M", 2), (22, "100M", 0)] {
        write_zstd_with_window(&path, log);
        let output = run(&["solve", "--quiet", "--memory", memory, path.to_str().unwrap()], "");
        assert_eq!(output.status.code(), Some(status), "2^{log} within {memory}: {}", stderr(&output));
        assert_eq!(stderr(&output).contains("cannot read"), status == 2, "{}", stderr(&output));
    }
}

/// Every command limits the window that a zstd file may request: to a share of `--memory` or, if
/// the command has no such option, to the maximum of the zstd program.
#[test]
fn every_command_rejects_a_zstd_window_that_is_too_large() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (plain, answer, small, large, huge) =
        (path("board.txt"), path("answer"), path("small.txt.zst"), path("large.txt.zst"), path("huge.zst"));
    std::fs::write(&plain, EASY).unwrap();
    std::fs::write(&answer, "unsolvable\n").unwrap();
    for (path, log) in [(&small, 23), (&large, 24), (&huge, 28)] {
        write_zstd_with_window(path.as_ref(), log);
    }
    let (memory, share) = ("100M", "its share of 100 MB is 8 MiB");
    let with_memory: [(&[&str], &[&str]); 8] = [
        (&["solve"], &[]),
        (&["solve", "--explain"], &[]),
        (&["solve", "--fields", "all", "--heuristic", "manhattan"], &[]),
        (&["check"], &[]),
        (&["show"], &[]),
        (&["verify"], &[&plain]),
        (&["verify", &plain], &[]),
        (&["judge", "--as", "poj1077"], &[&answer]),
    ];
    for (command, rest) in with_memory {
        for (file, refused) in [(&small, false), (&large, true)] {
            let arguments = [&command[..1], &["--memory", memory], &command[1..], &[file.as_str()], rest].concat();
            let output = run(&arguments, "");
            assert_eq!(stderr(&output).contains("cannot read"), refused, "{arguments:?}, {share}: {}", stderr(&output));
            assert!(!refused || output.status.code() == Some(2), "{arguments:?}");
        }
    }
    // Answers are never decompressed.
    let output = run(&["judge", "--memory", memory, "--as", "poj1077", &plain, &large], "");
    assert!(output.status.code() == Some(1) && stderr(&output).is_empty(), "{}", stderr(&output));
    assert!(!stderr(&run(&["report", &large], "")).contains("cannot read"));
    assert!(stderr(&run(&["report", &huge], "")).contains("cannot read"));
}
