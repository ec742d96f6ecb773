//! Runs every example in the README and in the pages of `docs/`, and compares its output with the
//! output printed there. An example is a `console` block, in which lines that begin with `$` are
//! commands.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common;

/// The files that the examples assume, and scripts that create them.
const FILES: [(&str, &str); 5] = [
    ("team.out", "sed '3s/.*/ll/' eight.out > team.out"),
    ("levels.json", r#"echo '{"id":"level-1","difficulty":"easy","grid":[[1,2,3],[4,5,6],[0,7,8]]}' > levels.json"#),
    ("boards.txt", "printf '1 2 3 4 5 6 8 7 0\\n1 2 3 4 5 5 7 8 0\\n' > boards.txt"),
    (
        "puzzles/",
        "mkdir puzzles; printf '2 3 4 1 5 0 7 6 8\\n1 2 3 4 5 6 7 0 8\\n1 2 3 4 5 6 8 7 0\\n' > puzzles/easy.txt",
    ),
    ("boards/", "mkdir boards; taquin generate -q --count 9000 -o boards/boards.txt"),
];

/// A command of an example, and the lines printed below it.
#[derive(Default)]
struct Step {
    command: String,
    output: Vec<String>,
}

/// Returns the console blocks of a page.
fn blocks(page: &str) -> Vec<Vec<Step>> {
    let (mut blocks, mut lines) = (Vec::new(), page.lines());
    while lines.by_ref().any(|line| line == "```console") {
        let mut steps: Vec<Step> = Vec::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            match (line.strip_prefix("$ "), steps.last_mut()) {
                (Some(command), _) => steps.push(Step { command: command.into(), output: Vec::new() }),
                (None, Some(Step { command, output })) if output.is_empty() && is_continued(command, line) => {
                    *command += &format!("\n{}", line.trim_start_matches("> "));
                }
                (None, Some(step)) => step.output.push(line.trim_end().into()),
                (None, None) => panic!("output before the first command: {line}"),
            }
        }
        blocks.push(steps);
    }
    blocks
}

fn is_continued(command: &str, line: &str) -> bool {
    command.ends_with('\\') || line.starts_with("> ")
}

/// Runs a shell command and returns the lines of its standard output and standard error.
fn run(command: &str, folder: &Path) -> Vec<String> {
    let programs = Path::new(common::program()).parent().unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let script = format!("exec 2>&1; {command}");
    let output = Command::new("bash").args(["-c", &script]).env("PATH", path).current_dir(folder).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(|line| line.trim_end().into()).collect()
}

/// Removes the time, threads and memory of a run, which vary, from the end of a line.
fn comparable(line: &str) -> &str {
    match line.rsplit_once(" in ") {
        Some((before, run)) if run.contains(" s (") => before,
        _ => line,
    }
}

fn check(name: &str) {
    let page = fs::read_to_string(common::project().join(name)).unwrap();
    // The examples of a page may use each other's files.
    let folder = tempfile::tempdir().unwrap();
    for steps in blocks(&page) {
        for Step { command, output } in steps {
            // An example may show its input with `cat`. The file is created from the example.
            if let Some(file) = command.strip_prefix("cat ").filter(|file| !folder.path().join(file).exists()) {
                fs::write(folder.path().join(file), output.join("\n") + "\n").unwrap();
                continue;
            }
            for (file, script) in FILES {
                if command.contains(file) && !folder.path().join(file).exists() {
                    run(script, folder.path());
                }
            }
            let found = run(&command, folder.path());
            let [found, output] =
                [&found, &output].map(|lines| lines.iter().map(|line| comparable(line)).collect::<Vec<_>>());
            assert_eq!(found, output, "{name}: {command}");
        }
    }
}

#[test]
fn the_readme_shows_real_output() {
    check("README.md");
}

#[test]
fn the_pages_show_real_output() {
    let folder = common::project().join("docs");
    let mut pages: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    pages.sort();
    for page in pages.iter().filter(|page| page.ends_with(".md")) {
        check(&format!("docs/{page}"));
    }
}
