//! Keeps where searches stand while a run goes on: a thread that looks at them now and then, and writes their file when a
//! board takes long. Results do not depend on it, so neither its clock nor its failures matter to them.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

use super::identity::Identity;
use super::searches_file::{SearchesFile, encode};
use crate::batch::under_way::UnderWay;
use crate::system::Checksum;

/// A board is worth a place in the file when its search is so many intervals old.
const INTERVALS_OF_QUICK_BOARDS: u32 = 3;

/// At most this part of the time is spent on writing.
const PART_FOR_WRITING: u32 = 20;

/// No shorter pause is worth it, whatever was asked for.
const SHORTEST: Duration = Duration::from_millis(1);

/// Keeps where the searches of a run stand.
#[derive(Debug)]
pub struct SearchKeeper {
    file: SearchesFile,
    run: Identity,
    every: Duration,
    over: Mutex<bool>,
    ended: Condvar,
}

impl SearchKeeper {
    /// Keeps them in this file, with at least `every` between two writes.
    pub fn new(file: SearchesFile, run: Identity, every: Duration) -> SearchKeeper {
        SearchKeeper { file, run, every, over: Mutex::new(false), ended: Condvar::new() }
    }

    /// Takes up where the searches of an earlier run stood, and keeps where they stand as long as this is kept; then the file
    /// says what is left of them, or is removed. `report` is called once if it cannot be written.
    #[must_use]
    pub fn watch<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        under_way: &'scope UnderWay,
        report: impl Fn(&str) + Send + 'scope,
    ) -> Kept<'scope> {
        let stood = self.file.read(&self.run);
        // What it says already is not written again.
        let known = (!stood.is_empty()).then(|| Checksum::of(&encode(&self.run, &stood)));
        under_way.restore(stood);
        scope.spawn(move || {
            let every = self.every.max(SHORTEST);
            let (mut last, mut is_reported, mut pause) = (known, false, every);
            while self.goes_on_after(pause) {
                let began = Instant::now();
                self.write(
                    under_way,
                    self.every.saturating_mul(INTERVALS_OF_QUICK_BOARDS),
                    &mut last,
                    &mut is_reported,
                    &report,
                );
                pause = every.max(began.elapsed() * PART_FOR_WRITING);
            }
            self.write(under_way, Duration::ZERO, &mut last, &mut is_reported, &report);
        });
        Kept(self)
    }

    /// Writes the file if it would say anything else than the last one.
    fn write(
        &self,
        under_way: &UnderWay,
        older_than: Duration,
        last: &mut Option<u64>,
        is_reported: &mut bool,
        report: &impl Fn(&str),
    ) {
        let stood = under_way.stood(older_than);
        if stood.is_empty() {
            if last.take().is_some() || self.file.is_there() {
                self.file.remove();
            }
            return;
        }
        let bytes = encode(&self.run, &stood);
        let checksum = Some(Checksum::of(&bytes));
        if *last == checksum {
            return;
        }
        match self.file.write(&bytes) {
            Ok(()) => *last = checksum,
            Err(error) if !std::mem::replace(is_reported, true) => {
                report(&format!(
                    "how far searches have come cannot be kept: {error}; if the run is ended, they begin again"
                ));
            }
            Err(_) => {}
        }
    }

    /// Waits so long, or for the end; whether that has not come.
    fn goes_on_after(&self, time: Duration) -> bool {
        let waited = self.ended.wait_timeout_while(self.over(), time, |over| !*over);
        !*waited.unwrap_or_else(PoisonError::into_inner).0
    }

    fn over(&self) -> MutexGuard<'_, bool> {
        self.over.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Searches that are kept; without this, however that comes, the file is written for the last time.
pub struct Kept<'a>(&'a SearchKeeper);

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        *self.0.over() = true;
        self.0.ended.notify_all();
    }
}
