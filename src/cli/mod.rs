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

use clap::error::{ContextKind, ContextValue, ErrorKind};
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

/// Help texts that replace those of shared options, in subcommands where an option has a more
/// specific meaning. An entry has the subcommand, the option and the text. If the text has a single
/// line, the other paragraphs of the shared help are kept.
const SPECIFIC_TEXTS: [(&str, &str, &str); 12] = [
    (
        "check",
        "shape",
        "Required shape of all boards [default: the profile's, or any]\n\nIf no shape is required, the shape of a \
         board is the one stated by its record or its file, or square.",
    ),
    (
        "judge",
        "profile",
        "Read boards and answers in this profile (online-judge format): a name or a TOML file (see taquin profiles)",
    ),
    ("judge", "notation", "Notation of the answers: UDLR, udlr, words, tiles, runs [default: as in the profile]"),
    (
        "judge",
        "path_of",
        "What directions in the answers refer to: blank, or tile (the tile that moves) [default: as in the profile]",
    ),
    (
        "improve",
        "profile",
        "Read boards in this profile (online-judge format) and paths in its notation; a name or a TOML file",
    ),
    (
        "improve",
        "notation",
        "Notation of the given paths: UDLR, udlr, words, tiles, runs [default: the profile's, or UDLR]",
    ),
    (
        "improve",
        "path_of",
        "What directions in the given paths refer to: blank, or tile (the tile that moves) [default: the profile's, or blank]",
    ),
    (
        "solve",
        "profile",
        "Read boards and write answers in this profile (online-judge format): a name or a TOML file (see taquin profiles)",
    ),
    ("solve", "notation", "Notation of moves: UDLR, udlr, words, tiles, runs [default: the profile's, or UDLR]"),
    (
        "solve",
        "path_of",
        "What directions in paths refer to: blank, or tile (the tile that moves) [default: the profile's, or blank]",
    ),
    (
        "show",
        "quality",
        "Quality of the path: shortest (proven), good, auto\n\nauto: shortest for boards that have at most 25 \
         cells or only one row or column, otherwise good.",
    ),
    ("verify", "notation", "Notation of paths in the results: UDLR, udlr, words, tiles, runs [default: UDLR]"),
];

/// Returns the definition of all arguments.
fn definition() -> clap::Command {
    let mut command = Taquin::command();
    for (name, option, text) in SPECIFIC_TEXTS {
        let specific = |arg: clap::Arg| {
            let shared = arg.get_long_help().map(ToString::to_string).unwrap_or_default();
            let shared_details = shared.find("\n\n").map_or("", |at| &shared[at..]);
            match text.split_once("\n\n") {
                Some((line, _)) => arg.help(line).long_help(text),
                None => arg.help(text).long_help(format!("{text}{shared_details}")),
            }
        };
        command = command.mut_subcommand(name, |subcommand| subcommand.mut_arg(option, specific));
    }
    let template = template(&command);
    // The text of each option lists its values.
    command.help_template(template).hide_possible_values(true)
}

/// Replaces `stats`, a common guess, with `solve --fields analysis`.
fn rewritten(mut arguments: Vec<OsString>) -> Vec<OsString> {
    if arguments.get(1).is_some_and(|command| command == "stats") {
        arguments.splice(1..2, ["solve", "--fields", "analysis"].map(OsString::from));
    }
    arguments
}

fn parse<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>) -> Result<Taquin, clap::Error> {
    let mut definition = definition();
    let matches = definition.try_get_matches_from_mut(arguments)?;
    Taquin::from_arg_matches(&matches).map_err(|error| error.format(&mut definition))
}

/// Runs the program with these arguments, the program's name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = rewritten(arguments.into_iter().collect());
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
            let _ = with_useful_tips(shown).print();
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

/// Drops clap's tip to pass an unknown option as a value, because this tip is never useful here. If
/// the value of `--fields` is wrong, adds a tip about copying fields of the input.
fn with_useful_tips(mut error: clap::Error) -> clap::Error {
    let mut tips = match error.remove(ContextKind::Suggested) {
        Some(ContextValue::StyledStrs(tips)) => tips,
        _ => Vec::new(),
    };
    tips.retain(|tip| !tip.to_string().contains("as a value, use"));
    let is_fields_option =
        matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(name)) if name.starts_with("--fields"));
    if is_fields_option && error.kind() == ErrorKind::InvalidValue {
        tips.push("to copy fields of the input, use '--pass'".into());
    }
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
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

    #[test]
    fn no_error_suggests_passing_an_option_as_a_value() {
        for words in [&["taquin", "solve", "--colour"][..], &["taquin", "show", "--sgv"], &["taquin", "merge", "-x"]] {
            let error = with_useful_tips(parse(words).unwrap_err()).to_string();
            assert!(!error.contains(" -- ") && error.contains("--help"), "{error}");
        }
        let error = with_useful_tips(parse(["taquin", "show", "--framse"]).unwrap_err()).to_string();
        assert!(error.contains("--frames"), "{error}");
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
            (&["stats", "boards.txt"], &["solve", "--fields", "analysis", "boards.txt"]),
        ] {
            let words = |words: &[&str]| rewritten([&["taquin"], words].concat().iter().map(OsString::from).collect());
            let parsed = |typed: &[&str]| format!("{:?}", parse(words(typed)).unwrap());
            assert_eq!(parsed(guess), parsed(name));
        }
    }
}
