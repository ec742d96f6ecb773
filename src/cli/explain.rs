//! `taquin plan` and `taquin solve --explain`: what would be done with the boards, and why, without solving any.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use indicatif::{HumanBytes, HumanCount};

use super::arguments::{Reading, Solving};
use super::{Status, fail, print, say};
use crate::board::{Board, GoalSpec, Shape, is_solvable};
use crate::format::input::{self, Puzzle, Reader};
use crate::plan::{Room, Rung, Tables};
use crate::solver::Solvers;

/// The boards of one shape and goal.
#[derive(Default)]
struct Group {
    solvable: u64,
    unsolvable: u64,
    goal: Option<Board>,
}

pub(super) fn run(inputs: &[PathBuf], reading: &Reading, solving: &Solving) -> Status {
    let mut reader = Reader::new(input::expand(inputs).inputs, reading.options());
    let solvers = Solvers::new(solving.wishes(), solving.threads(), solving.memory());
    let mut groups: Vec<((Shape, String), Group)> = Vec::new();
    let mut known: HashMap<(Shape, String), usize> = HashMap::new();
    let (mut invalid, mut failed) = (0u64, false);
    while let Some(chunk) = reader.next_chunk(4096, 1 << 16, Vec::new()) {
        let chunk = match chunk {
            Ok(chunk) => chunk,
            Err(error) => {
                fail(&error.to_string());
                failed = true;
                continue;
            }
        };
        for record in chunk.records() {
            let goal_of = |goal: &Option<GoalSpec>| goal.clone().unwrap_or_else(|| chunk.source.goal.clone());
            let found = record.puzzle.ok().and_then(|Puzzle { board, goal }| {
                let goal = goal_of(&goal);
                // Goals that records bring themselves are one group: their boards are one problem.
                let name = if matches!(goal, GoalSpec::Tiles(_)) { "given boards".into() } else { goal.to_string() };
                Some((goal.on(board.shape()).ok()?, name, board))
            });
            let Some((goal, name, board)) = found else {
                invalid += 1;
                continue;
            };
            let key = (board.shape(), name);
            let place = *known.entry(key.clone()).or_insert_with(|| {
                groups.push((key, Group::default()));
                groups.len() - 1
            });
            let group = &mut groups[place].1;
            if is_solvable(&board, &goal) {
                group.solvable += 1;
            } else {
                group.unsolvable += 1;
            }
            group.goal.get_or_insert(goal);
        }
    }
    for warning in reader.take_warnings() {
        say(&format!("taquin: {warning}"));
    }

    let mut text = String::new();
    for ((shape, goal), group) in &groups {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "{shape}, goal {goal}: {} boards to solve, {} unsolvable\n  ",
            HumanCount(group.solvable),
            HumanCount(group.unsolvable)
        );
        let plan = group.goal.as_ref().and_then(|goal| solvers.plan(goal));
        let _ = match plan {
            None => writeln!(text, "not searched: more than {} cells", crate::board::MAX_SEARCH_CELLS),
            Some(plan) => {
                let with = plan.heuristic.map_or(String::new(), |heuristic| format!(" with {}", heuristic.name()));
                let tables =
                    if plan.bytes > 0 { format!(" ({} of tables)", HumanBytes(plan.bytes)) } else { String::new() };
                writeln!(text, "{}{with}{tables}: {}", plan.engine, plan.why)
            }
        };
        for rung in group.goal.iter().flat_map(|goal| solvers.rungs(goal)) {
            text.push_str(&told(&rung, solvers.for_tables()));
        }
    }
    if invalid > 0 {
        let _ = writeln!(text, "{} records cannot be read as boards", HumanCount(invalid));
    }
    match print(text.as_bytes()) {
        Status::Settled if failed => Status::RunFailed,
        status => status,
    }
}

/// A line about tables that may be built, where tables may take so many bytes.
fn told(rung: &Rung, bytes: u64) -> String {
    let (name, peak) = (rung.tables.name(), HumanBytes(rung.footprint.peak));
    let mirror = match &rung.tables {
        Tables::Patterns(partition) if !partition.reflected().is_empty() => ", with tables of their own for the mirror",
        _ => "",
    };
    match rung.room {
        Room::Enough => format!("    {name}: {peak} while built{mirror}\n"),
        Room::TooLittle if rung.footprint.peak > bytes => {
            format!(
                "    {name}: not built, {peak} are more than the {} --memory leaves for tables\n",
                HumanBytes(bytes)
            )
        }
        Room::TooLittle => format!("    {name}: not built, those before leave too little of --memory\n"),
    }
}
