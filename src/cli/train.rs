//! `taquin train`: an evaluation for boards of one shape, learned from nothing but the rules.

use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{FormattedDuration, HumanBytes};

use super::options::{Resources, values};
use super::ui::signals::Interrupt;
use super::ui::whole_file::{self, Present, WholeFile};
use super::ui::{Status, fail, message};
use crate::board::{Goal, Shape};
use crate::tools::text::counted;
use crate::tools::train::{Best, Round, Settings, Training};

const EXAMPLES: &str = "\
Examples:
  taquin train --shape 6x6 --time 1h -o 6x6.weights
  taquin train --shape 6x6 --time 1h -o 6x6.weights --resume
                                               goes on where that was killed
  taquin train --shape 4x6 --steps 100 -j 1 -o 4x6.weights
                                               the same file on every machine
  taquin solve --weights 6x6.weights boards.txt";

const AFTER: &str = "\
FILE gets the weights whenever they are the best so far, FILE.txt how they were made, and FILE.training what --resume needs; that is
removed at the end. The same shape, goal, seed, steps and threads give the same weights. Interrupted, it
keeps the best.

Exit status: 0 trained; 2 the run failed; 130, 143 interrupted.";

/// What is behind the name of the weights in that of the file which says how they were made.
const HOW_MADE: &str = ".txt";
/// Writing what --resume needs takes at most so much of the time: one part of so many.
const WRITING: u32 = 25;
/// How often a round is told that was not judged.
const TOLD: Duration = Duration::from_secs(20);

#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = AFTER)]
pub(super) struct Arguments {
    /// The shape of the boards: at most 64 cells.
    #[arg(long, value_name = "ROWSxCOLS")]
    shape: Shape,

    /// The goal; of its tiles' order nothing depends, but of the place of the blank.
    #[arg(long, value_name = "GOAL", default_value = "blank-last")]
    goal: Goal,

    /// Train for so long, such as 20m or 1h. No step is broken off.
    #[arg(long, value_name = "TIME", value_parser = values::duration, required_unless_present = "steps")]
    time: Option<Duration>,

    /// Train for so many steps; one takes some seconds.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,

    /// Another number gives other weights, about as good.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Threads: each trains weights of its own, and their mean is what counts. By default as many as this process may use.
    #[arg(short = 'j', long, value_name = "N", value_parser = values::threads)]
    threads: Option<usize>,

    /// What the run may take, such as 500M or 4G. By default a quarter of what this process may use.
    #[arg(long, value_name = "BYTES", value_parser = values::bytes)]
    memory: Option<u64>,

    /// Where the weights go.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Go on with the training that was writing to FILE, if there was one.
    #[arg(long, conflicts_with = "force")]
    resume: bool,

    /// Overwrite what is there.
    #[arg(long)]
    force: bool,

    /// Tell nothing but errors.
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Status {
    arguments.train().unwrap_or_else(|why| fail(&why))
}

/// The file's name with something behind it.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

/// Removes what --resume goes on with, if it is there.
fn forget(state: &Path) -> Result<(), String> {
    match std::fs::remove_file(state) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(format!("cannot remove {}: {error}", state.display())),
        _ => Ok(()),
    }
}

impl Arguments {
    /// # Errors
    /// Why the run failed.
    fn train(&self) -> Result<Status, String> {
        let resources = Resources::new(self.threads, self.memory);
        let goal = self.goal.on(self.shape).map_err(|error| error.to_string())?;
        let settings = Settings { goal, seed: self.seed, threads: resources.threads };
        settings.check()?;
        let bytes = settings.bytes();
        if bytes > resources.memory {
            let (takes, may) = (HumanBytes(bytes), HumanBytes(resources.memory));
            return Err(format!(
                "this training takes {takes} on {} threads, and may take {may}: allow more (--memory) or fewer threads (-j)",
                settings.threads
            ));
        }
        let state = beside(&self.output, ".training");
        let goes_on = self.resume && state.exists();
        if !self.resume && !self.force {
            whole_file::may_write(&state, Present::Keep).map_err(|why| format!("{why}, --resume goes on with it"))?;
        }
        let present = if goes_on { Present::Overwrite } else { Present::forced(self.force) };
        whole_file::may_write(&self.output, present)?;
        whole_file::may_write(&beside(&self.output, HOW_MADE), present)?;
        whole_file::check_writable(&self.output)
            .map_err(|error| format!("cannot write to {}: {error}", self.output.display()))?;
        if !goes_on {
            forget(&state)?;
        }
        let interrupt = Interrupt::listen()?;
        self.tell(&format!("{}: {} on {}", self.shape, HumanBytes(bytes), counted(settings.threads as u64, "thread")));
        let mut training = Training::new(settings);
        let mut before = Duration::ZERO;
        if goes_on {
            let file = File::open(&state).map_err(|error| format!("cannot read {}: {error}", state.display()))?;
            let spent = training.read(&mut BufReader::new(file));
            before = spent.map_err(|error| format!("cannot go on with {}: {error}", state.display()))?;
            self.tell(&format!("goes on after step {}", training.rounds()));
        }
        let mut run = Run { arguments: self, training, before, began: Instant::now(), state, written: None };
        let ended = run.rounds(&interrupt)?;
        if ended {
            forget(&run.state)?;
        }
        Ok(interrupt.signal().map_or(Status::Settled, Status::Interrupted))
    }

    fn tell(&self, line: &str) {
        if !self.quiet {
            message(line);
        }
    }
}

/// A training on its way.
struct Run<'a> {
    arguments: &'a Arguments,
    training: Training,
    /// What runs before this one took.
    before: Duration,
    began: Instant,
    /// Where the training itself is written.
    state: PathBuf,
    /// When, and how long it took.
    written: Option<(Instant, Duration)>,
}

impl Run<'_> {
    fn spent(&self) -> Duration {
        self.before + self.began.elapsed()
    }

    fn is_over(&self) -> bool {
        let over = |most: Option<Duration>| most.is_some_and(|most| self.spent() >= most);
        self.arguments.steps.is_some_and(|steps| self.training.rounds() >= steps) || over(self.arguments.time)
    }

    /// All rounds; whether they came to their end.
    fn rounds(&mut self, interrupt: &Interrupt) -> Result<bool, String> {
        let stop = interrupt.flag();
        if self.training.best().is_none() {
            let Some((score, _)) = self.training.judge(stop) else { return Ok(false) };
            self.arguments.tell(&format!("untrained: {score} moves"));
            // First, so that wherever there are weights --resume can go on.
            self.write_state()?;
            self.write_best()?;
        } else if !self.arguments.output.exists() {
            // It was killed between the two.
            self.write_best()?;
        }
        let mut told = Instant::now();
        while !self.is_over() {
            let last = self.arguments.steps == Some(self.training.rounds() + 1);
            let Some(round) = self.training.round(last, stop) else { return Ok(false) };
            if round.judged.is_some() || told.elapsed() >= TOLD {
                told = Instant::now();
                self.arguments.tell(&format!("{}  {}", FormattedDuration(self.spent()), text(&round)));
            }
            if matches!(round.judged, Some((_, true))) {
                self.write_best()?;
            }
            if self.written.is_none_or(|(written, took)| written.elapsed() >= WRITING * took) {
                self.write_state()?;
            }
        }
        if self.training.judged() < self.training.rounds() {
            // The time came to its end between two judgements.
            let Some((score, is_best)) = self.training.judge(stop) else { return Ok(false) };
            self.arguments.tell(&format!("in the end: {score} moves"));
            if is_best {
                self.write_best()?;
            }
        }
        Ok(true)
    }

    /// The best weights, and how they were made.
    fn write_best(&self) -> Result<(), String> {
        let Some(Best { round, score, weights }) = self.training.best() else { return Ok(()) };
        let mut bytes = Vec::new();
        let cannot = |error| format!("cannot write to {}: {error}", self.arguments.output.display());
        weights.write(&mut bytes).map_err(cannot)?;
        whole_file::write(&self.arguments.output, &bytes)?;
        let Arguments { shape, goal, seed, .. } = self.arguments;
        let threads = self.training.settings().threads;
        let text = format!(
            "taquin train --shape {shape} --goal {goal} --steps {round} --seed {seed} --threads {threads}\n\
             taquin {}, {} of {threads} threads; mean moves on the judge's boards: {score}\n",
            env!("CARGO_PKG_VERSION"),
            FormattedDuration(self.spent()),
        );
        whole_file::write(&beside(&self.arguments.output, HOW_MADE), text.as_bytes())
    }

    /// What the next rounds depend on.
    fn write_state(&mut self) -> Result<(), String> {
        let began = Instant::now();
        let written = || -> std::io::Result<()> {
            let mut file = WholeFile::create(&self.state)?;
            self.training.write(self.spent(), &mut file)?;
            file.finish()
        };
        written().map_err(|error| format!("cannot write to {}: {error}", self.state.display()))?;
        self.written = Some((Instant::now(), began.elapsed()));
        Ok(())
    }
}

/// A round in a line.
fn text(round: &Round) -> String {
    let judged = match round.judged {
        Some((score, true)) => format!("{score} moves, the best so far"),
        Some((score, false)) => format!("{score} moves"),
        None => String::new(),
    };
    format!("step {:>4}  {}  {judged}", round.number, round.seen())
}
