//! Tests of the trainer's program.

use std::process::{Command, Output};

fn train(name: &str, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_train")).args(["-j", "1", "-o", name]).args(arguments).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The same command gives the same weights. The only other remaining file is the record of the
/// training.
#[test]
fn a_training_is_repeated_by_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.weights");
    let name = file.to_str().unwrap();
    let arguments = ["--shape", "2x4", "--steps", "2"];
    let output = train(name, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(told(&output).contains("step    2"), "{}", told(&output));
    let weights = std::fs::read(&file).unwrap();
    let made = std::fs::read_to_string(folder.path().join("a.weights.txt")).unwrap();
    assert!(made.starts_with("train --shape 2x4 --goal blank-last --steps "), "{made}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);

    let output = train(name, &arguments);
    assert!(output.status.code() == Some(2) && told(&output).contains("--force"), "{}", told(&output));
    assert_eq!(train(name, &[&arguments[..], &["--force"]].concat()).status.code(), Some(0));
    assert!(std::fs::read(&file).unwrap() == weights);
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.weights");
    let name = file.to_str().unwrap();
    for (arguments, told_as) in [
        (&["--shape", "9x9", "--steps", "1"][..], "64 cells"),
        (&["--shape", "1x9", "--steps", "1"], "cannot train weights"),
        (&["--shape", "4x4"], "--time"),
        (&["--shape", "4x4", "--steps", "0"], "--steps"),
        (&["--shape", "4x4", "--steps", "1", "--resume", "--force"], "--force"),
    ] {
        let output = train(name, arguments);
        assert!(output.status.code() == Some(2) && told(&output).contains(told_as), "{arguments:?}: {}", told(&output));
    }
    // The remains of another training are not overwritten, and these are not a training.
    std::fs::write(folder.path().join("a.weights.training"), "taquin training\nand so on").unwrap();
    let output = train(name, &["--shape", "2x4", "--steps", "1"]);
    assert!(told(&output).contains("--resume"), "{}", told(&output));
    let output = train(name, &["--shape", "2x4", "--steps", "1", "--resume"]);
    assert!(output.status.code() == Some(2) && told(&output).contains("cannot resume"), "{}", told(&output));
    assert!(!file.exists());
}
