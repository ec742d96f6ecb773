//! What all workers of a solver share: its engines, its threads, its limits.

use std::sync::OnceLock;

use parking_lot::Mutex;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::engines::Engines;
use super::settings::Settings;
use crate::board::{Error, ErrorKind};
use crate::engine::contract::Scratch;
use crate::engine::{Parallel, Task, ThreadShare};

/// What all workers of a solver share.
#[derive(Debug)]
pub struct Shared {
    settings: Settings,
    engines: Engines,
    thread_share: ThreadShare,
    pool: OnceLock<ThreadPool>,
    /// Held by the thread that starts the pool.
    starting: Mutex<()>,
    /// What workers have given back, for the next ones.
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

    /// What the solver's threads are busy with.
    pub fn thread_share(&self) -> &ThreadShare {
        &self.thread_share
    }

    /// The solver's threads, started when they are first needed.
    pub fn pool(&self) -> Result<&ThreadPool, Error> {
        if let Some(pool) = self.pool.get() {
            return Ok(pool);
        }
        let _one = self.starting.lock();
        if let Some(pool) = self.pool.get() {
            return Ok(pool);
        }
        let pool = ThreadPoolBuilder::new().num_threads(self.settings.threads);
        let pool = pool.thread_name(|number| format!("worker-{number}")).build();
        // Only success is kept: what the system refuses now it may grant later.
        let pool = pool
            .map_err(|error| Error::new(ErrorKind::System, format!("the worker threads cannot be started: {error}")))?;
        Ok(self.pool.get_or_init(|| pool))
    }

    /// Does the same work for every item, on all threads, or, where all of them are meant to search one board after the
    /// other, item by item; the results are in the items' order.
    pub fn map<T: Sync, R: Send>(&self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Result<Vec<R>, Error> {
        let all = || match self.settings.parallel {
            Parallel::Auto | Parallel::Across => {
                // Items that wait for a thread count as well: none is to be lent to another's search.
                let busy: Vec<Task> = items.iter().map(|_| self.thread_share.task()).collect();
                items.par_iter().zip(busy).map(|(item, _busy)| work(item)).collect()
            }
            Parallel::Within => items.iter().map(&work).collect(),
        };
        Ok(self.pool()?.install(all))
    }

    /// Scratch memory for a worker.
    pub fn take_scratch(&self) -> Scratch {
        let mut kept = self.scratch.lock();
        kept.pop().unwrap_or_else(|| self.engines.scratch())
    }

    /// Keeps scratch memory for the next worker: as many as there are threads.
    pub fn keep_scratch(&self, scratch: Scratch) {
        let mut kept = self.scratch.lock();
        if kept.len() < self.settings.threads {
            kept.push(scratch);
        }
    }
}
