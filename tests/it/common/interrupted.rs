//! Interrupted runs: inputs, the results of an uninterrupted run, and ways to interrupt other runs.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::stderr;

/// The first of Korf and Felner's 24-puzzles (2002), which takes minutes to solve.
pub const HARD: &str = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13\n";

/// Mixed inputs in a folder, and the results of an uninterrupted run.
pub struct Case {
    pub folder: tempfile::TempDir,
    pub inputs: Vec<String>,
    pub expected: Vec<u8>,
    pub unordered: bool,
}

impl Case {
    /// The exit status of a run that completes. It is not 0, because an input is missing.
    pub const STATUS: i32 = 2;

    /// Creates a case. Each of the first two inputs has `size` records.
    pub fn new(size: usize, unordered: bool) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let inputs = super::mixed::write(folder.path(), size);
        let inputs = inputs.iter().map(|path| path.to_str().unwrap().to_string()).collect();
        let mut case = Case { folder, inputs, expected: Vec::new(), unordered };
        let output = case.command(&["-j", "2", "-o", &case.named("uninterrupted")]).output().unwrap();
        assert_eq!(output.status.code(), Some(Case::STATUS), "{}", stderr(&output));
        case.expected = std::fs::read(case.path("uninterrupted")).unwrap();
        case
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn named(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_string()
    }

    /// Returns a command that solves the inputs. `wrapper` has the words before the program, such
    /// as those of `strace`. It may be empty.
    pub fn wrapped_by(&self, wrapper: &[String], options: &[&str]) -> Command {
        let words: Vec<&str> = wrapper.iter().map(String::as_str).chain([super::program()]).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(["solve", "--quiet", "--node-limit", "1000000", "--memory", "1G"]).args(options);
        command.args(&self.inputs).args(self.unordered.then_some("--unordered"));
        command.current_dir(super::project()).stdin(Stdio::null());
        command
    }

    pub fn command(&self, options: &[&str]) -> Command {
        self.wrapped_by(&[], options)
    }

    /// Returns the command of a run that can be resumed and writes checkpoints as often as
    /// possible.
    pub fn resumable(&self, wrapper: &[String], threads: &str) -> Command {
        let results = self.named("results");
        self.wrapped_by(wrapper, &["--resume", "--checkpoint-every", "0.001ms", "-j", threads, "-o", &results])
    }

    /// Resumes the run to its end, compares the results with those of the uninterrupted run, and
    /// removes the files of the run.
    pub fn complete(&self, threads: &str, what: &str) {
        let output = self.resumable(&[], threads).output().unwrap();
        assert_eq!(output.status.code(), Some(Case::STATUS), "{what}: {}", stderr(&output));
        assert!(stderr(&output).contains("missing.txt"), "{what}: {}", stderr(&output));
        let found = std::fs::read(self.path("results")).unwrap();
        let is_same = match self.unordered {
            false => found == self.expected,
            true => sorted_lines(&found) == sorted_lines(&self.expected),
        };
        assert!(is_same, "{what}: the results differ");
        self.clean();
    }

    /// Removes everything that a run, or a tracer of it, may have written.
    pub fn clean(&self) {
        for name in ["results", "results.taquin", "results.taquin.new", "calls"] {
            let _ = std::fs::remove_file(self.path(name));
        }
    }

    /// Returns the files that a resumable run writes.
    pub fn written_files(&self) -> [String; 3] {
        ["results", "results.taquin.new", "results.taquin"].map(|name| self.named(name))
    }

    /// Returns the bytes of each file in the folder.
    pub fn contents(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.filter(|path| path.is_file());
        files.map(|path| (path.display().to_string(), std::fs::read(&path).unwrap())).collect()
    }

    /// Runs a command that must fail without changing anything, and returns its error.
    pub fn refused(&self, command: &mut Command) -> String {
        let before = self.contents();
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}: {}", stderr(&output));
        assert!(self.contents() == before, "{command:?} changed something: {}", stderr(&output));
        stderr(&output)
    }
}

/// Returns the lines of a text, sorted.
pub fn sorted_lines(text: &[u8]) -> Vec<&[u8]> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    lines.sort();
    lines
}

/// Returns `in_suite` in the test suite, and `in_soak` in `scripts/soak`.
pub fn times(in_suite: usize, in_soak: usize) -> usize {
    if std::env::var_os("TAQUIN_SOAK").is_some() { in_soak } else { in_suite }
}

/// A command line of `strace`. It logs the system calls of one kind on some files, and may inject a
/// fault into one of these calls.
pub struct Tracer {
    /// The words that start the tracer; a command follows them.
    pub words: Vec<String>,
    log: PathBuf,
}

impl Tracer {
    /// Creates a tracer, or returns `None` if `strace` is missing or not permitted. `inject` is the
    /// name of a system call, optionally followed by a colon and a fault in the syntax of `strace`.
    pub fn new(case: &Case, inject: &str, paths: &[String]) -> Option<Tracer> {
        static WORKS: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
        let works = || {
            let probe = ["-f", "-o", "/dev/null", "-e", "inject=write:error=EIO:when=9999", "true"];
            let works = Command::new("strace").args(probe).output().is_ok_and(|output| output.status.success());
            if !works {
                eprintln!("SKIPPED: strace is missing or not permitted, so no system calls are made to fail");
            }
            works
        };
        WORKS.get_or_init(works).then(|| {
            let (log, call) = (case.path("calls"), inject.split(':').next().unwrap());
            let mut words: Vec<String> = ["strace", "-f", "-qq", "-o", log.to_str().unwrap()].map(String::from).into();
            words.extend(["-e".to_string(), format!("trace={call}")]);
            if call != inject {
                words.extend(["-e".to_string(), format!("inject={inject}")]);
            }
            words.extend(paths.iter().flat_map(|path| ["-P".to_string(), path.clone()]));
            Tracer { words, log }
        })
    }

    /// Returns true if the fault was injected, and false if there were too few calls.
    pub fn injected(&self) -> bool {
        std::fs::read_to_string(&self.log).unwrap().contains("(INJECTED)")
    }

    /// Returns the number of logged calls.
    pub fn calls(&self) -> usize {
        std::fs::read_to_string(&self.log).unwrap().lines().filter(|line| line.contains(" = ")).count()
    }
}
