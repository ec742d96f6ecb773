//! `taquin bench`: fixed work that is built in, to compare machines and versions by.
//!
//! Boards come from a fixed generator, results go to nowhere. *Answers* is a number that depends on every result byte,
//! and *nodes* on every step of the searches: both are the same on every machine and however many threads, unless a
//! search was changed. Times are not.

use std::fmt::Write as _;
use std::io::{self, Cursor, Write};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use indicatif::HumanCount;
use serde::Serialize;

use super::arguments::Bench;
use super::{Status, fail, print};
use crate::batch::{self, Options, Sink, Totals};
use crate::board::{Board, GoalSpec, Shape, Tile, is_solvable};
use crate::bulk::FastPath;
use crate::engine::{Limits, Parallel};
use crate::format::input::{InputOptions, Layout, Reader};
use crate::format::output::{Field, Fields};
use crate::format::style::Style;
use crate::plan::{EngineKind, HeuristicKind, Wishes};
use crate::solver::Solvers;

/// Work that is built in.
struct Work {
    name: &'static str,
    shape: (usize, usize),
    boards: Boards,
    engine: Option<EngineKind>,
    heuristic: Option<&'static str>,
}

enum Boards {
    /// So many random ones.
    Random(usize),
    This(&'static str),
}

/// What tables and searches may take: more than any of these needs.
const MEMORY: u64 = 2 << 30;

/// Engine and heuristic are fixed where the planner's choice depends on how long tables take to build.
const WORKS: [Work; 4] = [
    Work { name: "3x3 in bulk", shape: (3, 3), boards: Boards::Random(2_000_000), engine: None, heuristic: None },
    Work {
        name: "3x4, full table",
        shape: (3, 4),
        boards: Boards::Random(1_000_000),
        engine: Some(EngineKind::Lookup),
        heuristic: None,
    },
    Work {
        name: "15-puzzle, 6-6-3",
        shape: (4, 4),
        boards: Boards::Random(100),
        engine: Some(EngineKind::IdaStar),
        heuristic: Some("6-6-3"),
    },
    Work {
        name: "Korf's 88th, 7-7-1",
        shape: (4, 4),
        // R. E. Korf 1985: the most nodes of his hundred. Turned round, so that the goal's blank comes last.
        boards: Boards::This("12 10 6 0 9 8 13 15 11 7 3 2 5 4 14 1"),
        engine: Some(EngineKind::IdaStar),
        heuristic: Some("7-7-1"),
    },
];

#[derive(Serialize)]
struct Report {
    version: &'static str,
    threads: usize,
    /// Copying as many bytes as the first work writes, from memory to memory on one thread.
    copy: Copy,
    works: Vec<Measured>,
    answers: String,
}

#[derive(Serialize)]
struct Copy {
    bytes: u64,
    seconds: f64,
    bytes_per_second: f64,
}

#[derive(Serialize)]
struct Measured {
    name: &'static str,
    /// What building the tables took; not among the seconds of the work.
    table_seconds: f64,
    boards: u64,
    seconds: f64,
    boards_per_second: f64,
    nodes: u64,
    nodes_per_second: f64,
    bytes_written: u64,
    answers: String,
}

pub(super) fn run(arguments: &Bench) -> Status {
    let threads = arguments.threads();
    let mut works = Vec::new();
    let mut all = Signature::new();
    for work in &WORKS {
        match measure(work, threads) {
            Ok((measured, answers)) => {
                works.push(measured);
                all.add(&answers.to_le_bytes());
            }
            Err(error) => return fail(&error.to_string()),
        }
    }
    let copy = copy(works[0].bytes_written);
    let report =
        Report { version: env!("CARGO_PKG_VERSION"), threads, copy, works, answers: format!("{:016x}", all.0) };
    let text = if arguments.json {
        serde_json::to_string_pretty(&report).map(|text| text + "\n").map_err(|error| error.to_string())
    } else {
        Ok(report.to_text())
    };
    match text {
        Ok(text) => print(text.as_bytes()),
        Err(why) => fail(&why),
    }
}

/// Does the work twice: once for the time, once for the answers, where results are looked at.
fn measure(work: &Work, threads: usize) -> Result<(Measured, u64), batch::Error> {
    let (rows, cols) = work.shape;
    let Some(shape) = Shape::new(rows, cols) else { unreachable!("{rows}x{cols} is a shape") };
    let text = match work.boards {
        Boards::Random(boards) => random_boards(shape, boards),
        Boards::This(board) => format!("{board}\n"),
    };
    let heuristic = work.heuristic.map(|_| HeuristicKind::Patterns);
    let wishes = Wishes { engine: work.engine, heuristic, partition: work.heuristic.map(str::to_string) };
    let solvers = Solvers::new(wishes, threads, MEMORY);
    let began = Instant::now();
    if let Ok(goal) = GoalSpec::BlankLast.on(shape) {
        solvers.prepare(&goal);
    }
    let table_seconds = began.elapsed().as_secs_f64();
    let (totals, seconds) = solve(&solvers, shape, &text, threads, Fields::default(), &mut io::sink())?;
    // Of the many small boards the first will do.
    let some: String = text.split_inclusive('\n').take(100_000).collect();
    let mut answers = Signature::new();
    let fields = Fields::new([Field::Index, Field::Status, Field::Moves, Field::Path]);
    solve(&solvers, shape, &some, threads, fields, &mut answers)?;
    let (boards, nodes) = (totals.counts().records(), totals.nodes());
    let measured = Measured {
        name: work.name,
        table_seconds,
        boards,
        seconds,
        boards_per_second: boards as f64 / seconds,
        nodes,
        nodes_per_second: nodes as f64 / seconds,
        bytes_written: totals.bytes_written(),
        answers: format!("{:016x}", answers.0),
    };
    Ok((measured, answers.0))
}

/// Solves boards; the totals and the seconds.
fn solve(
    solvers: &Solvers,
    shape: Shape,
    text: &str,
    threads: usize,
    fields: Fields,
    to: &mut impl Sink,
) -> Result<(Totals, f64), batch::Error> {
    let input = InputOptions { layout: Some(Layout::Line), shape: Some(shape), ..InputOptions::default() };
    let mut reader = Reader::of_text("bench", Cursor::new(text.as_bytes().to_vec()), input);
    let options = Options {
        threads,
        parallel: Parallel::Auto,
        ordered: true,
        limits: Limits::default(),
        style: Style::Json(fields),
        fast_path: FastPath::On,
    };
    let (totals, stop) = (Totals::default(), AtomicBool::new(false));
    let began = Instant::now();
    batch::run(&mut reader, to, solvers, &options, &totals, &stop, &|_| {})?;
    Ok((totals, began.elapsed().as_secs_f64()))
}

/// Random solvable boards, one on a line: the same on every machine.
fn random_boards(shape: Shape, boards: usize) -> String {
    let Ok(goal) = GoalSpec::BlankLast.on(shape) else { unreachable!("every shape has this goal") };
    let mut seed = 1u64;
    let mut below = |end: usize| {
        // D. E. Knuth, MMIX: the multiplier and increment of a linear congruential generator modulo 2^64.
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % end
    };
    let (mut text, mut tiles) = (String::new(), goal.tiles().to_vec());
    for _ in 0..boards {
        for i in (1..tiles.len()).rev() {
            tiles.swap(i, below(i + 1));
        }
        if Board::new(shape, &tiles).is_ok_and(|board| !is_solvable(&board, &goal)) {
            // Two tiles changed places make every other board solvable.
            let mut of_tiles = (0..tiles.len()).filter(|&cell| tiles[cell] != Tile::BLANK);
            if let (Some(one), Some(other)) = (of_tiles.next(), of_tiles.next()) {
                tiles.swap(one, other);
            }
        }
        for (i, tile) in tiles.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{}", if i == 0 { "" } else { " " }, tile.label());
        }
        text.push('\n');
    }
    text
}

/// Copies so many bytes from one place in memory to another.
fn copy(bytes: u64) -> Copy {
    let from = vec![1u8; bytes as usize];
    let mut to = vec![2u8; bytes as usize];
    let mut times = [0.0; 5];
    for time in &mut times {
        let began = Instant::now();
        std::hint::black_box(&mut to).copy_from_slice(std::hint::black_box(&from));
        *time = began.elapsed().as_secs_f64();
    }
    times.sort_by(f64::total_cmp);
    let seconds = times[times.len() / 2];
    Copy { bytes, seconds, bytes_per_second: bytes as f64 / seconds }
}

/// A number that depends on every byte and its place: FNV-1a (Fowler, Noll, Vo 1991), 64 bits.
struct Signature(u64);

impl Signature {
    fn new() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

impl Sink for Signature {}

impl Write for Signature {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.add(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Report {
    fn to_text(&self) -> String {
        let mut text = format!("taquin {} on {} threads\n\n", self.version, self.threads);
        for work in &self.works {
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{:20}tables {:6.3} s {:>10} boards {:8.3} s {:>12} boards/s{}",
                work.name,
                work.table_seconds,
                HumanCount(work.boards).to_string(),
                work.seconds,
                HumanCount(work.boards_per_second as u64).to_string(),
                match work.nodes {
                    0 => String::new(),
                    nodes => format!(
                        " {:>12} nodes {:>12} nodes/s",
                        HumanCount(nodes).to_string(),
                        HumanCount(work.nodes_per_second as u64).to_string()
                    ),
                },
            );
        }
        let Copy { bytes, seconds, bytes_per_second } = self.copy;
        let _ = writeln!(
            text,
            "\ncopying the {:.0} MB that the first work writes: {seconds:.3} s, {:.1} GB/s; the work took {:.1} times as long\nanswers: {}",
            bytes as f64 / 1e6,
            bytes_per_second / 1e9,
            self.works[0].seconds / seconds,
            self.answers,
        );
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_solvable_and_the_same_every_time() {
        let shape = Shape::new(3, 3).unwrap();
        let goal = GoalSpec::BlankLast.on(shape).unwrap();
        let text = random_boards(shape, 100);
        for line in text.lines() {
            let tiles: Vec<Tile> = line.split(' ').map(|label| Tile::new(label.parse().unwrap())).collect();
            assert!(is_solvable(&Board::new(shape, &tiles).unwrap(), &goal), "{line}");
        }
        assert_eq!(text.lines().count(), 100);
        assert_eq!(random_boards(shape, 100), text);
    }

    /// Published test vectors: <http://www.isthe.com/chongo/src/fnv/test_fnv.c>.
    #[test]
    fn the_signature_is_fnv() {
        for (text, hash) in
            [("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8)]
        {
            let mut signature = Signature::new();
            signature.add(text.as_bytes());
            assert_eq!(signature.0, hash, "{text}");
        }
    }
}
