//! `taquin judge`: checks a contestant's answer file.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::HumanCount;

use super::options::{BoardLimits, Boards, Moves, Resources, Solving};
use super::ui::{Status, fail, message, print_lines, printable, warn};
use crate::board::Board;
use crate::format::input::{Input, Reader};
use crate::format::profile::{AnswerFormat, ClaimReader};
use crate::tools::judge::{self, AnswerFiles, FaultKind, Finding, JudgeConfig, Rules, Verdict};

const AFTER: &str = "\
Examples:
  taquin judge --as hdu3567 data.in team.out
  taquin judge --as uva10181 data.in team.out jury.out
  taquin judge --as poj1077 --exit testlib \"$1\" \"$2\" \"$3\"
  taquin judge --as poj1077 --exit icpc \"$1\" - \"$2\"

Exit status:
                      taquin  testlib  icpc
  Right                    0        0    42
  Wrong                    1        1    43
  Presentation error       1        2    43
  No verdict               2        3     2
There is no verdict if a file cannot be read, or the input or the jury's answer is wrong.";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// The judge's input
    #[arg(value_name = "INPUT")]
    input: PathBuf,

    /// The contestant's answers; - for standard input
    #[arg(value_name = "ANSWER")]
    answer: PathBuf,

    /// The jury's answers, checked first
    ///
    /// The contestant's answer is compared with them if a board is not solved within its limits.
    #[arg(value_name = "JURY")]
    jury: Option<PathBuf>,

    #[command(flatten)]
    boards: Boards,

    /// Convention for exit statuses: taquin, testlib, icpc
    #[arg(
        long,
        value_name = "STYLE",
        value_enum,
        default_value = "taquin",
        hide_possible_values = true,
        help_heading = "Output"
    )]
    exit: ExitStyle,

    #[command(flatten)]
    moves: Moves,

    #[command(flatten)]
    resources: Resources,

    #[command(flatten)]
    limits: BoardLimits,
}

/// The convention for the exit status of `judge`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ExitStyle {
    Taquin,
    Testlib,
    Icpc,
}

/// The outcome of a run. Its exit status depends on the convention.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Right,
    Wrong,
    Presentation,
    NoVerdict,
}

impl End {
    const fn code(self, style: ExitStyle) -> u8 {
        match (style, self) {
            (ExitStyle::Taquin | ExitStyle::Testlib, End::Right) => 0,
            (ExitStyle::Taquin, End::Wrong | End::Presentation) => 1,
            (ExitStyle::Testlib, End::Wrong) => 1,
            (ExitStyle::Testlib, End::Presentation) => 2,
            (ExitStyle::Testlib, End::NoVerdict) => 3,
            (ExitStyle::Icpc, End::Right) => 42,
            (ExitStyle::Icpc, End::Wrong | End::Presentation) => 43,
            (ExitStyle::Taquin | ExitStyle::Icpc, End::NoVerdict) => Status::RunFailed.code(),
        }
    }
}

/// Returns the exit status for invalid arguments. The usual status 2 is testlib's presentation
/// error, which would blame the contestant.
///
/// Only an `--exit` option after the subcommand and before `--` selects the convention.
pub(super) fn usage_status(arguments: &[OsString]) -> u8 {
    let mut words = arguments.iter().skip(1).map(|word| word.to_string_lossy());
    let mut style = ExitStyle::Taquin;
    if words.next().as_deref() == Some("judge") {
        while let Some(word) = words.next() {
            let value = match word.strip_prefix("--exit") {
                Some("") => words.next(),
                Some(value) => value.strip_prefix('=').map(|value| value.to_string().into()),
                None if word == "--" => break,
                None => None,
            };
            if let Some(named) = value.and_then(|value| ExitStyle::from_str(&value, false).ok()) {
                style = named;
            }
        }
    }
    End::NoVerdict.code(style)
}

pub(super) fn run(arguments: &Arguments) -> u8 {
    let end = match check(arguments) {
        Ok(verdict) => report(&verdict),
        Err(why) => {
            fail(&why);
            End::NoVerdict
        }
    };
    end.code(arguments.exit)
}

fn check(arguments: &Arguments) -> Result<Verdict, String> {
    let &Arguments { ref boards, moves, resources, limits, .. } = arguments;
    let solving = Solving { resources, limits, ..Solving::default() };
    let profile = boards.profile.ok_or("which format are the answers in? use --as PROFILE (see 'taquin profiles')")?;
    let none = || format!("{} has no answer format: use another profile", profile.name);
    let format = profile.answer.as_ref().ok_or_else(none)?;
    profile.check_shape(boards.options(&solving).shape, moves.notation, moves.path_of)?;
    let files = [Some(&arguments.input), Some(&arguments.answer), arguments.jury.as_ref()];
    if files.into_iter().flatten().filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err("cannot read two files from standard input: name one of them".into());
    }
    // The maximum length of an answer depends on the notation.
    let format = &AnswerFormat { spelling: format.spelling.with(moves.notation, moves.path_of), ..*format };
    let answer = open(&arguments.answer, format)?;
    let jury = arguments.jury.as_deref().map(|path| open(path, format)).transpose()?;
    let solver = if format.takes_any_shortest() { solving.for_lengths().solver() } else { solving.solver() };
    let config = JudgeConfig { rules: Rules::new(format, moves.notation, moves.path_of), solver: &solver };
    let mut reader = Reader::new(vec![input(&arguments.input)], boards.options(&solving));
    judge::run(&config, &mut reader, AnswerFiles { answer, jury }, &warn).map_err(|error| error.to_string())
}

fn input(path: &Path) -> Input {
    if path == Path::new("-") { Input::Stdin } else { Input::Path(path.to_path_buf()) }
}

fn open(path: &Path, format: &AnswerFormat) -> Result<ClaimReader, String> {
    ClaimReader::open(&input(path), format).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Prints the verdict and returns the outcome.
fn report(verdict: &Verdict) -> End {
    let right = HumanCount(verdict.right);
    let Some(finding) = &verdict.fault else {
        let cases = if verdict.right == 1 { "case" } else { "cases" };
        print_lines(&format!("accepted: {right} {cases}\n"));
        return End::Right;
    };
    let text = described(finding);
    print_lines(&text);
    match finding.fault.kind {
        FaultKind::Wrong => End::Wrong,
        FaultKind::Presentation => End::Presentation,
        FaultKind::Jury | FaultKind::Undecided => End::NoVerdict,
        FaultKind::Program => {
            let rule = "!".repeat(72);
            message(&rule);
            message("AN ANSWER PROVES TAQUIN WRONG. The contestant is not at fault.");
            text.lines().for_each(message);
            message(&rule);
            End::NoVerdict
        }
    }
}

fn described(finding: &Finding) -> String {
    let Finding { fault, case, input, answer_line, puzzle } = finding;
    let mut places = Vec::new();
    places.extend(answer_line.map(|line| format!("line {line} of the answer")));
    places.extend(input.as_ref().map(|(name, line)| format!("board at {name}:{line}")));
    let places = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
    let case = if *case > 0 { format!(" in case {case}") } else { String::new() };
    let mut text = printable::line(&format!("{}{case}{places}: {}", fault.kind, fault.message)) + "\n";
    if let Some((board, goal)) = puzzle {
        text += &drawn(board, goal);
    }
    text
}

/// Draws the board and the goal side by side.
fn drawn(board: &Board, goal: &Board) -> String {
    let (shape, mut text) = (board.shape(), String::new());
    let width = (shape.cells() - 1).to_string().len();
    let row = |board: &Board, row: usize| {
        let tiles = &board.tiles()[row * shape.cols()..][..shape.cols()];
        tiles.iter().fold(String::new(), |line, tile| match tile.label() {
            0 => format!("{line} {:>width$}", "."),
            label => format!("{line} {label:>width$}"),
        })
    };
    for at in 0..shape.rows() {
        let arrow = if at == shape.rows() / 2 { "->" } else { "  " };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {}   {arrow}  {}", row(board, at), row(goal, at));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Goal, Move, Shape};

    #[test]
    fn every_convention_has_its_numbers() {
        let ends = [End::Right, End::Wrong, End::Presentation, End::NoVerdict];
        assert_eq!(ends.map(|end| end.code(ExitStyle::Taquin)), [0, 1, 1, 2]);
        assert_eq!(ends.map(|end| end.code(ExitStyle::Testlib)), [0, 1, 2, 3]);
        assert_eq!(ends.map(|end| end.code(ExitStyle::Icpc)), [42, 43, 43, 2]);
        let usage = |words: &[&str]| usage_status(&words.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(usage(&["taquin", "judge", "--exit", "testlib", "--wrong"]), 3);
        assert_eq!(usage(&["taquin", "judge", "--exit=testlib"]), 3);
        assert_eq!(usage(&["taquin", "judge", "--exit", "icpc"]), 2);
        assert_eq!(usage(&["taquin", "solve", "testlib"]), 2);
        // File names and values of other options are not conventions.
        assert_eq!(usage(&["taquin", "judge", "--exit", "icpc", "testlib", "--wrong"]), 2);
        assert_eq!(usage(&["taquin", "judge", "--wrong", "testlib", "in", "out"]), 2);
        assert_eq!(usage(&["taquin", "judge", "in", "--", "--exit", "testlib", "a", "b"]), 2);
        assert_eq!(usage(&["taquin", "solve", "--exit", "testlib"]), 2);
        assert_eq!(usage(&["taquin", "judge", "--exit"]), 2);
    }

    #[test]
    fn boards_are_drawn() {
        let goal = Goal::BlankLast.on(Shape::new(3, 4).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let expected =
            "    1  2  3  4         1  2  3  4\n    5  6  7  .   ->    5  6  7  8\n    9 10 11  8         9 10 11  .\n";
        assert_eq!(drawn(&board, &goal), expected);
    }
}
