//! Tests of the trainer's program.

use std::process::{Command, Output};

fn train(name: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_train")).args(["-j", "1", "-o", name]).args(arguments).output().unwrap()
}

fn message(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The same command gives the same weights. A finished run leaves only the weights and its record.
#[test]
fn a_run_can_be_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.weights");
    let name = file.to_str().unwrap();
    let arguments = ["--shape", "2x4", "--steps", "2"];
    let output = train(name, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", message(&output));
    assert!(message(&output).contains("step    2"), "{}", message(&output));
    let weights = std::fs::read(&file).unwrap();
    let record = std::fs::read_to_string(folder.path().join("a.weights.txt")).unwrap();
    assert!(record.starts_with("train --shape 2x4 --goal blank-last --steps "), "{record}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);

    let output = train(name, &arguments);
    assert!(output.status.code() == Some(2) && message(&output).contains("--force"), "{}", message(&output));
    assert_eq!(train(name, &[&arguments[..], &["--force"]].concat()).status.code(), Some(0));
    assert!(std::fs::read(&file).unwrap() == weights);
}

#[test]
fn invalid_settings_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.weights");
    let name = file.to_str().unwrap();
    for (arguments, expected) in [
        (&["--shape", "9x9", "--steps", "1"][..], "64 cells"),
        (&["--shape", "1x9", "--steps", "1"], "cannot train weights"),
        (&["--shape", "4x4"], "--time"),
        (&["--shape", "4x4", "--steps", "0"], "--steps"),
        (&["--shape", "4x4", "--steps", "1", "--resume", "--force"], "--force"),
    ] {
        let output = train(name, arguments);
        assert!(
            output.status.code() == Some(2) && message(&output).contains(expected),
            "{arguments:?}: {}",
            message(&output)
        );
    }
    // The state of another run is not overwritten, even if it is damaged, as here.
    std::fs::write(folder.path().join("a.weights.training"), "taquin training\nand so on").unwrap();
    let output = train(name, &["--shape", "2x4", "--steps", "1"]);
    assert!(message(&output).contains("--resume"), "{}", message(&output));
    let output = train(name, &["--shape", "2x4", "--steps", "1", "--resume"]);
    assert!(output.status.code() == Some(2) && message(&output).contains("cannot resume"), "{}", message(&output));
    assert!(!file.exists());
}
