//! `taquin tables`: the tables that serve a shape, built now, what they cost, and whether they are right.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use indicatif::{HumanBytes, HumanCount};

use super::arguments::Tables;
use super::{Status, fail, print};
use crate::engine::descent;
use crate::engine::lookup;
use crate::frame::{Frame, Space};
use crate::heuristic::pdb::{Build, Partition, PdbSum, Table, verify};
use crate::plan::{self, Room, Rung, for_tables, plan, rungs};

pub(super) fn run(arguments: &Tables) -> Status {
    let (shape, threads) = (arguments.shape, arguments.threads());
    let goal = match arguments.goal.on(shape) {
        Ok(goal) => goal,
        Err(error) => return fail(&error.to_string()),
    };
    let Some(frame) = Frame::new(&goal) else {
        return fail(&format!("{shape} is not searched: more than {} cells", crate::board::MAX_SEARCH_CELLS));
    };
    let space = frame.space();
    if shape.is_line() {
        return print(format!("{shape}: a line has one path at most, nothing to build\n").as_bytes());
    }
    match &arguments.heuristic {
        Some(name) => {
            if let Err(error) = Partition::parse(name, space.shape, space.goal_blank) {
                return fail(&error.to_string());
            }
        }
        None if shape.cells() <= lookup::MAX_CELLS => return lookup_tables(space, threads),
        None => {}
    }

    let (blank, memory) = (space.goal_blank.index(), arguments.memory());
    let head = format!(
        "{}, blank at home in cell {blank}: built on {threads} threads within {}\n",
        space.shape,
        HumanBytes(memory)
    );
    let mut status = print(head.as_bytes());
    let wishes = arguments.wishes();
    let bytes = for_tables(memory, threads);
    let rungs = rungs(space, &wishes, &plan(space, &wishes, threads, bytes), threads, bytes);
    // What gives way to the ladder is the only thing that was asked for here.
    let asked = if arguments.heuristic.is_some() { 1 } else { rungs.len() };
    for rung in &rungs[..asked.min(rungs.len())] {
        let (text, sound) = match rung.room {
            Room::Enough => match build(rung, space, threads, arguments.verify) {
                Some(built) => built,
                None => return fail("building was stopped"),
            },
            Room::TooLittle => {
                let (name, peak) = (rung.tables.name(), HumanBytes(rung.footprint.peak));
                (format!("{name}: {peak} at peak, not built within this memory\n"), true)
            }
        };
        match print(text.as_bytes()) {
            Status::Settled if !sound => status = Status::SomeFailed,
            Status::Settled => {}
            failed => return failed,
        }
    }
    status
}

/// Builds tables and tells what they cost; whether no proof failed. `None`: it was stopped.
fn build(rung: &Rung, space: &Space, threads: usize, prove: bool) -> Option<(String, bool)> {
    let (began, stop) = (Instant::now(), AtomicBool::new(false));
    let (entries, kept, seconds, listed, sound) = match &rung.tables {
        plan::Tables::Patterns(partition) => {
            let sum = PdbSum::build(partition, &Build { threads, stop: &stop, progress: &|_| {} })?;
            let seconds = began.elapsed().as_secs_f64();
            let (listed, sound) = list(sum.distinct_tables(), prove);
            (sum.distinct_tables().map(|table| table.states()).sum(), sum.bytes() as u64, seconds, listed, sound)
        }
        plan::Tables::Full => {
            let table = descent::Table::build(space, threads, &stop)?;
            let seconds = began.elapsed().as_secs_f64();
            let (listed, sound) = if prove { proof(&table, threads) } else { (String::new(), true) };
            (table.levels().iter().sum(), table.bytes(), seconds, listed, sound)
        }
    };
    let text = format!(
        "{}: {} entries, {} kept, {} at peak, {seconds:.3} s\n{listed}",
        rung.tables.name(),
        HumanCount(entries),
        HumanBytes(kept),
        HumanBytes(rung.footprint.peak)
    );
    Some((text, sound))
}

/// The proof of a full table, and whether it did not fail.
fn proof(table: &descent::Table, threads: usize) -> (String, bool) {
    match descent::verify::prove(table, threads) {
        Ok(proved) => {
            let (states, depth) = (proved.levels.iter().sum(), proved.levels.len() - 1);
            (format!("  proved: {} entries, greatest depth {depth}\n", HumanCount(states)), true)
        }
        Err(flaw) => (format!("  WRONG: {flaw}\n"), false),
    }
}

/// A line for each table, proved where that is asked for, and whether no proof failed.
fn list<'a>(tables: impl Iterator<Item = &'a Arc<Table>>, prove: bool) -> (String, bool) {
    let (mut text, mut sound) = (String::new(), true);
    for table in tables {
        // Writing to a string cannot fail.
        let _ = write!(text, "  homes {}: {} entries", table.pattern(), HumanCount(table.states()));
        if prove {
            let _ = match verify::prove(table) {
                Ok(proved) => {
                    write!(text, "; proved: {} entries, greatest depth {}", HumanCount(proved.states), proved.depth)
                }
                Err(flaw) => {
                    sound = false;
                    write!(text, "; WRONG: {flaw}")
                }
            };
        }
        text.push('\n');
    }
    (text, sound)
}

/// The whole graph, for shapes that need no heuristic.
fn lookup_tables(space: &Space, threads: usize) -> Status {
    let began = Instant::now();
    let Some(table) = lookup::Table::build(space, threads) else {
        return fail("this shape has no lookup table");
    };
    let seconds = began.elapsed().as_secs_f64();
    let text = format!(
        "{}: lookup tables of the whole graph serve it, no pattern databases\n  {} states, {}, {seconds:.3} s on {threads} threads\n",
        space.shape,
        HumanCount(table.states()),
        HumanBytes(table.bytes()),
    );
    print(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Shape};
    use crate::heuristic::pdb::{Layout, Pattern};

    #[test]
    fn a_wrong_table_is_told() {
        let shape = Shape::new(3, 3).unwrap();
        let pattern = Pattern::new(shape, Cell::new(8), &[0, 1, 2]).unwrap();
        let table = Arc::new(Table::of_words(pattern, Layout::new(shape, 3), || 0));
        let (text, sound) = list([&table].into_iter(), true);
        assert!(!sound && text.contains("WRONG"), "{text}");
        assert!(list([&table].into_iter(), false).1);
    }
}
