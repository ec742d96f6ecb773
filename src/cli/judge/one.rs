//! The verdict on one file of answers, and its exit status.

use std::path::Path;

use clap::ValueEnum;

use crate::board::{Board, Goal};
use crate::cli::options::{BoardOptions, Moves, Solving};
use crate::cli::ui::progress::{ProgressDisplay, Work};
use crate::cli::ui::{print_lines, warn};
use crate::format::input::{Input, InputOptions, Reader};
use crate::format::profile::{AnswerFormat, ClaimReader};
use crate::solver::Solver;
use crate::tools::judge::{self, AnswerFiles, FaultKind, LocatedFault};
use crate::tools::show::board_rows;
use crate::tools::text::{counted, escaped};

/// The convention for the exit status of `judge`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExitStyle {
    Taquin,
    Testlib,
    Icpc,
}

/// The outcome of a run, ordered from best to worst. Its exit status depends on the convention.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum JudgeOutcome {
    Accepted,
    Presentation,
    Wrong,
    NoVerdict,
}

impl JudgeOutcome {
    /// Returns the name of the outcome in messages, and its exit status in each convention.
    const fn row(self) -> (&'static str, [u8; 3]) {
        match self {
            JudgeOutcome::Accepted => ("accepted", [0, 0, 42]),
            JudgeOutcome::Presentation => ("presentation error", [1, 2, 43]),
            JudgeOutcome::Wrong => ("wrong answer", [1, 1, 43]),
            JudgeOutcome::NoVerdict => ("no verdict", [2, 3, 2]),
        }
    }

    /// Returns the name of the outcome in messages.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the exit status.
    pub const fn code(self, style: ExitStyle) -> u8 {
        self.row().1[style as usize]
    }
}

/// The files for one verdict, or the folders for several.
pub struct JudgeFiles<'a> {
    /// The boards.
    pub input: &'a Path,
    /// The contestant's answers.
    pub output: &'a Path,
    /// The jury's answers.
    pub jury: Option<&'a Path>,
}

/// A judge's rules, and the solver for its boards.
pub struct Judge {
    format: AnswerFormat,
    solver: Solver,
    options: InputOptions,
}

impl Judge {
    /// Returns the judge for the profile in these options.
    ///
    /// # Errors
    /// A message for the user, if there is no profile, or the profile does not fit the options.
    pub fn new(boards: &BoardOptions, moves: Moves, solving: &Solving) -> Result<Judge, String> {
        let profile =
            boards.profile.ok_or("the format of the answers is unknown: use --as PROFILE (see taquin profiles)")?;
        let options = boards.options(solving);
        // Answers are read in the notation that the options select. The notation also determines
        // how long an answer may be.
        let format = moves.answer_format(profile, options.shape)?;
        let solver = if format.takes_any_shortest() { solving.for_lengths().solver() } else { solving.solver() };
        Ok(Judge { format, solver, options })
    }

    /// Returns the verdict on files. The boards are read with these options.
    fn verdict(
        &self,
        files: &JudgeFiles<'_>,
        options: InputOptions,
        warn: &dyn Fn(&str),
    ) -> Result<judge::Verdict, String> {
        let open = |path: &Path| {
            let cannot_read = |error| format!("cannot read {}: {error}", path.display());
            ClaimReader::open(&Input::named(path), &self.format).map_err(cannot_read)
        };
        let (answer, jury) = (open(files.output)?, files.jury.map(open).transpose()?);
        let mut reader = Reader::new(vec![Input::named(files.input)], options);
        let (progress, read) = (ProgressDisplay::usual(false, true), reader.amount_read());
        let verdict = progress.during(
            || Work::reading(&read, Some(&self.solver)),
            || judge::run(&self.format, &self.solver, &mut reader, AnswerFiles { answer, jury }, warn),
        );
        verdict.map_err(|error| error.to_string())
    }

    /// Prints `prefix` and the verdict on files. Returns the outcome.
    ///
    /// # Errors
    /// A message for the user, if there is no verdict.
    pub fn report(&self, prefix: &str, files: &JudgeFiles<'_>) -> Result<JudgeOutcome, String> {
        let paths = [Some(files.input), Some(files.output), files.jury];
        if paths.into_iter().flatten().filter(|path| path.as_os_str() == "-").count() > 1 {
            return Err("cannot read two files from standard input: give - only once".into());
        }
        let verdict = self.verdict(files, self.options.clone(), &warn)?;
        let Some(found) = &verdict.first_fault else {
            let right = counted(verdict.right, "case");
            print_lines(&format!("{}accepted: {right}\n", escaped(prefix)))?;
            return Ok(JudgeOutcome::Accepted);
        };
        let mut text = escaped(prefix) + &described(found);
        if let Some(goal) = self.other_goal(files, found) {
            text += &format!("the answers would be accepted with --goal {goal}\n");
        }
        print_lines(&text)?;
        Ok(match found.fault.kind {
            FaultKind::Wrong => JudgeOutcome::Wrong,
            FaultKind::Presentation => JudgeOutcome::Presentation,
            FaultKind::Jury | FaultKind::Undecided | FaultKind::Program => JudgeOutcome::NoVerdict,
        })
    }

    /// Returns another common goal for which the contestant's answers would be accepted, if there
    /// is one.
    fn other_goal(&self, files: &JudgeFiles<'_>, found: &LocatedFault) -> Option<Goal> {
        let goal = self.options.goal.as_ref()?;
        // A bug, or a limit that was reached, says nothing about the goal.
        let is_other_fault = matches!(found.fault.kind, FaultKind::Program | FaultKind::Undecided);
        // A pipe cannot be read again.
        if is_other_fault || !(files.input.is_file() && files.output.is_file()) {
            return None;
        }
        let files = JudgeFiles { jury: None, ..*files };
        let accepts = |other: &Goal| {
            let options = InputOptions { goal: Some(other.clone()), ..self.options.clone() };
            self.verdict(&files, options, &|_| {}).is_ok_and(|verdict| verdict.first_fault.is_none())
        };
        [Goal::BlankLast, Goal::BlankFirst, Goal::Snail].into_iter().find(|other| other != goal && accepts(other))
    }
}

/// Describes a fault, and draws the board and the goal that it is about.
fn described(found: &LocatedFault) -> String {
    let LocatedFault { fault, case, input, answer_line, puzzle } = found;
    let mut places = Vec::new();
    places.extend(answer_line.map(|line| format!("line {line} of the answer")));
    places.extend(input.as_ref().map(|(name, line)| format!("board at {name}:{line}")));
    let places = if places.is_empty() { String::new() } else { format!(" ({})", places.join(", ")) };
    let case = if *case > 0 { format!(" in case {case}") } else { String::new() };
    let mut text = escaped(&format!("{}{case}{places}: {}", fault.kind, fault.message)) + "\n";
    if let Some((board, goal)) = puzzle {
        text += &drawn(board, goal);
    }
    text
}

/// Draws the board and the goal side by side, under the headings `start` and `goal`.
fn drawn(board: &Board, goal: &Board) -> String {
    let (boards, goals, middle) = (board_rows(board, "."), board_rows(goal, "."), board.shape().rows() / 2);
    let width = boards.lines().next().map_or(0, str::len);
    let mut text = format!("   {:width$}        goal\n", "start");
    for (at, (board, goal)) in boards.lines().zip(goals.lines()).enumerate() {
        let arrow = if at == middle { "->" } else { "  " };
        text += &format!("   {board}   {arrow}   {goal}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Move, Shape};

    #[test]
    fn boards_are_drawn() {
        let goal = Goal::BlankLast.on(Shape::new(3, 4).unwrap()).unwrap();
        let board = goal.after(Move::Up).unwrap();
        let expected = "   start              goal\n    1  2  3  4         1  2  3  4\n    5  6  7  .   ->    5  6  7  8\n    9 10 11  8         9 10 11  .\n";
        assert_eq!(drawn(&board, &goal), expected);
    }

    #[test]
    fn every_convention_has_its_statuses() {
        let outcomes =
            [JudgeOutcome::Accepted, JudgeOutcome::Wrong, JudgeOutcome::Presentation, JudgeOutcome::NoVerdict];
        assert_eq!(outcomes.map(|outcome| outcome.code(ExitStyle::Taquin)), [0, 1, 1, 2]);
        assert_eq!(outcomes.map(|outcome| outcome.code(ExitStyle::Testlib)), [0, 1, 2, 3]);
        assert_eq!(outcomes.map(|outcome| outcome.code(ExitStyle::Icpc)), [42, 43, 43, 2]);
    }
}
