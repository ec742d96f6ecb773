//! File names and contents cannot inject control sequences into messages. Most subcommands are run
//! on names, boards, goals, ids and answers that would colour a terminal, set its title, reverse
//! its text, or begin a line that a CI runner interprets as a command.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{self, run};

/// A colour, a title, a C1 control character, a workflow command on a new line, a right-to-left
/// override, a line separator, and DEL.
const EVIL: &str = "e\u{1b}[31m\u{1b}]0;t\u{7}\u{9b}2J\r\n::error::x\n\u{202e}\u{2028}\u{7f}";

/// Returns true if a text is safe to show: no control characters except line feeds, no
/// bidirectional embeddings or overrides, no line separator, and no workflow command.
fn is_harmless(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let is_bad = |character: char| {
        character.is_control() && character != '\n' || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2028}')
    };
    !text.contains(is_bad) && !text.lines().any(|line| line.starts_with("::error::"))
}

/// A folder for files with hostile names.
struct HostileFolder {
    folder: tempfile::TempDir,
}

impl HostileFolder {
    fn new() -> HostileFolder {
        HostileFolder { folder: tempfile::tempdir().unwrap() }
    }

    /// Writes a file with a hostile name, and returns its path.
    fn file(&self, number: usize, text: impl AsRef<[u8]>) -> String {
        let path = self.folder.path().join(format!("{EVIL}{number}.txt"));
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().into()
    }

    /// Returns the path of a missing file.
    fn missing(&self) -> String {
        self.folder.path().join(format!("{EVIL}missing")).to_str().unwrap().into()
    }
}

/// The subcommands whose standard output is for programs.
const FOR_PROGRAMS: [&str; 1] = ["solve"];

fn check(output: &Output, words: &[&str]) {
    let (out, message) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(is_harmless(&output.stderr), "{words:?}: {message:?}");
    let is_plain_text = ["--explain", "--as"].iter().any(|option| words.contains(option));
    if FOR_PROGRAMS.contains(&words[0]) && !is_plain_text {
        // JSON escapes control characters.
        assert!(!output.stdout.iter().any(|&byte| byte < b' ' && byte != b'\n'), "{words:?}: {out:?}");
        for line in out.lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    } else {
        assert!(is_harmless(&output.stdout), "{words:?}: {out:?}");
    }
}

#[test]
fn no_message_contains_control_sequences() {
    let hostile = HostileFolder::new();
    let one_line = EVIL.replace(['\r', '\n'], "");
    let contents = [
        // Text in settings, goals and tiles.
        format!("# taquin: goal={one_line} shape={one_line} {one_line}=1\n1 2 3 4 5 6 7 0 8\n{one_line}\n"),
        format!("# taquin: {one_line}\n9\n1 2 3 4 5 6 7 0 8\n# taquin: goal={one_line}\n"),
        // Text in names, ids and goals of JSON and CSV.
        serde_json::json!({ "id": EVIL, "board": [1, 2, 3, 4, 5, 6, 7, 0, 8], "goal": EVIL }).to_string() + "\n",
        serde_json::json!({ "id": EVIL, "board": EVIL, EVIL: EVIL }).to_string() + "\n",
        format!("id,board,goal\n\"{EVIL}\",\"1 2 3 4 5 6 7 0 {EVIL}\",{one_line}\n"),
        format!("id,board,{one_line}\n{one_line},1 2 3 4 5 6 7 0 8,\n"),
        // A file that is not text, and an empty file.
        "\u{1b}]0;t\u{7}\u{0}\u{202e}\n".repeat(3),
        String::new(),
    ];
    let mut files: Vec<String> = contents.iter().enumerate().map(|(i, text)| hostile.file(i, text)).collect();
    let missing = hostile.missing();
    let broken = hostile.folder.path().join(format!("{EVIL}.gz"));
    fs::write(&broken, b"\x1f\x8b\x08\x00 no gzip").unwrap();
    files.extend([missing.clone(), broken.to_str().unwrap().into(), hostile.folder.path().to_str().unwrap().into()]);
    let answers = hostile.file(90, format!("Case 1: {EVIL}\n{EVIL}\n"));
    let results = hostile.file(
        91,
        serde_json::json!({ "index": 1, "source": EVIL, "status": EVIL, "path": EVIL, "id": EVIL }).to_string(),
    );
    let path = |name: &str| hostile.folder.path().join(name).to_str().unwrap().to_string();
    let mut runs = 0;
    let mut try_run = |words: &[&str]| {
        check(&run(words, format!("{EVIL}\n")), words);
        runs += 1;
    };
    for file in &files {
        for command in [
            &["solve", "--detail"][..],
            &["solve", "--count-line"],
            &["solve", "--numbered", "--explain"],
            &["solve", "--as", "hdu3567"],
            &["solve", "--quiet", "--format", "csv"],
            &["solve", "-j", "1", "--engine", "ida"],
            &["solve", "--explain", "--engine", "idastar"],
            &["solve", "--fields", "all", "--heuristic", "manhattan"],
            &["solve", "--fields", "index,source,id,error,duplicate_of"],
            &["check", "--moves", "3", "--unique", "--annotations", "plain"],
            &["check", "--moves", "3", "--unique", "--annotations", "github"],
            &["show"],
            &["show", "--record", "2"],
            &["report", "-o", "/dev/null"],
            &["verify", &results],
        ] {
            try_run(&[command, &[file]].concat());
        }
        for words in [
            ["judge", "--as", "hdu3567", file, &answers],
            ["judge", "--as", "poj1077", file, &answers],
            ["judge", "--as", "leetcode773", &files[0], file],
        ] {
            try_run(&words);
        }
        try_run(&["verify", file, &files[0]]);
        // Output files that cannot be created, and existing files, which need --force.
        for command in [
            &["solve", &files[0], "-o"][..],
            &["solve", &files[0], "--summary"],
            &["check", &files[0], "--junit"],
            &["report", &results, "-o"],
            &["show", &files[0], "--svg"],
            &["generate", "-o"],
            &["generate", "-o", "/dev/null", "--answers"],
        ] {
            try_run(&[command, &[&format!("{file}/no/such")]].concat());
            if Path::new(file).is_file() && command != ["generate", "-o", "/dev/null", "--answers"] {
                let words = [command, &[file]].concat();
                let before = fs::read(file).unwrap();
                try_run(&words);
                fs::write(file, before).unwrap();
            }
        }
        let output = path(&format!("{EVIL}results"));
        try_run(&["solve", "--resume", "-o", &output, file]);
        try_run(&["solve", "--resume", "--goal", "snail", "-o", &output, file]);
        fs::write(&output, EVIL).unwrap();
        try_run(&["solve", "--resume", "-o", &output, file]);
        for written in [output.clone(), output + ".taquin"] {
            let _ = fs::remove_file(written);
        }
    }
    // Hostile arguments, which a shell may pass after it expands a pattern.
    for words in [
        &[EVIL][..],
        &["solve", &format!("--{EVIL}")],
        &["solve", "--goal", EVIL],
        &["solve", &format!("--goal={EVIL}")],
        &["solve", "--format", EVIL],
        &["solve", "--heuristic", EVIL, &files[0]],
        &["solve", "--as", EVIL],
        &["solve", "--shape", EVIL],
        &["solve", "--fields", EVIL],
        &["judge", "--as", "hdu3567", EVIL],
        &["show", EVIL, EVIL],
        &["show", "--notation", EVIL, "1 2 3 0"],
        &["generate", "--moves", EVIL],
        &["generate", "--unsolvable", EVIL],
        &["profiles", EVIL],
        &["completions", EVIL],
    ] {
        try_run(words);
    }
    assert!(runs > 300, "{runs}");
}

#[test]
fn escaped_text_is_readable() {
    let hostile = HostileFolder::new();
    let message = common::stderr(&run(&["solve", &hostile.missing()], ""));
    assert!(
        message.contains("e\\u{1b}[31m\\u{1b}]0;t\\u{7}\\u{9b}2J\\r\\n::error::x\\n\\u{202e}\\u{2028}\\u{7f}missing"),
        "{message}"
    );
    let message = common::stderr(&run(&["solve", "--goal", "a\u{1b}b"], ""));
    assert!(message.contains("'a\\u{1b}b'") && message.contains("--goal") && message.contains("--help"), "{message}");
}
