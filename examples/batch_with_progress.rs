//! Solves boards from an iterator on all processors, in order, and reports progress.
//!
//! `cargo run --release --example batch_with_progress < boards.txt` (one board per line)
//!
//! For files in any layout, with a result for every record, see `taquin::files::Batch`.

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use taquin::{Answer, Board, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let mut last_report = Instant::now();
    let progress = |done, solved| {
        if last_report.elapsed() >= Duration::from_secs(1) {
            last_report = Instant::now();
            eprintln!("{done} boards, {solved} of them solved");
        }
    };
    solve(io::stdin().lock(), io::BufWriter::new(io::stdout().lock()), progress)
}

/// Solves boards, one per line, and writes their paths. After each board, calls `progress` with the
/// number of boards done so far and the number of those that are solved.
pub fn solve(
    input: impl BufRead,
    mut out: impl Write,
    mut progress: impl FnMut(usize, usize),
) -> Result<(), Box<dyn Error>> {
    // Lines are read only when answers are requested, so the input may have any length. The first
    // line that is not a board ends the iterator; the answers of earlier lines are still returned.
    let mut failure = None;
    let boards = input.lines().map_while(|line| {
        let board = line.map_err(Box::<dyn Error>::from).and_then(|line| Ok(line.parse::<Board>()?));
        board.map_err(|error| failure = Some(error)).ok()
    });

    let mut solved = 0;
    for (index, answer) in Solver::new().solve_all(boards).enumerate() {
        match answer? {
            Answer::Solved(solution) => {
                solved += 1;
                writeln!(out, "{}", solution.letters())?;
            }
            Answer::Unsolvable => writeln!(out, "unsolvable")?,
            other => writeln!(out, "{other:?}")?,
        }
        progress(index + 1, solved);
    }
    out.flush()?;
    failure.map_or(Ok(()), Err)
}
