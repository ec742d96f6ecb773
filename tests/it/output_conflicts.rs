//! A subcommand refuses to write a file that it also reads, and to write one file twice, whatever
//! names the file has. It fails before it changes any file.

#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;

use crate::common::{self, stderr};

const BOARDS: &str = "1 2 3 4 5 6 7 0 8\n1 2 3 4 5 6 0 7 8\n";
const RESULTS: &str = "{\"index\":1,\"status\":\"solved\",\"moves\":1,\"path\":\"R\"}\n";

/// A folder with boards and results. Each can also be opened through a symbolic link, a hard link
/// and a link to the folder.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        let files = Files(tempfile::tempdir().unwrap());
        for (name, text) in
            [("in.txt", BOARDS), ("r.jsonl", RESULTS), ("r.jsonl.taquin", BOARDS), ("x.taquin.new", BOARDS)]
        {
            fs::write(files.path(name), text).unwrap();
        }
        symlink("in.txt", files.path("soft")).unwrap();
        fs::hard_link(files.path("in.txt"), files.path("hard")).unwrap();
        symlink("r.jsonl", files.path("soft.jsonl")).unwrap();
        fs::hard_link(files.path("r.jsonl"), files.path("hard.jsonl")).unwrap();
        symlink(".", files.path("folder")).unwrap();
        symlink("not-yet", files.path("dangling")).unwrap();
        files
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn contents(&self) -> Vec<(std::path::PathBuf, Option<String>)> {
        let entry = |path: std::path::PathBuf| {
            let text = (!path.is_dir()).then(|| fs::read_to_string(&path).ok()).flatten();
            (path, text)
        };
        let entries = fs::read_dir(self.0.path()).unwrap().map(|found| entry(found.unwrap().path()));
        let mut contents: Vec<_> = entries.collect();
        contents.sort();
        contents
    }

    /// Runs the program in the folder. Standard input and output are redirected to the files
    /// `input` and `output`.
    fn run(&self, words: &str, input: Option<&str>, output: Option<&str>) -> std::process::Output {
        let stream = |path: &str| File::options().read(true).append(true).open(self.path(path)).unwrap();
        let mut command = common::taquin();
        command.current_dir(self.0.path()).args(words.split(' ')).stderr(Stdio::piped());
        command.stdin(input.map_or(Stdio::null(), |path| stream(path).into()));
        command.stdout(output.map_or(Stdio::null(), |path| stream(path).into()));
        command.output().unwrap()
    }

    fn check_refused(&self, words: &str, input: Option<&str>, output: Option<&str>) {
        let before = self.contents();
        let ended = self.run(words, input, output);
        let message = stderr(&ended);
        assert_eq!(ended.status.code(), Some(2), "{words} < {input:?} > {output:?}: {message}");
        assert!(
            ["would overwrite the input", "are the same file", "./-"].iter().any(|why| message.contains(why)),
            "{words}: {message}"
        );
        assert!(self.contents() == before, "{words}: {:?}", self.contents());
    }
}

#[test]
fn inputs_are_never_overwritten() {
    let files = Files::new();
    for alias in ["in.txt", "./in.txt", "soft", "hard", "folder/in.txt", "folder/soft", "folder/hard"] {
        for command in [
            "solve in.txt --force -o",
            "solve in.txt -o",
            "solve in.txt --summary",
            "solve folder/soft -o new --summary",
            "check in.txt --junit",
            "show in.txt --force --svg",
        ] {
            files.check_refused(&format!("{command} {alias}"), None, None);
        }
        // A file that is redirected to standard input is also an input.
        for command in
            ["solve --force -o", "solve --summary", "check --junit", "show - --force --svg", "report --force -o"]
        {
            files.check_refused(&format!("{command} {alias}"), Some("hard"), None);
        }
    }
    for alias in ["r.jsonl", "soft.jsonl", "hard.jsonl", "folder/r.jsonl"] {
        files.check_refused(&format!("report r.jsonl --force -o {alias}"), None, None);
    }
    files.check_refused("report soft.jsonl", None, Some("hard.jsonl"));
    files.check_refused("check in.txt --count 9", None, Some("soft"));
    // A run also removes or writes files next to its results. These files must not be inputs.
    files.check_refused("solve r.jsonl.taquin -o r.jsonl --force", None, None);
    files.check_refused("solve x.taquin.new -o x --resume", None, None);
}

#[test]
fn no_file_is_written_twice() {
    let files = Files::new();
    for (one, other) in [("new", "new"), ("new", "folder/new"), ("not-yet", "dangling"), ("soft", "hard")] {
        for command in [
            format!("solve r.jsonl -o {one} --force --summary {other}"),
            format!("generate -o {one} --answers {other} --force"),
        ] {
            files.check_refused(&command, None, None);
        }
    }
    for (one, other) in [("new", "new"), ("new", "folder/new"), ("not-yet", "dangling")] {
        files.check_refused(&format!("solve in.txt -o {one} --summary {other}"), None, None);
        files.check_refused(&format!("solve in.txt -o {one} --resume --summary {other}"), None, None);
        files.check_refused(&format!("generate -o {one} --answers {other}"), None, None);
    }
    for alias in ["r.jsonl", "soft.jsonl", "hard.jsonl"] {
        files.check_refused(&format!("solve in.txt -o r.jsonl --resume --summary {alias}"), None, None);
        files.check_refused(&format!("solve in.txt --summary {alias}"), None, Some("r.jsonl"));
        files.check_refused(&format!("check in.txt --junit {alias}"), None, Some("r.jsonl"));
        files.check_refused(&format!("show in.txt --frames --force --svg {alias}"), None, Some("r.jsonl"));
    }
    files.check_refused("solve in.txt -o new --resume --summary new.taquin", None, None);
    files.check_refused("solve in.txt -o new --summary new.taquin.new", None, None);
}

/// No option lets a run overwrite the checkpoint of another run. A run may overwrite its own.
#[test]
fn no_checkpoint_of_another_run_is_overwritten() {
    let files = Files::new();
    assert_eq!(files.run("solve in.txt -o other --resume", None, None).status.code(), Some(0));
    let checkpoint = fs::read_to_string(files.path("other.taquin")).unwrap();
    assert!(checkpoint.starts_with("taquin-checkpoint"));
    symlink("other.taquin", files.path("link")).unwrap();
    for name in ["other.taquin", "link", "folder/other.taquin"] {
        for command in [
            format!("solve in.txt --summary {name}"),
            format!("solve in.txt -o new --resume --summary {name}"),
            format!("solve in.txt --force -o {name}"),
            format!("check in.txt --junit {name}"),
            format!("report r.jsonl --force -o {name}"),
            format!("generate -o new --force --answers {name}"),
            format!("show in.txt --force --svg {name}"),
        ] {
            let ended = files.run(&command, None, None);
            let message = stderr(&ended);
            assert!(ended.status.code() == Some(2) && message.contains("checkpoint of a run"), "{command}: {message}");
        }
    }
    assert_eq!(fs::read_to_string(files.path("other.taquin")).unwrap(), checkpoint);
    assert!(!files.path("new").exists());
    assert_eq!(files.run("solve in.txt -o other --resume", None, None).status.code(), Some(0));
    assert_eq!(files.run("solve in.txt -o other --force", None, None).status.code(), Some(0));
    assert!(!files.path("other.taquin").exists());
}

/// In other programs, an output named `-` is standard output. Here it would be a file of that name,
/// so it is rejected.
#[test]
fn a_dash_is_not_a_file() {
    let files = Files::new();
    for command in [
        "solve in.txt --summary -",
        "solve in.txt -o -",
        "check in.txt --junit -",
        "show in.txt --svg -",
        "report r.jsonl -o -",
        "generate -o -",
        "generate -o new --answers -",
    ] {
        files.check_refused(command, None, None);
    }
}

#[test]
fn existing_answers_are_found_before_boards_are_written() {
    let files = Files::new();
    let before = files.contents();
    for (answers, message) in [("r.jsonl", "--force"), (".", "is a folder")] {
        let ended = files.run(&format!("generate -o new --answers {answers}"), None, None);
        assert!(ended.status.code() == Some(2) && stderr(&ended).contains(message), "{}", stderr(&ended));
        assert!(files.contents() == before, "{answers}");
    }
    let ended = files.run("generate -o no/such", None, None);
    assert!(stderr(&ended).contains("there is no folder no"), "{}", stderr(&ended));
    assert!(files.contents() == before);
}

#[test]
fn other_files_are_written() {
    let files = Files::new();
    for (command, written) in [
        ("solve in.txt soft hard -o new --summary sum", &["new", "sum"][..]),
        ("solve in.txt --summary /dev/null -o a", &["a"]),
        ("solve folder/in.txt -o dangling --summary b", &["not-yet", "b"]),
        ("check in.txt --junit d", &["d"]),
        ("report r.jsonl --shape 3x3 -o e", &["e"]),
        ("show in.txt --svg f", &["f"]),
        ("generate -o g --answers h", &["g", "h"]),
    ] {
        let ended = files.run(command, None, None);
        assert!(matches!(ended.status.code(), Some(0 | 1)), "{command}: {}", stderr(&ended));
        for name in written {
            assert!(fs::metadata(files.path(name)).is_ok_and(|file| file.len() > 0), "{command}: {name}");
        }
    }
    assert_eq!(fs::read_to_string(Path::new(&files.path("in.txt"))).unwrap(), BOARDS);
}
