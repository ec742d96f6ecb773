//! The command line of the program.
//!
//! This file defines the subcommands, parses the arguments and runs the requested subcommand. Most
//! subcommands have a file with their arguments and examples. Subcommands that only print reference
//! material have their arguments here and share the file `reference`. Shared code is in `options`
//! (arguments that subcommands share) and `ui` (output).

mod batch_run;
mod check;
mod generate;
mod improve;
mod judge;
mod merge;
mod options;
mod reference;
mod report;
mod show;
mod solve;
mod ui;
mod verify;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::format::passthrough::Pass;
use crate::format::profile::Profile;
use crate::tools::text::escaped;
use ui::{Stop, signals};

const AFTER: &str = "\
Examples:
  taquin solve boards.txt
  echo '2 3 4 1 5 x 7 6 8' | taquin solve
  taquin show 2 3 4 1 5 x 7 6 8
  taquin generate --moves 20..24 --count 100
  taquin judge --as hdu3567 data.in team.out
  taquin verify results.jsonl inputs/";

/// Solves sliding-tile puzzles in bulk.
#[derive(Debug, Parser)]
#[command(name = "taquin", version, after_long_help = AFTER, max_term_width = 100, arg_required_else_help = true)]
struct Taquin {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Solve boards from files, one JSON line per record
    Solve(Box<solve::Arguments>),
    /// Check a contestant's answers to test data of a contest
    Judge(Box<judge::Arguments>),
    /// Shorten paths, such as those of another solver
    Improve(Box<improve::Arguments>),
    /// Generate boards of a given size and difficulty
    #[command(alias = "gen")]
    Generate(Box<generate::Arguments>),
    /// Check boards against conditions, with exit status 1 for violations
    #[command(aliases = ["assert", "validate"])]
    Check(Box<check::Arguments>),
    /// List the profiles (online-judge formats) that --as accepts
    Profiles {
        /// Print the definition of this profile (TOML) instead of the list
        #[arg(value_name = "PROFILE", value_parser = options::values::AnyProfile)]
        name: Option<&'static Profile>,
    },
    /// Summarise results files as an HTML page
    Report(Box<report::Arguments>),
    /// Play a solution in the terminal, print it, or save it as an SVG image
    #[command(alias = "play")]
    Show(Box<show::Arguments>),
    /// Verify a results file against its inputs
    Verify(Box<verify::Arguments>),
    /// Join the parts of a sharded run
    Merge(merge::Arguments),
    /// Print the JSON Schema of result lines
    Schema {
        /// Columns to include, as given to solve --pass
        #[arg(long, value_name = "COLUMNS")]
        pass: Option<Pass>,
    },
    /// Print a shell completion script
    Completions {
        /// bash, elvish, fish, powershell, zsh
        #[arg(value_name = "SHELL")]
        shell: clap_complete::Shell,
    },
    /// Print the manual pages
    Man {
        /// Print the page of this command [default: the main page, which lists the commands]
        #[arg(value_name = "COMMAND")]
        subcommand: Option<String>,

        /// Write all pages to FOLDER: taquin.1, taquin-solve.1 and so on
        ///
        /// Existing pages are overwritten.
        #[arg(short, long, value_name = "FOLDER", conflicts_with = "subcommand")]
        output: Option<PathBuf>,
    },
}

/// The commands by purpose, as the program's help lists them.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Solve boards", &["solve", "improve", "merge"]),
    ("Check", &["check", "judge", "verify"]),
    ("Create and show", &["generate", "show", "report"]),
    ("Reference", &["profiles", "schema", "completions", "man"]),
];

/// Returns the help template of the program. clap itself cannot group commands.
fn template(command: &clap::Command) -> String {
    let header = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let width = GROUPS.iter().flat_map(|(_, names)| names.iter()).map(|name| name.len()).max().unwrap_or(0);
    let mut groups = String::new();
    for (title, names) in GROUPS {
        groups += &format!("{header}{title}{header:#}\n");
        for command in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let (name, about) = (command.get_name(), command.get_about().map(ToString::to_string).unwrap_or_default());
            groups += &format!("  {literal}{name:<width$}{literal:#}  {about}\n");
        }
        groups.push('\n');
    }
    let options = format!("{header}Options{header:#}\n");
    format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{options}{{options}}{{after-help}}")
}

/// Returns the definition of all arguments.
fn definition() -> clap::Command {
    let command = Taquin::command();
    let template = template(&command);
    // The text of each option lists its values.
    command.help_template(template).hide_possible_values(true)
}

fn parse<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>) -> Result<Taquin, clap::Error> {
    let mut definition = definition();
    let matches = definition.try_get_matches_from_mut(arguments)?;
    Taquin::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))
}

/// Runs the program with these arguments, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    // If the signal cannot be caught, a run that exceeds the file size limit is killed without a
    // message.
    let _ = signals::catch_file_size_limit();
    let parsed = match parse(&arguments) {
        Ok(parsed) => parsed,
        Err(error) => {
            // The message quotes arguments. They may be file names that a shell pattern matched,
            // with control characters. Parsing the escaped arguments gives the same error.
            let status = if error.use_stderr() { judge::usage_status(&arguments) } else { 0 };
            let escaped = |argument: &OsString| OsString::from(&*escaped(&argument.to_string_lossy()));
            let safe: Vec<OsString> = arguments.iter().map(escaped).collect();
            let shown = match safe == arguments {
                true => error,
                false => parse(safe).err().unwrap_or_else(|| clap::Error::new(error.kind())),
            };
            // A closed pipe is ignored.
            let _ = shown.print();
            return ExitCode::from(status);
        }
    };
    let ended = match parsed.command {
        Command::Solve(arguments) => solve::run(&arguments),
        Command::Judge(arguments) => return ExitCode::from(judge::run(&arguments)),
        Command::Improve(arguments) => arguments.run(),
        Command::Generate(arguments) => arguments.run(),
        Command::Profiles { name } => reference::profiles(name),
        Command::Check(arguments) => arguments.run(),
        Command::Report(arguments) => report::run(&arguments),
        Command::Show(arguments) => arguments.run(),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Verify(arguments) => verify::run(&arguments),
        Command::Schema { pass } => reference::schema(pass.as_ref()),
        Command::Completions { shell } => reference::completions(shell, &mut definition()),
        Command::Man { subcommand, output } => reference::man(subcommand.as_deref(), output.as_deref(), definition()),
    };
    ExitCode::from(ended.unwrap_or_else(Stop::report).code())
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::collections::BTreeSet;

    #[test]
    fn the_definition_is_sound() {
        definition().debug_assert();
    }

    /// Returns the commands that the help lists, without hidden ones.
    fn commands() -> Vec<clap::Command> {
        let mut definition = definition();
        definition.build();
        let listed = definition.get_subcommands().filter(|command| !command.is_hide_set());
        listed.filter(|command| command.get_name() != "help").cloned().collect()
    }

    #[test]
    fn the_help_lists_every_command_in_its_group() {
        let names: BTreeSet<String> = commands().iter().map(|command| command.get_name().to_string()).collect();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(grouped.len(), 13);
        assert_eq!(names, grouped.iter().map(ToString::to_string).collect());
        let help = definition().render_help().to_string();
        for (title, names) in GROUPS {
            let listed: Vec<&str> = help
                .split_once(&format!("\n{title}\n"))
                .map(|(_, rest)| rest.lines().take_while(|line| !line.is_empty()).collect())
                .unwrap_or_default();
            let listed: Vec<&str> = listed.iter().filter_map(|line| line.split_whitespace().next()).collect();
            assert_eq!(listed, names, "{title}");
        }
    }

    #[test]
    fn there_are_few_options() {
        let options: BTreeSet<String> = commands()
            .iter()
            .flat_map(|command| command.get_arguments().filter(|option| !option.is_hide_set()))
            .filter_map(|option| option.get_long().map(String::from))
            .filter(|name| name != "help")
            .collect();
        assert!(options.len() <= 64, "{}: {options:?}", options.len());
    }

    /// The help fits on a screen and a half, and the terminal breaks no line.
    #[test]
    fn short_help_is_short() {
        for command in commands() {
            let help = command.clone().term_width(100).render_help().to_string();
            assert!(help.lines().count() <= 60, "{}: {}", command.get_name(), help.lines().count());
            assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
            assert!(!help.contains("Examples:"), "{help}");
        }
    }

    /// The first line of an option's help is short and does not end with a full stop.
    #[test]
    fn options_are_described_in_one_style() {
        for command in commands() {
            for option in command.get_arguments().filter(|option| !option.is_hide_set()) {
                let text = option.get_help().map(ToString::to_string).unwrap_or_default();
                let name = format!("{} {}: {text}", command.get_name(), option.get_id());
                assert!(!text.is_empty() && !text.ends_with('.') && text.chars().count() <= 120, "{name}");
            }
        }
    }

    #[test]
    fn commands_have_at_most_six_examples() {
        for command in commands() {
            let text = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
            let examples = text.split_once("Examples:\n").map_or("", |(_, examples)| examples);
            let examples = examples.lines().take_while(|line| !line.is_empty()).count();
            assert!(examples <= 6, "{}: {examples}", command.get_name());
        }
    }

    /// Aliases and notations that users of other programs may try.
    #[test]
    fn guesses_are_understood() {
        for (guess, name) in [
            (&["play", "1 2 3 0"][..], &["show", "1 2 3 0"][..]),
            (&["gen", "--moves", "20-30", "--shape", "4"], &["generate", "--moves", "20..30", "--shape", "4x4"]),
            (&["solve", "--jobs", "2", "--timeout", "10s"], &["solve", "--threads", "2", "--time-limit", "10s"]),
            (&["show", "--as", "HDU1043"], &["show", "--as", "hdu1043"]),
            (&["assert", "--solvable"], &["check", "--solvable"]),
            (&["validate", "--moves", "20-30"], &["check", "--moves", "20..30"]),
        ] {
            let parsed = |typed: &[&str]| format!("{:?}", parse([&["taquin"], typed].concat()).unwrap());
            assert_eq!(parsed(guess), parsed(name));
        }
    }
}
