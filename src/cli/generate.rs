//! `taquin generate`: generates boards of a given difficulty and, if requested, solves them.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::Args;

use super::batch_run::BatchRun;
use super::options::values::{self, AnyProfile, choice};
use super::options::{MachineResources, Showing, Solving, Writing};
use super::ui::board_files::{BoardFiles, BoardOutput, read_excluded};
use super::ui::progress::Work;
use super::ui::signals::Interrupt;
use super::ui::{ExitStatus, Stop};
use crate::batch::{self, Total};
use crate::board::{Board, Goal, Shape, is_solvable};
use crate::format::boards::{self, BoardFormat, BoardWriter};
use crate::format::input::{InputOptions, Layout};
use crate::format::profile::{AnswerWriter, Profile};
use crate::format::style::Style;
use crate::solver::{Solver, Threads};
use crate::system::Limits;
use crate::tools::generate::{self, Generator, Goals, NamedDifficulty, Puzzle, Repeats, Spec, Spread};

const AFTER: &str = "\
The same options and seed give the same boards on every machine. See docs/generating.md.

Examples:
  taquin generate --count 1000 --seed 7 -o boards.txt
  taquin generate --shape 4x4 --moves 50 --count 100
  taquin generate --moves 20.. --unique --count 500
  taquin generate --difficulty hard --count 20
  taquin generate --shape 3x3,3x4 --count 100 --exclude levels.json --format json
  taquin generate --as poj1077 --count 50 --files data/%02d.in --answers data/%02d.out

Exit status:
  0         All boards are written
  1         Fewer boards were found than requested, or a solvable board for --answers was not solved
  2         The run failed: usage, read or write error
  130, 143  Interrupted; incomplete files are removed";

#[derive(Debug, Args)]
#[command(after_long_help = AFTER, next_help_heading = "Boards")]
pub(super) struct Arguments {
    /// Shape of the boards, or several shapes: 3x3,3x4 [default: the profile's, or 3x3]
    #[arg(long, value_name = "ROWSxCOLS", value_delimiter = ',')]
    shape: Vec<Shape>,

    /// Number of boards of each shape
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    count: u64,

    /// Seed of the random boards
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,

    /// Goal: blank-last, blank-first, snail (a spiral), or a board
    ///
    /// A board is written like 1,2,3/8,0,4/7,6,5. The default is the goal of the profile, or
    /// blank-last.
    #[arg(long, value_name = "GOAL", conflicts_with = "pairs")]
    goal: Option<Goal>,

    /// Write pairs: every board with its own random goal
    #[arg(long)]
    pairs: bool,

    /// Length of the shortest solutions: 24, or an inclusive range: 20..30, 20.. or ..30
    #[arg(long, value_name = "MOVES", value_parser = moves)]
    moves: Option<RangeInclusive<u16>>,

    /// Difficulty among all boards of the shape: easy, medium, hard
    ///
    /// easy: the quarter with the shortest solutions. medium: the middle half. hard: the quarter
    /// with the longest.
    #[arg(long, value_name = "NAME", value_parser = choice(&NamedDifficulty::ALL, NamedDifficulty::name), conflicts_with_all = ["moves", "walk", "pairs"])]
    difficulty: Option<NamedDifficulty>,

    /// Distribution of solution lengths: natural, even (the same number of each) [default: natural]
    #[arg(long, value_name = "SPREAD", value_parser = choice(&[Spread::Natural, Spread::Even], Spread::name), conflicts_with_all = ["walk", "pairs"])]
    spread: Option<Spread>,

    /// Length of random walks from the goal: 20, 20..30 or ..30
    ///
    /// Unlike --moves, this works for boards of any size. No move of a walk undoes the move before
    /// it. The shortest solution may be shorter than the walk.
    #[arg(
        long,
        value_name = "MOVES",
        value_parser = walk,
        conflicts_with = "moves",
        help_heading = "Boards"
    )]
    walk: Option<RangeInclusive<u64>>,

    /// Share of unsolvable boards, such as 0.1 or 10%
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0")]
    unsolvable: f64,

    /// Reject duplicates: boards (identical ones only) or reflections (also mirror images) [default
    /// without WHAT: reflections]
    ///
    /// A reflection is a mirrored or transposed board whose tiles are renumbered so that the goal
    /// stays the same. Both boards need the same number of moves.
    #[arg(long, value_name = "WHAT", num_args = 0..=1, require_equals = true, default_missing_value = "reflections", value_parser = values::unique)]
    unique: Option<Repeats>,

    /// Exclude the boards in these files (any layout)
    ///
    /// With --unique or --unique=reflections, their reflections are excluded as well.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    exclude: Vec<PathBuf>,

    /// Write boards in this profile (online-judge format): a name (see taquin profiles) or a file
    /// such as ./mine.toml
    #[arg(long = "as", value_name = "PROFILE", value_parser = AnyProfile, help_heading = "Output")]
    profile: Option<&'static Profile>,

    /// Layout: line, digits, grid, sized, pair, json, csv [default: line]
    #[arg(long = "format", value_name = "LAYOUT", value_parser = choice(&Layout::ALL, Layout::name), help_heading = "Output")]
    layout: Option<Layout>,

    /// Omit the "# taquin:" settings line
    ///
    /// By default the line is written if goal, shape or layout is not the default, so that other
    /// commands need no --goal, --shape or --format. It is never written with --as.
    #[arg(long, help_heading = "Output")]
    no_comment: bool,

    #[command(flatten)]
    output_files: BoardOutput,

    #[command(flatten)]
    showing: Showing,

    #[command(flatten)]
    resources: MachineResources,
}

/// Parses a range of numbers of moves.
fn moves(text: &str) -> Result<RangeInclusive<u16>, String> {
    values::range(text, 0..=u16::MAX - 1, "is not a number of moves")
}

/// Parses a range of walk lengths.
fn walk(text: &str) -> Result<RangeInclusive<u64>, String> {
    values::range(text, 0..=LONGEST_WALK, "is not a walk length")
}

/// The maximum length of a walk. Such a walk takes about a second.
const LONGEST_WALK: u64 = 100_000_000;

/// Parses a share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let (digits, unit) = text.strip_suffix('%').map_or((text, 1.0), |percent| (percent, 100.0));
    match digits.trim().parse::<f64>().map(|share| share / unit) {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("'{text}' is not a share: expected a number from 0 to 1 or a percentage")),
    }
}

/// The boards to generate for one shape.
struct Set {
    shape: Shape,
    goals: Goals,
    /// The number of boards of other shapes that are written first.
    before: u64,
    writer: BoardWriter,
}

/// The maximum number of cells of boards that are solved only because the output states the lengths
/// of their solutions. Larger boards may take hours. With a range of `--moves`, larger
/// boards are solved, too.
const MAX_SOLVED_CELLS: usize = 16;

impl From<generate::Error> for Stop {
    fn from(error: generate::Error) -> Stop {
        match error {
            generate::Error::NotFound(why) => Stop::some_failed(why),
            error => error.to_string().into(),
        }
    }
}

impl Arguments {
    pub fn run(&self) -> Result<ExitStatus, Stop> {
        let interrupt = Interrupt::listen()?;
        let written = self.write(&interrupt)?;
        match &self.output_files.answers {
            Some(answers) => self.solve_all(answers, written, &interrupt),
            None => Ok(ExitStatus::Settled),
        }
    }

    /// Returns the shapes of the boards to generate.
    fn shapes(&self) -> Result<Vec<Shape>, String> {
        let usual = self.profile.and_then(|profile| profile.shape).or_else(|| Shape::new(3, 3));
        match (&self.shape[..], self.profile) {
            ([], _) => usual.map(|shape| vec![shape]).ok_or_else(|| "there is no such shape".into()),
            ([_], _) => Ok(self.shape.clone()),
            (_, Some(profile)) => Err(format!("{} has boards of one shape: give one --shape", profile.name)),
            _ if self.output_files.files.is_some() || self.layout.is_some_and(Layout::shows_shape) => {
                Ok(self.shape.clone())
            }
            _ => {
                Err("boards of several shapes need a layout that shows the shape: add --format sized, json or csv"
                    .into())
            }
        }
    }

    /// Returns the shape of all boards, if exactly one was given.
    fn one_shape(&self) -> Option<Shape> {
        self.shape.first().copied().filter(|_| self.shape.len() == 1)
    }

    /// Returns the goal of all boards; `None` if each has its own.
    fn goal(&self) -> Option<Goal> {
        match (self.pairs, &self.goal, self.profile) {
            (true, ..) => None,
            (false, Some(goal), _) => Some(goal.clone()),
            (false, None, Some(profile)) => profile.goal.clone(),
            (false, None, None) => Some(Goal::BlankLast),
        }
    }

    /// Returns the range of solution lengths that the profile's judge promises. The promise holds
    /// for the judge's own shape only.
    fn promised(&self) -> Option<RangeInclusive<u16>> {
        let profile = self.profile?;
        let is_judges_shape = self.one_shape().is_none_or(|shape| profile.shape == Some(shape));
        profile.promised.filter(|_| is_judges_shape).map(|max| 0..=max)
    }

    /// Writes the boards and returns their number.
    fn write(&self, interrupt: &Interrupt) -> Result<u64, Stop> {
        let (files, excluded) = read_excluded(&self.exclude, self.one_shape())?;
        let sets = self.sets()?;
        let (excluded, count) = (Arc::new(excluded), self.count.saturating_mul(sets.len() as u64));
        let mut out = self.output_files.open(&files, count)?;
        interrupt.remove_at_exit(out.temporary_path());
        let (to, made) = (&self.output_files, AtomicU64::new(0));
        let progress = self.showing.progress(to.output.is_none() && to.files.is_none());
        let solving = Solving { resources: self.resources, ..Solving::default() };
        let solver = solving.for_lengths().solver();
        let work = || Work::counting(made.load(Ordering::Relaxed), Total::Exactly(count), Some(&solver));
        progress.during(work, || {
            let mut sets = sets.into_iter();
            sets.try_for_each(|set| self.write_set(set, &mut out, &made, (&solver, &excluded, interrupt)))
        })?;
        out.finish().map(|()| count)
    }

    /// Returns the boards to generate: a set for every shape.
    fn sets(&self) -> Result<Vec<Set>, Stop> {
        let (goal_kind, mut sets) = (self.goal(), Vec::new());
        for (before, shape) in (0..).map(|at: u64| at.saturating_mul(self.count)).zip(self.shapes()?) {
            let goal = goal_kind.as_ref().map(|kind| kind.on(shape)).transpose();
            let goal = goal.map_err(|wrong| format!("invalid goal: {wrong}"))?;
            if let (Some(profile), true) = (self.profile, self.output_files.answers.is_some()) {
                profile.check_shape(Some(shape), None, None)?;
            }
            let writer = self.writer(shape, goal_kind.as_ref(), (self.count, before))?;
            let goals = goal.map_or(Goals::Random(shape), Goals::Same);
            sets.push(Set { shape, goals, before, writer });
        }
        Ok(sets)
    }

    /// Returns a writer of `count` boards that come after `before` others.
    fn writer(&self, shape: Shape, goal: Option<&Goal>, (count, before): (u64, u64)) -> Result<BoardWriter, Stop> {
        let format = BoardFormat {
            layout: self.layout,
            profile: self.profile,
            shape,
            goal,
            count,
            comment: !self.no_comment,
            before,
        };
        Ok(BoardWriter::new(&format)?)
    }

    /// Generates and writes the boards of a shape.
    fn write_set(
        &self,
        set: Set,
        out: &mut BoardFiles,
        made: &AtomicU64,
        (solver, excluded, interrupt): (&Solver, &Arc<HashSet<Board>>, &Interrupt),
    ) -> Result<(), Stop> {
        let Set { shape, goals, before, mut writer } = set;
        let (has_own_files, goal_kind, mut text) = (matches!(out, BoardFiles::Each(..)), self.goal(), Vec::new());
        if !has_own_files && before == 0 {
            writer.head(&mut text);
            // The head is written even if there are no boards.
            out.write(&text)?;
        }
        let spec = self.spec(goals)?;
        let known_length = spec.moves.as_ref().filter(|moves| moves.start() == moves.end());
        let known_length = known_length.map(|moves| u64::from(*moves.start()));
        let can_be_solved = shape.cells() <= MAX_SOLVED_CELLS || self.moves.is_some();
        let needs_length = writer.writes_moves() && can_be_solved && known_length.is_none();
        let mut worker = needs_length.then(|| solver.worker_on(Threads::Pool));
        for puzzle in Generator::new(spec, solver)?.exclude(Arc::clone(excluded)) {
            let Puzzle { board, goal } = &puzzle?;
            let moves = match &mut worker {
                None => known_length.filter(|_| is_solvable(board, goal)),
                Some(worker) => {
                    let answer = worker.answer(board, &goal.into(), &Limits::default(), interrupt.flag());
                    answer.map_err(|error| error.to_string())?.moves().map(|moves| moves as u64)
                }
            };
            if let Some(interrupted) = interrupt.status() {
                return Err(interrupted.into());
            }
            text.clear();
            if has_own_files {
                writer = self.writer(shape, goal_kind.as_ref(), (1, made.load(Ordering::Relaxed)))?;
                writer.head(&mut text);
            }
            writer.write(board, goal, moves, &mut text);
            out.write(&text)?;
            made.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Returns the specification of the boards with these goals.
    fn spec(&self, goals: Goals) -> Result<Spec, Stop> {
        let moves = match (self.difficulty, &goals) {
            (Some(named), Goals::Same(goal)) => Some(named.moves(goal)?),
            (Some(_), _) => {
                return Err("--difficulty needs one goal for all boards: leave out --as, or give a --goal".into());
            }
            _ => self.moves.clone().or_else(|| self.promised()).filter(|_| self.walk.is_none()),
        };
        if self.spread == Some(Spread::Even) && moves.is_none() {
            return Err("--spread even needs a range of lengths: add --moves or --difficulty".into());
        }
        Ok(Spec {
            goals,
            count: self.count,
            unsolvable: (self.count as f64 * self.unsolvable).round() as u64,
            moves,
            spread: self.spread.unwrap_or(Spread::Natural),
            walk: self.walk.clone(),
            repeats: self.unique.unwrap_or_default(),
            seed: self.seed,
        })
    }

    /// Solves all boards that were written.
    ///
    /// # Errors
    /// When the answers cannot be written.
    fn solve_all(&self, answers: &Path, boards_written: u64, interrupt: &Interrupt) -> Result<ExitStatus, Stop> {
        let format = self.profile.and_then(|profile| profile.answer);
        let style = format.map_or(Style::default(), |format| Style::Answers(Arc::new(AnswerWriter::new(format))));
        let solving = Solving { resources: self.resources, ..Solving::default() };
        let needs_proofs = format.is_some_and(|format| format.needs_proofs());
        let solving = if needs_proofs { solving.shortest_by_default() } else { solving };
        let solving = if style.writes_paths() { solving } else { solving.for_lengths() };
        let solver = solving.solver();
        let files: Vec<(PathBuf, PathBuf)> = match (&self.output_files.files, self.output_files.answer_files()?) {
            (Some(board_pattern), Some(answer_pattern)) => {
                let paths = |number| (board_pattern.path(number), answer_pattern.path(number));
                (1..=boards_written).map(paths).collect()
            }
            _ => self.output_files.output.iter().map(|boards| (boards.clone(), answers.to_path_buf())).collect(),
        };
        // With --files, each run solves a single board, whose progress is not worth showing.
        let (mut showing, mut status) = (self.showing, ExitStatus::Settled);
        showing.quiet |= self.output_files.files.is_some();
        let progress = showing.progress(false);
        for (boards, answers) in files {
            let reading = InputOptions {
                // A file without a comment does not name its layout.
                layout: Some(boards::layout(self.layout, self.profile, self.goal().is_none())),
                goal: self.goal.clone(),
                shape: self.one_shape(),
                decompression: solving.decompression_limit(),
                ..InputOptions::default()
            };
            let run = BatchRun {
                inputs: &[boards],
                reading: self.profile.map_or(reading.clone(), |profile| profile.fill(reading)),
                solving: &solving,
                solver: &solver,
                style: style.clone(),
                writing: &Writing::quietly(answers.clone(), self.output_files.force),
                count_cap: batch::Options::COUNT_CAP,
                shard: None,
                identity: BTreeMap::new(),
                progress: &progress,
                interrupt,
                run_limit: None,
            };
            // A link or a device is never removed.
            let is_kept = fs::symlink_metadata(&answers).is_ok_and(|found| !found.is_file());
            interrupt.remove_at_exit(Some(&*answers).filter(|_| !is_kept));
            match run.run()? {
                ExitStatus::Settled => {}
                ExitStatus::SomeFailed => status = ExitStatus::SomeFailed,
                ended => {
                    // Answers to some of the boards would look like answers to all.
                    let _ = (interrupt.status().is_some() && !is_kept).then(|| fs::remove_file(&answers));
                    return Ok(ended);
                }
            }
        }
        Ok(status)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_moves() {
        assert_eq!(moves("24"), Ok(24..=24));
        assert_eq!((moves("20..30"), moves("20-30")), (Ok(20..=30), Ok(20..=30)));
        assert_eq!((moves("..5"), moves("7..")), (Ok(0..=5), Ok(7..=u16::MAX - 1)));
        for wrong in ["", "..", " .. ", "..=", "x", "3..2", "3-2", "-1", "1-", "-", "1-2-3", "1..x", "70000"] {
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
