//! The files of `examples/cluster`, tested without a cluster: the commands that a scheduler would
//! start produce the parts of one run.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::{program, project, run, stderr};

/// Writes enough boards for four shards, and returns the results of a single run.
fn write_boards(folder: &Path) -> Vec<u8> {
    let boards = folder.join("boards");
    fs::create_dir(&boards).unwrap();
    let text: String = (0..13_000).map(|i| if i % 999 == 5 { "1 2 2 0\n" } else { "1 2 3 4 5 6 7 0 8\n" }).collect();
    fs::write(boards.join("a.txt"), text).unwrap();
    run(&["solve", "-q", boards.to_str().unwrap()], "").stdout
}

/// Runs the commands of four tasks, with the program in their `PATH`, and compares the merged parts
/// with the results of a single run.
fn check(folder: &Path, expected: &[u8], configure: impl Fn(&mut Command, usize)) {
    let bin = Path::new(program()).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    for task in 1..=4 {
        let mut command = Command::new("/usr/bin/env");
        configure(&mut command, task);
        let output = command.env("PATH", &path).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let merged = run(&["merge", folder.join("parts").to_str().unwrap()], "");
    assert!(merged.status.success(), "{}", stderr(&merged));
    assert!(merged.stdout == expected);
}

#[test]
fn a_slurm_array_is_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let expected = write_boards(folder.path());
    let script = project().join("examples/cluster/solve.sbatch");
    check(folder.path(), &expected, |command, task| {
        command.arg("bash").arg(&script).args([folder.path().join("boards"), folder.path().join("parts")]);
        command.env("SLURM_ARRAY_TASK_ID", task.to_string()).env("SLURM_ARRAY_TASK_COUNT", "4");
        command.env("SLURM_CPUS_PER_TASK", "2");
    });
}

/// Runs the command of the Job's container, with a temporary folder in place of its volume, and
/// with 4 shards instead of 16.
#[test]
fn a_kubernetes_job_is_one_run() {
    let folder = tempfile::tempdir().unwrap();
    let expected = write_boards(folder.path());
    fs::create_dir(folder.path().join("parts")).unwrap();
    let job = fs::read_to_string(project().join("examples/cluster/job.yaml")).unwrap();
    assert!(job.contains("completions: 16"));
    let (_, rest) = job.split_once("args:\n            - >-\n").unwrap();
    let lines = rest.lines().take_while(|line| line.starts_with("              "));
    let script: Vec<&str> = lines.map(str::trim).collect();
    let script = script.join(" ").replace("/16\"", "/4\"").replace("/data", folder.path().to_str().unwrap());
    assert!(script.contains("+ 1))/4"), "{script}");
    check(folder.path(), &expected, |command, task| {
        command.args(["sh", "-c", &script]).env("JOB_COMPLETION_INDEX", (task - 1).to_string());
    });
}
