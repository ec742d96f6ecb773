//! Solves one board and prints every board on the path.
//!
//! `cargo run --release --example solve_one -- '2 3 4/1 5 0/7 6 8' snail` (the goal is optional)

use std::env;
use std::error::Error;
use std::io::{self, Write};
use std::time::Duration;

use taquin::{Answer, Board, Goal, Solver};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let board = arguments.next().unwrap_or_else(|| "2 3 4/1 5 0/7 6 8".to_owned());
    // `blank-last` is 1 2 3 … 0. Other names are `blank-first` and `snail`, and any board can be a
    // goal.
    let goal = arguments.next().unwrap_or_else(|| "blank-last".to_owned());
    solve(&board, &goal, io::stdout().lock())
}

/// Solves one board and writes the result.
pub fn solve(board: &str, goal: &str, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    let (board, goal): (Board, Goal) = (board.parse()?, goal.parse()?);
    // `Solver::new()` has no limits. Keep one solver for all boards, so that its tables are built
    // only once.
    let solver = Solver::builder().time_limit(Duration::from_secs(60)).build()?;
    match solver.solve_to(&board, &goal)? {
        Answer::Solved(solution) => {
            writeln!(out, "{} moves: {}", solution.moves(), solution.letters())?;
            for board in solution.boards() {
                writeln!(out, "{board}")?;
            }
        }
        Answer::Unsolvable => writeln!(out, "unsolvable: the goal cannot be reached")?,
        Answer::Unsolved { lower_bound, .. } => writeln!(out, "not solved in time: at least {lower_bound} moves")?,
        // A later version may have more kinds of answers.
        other => writeln!(out, "{other:?}")?,
    }
    Ok(())
}
