//! How a batch writes its results, and what makes it fail.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::{Showing, values};
use crate::board::Error;
use crate::format::output::{Field, Fields, PRESETS};
use crate::format::passing::Pass;

#[derive(Debug, Args)]
#[command(next_help_heading = "Writing")]
pub struct Writing {
    /// Write results to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Keep a checkpoint beside the results (FILE.taquin), and go on from it if there is one. Give it from
    /// the start: a run that ends before its time is continued by the same command.
    #[arg(long, requires = "output")]
    pub resume: bool,

    /// Time between checkpoints, at least: what a kill can cost.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = values::duration, requires = "resume", hide = true)]
    pub checkpoint_every: Duration,

    /// The time that the whole run has, such as 10m or 2h: then it ends in good order with exit status 3. What was finished is
    /// written, and with --resume the same command goes on from there. 0 solves nothing.
    #[arg(long, value_name = "TIME", value_parser = values::duration_or_none)]
    pub run_limit: Option<Duration>,

    /// Begin anew, and overwrite what the file of results holds.
    #[arg(long, requires = "output")]
    pub force: bool,

    /// Fields to write, in order (see taquin schema), or default, analysis, all.
    #[arg(long, value_name = "FIELDS", value_delimiter = ',', hide_possible_values = true,
          value_parser = PossibleValuesParser::new(PRESETS.iter().chain(Field::NAMES).copied()))]
    fields: Vec<String>,

    /// Write JSON Lines, or CSV with a header.
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = To::Jsonl)]
    pub to: To,

    /// Carry own fields of the records into the results: names of JSON members or CSV columns, NAME=NEW to
    /// rename one, all for every one.
    #[arg(long, value_name = "NAMES")]
    pub pass: Option<Pass>,

    /// Add how each board was solved: engine, heuristic, nodes, time, iterations. Differs from run to run.
    #[arg(long)]
    detail: bool,

    /// Add what each record asked: rows, cols, board, goal, as `taquin report` draws them.
    #[arg(long)]
    boards: bool,

    /// Add all shortest paths of every board, the smallest first, and how many there are; with a number no more than so many.
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, value_parser = paths)]
    pub all: Option<Option<u64>>,

    /// Write results as they come instead of in the order of the records.
    #[arg(long)]
    pub unordered: bool,

    /// Write the summary of the run to a file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,

    /// What makes the exit status 1: any of unsolvable, invalid, unsolved, or none.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', default_value = "invalid,unsolved")]
    pub fail_on: Vec<FailOn>,

    #[command(flatten)]
    pub showing: Showing,
}

impl Writing {
    /// True when an option was given that the answers of a judge cannot follow.
    pub fn shapes_json(&self) -> bool {
        let is_asked = self.boards || self.detail || self.all.is_some() || self.pass.is_some() || self.to != To::Jsonl;
        is_asked || !self.fields.is_empty() || self.unordered
    }

    /// The fields of a line of JSON.
    ///
    /// # Errors
    /// A sentence for people, when one is named twice.
    pub fn fields(&self) -> Result<Fields, String> {
        let fields = match self.fields.as_slice() {
            [] => Fields::default(),
            fields => fields.join(",").parse().map_err(|error: Error| error.to_string())?,
        };
        let fields = if self.boards { fields.with_boards() } else { fields };
        let fields = match self.all {
            Some(most) => fields.with_all_paths(most),
            None => fields,
        };
        let fields = if self.detail { fields.with_detail() } else { fields };
        Ok(fields.passing(self.pass.clone().unwrap_or_default()))
    }
}

/// A number of paths.
fn paths(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(paths @ 1..) => Ok(paths),
        _ => Err("expected a number of paths, at least 1".into()),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Unsolvable,
    Invalid,
    Unsolved,
    None,
}

/// What results are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum To {
    Jsonl,
    Csv,
    /// There is no writer of it here: asked for all the same, the answer says where there is one.
    #[value(hide = true)]
    Parquet,
}

impl To {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            To::Jsonl => "jsonl",
            To::Csv => "csv",
            To::Parquet => "parquet",
        }
    }
}
