//! `taquin train` as its users see it.

use crate::common::{run, stderr};

/// The same command gives the same weights; what it leaves is the weights and how they were made.
#[test]
fn a_training_is_repeated_by_its_command() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.weights");
    let name = file.to_str().unwrap();
    let train =
        |more: &[&str]| run(&[&["train", "--shape", "2x4", "--steps", "2", "-j", "1", "-o", name], more].concat(), "");
    let output = train(&[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("step    2"), "{}", stderr(&output));
    let weights = std::fs::read(&file).unwrap();
    let made = std::fs::read_to_string(folder.path().join("a.weights.txt")).unwrap();
    assert!(made.starts_with("taquin train --shape 2x4 --goal blank-last --steps "), "{made}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);

    let output = train(&[]);
    assert!(output.status.code() == Some(2) && stderr(&output).contains("--force"), "{}", stderr(&output));
    let output = train(&["--force", "--quiet"]);
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(0), ""));
    assert!(std::fs::read(&file).unwrap() == weights);
}

/// Neither the weights nor what is said of them is written over another file.
#[test]
fn no_file_of_others_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let (file, boards) = (folder.path().join("2x4"), folder.path().join("2x4.txt"));
    std::fs::write(&boards, "1 2 3 4 5 6 7 0\n").unwrap();
    let output = run(&["train", "--shape", "2x4", "--steps", "1", "-j", "1", "-o", file.to_str().unwrap()], "");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("2x4.txt is there already"), "{output:?}");
    assert_eq!(std::fs::read_to_string(boards).unwrap(), "1 2 3 4 5 6 7 0\n");
    assert!(!file.exists());
}

#[test]
fn what_cannot_be_trained_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.weights");
    let name = file.to_str().unwrap();
    for (arguments, told_as) in [
        (&["--shape", "9x9", "--steps", "1"][..], "64 cells"),
        (&["--shape", "1x9", "--steps", "1"], "no weights"),
        (&["--shape", "2x2", "--steps", "1"], "no weights"),
        (&["--shape", "6x6", "--steps", "1", "--memory", "100M", "-j", "2"], "--memory"),
        (&["--shape", "4x4"], "--time"),
        (&["--shape", "4x4", "--steps", "0"], "--steps"),
        (&["--shape", "4x4", "--steps", "1", "--resume", "--force"], "--force"),
    ] {
        let output = run(&[&["train", "-o", name], arguments].concat(), "");
        let told = stderr(&output);
        assert!(output.status.code() == Some(2) && told.contains(told_as), "{arguments:?}: {told}");
    }
    // What is left of another training is no training.
    std::fs::write(folder.path().join("a.weights.training"), "taquin training\nand so on").unwrap();
    let output = run(&["train", "-o", name, "--shape", "2x4", "--steps", "1"], "");
    assert!(stderr(&output).contains("--resume"), "{}", stderr(&output));
    let output = run(&["train", "-o", name, "--shape", "2x4", "--steps", "1", "--resume"], "");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("cannot go on"), "{}", stderr(&output));
    assert!(!file.exists());
}
