//! `taquin show`: one board's solution, to be looked at.

use std::ffi::OsString;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

use clap::Args;

use super::options::{Moves, Reading, Solving};
use super::ui::progress::can_move_cursor;
use super::ui::whole_file::{self, Present};
use super::ui::written::{self, Written};
use super::ui::{Status, fail, print, print_lines, warn};
use crate::board::{Board, Goal, Shape, is_solvable, tokens};
use crate::format::input::{self, InputOptions, Puzzle, Reader};
use crate::format::profile::ProfileGoal;
use crate::solver::Answer;
use crate::tools::show::{self, Walkthrough, terminal};
use crate::tools::text::counted;

const EXAMPLES: &str = "\
Examples:
  taquin show 2 3 4 1 5 x 7 6 8                a replay in the terminal, by keys
  taquin show --frames 1,2,3/4,0,5/7,8,6       every board as text
  taquin show --goal snail --svg puzzle.svg 283104765
  taquin show --record 12 inputs/korf.txt --goal blank-first
  taquin show --shape 2x3 412503 | less        without a terminal: every board as text";

const AFTER: &str = "\
Keys of the replay: space plays and pauses, the arrows (or h and l) step, home and end (or g and G) go to the
first and the last board, + and - change the pace, q ends it.

Exit status: 0 the board was solved, or proven to have no solution; 1 it is no board, or was not solved within
its limits; 2 the run failed (usage, input, output); 130, 143 interrupted.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    /// A board, or the file that it is in; `-` for standard input.
    #[arg(value_name = "BOARD|FILE", default_value = "-")]
    what: Vec<OsString>,

    /// Which record of the file, from 1, or `first` (the default).
    #[arg(long, value_name = "N", value_parser = record)]
    record: Option<u64>,

    /// Print every board of the solution and the number of moves; the default where the output is no terminal. With
    /// --letters or --path-of, moves are named between the boards.
    #[arg(long, help_heading = "Writing")]
    frames: bool,

    /// Write the solution as an SVG picture that moves.
    #[arg(long, value_name = "FILE", help_heading = "Writing")]
    svg: Option<PathBuf>,

    /// Overwrite a picture that is there.
    #[arg(long, requires = "svg", help_heading = "Writing")]
    force: bool,

    #[command(flatten)]
    reading: Reading,

    #[command(flatten)]
    moves: Moves,

    #[command(flatten)]
    pub(super) solving: Solving,
}

/// The most moves of a picture: some 5 MB.
const MOST_DRAWN: usize = 50_000;

fn record(text: &str) -> Result<u64, String> {
    match text.parse() {
        _ if text == "first" => Ok(1),
        Ok(number @ 1..) => Ok(number),
        _ => Err("expected the number of a record, from 1, or first".into()),
    }
}

/// Why nothing can be shown.
enum Failure {
    /// There is no such board: an invalid record.
    Invalid(String),
    Run(String),
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let present = Present::forced(arguments.force);
    if let Some(Err(why)) = arguments.svg.as_deref().map(|path| whole_file::may_write(path, present)) {
        return fail(&why);
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
    if !is_solvable(&board, &goal) {
        return arguments.unsolvable(&board, &goal);
    }
    match arguments.solve(&board, &goal) {
        Err(why) => fail(&why),
        Ok(Answer::Unsolvable) => fail("two parity checks disagree"),
        Ok(Answer::Unsolved { lower_bound, limit }) => {
            let limit = limit.name();
            warn(&format!("not solved (limit: {limit}): no solution has fewer than {lower_bound} moves"));
            Status::SomeFailed
        }
        Ok(Answer::Solved(solution)) => {
            if !solution.is_optimal() {
                let (moves, least) = (solution.moves(), solution.lower_bound());
                warn(&format!("{moves} moves, not proven to be the fewest: at least {least}"));
            }
            match Walkthrough::new(&board, &goal, solution.path(), arguments.moves.spelling()) {
                Ok(steps) => arguments.show(&steps),
                Err(fault) => fail(&format!("a path was found that is none: {fault}")),
            }
        }
    }
}

impl Arguments {
    fn puzzle(&self) -> Result<(Board, Board), Failure> {
        let options = self.reading.options(&self.solving);
        match self.what.as_slice() {
            [one] if one == "-" || Path::new(one).exists() || !one.to_str().is_some_and(is_board) => {
                self.read_record(Path::new(one))
            }
            words => {
                self.of_files_alone(&options).map_err(Failure::Run)?;
                written::check(&[], &self.written()).map_err(Failure::Run)?;
                let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
                given(&words.join(" "), options).map_err(Failure::Invalid)
            }
        }
    }

    fn written(&self) -> [Written<'_>; 2] {
        [Written::standard_output(), Written::file("--svg", self.svg.as_deref())]
    }

    /// A record of a file.
    fn read_record(&self, path: &Path) -> Result<(Board, Board), Failure> {
        let inputs = input::expand([path]);
        written::check(&inputs.inputs, &self.written()).map_err(Failure::Run)?;
        let record = self.record.unwrap_or(1);
        let mut reader = Reader::new(inputs.inputs, self.reading.options(&self.solving));
        while let Some(chunk) = reader.next_chunk(4096, 1 << 16, Vec::new()) {
            let chunk = chunk.map_err(|error| Failure::Run(error.to_string()))?;
            reader.take_warnings().iter().for_each(|warning| warn(warning));
            let Some(found) = chunk.records().find(|found| found.index == record) else { continue };
            let place = format!("{}:{}", chunk.source.name, found.line);
            let puzzle = found
                .puzzle
                .map_err(|why| why.to_string())
                .and_then(|Puzzle { board, goal }| with_goal(board, goal.as_ref().unwrap_or(&chunk.source.goal)));
            return puzzle.map_err(|why| Failure::Invalid(format!("{place}: {why}")));
        }
        Err(Failure::Run(match reader.records() {
            0 => format!("{} holds no records", path.display()),
            records => format!("there is no record {record} in {}: it holds {records}", path.display()),
        }))
    }

    /// What cannot be asked for where the board is given as words.
    fn of_files_alone(&self, options: &InputOptions) -> Result<(), String> {
        let words = "where the board itself is given";
        if self.record.is_some() {
            return Err(format!("--record says which board of a file to show: it means nothing {words}"));
        }
        if options.layout.is_some() && options.layout != self.reading.profile.and_then(|profile| profile.layout) {
            return Err(format!("--format says how a file is laid out: it means nothing {words}"));
        }
        match self.reading.profile {
            Some(profile) if profile.goal == ProfileGoal::InRecord => {
                let name = profile.name;
                Err(format!("records of {name} bring their goals, and there is none {words}: say --goal, without --as"))
            }
            _ => Ok(()),
        }
    }

    /// Pictures do not name moves: options that spell them need frames, too.
    fn unused_spelling(&self) -> Result<(), String> {
        let option = match (self.moves.letters, self.moves.path_of) {
            _ if self.svg.is_none() || self.frames => return Ok(()),
            (Some(_), _) => "--letters",
            (None, Some(_)) => "--path-of",
            (None, None) => return Ok(()),
        };
        Err(format!("{option} says how moves are named, and a picture names none: ask for --frames too"))
    }

    fn solve(&self, board: &Board, goal: &Board) -> Result<Answer, String> {
        let (mut worker, stop) = (self.solving.solver().pooled_worker(), AtomicBool::new(false));
        let answered = worker.answer(board, goal, &self.solving.limits(), &stop);
        answered.map(|answered| answered.answer).map_err(|error| error.to_string())
    }

    fn show(&self, steps: &Walkthrough) -> Status {
        if let Some(path) = &self.svg {
            if steps.moves() > MOST_DRAWN {
                let moves = counted(steps.moves() as u64, "move");
                return fail(&format!(
                    "a picture of {moves} would be too large to be shown: --frames prints every board"
                ));
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
        let asked = self.moves.letters.is_some() || self.moves.path_of.is_some();
        let named = if asked { show::MoveNames::Shown } else { show::MoveNames::Hidden };
        let mut out = BufWriter::new(io::stdout().lock());
        match show::write_frames(steps, named, &mut out).and_then(|()| out.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => fail(&format!("cannot write: {error}")),
            _ => Status::Settled,
        }
    }

    /// That a board has no solution is an answer, and is shown like one.
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

/// Whether a word can only be meant as a board: tiles and what stands between them.
fn is_board(word: &str) -> bool {
    let part = |byte: u8| byte.is_ascii_digit() || b" ,/\t[]".contains(&byte) || tokens::BLANKS.contains(&byte);
    let signs: Vec<u8> = word.bytes().filter(|&byte| byte != b'/').collect();
    let is_lettered = tokens::lettered_board(&signs).is_some();
    is_lettered || (word.bytes().all(part) && word.bytes().any(|byte| byte.is_ascii_digit()))
}

/// An array of JSON – tiles, or rows of them – as rows with slashes between them.
fn rows_of_json(text: &str) -> Result<String, String> {
    #[derive(serde::Deserialize)]
    #[serde(untagged)]
    enum Part {
        Tile(u64),
        Row(Vec<u64>),
    }
    let wrong = |why: &str| format!("that is no board: {why}: expected [[1,2,3],[4,0,5]]");
    let parts: Vec<Part> = serde_json::from_str(text).map_err(|_| wrong("it is no array of numbers or rows"))?;
    let words = |row: &[u64]| row.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let tiles: Vec<u64> =
        parts.iter().filter_map(|part| if let Part::Tile(tile) = part { Some(*tile) } else { None }).collect();
    let rows: Vec<&Vec<u64>> =
        parts.iter().filter_map(|part| if let Part::Row(row) = part { Some(row) } else { None }).collect();
    match (tiles.is_empty(), rows.is_empty()) {
        (false, true) => Ok(words(&tiles)),
        (true, false) => Ok(rows.iter().map(|row| words(row)).collect::<Vec<_>>().join("/")),
        _ => Err(wrong("it is neither tiles nor rows of tiles")),
    }
}

/// The board that was given as words, and its goal.
fn given(text: &str, options: InputOptions) -> Result<(Board, Board), String> {
    let text = &if text.trim_start().starts_with('[') { rows_of_json(text)? } else { text.to_string() };
    let (tiles, shape) = tokens::tiles_of_text(text).map_err(|why| format!("that is no board: {why}"))?;
    let shape = match (shape, options.shape) {
        (Some(found), Some(asked)) if found != asked => {
            return Err(format!("that is no board: the rows make a {found} board, expected a {asked} board"));
        }
        (found, asked) => found.or(asked).or_else(|| Shape::square_of(tiles.len())),
    };
    let shape = shape.ok_or_else(|| {
        format!("{} tiles are no square: say --shape ROWSxCOLS, or set slashes between the rows", tiles.len())
    })?;
    let board = Board::new(shape, &tiles).map_err(|why| format!("that is no board: {why}"))?;
    with_goal(board, &options.goal.unwrap_or_default())
}

fn with_goal(board: Board, goal: &Goal) -> Result<(Board, Board), String> {
    let goal = goal.on(board.shape()).map_err(|why| format!("the goal does not fit: {why}"))?;
    Ok((board, goal))
}

/// Whether a replay can be seen and asked for by keys.
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
        Err(error) => fail(&format!("the terminal cannot show a replay: {error}; --frames prints every board")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_told_from_files() {
        for board in [
            "283104765",
            "1,2,3/4,5,6/7,8,x",
            "1 2 3 0",
            "12/30",
            "12_3",
            "[[1,2,3],[4,0,5]]",
            "FE169B4C0A73D852",
            "123/456/789/AB0",
        ] {
            assert!(is_board(board), "{board}");
        }
        for file in ["boards.txt", "-", "", "x", "korf", "a1", "../1.in"] {
            assert!(!is_board(file), "{file}");
        }
    }

    #[test]
    fn boards_as_given() {
        let read = |text: &str, shape: Option<&str>| {
            let shape = shape.map(|shape| shape.parse().unwrap());
            given(text, InputOptions { shape, ..InputOptions::default() })
                .map(|(board, goal)| format!("{board} -> {goal}"))
        };
        assert_eq!(read("1 2 3 0", None).unwrap(), "1 2/3 0 -> 1 2/3 0");
        assert_eq!(read("4,1,2/5,x,3", None).unwrap(), "4 1 2/5 0 3 -> 1 2 3/4 5 0");
        assert_eq!(read("[[1,2,3],[4,0,5]]", None).unwrap(), "1 2 3/4 0 5 -> 1 2 3/4 5 0");
        assert_eq!(read("[1, 2, 3, 0]", None).unwrap(), "1 2/3 0 -> 1 2/3 0");
        assert!(read("[[1,2],3,0]", None).unwrap_err().contains("neither") && read("[[1,2", None).is_err());
        assert_eq!(read("1 0 2", Some("1x3")).unwrap(), "1 0 2 -> 1 2 0");
        assert!(read("1 0 2", None).unwrap_err().contains("--shape"));
        assert!(read("1 2 2 0", None).unwrap_err().contains("twice"));
        assert!(read("1 2/3 0", Some("1x4")).unwrap_err().contains("expected a 1x4"));
    }
}
