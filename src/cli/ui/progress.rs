//! Progress on standard error: a bar on a terminal, otherwise a line now and then.
//!
//! The progress of a batch is its number of finished boards, not of bytes read: a few kilobytes of
//! hard boards are read in an instant but take hours to solve.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::signals::is_ended_within;
use crate::batch::{SearchStatus, Total, Totals};
use crate::engine::SearchProgress;
use crate::format::input::AmountRead;
use crate::solver::Solver;
use crate::system::{Building, grouped};
use crate::tools::text::escaped;

/// A snapshot of the progress of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Work {
    /// The number of finished boards.
    pub done: u64,
    /// The number of boards finished by an earlier run, included in `done`.
    pub before: u64,
    pub total: Total,
    /// The search with the most nodes among those in progress for at least `Work::LONG`.
    pub hardest: Option<SearchStatus>,
    /// The tables that are being built, if any are.
    pub building: Option<Building>,
}

impl Work {
    /// The time after which a board in progress is shown.
    const LONG: Duration = Duration::from_secs(3);

    /// Returns the progress of a batch that is solved by this solver.
    pub fn of(totals: &Totals, solver: &Solver) -> Work {
        let (hardest, building) = (totals.active_searches().hardest(Work::LONG), solver.engines.building());
        let numbers = totals.numbers();
        Work { done: numbers.done, before: numbers.done_before, total: numbers.expected, hardest, building }
    }

    /// Returns the progress of a run that has finished this many boards.
    pub fn counting(done: u64, total: Total, solver: Option<&Solver>) -> Work {
        Work { done, before: 0, total, hardest: None, building: solver.and_then(|solver| solver.engines.building()) }
    }

    /// Returns the progress of reading records.
    pub fn reading(read: &AmountRead, solver: Option<&Solver>) -> Work {
        Work::counting(read.records(), read.expected().map_or(Total::Unknown, Total::About), solver)
    }
}

/// The form of the progress display.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProgressForm {
    Nowhere,
    /// A bar.
    Bar,
    /// Lines at this interval.
    Lines(Duration),
}

/// The progress display of a run.
#[derive(Debug)]
pub struct ProgressDisplay {
    shown: ProgressForm,
    began: Instant,
    bar: ProgressBar,
}

impl ProgressDisplay {
    const TICK: Duration = Duration::from_millis(100);

    /// The time before the first line. Most runs end sooner and print none.
    const FIRST: Duration = Duration::from_secs(2);

    /// The usual time between two lines.
    const EVERY: Duration = Duration::from_secs(30);

    /// Returns the usual display: a bar if standard error is a terminal that can draw one and no
    /// results are printed on a terminal, otherwise lines at this interval.
    pub fn automatic(prints_results: bool, every: Duration) -> ProgressDisplay {
        let is_in_the_way = prints_results && std::io::stdout().is_terminal();
        let can_draw = std::io::stderr().is_terminal() && can_move_cursor();
        ProgressDisplay::new(if can_draw && !is_in_the_way { ProgressForm::Bar } else { ProgressForm::Lines(every) })
    }

    /// Returns the display of a command without options for it: none if `quiet`, otherwise the
    /// usual one.
    pub fn usual(quiet: bool, prints_results: bool) -> ProgressDisplay {
        if quiet { Self::new(ProgressForm::Nowhere) } else { Self::automatic(prints_results, Self::EVERY) }
    }

    pub fn new(shown: ProgressForm) -> ProgressDisplay {
        let bar = if shown == ProgressForm::Bar { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        bar.set_style(style("{spinner} {msg}"));
        ProgressDisplay { shown, began: Instant::now(), bar }
    }

    /// Runs a function while another thread shows its progress, as returned by `work`.
    pub fn during<T>(&self, work: impl Fn() -> Work + Send, run: impl FnOnce() -> T) -> T {
        let (mut wait, every) = match self.shown {
            ProgressForm::Nowhere => return run(),
            ProgressForm::Bar => (Duration::ZERO, Self::TICK),
            ProgressForm::Lines(every) => (every.min(Self::FIRST), every),
        };
        std::thread::scope(|scope| {
            let (running, ended) = mpsc::channel();
            scope.spawn(move || {
                while !is_ended_within(&ended, wait) {
                    self.show(&work());
                    wait = every;
                }
            });
            let result = run();
            drop(running);
            self.bar.finish_and_clear();
            result
        })
    }

    /// Runs a function that counts what it has read, and shows this number with the usual display.
    pub fn counting<T>(quiet: bool, prints_results: bool, run: impl FnOnce(&AtomicU64) -> T) -> T {
        let count = AtomicU64::new(0);
        let work = || Work::counting(count.load(Ordering::Relaxed), Total::Unknown, None);
        Self::usual(quiet, prints_results).during(work, || run(&count))
    }

    /// Prints a warning above the bar.
    pub fn warn(&self, line: &str) {
        self.bar.suspend(|| super::warn(line));
    }

    fn show(&self, work: &Work) {
        let text = text(work, self.began.elapsed());
        if self.shown != ProgressForm::Bar {
            return super::warn(&text);
        }
        self.bar.set_message(text);
        if let Some(total) = work.total.number() {
            if self.bar.length().is_none() {
                self.bar.set_style(style("{bar:30} {msg}"));
            }
            self.bar.set_length(total);
        }
        self.bar.set_position(work.done);
        self.bar.tick();
    }
}

/// Returns true if a terminal can move its cursor. `TERM` must say what the terminal is.
pub fn can_move_cursor() -> bool {
    std::env::var_os("TERM").is_some_and(|name| !name.is_empty() && name != "dumb")
}

/// Returns `23 of 2,000 boards (1 %), 15 s, 1.5 boards/s, 22 minutes left`, followed by the tables
/// that are being built or, if no tables are, by the state of a slow board.
fn text(work: &Work, elapsed: Duration) -> String {
    let boards = boards_text(work, elapsed);
    match (&work.building, &work.hardest) {
        (Some(building), _) => format!("{boards}; {}", building_text(building, building.began.elapsed())),
        (None, Some(status)) => format!("{boards}; {}", search_text(status)),
        (None, None) => boards,
    }
}

/// Returns `building tables 7-8: 40 %, about 2 seconds left`, or the time so far if the time
/// left is unknown.
fn building_text(Building { tables, expected, .. }: &Building, elapsed: Duration) -> String {
    match expected.filter(|&expected| elapsed < expected) {
        Some(expected) => {
            let percent = (elapsed.as_secs_f64() / expected.as_secs_f64() * 100.0) as u64;
            format!("building tables {tables}: {percent} %, about {} left", HumanDuration(expected - elapsed))
        }
        None => format!("building tables {tables}: {:.1} s", elapsed.as_secs_f64()),
    }
}

/// Returns `a.txt:7: searching for 104 moves: 41 %, 2.3e9 nodes, 12 minutes left (106 moves: about
/// 4 hours)`.
fn search_text(SearchStatus { source, line, progress }: &SearchStatus) -> String {
    let SearchProgress { bound, nodes, share, time_left, next_iteration, .. } = progress;
    let nodes = if *nodes < 10_000_000 { grouped(*nodes) } else { format!("{:.1e}", *nodes as f64) };
    // Never 100 % while work remains.
    let percent = ((share * 100.0) as u64).min(99);
    let left = time_left.map_or(String::new(), |time| format!(", {} left", HumanDuration(time)));
    let next =
        next_iteration.map_or(String::new(), |time| format!(" ({} moves: about {})", bound + 2, HumanDuration(time)));
    let source = escaped(source);
    format!("{source}:{line}: searching for {bound} moves: {percent} %, {nodes} nodes{left}{next}")
}

fn boards_text(&Work { done, before, total, .. }: &Work, elapsed: Duration) -> String {
    let done_now = done.saturating_sub(before);
    let rate = done_now as f64 / elapsed.as_secs_f64().max(1e-3);
    let rate_text = if rate < 10.0 { format!("{rate:.1}") } else { grouped(rate as u64) };
    let (of_total, expected) = match total {
        Total::Unknown => (String::new(), None),
        Total::AtLeast(total) => (format!(" of {} or more", grouped(total)), None),
        Total::About(total) => (format!(" of about {}", grouped(total)), Some(total)),
        Total::Exactly(total) => (format!(" of {}", grouped(total)), Some(total)),
    };
    // The division rounds down, so 100 % of an exact total means that no work remains.
    let percent = expected.map(|total| (done.saturating_mul(100) / total.max(1)).min(100));
    let percent = percent.map_or(String::new(), |percent| format!(" ({percent} %)"));
    let rest = expected.map_or(0, |total| total.saturating_sub(done));
    let left = match Duration::try_from_secs_f64(rest as f64 / rate) {
        Ok(left) if rest > 0 && done_now > 0 => format!(", {} left", HumanDuration(left)),
        _ => String::new(),
    };
    format!("{}{of_total} boards{percent}, {} s, {rate_text} boards/s{left}", grouped(done), elapsed.as_secs())
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(seconds: u64, done: u64, before: u64, total: Total) -> String {
        text(&Work { done, before, total, hardest: None, building: None }, Duration::from_secs(seconds))
    }

    #[test]
    fn a_slow_board_is_shown() {
        let progress = |nodes, time_left| SearchProgress {
            heuristic: "18x6".into(),
            bound: 104,
            nodes,
            share: 0.419,
            time_left,
            next_iteration: time_left.map(|time: Duration| time * 20),
        };
        let shown = |progress| search_text(&SearchStatus { source: "a.txt".into(), line: 7, progress });
        let minutes = Some(Duration::from_secs(720));
        assert_eq!(
            shown(progress(2_310_000_000, minutes)),
            "a.txt:7: searching for 104 moves: 41 %, 2.3e9 nodes, 12 minutes left (106 moves: about 4 hours)"
        );
        assert_eq!(shown(progress(123_456, None)), "a.txt:7: searching for 104 moves: 41 %, 123,456 nodes");
    }

    #[test]
    fn tables_being_built_are_named() {
        let building = |expected: Option<u64>| Building {
            tables: "7-8".into(),
            began: Instant::now(),
            expected: expected.map(Duration::from_secs),
        };
        let after = |millis, expected| building_text(&building(expected), Duration::from_millis(millis));
        assert_eq!(after(2000, Some(4)), "building tables 7-8: 50 %, about 2 seconds left");
        assert_eq!(after(3200, Some(3)), "building tables 7-8: 3.2 s");
        assert_eq!(after(400, None), "building tables 7-8: 0.4 s");
    }

    #[test]
    fn finished_boards_are_counted() {
        assert_eq!(
            after(10, 23, 0, Total::Exactly(2000)),
            "23 of 2,000 boards (1 %), 10 s, 2.3 boards/s, 14 minutes left"
        );
        assert_eq!(
            after(10, 1999, 0, Total::Exactly(2000)),
            "1,999 of 2,000 boards (99 %), 10 s, 199 boards/s, 0 seconds left"
        );
        assert_eq!(after(10, 2000, 0, Total::Exactly(2000)), "2,000 of 2,000 boards (100 %), 10 s, 200 boards/s");
        assert_eq!(
            after(10, 50, 0, Total::About(1000)),
            "50 of about 1,000 boards (5 %), 10 s, 5.0 boards/s, 3 minutes left"
        );
        assert_eq!(after(10, 50, 0, Total::AtLeast(70)), "50 of 70 or more boards, 10 s, 5.0 boards/s");
        assert_eq!(after(10, 50, 0, Total::Unknown), "50 boards, 10 s, 5.0 boards/s");
        assert_eq!(after(10, 0, 0, Total::Exactly(7)), "0 of 7 boards (0 %), 10 s, 0.0 boards/s");
        assert_eq!(after(0, 0, 0, Total::Exactly(0)), "0 of 0 boards (0 %), 0 s, 0.0 boards/s");
    }

    /// The rate counts only boards finished by this run.
    #[test]
    fn a_resumed_run_has_its_own_rate() {
        assert_eq!(
            after(10, 910, 900, Total::Exactly(1000)),
            "910 of 1,000 boards (91 %), 10 s, 1.0 boards/s, 2 minutes left"
        );
        assert_eq!(after(10, 900, 900, Total::Exactly(1000)), "900 of 1,000 boards (90 %), 10 s, 0.0 boards/s");
    }
}
