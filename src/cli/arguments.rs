//! What can be typed.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::board::{GoalSpec, Shape};
use crate::bulk::FastPath;
use crate::engine::{Limits, Parallel};
use crate::format::input::{InputOptions, Layout, Unpacking};
use crate::format::output::{Field, Fields};
use crate::format::profile::{Answers, Profile};
use crate::format::spelling::{Letters, PathOf, Spelling};
use crate::format::style::Style;
use crate::memory::{Share, allowed};
use crate::plan::{EngineKind, HeuristicKind, Wishes};

const EXAMPLES: &str = "\
Examples:
  taquin solve boards.txt                      solve every board of a file, results to the terminal
  taquin solve inputs/ -o results.jsonl        every file of a folder, results to a file
  echo '2 3 4 1 5 x 7 6 8' | taquin solve      one board from standard input
  taquin solve --goal snail --fields index,moves boards.txt
  taquin verify results.jsonl inputs/          every result proven
  taquin plan inputs/                          what would be done, and why
  taquin tables --verify --shape 3x4           what the tables of a shape cost, proved
  taquin solve --as hdu3567 data.in -o data.out
                                               golden answers in the format of a judge
  taquin judge --as hdu3567 data.in team.out   check a contestant's answers
  taquin generate --moves 20..24 --count 100   boards made to order
  taquin inspect boards.txt                    how hard, in how many ways, there before?
  taquin assert --moves 20..30 --unique set.txt
                                               fail unless all boards are so
  taquin show 2 3 4 1 5 x 7 6 8                a solution, replayed in the terminal
  taquin report results.jsonl -o report.html   a run's results as a page with charts";

/// Solves sliding-tile puzzles in bulk: many boards in, one proven shortest answer each out.
#[derive(Debug, Parser)]
#[command(name = "taquin", version, before_help = EXAMPLES, max_term_width = 100, arg_required_else_help = true)]
pub(super) struct Taquin {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Solve the boards of files, one JSON line for every record.
    Solve(Box<Solve>),
    /// Solve the boards of files by every engine that can, and compare answers, nodes, time and memory.
    Compare(Box<Compare>),
    /// Tell what would be done with the boards of files, and why, without solving any.
    Plan(Box<Plan>),
    /// Build the tables that serve a shape and tell what they cost; prove them with --verify.
    Tables(Box<Tables>),
    /// Check a contestant's answers to a judge's boards: moves, goal, length, verdicts.
    Judge(Box<super::judge::Judge>),
    /// Make boards to order: random, of an exact difficulty, in any layout, with their answers.
    Generate(Box<super::generate::Generate>),
    /// Tell how hard every board is, how many shortest solutions it has, and whether it came before.
    Inspect(Box<super::inspect::Inspect>),
    /// Check that a set of boards is what it should be, for CI: difficulty, solvable, unique, how many.
    Assert(Box<super::assert::Assert>),
    /// List the judges and courses that --as knows, where their formats are from, and how sure they are.
    Profiles {
        /// Tell everything about this one.
        name: Option<String>,
    },
    /// Make one page of a run's results: counts, charts, the hardest boards to be played, invalid records.
    Report(Box<super::report::ReportArguments>),
    /// Show the solution of one board: a replay in the terminal, every board as text, or a picture that moves.
    Show(Box<super::show::Show>),
    /// Prove that a results file answers its inputs: every path replayed, every record once, in order.
    Verify(Box<Verify>),
    /// Do fixed work that is built in, to compare machines by: boards and nodes a second, and what copying costs.
    Bench(Bench),
    /// Print the JSON Schema of a result line.
    Schema,
    /// Print a completion script for a shell.
    Completions {
        /// The shell to write for.
        shell: clap_complete::Shell,
    },
    /// Print the manual page (roff).
    Man,
}

const AFTER_SOLVE: &str = "\
Exit status: 0 every record was settled (solved, or proven unsolvable); 1 some record was invalid or
stayed unsolved; 2 the run failed (usage, input, output); 130 or 143 interrupted, with everything that
was finished written.";

const SOLVE_EXAMPLES: &str = "\
Examples:
  taquin solve inputs/                         every file of a folder, any layout
  zcat boards.gz | taquin solve - -o out.jsonl from a pipe to a file (.gz and .zst are also read directly)
  taquin solve --shape 3x4 --time-limit 10s hard.txt
  taquin solve --resume -o results.jsonl big/  a long run: the same command continues it
  taquin solve --fields id,moves,path --unordered set.jsonl
  taquin solve --as uva10181 boards.in         answers in the format of a judge (see taquin profiles)
  taquin solve --letters udlr --path-of tile boards.txt";

#[derive(Debug, Args)]
#[command(before_help = SOLVE_EXAMPLES, after_help = AFTER_SOLVE)]
pub(super) struct Solve {
    /// Files and folders to read, `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub writing: Writing,

    #[command(flatten)]
    pub moves: Moves,

    #[command(flatten)]
    pub solving: Solving,

    /// Tell what would be done with these boards, and why, without solving any.
    #[arg(long)]
    pub explain: bool,
}

impl Solve {
    /// How results are written.
    ///
    /// # Errors
    /// A sentence for people, when options contradict each other.
    pub fn style(&self) -> Result<Style, String> {
        let Moves { letters, path_of } = self.moves;
        let fields = self.writing.fields()?.spelled(Spelling::default().with(letters, path_of));
        let Some((profile, format)) = self.reading.profile.and_then(|profile| Some((profile, profile.answer?))) else {
            return Ok(Style::Json(fields));
        };
        if self.writing.shapes_json() {
            let name = profile.name;
            return Err(format!(
                "--fields, --boards, --detail and --unordered have no meaning in the answers of {name} (--as)"
            ));
        }
        profile.check_shape(self.reading.options().shape, letters, path_of)?;
        Ok(Style::Answers(Arc::new(Answers::new(format, letters, path_of)?)))
    }
}

#[derive(Debug, Clone, Copy, Args)]
#[command(next_help_heading = "Moves")]
pub(super) struct Moves {
    /// How moves are spelled: udlr, UDLR, words (UP DOWN LEFT RIGHT) or tiles (the numbers of those that
    /// move). By default UDLR, or as the profile has it.
    #[arg(long, value_name = "LETTERS")]
    pub letters: Option<Letters>,

    /// Whose movement the letters name: that of the blank (the default) or of the tile that slides into it.
    #[arg(long, value_name = "WHOSE")]
    pub path_of: Option<PathOf>,
}

const COMPARE_EXAMPLES: &str = "\
Examples:
  taquin compare boards.txt                    which engine suits these boards
  taquin compare --time-limit 5s --heuristic linear-conflict inputs/korf.txt";

const AFTER_COMPARE: &str = "\
Exit status: 0 all engines that solved a board agree on its length and its path; 1 some do not (please
report it); 2 the run failed.";

#[derive(Debug, Args)]
#[command(before_help = COMPARE_EXAMPLES, after_help = AFTER_COMPARE)]
pub(super) struct Compare {
    /// Files and folders to read, `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub solving: Solving,
}

const PLAN_EXAMPLES: &str = "\
Examples:
  taquin plan inputs/                          the engine and heuristic for every shape and goal found
  taquin plan --goal snail --engine astar boards.txt";

#[derive(Debug, Args)]
#[command(before_help = PLAN_EXAMPLES)]
pub(super) struct Plan {
    /// Files and folders to read, `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: Reading,

    #[command(flatten)]
    pub solving: Solving,
}

const TABLES_EXAMPLES: &str = "\
Examples:
  taquin tables                                every rung of the ladder for the 15-puzzle
  taquin tables --shape 3x4 --verify           those of another shape, each entry proved
  taquin tables --memory 300M                  the rungs that a run with so much memory would climb
  taquin tables --heuristic 6-6-3 -j 1         one partition, built on one thread";

const AFTER_TABLES: &str = "\
Proving takes a byte of memory for every entry (8 tiles on 4x4: 1.4 GB and 85 s; the full tables of 12 cells: 240 MB).

Exit status: 0 everything was built and, where asked for, proved; 1 a proof failed (please report it);
2 the run failed.";

#[derive(Debug, Args)]
#[command(before_help = TABLES_EXAMPLES, after_help = AFTER_TABLES)]
pub(super) struct Tables {
    /// The shape of the boards.
    #[arg(long, value_name = "ROWSxCOLS", default_value = "4x4")]
    pub shape: Shape,

    /// The goal: blank-last, blank-first, snail, or a board such as 1,2,3/8,0,4/7,6,5.
    #[arg(long, value_name = "GOAL", default_value = "blank-last")]
    pub goal: GoalSpec,

    /// Only this partition: sizes (7-8) or the home cells of its tiles (0,1,2/3,4,5). By default all
    /// that a run would build.
    #[arg(long, value_name = "PARTITION")]
    pub heuristic: Option<String>,

    /// Threads that build. By default as many as this process may use.
    #[arg(short = 'j', long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,

    /// What a run may take, such as 500M or 4G: tables for which that leaves too little beside the searches'
    /// lists, and beside the tables before them, are named and not built. By default a quarter of what this
    /// process may use: of the machine's memory, or of its control group's.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,

    /// Prove every entry of every pattern database.
    #[arg(long)]
    pub verify: bool,
}

impl Tables {
    pub fn threads(&self) -> usize {
        threads_or_all(self.threads)
    }

    pub fn memory(&self) -> u64 {
        memory_or_quarter(self.memory)
    }

    /// As `solve` takes the same options.
    pub fn wishes(&self) -> Wishes {
        Wishes {
            engine: Some(EngineKind::IdaStar),
            heuristic: Some(HeuristicKind::Patterns),
            partition: self.heuristic.clone(),
        }
    }
}

const VERIFY_EXAMPLES: &str = "\
Examples:
  taquin verify results.jsonl inputs/          the inputs and options of the run that wrote them
  taquin verify --unordered --sample 100 results.jsonl.zst boards.txt";

const AFTER_VERIFY: &str = "\
Results need the fields `status` and `path`, which are among the default ones, and `index` where they are
not in order. What else they hold is compared. What is not proven is told, too.

Exit status: 0 every record has exactly one result, and it holds; 1 there is a doubt; 2 something could
not be read.";

#[derive(Debug, Args)]
#[command(before_help = VERIFY_EXAMPLES, after_help = AFTER_VERIFY)]
pub(super) struct Verify {
    /// The results; plain, .gz or .zst.
    #[arg(value_name = "RESULTS")]
    pub results: PathBuf,

    /// The files and folders that were read, in the same order; `-` for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: Reading,

    /// The results may be in any order, as they are written with --unordered.
    #[arg(long, help_heading = "Checking")]
    pub unordered: bool,

    /// Solve so many of the boards again by another engine, and compare the paths.
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Checking")]
    pub sample: usize,

    #[command(flatten)]
    pub solving: Solving,
}

const BENCH_EXAMPLES: &str = "\
Examples:
  taquin bench                                 on all threads
  taquin bench -j 1 --json                     on one, for programs";

const AFTER_BENCH: &str = "\
'nodes' and 'answers' are the same on every machine and any number of threads; some seconds and 400 MB.";

#[derive(Debug, Args)]
#[command(before_help = BENCH_EXAMPLES, after_help = AFTER_BENCH)]
pub(super) struct Bench {
    /// Threads that solve. By default as many as this process may use.
    #[arg(short = 'j', long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,

    /// Write the figures as JSON.
    #[arg(long)]
    pub json: bool,
}

impl Bench {
    pub fn threads(&self) -> usize {
        threads_or_all(self.threads)
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Reading")]
pub(super) struct Reading {
    /// Read the layout of a judge or course (taquin profiles lists them); solve also writes its answers.
    #[arg(long = "as", value_name = "PROFILE", value_parser = Profile::named)]
    pub profile: Option<&'static Profile>,

    /// Layout of the records: auto, line, digits, grid, sized, pair, json or csv.
    #[arg(long, value_name = "LAYOUT", default_value = "auto", value_parser = layout)]
    format: Wanted<Layout>,

    /// The goal: blank-last (the default), blank-first, snail, or a board such as 1,2,3/8,0,4/7,6,5.
    #[arg(long, value_name = "GOAL")]
    goal: Option<GoalSpec>,

    /// Shape of boards that do not tell their own and are not square, as ROWSxCOLS.
    #[arg(long, value_name = "ROWSxCOLS")]
    shape: Option<Shape>,

    /// The first line of every file counts the records that follow.
    #[arg(long)]
    count_line: bool,

    /// Every record begins with its number, which becomes its id.
    #[arg(long)]
    numbered: bool,

    /// Options given here win over the settings comment of a file.
    #[arg(long = "override")]
    override_file: bool,

    /// Longest line that is read, in bytes; a longer one is one invalid record.
    #[arg(long, value_name = "BYTES", default_value_t = 1 << 20, value_parser = line_limit)]
    max_line: usize,

    /// Most bytes of text for each byte of a compressed file, behind the first gigabyte: beyond that it is no file
    /// of boards, and not read on.
    #[arg(long, value_name = "N", default_value_t = Unpacking::default().ratio, value_parser = clap::value_parser!(u64).range(1..))]
    max_ratio: u64,
}

impl Reading {
    pub fn options(&self) -> InputOptions {
        let options = InputOptions {
            layout: self.format.0,
            goal: self.goal.clone(),
            shape: self.shape,
            count_line: self.count_line,
            numbered: self.numbered,
            override_file: self.override_file,
            max_line: self.max_line,
            unpacking: Unpacking { ratio: self.max_ratio, ..Unpacking::default() },
        };
        match self.profile {
            Some(profile) => profile.fill(options),
            None => options,
        }
    }
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Writing")]
pub(super) struct Writing {
    /// Write results to a file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Keep a checkpoint beside the results (FILE.taquin), and go on from it if there is one. Give it from
    /// the start: a run that ends before its time is continued by the same command.
    #[arg(long, requires = "output")]
    pub resume: bool,

    /// Time between checkpoints, at least: what a kill can cost.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration, requires = "resume")]
    pub checkpoint_every: Duration,

    /// Begin anew, and overwrite what the file of results holds.
    #[arg(long, requires = "output")]
    pub force: bool,

    /// Fields of a result, in order, separated by commas.
    #[arg(long, value_name = "FIELDS", value_delimiter = ',')]
    fields: Vec<Field>,

    /// Add how each board was solved: engine, heuristic, nodes, time. Differs from run to run.
    #[arg(long)]
    detail: bool,

    /// Add what each record asked: rows, cols, board, goal, as `taquin report` draws them.
    #[arg(long)]
    boards: bool,

    /// Write results as they come instead of in the order of the records.
    #[arg(long)]
    pub unordered: bool,

    /// Write the summary of the run to a file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,

    /// Neither progress nor summary on standard error.
    #[arg(short, long)]
    pub quiet: bool,

    /// What makes the exit status 1: any of unsolvable, invalid, unsolved, or none.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', default_value = "invalid,unsolved")]
    pub fail_on: Vec<FailOn>,
}

impl Writing {
    /// True when something was asked for that only lines of JSON can have.
    fn shapes_json(&self) -> bool {
        !self.fields.is_empty() || self.boards || self.detail || self.unordered
    }

    fn fields(&self) -> Result<Fields, String> {
        let twice = |(i, field): (usize, &Field)| self.fields[..i].contains(field).then_some(*field);
        if let Some(field) = self.fields.iter().enumerate().find_map(twice) {
            return Err(format!("--fields names {field} twice"));
        }
        let fields = if self.fields.is_empty() { Fields::default() } else { Fields::new(self.fields.clone()) };
        let fields = if self.boards { fields.with_boards() } else { fields };
        Ok(if self.detail { fields.with_detail() } else { fields })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    Unsolvable,
    Invalid,
    Unsolved,
    None,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Solving")]
pub(super) struct Solving {
    /// Threads that solve. By default as many as this process may use.
    #[arg(short = 'j', long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,

    /// How threads share boards: auto, across (a board each) or within (all on one board, then the next).
    #[arg(long, value_name = "HOW", default_value = "auto", value_parser = parallel)]
    pub parallel: Parallel,

    /// What searches: auto, lookup, bidirectional, astar or idastar.
    #[arg(long, value_name = "ENGINE", default_value = "auto", value_parser = engine)]
    engine: Wanted<EngineKind>,

    /// What guides it: auto, manhattan, linear-conflict, walking-distance, walking-conflict, or pattern
    /// databases by their sizes (6-6-3, 7-8) or by the home cells of their tiles (0,1,2/3,4,5).
    #[arg(long, value_name = "HEURISTIC", default_value = "auto", value_parser = heuristic)]
    heuristic: Guidance,

    /// The most that the run takes in memory, such as 500M or 4G: tables, visited states, lists of searches,
    /// and what is between reading and writing. By default a quarter of what this process may use: of the
    /// machine's memory, or of its control group's.
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    memory: Option<u64>,

    /// Longest time for one board, such as 500ms, 10s or 2m; what is reached in it varies.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    time_limit: Option<Duration>,

    /// Most nodes for one board; the same number gives the same results everywhere. Such a board is
    /// searched by one thread.
    #[arg(long, value_name = "NODES")]
    node_limit: Option<u64>,

    /// Take every record the general way, also plain lines of boards up to 3x3, which are otherwise read
    /// and written in blocks. The results are the same.
    #[arg(long)]
    no_fast_path: bool,
}

impl Solving {
    pub fn threads(&self) -> usize {
        threads_or_all(self.threads)
    }

    pub fn fast_path(&self) -> FastPath {
        if self.no_fast_path { FastPath::Off } else { FastPath::On }
    }

    pub fn memory(&self) -> u64 {
        memory_or_quarter(self.memory)
    }

    /// What is told when so little memory was asked for that a run takes more.
    pub fn too_little_memory(&self) -> Option<String> {
        let (asked, threads) = (self.memory?, self.threads());
        let (least, told) = (Share::of(asked, threads).total(threads), |bytes: u64| bytes.div_ceil(1 << 20));
        (asked < least)
            .then(|| format!("--memory {}M cannot be kept: {threads} threads take up to {}M", told(asked), told(least)))
    }

    /// What was asked for.
    pub fn asked_memory(&self) -> Option<u64> {
        self.memory
    }

    pub fn wishes(&self) -> Wishes {
        let (heuristic, partition) = match &self.heuristic {
            Guidance::Auto => (None, None),
            Guidance::Kind(kind) => (Some(*kind), None),
            Guidance::Partition(name) => (Some(HeuristicKind::Patterns), Some(name.clone())),
        };
        Wishes { engine: self.engine.0, heuristic, partition }
    }

    pub fn limits(&self) -> Limits {
        Limits { nodes: self.node_limit, time: self.time_limit }
    }
}

/// A choice by name, or `auto`.
#[derive(Debug, Clone, Copy)]
struct Wanted<T>(Option<T>);

fn layout(name: &str) -> Result<Wanted<Layout>, String> {
    if name == "auto" { Ok(Wanted(None)) } else { name.parse().map(|layout| Wanted(Some(layout))) }
}

/// The engines that can be asked for by name.
pub(super) const ENGINES: [EngineKind; 4] =
    [EngineKind::Lookup, EngineKind::Bidirectional, EngineKind::AStar, EngineKind::IdaStar];

fn engine(name: &str) -> Result<Wanted<EngineKind>, String> {
    by_name(name, &ENGINES, EngineKind::name)
}

fn parallel(name: &str) -> Result<Parallel, String> {
    match by_name(name, &[Parallel::Across, Parallel::Within], Parallel::name)? {
        Wanted(how) => Ok(how.unwrap_or(Parallel::Auto)),
    }
}

/// A heuristic by name, or the partition of pattern databases.
#[derive(Debug, Clone)]
enum Guidance {
    Auto,
    Kind(HeuristicKind),
    Partition(String),
}

fn heuristic(name: &str) -> Result<Guidance, String> {
    let all = [
        HeuristicKind::Manhattan,
        HeuristicKind::LinearConflict,
        HeuristicKind::WalkingDistance,
        HeuristicKind::WalkingConflict,
    ];
    // Whether there is such a partition depends on the shape of each board.
    if name.contains(|c: char| c.is_ascii_digit()) && !name.contains(|c: char| c.is_ascii_alphabetic()) {
        return Ok(Guidance::Partition(name.to_string()));
    }
    match by_name(name, &all, HeuristicKind::name) {
        Ok(Wanted(None)) => Ok(Guidance::Auto),
        Ok(Wanted(Some(kind))) => Ok(Guidance::Kind(kind)),
        Err(why) => Err(why + " or a partition such as 7-8 or 0,1,2/3,4,5"),
    }
}

fn by_name<T: Copy>(name: &str, all: &[T], name_of: fn(T) -> &'static str) -> Result<Wanted<T>, String> {
    if name == "auto" {
        return Ok(Wanted(None));
    }
    all.iter().copied().find(|&each| name_of(each) == name).map(|each| Wanted(Some(each))).ok_or_else(|| {
        let names: Vec<_> = all.iter().map(|&each| name_of(each)).collect();
        format!("choose from auto, {}", names.join(", "))
    })
}

/// As many threads as asked for, or as this process may use.
pub(super) fn threads_or_all(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// As much memory as asked for, or a quarter of what this process may use.
pub(super) fn memory_or_quarter(asked: Option<u64>) -> u64 {
    asked.unwrap_or_else(|| allowed().unwrap_or(8 << 30) / 4)
}

pub(super) fn threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    match text.parse() {
        Ok(threads @ 1..=MOST) => Ok(threads),
        _ => Err(format!("expected a number of threads from 1 to {MOST}")),
    }
}

fn line_limit(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(bytes @ 64..) => Ok(bytes),
        _ => Err("expected a number of bytes, at least 64".into()),
    }
}

/// `500M`, `4G`, `64K`; a number alone is bytes.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let (number, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    match number.parse::<u64>() {
        Ok(number) if number > 0 && number <= u64::MAX >> shift => Ok(number << shift),
        _ => Err("expected a number of bytes such as 500M or 4G".into()),
    }
}

/// `500ms`, `10s`, `2m`, `1h`; a number alone is seconds.
fn duration(text: &str) -> Result<Duration, String> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 500ms, 10s, 2m or 1h".into()),
    };
    let number: f64 = number.trim().parse().map_err(|_| "expected a number and a unit, such as 10s")?;
    match Duration::try_from_secs_f64(number * seconds) {
        Ok(time) if !time.is_zero() => Ok(time),
        _ => Err("expected a time greater than nothing".into()),
    }
}

/// The manual page: the program and, after it, every subcommand with its options.
pub(super) fn manual(out: &mut Vec<u8>) -> io::Result<()> {
    let mut command = Taquin::command();
    command.build();
    clap_mangen::Man::new(command.clone()).render(out)?;
    for subcommand in command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help") {
        // Each in a section of its own, whose parts are subsections.
        let (mut text, manual) = (Vec::new(), clap_mangen::Man::new(subcommand.clone()));
        manual.render_description_section(&mut text)?;
        manual.render_options_section(&mut text)?;
        let text = String::from_utf8_lossy(&text).replace("\n.SH ", "\n.SS ").replacen(".SH ", ".SS ", 1);
        write!(out, ".SH \"taquin {}\"\n{text}", subcommand.get_name())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Taquin::command().debug_assert();
    }

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!(bytes("64K"), Ok(65_536));
        assert_eq!(bytes("4g"), Ok(4 << 30));
        assert_eq!(bytes("123"), Ok(123));
        for wrong in ["", "G", "0", "-1M", "1T", "99999999999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_read_with_their_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "s", "-1s", "0", "1y", "1e999s", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
