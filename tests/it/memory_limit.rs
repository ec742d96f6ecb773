//! Runs stay within `--memory`: in a control group that allows a tenth more, no run is killed, and
//! every record has its result.
//!
//! If no control group can be created (without root, for example), the tests report this and are
//! skipped. If `TAQUIN_NEED_CGROUP` is set, they fail instead.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::{self, Random, stderr, stdout};

/// A control group with a memory limit. Dropping the value removes the control group.
struct Group {
    path: PathBuf,
    /// The name of the file that contains the peak memory.
    peak_file: &'static str,
}

impl Group {
    fn new(bytes: u64) -> Option<Group> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let name = format!("taquin-test-{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        for (mount, limit, peak_file) in [
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.max_usage_in_bytes"),
            ("/sys/fs/cgroup", "memory.max", "memory.peak"),
        ] {
            let path = Path::new(mount).join(&name);
            if fs::create_dir(&path).is_err() {
                continue;
            }
            let group = Group { path, peak_file };
            // In a folder that is not a control group, `fs::write` would create an ordinary file.
            if group.path.join(limit).exists() && fs::write(group.path.join(limit), bytes.to_string()).is_ok() {
                return Some(group);
            }
        }
        assert!(
            std::env::var_os("TAQUIN_NEED_CGROUP").is_none(),
            "no control group with a memory limit can be created"
        );
        eprintln!("SKIPPED: no control group with a memory limit can be created");
        None
    }

    /// Runs the program in the group.
    fn run(&self, arguments: &[&str]) -> Output {
        let procs = self.path.join("cgroup.procs");
        let into_group = ["-c", "echo $$ > \"$0\" && exec \"$@\"", procs.to_str().unwrap(), common::program()];
        let mut command = Command::new("sh");
        command.args(into_group).args(arguments).current_dir(common::project()).stdin(Stdio::null()).output().unwrap()
    }

    /// Returns the peak memory in bytes, or 0 if it is unknown.
    fn peak(&self) -> u64 {
        fs::read_to_string(self.path.join(self.peak_file)).ok().and_then(|peak| peak.trim().parse().ok()).unwrap_or(0)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.path);
    }
}

/// Writes two inputs that need much memory, and returns their paths. The first has random
/// 15-puzzles. The second has a hard board, followed by very many boards whose results wait for
/// that of the hard board.
fn inputs(folder: &Path) -> [PathBuf; 2] {
    let mut random = Random::new(61);
    let searched: String = (0..10).map(|i| common::scrambled_15(&mut random, 60 + 30 * i) + "\n").collect();
    let mut board = || random.permutation(9).iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n";
    let cheap: String = (0..100_000).map(|_| board()).collect();
    let paths = [folder.join("searched.txt"), folder.join("cheap.txt")];
    fs::write(&paths[0], searched).unwrap();
    fs::write(&paths[1], format!("{}{cheap}{cheap}", common::interrupted::HARD)).unwrap();
    paths
}

#[test]
fn runs_stay_within_their_memory() {
    let folder = tempfile::tempdir().unwrap();
    let [searched, cheap] = inputs(folder.path());
    let (searched, cheap) = (searched.to_str().unwrap(), cheap.to_str().unwrap());
    for (mebibytes, options, boards, records) in [
        (64, &["--node-limit", "1000000"][..], searched, 10),
        (64, &["--engine", "astar"], searched, 10),
        (64, &["--node-limit", "500000", "--format", "line"], cheap, 200_001),
        (64, &["--heuristic", "6-6-3"], searched, 10),
    ] {
        solve_within(mebibytes, options, boards, records);
    }
}

#[test]
#[ignore = "fills 256 MB twice: run by scripts/cross-check"]
fn large_runs_stay_within_their_memory() {
    let folder = tempfile::tempdir().unwrap();
    let [searched, _] = inputs(folder.path());
    for options in [["--engine", "bidirectional"], ["--heuristic", "7-7-1"]] {
        solve_within(256, &options, searched.to_str().unwrap(), 10);
    }
}

/// Solves a file of boards in a control group that allows a tenth more than `--memory`.
fn solve_within(mebibytes: u64, options: &[&str], boards: &str, records: usize) {
    let Some(group) = Group::new((mebibytes << 20) * 11 / 10) else { return };
    let memory = format!("{mebibytes}M");
    let fixed = ["solve", "--quiet", "-j", "2", "--memory", &memory, "--fields", "status,limit", boards];
    let output = group.run(&[&fixed[..], options].concat());
    assert!(matches!(output.status.code(), Some(0 | 1)), "{memory} {options:?}: {:?}", output.status);
    assert_eq!(stdout(&output).lines().count(), records, "{memory} {options:?}: {}", stderr(&output));
    let unsolved = stdout(&output).matches("\"limit\":\"memory\"").count();
    let peak = group.peak() >> 20;
    eprintln!("{memory} {options:?}: {peak} MiB at the peak, {unsolved} boards unsolved for lack of memory");
}

#[test]
fn the_default_is_a_quarter_of_the_groups_limit() {
    let Some(group) = Group::new(400 << 20) else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.txt");
    std::fs::write(&file, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15\n").unwrap();
    let plan = |memory: &[&str]| {
        let explain = ["solve", "--explain", "-j", "1", "--heuristic", "7-8", file.to_str().unwrap()];
        stdout(&group.run(&[&explain[..], memory].concat()))
    };
    assert!(plan(&[]).contains("--memory leaves "), "{}", plan(&[]));
    assert_eq!(plan(&[]), plan(&["--memory", "100M"]));
    assert_ne!(plan(&[]), plan(&["--memory", "101M"]));
}
