//! Prints a histogram of the distances of random boards from the goal.
//!
//! `cargo run --release --example histogram -- 3x3 10000`

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::io::{self, Write};

use taquin::generate::{Generator, Spec};
use taquin::{Goal, Shape, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let shape: Shape = arguments.next().as_deref().unwrap_or("3x3").parse()?;
    let count: u64 = arguments.next().as_deref().unwrap_or("10000").parse()?;
    draw(shape, count, io::stdout().lock())
}

/// Draws a histogram of the distances of random boards.
pub fn draw(shape: Shape, count: u64, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let solver = Solver::new();
    // Boards are chosen uniformly from all solvable ones. Another seed gives other boards.
    let spec = Spec::uniform(Goal::BlankLast.on(shape)?, count, 2026);
    let puzzles = Generator::new(spec, &solver)?.collect::<Result<Vec<_>, _>>()?;

    let mut histogram: BTreeMap<usize, usize> = BTreeMap::new();
    for answer in solver.solve_all(puzzles.iter().map(|puzzle| &puzzle.board)) {
        let moves = answer?.moves().expect("the board can be solved, and there are no limits");
        *histogram.entry(moves).or_default() += 1;
    }

    let most = histogram.values().copied().max().unwrap_or(1);
    for (moves, boards) in &histogram {
        writeln!(out, "{moves:3} {boards:8} {}", "#".repeat(60 * boards / most))?;
    }
    let total: usize = histogram.iter().map(|(moves, boards)| moves * boards).sum();
    writeln!(out, "{:.2} moves on average", total as f64 / count as f64)?;
    Ok(())
}
