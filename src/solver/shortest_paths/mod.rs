//! All shortest paths of a board, given one of them: their number, their common beginning, and a
//! list of the first ones in lexicographic order.
//!
//! [`count`] chooses the source of lower bounds ([`bound`]). A [`search`](mod@search) then counts
//! the paths and lists them.

mod bound;
mod memo;
mod search;

use std::sync::atomic::AtomicBool;

use self::bound::Bound;
use self::search::Search;
use super::prepared_goal::PreparedGoal;
use crate::board::{Board, PathList};
use crate::engine::contract::{LowerBounds, Readiness};
use crate::engine::{full_table, lookup};
use crate::system::{Budget, Limits};

pub use self::memo::CountMemo;
pub use self::search::{CountLimit, KnownPath, PathCount, ShortestPaths};

/// Maximum number of cells for which all shortest paths are counted without a cap.
const COUNTED_CELLS: usize = full_table::MAX_CELLS;

// Boards with exact distances have at most this many cells, so they have no cap, and the keys of
// the memo have room for the shape.
const _: () = assert!(COUNTED_CELLS > lookup::MAX_CELLS);

/// The limits of a count and of the list of paths.
#[derive(Clone, Copy, Debug)]
pub struct CountOptions<'a> {
    /// The limits for each board.
    pub limits: &'a Limits,
    /// Maximum number of paths counted for boards of more than 12 cells.
    pub cap: u64,
    /// Maximum number of paths listed, the smallest ones.
    pub max_listed: usize,
    /// A flag that ends the work when set.
    pub stop: &'a AtomicBool,
}

/// Counts the shortest paths of a board and lists the smallest. There is no list if a limit ended
/// it early. Returns `None` for boards too large to be searched. `memo` may serve the next board.
pub fn count(
    memo: &mut CountMemo,
    options: &CountOptions<'_>,
    prepared: &PreparedGoal,
    board: &Board,
    known: KnownPath<'_>,
) -> Option<(ShortestPaths, Option<PathList>)> {
    // A board on a line has only one shortest path, and so does the goal itself.
    if board.shape().is_line() || known.path.is_empty() {
        return Some((ShortestPaths::only(known.path), Some(PathList::only(known.path, options.max_listed))));
    }
    let (space, start) = (prepared.space()?, prepared.frame()?.admit(board)?);
    // With a node limit, the bounds do not depend on the tables built so far, so that the same
    // limit gives the same results in every run.
    let readiness = if options.limits.nodes.is_some() { Readiness::Fixed } else { Readiness::Latest };
    let conflict;
    let bounds = match prepared.engine().lower_bounds(readiness) {
        LowerBounds::None => {
            conflict = prepared.walking_conflict()?;
            LowerBounds::WalkingConflict(&conflict)
        }
        bounds => bounds,
    };
    let bound = Bound::new(space, bounds);
    let cap = if space.shape.cells() > COUNTED_CELLS { options.cap } else { u64::MAX };
    // With exact distances no state is visited in vain, so nodes are not limited.
    let nodes = options.limits.nodes.filter(|_| !bound.is_exact());
    let budget = Budget::start(&Limits { nodes, ..*options.limits }, options.stop);
    memo.begin(space, bound.is_exact());
    let mut search = Search::new(space, bound, memo, budget);
    let paths = search.count(start.state(), known, cap);
    let is_exact = matches!(paths.count, PathCount::Exactly(_));
    let list = match options.max_listed {
        0 => Some(PathList::new(known.path.len())),
        max => search.list(start.state(), known.path.len(), max, is_exact),
    };
    Some((paths, list))
}
