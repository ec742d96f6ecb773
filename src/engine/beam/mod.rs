//! Beam search over the whole board: only the best positions of each layer are kept, as ranked by
//! an evaluation.
//!
//! All moves of a layer's positions are generated, except those that undo the last move. Children
//! are dropped if they are already in the next layer, this layer or the one before it. Of the rest,
//! the `width` children with the smallest values are the next layer (`cut.rs`). The search ends
//! with the first layer that contains the goal. It finds a path but does not prove it shortest;
//! wider beams find shorter paths. (On the history of the method: P. Furcy, S. Koenig, *Limited
//! discrepancy beam search*, IJCAI 2005.)
//!
//! # Determinism
//!
//! Values are integers. Nearly equal values are ordered by bits of the position's key, and then by
//! the order of generation. Threads share only the evaluation of children, in chunks whose results
//! are taken in order ([`super::ordered_chunks`]). Work that depends on earlier results
//! (duplicates, the cut-off) is done by one thread. So the path does not depend on the number of
//! threads.

mod children;
mod cut;
mod history;
mod position;
mod record;
mod search;
mod seen;
#[cfg(test)]
mod tests;

pub(super) use cut::Cut;
pub(super) use history::{History, member};
pub(super) use seen::{Keys, SeenKeys};

pub use record::{Layer, Record};
pub use search::{Found, Request};

use crate::heuristic::evaluation::{SumMethod, Tables};

/// Searches with the evaluation's tables. `generated` counts the children whose values are within
/// the cut-off, and never exceeds the node limit.
pub fn search(tables: &Tables, request: &Request<'_>, generated: &mut u64) -> Found {
    search_recorded(tables, request, generated, None)
}

/// Like [`search()`], but adds the layers to a record, if there is one.
pub fn search_recorded(
    tables: &Tables,
    request: &Request<'_>,
    generated: &mut u64,
    record: Option<&mut Record>,
) -> Found {
    let sums = SumMethod::best();
    match padded(tables.shape().cells()) {
        16 => search::run::<16>(tables, sums, request, generated, record),
        32 => search::run::<32>(tables, sums, request, generated, record),
        48 => search::run::<48>(tables, sums, request, generated, record),
        _ => search::run::<64>(tables, sums, request, generated, record),
    }
}

/// Returns the number of cells for which a position on a board of `cells` cells has space.
fn padded(cells: usize) -> usize {
    cells.next_multiple_of(16)
}

/// Returns the maximum memory in bytes of a beam of this width, without the tables.
pub fn bytes(cells: usize, width: usize) -> u64 {
    let position = (2 * padded(cells) as u64 + 16).next_multiple_of(8);
    // Two layers, the candidates of one, the keys seen, and the history.
    let candidates = 3 * 32;
    width as u64 * (2 * position + candidates + SeenKeys::BYTES as u64 + 4 * history::LAYERS_KEPT) + (2 << 20)
}
