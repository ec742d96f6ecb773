//! `taquin generate`: boards made to order, and the answers to them.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use clap::{Args, Parser};

use super::arguments::{Command, Taquin};
use super::whole::WholeFile;
use super::{Status, fail, say, solve};
use crate::board::{GoalSpec, Shape};
use crate::format::boards::{BoardWriter, Form};
use crate::format::input::Layout;
use crate::format::profile::Profile;
use crate::generate::{self, Error, Goals, Puzzle, Repeats, Request};
use crate::solver::Solvers;

const EXAMPLES: &str = "\
Examples:
  taquin generate --count 1000 --seed 7 -o boards.txt
  taquin generate --shape 4x4 --moves 50 --count 100          exactly 50 moves each
  taquin generate --moves 20.. --unique --count 500           20 moves or more, each board its own
  taquin generate --as hdu3567 --count 1000 -o data.in --answers data.out
  taquin generate --shape 3x3 --hardest                       the two boards of 31 moves";

const AFTER: &str = "\
The same options and seed give the same boards on every machine and number of threads: see docs/generating.md.
Exit status: 0 all were written; 1 there are not so many; 2 the run failed (usage, output).";

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Generate {
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
    goal: Option<GoalSpec>,

    /// Give every board a random goal of its own.
    #[arg(long)]
    pairs: bool,

    /// Length of the shortest solutions, exactly: 24, 20..30, 20.. or ..30, both ends included. By default any, or what the
    /// judge of --as promises.
    #[arg(long, value_name = "MOVES", value_parser = moves, conflicts_with = "hardest")]
    moves: Option<RangeInclusive<u16>>,

    /// The farthest boards that are known for the shape and goal.
    #[arg(long, conflicts_with_all = ["pairs", "unsolvable", "unique"])]
    hardest: bool,

    /// Share of boards without a solution, as 0.1 or 10%.
    #[arg(long, value_name = "SHARE", value_parser = share, default_value = "0")]
    unsolvable: f64,

    /// No board twice, nor its reflection where that keeps the goal's blank.
    #[arg(long)]
    unique: bool,

    /// Write boards as this judge or course gives them (taquin profiles lists them).
    #[arg(long = "as", value_name = "PROFILE", value_parser = Profile::named)]
    profile: Option<&'static Profile>,

    /// Layout: line (the default), digits, grid, sized, pair, json or csv.
    #[arg(long, value_name = "LAYOUT")]
    format: Option<Layout>,

    /// Write the boards to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Solve the boards too, and write the answers to this file: those of the profile, or JSON lines.
    #[arg(long, value_name = "FILE", requires = "output")]
    answers: Option<PathBuf>,

    /// Overwrite files that are there.
    #[arg(long, requires = "output")]
    force: bool,

    /// Threads. By default as many as this process may use. (--hardest needs one, its --answers more.)
    #[arg(short = 'j', long, value_name = "N", value_parser = super::arguments::threads)]
    threads: Option<usize>,

    /// Memory for tables, as 2G; by default a quarter of the machine's. (--hardest needs none, its --answers do.)
    #[arg(long, value_name = "BYTES", value_parser = super::arguments::bytes)]
    memory: Option<u64>,
}

/// A range of numbers of moves.
fn moves(text: &str) -> Result<RangeInclusive<u16>, String> {
    let wrong = || format!("'{text}' is not a number of moves: expected 24, 20..30, 20.. or ..30");
    let number = |text: &str, open: u16| match text.trim() {
        "" => Ok(open),
        digits => digits.parse().map_err(|_| wrong()),
    };
    let (least, most) = match text.split_once("..") {
        Some((least, most)) if !(least.trim().is_empty() && most.trim().is_empty()) => {
            (number(least, 0)?, number(most, u16::MAX - 1)?)
        }
        Some(_) => return Err(wrong()),
        None => {
            let exactly = text.trim().parse().map_err(|_| wrong())?;
            (exactly, exactly)
        }
    };
    if least > most { Err(format!("'{text}' holds no number: {least} is more than {most}")) } else { Ok(least..=most) }
}

/// A share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let (digits, unit) = text.strip_suffix('%').map_or((text, 1.0), |percent| (percent, 100.0));
    match digits.trim().parse::<f64>().map(|share| share / unit) {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("'{text}' is not a share: expected a number from 0 to 1, or a percentage")),
    }
}

pub(super) fn run(arguments: &Generate) -> Status {
    let written = arguments.write();
    match written {
        Ok(()) => {}
        Err(Failure::Few(error)) => {
            say(&format!("taquin: {error}"));
            return Status::SomeFailed;
        }
        Err(Failure::Pipe) => return Status::Settled,
        Err(Failure::Run(why)) => return fail(&why),
    }
    match &arguments.answers {
        Some(answers) => arguments.solve(answers),
        None => Status::Settled,
    }
}

enum Failure {
    /// There are not so many boards.
    Few(Error),
    /// Nobody reads on.
    Pipe,
    Run(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::TooFew { .. }
            | Error::GaveUp { .. }
            | Error::NoneSoFar { .. }
            | Error::NotKnown { .. }
            | Error::TooHard { .. } => Failure::Few(error),
            Error::Write(error) => error.into(),
            Error::TooLarge(_) | Error::Fault(..) | Error::Threads(_) => Failure::Run(error.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            ErrorKind::BrokenPipe => Failure::Pipe,
            _ => Failure::Run(format!("cannot write: {error}")),
        }
    }
}

impl Generate {
    fn shape(&self) -> Result<Shape, String> {
        let of_profile = self.profile.and_then(|profile| profile.shape).map_or((3, 3), |shape| shape);
        let shape = self.shape.or_else(|| Shape::new(of_profile.0, of_profile.1));
        shape.ok_or_else(|| "there is no such shape".into())
    }

    /// The goal of all boards; `None`: each has its own.
    fn goal(&self) -> Option<GoalSpec> {
        match (self.pairs, &self.goal, self.profile) {
            (true, ..) => None,
            (false, Some(goal), _) => Some(goal.clone()),
            (false, None, Some(profile)) => profile.goal.spec(),
            (false, None, None) => Some(GoalSpec::BlankLast),
        }
    }

    /// What a judge promises of the difficulty of the boards that it gives: it knows of its own shape alone.
    fn promised(&self) -> Option<RangeInclusive<u16>> {
        let profile = self.profile?;
        let own = self.shape.is_none_or(|shape| profile.shape == Some((shape.rows(), shape.cols())));
        profile.promised.filter(|_| own).map(|most| 0..=most)
    }

    fn write(&self) -> Result<(), Failure> {
        let (shape, spec) = (self.shape().map_err(Failure::Run)?, self.goal());
        let goal = spec.as_ref().map(|spec| spec.on(shape)).transpose();
        let goal = goal.map_err(|wrong| Failure::Run(format!("the goal does not fit: {wrong}")))?;
        let hardest = match (&goal, self.hardest) {
            (_, false) => None,
            (Some(goal), true) => match generate::farthest(goal) {
                Some((_, boards)) => Some(boards),
                None => return Err(Failure::Run(format!("the farthest {shape} boards from this goal are not known"))),
            },
            (None, true) => return Err(Failure::Run("--hardest needs one goal for all boards".into())),
        };
        let all = hardest.as_ref().map_or(1, |boards| boards.len() as u64);
        let count = self.count.unwrap_or(all);
        let form = Form { layout: self.format, profile: self.profile, shape, goal: spec.as_ref(), count };
        if let (Some(profile), true) = (self.profile, self.answers.is_some()) {
            profile.check_shape(Some(shape), None, None).map_err(Failure::Run)?;
        }
        let mut writer = BoardWriter::new(&form).map_err(|unfit| Failure::Run(unfit.to_string()))?;
        if count > all && hardest.is_some() {
            return Err(Error::TooFew { found: all, asked: count, what: "boards" }.into());
        }
        let mut out = self.open().map_err(Failure::Run)?;
        let mut text = Vec::new();
        writer.head(&mut text);
        let mut take = |puzzle: &Puzzle| {
            writer.write(&puzzle.board, &puzzle.goal, &mut text);
            let written = out.write_all(&text);
            text.clear();
            written
        };
        match (hardest, goal) {
            (Some(boards), Some(goal)) => {
                for board in boards.into_iter().take(count as usize) {
                    take(&Puzzle { board, goal: goal.clone() })?;
                }
            }
            (_, goal) => {
                let goals = goal.map_or(Goals::Random(shape), Goals::Same);
                let threads = super::arguments::threads_or_all(self.threads);
                let memory = super::arguments::memory_or_quarter(self.memory);
                let request = Request {
                    goals,
                    count,
                    unsolvable: (count as f64 * self.unsolvable).round() as u64,
                    moves: self.moves.clone().or_else(|| self.promised()),
                    repeats: if self.unique { Repeats::Avoided } else { Repeats::Allowed },
                    seed: self.seed,
                };
                let solvers = Solvers::new(Default::default(), threads, memory);
                generate::run(&request, &solvers, threads, &mut take)?;
            }
        }
        // Of no boards there is still the head.
        out.write_all(&text)?;
        Ok(out.finish()?)
    }

    fn open(&self) -> Result<Out, String> {
        let Some(path) = &self.output else { return Ok(Out::Terminal(BufWriter::new(io::stdout()))) };
        if let Some(answers) = &self.answers
            && !self.force
            && holds_something(answers)
        {
            return Err(format!("{} is there already; --force overwrites it", answers.display()));
        }
        if !self.force && holds_something(path) {
            return Err(format!("{} is there already; --force overwrites it", path.display()));
        }
        let file = WholeFile::create(path);
        Ok(Out::File(file.map_err(|error| format!("cannot write to {}: {error}", path.display()))?))
    }

    /// The answers, as `taquin solve` gives them for the file that was written.
    fn solve(&self, answers: &Path) -> Status {
        let Some(boards) = &self.output else { return fail("--answers needs --output") };
        let mut words: Vec<std::ffi::OsString> =
            ["taquin", "solve", "--quiet", "--fail-on", "invalid,unsolved"].map(Into::into).to_vec();
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                words.extend([name.into(), value.into()]);
            }
        };
        option("--as", self.profile.map(|profile| profile.name.into()));
        option("--shape", self.shape.map(|shape| shape.to_string()));
        option("--goal", self.goal.as_ref().map(|goal| goal.to_string()));
        option("--format", self.format.map(|layout| layout.to_string()));
        option("--threads", self.threads.map(|threads| threads.to_string()));
        option("--memory", self.memory.map(|bytes| bytes.to_string()));
        if self.force {
            words.push("--force".into());
        }
        words.extend(["--output".into(), answers.into(), "--".into(), boards.into()]);
        match Taquin::try_parse_from(words).map(|parsed| parsed.command) {
            Ok(Command::Solve(arguments)) => solve::run(&arguments),
            Ok(_) => fail("the answers were not asked for as they should have been"),
            Err(error) => fail(&error.to_string()),
        }
    }
}

/// Where boards are written.
enum Out {
    Terminal(BufWriter<io::Stdout>),
    /// What is not whole is not kept, and what was there before is.
    File(WholeFile),
}

impl Out {
    fn finish(self) -> io::Result<()> {
        match self {
            Out::Terminal(mut out) => out.flush(),
            Out::File(file) => file.finish(),
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Out::Terminal(out) => out.write(bytes),
            Out::File(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Out::Terminal(out) => out.flush(),
            Out::File(file) => file.flush(),
        }
    }
}

fn holds_something(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0)
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
