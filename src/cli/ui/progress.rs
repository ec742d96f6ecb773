//! A progress bar on standard error, when that is a terminal.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Scope, Thread};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};

use crate::batch::Totals;

/// Shows how far a run has come, or nothing.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    over: AtomicBool,
    watcher: OnceLock<Thread>,
}

impl Progress {
    const TICK: Duration = Duration::from_millis(100);

    /// A bar for this number of bytes of input, if it is known; hidden unless `show` and standard error
    /// is a terminal.
    pub fn new(show: bool, total_bytes: Option<u64>) -> Progress {
        let bar = match (show && std::io::stderr().is_terminal(), total_bytes) {
            (false, _) => ProgressBar::hidden(),
            (true, Some(bytes)) => {
                ProgressBar::new(bytes).with_style(style("{bar:30} {percent:>3} %  {msg}, {eta} left"))
            }
            (true, None) => ProgressBar::new_spinner().with_style(style("{spinner} {msg}")),
        };
        Progress { bar, over: AtomicBool::new(false), watcher: OnceLock::new() }
    }

    /// Keeps the bar up to date from a thread of its own as long as this is kept.
    #[must_use]
    pub fn watch<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, totals: &'scope Totals) -> Watched<'scope> {
        if self.bar.is_hidden() {
            return Watched(self);
        }
        let watcher = scope.spawn(|| {
            while !self.over.load(Ordering::Relaxed) {
                let done = totals.counts().records();
                let rate = done as f64 / self.bar.elapsed().as_secs_f64().max(1e-3);
                self.bar.set_message(format!("{} boards, {} boards/s", HumanCount(done), HumanCount(rate as u64)));
                self.bar.set_position(totals.bytes_read());
                self.bar.tick();
                std::thread::park_timeout(Self::TICK);
            }
        });
        let _ = self.watcher.set(watcher.thread().clone());
        Watched(self)
    }

    /// A warning above the bar.
    pub fn warn(&self, line: &str) {
        self.bar.suspend(|| super::warn(line));
    }

    /// Takes the bar away.
    fn finish(&self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(watcher) = self.watcher.get() {
            watcher.unpark();
        }
        self.bar.finish_and_clear();
    }
}

/// A bar that is kept up to date; without this, however that comes, it is taken away and its thread ends.
pub struct Watched<'a>(&'a Progress);

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.0.finish();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
