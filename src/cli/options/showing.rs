//! The options for output on standard error.

use std::time::Duration;

use clap::{Args, ValueEnum};

use super::values;
use crate::cli::ui::progress::{Progress, Shown};

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct Showing {
    /// Print only errors
    #[arg(short, long)]
    pub quiet: bool,

    /// Show progress: auto, always, never
    ///
    /// auto: a bar if standard error is a terminal and results go to a file or pipe, otherwise lines.
    /// always: lines, never a bar. The first line comes after 2 seconds, then one every 30 seconds.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    progress: When,

    /// Time between two lines of progress
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = values::duration, hide = true)]
    progress_every: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

impl Showing {
    /// Returns the progress display. If `prints_results` and standard output is a terminal, there
    /// is no automatic bar, because it would overwrite results.
    pub fn progress(&self, prints_results: bool) -> Progress {
        match self.progress {
            _ if self.quiet => Progress::new(Shown::Nowhere),
            When::Never => Progress::new(Shown::Nowhere),
            When::Auto => Progress::automatic(prints_results, self.progress_every),
            When::Always => Progress::new(Shown::Lines(self.progress_every)),
        }
    }
}
