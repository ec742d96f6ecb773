//! `--as FILE`: a profile for a course problem with its own format, from test data to verdicts.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{project, run, stderr, stdout};
use taquin::internal::format::profile::Profile;

/// A profile whose goal is a spiral around the blank, and whose answers are numbers of moves.
const MINE: &str = r#"
source = "Algorithms course, sheet 5"
layout = "grid"
count_line = true
shape = "3x3"
goal = "8 1 2/7 0 3/6 5 4"

[board_style]
blank = "_"

[answer]
requirement = "shortest"
solved = "Case #{case}: {moves} moves\n"
unsolvable = "Case #{case}: impossible\n"
otherwise = "Case #{case}: {status}\n"
"#;

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().into()
}

#[test]
fn one_profile_generates_solves_and_judges() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mine = write(folder, "mine.toml", MINE);
    let data = folder.join("1.in").to_str().unwrap().to_string();
    let generate = ["generate", "--as", &mine, "--count", "20", "--unsolvable", "10%", "--seed", "5", "-o", &data];
    assert_eq!(run(&generate, "").status.code(), Some(0));
    let text = fs::read_to_string(&data).unwrap();
    assert!(text.starts_with("20\n") && text.contains('_') && !text.contains('#'), "{text}");

    let golden = stdout(&run(&["solve", "--quiet", "--as", &mine, &data], ""));
    assert_eq!(golden.lines().count(), 20);
    assert_eq!(golden.lines().filter(|line| line.ends_with(": impossible")).count(), 2);
    assert!(golden.lines().all(|line| line.starts_with("Case #")), "{golden}");

    let numbered = golden.lines().find(|line| line.ends_with("moves")).unwrap();
    let (case, moves) = numbered["Case #".len()..].split_once(": ").unwrap();
    let moves: u32 = moves.trim_end_matches(" moves").parse().unwrap();
    let wrong = golden.replace(numbered, &format!("Case #{case}: {} moves", moves + 2));
    let truncated: String = golden.split_inclusive('\n').take(19).collect();
    for (answers, code, expected) in [
        (&golden, 0, "accepted: 20 cases\n".to_string()),
        (&wrong, 1, format!("wrong answer in case {case} (")),
        (&truncated, 1, "presentation error in case 20 (".into()),
    ] {
        let output = run(&["judge", "--as", &mine, &data, &write(folder, "team.out", answers)], "");
        assert_eq!(output.status.code(), Some(code), "{}", stdout(&output));
        assert!(stdout(&output).starts_with(&expected), "{}", stdout(&output));
    }
    let output = run(&["check", "--as", &mine, "--solvable", &data], "");
    assert_eq!(output.status.code(), Some(1), "two boards are unsolvable: {}", stdout(&output));
    assert_eq!(stdout(&run(&["profiles", &mine], "")), MINE);
}

#[test]
fn errors_name_the_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let mine = write(folder.path(), "mine.toml", &MINE.replace("[answer]", "[awnser]"));
    for command in ["solve", "judge", "check", "generate", "show", "improve"] {
        let error = stderr(&run(&[command, "--as", &mine], ""));
        assert!(error.contains(&format!("{mine}:11: unknown key 'awnser', expected one of 'source'")), "{error}");
        let error = stderr(&run(&[command, "--as", "no-such.toml"], ""));
        assert!(error.contains("no-such.toml: there is no such file"), "{error}");
    }
    let output = run(&["judge", "--exit", "testlib", "--as", &mine, "a", "b"], "");
    assert_eq!(output.status.code(), Some(3), "the contestant is not blamed");
}

#[test]
fn folders_are_judged_file_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let board = "1\n8 1 2\n_ 7 3\n6 5 4\n";
    let mine = write(folder, "mine.toml", MINE);
    for (name, text) in [("data/1.in", board), ("data/2.in", board), ("data/3.in", board), ("data/notes.txt", "x")] {
        write(folder, name, text);
    }
    let [right, wrong] = ["Case #1: 1 moves\n", "Case #1: 3 moves\n"];
    for (name, text) in [("team/1.out", right), ("team/2.ans", right), ("team/3.out", right)] {
        write(folder, name, text);
    }
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    let judged = |options: &[&str]| {
        let output = run(&[&["judge", "--as", &mine, &path("data"), &path("team")], options].concat(), "");
        (output.status.code().unwrap(), stdout(&output), stderr(&output))
    };
    let accepted = "1: accepted: 1 case\n2: accepted: 1 case\n3: accepted: 1 case\naccepted: 3 files\n";
    assert_eq!(judged(&[]), (0, accepted.into(), String::new()));
    write(folder, "team/2.ans", "Case 1: 1\n");
    write(folder, "team/3.out", wrong);
    let (code, text, _) = judged(&["--exit", "testlib"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("\n2: presentation error in case 1 (") && text.contains("\n3: wrong answer in case 1 ("));
    assert!(text.ends_with("\nwrong answer: 1 of 3 files accepted\n"), "{text}");
    fs::remove_file(folder.join("team/2.ans")).unwrap();
    write(folder, "team/4.out", right);
    let (code, text, error) = judged(&[]);
    assert_eq!((code, text.ends_with("\nno verdict: 1 of 4 files accepted\n")), (2, true), "{text}");
    assert!(
        error.contains("2: there is no 2.out or 2.ans in ") && error.contains("4: there is no 4.in in "),
        "{error}"
    );
}

/// The names differ in bytes that are not UTF-8, so they look the same in messages.
#[cfg(target_os = "linux")]
#[test]
fn files_in_folders_may_have_any_name() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mine = write(folder, "mine.toml", MINE);
    let [data, team] = ["data", "team"].map(|name| folder.join(name));
    for folder in [&data, &team] {
        fs::create_dir(folder).unwrap();
    }
    let names: [(&[u8], &[u8]); 2] = [(b"\xfe.in", b"\xfe.out"), (b"\xff.in", b"\xff.out")];
    for (input, output) in names {
        fs::write(data.join(OsStr::from_bytes(input)), "1\n8 1 2\n_ 7 3\n6 5 4\n").unwrap();
        fs::write(team.join(OsStr::from_bytes(output)), "Case #1: 1 moves\n").unwrap();
    }
    let output = run(&["judge", "--as", &mine, data.to_str().unwrap(), team.to_str().unwrap()], "");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    assert!(stdout(&output).ends_with("\naccepted: 2 files\n"), "{}", stdout(&output));
}

/// Answers for another common goal are wrong, and the verdict names that goal.
#[test]
fn answers_for_another_goal_are_recognised() {
    let folder = tempfile::tempdir().unwrap();
    let data = write(folder.path(), "1.in", "1 0 2 3 4 5 6 7 8\n");
    let team = write(folder.path(), "team.out", "l\n");
    let output = run(&["judge", "--as", "hdu1043", &data, &team], "");
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.ends_with("\nthe answers would be accepted with --goal blank-first\n"), "{text}");
    let output = run(&["judge", "--as", "hdu1043", "--goal", "blank-first", &data, &team], "");
    assert_eq!(stdout(&output), "accepted: 1 case\n");
    let illegal = write(folder.path(), "illegal.out", "u\n");
    let text = stdout(&run(&["judge", "--as", "hdu1043", &data, &illegal], ""));
    assert!(text.contains("move 1 ('u') is not possible") && !text.contains("--goal"), "{text}");
}

/// The docs list exactly the keys that the error message for an unknown key lists.
#[test]
fn every_key_is_documented() {
    let page = fs::read_to_string(project().join("docs/judging.md")).unwrap();
    let (_, section) = page.split_once("## Custom profiles").unwrap();
    let mut documented = BTreeMap::<&str, &str>::new();
    for row in section.lines().filter(|line| line.starts_with("| `")) {
        for (i, name) in row.split('|').nth(1).unwrap().split('`').enumerate() {
            if i % 2 == 1 {
                documented.insert(name, row);
            }
        }
    }
    let tables = ["", "board_style", "answer", "answer.spelling", "answer.listing"];
    for table in tables {
        let prefix = if table.is_empty() { String::new() } else { format!("{table}.") };
        let text: &'static str = format!("{prefix}zzz = 1\n").leak();
        let error = Profile::of_text("a.toml", text).unwrap_err();
        let (_, keys) = error.split_once("expected one of ").unwrap();
        for key in keys.split(", ").map(|key| format!("{prefix}{}", key.trim_matches('\''))) {
            if !tables.contains(&&*key) {
                assert!(documented.remove(&*key).is_some(), "`{key}` is not in docs/judging.md");
            }
        }
    }
    assert!(documented.is_empty(), "docs/judging.md has unknown keys: {documented:?}");
}

#[test]
fn the_documented_example_works() {
    let page = fs::read_to_string(project().join("docs/judging.md")).unwrap();
    let (_, example) = page.split_once("```toml\n").unwrap();
    let (example, _) = example.split_once("```").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mine = write(folder.path(), "mine.toml", example);
    let output = run(&["solve", "--quiet", "--as", &mine], "1\n8 1 2\n0 7 3\n6 5 4\n");
    assert_eq!(stdout(&output), "Case #1: 1 moves\n", "{}", stderr(&output));
}
