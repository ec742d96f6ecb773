//! `taquin show`: shows one board's solution.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Args;

use super::options::{Moves, PathSearchOptions, ReadingOptions, is_board};
use super::ui::output_conflicts::{self, Target};
use super::ui::progress::{ProgressDisplay, Work};
use super::ui::{ExitStatus, Stop, animation, atomic_file, print, warn};
use crate::batch::Total;
use crate::board::Board;
use crate::format::input::{self, Input, InputOptions, Reader, Record};
use crate::format::text::id_text;
use crate::solver::{Answer, Solution, Threads};
use crate::tools::record::board_and_goal;
use crate::tools::show;
use crate::tools::text::counted;

const AFTER: &str = "\
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

    /// Record to show: its id or, if it has none, its number [default: the first record]
    #[arg(long, value_name = "ID|N", help_heading = "Input")]
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

impl Arguments {
    pub fn run(&self) -> Result<ExitStatus, Stop> {
        atomic_file::check_overwriting(self.svg.as_deref(), self.force)?;
        self.search.solving().check()?;
        let (board, goal) = self.puzzle()?;
        let extension = self.svg.as_deref().and_then(Path::extension);
        if extension.is_some_and(|extension| !extension.eq_ignore_ascii_case("svg")) {
            return Err("--svg writes SVG only: name a .svg file".into());
        }
        match self.solve(&board, &goal)? {
            Answer::Unsolvable => self.unsolvable(&board, &goal),
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
        let mut reader = Reader::new(inputs, reading);
        while let Some(chunk) = reader.next_chunk(4096, 1 << 16, Vec::new()) {
            let chunk = chunk.map_err(|error| error.to_string())?;
            reader.take_warnings().iter().for_each(|warning| warn(warning));
            let Some(found) = chunk.records().find(|record| self.is_wanted(record)) else { continue };
            return board_and_goal(found.puzzle, &chunk.source).map_err(|why| {
                Stop::some_failed(match is_typed {
                    true => format!("invalid board: {why}"),
                    false => format!("{}:{}: {why}", chunk.source.name, found.line),
                })
            });
        }
        Err(match &self.record {
            Some(wanted) if reader.records() > 0 => {
                let records = counted(reader.records(), "record");
                format!("{name} has no record {wanted}: it has {records}, named by id or, without one, by number")
            }
            _ => format!("{name} has no records"),
        }
        .into())
    }

    fn is_wanted(&self, record: &Record) -> bool {
        self.record.as_ref().is_none_or(|wanted| match &record.id {
            Some(id) => id_text(id) == *wanted,
            None => record.index.to_string() == *wanted,
        })
    }

    fn solve(&self, board: &Board, goal: &Board) -> Result<Answer, String> {
        let (solver, limits) = (self.search.solving().solver(), self.search.solving().limits());
        let (mut worker, stop) = (solver.worker_on(Threads::Pool), AtomicBool::new(false));
        let answer = ProgressDisplay::usual(false, true).during(
            || Work::counting(0, Total::Exactly(1), Some(&solver)),
            || worker.answer(board, &goal.into(), &limits, &stop),
        );
        answer.map_err(|error| error.to_string())
    }

    fn show(&self, solution: &Solution) -> Result<ExitStatus, Stop> {
        if let Some(path) = &self.svg {
            if solution.moves() > MAX_DRAWN_MOVES {
                let moves = counted(solution.moves() as u64, "move");
                return Err(format!("cannot draw {moves}: an image has at most {MAX_DRAWN_MOVES}; use --frames").into());
            }
            atomic_file::write(path, show::animated_solution(solution).as_bytes())?;
        }
        let shown = match (self.frames, &self.svg) {
            (true, _) => self.list(solution),
            (false, Some(_)) => Ok(()),
            (false, None) => match animation::play(solution, self.moves.spelling()) {
                Ok(false) => self.list(solution),
                ended => ended.map(drop),
            },
        };
        shown.map_err(|error| Stop::writing("standard output", &error))?;
        Ok(ExitStatus::Settled)
    }

    /// Prints every position.
    fn list(&self, solution: &Solution) -> io::Result<()> {
        let is_notation_given = self.moves.notation.is_some() || self.moves.path_of.is_some();
        let spelling = is_notation_given.then(|| self.moves.spelling());
        let mut out = BufWriter::new(io::stdout().lock());
        show::write_frames(&solution.board, &solution.path, spelling, &mut out)?;
        out.flush()
    }

    /// Shows an unsolvable board. This is a result, not an error.
    fn unsolvable(&self, board: &Board, goal: &Board) -> Result<ExitStatus, Stop> {
        if let Some(path) = &self.svg {
            atomic_file::write(path, show::still(board, goal, "no solution").as_bytes())?;
        }
        if self.frames || self.svg.is_none() {
            print(format!("{}\nno solution\n", show::board_rows(board, "0")).as_bytes())?;
        }
        Ok(ExitStatus::Settled)
    }
}
