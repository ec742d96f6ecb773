//! `taquin generate`: boards made to order, and the answers to them.

use std::io::{self, ErrorKind};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;

use super::batch_run::BatchRun;
use super::options::{FailOn, Showing, Solving, profile, values};
use super::ui::board_files::Names;
use super::ui::file_pattern::FilePattern;
use super::ui::output::Present;
use super::ui::progress::{Progress, Shown, Work};
use super::ui::signals::Interrupt;
use super::ui::whole_file;
use super::ui::{Status, fail, warn};
use crate::batch::Total;
use crate::board::{Board, Goal, Shape};
use crate::format::boards::{BoardFormat, BoardWriter};
use crate::format::choice::one_of;
use crate::format::input::{InputOptions, Layout};
use crate::format::profile::{AnswerWriter, Profile};
use crate::format::style::Style;
use crate::solver::Solver;
use crate::tools::generate::{self, Error, Generator, Goals, Puzzle, Rank, Repeats, Spec, Spread};

const EXAMPLES: &str = "\
Examples:
  taquin generate --count 1000 --seed 7 -o boards.txt
  taquin generate --shape 4x4 --moves 50 --count 100          exactly 50 moves each
  taquin generate --moves 20.. --unique --count 500           20 moves or more, each board its own
  taquin generate --shape 4x4 --moves 30..40 --spread even --count 110   ten of each length
  taquin generate --difficulty hard --count 20                the hardest quarter of all boards
  taquin generate --as poj1077 --count 50 --files data/%02d.in --answers data/%02d.out
  taquin generate --as hdu3567 --count 1000 -o data.in --answers data.out
  taquin generate --shape 6x6 --walk 100 --count 1000         larger boards, near the goal
  taquin generate --shape 3x3 --hardest                       the two boards of 31 moves";

const AFTER: &str = "\
The same options and seed give the same boards on every machine and number of threads: see docs/generating.md.
Exit status: 0 all were written; 1 there are not so many; 2 the run failed (usage, output); 130 or 143
interrupted, and no file of boards is left.";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    /// Shape of the boards; 3x3, or that of the profile.
    #[arg(long, value_name = "ROWSxCOLS")]
    shape: Option<Shape>,

    /// How many; by default one, with --hardest as many as are known.
    #[arg(short = 'n', long, value_name = "N")]
    count: Option<u64>,

    /// Other seeds give other boards.
    #[arg(long, value_name = "SEED", default_value_t = 0, conflicts_with = "hardest")]
    seed: u64,

    /// The goal: blank-last (the default), blank-first, snail, or a board such as 1,2,3/8,0,4/7,6,5.
    #[arg(long, value_name = "GOAL", conflicts_with = "pairs")]
    goal: Option<Goal>,

    /// Give every board a random goal of its own.
    #[arg(long)]
    pairs: bool,

    /// Length of the shortest solutions, exactly: 24, 20..30, 20.. or ..30, both ends included. By default any, or what the
    /// judge of --as promises.
    #[arg(long, value_name = "MOVES", value_parser = moves, conflicts_with = "hardest")]
    moves: Option<RangeInclusive<u16>>,

    /// How hard boards are among all of their shape: the quarter of the shortest solutions, the half between, or the quarter of the
    /// longest.
    #[arg(long, value_name = "RANK", value_parser = values::one_of(&Rank::ALL, Rank::name), conflicts_with_all = ["moves", "walk", "hardest", "pairs"])]
    difficulty: Option<Rank>,

    /// How many boards there are of each length of --moves or --difficulty: natural (as among all boards, mostly long ones) or even.
    #[arg(long, value_name = "HOW", value_parser = values::one_of(&SPREADS, spread_name), conflicts_with_all = ["walk", "hardest", "pairs"])]
    spread: Option<Spread>,

    /// Make boards by random walks of so many moves from the goal, never straight back: 20, 20..30 or ..30. Boards of
    /// any size; their shortest solutions may be shorter.
    #[arg(long, value_name = "MOVES", value_parser = walk, conflicts_with_all = ["moves", "hardest"])]
    walk: Option<RangeInclusive<u64>>,

    /// The farthest boards that are known for the shape and goal.
    #[arg(long, conflicts_with_all = ["pairs", "unsolvable", "unique"])]
    hardest: bool,

    /// Share of boards without a solution, as 0.1 or 10%.
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0")]
    unsolvable: f64,

    /// No board twice, nor its reflection where that keeps the goal's blank; with =boards reflections count as other boards.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "reflections",
          value_parser = values::one_of(&UNIQUE, unique_name))]
    unique: Option<Repeats>,

    /// Write boards as this judge or course gives them (taquin profiles lists them).
    #[arg(long = "as", value_name = "PROFILE", hide_possible_values = true, value_parser = profile())]
    profile: Option<&'static Profile>,

    #[arg(long, value_name = "LAYOUT", hide_possible_values = true, value_parser = values::named(Layout::ALL.map(Layout::name), values::read::<Layout>), help = format_help())]
    format: Option<Layout>,

    /// Write the boards to a file instead of standard output.
    #[arg(short, long, value_name = "FILE", group = "boards")]
    output: Option<PathBuf>,

    /// Write each board to a file of its own, as a judge wants it that has one board a file: data/board-%04d.txt.
    #[arg(long, value_name = "PATTERN", group = "boards")]
    files: Option<FilePattern>,

    /// Solve the boards too, and write the answers to this file: those of the profile, or JSON lines. With --files a pattern, too.
    #[arg(long, value_name = "FILE", requires = "boards")]
    answers: Option<PathBuf>,

    /// Overwrite files that are there.
    #[arg(long, requires = "boards")]
    force: bool,

    /// Threads. By default as many as this process may use. (--hardest needs one, its --answers more.)
    #[arg(short = 'j', long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,

    /// Memory for tables, as 2G; by default a quarter of the machine's. (--hardest needs none, its --answers do.)
    #[arg(long, value_name = "BYTES", value_parser = values::bytes)]
    memory: Option<u64>,

    #[command(flatten)]
    showing: Showing,
}

const SPREADS: [Spread; 2] = [Spread::Natural, Spread::Even];

fn spread_name(spread: Spread) -> &'static str {
    if spread == Spread::Even { "even" } else { "natural" }
}

const UNIQUE: [Repeats; 2] = [Repeats::Avoided, Repeats::AvoidedAlone];

fn unique_name(repeats: Repeats) -> &'static str {
    if repeats == Repeats::AvoidedAlone { "boards" } else { "reflections" }
}

/// A range of numbers of moves.
fn moves(text: &str) -> Result<RangeInclusive<u16>, String> {
    values::range(text, 0..=u16::MAX - 1, "is not a number of moves")
}

/// A range of lengths of walks.
fn walk(text: &str) -> Result<RangeInclusive<u64>, String> {
    values::range(text, 0..=LONGEST_WALK, "is no length of a walk").and_then(|walk| match walk.end() {
        ..=LONGEST_WALK => Ok(walk),
        end => Err(format!("a walk of {end} moves takes too long: {LONGEST_WALK} at most")),
    })
}

/// The longest walk that is made: a second or so.
const LONGEST_WALK: u64 = 100_000_000;

fn format_help() -> String {
    let rest = Layout::ALL.into_iter().filter(|&layout| layout != Layout::Line).map(Layout::name);
    format!("Layout: line (the default), {}", one_of(rest))
}

/// A share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let (digits, unit) = text.strip_suffix('%').map_or((text, 1.0), |percent| (percent, 100.0));
    match digits.trim().parse::<f64>().map(|share| share / unit) {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("'{text}' is not a share: expected a number from 0 to 1, or a percentage")),
    }
}

pub(super) fn run(arguments: &Arguments) -> Status {
    let interrupt = match Interrupt::listen() {
        Ok(interrupt) => interrupt,
        Err(why) => return fail(&why),
    };
    let written = match arguments.write(&interrupt) {
        Ok(written) => written,
        Err(Failure::Interrupted(signal)) => return Status::Interrupted(signal),
        Err(Failure::TooFew(error)) => {
            warn(&error.to_string());
            return Status::SomeFailed;
        }
        Err(Failure::ClosedPipe) => return Status::Settled,
        Err(Failure::Run(why)) => return fail(&why),
    };
    match &arguments.answers {
        Some(answers) => arguments.solve_all(answers, written, interrupt).unwrap_or_else(|why| fail(&why)),
        None => Status::Settled,
    }
}

/// What answers are found and written with.
struct With<'a> {
    solving: &'a Solving,
    solver: &'a Solver,
    style: Style,
    interrupt: Interrupt,
}

enum Failure {
    /// There are fewer boards than were asked for.
    TooFew(Error),
    /// The reader of standard output has closed the pipe.
    ClosedPipe,
    /// By this signal.
    Interrupted(u8),
    Run(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::TooFew { .. }
            | Error::GaveUp { .. }
            | Error::BeyondFarthest { .. }
            | Error::TooRare { .. }
            | Error::TooHard { .. } => Failure::TooFew(error),
            Error::NoDistribution(_)
            | Error::EvenOverGoals
            | Error::EmptyRange { .. }
            | Error::TooLarge(_)
            | Error::Internal { .. }
            | Error::Cancelled
            | Error::Threads(_) => Failure::Run(error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Run(format!("cannot write: {error}")),
        }
    }
}

impl Arguments {
    fn shape(&self) -> Result<Shape, String> {
        let of_profile = self.profile.and_then(|profile| profile.shape).map_or((3, 3), |shape| shape);
        let shape = self.shape.or_else(|| Shape::new(of_profile.0, of_profile.1));
        shape.ok_or_else(|| "there is no such shape".into())
    }

    /// The goal of all boards; `None`: each has its own.
    fn goal(&self) -> Option<Goal> {
        match (self.pairs, &self.goal, self.profile) {
            (true, ..) => None,
            (false, Some(goal), _) => Some(goal.clone()),
            (false, None, Some(profile)) => profile.goal.spec(),
            (false, None, None) => Some(Goal::BlankLast),
        }
    }

    /// What a judge promises of the difficulty of the boards that it gives: it knows of its own shape alone.
    fn promised(&self) -> Option<RangeInclusive<u16>> {
        let profile = self.profile?;
        let own = self.shape.is_none_or(|shape| profile.shape == Some((shape.rows(), shape.cols())));
        profile.promised.filter(|_| own).map(|most| 0..=most)
    }

    /// Writes the boards; how many.
    fn write(&self, interrupt: &Interrupt) -> Result<u64, Failure> {
        let (shape, spec) = (self.shape().map_err(Failure::Run)?, self.goal());
        let goal = spec.as_ref().map(|spec| spec.on(shape)).transpose();
        let goal = goal.map_err(|wrong| Failure::Run(format!("the goal does not fit: {wrong}")))?;
        let hardest = self.hardest_boards(shape, goal.as_ref()).map_err(Failure::Run)?;
        let all = hardest.as_ref().map_or(1, |boards| boards.len() as u64);
        let count = self.count.unwrap_or(all);
        let board_format =
            BoardFormat { layout: self.format, profile: self.profile, shape, goal: spec.as_ref(), count };
        if let (Some(profile), true) = (self.profile, self.answers.is_some()) {
            profile.check_shape(Some(shape), None, None).map_err(Failure::Run)?;
        }
        let writer_for = |count| {
            let format = BoardFormat { count, ..board_format.clone() };
            BoardWriter::new(&format).map_err(|unfit| Failure::Run(unfit.to_string()))
        };
        let mut writer = writer_for(count)?;
        if count > all && hardest.is_some() {
            return Err(Error::TooFew { found: all, asked: count, what: "boards" }.into());
        }
        let present = whole_file::Present::forced(self.force);
        let mut out = self.names().open(count, present).map_err(Failure::Run)?;
        interrupt.remove_at_exit(out.temporary_path());
        let (progress, made) =
            (self.showing.progress(self.output.is_none() && self.files.is_none()), AtomicU64::new(0));
        let work =
            || Work { done: made.load(Ordering::Relaxed), before: 0, total: Total::Exactly(count), waited: None };
        let mut text = Vec::new();
        if !out.are_many() {
            writer.head(&mut text);
        }
        let mut take = |puzzle: &Puzzle| -> Result<(), Failure> {
            if let Some(signal) = interrupt.signal() {
                return Err(Failure::Interrupted(signal));
            }
            if out.are_many() {
                writer = writer_for(1)?;
                writer.head(&mut text);
            }
            writer.write(&puzzle.board, &puzzle.goal, &mut text);
            out.write(&text)?;
            text.clear();
            made.fetch_add(1, Ordering::Relaxed);
            Ok(())
        };
        std::thread::scope(|scope| {
            let _watched = progress.watch(scope, work);
            match (hardest, goal) {
                (Some(boards), Some(goal)) => {
                    let mut boards = boards.into_iter().take(count as usize);
                    boards.try_for_each(|board| take(&Puzzle { board, goal: goal.clone() }))
                }
                (_, goal) => self.generate(goal.map_or(Goals::Random(shape), Goals::Same), count, &mut take),
            }
        })?;
        // Where no board was written the head still is.
        out.finish(&text)?;
        Ok(count)
    }

    /// The farthest boards, where these were asked for.
    fn hardest_boards(&self, shape: Shape, goal: Option<&Board>) -> Result<Option<Vec<Board>>, String> {
        if !self.hardest {
            return Ok(None);
        }
        let goal = goal.ok_or("--hardest needs one goal for all boards")?;
        match generate::farthest(goal) {
            Some((_, boards)) => Ok(Some(boards)),
            None => Err(format!("the farthest {shape} boards from this goal are not known")),
        }
    }

    /// Random boards.
    fn generate(
        &self,
        goals: Goals,
        count: u64,
        take: &mut dyn FnMut(&Puzzle) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let moves = match (self.difficulty, &goals) {
            (Some(rank), Goals::Same(goal)) => Some(rank.moves(goal)?),
            (Some(_), _) => return Err(Failure::Run("--difficulty needs one goal for all boards".into())),
            _ => self.moves.clone().or_else(|| self.promised()).filter(|_| self.walk.is_none()),
        };
        if self.spread == Some(Spread::Even) && moves.is_none() {
            return Err(Failure::Run("--spread even needs lengths to spread over: --moves or --difficulty".into()));
        }
        let spec = Spec {
            goals,
            count,
            unsolvable: (count as f64 * self.unsolvable).round() as u64,
            moves,
            spread: self.spread.unwrap_or(Spread::Natural),
            walk: self.walk.clone(),
            repeats: self.unique.unwrap_or(Repeats::Allowed),
            seed: self.seed,
        };
        let solver = Solving::within(self.threads, self.memory).for_lengths().solver();
        for puzzle in Generator::new(spec, &solver)? {
            take(&puzzle?)?;
        }
        Ok(())
    }

    fn names(&self) -> Names<'_> {
        Names { output: self.output.as_deref(), files: self.files.as_ref(), answers: self.answers.as_deref() }
    }

    /// The answers to everything that was written.
    ///
    /// # Errors
    /// Why they cannot be written, as a sentence for people.
    fn solve_all(&self, answers: &Path, boards_written: u64, interrupt: Interrupt) -> Result<Status, String> {
        let (style, progress) = (self.answer_style()?, self.showing.progress(false));
        let solving = Solving::within(self.threads, self.memory);
        let solving = if style.writes_paths() { solving } else { solving.for_lengths() };
        let solver = solving.solver();
        let with = With { solving: &solving, solver: &solver, style, interrupt };
        let (Some(files), Some(pattern)) = (&self.files, self.names().answer_files()?) else {
            let Some(boards) = &self.output else { return Err("--answers needs --output".into()) };
            return Ok(self.solve(boards.clone(), answers, progress, &with));
        };
        // Progress of one board says nothing.
        for number in 1..=boards_written {
            let status = self.solve(files.path(number), &pattern.path(number), Progress::new(Shown::Nowhere), &with);
            if status != Status::Settled {
                return Ok(status);
            }
        }
        Ok(Status::Settled)
    }

    /// The answers, as `taquin solve` gives them for a file that was written.
    fn solve(&self, boards: PathBuf, answers: &Path, progress: Progress, with: &With<'_>) -> Status {
        let With { solving, solver, style, interrupt } = with;
        let reading = InputOptions {
            layout: self.format,
            goal: self.goal.clone(),
            shape: self.shape,
            decompression: solving.decompression_limit(),
            ..InputOptions::default()
        };
        let run = BatchRun {
            inputs: std::slice::from_ref(&boards),
            reading: self.profile.map_or(reading.clone(), |profile| profile.fill(reading)),
            solving,
            solver: Some(solver),
            style: style.clone(),
            output: Some(answers),
            present: if self.force { Present::Overwrite } else { Present::Keep },
            count_cap: crate::batch::Options::COUNT_CAP,
            ordered: true,
            checkpoints: None,
            part: None,
            summary: None,
            quiet: true,
            progress,
            interrupt: Some(interrupt.clone()),
            fail_on: &[FailOn::Invalid, FailOn::Unsolved],
            run_limit: None,
        };
        run.run()
    }

    /// In the format of the profile, if that has one.
    fn answer_style(&self) -> Result<Style, String> {
        match self.profile.and_then(|profile| profile.answer) {
            Some(format) => Ok(Style::Answers(Arc::new(AnswerWriter::new(format, None, None)?))),
            None => Ok(Style::default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_moves() {
        assert_eq!(moves("24"), Ok(24..=24));
        assert_eq!(moves("20..30"), Ok(20..=30));
        assert_eq!((moves("..5"), moves("7..")), (Ok(0..=5), Ok(7..=u16::MAX - 1)));
        for wrong in ["", "..", " .. ", "..=", "x", "3..2", "-1", "1..x", "70000"] {
            assert!(moves(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn shares() {
        assert_eq!((share("0.25"), share("25%"), share("1")), (Ok(0.25), Ok(0.25), Ok(1.0)));
        for wrong in ["", "%", "-1", "101%", "NaN", "inf"] {
            assert!(share(wrong).is_err(), "{wrong}");
        }
    }
}
