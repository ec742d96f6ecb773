//! The options for writing results, the notation of moves, progress, and the exit status of a
//! batch.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::values::{self, choice};
use crate::board::{Error, Shape};
use crate::cli::ui::output::IfExists;
use crate::cli::ui::progress::{ProgressDisplay, ProgressForm};
use crate::format::output::{Field, Fields, PRESETS};
use crate::format::passthrough::Pass;
use crate::format::profile::{AnswerFormat, Profile};
use crate::format::spelling::{MovingPiece, Notation, Spelling};

/// The option for the fields of results.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct FieldList {
    /// Fields to write, in the order given (taquin schema lists them)
    ///
    /// Group names are also accepted: default, all, and analysis (default minus path, plus
    /// solutions, first_moves, forced_moves, manhattan, linear_conflict, duplicate_of,
    /// reflection_of).
    #[arg(long = "fields", value_name = "FIELDS", value_delimiter = ',', hide_possible_values = true,
          value_parser = PossibleValuesParser::new(PRESETS.iter().chain(Field::NAMES).copied()))]
    names: Vec<String>,
}

impl FieldList {
    /// Returns the fields; by default the `default` preset.
    ///
    /// # Errors
    /// When a field is named twice.
    pub fn fields(&self) -> Result<Fields, String> {
        match self.names.as_slice() {
            [] => Ok(Fields::default()),
            names => names.join(",").parse().map_err(|error: Error| error.to_string()),
        }
    }
}

#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Writing {
    /// Write results to FILE
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Keep a checkpoint next to FILE and resume from it
    ///
    /// The checkpoint is FILE.taquin. Give the option on the first run, too. To resume, run the
    /// same command again.
    #[arg(long, requires = "output")]
    pub resume: bool,

    /// Minimum time between checkpoints
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::duration, requires = "resume", hide = true)]
    pub checkpoint_every: Duration,

    /// Overwrite the output file
    #[arg(long, requires = "output")]
    pub force: bool,

    #[command(flatten)]
    fields: FieldList,

    /// Format of the results without --as: jsonl, csv
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = To::Jsonl)]
    pub to: To,

    /// Input columns to copy to the results: all, NAME, NAME=NEW (renamed)
    ///
    /// Separate columns by commas. A column is a JSON field or a CSV column; all means every one. With
    /// all, a column that has the name of a result's field is renamed: moves becomes their_moves.
    #[arg(long, value_name = "COLUMNS")]
    pub pass: Option<Pass>,

    /// Add the fields engine, heuristic, nodes, time_us and iterations
    ///
    /// time_us differs from run to run.
    #[arg(long)]
    detail: bool,

    /// Add the fields rows, cols, board and goal
    #[arg(long)]
    boards: bool,

    /// Add every shortest path (with =N, at most N) and their number
    ///
    /// The canonical path (see --tie-break) comes first.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, value_parser = paths)]
    pub all: Option<Option<u64>>,

    /// Write results in order of completion
    #[arg(long)]
    pub unordered: bool,

    /// Write a summary of the run as JSON to FILE, and replace an old one
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,

    /// Statuses that cause exit status 1: unsolvable, invalid, unsolved (a limit was reached); or just none
    #[arg(long, value_name = "STATUS", value_delimiter = ',', default_value = "invalid,unsolved")]
    pub fail_on: Vec<FailOn>,

    #[command(flatten)]
    pub showing: Showing,
}

impl Writing {
    /// Returns the options of a run that writes results to a file and prints messages only if it
    /// fails.
    pub fn quietly(output: PathBuf, force: bool) -> Writing {
        let fail_on = vec![FailOn::Invalid, FailOn::Unsolved];
        let showing = Showing { quiet: true, ..Showing::default() };
        Writing { output: Some(output), force, fail_on, showing, ..Writing::default() }
    }

    /// Returns the treatment of existing results.
    pub fn if_exists(&self) -> IfExists {
        if self.resume && !self.force { IfExists::Continue } else { IfExists::forced(self.force) }
    }

    /// Returns true if an option was given that does not apply to answers in a judge's format.
    pub fn needs_json_or_csv(&self) -> bool {
        let is_given = self.boards || self.detail || self.all.is_some() || self.pass.is_some() || self.to != To::Jsonl;
        is_given || !self.fields.names.is_empty() || self.unordered
    }

    /// Returns the fields of a result.
    ///
    /// # Errors
    /// When a field is named twice.
    pub fn fields(&self) -> Result<Fields, String> {
        let fields = self.fields.fields()?;
        let fields = if self.boards { fields.with_boards() } else { fields };
        let fields = match self.all {
            Some(max_paths) => fields.with_all_paths(max_paths),
            None => fields,
        };
        let fields = if self.detail { fields.with_detail() } else { fields };
        Ok(fields.passing(self.pass.clone().unwrap_or_default()))
    }
}

/// Parses a number of paths.
fn paths(text: &str) -> Result<u64, String> {
    values::expect(text, |&paths| paths > 0, "a number of paths, at least 1")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Unsolvable,
    Invalid,
    Unsolved,
    None,
}

/// The output format.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum To {
    #[default]
    Jsonl,
    Csv,
}

/// The notation of moves.
#[derive(Debug, Clone, Copy, Args)]
pub struct Moves {
    /// Notation of moves: UDLR, udlr, words, tiles, runs [default: UDLR, or the profile's]
    ///
    /// words: UP, DOWN, LEFT and RIGHT. tiles: the numbers of the tiles that move. runs: R3U2L for
    /// RRRUUL.
    #[arg(long, value_name = "NOTATION", value_parser = choice(&Notation::ALL, Notation::name))]
    pub notation: Option<Notation>,

    /// What directions refer to: blank, or tile (the moving tile) [default: blank, or the profile's]
    #[arg(long, value_name = "PIECE", value_parser = choice(&[MovingPiece::Blank, MovingPiece::Tile], MovingPiece::name))]
    pub path_of: Option<MovingPiece>,
}

impl Moves {
    /// Returns the default notation, changed by the options.
    pub fn spelling(self) -> Spelling {
        Spelling::default().with(self.notation, self.path_of)
    }

    /// Returns the answer format of a profile, changed by the options, for boards of this shape.
    ///
    /// # Errors
    /// A message for the user, if the profile has no answer format or does not suit the shape.
    pub fn answer_format(self, profile: &Profile, shape: Option<Shape>) -> Result<AnswerFormat, String> {
        let Moves { notation, path_of } = self;
        let format =
            profile.answer.ok_or_else(|| format!("{} has no answer format: use another profile", profile.name))?;
        profile.check_shape(shape, notation, path_of)?;
        Ok(AnswerFormat { spelling: format.spelling.with(notation, path_of), ..format })
    }
}

/// The output on standard error.
#[derive(Debug, Clone, Copy, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Showing {
    /// Print no messages except errors
    #[arg(short, long)]
    pub quiet: bool,

    /// Show progress: auto, always, never
    ///
    /// auto: a bar if standard error is a terminal and results go to a file or pipe, otherwise
    /// lines. always: lines in all cases. never: no progress. The first line comes after 2 seconds,
    /// then one every 30 seconds.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,

    /// Time between two lines of progress
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = values::duration, hide = true)]
    progress_every: Duration,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl Showing {
    /// Returns the progress display. If `prints_results` and standard output is a terminal, there
    /// is no automatic bar, because it would overwrite results.
    pub fn progress(&self, prints_results: bool) -> ProgressDisplay {
        match self.progress {
            _ if self.quiet || self.progress == When::Never => ProgressDisplay::new(ProgressForm::Nowhere),
            When::Always => ProgressDisplay::new(ProgressForm::Lines(self.progress_every)),
            _ => ProgressDisplay::automatic(prints_results, self.progress_every),
        }
    }
}
