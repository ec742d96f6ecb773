//! A solution in a terminal: every position is drawn over the previous one.

use std::time::Duration;
use std::{io, iter, thread};

use console::Term;

use super::progress::can_move_cursor;
use crate::board::Board;
use crate::format::spelling::Spelling;
use crate::solver::Solution;
use crate::tools::show::{board_rows, move_name};
use crate::tools::text::counted;

/// The time per move, unless the solution is long.
const MOVE_TIME: Duration = Duration::from_millis(400);

/// The maximum time of a solution.
const MAX_TIME: Duration = Duration::from_secs(20);

/// Plays a solution on standard output, and then prints its length. Returns false, and prints
/// nothing, if standard output is not a terminal that can move its cursor, or is too small.
///
/// # Errors
/// When the terminal cannot be written to.
pub fn play(solution: &Solution, spelling: Spelling) -> io::Result<bool> {
    // Buffered, so that a position is never seen half drawn.
    let terminal = Term::buffered_stdout();
    let is_capable = terminal.is_term() && can_move_cursor();
    if !is_capable || !frames(solution, spelling).all(|frame| fits(&frame, terminal.size())) {
        return Ok(false);
    }
    let pause = MOVE_TIME.min(MAX_TIME / solution.moves().max(1) as u32);
    for (moves, frame) in frames(solution, spelling).enumerate() {
        if moves > 0 {
            thread::sleep(pause);
            terminal.move_cursor_up(frame.lines().count())?;
            terminal.clear_to_end_of_screen()?;
        }
        terminal.write_line(&frame)?;
        terminal.flush()?;
    }
    terminal.write_line(&counted(solution.moves() as u64, "move"))?;
    terminal.flush()?;
    Ok(true)
}

/// Returns the text of every position: the board, and a line such as `move 3 of 19: R`.
fn frames(solution: &Solution, spelling: Spelling) -> impl Iterator<Item = String> {
    let frame = |board: &Board, status: String| board_rows(board, "0") + &status;
    let (mut board, moves) = (solution.board.clone(), solution.moves());
    let start = frame(&board, format!("move 0 of {moves}"));
    let others = (1..).zip(solution.path.moves()).map(move |(at, step)| {
        let name = move_name(&board, step, spelling);
        board.make(step);
        frame(&board, format!("move {at} of {moves}: {name}"))
    });
    iter::once(start).chain(others)
}

/// Returns true if a terminal of this size has room for a frame, the number of moves and the cursor
/// below each other.
fn fits(frame: &str, (rows, columns): (u16, u16)) -> bool {
    frame.lines().count() + 2 <= rows.into() && frame.lines().all(|line| line.len() <= columns.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Solver;

    fn solution(board: &str) -> Solution {
        let answer = Solver::new().solve(&board.parse().unwrap()).unwrap();
        answer.solution().unwrap().clone()
    }

    #[test]
    fn every_position_has_a_status() {
        let frames: Vec<String> = frames(&solution("1 0 2/4 5 3"), Spelling::default()).collect();
        assert_eq!(
            frames,
            ["1 0 2\n4 5 3\nmove 0 of 2", "1 2 0\n4 5 3\nmove 1 of 2: R", "1 2 3\n4 5 0\nmove 2 of 2: D"]
        );
        let solved: Vec<String> = super::frames(&solution("1 2/3 0"), Spelling::default()).collect();
        assert_eq!(solved, ["1 2\n3 0\nmove 0 of 0"]);
    }

    #[test]
    fn a_frame_fits_with_two_more_lines() {
        let frame = "1 0 2\n4 5 3\nmove 0 of 2";
        assert!(fits(frame, (5, 11)));
        assert!(!fits(frame, (4, 11)));
        assert!(!fits(frame, (5, 10)));
    }
}
