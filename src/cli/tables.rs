//! `taquin tables`: the tables that serve a shape, built now, what they cost, and whether they are right.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use indicatif::{HumanBytes, HumanCount};

use super::arguments::Tables;
use super::{Status, fail, print};
use crate::engine::descent;
use crate::engine::lookup::{self, Distances};
use crate::frame::{Frame, Space};
use crate::heuristic::pdb::{Build, Partition, PdbSum, Table, verify};

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
    let partitions = match &arguments.heuristic {
        Some(name) => match Partition::parse(name, space.shape, space.goal_blank) {
            Ok(partition) => vec![partition],
            Err(error) => return fail(&error.to_string()),
        },
        None if shape.cells() <= lookup::MAX_CELLS => return lookup_tables(space, threads),
        None => Partition::defaults(space.shape, space.goal_blank),
    };

    let blank = space.goal_blank.index();
    let head = format!("{}, blank at home in cell {blank}: built on {threads} threads\n", space.shape);
    let mut status = print(head.as_bytes());
    if arguments.heuristic.is_none() && descent::is_for(shape) {
        match full_table(space, threads, arguments.verify) {
            Status::Settled => {}
            Status::SomeFailed => status = Status::SomeFailed,
            failed => return failed,
        }
    }
    for partition in &partitions {
        let peak = PdbSum::peak_bytes(partition) as u64;
        let began = Instant::now();
        let how = Build { threads, stop: &AtomicBool::new(false), progress: &|_| {} };
        let Some(sum) = PdbSum::build(partition, &how) else { return fail("building was stopped") };
        let seconds = began.elapsed().as_secs_f64();
        let entries = sum.tables().iter().map(|table| table.states()).sum();
        let (listed, sound) = list(sum.tables(), arguments.verify);
        let rung = format!(
            "{}: {} entries, {} kept, {} at peak, {seconds:.3} s\n{listed}",
            partition.sizes(),
            HumanCount(entries),
            HumanBytes(sum.bytes() as u64),
            HumanBytes(peak)
        );
        match print(rung.as_bytes()) {
            Status::Settled if !sound => status = Status::SomeFailed,
            Status::Settled => {}
            failed => return failed,
        }
    }
    status
}

/// A line for each table, proved where that is asked for, and whether no proof failed.
fn list(tables: &[Arc<Table>], prove: bool) -> (String, bool) {
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

/// The whole graph in two bits a state, for shapes that pay for it with many boards.
fn full_table(space: &Space, threads: usize, prove: bool) -> Status {
    let (shape, began) = (space.shape, Instant::now());
    let Some(table) = descent::Table::build(space, threads, &AtomicBool::new(false)) else {
        return fail("this shape has no full table");
    };
    let seconds = began.elapsed().as_secs_f64();
    let mut text = format!(
        "the full table: {} states, {} kept, {} at peak, {seconds:.3} s\n",
        HumanCount(table.levels().iter().sum()),
        HumanBytes(table.bytes()),
        HumanBytes(descent::Table::peak_bytes(shape, threads)),
    );
    let mut status = Status::Settled;
    if prove {
        // Writing to a string cannot fail.
        let _ = match descent::verify::prove(&table, threads) {
            Ok(proved) => writeln!(
                text,
                "  proved: {} states, greatest distance {}",
                HumanCount(proved.levels.iter().sum()),
                proved.levels.len() - 1
            ),
            Err(flaw) => {
                status = Status::SomeFailed;
                writeln!(text, "  WRONG: {flaw}")
            }
        };
    }
    match print(text.as_bytes()) {
        Status::Settled => status,
        failed => failed,
    }
}

/// The whole graph, for shapes that need no heuristic.
fn lookup_tables(space: &Space, threads: usize) -> Status {
    let began = Instant::now();
    let Some(distances) = Distances::search(space.shape, space.goal_blank, threads) else {
        return fail("this shape has no lookup table");
    };
    let distances = Arc::new(distances);
    let table = lookup::Table::derive(Arc::clone(&distances), space, threads);
    let seconds = began.elapsed().as_secs_f64();
    let text = format!(
        "{}: lookup tables of the whole graph serve it, no pattern databases\n  {} states, {}, {seconds:.3} s on {threads} threads\n",
        space.shape,
        HumanCount(distances.distribution().iter().sum()),
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
        let (text, sound) = list(&[Arc::clone(&table)], true);
        assert!(!sound && text.contains("WRONG"), "{text}");
        assert!(list(&[table], false).1);
    }
}
