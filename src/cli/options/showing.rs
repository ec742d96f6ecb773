//! What a long run shows of itself.

use std::io::IsTerminal;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::values;
use crate::cli::ui::progress::{self, Progress, Shown};

#[derive(Debug, Args)]
#[command(next_help_heading = "Showing")]
pub struct Showing {
    /// Neither progress nor summary on standard error, only what is wrong.
    #[arg(short, long)]
    pub quiet: bool,

    /// How progress is shown on standard error.
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    progress: When,

    /// Time between two lines of progress.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = values::duration, hide = true)]
    progress_every: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// A bar on a terminal that shows nothing else; elsewhere a line now and then, none in a short run.
    Auto,
    /// Lines on a terminal, too.
    Always,
    /// Not at all.
    Never,
}

impl Showing {
    /// As asked for. What is written to standard output may be on the same terminal, where a bar would be drawn over it.
    pub fn progress(&self, is_on_standard_output: bool) -> Progress {
        let is_in_the_way = is_on_standard_output && std::io::stdout().is_terminal();
        Progress::new(match self.progress {
            _ if self.quiet => Shown::Nowhere,
            When::Never => Shown::Nowhere,
            When::Auto if progress::can_draw() && !is_in_the_way => Shown::Bar,
            When::Auto | When::Always => Shown::Lines(self.progress_every),
        })
    }
}
