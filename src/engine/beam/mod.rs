//! Beam search over the whole board: of each layer only the best positions are kept, by an evaluation alone.
//!
//! A layer's positions make all their moves; children that were seen in this layer or the two before it are dropped, and of
//! the rest the `width` with the smallest values are the next layer (`cut.rs`). The first layer that reaches the goal ends it. What is
//! found is a path, not a proof; wider beams find shorter ones (P. Furcy, S. Koenig, *Limited discrepancy beam search*, IJCAI 2005,
//! name the idea's history).
//!
//! # The same path everywhere
//!
//! Values are whole numbers, and equal values are ordered by the position's key and then by when they were made. Threads share
//! only the evaluation of children, in chunks whose results are taken in order ([`super::ordered_chunks`]); what depends on
//! what came before – duplicates, the cut – is done by one. So the path does not depend on the number of threads.

mod children;
mod cut;
mod history;
mod position;
mod record;
mod request;
mod search;
mod seen;
#[cfg(test)]
mod tests;

pub(super) use cut::Cut;
pub(super) use seen::Seen;

pub use record::{Layer, Record};
pub use request::{Found, Request};

use crate::heuristic::evaluation::{Sums, Tables};

/// Searches with the evaluation's tables; `generated` counts the children looked at and is never more than the budget has.
pub fn search(tables: &Tables, request: &Request<'_>, generated: &mut u64) -> Found {
    search_recorded(tables, request, generated, None)
}

/// [`search()`], and what it kept is added to the record, if there is one.
pub fn search_recorded(
    tables: &Tables,
    request: &Request<'_>,
    generated: &mut u64,
    record: Option<&mut Record>,
) -> Found {
    let sums = Sums::best();
    match room(tables.shape().cells()) {
        16 => search::run::<16>(tables, sums, request, generated, record),
        32 => search::run::<32>(tables, sums, request, generated, record),
        48 => search::run::<48>(tables, sums, request, generated, record),
        _ => search::run::<64>(tables, sums, request, generated, record),
    }
}

/// For how many tiles a position of so many cells has room.
fn room(cells: usize) -> usize {
    cells.next_multiple_of(16)
}

/// The bytes that a beam of this width takes at most, without the tables.
pub fn bytes(cells: usize, width: usize) -> u64 {
    let position = (2 * room(cells) as u64 + 16).next_multiple_of(8);
    // Two layers, the candidates of one, the keys of those seen, and the history of the members that have descendants.
    let candidates = 3 * 32;
    width as u64 * (2 * position + candidates + 2 * 8 * seen::SLOTS as u64 + 4 * history::LAYERS_KEPT) + (2 << 20)
}
