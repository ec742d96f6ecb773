//! The state shared by all workers of a solver: engines, threads and settings.

use std::sync::OnceLock;

use parking_lot::Mutex;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::engines::Engines;
use super::settings::Settings;
use crate::board::{Error, ErrorKind};
use crate::engine::contract::Scratch;
use crate::engine::{Parallel, Task, ThreadShare};

/// The state shared by all workers of a solver.
#[derive(Debug)]
pub struct Shared {
    settings: Settings,
    engines: Engines,
    thread_share: ThreadShare,
    pool: OnceLock<ThreadPool>,
    /// A lock for starting the pool.
    starting: Mutex<()>,
    /// Scratch memory that workers have returned for reuse.
    scratch: Mutex<Vec<Scratch>>,
}

impl Shared {
    pub fn new(settings: Settings) -> Shared {
        Shared {
            engines: Engines::new(&settings),
            thread_share: ThreadShare::new(settings.parallel, settings.threads),
            settings,
            pool: OnceLock::new(),
            starting: Mutex::new(()),
            scratch: Mutex::default(),
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn engines(&self) -> &Engines {
        &self.engines
    }

    #[cfg(test)]
    pub fn engines_mut(&mut self) -> &mut Engines {
        &mut self.engines
    }

    /// Returns the distribution of the solver's threads among searches.
    pub fn thread_share(&self) -> &ThreadShare {
        &self.thread_share
    }

    /// Returns the solver's threads, which the first call starts.
    pub fn pool(&self) -> Result<&ThreadPool, Error> {
        if let Some(pool) = self.pool.get() {
            return Ok(pool);
        }
        let _lock = self.starting.lock();
        if let Some(pool) = self.pool.get() {
            return Ok(pool);
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.settings.threads);
        let pool = pool.thread_name(|number| format!("worker-{number}")).build();
        // A failure is not stored, because the system may grant threads later.
        let pool =
            pool.map_err(|error| Error::new(ErrorKind::System, format!("cannot start the worker threads: {error}")))?;
        Ok(self.pool.get_or_init(|| pool))
    }

    /// Applies a function to every item and returns the results in the order of the items. The
    /// threads share the items, except with [`Parallel::Within`]: then the items are processed one
    /// by one, because all threads search the same board.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Result<Vec<R>, Error> {
        let process = || match self.settings.parallel {
            Parallel::Auto | Parallel::Across => {
                // Items that wait for a thread also count as tasks, so that no thread is lent to
                // another search.
                let busy: Vec<Task> = items.iter().map(|_| self.thread_share.task()).collect();
                items.par_iter().zip(busy).map(|(item, _busy)| work(item)).collect()
            }
            Parallel::Within => items.iter().map(&work).collect(),
        };
        Ok(self.pool()?.install(process))
    }

    /// Takes scratch memory for a worker.
    pub fn take_scratch(&self) -> Scratch {
        let mut unused = self.scratch.lock();
        unused.pop().unwrap_or_else(|| self.engines.scratch())
    }

    /// Keeps scratch memory for the next worker, at most one per thread.
    pub fn keep_scratch(&self, scratch: Scratch) {
        let mut unused = self.scratch.lock();
        if unused.len() < self.settings.threads {
            unused.push(scratch);
        }
    }
}
