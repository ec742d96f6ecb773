//! `--run-limit`: a run that ends in good order when its time is up, and results that lie among its inputs.

use crate::common::{project, run, stderr, stdout};

/// Its time is up before a hard board is solved: what was finished is written, the status says why, and the same command without a limit goes on
/// to the bytes of an undisturbed run.
#[test]
fn a_run_that_ends_at_its_limit_is_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let korf = std::fs::read_to_string(project().join("inputs/korf.txt")).unwrap();
    let few: Vec<&str> = korf.lines().take(12).collect();
    std::fs::write(named("boards.txt"), few.join("\n")).unwrap();
    let asked =
        ["solve", "--resume", "-o", &named("results"), "--summary", &named("summary.json"), &named("boards.txt")];
    let ended = run(&[&asked[..], &["--run-limit", "1ms"]].concat(), "");
    assert_eq!(ended.status.code(), Some(3), "{}", stderr(&ended));
    assert!(stderr(&ended).contains("the run limit was reached"), "{}", stderr(&ended));
    let summary: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(named("summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["run_limit_reached"], &summary["interrupted"]), (&true.into(), &true.into()));
    let before = std::fs::read(named("results")).unwrap();
    assert!(before.is_empty() || before.ends_with(b"\n"));
    assert_eq!(run(&asked, "").status.code(), Some(0));
    let whole = std::fs::read(named("results")).unwrap();
    assert!(whole.starts_with(&before));
    let undisturbed = run(&["solve", "--quiet", &named("boards.txt")], "");
    assert!(whole == undisturbed.stdout);
}

/// A limit that is not reached changes nothing.
#[test]
fn a_run_that_ends_in_time_has_its_own_status() {
    let output = run(&["solve", "--run-limit", "10h", "--fields", "moves"], "1 2 3 4 5 6 7 8 0\n");
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), "{\"moves\":0}\n".into()));
    assert!(stderr(&output).starts_with("1 record: 1 solved"), "{}", stderr(&output));
}

/// The second run over a folder in which the first has left its results solves the same boards.
#[test]
fn results_in_a_folder_are_no_boards() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(named("boards.txt"), "1 2 3 4 5 6 7 0 8\n").unwrap();
    let all = folder.path().to_str().unwrap().to_string();
    for name in ["one.jsonl", "two.jsonl", "three.jsonl"] {
        let output = run(&["solve", "--boards", "-o", &named(name), &all], "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(std::fs::read_to_string(named(name)).unwrap().lines().count(), 1);
    }
    let last = stderr(&run(&["solve", &all], ""));
    assert!(last.contains("3 files of folders were passed over"), "{last}");
}
