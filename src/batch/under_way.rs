//! The searches that are under way: what is told of them, and where each of them stands so that another run can go on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::board::frame::Space;
use crate::engine::{Halfway, SearchLog, Standing};

/// Where the search of a board stands.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stood {
    /// The board in its space: what decides the search.
    pub board: String,
    /// Where it stands.
    pub halfway: Halfway,
}

/// A board in its space, in words.
pub fn board_name(space: &Space, board: u128) -> String {
    let letters: String = space.order.iter().map(|step| char::from(step.letter())).collect();
    format!("{} {} {letters} {board:032x}", space.shape, space.goal_blank.index())
}

/// What those are told who wait for a board.
#[derive(Clone, PartialEq, Debug)]
pub struct Waited {
    /// Where the record was read.
    pub source: Arc<str>,
    /// The line it began on.
    pub line: u64,
    /// How far the search has come.
    pub standing: Standing,
}

/// The searches that are under way.
#[derive(Debug, Default)]
pub struct UnderWay(Mutex<Searches>);

#[derive(Debug, Default)]
struct Searches {
    /// By number, ascending.
    now: Vec<Search>,
    next: u64,
    /// Where searches stood that were ended before their time, in this run.
    ended: Vec<Stood>,
    /// The same of an earlier run, as long as they have not begun again.
    earlier: HashMap<String, Halfway>,
}

#[derive(Debug)]
struct Search {
    number: u64,
    board: Option<String>,
    source: Arc<str>,
    line: u64,
    log: SearchLog,
    began: Instant,
    /// It goes on from where an earlier one stood, which is not to be forgotten.
    goes_on: bool,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// With a result.
    ByItself,
    /// By the end of the run.
    BeforeItsTime,
}

impl UnderWay {
    fn lock(&self) -> MutexGuard<'_, Searches> {
        // Nothing is half done under the lock that a panic could spoil.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where searches of an earlier run stood.
    pub fn restore(&self, stood: Vec<Stood>) {
        self.lock().earlier.extend(stood.into_iter().map(|Stood { board, halfway }| (board, halfway)));
    }

    /// A search begins: its number, and its log. Without a name of its board it cannot be gone on from.
    pub(super) fn begin(&self, board: Option<String>, source: &Arc<str>, line: u64) -> (u64, SearchLog) {
        let mut searches = self.lock();
        let earlier = board.as_ref().and_then(|board| searches.earlier.remove(board));
        let (number, source, goes_on) = (searches.next, Arc::clone(source), earlier.is_some());
        let log = SearchLog::after(earlier);
        searches.next += 1;
        let began = Instant::now();
        searches.now.push(Search { number, board, source, line, log: log.clone(), began, goes_on });
        (number, log)
    }

    /// It has ended.
    pub(super) fn end(&self, number: u64, how: Ended) {
        let mut searches = self.lock();
        let Ok(at) = searches.now.binary_search_by_key(&number, |search| search.number) else { return };
        let search = searches.now.remove(at);
        if how == Ended::BeforeItsTime {
            searches.ended.extend(search.stood());
        }
    }

    /// Where all searches stand that are older than this, or have been gone on with.
    pub fn stood(&self, older_than: Duration) -> Vec<Stood> {
        let searches = self.lock();
        let is_old = |search: &&Search| search.goes_on || search.began.elapsed() >= older_than;
        let mut all = searches.ended.clone();
        all.extend(searches.now.iter().filter(is_old).filter_map(Search::stood));
        let earlier = searches.earlier.iter();
        all.extend(earlier.map(|(board, halfway)| Stood { board: board.clone(), halfway: halfway.clone() }));
        all.sort_by(|one, other| one.board.cmp(&other.board));
        all
    }

    /// How far that search has come which has the most nodes, of those that are older than this.
    pub fn hardest(&self, older_than: Duration) -> Option<Waited> {
        let searches = self.lock();
        let old = searches.now.iter().filter(|search| search.began.elapsed() >= older_than);
        let waited = old.filter_map(|search| {
            let (source, line) = (Arc::clone(&search.source), search.line);
            Some(Waited { source, line, standing: search.log.standing()? })
        });
        waited.max_by_key(|waited| waited.standing.nodes)
    }
}

impl Search {
    fn stood(&self) -> Option<Stood> {
        Some(Stood { board: self.board.clone()?, halfway: self.log.halfway()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Move, Shape};

    #[test]
    fn boards_of_different_spaces_have_different_names() {
        let space = |blank, order| Space { shape: Shape::new(4, 4).unwrap(), goal_blank: Cell::new(blank), order };
        let mut turned = Move::ALL;
        turned.reverse();
        let one = board_name(&space(15, Move::ALL), 255);
        assert_eq!(one, "4x4 15 DLRU 000000000000000000000000000000ff");
        assert!(one != board_name(&space(15, turned), 255) && one != board_name(&space(14, Move::ALL), 255));
    }

    /// What an earlier run left is kept until its board is searched again, and then until that has come further.
    #[test]
    fn where_a_search_stood_is_kept_until_it_ends_by_itself() {
        let (under_way, source) = (UnderWay::default(), Arc::from("a"));
        let stood = |board: &str| Stood { board: board.into(), halfway: Halfway::default() };
        under_way.restore(vec![stood("x"), stood("y")]);
        assert_eq!(under_way.stood(Duration::MAX), [stood("x"), stood("y")]);
        let (first, _log) = under_way.begin(Some("y".into()), &source, 3);
        let (second, log) = under_way.begin(Some("z".into()), &source, 4);
        let (third, _log) = under_way.begin(None, &source, 5);
        assert_eq!((log.halfway(), under_way.hardest(Duration::ZERO)), (None, None));
        assert_eq!(under_way.stood(Duration::MAX), [stood("x"), stood("y")]);
        under_way.end(first, Ended::BeforeItsTime);
        under_way.end(second, Ended::BeforeItsTime);
        under_way.end(third, Ended::ByItself);
        assert_eq!(under_way.stood(Duration::ZERO), [stood("x"), stood("y")]);
        let (again, _log) = under_way.begin(Some("x".into()), &source, 3);
        under_way.end(again, Ended::ByItself);
        assert_eq!(under_way.stood(Duration::ZERO), [stood("y")]);
    }
}
