//! A larger set for the states of a smaller one, filled in pieces.
//!
//! Making the larger set runs no job of the pool, and the work waits for nothing but its pieces: so the caller may
//! hold what other workers of the pool wait for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::pieces::{Job, List, PieceWork};
use super::word::Word;
use super::{Budget, Crew, Limits};
use crate::visited::{Insert, StateSet};

/// Lines of the smaller set in a piece, as a share of it.
const PARTS: usize = 64;

/// Below this many bytes a set is moved in one piece.
const SMALL: usize = 1 << 20;

/// Work: moving the states of a stretch of memory.
struct Move<W> {
    from: Arc<StateSet<W>>,
    to: Arc<StateSet<W>>,
    parts: usize,
}

impl<W: Word> Job for Move<W> {
    type Piece = usize;
    type Report = ();

    fn work(&self, part: usize, _: &mut dyn List<usize>) {
        for (key, note) in self.from.entries_of_part(part, self.parts) {
            let told = self.to.insert(key, note);
            debug_assert_eq!(told, Insert::New);
        }
    }

    fn add((): &mut (), (): ()) {}
}

/// Moves all states to a larger set.
pub(super) fn moved<W: Word>(from: &Arc<StateSet<W>>, to: StateSet<W>, crew: &Crew) -> Arc<StateSet<W>> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let to = Arc::new(to);
    let parts = if from.bytes() < SMALL { 1 } else { PARTS };
    let work = PieceWork::new(Move { from: Arc::clone(from), to: Arc::clone(&to), parts }, (0..parts).rev().collect());
    let end = work.finish(&Budget::start(&Limits::default(), &NEVER), crew);
    debug_assert_eq!(end, Ok(()), "there is no limit");
    to
}
