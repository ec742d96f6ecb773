//! A path from elsewhere, which is proven when every bound below its length has been searched without a solution.
//!
//! The iteration that finds a path is most of a search that has no good order, and even with one it is the whole list on
//! some boards. A beam finds a shortest path of most 24-puzzles in seconds (`engine/good`): then the last iteration is not
//! needed. It is asked at the end of the first iteration by which [`ASKED_FROM`] nodes were generated, never by a clock, so that easy
//! boards do not pay for it and the path is the same on any number of threads. Only searches for any shortest path do it: the
//! beam's need not be the canonical one.

use crate::board::Path;
use crate::engine::contract::{Effort, Job, Scratch};
use crate::engine::search_log::OtherPath;
use crate::engine::{Outcome, Stats};

/// Nodes of a search over a set before the beam is asked: twice as many as a beam takes. As the last iteration is rarely searched far, boards that are
/// done sooner would pay more for the beam than it spares them.
pub(super) const ASKED_FROM: u64 = 60_000_000;

/// Whom a search may ask for a path.
#[derive(Clone, Copy)]
pub(super) struct Asking<'a> {
    /// What that took is added to the stats. `None`: nothing was found before the run was stopped or the time was up.
    pub(super) ask: &'a (dyn Fn(&mut Stats) -> Option<Path> + Sync),
    /// Nodes of the search before it asks.
    pub(super) from: u64,
}

/// The path from elsewhere, if there is one to be had.
pub(super) struct ProofByBound<'a> {
    asking: Option<Asking<'a>>,
    path: Option<Path>,
    /// Nodes that were generated for it.
    generated: u64,
}

impl<'a> ProofByBound<'a> {
    /// Nothing is asked for where nobody can be asked.
    pub(super) fn new(asking: Option<Asking<'a>>) -> ProofByBound<'a> {
        ProofByBound { asking, path: None, generated: 0 }
    }

    /// Takes up what an earlier search had found.
    pub(super) fn restore(&mut self, other: Option<&OtherPath>) {
        if let Some(OtherPath { letters, nodes }) = other
            && let Ok(path) = letters.parse()
        {
            (self.path, self.generated) = (Some(path), *nodes);
        }
    }

    /// What is kept of it for a search that goes on.
    pub(super) fn kept(&self) -> Option<OtherPath> {
        self.path.as_ref().map(|path| OtherPath { letters: path.to_string(), nodes: self.generated })
    }

    /// An iteration has ended without a solution after so many nodes of the search, and the next one would look for paths of
    /// `bound` moves: the path, if it is as short as that.
    pub(super) fn at(&mut self, bound: u16, generated: u64) -> Option<Path> {
        // Whoever found nothing is not asked again.
        if self.path.is_none()
            && let Some(Asking { ask, .. }) = self.asking.take_if(|asking| generated >= asking.from)
        {
            let mut stats = Stats::default();
            self.path = ask(&mut stats);
            self.generated += stats.generated;
        }
        self.path.take_if(|path| path.len() <= usize::from(bound))
    }

    /// Nodes that were generated for it.
    pub(super) fn generated(&self) -> u64 {
        self.generated
    }
}

/// Asks the engine of a job that finds paths soon. What a limit cut short is no answer: it would depend on the clock.
pub(super) fn ask(job: &Job<'_>, stats: &mut Stats) -> Option<Path> {
    let beam = job.beam?;
    let steady = job.budget.without_nodes().with_hidden_deadline();
    let mut effort = Effort::default();
    let outcome = beam.solve(&Job { budget: &steady, beam: None, ..*job }, &mut Scratch::new(0), &mut effort);
    stats.add(&effort.stats);
    match outcome {
        Outcome::Found { path, .. } | Outcome::Solved(path) if job.budget.interrupted().is_none() => Some(path),
        _ => None,
    }
}
