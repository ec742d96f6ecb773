//! The options for reading records.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::solving::Solving;
use super::typed_boards;
use super::values::{AnyProfile, OrAuto, choice_or_auto};
use crate::board::{Goal, Shape};
use crate::format::input::{InputOptions, Layout};
use crate::format::profile::Profile;

/// The inputs of a run.
#[derive(Debug, Args)]
pub struct Inputs {
    /// Files, folders or boards such as 1,2,3/4,0,5; - for standard input
    #[arg(value_name = "FILE", default_value = "-", help_heading = None)]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: Reading,
}

impl Inputs {
    /// Returns the options for reading.
    ///
    /// # Errors
    /// When options do not fit boards on the command line, or some inputs are boards and some are
    /// files.
    pub fn options(&self, solving: &Solving) -> Result<InputOptions, String> {
        match typed_boards::are_boards(&self.inputs)? {
            true => self.reading.options_of_typed_boards(solving),
            false => Ok(self.reading.options(solving)),
        }
    }
}

/// The judge's format, and the shape and the goal of boards that do not state theirs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct Boards {
    /// Judge's format to read: a name (see taquin profiles) or a file such as ./mine.toml
    #[arg(long = "as", value_name = "PROFILE", value_parser = AnyProfile)]
    pub profile: Option<&'static Profile>,

    /// Shape of boards that are not square and whose records do not give it
    #[arg(long, value_name = "ROWSxCOLS")]
    shape: Option<Shape>,

    /// Goal: blank-last, blank-first, snail, or a board such as 1,2,3/8,0,4/7,6,5 [default: blank-last]
    #[arg(long, value_name = "GOAL")]
    goal: Option<Goal>,
}

impl Boards {
    /// Returns the options for reading. The profile fills in options that were not given.
    pub fn options(&self, solving: &Solving) -> InputOptions {
        let (goal, shape, decompression) = (self.goal.clone(), self.shape, solving.decompression_limit());
        let options = InputOptions { goal, shape, decompression, ..InputOptions::default() };
        self.profile.map_or(options.clone(), |profile| profile.fill(options))
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub struct Reading {
    #[command(flatten)]
    pub boards: Boards,

    /// Layout: auto, line, digits, grid, sized, pair, json, csv
    #[arg(long = "format", value_name = "LAYOUT", default_value = "auto", value_parser = choice_or_auto(&Layout::ALL, Layout::name))]
    layout: OrAuto<Layout>,

    /// Read the number of records from the first line of each file
    #[arg(long)]
    count_line: bool,

    /// Expect a number before each record
    #[arg(long)]
    numbered: bool,

    /// Field of JSON or CSV that holds the board [default: the first of board, grid, tiles, cells, state, puzzle]
    #[arg(long, value_name = "NAME")]
    board_field: Option<Arc<str>>,
}

impl Reading {
    /// Returns the options for reading. The profile fills in options that were not given.
    /// Decompression windows get a share of the memory.
    pub fn options(&self, solving: &Solving) -> InputOptions {
        let board_options = self.boards.options(solving);
        InputOptions {
            layout: self.layout.or(board_options.layout),
            count_line: self.count_line || board_options.count_line,
            numbered: self.numbered,
            board_field: self.board_field.clone(),
            ..board_options
        }
    }

    /// Returns the options for boards on the command line.
    ///
    /// # Errors
    /// When an option applies only to files, or the profile reads the goals from the records.
    pub fn options_of_typed_boards(&self, solving: &Solving) -> Result<InputOptions, String> {
        let file_options = [
            ("--format", self.layout.is_some()),
            ("--count-line", self.count_line),
            ("--numbered", self.numbered),
            ("--board-field", self.board_field.is_some()),
        ];
        if let Some((option, _)) = file_options.into_iter().find(|(_, is_given)| *is_given) {
            return Err(format!("{option} applies only to files: leave it out for a board on the command line"));
        }
        match self.boards.profile {
            Some(profile) if profile.goal.is_none() => Err(format!(
                "the records of {} contain their goals: replace --as with --goal for a board on the command line",
                profile.name
            )),
            _ => Ok(InputOptions { layout: None, count_line: false, numbered: false, ..self.options(solving) }),
        }
    }
}
