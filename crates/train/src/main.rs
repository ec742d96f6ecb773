//! Trains the evaluation used by searches for good paths, for boards of one shape. The evaluation
//! is learnt from nothing but the rules of the puzzle (`docs/theory.md`):
//!
//! ```text
//! cargo run --release -p taquin-train -- --shape 6x6 --time 1h -o 6x6.weights
//! cargo run --release -p taquin-train -- --shape 6x6 --time 1h -o 6x6.weights --resume
//! taquin solve --weights 6x6.weights boards.txt
//! ```
//!
//! The file that `-o` names has the best weights so far. Two more files have the same name with a
//! suffix: `.txt` has a record of the run, and `.training` has the state for `--resume` and is
//! removed at the end. Each file is replaced atomically, so a run may be killed at any time. The
//! same shape, goal, seed, steps and threads give the same weights. Options and messages call a
//! round of training a step.

mod checkpoint;
mod judge;
mod labels;
mod layout;
mod net;
mod random;
mod recipe;
mod samples;
mod starts;
mod student;
#[cfg(test)]
mod tests;
mod training;

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use clap::Parser;
use humantime::format_duration;
use taquin::{Goal, Shape};
use training::{Best, RoundOutcome, Settings, TrainingRun};

/// The stop flag of beams and tables. Training never sets it.
static NEVER: AtomicBool = AtomicBool::new(false);

/// The minimum interval between writes of the state for --resume, as a multiple of the time that
/// the last write took. With this value, writing takes at most 4 % of the time.
const MIN_INTERVAL_PER_WRITE_TIME: u32 = 25;
/// The minimum interval between reports, except that every judged round is reported.
const REPORT_INTERVAL: Duration = Duration::from_secs(20);

/// Trains weights for finding good paths on boards of one shape.
#[derive(Debug, Parser)]
#[command(name = "train", max_term_width = 100)]
struct Options {
    /// Shape of the boards, at most 64 cells
    #[arg(long, value_name = "ROWSxCOLS")]
    shape: Shape,

    /// Goal; only the cell of its blank matters
    #[arg(long, default_value = "blank-last")]
    goal: Goal,

    /// Training time, such as 20m or 1h; the current step is completed
    #[arg(long, required_unless_present = "steps")]
    time: Option<humantime::Duration>,

    /// Number of steps; each takes a few seconds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,

    /// Seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Number of threads; each trains its own weights, which are averaged [default: all available]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,

    /// File for the weights
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Resume the run that was writing to FILE, if there was one
    #[arg(long, conflicts_with = "force")]
    resume: bool,

    /// Overwrite FILE
    #[arg(long)]
    force: bool,
}

fn main() -> ExitCode {
    match Options::parse().train() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("train: {why}");
            ExitCode::from(2)
        }
    }
}

/// Appends a suffix to the path.
fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

/// Replaces a file atomically.
fn write_atomically(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), String> {
    let part = with_suffix(path, ".part");
    let write_file = || {
        let mut file = BufWriter::new(File::create(&part)?);
        write(&mut file)?;
        file.into_inner()?.sync_all()?;
        fs::rename(&part, path)
    };
    write_file().map_err(|error| format!("cannot write {}: {error}", path.display()))
}

/// Formats the time in whole seconds.
fn seconds(time: Duration) -> humantime::FormattedDuration {
    format_duration(Duration::from_secs(time.as_secs()))
}

impl Options {
    fn train(self) -> Result<(), String> {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or_else(available, |threads| threads as usize);
        let goal = self.goal.on(self.shape).map_err(|error| error.to_string())?;
        let settings = Settings { goal, seed: self.seed, threads };
        settings.check()?;
        let state = with_suffix(&self.output, ".training");
        let resumes = self.resume && state.exists();
        for file in [&self.output, &with_suffix(&self.output, ".txt"), &state] {
            if !resumes && !self.force && file.exists() {
                let file = file.display();
                return Err(if state.exists() {
                    format!("{file} exists: continue with --resume or overwrite with --force")
                } else {
                    format!("{file} exists, and there is no {} to resume from: overwrite with --force", state.display())
                });
            }
        }
        eprintln!("{}: {} MiB on {threads} threads", self.shape, settings.bytes() >> 20);
        let mut training = TrainingRun::new(settings);
        let mut spent_before = Duration::ZERO;
        if resumes {
            let read = |file| training.read(&mut BufReader::new(file));
            spent_before = File::open(&state)
                .and_then(read)
                .map_err(|error| format!("cannot resume {}: {error}", state.display()))?;
            eprintln!("resuming after step {}", training.rounds());
        }
        let mut run = Run { options: self, training, spent_before, began: Instant::now(), state, written: None };
        run.run_rounds()?;
        fs::remove_file(&run.state).map_err(|error| format!("cannot remove {}: {error}", run.state.display()))
    }
}

/// A training run in progress, with its options.
struct Run {
    options: Options,
    training: TrainingRun,
    /// The time that earlier processes spent on the run.
    spent_before: Duration,
    began: Instant,
    /// The file that --resume reads.
    state: PathBuf,
    /// The time when `state` was last written, and how long the write took.
    written: Option<(Instant, Duration)>,
}

impl Run {
    fn spent(&self) -> Duration {
        self.spent_before + self.began.elapsed()
    }

    fn is_over(&self) -> bool {
        let over = self.options.time.is_some_and(|limit| self.spent() >= *limit);
        over || self.options.steps.is_some_and(|steps| self.training.rounds() >= steps)
    }

    fn run_rounds(&mut self) -> Result<(), String> {
        if self.training.best().is_none() {
            let (score, _) = self.training.judge();
            eprintln!("untrained: {score}");
            // The state is written before the weights, so that --resume works whenever there are
            // weights.
            self.write_state()?;
            self.write_best()?;
        } else if !self.options.output.exists() {
            // The earlier run was killed after it wrote the state and before it wrote the weights.
            self.write_best()?;
        }
        let mut reported = Instant::now();
        while !self.is_over() {
            let is_last = self.options.steps == Some(self.training.rounds() + 1);
            let round = self.training.round(is_last);
            if round.judged.is_some() || reported.elapsed() >= REPORT_INTERVAL {
                reported = Instant::now();
                eprintln!("{}  {}", seconds(self.spent()), round_line(&round));
            }
            if matches!(round.judged, Some((_, true))) {
                self.write_best()?;
            }
            if self.written.is_none_or(|(written, took)| written.elapsed() >= MIN_INTERVAL_PER_WRITE_TIME * took) {
                self.write_state()?;
            }
        }
        if self.training.judged_round() < self.training.rounds() {
            // The time ended between two judgements.
            let (score, is_best) = self.training.judge();
            eprintln!("at the end: {score}");
            if is_best {
                self.write_best()?;
            }
        }
        Ok(())
    }

    /// Writes the best weights, and the record of the run.
    fn write_best(&self) -> Result<(), String> {
        let Some(Best { round, score, weights }) = self.training.best() else { return Ok(()) };
        write_atomically(&self.options.output, |file| weights.write(file))?;
        let Options { shape, goal, seed, .. } = &self.options;
        let threads = self.training.settings().threads;
        let text = format!(
            "train --shape {shape} --goal {goal} --steps {round} --seed {seed} --threads {threads}\n\
             {} on {threads} threads; mean on the judge's boards: {score}\n",
            seconds(self.spent()),
        );
        write_atomically(&with_suffix(&self.options.output, ".txt"), |file| io::Write::write_all(file, text.as_bytes()))
    }

    /// Writes the state on which the next rounds depend.
    fn write_state(&mut self) -> Result<(), String> {
        let began = Instant::now();
        write_atomically(&self.state, |file| self.training.write(self.spent(), file))?;
        self.written = Some((Instant::now(), began.elapsed()));
        Ok(())
    }
}

/// Formats a round on one line.
fn round_line(round: &RoundOutcome) -> String {
    let judged = match round.judged {
        Some((score, true)) => format!("{score}, the best so far"),
        Some((score, false)) => score.to_string(),
        None => String::new(),
    };
    format!("step {:>4}  {}  {judged}", round.number, round.stats())
}
