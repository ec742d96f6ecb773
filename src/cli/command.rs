//! The subcommands, and the way from the command line to one of them.

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use super::options::Solving;
use super::ui::{message, printable, signals};
use super::{
    check, completions, generate, improve, judge, man, merge, profiles, report, schema, show, solve, ui, verify,
};

const EXAMPLES: &str = "\
Examples:
  taquin solve boards.txt                      solve every board of a file, results to the terminal
  taquin solve inputs/ -o results.jsonl        every file of a folder, results to a file
  echo '2 3 4 1 5 x 7 6 8' | taquin solve      one board from standard input
  taquin solve --goal snail --fields index,moves boards.txt
  taquin verify results.jsonl inputs/          every result proven
  taquin merge part-*.jsonl -o all.jsonl       the parts of solve --shard, as one run's results
  taquin solve --as hdu3567 data.in -o data.out
                                               golden answers in the format of a judge
  taquin judge --as hdu3567 data.in team.out   check a contestant's answers
  taquin improve boards.txt paths.txt          make the paths of another solver shorter
  taquin generate --moves 20..24 --count 100   boards made to order
  taquin solve --fields analysis boards.txt    difficulty, number of solutions, duplicates
  taquin check --moves 20..30 --unique set.txt
                                               fail unless all boards are so
  taquin show 2 3 4 1 5 x 7 6 8                a solution, replayed in the terminal
  taquin report results.jsonl -o report.html   a run's results as a page with charts";

/// Solves sliding-tile puzzles in bulk: many boards in, one proven shortest answer each out.
#[derive(Debug, Parser)]
#[command(name = "taquin", version, before_help = EXAMPLES, max_term_width = 100, arg_required_else_help = true)]
struct Taquin {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve the boards of files, one JSON line for every record.
    Solve(Box<solve::Arguments>),
    /// Check a contestant's answers to a judge's boards: moves, goal, length, verdicts.
    Judge(Box<judge::Arguments>),
    /// Make paths shorter that came from elsewhere: answers of other solvers, results of less effort.
    Improve(Box<improve::Arguments>),
    /// Make boards to order: random, of an exact difficulty, in any layout, with their answers.
    Generate(Box<generate::Arguments>),
    /// Exit with status 1 unless every board meets the given conditions.
    Check(Box<check::Arguments>),
    /// List the judges and courses that --as knows, where their formats are from, and how sure they are.
    Profiles(profiles::Arguments),
    /// Make one page of a run's results: counts, charts, the hardest boards to be played, invalid records.
    Report(Box<report::Arguments>),
    /// Show the solution of one board: a replay in the terminal, every board as text, or a picture that moves.
    Show(Box<show::Arguments>),
    /// Prove that a results file answers its inputs: every path replayed, every record once, in order.
    Verify(Box<verify::Arguments>),
    /// Put the parts of a run together (solve --shard): the results of one run, to the byte.
    Merge(merge::Arguments),
    /// Print the JSON Schema of result lines.
    Schema(schema::Arguments),
    /// Print a completion script for a shell.
    Completions(completions::Arguments),
    /// Print a manual page (roff), or write the pages of all subcommands.
    Man(man::Arguments),
}

impl Command {
    /// How boards are to be solved, where a subcommand takes options for it.
    fn solving(&self) -> Option<&Solving> {
        match self {
            Command::Solve(arguments) => Some(&arguments.solving),
            Command::Judge(arguments) => Some(&arguments.solving),
            Command::Improve(arguments) => Some(&arguments.solving),
            Command::Check(arguments) => Some(&arguments.solving),
            Command::Show(arguments) => Some(&arguments.solving),
            Command::Verify(arguments) => Some(&arguments.solving),
            _ => None,
        }
    }
}

/// Every help text says what a subcommand does before it gives examples.
const HELP: &str = "\
{about-with-newline}
{before-help}{usage-heading} {usage}

{all-args}{after-help}";

/// The definition of all arguments.
fn definition() -> clap::Command {
    Taquin::command().help_template(HELP).mut_subcommands(|subcommand| subcommand.help_template(HELP))
}

fn parse<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>) -> Result<Taquin, clap::Error> {
    let mut definition = definition();
    let matches = definition.try_get_matches_from_mut(arguments)?;
    Taquin::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))
}

/// Runs the program with these arguments, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // Where it cannot be caught nothing is lost but the message.
    let _ = signals::catch_limit_on_files();
    let parsed = match parse(&arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            complain(&error, &arguments);
            return ExitCode::from(if error.use_stderr() { judge::usage_status(&arguments) } else { 0 });
        }
    };
    if let Some(why) = parsed.command.solving().and_then(Solving::contradiction) {
        let code = ui::fail(why).code();
        return ExitCode::from(if matches!(parsed.command, Command::Judge(_)) {
            judge::usage_status(&arguments)
        } else {
            code
        });
    }
    let status = match parsed.command {
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Judge(arguments) => return ExitCode::from(judge::run(&arguments)),
        Command::Improve(arguments) => improve::run(&arguments),
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Profiles(arguments) => profiles::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Report(arguments) => report::run(&arguments),
        Command::Show(arguments) => show::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, &mut definition()),
        Command::Man(arguments) => man::run(&arguments, definition()),
    };
    ExitCode::from(status.code())
}

/// Prints what is wrong with the arguments – or help and the version, which come this way too. A closed pipe is no reason to
/// fail on them.
fn complain(error: &clap::Error, arguments: &[OsString]) {
    let is_safe = |argument: &OsString| argument.to_str().is_some_and(|text| text.chars().all(printable::is_safe));
    if !error.use_stderr() || arguments.iter().all(is_safe) {
        let _ = error.print();
        return;
    }
    // It quotes arguments, which may be names that a shell has put in for a pattern. As escapes they are as wrong.
    let escaped = arguments.iter().map(|argument| printable::line(&argument.to_string_lossy()));
    let text = match parse(escaped) {
        Err(again) if again.use_stderr() => again.to_string(),
        _ => error.kind().to_string(),
    };
    text.trim_end().lines().for_each(message);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        definition().debug_assert();
    }
}
