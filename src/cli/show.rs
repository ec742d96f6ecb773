//! `taquin show`: shows one board's solution.

use std::ffi::OsString;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use clap::Args;

use super::options::typed_boards::is_board;
use super::options::{BoardLimits, Moves, PathQuality, Reading, Resources, Solving};
use super::ui::progress::can_move_cursor;
use super::ui::whole_file::{self, Present};
use super::ui::written::{self, Written};
use super::ui::{Status, fail, print, print_lines, warn};
use crate::board::{Board, Goal, is_solvable};
use crate::format::input::{self, Input, InputOptions, Puzzle, Reader};
use crate::format::json_object::id_text;
use crate::solver::Answer;
use crate::tools::show::{self, Walkthrough, terminal};
use crate::tools::text::counted;

const AFTER: &str = "\
Keys: space plays and pauses, the arrows (or h and l) step, home and end (or g and G) go to the first and the last board,
+ and - change the speed, q quits.

Examples:
  taquin show 2 3 4 1 5 x 7 6 8
  taquin show --frames 1,2,3/4,0,5/7,8,6
  taquin show --goal snail --svg puzzle.svg 283104765
  taquin show --goal blank-first --record 12 inputs/korf.txt
  taquin show --record level-7 levels.json

Exit status:
  0         The board is solved or proven unsolvable
  1         The board is invalid, or not solved within its limits
  2         The run failed: usage, input or output
  130, 143  Interrupted";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER)]
pub(super) struct Arguments {
    /// A board, or a file of boards; - for standard input
    #[arg(value_name = "BOARD|FILE", default_value = "-")]
    what: Vec<OsString>,

    /// Record to show: its id, or its number [default: 1]
    #[arg(long, value_name = "ID|N", value_parser = record, help_heading = "Input")]
    record: Option<Wanted>,

    #[command(flatten)]
    reading: Reading,

    /// Print every board as text [default unless the output is a terminal]
    #[arg(long, help_heading = "Output")]
    frames: bool,

    /// Write an animated SVG image
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,

    /// Overwrite FILE
    #[arg(long, requires = "svg", help_heading = "Output")]
    force: bool,

    #[command(flatten)]
    moves: Moves,

    #[command(flatten)]
    resources: Resources,

    #[command(flatten)]
    quality: PathQuality,

    #[command(flatten)]
    limits: BoardLimits,
}

/// The maximum number of moves in an image; it then has about 5 MB.
const MOST_DRAWN: usize = 50_000;

/// The record to show.
#[derive(Debug, Clone)]
struct Wanted {
    /// Its id, or its number.
    text: String,
    number: Option<u64>,
}

fn record(text: &str) -> Result<Wanted, String> {
    match text.parse() {
        _ if text == "first" => Ok(Wanted { text: text.into(), number: Some(1) }),
        Ok(0) => Err("records are numbered from 1".into()),
        number => Ok(Wanted { text: text.into(), number: number.ok() }),
    }
}

/// The reason why nothing can be shown.
enum Failure {
    /// The record is not a valid board.
    Invalid(String),
    Run(String),
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let present = Present::forced(arguments.force);
    if let Some(Err(why)) = arguments.svg.as_deref().map(|path| whole_file::may_write(path, present)) {
        return fail(&why);
    }
    if let Some(why) = arguments.solving().contradiction() {
        return fail(why);
    }
    if let Err(why) = arguments.unused_spelling() {
        return fail(&why);
    }
    let (board, goal) = match arguments.puzzle() {
        Ok(puzzle) => puzzle,
        Err(Failure::Invalid(why)) => {
            warn(&why);
            return Status::SomeFailed;
        }
        Err(Failure::Run(why)) => return fail(&why),
    };
    if let Some(why) = arguments.svg.as_deref().and_then(not_svg) {
        return fail(&why);
    }
    if !is_solvable(&board, &goal) {
        return arguments.unsolvable(&board, &goal);
    }
    match arguments.solve(&board, &goal) {
        Err(why) => fail(&why),
        Ok(Answer::Unsolvable) => fail("internal error: two parity checks disagree"),
        Ok(Answer::Unsolved { lower_bound, limit }) => {
            let limit = limit.name();
            warn(&format!("not solved (limit: {limit}): every solution needs at least {lower_bound} moves"));
            Status::SomeFailed
        }
        Ok(Answer::Solved(solution)) => {
            if !solution.is_optimal() {
                let (moves, least) = (solution.moves(), solution.lower_bound());
                warn(&format!("{moves} moves, not proven shortest: every solution needs at least {least}"));
            }
            match Walkthrough::new(&board, &goal, solution.path(), arguments.moves.spelling()) {
                Ok(steps) => arguments.show(&steps),
                Err(fault) => fail(&format!("internal error: invalid path: {fault}")),
            }
        }
    }
}

impl Arguments {
    fn solving(&self) -> Solving {
        let &Arguments { resources, quality, limits, .. } = self;
        Solving { resources, quality, limits, ..Solving::default() }
    }

    /// Returns the board to show, and its goal.
    fn puzzle(&self) -> Result<(Board, Board), Failure> {
        match self.what.as_slice() {
            [one] if one == "-" || Path::new(one).exists() || !one.to_str().is_some_and(is_board) => {
                let reading = self.reading.options(&self.solving());
                self.read_record(input::expand([one]).inputs, reading, &one.to_string_lossy())
            }
            words => {
                if self.record.is_some() {
                    return Err(Failure::Run(
                        "--record describes files: leave it out for a board on the command line".into(),
                    ));
                }
                let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
                let reading = self.reading.options_of_typed_boards(&self.solving()).map_err(Failure::Run)?;
                self.read_record(vec![Input::Text(words.join(" "))], reading, "the board")
            }
        }
    }

    fn written(&self) -> [Written<'_>; 2] {
        [Written::standard_output(), Written::file("--svg", self.svg.as_deref())]
    }

    /// Reads the record to show from inputs of this name.
    fn read_record(&self, inputs: Vec<Input>, reading: InputOptions, name: &str) -> Result<(Board, Board), Failure> {
        written::check(&inputs, &self.written()).map_err(Failure::Run)?;
        let is_typed = matches!(inputs[..], [Input::Text(_)]);
        let first = Wanted { text: String::new(), number: Some(1) };
        let wanted = self.record.as_ref().unwrap_or(&first);
        let (mut numbered, mut has_ids) = (None, false);
        let mut reader = Reader::new(inputs, reading);
        while let Some(chunk) = reader.next_chunk(4096, 1 << 16, Vec::new()) {
            let chunk = chunk.map_err(|error| Failure::Run(error.to_string()))?;
            reader.take_warnings().iter().for_each(|warning| warn(warning));
            for found in chunk.records() {
                let is_named = found.id.as_deref().is_some_and(|id| id_text(id) == wanted.text);
                has_ids |= found.id.is_some();
                if !is_named && wanted.number != Some(found.index) {
                    continue;
                }
                let puzzle = found
                    .puzzle
                    .map_err(|why| why.to_string())
                    .and_then(|Puzzle { board, goal }| with_goal(board, goal.as_ref().unwrap_or(&chunk.source.goal)));
                let puzzle = puzzle.map_err(|why| {
                    Failure::Invalid(match is_typed {
                        true => format!("invalid board: {why}"),
                        false => format!("{}:{}: {why}", chunk.source.name, found.line),
                    })
                });
                // A later record may have the number as its id.
                if is_named || self.record.is_none() || !has_ids {
                    return puzzle;
                }
                numbered = Some(puzzle);
            }
        }
        if let Some(puzzle) = numbered {
            return puzzle;
        }
        let record = &wanted.text;
        Err(Failure::Run(match reader.records() {
            0 => format!("{name} has no records"),
            records => format!("{name} has no record {record}: it has {records}, and none with this id"),
        }))
    }

    /// Rejects notation options without frames, because images do not name moves.
    fn unused_spelling(&self) -> Result<(), String> {
        let option = match (self.moves.notation, self.moves.path_of) {
            _ if self.svg.is_none() || self.frames => return Ok(()),
            (Some(_), _) => "--notation",
            (None, Some(_)) => "--path-of",
            (None, None) => return Ok(()),
        };
        Err(format!("{option} needs --frames: an image does not name moves"))
    }

    fn solve(&self, board: &Board, goal: &Board) -> Result<Answer, String> {
        let (mut worker, stop) = (self.solving().solver().pooled_worker(), AtomicBool::new(false));
        let answered = worker.answer(board, goal, &self.solving().limits(), &stop);
        answered.map(|answered| answered.answer).map_err(|error| error.to_string())
    }

    fn show(&self, steps: &Walkthrough) -> Status {
        if let Some(path) = &self.svg {
            if steps.moves() > MOST_DRAWN {
                let moves = counted(steps.moves() as u64, "move");
                return fail(&format!("cannot draw {moves}: an image has at most {MOST_DRAWN}; use --frames"));
            }
            if let Err(why) = whole_file::write(path, show::animated(steps).as_bytes()) {
                return fail(&why);
            }
            if !self.frames {
                return Status::Settled;
            }
        }
        if self.frames || !can_replay() { self.list(steps) } else { replay(steps) }
    }

    fn list(&self, steps: &Walkthrough) -> Status {
        let asked = self.moves.notation.is_some() || self.moves.path_of.is_some();
        let named = if asked { show::MoveNames::Shown } else { show::MoveNames::Hidden };
        let mut out = BufWriter::new(io::stdout().lock());
        match show::write_frames(steps, named, &mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => fail(&format!("cannot write: {error}")),
            _ => Status::Settled,
        }
    }

    /// Shows an unsolvable board. This is a result, not an error.
    fn unsolvable(&self, board: &Board, goal: &Board) -> Status {
        if let Some(path) = &self.svg {
            if let Err(why) = whole_file::write(path, show::still(board, goal, "no solution").as_bytes()) {
                return fail(&why);
            }
            if !self.frames {
                return Status::Settled;
            }
        }
        let mut text = Vec::new();
        show::write_board_rows(board, "0", &mut text);
        text.extend_from_slice(b"\nno solution\n");
        print(&text)
    }
}

/// Returns the error for an image that has the name of another format.
fn not_svg(path: &Path) -> Option<String> {
    let extension = path.extension()?;
    let name = path.display();
    (!extension.eq_ignore_ascii_case("svg"))
        .then(|| format!("cannot write {name}: --svg writes SVG only; name a .svg file"))
}

fn with_goal(board: Board, goal: &Goal) -> Result<(Board, Board), String> {
    let goal = goal.on(board.shape()).map_err(|why| format!("invalid goal: {why}"))?;
    Ok((board, goal))
}

/// Returns true if the terminal can show a replay.
fn can_replay() -> bool {
    io::stdout().is_terminal() && can_move_cursor()
}

fn replay(steps: &Walkthrough) -> Status {
    let signal = Arc::new(AtomicUsize::new(0));
    let caught = [
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        #[cfg(unix)]
        signal_hook::consts::SIGHUP,
    ];
    for number in caught {
        if let Err(error) = signal_hook::flag::register_usize(number, Arc::clone(&signal), number as usize) {
            return fail(&format!("cannot listen for signals: {error}"));
        }
    }
    match terminal::play(steps, &signal) {
        Ok(terminal::End::Quit) => print_lines(&format!("{}\n", counted(steps.moves() as u64, "move"))),
        Ok(terminal::End::Signal(number)) => Status::Interrupted(number),
        Err(error) => fail(&format!("cannot show a replay in this terminal: {error}; use --frames")),
    }
}
