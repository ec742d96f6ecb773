//! The active searches: their progress for the user, and their snapshots, from which another run
//! can resume.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};

use crate::board::frame::Space;
use crate::engine::{SearchLog, SearchProgress, SearchSnapshot};

/// The snapshot of the search of a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stood {
    /// The board in its space, which is the key of the search.
    pub board: String,
    /// The snapshot.
    pub snapshot: SearchSnapshot,
}

/// A board in its space, which is the key of a search.
pub type BoardKey = (Space, u128);

/// Returns the key as text.
fn board_name((space, board): &BoardKey) -> String {
    let letters: String = space.order.iter().map(|step| char::from(step.letter())).collect();
    format!("{} {} {letters} {board:032x}", space.shape, space.goal_blank.index())
}

/// The progress of a search, shown to the user.
#[derive(Clone, PartialEq, Debug)]
pub struct Waited {
    /// The source of the record.
    pub source: Arc<str>,
    /// The line on which it begins.
    pub line: u64,
    /// The progress of the search.
    pub standing: SearchProgress,
}

/// The active searches.
#[derive(Debug, Default)]
pub struct UnderWay(Mutex<Searches>);

#[derive(Debug, Default)]
struct Searches {
    /// By number, ascending.
    now: Vec<Search>,
    next: u64,
    /// Snapshots of searches that this run interrupted.
    ended: Vec<Stood>,
    /// Snapshots of long searches that have ended normally, but whose results are not yet durable.
    finished: VecDeque<Finished>,
    /// Their size in bytes.
    kept: usize,
    /// Minimum duration of a search in `finished`; `None`: nothing is kept.
    worth_keeping: Option<Duration>,
    /// Snapshots of an earlier run, until their searches begin again.
    earlier: HashMap<String, SearchSnapshot>,
}

#[derive(Debug)]
struct Search {
    number: u64,
    board: Option<BoardKey>,
    source: Arc<str>,
    line: u64,
    /// The number of its chunk.
    chunk: u64,
    log: SearchLog,
    began: Instant,
    /// True if it resumes an earlier search, whose snapshot must be kept.
    goes_on: bool,
}

/// The snapshot of a finished search, whose result may have to wait for earlier ones.
#[derive(Debug)]
struct Finished {
    chunk: u64,
    result: Waiting,
    stood: Stood,
}

/// The event that the result of a finished search waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Waiting {
    /// Being written.
    Turn,
    /// A checkpoint, after it was written.
    Checkpoint,
    /// The end of the checkpoint being made, which may fail. When the next one begins, it has
    /// succeeded.
    CheckpointMade,
}

/// Maximum size of finished searches, in bytes; beyond it the oldest are dropped.
const MOST_KEPT: usize = 4 << 20;

/// The way in which a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// With a result.
    ByItself,
    /// By the end of the run.
    BeforeItsTime,
}

impl UnderWay {
    fn lock(&self) -> MutexGuard<'_, Searches> {
        // No state under the lock is ever half changed, so a panic cannot corrupt it.
        self.0.lock()
    }

    /// Loads the snapshots of an earlier run. From now on, snapshots are also kept of searches that
    /// took at least `worth_keeping` and whose results are not written.
    pub fn keep(&self, stood: Vec<Stood>, worth_keeping: Duration) {
        let mut searches = self.lock();
        searches.earlier.extend(stood.into_iter().map(|Stood { board, snapshot }| (board, snapshot)));
        searches.worth_keeping = Some(worth_keeping);
    }

    /// Drops everything, because all results are written.
    pub fn forget_all(&self) {
        *self.lock() = Searches::default();
    }

    /// Enters that a chunk is written.
    pub(super) fn written(&self, chunk: u64) {
        let mut searches = self.lock();
        let of_chunk = searches.finished.iter_mut().filter(|finished| finished.chunk == chunk);
        of_chunk.for_each(|finished| finished.result = Waiting::Checkpoint);
    }

    /// Enters that a checkpoint of everything written is being made, and that the previous one
    /// succeeded.
    pub(super) fn committed(&self) {
        let mut searches = self.lock();
        let Searches { finished, kept, .. } = &mut *searches;
        finished.retain(|finished| finished.result != Waiting::CheckpointMade);
        *kept = finished.iter().map(|finished| finished.stood.snapshot.bytes()).sum();
        let written = finished.iter_mut().filter(|finished| finished.result == Waiting::Checkpoint);
        written.for_each(|finished| finished.result = Waiting::CheckpointMade);
    }

    /// Begins the search of a board of this chunk, and returns its number and its log. Without a
    /// key of the board it cannot be resumed.
    pub(super) fn begin(
        &self,
        board: Option<BoardKey>,
        (source, line): (&Arc<str>, u64),
        chunk: u64,
    ) -> (u64, SearchLog) {
        let mut searches = self.lock();
        let earlier = match &board {
            Some(board) if !searches.earlier.is_empty() => searches.earlier.remove(&board_name(board)),
            _ => None,
        };
        let (number, source, goes_on) = (searches.next, Arc::clone(source), earlier.is_some());
        let log = SearchLog::after(earlier);
        searches.next += 1;
        let began = Instant::now();
        searches.now.push(Search { number, board, source, line, chunk, log: log.clone(), began, goes_on });
        (number, log)
    }

    /// Ends a search.
    pub(super) fn end(&self, number: u64, how: Ended) {
        let mut searches = self.lock();
        let Ok(at) = searches.now.binary_search_by_key(&number, |search| search.number) else { return };
        let search = searches.now.remove(at);
        match how {
            Ended::BeforeItsTime => searches.ended.extend(search.stood()),
            Ended::ByItself => searches.keep_finished(&search),
        }
    }

    /// Returns the snapshots of all searches that are older than this, or were resumed.
    pub fn stood(&self, older_than: Duration) -> Vec<Stood> {
        let searches = self.lock();
        let is_old = |search: &&Search| search.goes_on || search.began.elapsed() >= older_than;
        let mut all = searches.ended.clone();
        all.extend(searches.finished.iter().map(|finished| finished.stood.clone()));
        all.extend(searches.now.iter().filter(is_old).filter_map(Search::stood));
        let earlier = searches.earlier.iter();
        all.extend(earlier.map(|(board, snapshot)| Stood { board: board.clone(), snapshot: snapshot.clone() }));
        all.sort_by(|one, other| one.board.cmp(&other.board));
        all
    }

    /// Returns the progress of the search with the most nodes, among those older than this.
    pub fn hardest(&self, older_than: Duration) -> Option<Waited> {
        let searches = self.lock();
        let old = searches.now.iter().filter(|search| search.began.elapsed() >= older_than);
        let waited = old.filter_map(|search| {
            let (source, line) = (Arc::clone(&search.source), search.line);
            Some(Waited { source, line, standing: search.log.search_progress()? })
        });
        waited.max_by_key(|waited| waited.standing.nodes)
    }
}

impl Searches {
    fn keep_finished(&mut self, search: &Search) {
        let took_long = |least| search.goes_on || search.began.elapsed() >= least;
        if !self.worth_keeping.is_some_and(took_long) {
            return;
        }
        let Some(stood) = search.stood() else { return };
        self.kept += stood.snapshot.bytes();
        self.finished.push_back(Finished { chunk: search.chunk, result: Waiting::Turn, stood });
        while self.kept > MOST_KEPT
            && let Some(oldest) = self.finished.pop_front()
        {
            self.kept -= oldest.stood.snapshot.bytes();
        }
    }
}

impl Search {
    fn stood(&self) -> Option<Stood> {
        Some(Stood { board: board_name(self.board.as_ref()?), snapshot: self.log.snapshot()? })
    }
}

#[cfg(test)]
fn key(blank: usize, order: [crate::board::Move; 4], board: u128) -> BoardKey {
    use crate::board::{Cell, Shape};
    (Space { shape: Shape::new(4, 4).unwrap(), goal_blank: Cell::new(blank), order }, board)
}

/// Returns the key of a board of the 15-puzzle, for tests.
#[cfg(test)]
pub fn a_key(board: u128) -> BoardKey {
    key(15, crate::board::Move::ALL, board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;

    #[test]
    fn boards_of_different_spaces_have_different_names() {
        let mut turned = Move::ALL;
        turned.reverse();
        let one = board_name(&key(15, Move::ALL, 255));
        assert_eq!(one, "4x4 15 DLRU 000000000000000000000000000000ff");
        assert!(one != board_name(&key(15, turned, 255)) && one != board_name(&key(14, Move::ALL, 255)));
    }

    fn stood(number: u128) -> Stood {
        Stood { board: board_name(&a_key(number)), snapshot: SearchSnapshot::default() }
    }

    /// A snapshot of an earlier run is kept until its board is searched again, and then until that
    /// search has got further.
    #[test]
    fn where_a_search_stood_is_kept_until_it_ends_by_itself() {
        let (under_way, source) = (UnderWay::default(), Arc::from("a"));
        under_way.keep(vec![stood(1), stood(2)], Duration::ZERO);
        assert_eq!(under_way.stood(Duration::MAX), [stood(1), stood(2)]);
        let (first, _log) = under_way.begin(Some(a_key(2)), (&source, 3), 0);
        let (second, log) = under_way.begin(Some(a_key(3)), (&source, 4), 1);
        let (third, _log) = under_way.begin(None, (&source, 5), 2);
        assert_eq!((log.snapshot(), under_way.hardest(Duration::ZERO)), (None, None));
        assert_eq!(under_way.stood(Duration::MAX), [stood(1), stood(2)]);
        under_way.end(first, Ended::BeforeItsTime);
        under_way.end(second, Ended::BeforeItsTime);
        under_way.end(third, Ended::ByItself);
        assert_eq!(under_way.stood(Duration::ZERO), [stood(1), stood(2)]);
        under_way.forget_all();
        assert!(under_way.stood(Duration::ZERO).is_empty());
    }

    /// A result may wait for earlier ones, and then for a checkpoint. Until there is one the search
    /// could be lost.
    #[test]
    fn where_a_search_stood_is_kept_until_a_checkpoint_speaks_of_its_result() {
        let (under_way, source) = (UnderWay::default(), Arc::from("a"));
        under_way.keep(vec![stood(1), stood(2)], Duration::ZERO);
        let [one, two] = [1, 2].map(|number| under_way.begin(Some(a_key(number)), (&source, 3), 10 + number as u64).0);
        under_way.end(two, Ended::ByItself);
        assert_eq!(under_way.stood(Duration::MAX), [stood(1), stood(2)]);
        under_way.end(one, Ended::ByItself);
        under_way.written(11);
        assert_eq!(under_way.stood(Duration::MAX), [stood(1), stood(2)]);
        under_way.committed();
        assert_eq!(under_way.stood(Duration::MAX), [stood(1), stood(2)], "the checkpoint may fail");
        under_way.committed();
        assert_eq!(under_way.stood(Duration::MAX), [stood(2)]);
        under_way.written(12);
        under_way.committed();
        under_way.committed();
        assert!(under_way.stood(Duration::ZERO).is_empty());
    }

    /// Nothing is kept without a file, nor of short searches, nor more than a maximum number of
    /// nodes.
    #[test]
    fn searches_that_can_be_made_again_at_once_are_not_kept() {
        for (least, size, kept) in [
            (None, 0, 0),
            (Some(Duration::MAX), 0, 0),
            (Some(Duration::ZERO), 0, 2),
            (Some(Duration::ZERO), MOST_KEPT / 4, 1),
            (Some(Duration::ZERO), MOST_KEPT / 2, 0),
        ] {
            let mut searches = Searches { worth_keeping: least, ..Searches::default() };
            for number in [1, 2] {
                let (source, line, chunk) = (Arc::from("a"), 1, 0);
                let log = SearchLog::after(Some(SearchSnapshot::with_list(size)));
                let (began, goes_on, board) = (Instant::now(), false, Some(a_key(number)));
                searches.keep_finished(&Search { number: 0, board, source, line, chunk, log, began, goes_on });
            }
            let names: Vec<_> = searches.finished.iter().map(|finished| finished.stood.board.clone()).collect();
            let newest = [1, 2].map(|number| board_name(&a_key(number)));
            assert_eq!(names, newest[2 - kept..], "{least:?} {size}");
        }
    }
}
