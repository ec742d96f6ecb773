//! How records are read.

use std::path::PathBuf;

use clap::Args;

use super::solving::Solving;
use super::values::{self, OrAuto};
use crate::board::{Error, Goal, Shape};
use crate::format::choice::one_of;
use crate::format::input::{self, InputOptions, Layout, Reader};
use crate::format::profile::{PROFILES, Profile};

/// What is read, and how.
#[derive(Debug, Args)]
pub struct Inputs {
    /// Files and folders to read, `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: Reading,
}

impl Inputs {
    /// A reader of all of it.
    pub fn reader(&self, solving: &Solving) -> Reader {
        Reader::new(input::expand(&self.inputs).inputs, self.reading.options(solving))
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub struct Reading {
    /// Read the layout of a judge or course (taquin profiles lists them); solve also writes its answers.
    #[arg(long = "as", value_name = "PROFILE", hide_possible_values = true, value_parser = profile())]
    pub profile: Option<&'static Profile>,

    #[arg(long, value_name = "LAYOUT", default_value = "auto", hide_possible_values = true, value_parser = values::named(layouts(), layout), help = format_help())]
    format: OrAuto<Layout>,

    /// The goal: blank-last (the default), blank-first, snail, or a board such as 1,2,3/8,0,4/7,6,5.
    #[arg(long, value_name = "GOAL")]
    goal: Option<Goal>,

    /// Shape of boards that do not tell their own and are not square, as ROWSxCOLS.
    #[arg(long, value_name = "ROWSxCOLS")]
    shape: Option<Shape>,

    /// The first line of every file counts the records that follow.
    #[arg(long)]
    count_line: bool,

    /// Every record begins with its number, which becomes its id.
    #[arg(long)]
    numbered: bool,

    /// Options given here win over the settings comment of a file.
    #[arg(long = "override")]
    override_file: bool,
}

impl Reading {
    /// As asked for, with what the profile says of the rest; windows of compressed inputs have their share of the memory.
    pub fn options(&self, solving: &Solving) -> InputOptions {
        let options = InputOptions {
            layout: self.format.0,
            goal: self.goal.clone(),
            shape: self.shape,
            count_line: self.count_line,
            numbered: self.numbered,
            override_file: self.override_file,
            decompression: solving.decompression_limit(),
            ..InputOptions::default()
        };
        match self.profile {
            Some(profile) => profile.fill(options),
            None => options,
        }
    }
}

/// Parses the name of a judge or course.
pub fn profile() -> values::Named<&'static Profile> {
    values::named(PROFILES.iter().map(|profile| profile.name), Profile::named)
}

fn layouts() -> impl Iterator<Item = &'static str> {
    ["auto"].into_iter().chain(Layout::ALL.map(Layout::name))
}

fn format_help() -> String {
    format!("Layout of the records: {}", one_of(layouts()))
}

fn layout(name: &str) -> Result<OrAuto<Layout>, String> {
    if name == "auto" {
        Ok(OrAuto(None))
    } else {
        name.parse().map(|layout| OrAuto(Some(layout))).map_err(|wrong: Error| wrong.to_string())
    }
}
