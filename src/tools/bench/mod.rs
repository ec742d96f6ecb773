//! Fixed work that is built in, to compare machines and versions by.
//!
//! Boards come from a fixed generator, results go to nowhere. *Answers* is a number that depends on every result byte,
//! and *nodes* on every step of the searches: both are the same on every machine and however many threads, unless a
//! search was changed. Times are not.

mod boards;
mod signature;
mod works;

use std::io::{self, Cursor};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::Serialize;

use crate::batch::fast_path::FastPath;
use crate::batch::{self, Options, Sink, Totals};
use crate::board::{Goal, Shape};
use crate::engine::Parallel;
use crate::format::input::{InputOptions, Layout, Reader};
use crate::format::output::{Field, Fields};
use crate::format::style::Style;
use crate::heuristic::learned::Available;
use crate::solver::{Aim, EnginePreference, HeuristicKind, Settings, Solver};
use crate::system::Limits;
use boards::random_boards;
use signature::Signature;
use works::{Boards, MEMORY, WORKS, Work};

/// The figures of all works.
#[derive(Serialize)]
pub struct Report {
    /// The version of the program.
    pub version: &'static str,
    /// Threads that solved.
    pub threads: usize,
    /// Copying as many bytes as the first work writes, from memory to memory on one thread.
    pub copy: Copy,
    /// The works, in their order.
    pub works: Vec<Measured>,
    /// A number that depends on the results of all.
    pub answers: String,
}

/// What copying bytes takes: how far a work is from what the memory allows.
#[derive(Serialize)]
pub struct Copy {
    /// Bytes that were copied.
    pub bytes: u64,
    /// The median time of several copies.
    pub seconds: f64,
    /// Its rate.
    pub bytes_per_second: f64,
}

/// The figures of one work.
#[derive(Serialize)]
pub struct Measured {
    /// Its name.
    pub name: &'static str,
    /// What building the tables took; not among the seconds of the work.
    pub table_seconds: f64,
    /// Boards that were solved.
    pub boards: u64,
    /// What that took.
    pub seconds: f64,
    /// Its rate.
    pub boards_per_second: f64,
    /// Nodes that the searches generated.
    pub nodes: u64,
    /// Their rate.
    pub nodes_per_second: f64,
    /// Bytes of results.
    pub bytes_written: u64,
    /// A number that depends on the results.
    pub answers: String,
}

/// Does all the work on so many threads.
///
/// # Errors
/// When a batch fails.
pub fn run(threads: usize) -> Result<Report, batch::Error> {
    let mut works = Vec::new();
    let mut all = Signature::new();
    for work in &WORKS {
        let (measured, answers) = measure(work, threads)?;
        works.push(measured);
        all.add(&answers.to_le_bytes());
    }
    let copy = copy(works[0].bytes_written);
    Ok(Report { version: env!("CARGO_PKG_VERSION"), threads, copy, works, answers: format!("{:016x}", all.value()) })
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
    let partition = work.heuristic.map(str::to_string);
    let preference = EnginePreference { engine: work.engine, heuristic, partition, ..EnginePreference::default() };
    let limits = Limits::default();
    let settings = Settings {
        threads,
        parallel: Parallel::Auto,
        memory: MEMORY,
        preference,
        aim: Aim::default(),
        weights: Available::default(),
        limits,
    };
    let solver = Solver::with(settings);
    let began = Instant::now();
    if let Ok(goal) = Goal::BlankLast.on(shape) {
        solver.prepare(&goal);
    }
    let table_seconds = began.elapsed().as_secs_f64();
    let (totals, seconds) = solve(&solver, shape, &text, Fields::default(), &mut io::sink())?;
    // Of the many small boards the first will do.
    let some: String = text.split_inclusive('\n').take(100_000).collect();
    let mut answers = Signature::new();
    let fields = Fields::new([Field::Index, Field::Status, Field::Moves, Field::Path]);
    solve(&solver, shape, &some, fields, &mut answers)?;
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
        answers: format!("{:016x}", answers.value()),
    };
    Ok((measured, answers.value()))
}

/// Solves boards; gives the totals and the seconds.
fn solve(
    solver: &Solver,
    shape: Shape,
    text: &str,
    fields: Fields,
    to: &mut impl Sink,
) -> Result<(Totals, f64), batch::Error> {
    let input = InputOptions { layout: Some(Layout::Line), shape: Some(shape), ..InputOptions::default() };
    let mut reader = Reader::of_text("bench", Cursor::new(text.as_bytes().to_vec()), input);
    let options = Options { ordered: true, style: Style::Json(fields), fast_path: FastPath::On };
    let (totals, stop) = (Totals::default(), AtomicBool::new(false));
    let began = Instant::now();
    batch::run(&mut reader, to, solver, &options, &totals, &stop, &|_| {})?;
    Ok((totals, began.elapsed().as_secs_f64()))
}

/// Copies this number of bytes from one place in memory to another.
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
