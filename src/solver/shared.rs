//! What all workers of a solver share: its engines, its threads, its limits.

use std::sync::{Mutex, OnceLock, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::aim::Aim;
use super::engines::Engines;
use super::plan::EnginePreference;
use crate::board::{Error, ErrorKind};
use crate::engine::contract::Scratch;
use crate::engine::{Parallel, Task, ThreadShare};
use crate::heuristic::learned::Available;
use crate::system::Limits;

/// How a solver is set up.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Threads that solve boards and build tables.
    pub threads: usize,
    /// How they are shared among boards.
    pub parallel: Parallel,
    /// What is kept in memory may take so many bytes altogether.
    pub memory: u64,
    /// Which engine and heuristic were asked for.
    pub preference: EnginePreference,
    /// What paths are wanted.
    pub aim: Aim,
    /// Learned weights for good paths.
    pub weights: Available,
    /// What may be spent on one board.
    pub limits: Limits,
}

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
            engines: Engines::new(
                settings.preference.clone(),
                settings.aim,
                settings.threads,
                settings.memory,
                settings.weights.clone(),
            ),
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
        let _one = self.starting.lock().unwrap_or_else(PoisonError::into_inner);
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
        let mut kept = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        kept.pop().unwrap_or_else(|| self.engines.scratch())
    }

    /// Keeps scratch memory for the next worker: as many as there are threads.
    pub fn keep_scratch(&self, scratch: Scratch) {
        let mut kept = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < self.settings.threads {
            kept.push(scratch);
        }
    }
}
