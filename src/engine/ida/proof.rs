//! A path found by another engine. It is proven shortest once every bound below its length has been
//! searched without a solution.
//!
//! Without a good node ordering, the last iteration is most of a search. Even with a good one, the
//! last iteration searches the whole list on some boards. A beam search finds a shortest path of
//! most 24-puzzles in seconds (`engine/good`), which makes the last iteration unnecessary. The beam
//! runs at the end of the iteration in which the search reaches [`BEAM_AFTER`] nodes, not after a
//! certain time. So it costs easy boards nothing, and the path does not depend on the number of
//! threads. Only searches for any shortest path have an incumbent, because the beam's path need not
//! be the canonical one.

use crate::board::Path;
use crate::engine::Stats;
use crate::engine::search_log::OtherPath;

/// The number of nodes that a search with pattern databases generates before the beam runs: twice
/// as many as the beam generates. The last iteration is rarely searched far, so an earlier beam
/// would cost easier boards more than it saves.
pub(super) const BEAM_AFTER: u64 = 60_000_000;

/// A source of incumbents.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// Searches for a path and adds its work to the stats. Returns `None` if no path was found
    /// before the run was stopped or the time was up.
    pub(super) find: &'a (dyn Fn(&mut Stats) -> Option<Path> + Sync),
    /// The number of nodes that the search generates before the source is used.
    pub(super) after: u64,
}

/// The incumbent, if there is one.
pub(super) struct Incumbent<'a> {
    source: Option<Source<'a>>,
    path: Option<Path>,
    /// The number of nodes that the source generated.
    generated: u64,
}

impl<'a> Incumbent<'a> {
    pub(super) fn new(source: Option<Source<'a>>) -> Incumbent<'a> {
        Incumbent { source, path: None, generated: 0 }
    }

    pub(super) fn restore(&mut self, saved: Option<&OtherPath>) {
        if let Some(OtherPath { letters, nodes }) = saved
            && let Ok(path) = letters.parse()
        {
            (self.path, self.generated) = (Some(path), *nodes);
        }
    }

    /// Returns the incumbent as saved in a snapshot.
    pub(super) fn saved(&self) -> Option<OtherPath> {
        self.path.as_ref().map(|path| OtherPath { letters: path.to_string(), nodes: self.generated })
    }

    /// Returns the path if its length is at most `bound`, the bound of the next iteration: then it
    /// is a shortest path. First uses the source if it is due. `generated` is the number of nodes
    /// that the search has generated so far.
    pub(super) fn proven_at(&mut self, bound: u16, generated: u64) -> Option<Path> {
        // A source that found nothing is not used again.
        if self.path.is_none()
            && let Some(Source { find, .. }) = self.source.take_if(|source| generated >= source.after)
        {
            let mut stats = Stats::default();
            self.path = find(&mut stats);
            self.generated += stats.generated;
        }
        self.path.take_if(|path| path.len() <= usize::from(bound))
    }

    pub(super) fn generated(&self) -> u64 {
        self.generated
    }
}
