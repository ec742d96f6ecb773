//! `taquin judge`: checks a contestant's answer file.

mod one;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;

use super::options::{BoardLimits, BoardOptions, MachineResources, Moves, Solving};
use super::ui::{print_lines, warn};
use crate::tools::text::counted;
use one::{ExitStyle, Judge, JudgeFiles, JudgeOutcome};

const AFTER: &str = "\
Examples:
  taquin judge --as hdu3567 data.in team.out
  taquin judge --as uva10181 data.in team.out jury.out
  taquin judge --as ./mine.toml data/ team/
  taquin judge --as poj1077 --exit testlib \"$1\" \"$2\" \"$3\"
  taquin judge --as poj1077 --exit icpc \"$1\" - \"$2\"

Exit status:
                      taquin  testlib  icpc
  Accepted                 0        0    42
  Wrong answer             1        1    43
  Presentation error       1        2    43
  No verdict               2        3     2
For folders, the status is that of the worst file. From worst to best: no verdict, wrong answer, presentation error, accepted. \
There is no verdict if a file cannot be read, if the input is not valid, if the jury's answer is wrong, or if taquin \
reached a limit on a board and no jury answer decides.";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER, override_usage = "taquin judge [OPTIONS] --as <PROFILE> <INPUT> <OUTPUT> [JURY]")]
pub(super) struct Arguments {
    /// The jury's input, or a folder of *.in files
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// The contestant's answers, or a folder of *.out or *.ans files; - for standard input
    #[arg(value_name = "OUTPUT")]
    output: PathBuf,

    /// The jury's answers, checked first: a file, or a folder of *.ans or *.out files
    ///
    /// If taquin does not solve a board within --time-limit or --node-limit, the number of moves in
    /// the jury's answer decides, unless the judge requires the canonical path.
    #[arg(value_name = "JURY")]
    jury: Option<PathBuf>,

    #[command(flatten)]
    boards: BoardOptions,

    /// Convention for exit statuses: taquin, testlib, icpc
    #[arg(long, value_name = "STYLE", default_value = "taquin", help_heading = "Output")]
    exit: ExitStyle,

    #[command(flatten, next_help_heading = "Input")]
    moves: Moves,

    #[command(flatten)]
    resources: MachineResources,

    #[command(flatten)]
    limits: BoardLimits,
}

/// Returns the exit status for invalid arguments. The usual status 2 is testlib's presentation
/// error, which would blame the contestant.
pub(super) fn usage_status(arguments: &[OsString]) -> u8 {
    let is_judge = arguments.get(1).is_some_and(|command| command == "judge");
    let is_testlib = is_judge && arguments.iter().any(|word| word == "testlib" || word == "--exit=testlib");
    JudgeOutcome::NoVerdict.code(if is_testlib { ExitStyle::Testlib } else { ExitStyle::Taquin })
}

pub(super) fn run(arguments: &Arguments) -> u8 {
    let outcome = arguments.verdict().unwrap_or_else(|why| {
        warn(&why);
        JudgeOutcome::NoVerdict
    });
    outcome.code(arguments.exit)
}

impl Arguments {
    fn verdict(&self) -> Result<JudgeOutcome, String> {
        let Arguments { input, output, jury, .. } = self;
        let solving = Solving { resources: self.resources, limits: self.limits, ..Solving::default() };
        let judge = Judge::new(&self.boards, self.moves, &solving)?;
        let files = JudgeFiles { input, output, jury: jury.as_deref() };
        if input.is_dir() && output.is_dir() { report_folders(&judge, &files) } else { judge.report("", &files) }
    }
}

/// Prints a verdict on the files of each name in these folders, and an overall one.
///
/// # Errors
/// A message for the user, if the folders cannot be read or there are no files.
fn report_folders(judge: &Judge, folders: &JudgeFiles<'_>) -> Result<JudgeOutcome, String> {
    let cannot_read = |error| format!("cannot read the folders: {error}");
    let mut names = stems(folders.input, &["in"]).map_err(cannot_read)?;
    names.extend(stems(folders.output, &["out", "ans"]).map_err(cannot_read)?);
    // A jury's folder that cannot be read is an error, too.
    folders.jury.map(Path::read_dir).transpose().map_err(cannot_read)?;
    if names.is_empty() {
        return Err(format!("{}: there are no files named NAME.in", folders.input.display()));
    }
    let verdict = |stem: &OsString| {
        let name = stem.to_string_lossy();
        report_one(judge, folders, stem, &name).unwrap_or_else(|why| {
            warn(&format!("{name}: {why}"));
            JudgeOutcome::NoVerdict
        })
    };
    let outcomes: Vec<JudgeOutcome> = names.iter().map(verdict).collect();
    let worst = outcomes.iter().copied().max().unwrap_or(JudgeOutcome::NoVerdict);
    let accepted = outcomes.iter().filter(|&&outcome| outcome == JudgeOutcome::Accepted).count();
    let files = counted(outcomes.len() as u64, "file");
    print_lines(&match worst {
        JudgeOutcome::Accepted => format!("accepted: {files}\n"),
        _ => format!("{}: {accepted} of {files} accepted\n", worst.name()),
    })?;
    Ok(worst)
}

/// Prints the verdict on the files of one name: `NAME.in` with `NAME.out` or `NAME.ans`, and with
/// `NAME.ans` or `NAME.out` of the jury. If a folder has both, the one named first here is taken.
fn report_one(judge: &Judge, folders: &JudgeFiles<'_>, stem: &OsStr, name: &str) -> Result<JudgeOutcome, String> {
    let find = |folder: &Path, extensions: &[&str], what: &str| {
        let path = |extension: &&str| {
            let name: OsString = [stem, OsStr::new("."), OsStr::new(extension)].into_iter().collect();
            folder.join(name)
        };
        let found = extensions.iter().map(path).find(|path| path.is_file());
        found.ok_or_else(|| format!("there is no {what} in {}", folder.display()))
    };
    let answers = format!("{name}.out or {name}.ans");
    let input = find(folders.input, &["in"], &format!("{name}.in"))?;
    let output = find(folders.output, &["out", "ans"], &answers)?;
    let jury = folders.jury.map(|jury| find(jury, &["ans", "out"], &answers)).transpose()?;
    judge.report(&format!("{name}: "), &JudgeFiles { input: &input, output: &output, jury: jury.as_deref() })
}

/// Returns the names, without extensions, of a folder's files with one of these extensions.
fn stems(folder: &Path, extensions: &[&str]) -> io::Result<BTreeSet<OsString>> {
    let mut stems = BTreeSet::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        let is_wanted = path.extension().is_some_and(|actual| extensions.iter().any(|&wanted| actual == wanted));
        if is_wanted && path.is_file() {
            stems.extend(path.file_stem().map(OsStr::to_os_string));
        }
    }
    Ok(stems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_arguments_do_not_blame_the_contestant() {
        let usage = |words: &[&str]| usage_status(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(usage(&["taquin", "judge", "--exit", "testlib", "--wrong"]), 3);
        assert_eq!(usage(&["taquin", "judge", "--exit=testlib"]), 3);
        assert_eq!(usage(&["taquin", "judge", "--exit", "icpc"]), 2);
        assert_eq!(usage(&["taquin", "solve", "testlib"]), 2);
    }
}
