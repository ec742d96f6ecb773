//! The choice of the searches, by level and shape. If there is a deadline, [`super::rounds`]
//! chooses among them by the time that is left.
//!
//! A level is a time per board on one core of the machine it was tuned on: four milliseconds at
//! level 1, a second at level 5, a minute at level 9. The widths of a level are computed from that
//! time and from measured rates, never from a clock.

use crate::board::{Cell, Shape};
use crate::engine::constructive::Rest;
use crate::engine::polish::PolishEffort;
use crate::engine::{beam, staged};
use crate::heuristic::evaluation::{MAX_CELLS, Tables};
use crate::heuristic::learned::AvailableWeights;

/// The properties of a goal's boards on which the plan depends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardProperties {
    /// Their shape.
    pub shape: Shape,
    /// True if there are learned weights for them.
    pub has_learned_weights: bool,
}

impl BoardProperties {
    /// Returns the properties of the boards whose goal has its blank in this cell.
    pub fn of(shape: Shape, goal_blank: Cell, weights: &AvailableWeights) -> BoardProperties {
        BoardProperties { shape, has_learned_weights: weights.has(shape, goal_blank) }
    }
}

/// One search of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Its name.
    pub name: &'static str,
    /// The number of positions that the search keeps per layer; 0 if it keeps none.
    pub width: usize,
}

/// The plan of a level for a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The searches, in order.
    pub searches: Vec<Search>,
    /// The maximum memory that the searches take at the same time, including tables, in bytes.
    pub memory_bytes: u64,
    /// True if the memory limit made the searches narrower than the level requires, or excluded
    /// some.
    pub cut_by_memory: bool,
}

/// The method of searching boards of a shape after the constructive path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchMethod {
    /// No search.
    Constructive,
    /// A beam search of the whole board.
    Beam,
    /// A staged beam search, then a beam search of the last block.
    Staged,
}

/// The widths of one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Widths {
    /// The width of the staged beam; 0 without one.
    pub(super) staged: usize,
    /// The width of the beam over the board or its last block.
    pub(super) beam: usize,
}

/// Microseconds per board, by level.
const TIMES: [u64; 9] = [4_000, 16_000, 60_000, 250_000, 1_000_000, 3_000_000, 8_000_000, 22_000_000, 60_000_000];
/// The same with learned weights. Some times are shorter, because more time hardly shortened the
/// paths of Korf and Felner's 24-puzzles.
const LEARNED_TIMES: [u64; 9] =
    [4_000, 15_000, 60_000, 210_000, 1_000_000, 2_250_000, 7_300_000, 22_000_000, 60_000_000];
/// The maximum number of cells for staged beams. Their tables grow with the cube of the number
/// of cells.
const MAX_STAGED_CELLS: usize = 400;
/// The maximum number of cells of a board that beams search. Above `MAX_STAGED_CELLS` a
/// constructive path finishes the first lines, and a beam searches the rest.
const MAX_SEARCHED_CELLS: usize = 4000;
/// The first pass of polishing; without a deadline, the only one. It searches pieces of the path,
/// each within a small rectangle. On the largest boards wider beams gain almost nothing, because
/// such pieces of a constructive path are nearly optimal (on 50 × 50, 0.6 % too long).
pub(super) const POLISHING: PolishEffort = PolishEffort { piece_moves: 30, width: 120 };
/// The highest level at which paths are not polished.
const MAX_UNPOLISHED_LEVEL: u8 = 5;
/// The cost of polishing per move of a path.
const POLISH_NANOSECONDS: u64 = 700;
/// The maximum time to build tables, as a number of boards at the level's time. If building takes
/// longer, the tables are not built.
const BOARDS_FOR_TABLES: u64 = 64;
/// The same with learned weights, which shorten paths so much that their tables are worth more
/// time.
const BOARDS_FOR_LEARNED: u64 = 512;
/// Nanoseconds to build a byte of an evaluation's tables.
const TABLE_NANOSECONDS: u64 = 3;
/// Nanoseconds to build a byte of the groups' tables of a staged beam.
const STAGE_NANOSECONDS: u64 = 20;
/// The minimum width of a beam that is worth building tables for.
const MIN_BEAM_WIDTH: usize = 16;
/// The same for a staged beam.
const MIN_STAGED_WIDTH: usize = 2;
/// The maximum width of a beam over the last block. A wider staged beam gains more for the same
/// cost.
const MAX_LAST_BLOCK_WIDTH: usize = 100_000;

/// Returns the searches for boards of a shape at a level from 1 to 9, if a search may take `memory`
/// bytes.
pub fn describe(properties: BoardProperties, level: u8, memory: u64) -> Description {
    let mut searches = vec![Search { name: "constructive", width: 0 }];
    let mut memory_bytes = constructive_bytes(properties.shape);
    let is_polished = is_polished(properties.shape, level);
    // The shape of the rest does not depend on the blank's home.
    let shape = rest_to_search(properties.shape, Cell::new(0)).map_or(properties.shape, |rest| rest.shape());
    let properties = BoardProperties { shape, ..properties };
    let (search, unlimited) = (level_search(properties, level, memory), level_search(properties, level, u64::MAX));
    if let Some((method, widths)) = search {
        if method == SearchMethod::Staged {
            searches.push(Search { name: "staged", width: widths.staged });
        }
        searches.push(Search { name: "beam", width: widths.beam });
        memory_bytes += table_bytes(properties, method) + search_bytes(properties.shape, method, widths);
    }
    if is_polished {
        searches.push(Search { name: "polishing", width: POLISHING.width });
    }
    Description { searches, memory_bytes, cut_by_memory: search != unlimited }
}

/// Returns the rectangle that is left for a beam after the other cells of a very large board are
/// finished. `None` if beams search the whole board, or if the board is so large that searching the
/// rest gains nothing.
pub(super) fn rest_to_search(shape: Shape, goal_blank: Cell) -> Option<Rest> {
    let is_worth_it = !shape.is_line() && (MAX_STAGED_CELLS + 1..=MAX_SEARCHED_CELLS).contains(&shape.cells());
    is_worth_it.then(|| Rest::after(shape, goal_blank, MAX_STAGED_CELLS))
}

/// Returns whether paths are polished: on boards too large for a staged beam, at levels above
/// [`MAX_UNPOLISHED_LEVEL`], if the level's time suffices to polish a path three times as long as
/// the Manhattan distance of a random board.
pub(super) fn is_polished(shape: Shape, level: u8) -> bool {
    let moves = shape.cells() as u64 * (shape.rows() + shape.cols()) as u64;
    let is_large = shape.cells() > MAX_STAGED_CELLS && !shape.is_line();
    is_large && level > MAX_UNPOLISHED_LEVEL && moves * POLISH_NANOSECONDS / 1000 <= level_microseconds(level, false)
}

/// Returns the time per board of a level, with learned weights or without.
fn level_microseconds(level: u8, learned: bool) -> u64 {
    let times = if learned { LEARNED_TIMES } else { TIMES };
    times[usize::from(level.clamp(1, 9)) - 1]
}

/// Returns the method of a level and its widths with this much memory; `None` if boards are not
/// searched after the constructive path.
pub(super) fn level_search(properties: BoardProperties, level: u8, memory: u64) -> Option<(SearchMethod, Widths)> {
    let microseconds = level_microseconds(level, properties.has_learned_weights);
    let method = method(properties, memory, microseconds);
    (method != SearchMethod::Constructive).then(|| (method, widths(properties, method, microseconds, memory)))
}

/// Returns the method for boards of a shape with this much memory, and this much time for each
/// board.
fn method(properties: BoardProperties, memory: u64, microseconds: u64) -> SearchMethod {
    let is_chosen = |method: &SearchMethod| *method == SearchMethod::Staged || prefers_beam(properties, microseconds);
    methods(properties, memory, microseconds).find(is_chosen).unwrap_or(SearchMethod::Constructive)
}

/// Returns the possible methods for boards of a shape with this much memory, and this much time for
/// each board. The best method comes first.
pub(super) fn methods(
    properties: BoardProperties,
    memory: u64,
    microseconds: u64,
) -> impl Iterator<Item = SearchMethod> {
    let shape = properties.shape;
    let serves = move |&method: &SearchMethod| {
        let exists = if method == SearchMethod::Beam { shape.cells() <= MAX_CELLS } else { has_stages(shape) };
        let build_time_in_boards = if properties.has_learned_weights { BOARDS_FOR_LEARNED } else { BOARDS_FOR_TABLES };
        exists
            && !shape.is_line()
            && table_bytes(properties, method) + search_bytes(shape, method, min_widths(method)) <= memory
            && build_microseconds(properties, method) <= build_time_in_boards.saturating_mul(microseconds)
    };
    let beam_first = prefers_beam(properties, microseconds);
    let (beam, staged) = (SearchMethod::Beam, SearchMethod::Staged);
    let order = if beam_first { [beam, staged] } else { [staged, beam] };
    order.into_iter().filter(serves)
}

/// Returns whether a beam over the whole board, if possible, is the best method.
fn prefers_beam(properties: BoardProperties, microseconds: u64) -> bool {
    !has_stages(properties.shape) || properties.has_learned_weights || beam_is_better(properties.shape, microseconds)
}

/// Returns whether a beam over the whole board finds shorter paths than a staged beam. On small
/// boards it always does. On boards of medium size it does if there is time for a wide beam (7 × 7
/// and 8 × 8: equal at a second, staged better with less time). On longer boards it never does,
/// because it neglects their far end.
fn beam_is_better(shape: Shape, microseconds: u64) -> bool {
    let side = shape.rows().max(shape.cols());
    shape.cells() <= 24 || side <= 8 && microseconds >= 1_000_000
}

/// Returns whether a staged beam has groups to finish and the board is not too large for it.
fn has_stages(shape: Shape) -> bool {
    shape.cells() <= MAX_STAGED_CELLS && staged::Stages::block_shape(shape) != shape
}

/// Returns the shape that a method's last beam searches: the board, or its last block.
pub(super) fn beam_shape(shape: Shape, method: SearchMethod) -> Shape {
    if method == SearchMethod::Staged { staged::Stages::block_shape(shape) } else { shape }
}

/// Returns the bytes of a method's tables.
fn table_bytes(properties: BoardProperties, method: SearchMethod) -> u64 {
    let shape = properties.shape;
    match method {
        SearchMethod::Constructive => 0,
        // While the tables are built, the unpacked weights take memory too.
        SearchMethod::Beam if properties.has_learned_weights => Tables::bytes(shape) + AvailableWeights::bytes(shape),
        SearchMethod::Beam => Tables::bytes(shape),
        SearchMethod::Staged => Tables::bytes(beam_shape(shape, method)) + staged::Stages::bytes(shape),
    }
}

/// Returns the time to build a method's tables.
pub(super) fn build_microseconds(properties: BoardProperties, method: SearchMethod) -> u64 {
    let shape = properties.shape;
    match method {
        SearchMethod::Constructive => 0,
        SearchMethod::Beam => TABLE_NANOSECONDS * Tables::bytes(shape) / 1000,
        SearchMethod::Staged => {
            let block = TABLE_NANOSECONDS * Tables::bytes(beam_shape(shape, method));
            (block + STAGE_NANOSECONDS * staged::Stages::bytes(shape)) / 1000
        }
    }
}

/// Returns the bytes of a method's searches.
fn search_bytes(shape: Shape, method: SearchMethod, widths: Widths) -> u64 {
    let beam = beam::bytes(beam_shape(shape, method).cells(), widths.beam);
    // The searches run one after the other.
    if method == SearchMethod::Staged { beam.max(staged::bytes(shape, widths.staged)) } else { beam }
}

fn min_widths(method: SearchMethod) -> Widths {
    Widths { staged: if method == SearchMethod::Staged { MIN_STAGED_WIDTH } else { 0 }, beam: MIN_BEAM_WIDTH }
}

/// Returns the widths of searches that take this long, reduced until the searches fit in memory or
/// no width can be reduced further.
pub(super) fn widths(properties: BoardProperties, method: SearchMethod, microseconds: u64, memory: u64) -> Widths {
    let shape = properties.shape;
    let nanoseconds = microseconds.saturating_mul(1000);
    let beam_cost = if properties.has_learned_weights {
        learned_nanoseconds(shape)
    } else {
        beam_nanoseconds(beam_shape(shape, method))
    };
    let (staged, beam) = match method {
        // The two shares add up to more than the whole time. But the last block is a small part of
        // the board, and partly in order when the rest is finished, so its beam takes less than its
        // share.
        SearchMethod::Staged => {
            let beam = (nanoseconds / 2 / beam_cost).min(MAX_LAST_BLOCK_WIDTH as u64);
            (nanoseconds * 3 / 4 / staged_nanoseconds(shape), beam)
        }
        _ => (0, nanoseconds / beam_cost),
    };
    let minimum = min_widths(method);
    let mut widths = Widths { staged: (staged as usize).max(minimum.staged), beam: (beam as usize).max(minimum.beam) };
    let available = memory.saturating_sub(table_bytes(properties, method));
    while search_bytes(shape, method, widths) > available && widths != minimum {
        // If a search does not fit, its width is reduced by a tenth.
        let reduced = |width: usize, minimum: usize| (width - width.div_ceil(10)).max(minimum);
        if method == SearchMethod::Staged && staged::bytes(shape, widths.staged) > available {
            widths.staged = reduced(widths.staged, minimum.staged);
        } else {
            widths.beam = reduced(widths.beam, minimum.beam);
        }
    }
    widths
}

/// Returns the time of a beam per unit of its width: the moves of a path times the cost of a
/// member's children. On random boards of 5 × 5, 6 × 6, 7 × 7 and 8 × 8 it was 19, 43, 100 and 200
/// microseconds.
fn beam_nanoseconds(shape: Shape) -> u64 {
    path_moves(shape, 48) * (30 + shape.cells() as u64 * 27 / 5)
}

/// Like [`beam_nanoseconds`], for learned weights, whose paths are shorter: 5, 13, 28, 62 and 150
/// microseconds on 4 × 4 to 8 × 8.
fn learned_nanoseconds(shape: Shape) -> u64 {
    path_moves(shape, 44) * (40 + shape.cells() as u64 * 4)
}

/// Like [`beam_nanoseconds`], for a staged beam: 0.2 and 3 milliseconds on 10 × 10 and 20 × 20.
fn staged_nanoseconds(shape: Shape) -> u64 {
    path_moves(shape, 70) * (66 + shape.cells() as u64 * 4 / 9)
}

/// Returns the estimated moves of a path: this percentage of cells × (rows + columns).
fn path_moves(shape: Shape, percent: usize) -> u64 {
    (shape.cells() * (shape.rows() + shape.cols()) * percent / 100) as u64
}

/// Returns the bytes of the construction, which keeps some words per cell and pads rows to 256
/// cells.
fn constructive_bytes(shape: Shape) -> u64 {
    (shape.rows() as u64 + 2) * 256 * 72
}
