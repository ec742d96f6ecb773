//! `taquin tables`: the tables that serve a shape, built now, what they cost, and whether they are right.

use std::fmt::Write as _;

use clap::Args;
use indicatif::{HumanBytes, HumanCount};

use super::options::{Resources, values};
use super::ui::{Status, fail, print_lines};
use crate::board::{Goal, Shape};
use crate::solver::plan::{Fit, TableStage};
use crate::tools::tables::{self, Built, Error, LookupService, Part, Parts, Proof, Proved, Service, Stages};

const EXAMPLES: &str = "\
Examples:
  taquin tables                                every stage of the ladder for the 15-puzzle
  taquin tables --shape 3x4 --verify           those of another shape, each entry proved
  taquin tables --memory 300M                  the stages that a run with so much memory would climb
  taquin tables --heuristic 6-6-3 -j 1         one partition, built on one thread
  taquin tables --shape 5x5 --heuristic 18x6   eighteen patterns of six tiles for the 24-puzzle";

const AFTER: &str = "\
Proving takes a byte of memory for every entry (8 tiles on 4x4: 1.4 GB and 85 s; the full tables of 12 cells: 240 MB).

Exit status: 0 everything was built and, where asked for, proved; 1 a proof failed (please report it);
2 the run failed.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    /// The shape of the boards.
    #[arg(long, value_name = "ROWSxCOLS", default_value = "4x4")]
    shape: Shape,

    /// The goal: blank-last, blank-first, snail, or a board such as 1,2,3/8,0,4/7,6,5.
    #[arg(long, value_name = "GOAL", default_value = "blank-last")]
    goal: Goal,

    /// Only this partition: sizes (7-8) or the home cells of its tiles (0,1,2/3,4,5); or this set of patterns,
    /// which form many sums: by name (8x6 and 18x6 on 5x5; without this option those of other shapes are told), or home
    /// cells (0,1,2;2,3,4). By default all that a run would build.
    #[arg(long, value_name = "PARTITION")]
    heuristic: Option<String>,

    /// Threads that build. By default as many as this process may use.
    #[arg(short = 'j', long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,

    /// What a run may take, such as 500M or 4G: tables for which that leaves too little beside the searches'
    /// lists, and beside the tables before them, are named and not built. By default a quarter of what this
    /// process may use: of the machine's memory, or of its control group's.
    #[arg(long, value_name = "BYTES", value_parser = values::bytes)]
    memory: Option<u64>,

    /// Prove every entry of every pattern database.
    #[arg(long)]
    verify: bool,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    arguments.try_run().unwrap_or_else(|why| fail(&why))
}

impl Arguments {
    fn try_run(&self) -> Result<Status, String> {
        let resources = Resources::new(self.threads, self.memory);
        let Resources { threads, memory } = resources;
        let goal = self.goal.on(self.shape).map_err(|error| error.to_string())?;
        let service = tables::service(&goal, self.heuristic.as_deref(), threads, memory);
        match service.map_err(|error| error.to_string())? {
            Service::Line => {
                Ok(print_lines(&format!("{}: a line has one path at most, nothing to build\n", self.shape)))
            }
            Service::Lookup(lookup) => build_lookup(&lookup, threads).map_err(|error| error.to_string()),
            Service::Stages(stages) => build_stages(&stages, resources, self.verify).map_err(|error| error.to_string()),
        }
    }
}

/// The whole graph, for shapes that need no heuristic.
fn build_lookup(lookup: &LookupService, threads: usize) -> Result<Status, Error> {
    let built = lookup.build()?;
    let (shape, states, bytes) = (lookup.space().shape, HumanCount(built.states), HumanBytes(built.bytes));
    let text = format!(
        "{shape}: lookup tables of the whole graph serve it, no pattern databases\n  {states} states, {bytes}, {:.3} s on {threads} threads\n",
        built.seconds
    );
    Ok(print_lines(&text))
}

/// Builds one stage after the other, and prints each when it is there.
fn build_stages(stages: &Stages, resources: Resources, prove: bool) -> Result<Status, Error> {
    let Resources { threads, memory } = resources;
    let (space, memory) = (stages.space(), HumanBytes(memory));
    let (shape, blank) = (space.shape, space.goal_blank.index());
    let head = format!("{shape}, blank at home in cell {blank}: built on {threads} threads within {memory}\n");
    let mut status = print_lines(&head);
    for stage in &stages.stages {
        let (text, sound) = match stage.fit {
            Fit::Fits => {
                let built = stages.build(&stage.tables, prove)?;
                (built_text(stage, &built), built.is_sound())
            }
            Fit::TooLarge => {
                let (name, peak) = (stage.tables.name(), HumanBytes(stage.footprint.peak));
                (format!("{name}: {peak} at peak, not built within this memory\n"), true)
            }
        };
        match print_lines(&text) {
            Status::Settled if !sound => status = Status::SomeFailed,
            Status::Settled => {}
            failed => return Ok(failed),
        }
    }
    Ok(status)
}

/// What the tables of a stage cost, and a line for each of them.
fn built_text(stage: &TableStage, built: &Built) -> String {
    let mut text = format!(
        "{}: {} entries, {} kept, {} at peak, {:.3} s\n",
        stage.tables.name(),
        HumanCount(built.entries),
        HumanBytes(built.bytes),
        HumanBytes(stage.footprint.peak),
        built.seconds,
    );
    match &built.parts {
        Parts::Patterns(parts) => {
            for Part { homes, entries, proof } in parts {
                // Writing to a string cannot fail.
                let _ = write!(text, "  homes {homes}: {} entries", HumanCount(*entries));
                if let Some(proof) = proof {
                    text += &format!("; {}", proof_text(proof));
                }
                text.push('\n');
            }
        }
        Parts::Full(Some(proof)) => text += &format!("  {}\n", proof_text(proof)),
        Parts::Full(None) => {}
    }
    text
}

fn proof_text(proof: &Proof) -> String {
    match proof {
        Ok(Proved { entries, depth }) => format!("proved: {} entries, greatest depth {depth}", HumanCount(*entries)),
        Err(flaw) => format!("WRONG: {flaw}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flaw_cannot_be_overlooked() {
        assert_eq!(proof_text(&Err("here".into())), "WRONG: here");
        assert_eq!(proof_text(&Ok(Proved { entries: 1234, depth: 5 })), "proved: 1,234 entries, greatest depth 5");
    }
}
