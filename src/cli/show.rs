//! `taquin show`: shows one board's solution.

use std::ffi::OsString;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Args;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::options::{Moves, PathSearchOptions, ReadingOptions, is_board};
use super::ui::output_conflicts::{self, Target};
use super::ui::progress::can_move_cursor;
use super::ui::signals::Interrupt;
use super::ui::{ExitStatus, Stop, atomic_file, print, print_lines, warn};
use crate::board::{Board, is_solvable};
use crate::format::input::{self, Input, InputOptions, Puzzle, Reader};
use crate::format::spelling::Spelling;
use crate::format::text::id_text;
use crate::solver::{Answer, Solution, Threads};
use crate::tools::show::{self, terminal};
use crate::tools::text::counted;

const AFTER: &str = "\
Keys: space plays and pauses, the arrows (or h and l) step, home and end (or g and G) go to the start and the \
goal, + and - change the speed, q quits.

Examples:
  taquin show 2 3 4 1 5 x 7 6 8
  taquin show --frames 1,2,3/4,0,5/7,8,6
  taquin show --goal snail --svg puzzle.svg 283104765
  taquin show --goal blank-first --record 12 inputs/korf.txt
  taquin show --record level-7 levels.json

Exit status:
  0         The board is solved or proven unsolvable
  1         The board is invalid, or not solved within the limits
  2         The run failed: usage, read or write error
  130, 143  Interrupted";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// A board, in one or more arguments, or a file of boards; - for standard input
    #[arg(value_name = "BOARD|FILE", default_value = "-")]
    what: Vec<OsString>,

    /// Record to show, by its id in JSON or CSV or, if no id matches, by its number [default: 1]
    #[arg(long, value_name = "ID|N", value_parser = record, help_heading = "Input")]
    record: Option<String>,

    #[command(flatten)]
    reading: ReadingOptions,

    /// Print every position of the solution as text [default unless the output is a terminal]
    #[arg(long, help_heading = "Output")]
    frames: bool,

    /// Write an animated SVG image
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,

    /// Overwrite the SVG file
    #[arg(long, requires = "svg", help_heading = "Output")]
    force: bool,

    #[command(flatten, next_help_heading = "Output")]
    moves: Moves,

    #[command(flatten)]
    search: PathSearchOptions,
}

/// The maximum number of moves in an image. An image of this many moves takes about 5 MB.
const MAX_DRAWN_MOVES: usize = 50_000;

/// Parses the id or the number of a record. Only the number 0 is rejected.
fn record(text: &str) -> Result<String, &'static str> {
    if text.parse::<u64>() == Ok(0) { Err("records are numbered from 1") } else { Ok(text.into()) }
}

impl Arguments {
    pub fn run(&self) -> Result<ExitStatus, Stop> {
        atomic_file::check_overwriting(self.svg.as_deref(), self.force)?;
        self.search.solving().check()?;
        self.check_spelling()?;
        let (board, goal) = self.puzzle()?;
        self.check_svg_name()?;
        if !is_solvable(&board, &goal) {
            return self.unsolvable(&board, &goal);
        }
        match self.solve(&board, &goal)? {
            Answer::Unsolvable => Err("internal error: two parity checks disagree".into()),
            Answer::Unsolved { lower_bound, limit } => {
                let limit = limit.name();
                let why = format!("not solved (limit: {limit}): every solution needs at least {lower_bound} moves");
                Err(Stop::some_failed(why))
            }
            Answer::Solved(solution) => {
                if !solution.is_optimal() {
                    let (moves, least) = (solution.moves(), solution.lower_bound());
                    warn(&format!("{moves} moves, not proven shortest: every solution needs at least {least}"));
                }
                self.show(&solution)
            }
        }
    }

    /// Returns the board to show, and its goal.
    fn puzzle(&self) -> Result<(Board, Board), Stop> {
        match self.what.as_slice() {
            [one] if one == "-" || Path::new(one).exists() || !one.to_str().is_some_and(is_board) => {
                let reading = self.reading.options(&self.search.solving());
                self.read_record(input::expand([one]).inputs, reading, &one.to_string_lossy())
            }
            words => {
                if self.record.is_some() {
                    return Err("--record applies only to files: leave it out for a board on the command line".into());
                }
                let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
                let reading = self.reading.options_of_typed_boards(&self.search.solving())?;
                self.read_record(vec![Input::Text(words.join(" "))], reading, "the board")
            }
        }
    }

    /// Reads the record to show. `name` stands for the inputs in messages.
    fn read_record(&self, inputs: Vec<Input>, reading: InputOptions, name: &str) -> Result<(Board, Board), Stop> {
        output_conflicts::check(&inputs, &[Target::StandardOutput, Target::File("--svg", self.svg.as_deref())])?;
        let is_typed = matches!(inputs[..], [Input::Text(_)]);
        let wanted = self.record.as_deref();
        let number = wanted.map_or(Some(1), |wanted| wanted.parse().ok());
        let (mut with_number, mut has_ids) = (None, false);
        let mut reader = Reader::new(inputs, reading);
        while let Some(chunk) = reader.next_chunk(4096, 1 << 16, Vec::new()) {
            let chunk = chunk.map_err(|error| error.to_string())?;
            reader.take_warnings().iter().for_each(|warning| warn(warning));
            for found in chunk.records() {
                let has_wanted_id = wanted.is_some() && found.id.as_deref().map(id_text).as_deref() == wanted;
                has_ids |= found.id.is_some();
                if !has_wanted_id && number != Some(found.index) {
                    continue;
                }
                let puzzle = found.puzzle.map_err(|why| why.to_string()).and_then(|Puzzle { board, goal }| {
                    let goal = goal.as_ref().unwrap_or(&chunk.source.goal).on(board.shape());
                    Ok((board, goal.map_err(|why| format!("invalid goal: {why}"))?))
                });
                let puzzle = puzzle.map_err(|why| {
                    Stop::some_failed(match is_typed {
                        true => format!("invalid board: {why}"),
                        false => format!("{}:{}: {why}", chunk.source.name, found.line),
                    })
                });
                // A later record may have the number as its id.
                if has_wanted_id || wanted.is_none() || !has_ids {
                    return puzzle;
                }
                with_number = Some(puzzle);
            }
        }
        with_number.unwrap_or_else(|| {
            Err(match (wanted, reader.records()) {
                (Some(wanted), records @ 1..) => {
                    let records = counted(records, "record");
                    format!("{name} has no record {wanted}: it has {records}, none with this id").into()
                }
                _ => format!("{name} has no records").into(),
            })
        })
    }

    /// Rejects notation options if only an image is written, because images do not name moves.
    fn check_spelling(&self) -> Result<(), String> {
        let Moves { notation, path_of } = self.moves;
        let given = notation.map(|_| "--notation").or(path_of.map(|_| "--path-of"));
        match given {
            Some(option) if self.svg.is_some() && !self.frames => {
                Err(format!("{option} needs --frames: an image does not name moves"))
            }
            _ => Ok(()),
        }
    }

    /// Rejects an image file with an extension other than `svg`.
    fn check_svg_name(&self) -> Result<(), String> {
        match &self.svg {
            Some(path) if path.extension().is_some_and(|extension| !extension.eq_ignore_ascii_case("svg")) => {
                Err(format!("cannot write {}: --svg writes SVG only; name a .svg file", path.display()))
            }
            _ => Ok(()),
        }
    }

    fn solve(&self, board: &Board, goal: &Board) -> Result<Answer, String> {
        let (mut worker, stop) = (self.search.solving().solver().worker_on(Threads::Pool), AtomicBool::new(false));
        let answer = worker.answer(board, &goal.into(), &self.search.solving().limits(), &stop);
        answer.map_err(|error| error.to_string())
    }

    fn show(&self, solution: &Solution) -> Result<ExitStatus, Stop> {
        if self.svg.is_some() && solution.moves() > MAX_DRAWN_MOVES {
            let moves = counted(solution.moves() as u64, "move");
            return Err(format!("cannot draw {moves}: an image has at most {MAX_DRAWN_MOVES}; use --frames").into());
        }
        match self.draw(|| show::animated_solution(solution))? {
            true => Ok(ExitStatus::Settled),
            false if self.frames || !(io::stdout().is_terminal() && can_move_cursor()) => self.list(solution),
            false => play(solution, self.moves.spelling()),
        }
    }

    /// Writes an image, if it was requested. Returns true if nothing else was requested.
    fn draw(&self, image: impl FnOnce() -> String) -> Result<bool, Stop> {
        match &self.svg {
            None => Ok(false),
            Some(path) => atomic_file::write(path, image().as_bytes()).map(|()| !self.frames),
        }
    }

    fn list(&self, solution: &Solution) -> Result<ExitStatus, Stop> {
        let is_notation_given = self.moves.notation.is_some() || self.moves.path_of.is_some();
        let spelling = is_notation_given.then(|| self.moves.spelling());
        let mut out = BufWriter::new(io::stdout().lock());
        let written =
            show::write_frames(&solution.board, &solution.path, spelling, &mut out).and_then(|()| out.flush());
        written.map_err(|error| Stop::writing("standard output", &error))?;
        Ok(ExitStatus::Settled)
    }

    /// Shows an unsolvable board. This is a result, not an error.
    fn unsolvable(&self, board: &Board, goal: &Board) -> Result<ExitStatus, Stop> {
        if self.draw(|| show::still(board, goal, "no solution"))? {
            return Ok(ExitStatus::Settled);
        }
        let mut text = Vec::new();
        show::write_board_rows(board, "0", &mut text);
        text.extend_from_slice(b"\nno solution\n");
        Ok(print(&text)?)
    }
}

/// Plays a solution in the terminal, and then prints its length.
fn play(solution: &Solution, spelling: Spelling) -> Result<ExitStatus, Stop> {
    let interrupt = Interrupt::listen_for(&[SIGINT, SIGTERM, SIGHUP])?;
    interrupt.restore_at_exit(terminal::restore);
    match terminal::play(&solution.board, &solution.path, spelling, interrupt.flag()) {
        Ok(true) => Ok(print_lines(&format!("{}\n", counted(solution.moves() as u64, "move")))?),
        Ok(false) => Ok(interrupt.status().unwrap_or(ExitStatus::Interrupted(SIGINT as u8))),
        Err(error) => Err(format!("cannot show a replay in this terminal: {error}; use --frames").into()),
    }
}
