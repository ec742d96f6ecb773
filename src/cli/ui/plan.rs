//! What would be done with boards, and why, as `taquin plan` and `taquin solve --explain` print it.

use std::fmt::Write as _;

use indicatif::{HumanBytes, HumanCount};

use super::{Status, print_lines, warn};
use crate::engine::EngineKind;
use crate::format::input::Reader;
use crate::solver::Solver;
use crate::solver::plan::{Fit, TableStage, Tables};
use crate::tools::plan::{self, Group, Report};

/// Prints what this solver would do with the boards of the reader.
pub fn run(reader: &mut Reader, solver: &Solver) -> Status {
    let report = plan::run(reader, solver, &mut |line| warn(line));
    match print_lines(&text(&report)) {
        Status::Settled if report.failed_inputs > 0 => Status::RunFailed,
        status => status,
    }
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for Group { shape, goal, solvable, unsolvable, plan, stages } in &report.groups {
        let s = if *solvable == 1 { "" } else { "s" };
        let (solvable, unsolvable) = (HumanCount(*solvable), HumanCount(*unsolvable));
        // Writing to a string cannot fail.
        let _ = write!(text, "{shape}, goal {goal}: {solvable} board{s} to solve, {unsolvable} unsolvable\n  ");
        let with = plan.heuristic.map_or(String::new(), |heuristic| format!(" with {}", heuristic.name()));
        let of = if plan.engine == EngineKind::Good { "memory" } else { "tables" };
        let tables = if plan.bytes > 0 { format!(" ({} of {of})", HumanBytes(plan.bytes)) } else { String::new() };
        let _ = writeln!(text, "{}{with}{tables}: {}", plan.engine, plan.why);
        for stage in stages {
            text.push_str(&stage_line(stage, report.table_memory));
        }
    }
    if report.invalid > 0 {
        let noun = if report.invalid == 1 { "record" } else { "records" };
        let _ = writeln!(text, "{} {noun} cannot be read as boards", HumanCount(report.invalid));
    }
    text
}

/// A line about tables that may be built, where all tables together may take `table_memory` bytes.
fn stage_line(stage: &TableStage, table_memory: u64) -> String {
    let (name, peak) = (stage.tables.name(), HumanBytes(stage.footprint.peak));
    let mirror = match &stage.tables {
        Tables::Patterns(partition) if !partition.reflected().is_empty() => ", with tables of their own for the mirror",
        _ => "",
    };
    match stage.fit {
        Fit::Fits => format!("    {name}: {peak} while built{mirror}\n"),
        Fit::TooLarge if stage.footprint.peak > table_memory => {
            let left = HumanBytes(table_memory);
            format!("    {name}: not built, {peak} are more than the {left} --memory leaves for tables\n")
        }
        Fit::TooLarge => format!("    {name}: not built, those before leave too little of --memory\n"),
    }
}
