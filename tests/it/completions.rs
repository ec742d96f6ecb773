//! Shell completions in a real bash, the syntax of the script for zsh (if installed), and the
//! manual pages.

use std::path::Path;
use std::process::Command;

use crate::common::{program, run, stderr, stdout};

/// Returns the completions that bash offers for the last word of a command line.
fn bash(words: &[&str]) -> Vec<String> {
    let program = program();
    let last = words.len() - 1;
    let script = format!(
        "source <('{program}' completions bash); COMP_WORDS=({}); COMP_CWORD={last}; \
         _taquin taquin '{}' '{}'; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words[last],
        words[last - 1],
    );
    let output = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(String::from).collect()
}

#[test]
fn bash_completes_values_of_options() {
    assert_eq!(bash(&["taquin", "solve", "--as", "uva"]), ["uva652", "uva10181"]);
    assert_eq!(bash(&["taquin", "solve", "--engine", "a"]), ["auto", "astar"]);
    assert_eq!(bash(&["taquin", "solve", "--format", "s"]), ["sized"]);
    assert_eq!(bash(&["taquin", "solve", "--fields", "lo"]), ["lower_bound"]);
    assert_eq!(bash(&["taquin", "solve", "--notation", "t"]), ["tiles"]);
    assert_eq!(bash(&["taquin", "profiles", "hdu"]), ["hdu1043", "hdu3567"]);
    assert_eq!(bash(&["taquin", "generate", "--difficulty", ""]), ["easy", "medium", "hard"]);
    assert_eq!(bash(&["taquin", "solve", "--fields", "an"]), ["analysis"]);
}

#[test]
fn zsh_accepts_its_script() {
    let script = stdout(&run(&["completions", "zsh"], ""));
    assert!(script.contains("uva10181") && script.contains("lower_bound"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("_taquin");
    std::fs::write(&file, script).unwrap();
    match Command::new("zsh").args(["-n", file.to_str().unwrap()]).output() {
        Ok(output) => assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => eprintln!("skipped: there is no zsh"),
    }
}

#[test]
fn every_cited_manual_page_exists() {
    let folder = tempfile::tempdir().unwrap();
    let named = folder.path().to_str().unwrap();
    assert_eq!(run(&["man", "-o", named], "").status.code(), Some(0));
    let main = std::fs::read_to_string(folder.path().join("taquin.1")).unwrap().replace('\\', "");
    let cited: Vec<&str> =
        main.split("taquin-").skip(1).filter_map(|rest| rest.split_once("(1)")).map(|(name, _)| name).collect();
    assert!(cited.contains(&"solve") && cited.len() > 10, "{cited:?}");
    for name in cited {
        assert!(Path::new(named).join(format!("taquin-{name}.1")).exists(), "{name}");
        assert!(stdout(&run(&["man", name], "")).contains(name));
    }
    assert!(stderr(&run(&["man", "sovle"], "")).contains("unknown command 'sovle'"));
}

#[test]
fn similar_names_are_suggested() {
    for subcommand in [&["solve", "--as", "uva-10181"][..], &["profiles", "uva1018"], &["generate", "--as", "uva10182"]]
    {
        let error = stderr(&run(subcommand, ""));
        assert!(error.contains("the nearest names are uva10181,"), "{error}");
    }
}

#[test]
fn help_has_a_description_usage_examples_and_exit_statuses_in_this_order() {
    for (subcommand, start) in [("solve", "Solve boards"), ("generate", "Generate boards"), ("show", "Play a solution")]
    {
        let help = stdout(&run(&[subcommand, "--help"], ""));
        let at = |text: &str| help.find(text).unwrap_or_else(|| panic!("{text}: {help}"));
        assert!(help.starts_with(start) && at("Usage:") < at("Examples:") && at("Examples:") < at("Exit status:"));
    }
    assert!(stdout(&run(&["--help"], "")).starts_with("Solves sliding-tile puzzles"));
}
