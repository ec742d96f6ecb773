//! The read-only data of a search: moves, tables and automaton, arranged for the inner loop.
//!
//! Tiles are *labelled* pattern by pattern, smaller patterns first; the blank's label follows those
//! of the first pattern. For a `7-8`, bit 3 of a label is its pattern and the lower bits are its
//! code. The blank is 7. The vector code relies on this; the portable code uses lookup tables.

use std::sync::Arc;

use super::blank_move::BlankMove;
use super::entries::{Entries, Entry};
use super::node::{PartitionNode, VIEWS};
use super::placement_index::PlacementIndex;
use super::word::Word;
use crate::board::frame::Space;
use crate::board::{Cell, MAX_SEARCH_CELLS, Move, State};
use crate::engine::automaton::Automaton;
use crate::heuristic::pdb::{Pattern, PdbSum, Table};

/// The maximum number of labels, rounded up to a power of two.
const LABELS: usize = 32;

/// A byte for every cell: a label, the cell's image in a view, or a set of letters.
type ByCell = [u8; MAX_SEARCH_CELLS];

pub struct SearchTables<W: Word, const P: usize> {
    pub space: Space,
    pub sum: Arc<PdbSum>,
    /// The mappings from placements to entries, by pattern; the same in every view.
    pub indices: Vec<PlacementIndex<W>>,
    /// The pattern databases, by view and then pattern.
    pub pdbs: [Vec<Arc<Table>>; VIEWS],
    /// The number of views: 2 if there is a mirror, otherwise 1.
    pub views: usize,
    /// Home → label.
    pub labels: ByCell,
    pub blank_label: usize,
    /// The moves, by cell of the blank and letter.
    pub blank_moves: Vec<[BlankMove<W>; 4]>,
    /// By cell of the blank: the letters that do not leave the board, one bit each.
    pub legal_letters: ByCell,
    /// Label → its pattern, by view.
    pattern_of: [[u8; LABELS]; VIEWS],
    /// The change of the order's rank when the first label's tile moves forward past the second's,
    /// by view. It is 0 for tiles of different patterns.
    order_delta: [[[i16; LABELS]; LABELS]; VIEWS],
    /// The automaton's next state, by state and letter.
    pub next_state: Vec<[u32; 4]>,
    /// The letters that the automaton accepts, by state, one bit each.
    pub letters: Vec<u8>,
}

impl<W: Word, const P: usize> SearchTables<W, P> {
    /// Creates the tables. Returns `None` unless every tile of the space is in one of at most `P`
    /// patterns.
    pub fn new(space: &Space, sum: &Arc<PdbSum>, automaton: &Automaton) -> Option<SearchTables<W, P>> {
        let cells = space.shape.cells();
        let mut pdbs = [sum.tables().to_vec(), sum.mirrored_tables().to_vec()];
        pdbs.iter_mut().for_each(|tables| tables.sort_by_key(|table| table.pattern().tiles()));
        if pdbs[0].len() > P || cells > W::MAX_CELLS || !fits(space, &pdbs) {
            return None;
        }
        let blank_label = pdbs[0][0].pattern().tiles();
        let labels = labels(space, &pdbs[0], blank_label);

        // The position of each cell in each view: unchanged, and mirrored.
        let mirror = sum.mirror().copied();
        let identity: ByCell = std::array::from_fn(|cell| cell as u8);
        let images = [identity, mirror.unwrap_or(identity)];
        let (pattern_of, codes) = patterns_of_labels(cells, &labels, &images, &pdbs);
        let order_delta = order_delta(cells, &pattern_of, &codes, &pdbs[0]);

        let images = &images[..1 + usize::from(mirror.is_some())];
        let mut legal_letters = [0; MAX_SEARCH_CELLS];
        let blank_moves = (0..cells)
            .map(|blank| {
                Move::ALL.map(|letter| {
                    let to = space.shape.neighbour(Cell::new(blank), space.order[letter.index()]);
                    legal_letters[blank] |= u8::from(to.is_some()) << letter.index();
                    BlankMove::new(blank, to.map_or(blank, Cell::index), images)
                })
            })
            .collect();

        Some(SearchTables {
            space: *space,
            sum: Arc::clone(sum),
            indices: pdbs[0].iter().map(|table| PlacementIndex::new(table.layout())).collect(),
            views: images.len(),
            pdbs,
            labels,
            blank_label,
            blank_moves,
            legal_letters,
            pattern_of,
            order_delta,
            next_state: automaton.rows().to_vec(),
            letters: automaton.rows().iter().map(accepted).collect(),
        })
    }

    fn word(labels: &ByCell, state: &State, cells: usize) -> W {
        let mut board = [0; MAX_SEARCH_CELLS];
        for (slot, &home) in board.iter_mut().zip(state.homes(cells)) {
            *slot = labels[usize::from(home)];
        }
        W::of(&State::from_homes(board, state.blank()), cells)
    }

    /// Computes the node of a state from scratch.
    pub fn root(&self, state: &State) -> PartitionNode<W, P> {
        let mut node = self.node_without_values(state);
        for (view, state) in self.views_of(state).into_iter().flatten().enumerate() {
            for (number, table) in self.pdbs[view].iter().enumerate() {
                node.values[view][number] = table.value(&state) as u8;
            }
        }
        node.h = node.greater_sum() as u8;
        node
    }

    fn views_of(&self, state: &State) -> [Option<State>; VIEWS] {
        [Some(*state), self.sum.mirrored(state)]
    }

    /// Computes the node of a state, without its values.
    pub fn node_without_values(&self, state: &State) -> PartitionNode<W, P> {
        let mut node = PartitionNode {
            board: Self::word(&self.labels, state, self.space.shape.cells()),
            orders: [[0; P]; VIEWS],
            occupied: [[W::mask(0); P]; VIEWS],
            values: [[0; P]; VIEWS],
            root: 0,
            depth: 0,
            state: Automaton::START,
            blank: state.blank().index() as u8,
            h: 0,
        };
        for (view, state) in self.views_of(state).into_iter().flatten().enumerate() {
            for (number, table) in self.pdbs[view].iter().enumerate() {
                let spot = table.layout().spot(table.pattern(), &state);
                node.orders[view][number] = spot.order as u16;
                node.occupied[view][number] = W::mask(spot.occupied);
            }
        }
        node
    }

    /// Returns the letters of a node's children, one bit each.
    #[inline(always)]
    pub fn letters_from(&self, node: &PartitionNode<W, P>) -> u8 {
        self.letters[node.state as usize] & self.legal_letters[usize::from(node.blank)]
    }

    /// Turns `next`, a copy of the node, into the child reached by a letter, except for its values.
    /// Returns the table entries that determine the values.
    ///
    /// The child is built in place. Copying a node that has just been built elsewhere has to wait
    /// for its small fields to be stored, which slows the portable search down by 5 %.
    #[inline(always)]
    pub fn child(&self, node: &PartitionNode<W, P>, letter: u8, next: &mut PartitionNode<W, P>) -> Entries {
        let letter = letter & 3;
        let blank_move = &self.blank_moves[usize::from(node.blank)][usize::from(letter)];
        let label = node.board.home(usize::from(blank_move.to)) % LABELS;
        next.board = node.board.slid(usize::from(node.blank), usize::from(blank_move.to), self.blank_label);
        next.depth = node.depth + 1;
        next.state = self.next_state[node.state as usize][usize::from(letter)];
        next.blank = blank_move.to;
        for passing in &blank_move.passings[..usize::from(blank_move.passing_count)] {
            let view = usize::from(passing.view) % VIEWS;
            let order_delta = &self.order_delta[view][label];
            let passed = passing.cells[..usize::from(passing.passed)].iter();
            // Modulo 2^16, like the rank: passing seven tiles at once, on two rows of eight,
            // exceeds an i16.
            let delta =
                passed.map(|&cell| order_delta[node.board.home(usize::from(cell)) % LABELS]).fold(0, i16::wrapping_add);
            let order = &mut next.orders[view][usize::from(self.pattern_of[view][label]) % P];
            *order = order.wrapping_add_signed(delta.wrapping_mul(i16::from(passing.sign)));
        }
        let mut entries = Entries::default();
        for view in 0..self.views {
            let pattern = usize::from(self.pattern_of[view][label]) % P;
            let occupied = W::cells(node.occupied[view][pattern]) ^ W::cells(blank_move.flips[view]);
            next.occupied[view][pattern] = W::mask(occupied);
            let index =
                self.indices[pattern].entry(next.orders[view][pattern], occupied, usize::from(blank_move.blank[view]));
            entries.0[view] = Entry::new(pattern, index);
        }
        entries
    }
}

/// Returns true if every tile of the space is in a pattern and the tables are for this space.
fn fits(space: &Space, pdbs: &[Vec<Arc<Table>>; VIEWS]) -> bool {
    let of_space =
        |table: &Arc<Table>| (table.pattern().shape(), table.pattern().goal_blank()) == (space.shape, space.goal_blank);
    let sizes = |tables: &[Arc<Table>]| tables.iter().map(|table| table.pattern().tiles()).collect::<Vec<_>>();
    let [direct, mirrored] = pdbs;
    // Both views share the mapping from placements to entries.
    let alike = mirrored.is_empty() || sizes(direct) == sizes(mirrored);
    alike && sizes(direct).iter().sum::<usize>() + 1 == space.shape.cells() && direct.iter().all(of_space)
}

fn labels(space: &Space, pdbs: &[Arc<Table>], blank_label: usize) -> ByCell {
    let mut labels = [0; MAX_SEARCH_CELLS];
    labels[space.goal_blank.index()] = blank_label as u8;
    let homes = pdbs.iter().flat_map(|table| table.pattern().homes());
    for (home, label) in homes.zip((0..space.shape.cells()).filter(|&label| label != blank_label)) {
        labels[home] = label as u8;
    }
    labels
}

/// Returns two maps by view: from label to pattern, and from label to the code in that pattern. For
/// the mirror, they describe the tile whose home is the image of the labelled tile's home.
fn patterns_of_labels(
    cells: usize,
    labels: &ByCell,
    images: &[ByCell; VIEWS],
    pdbs: &[Vec<Arc<Table>>; VIEWS],
) -> ([[u8; LABELS]; VIEWS], [[u8; LABELS]; VIEWS]) {
    let mut pattern_of = [[0; LABELS]; VIEWS];
    let mut codes = [[Pattern::OUTSIDE; LABELS]; VIEWS];
    for (home, view) in (0..cells).flat_map(|home| (0..VIEWS).map(move |view| (home, view))) {
        let image = Cell::new(usize::from(images[view][home]));
        let label = usize::from(labels[home]);
        let contains = |table: &Arc<Table>| table.pattern().code(image) != Pattern::OUTSIDE;
        if let Some(pattern) = pdbs[view].iter().position(contains) {
            pattern_of[view][label] = pattern as u8;
            codes[view][label] = pdbs[view][pattern].pattern().code(image);
        }
    }
    (pattern_of, codes)
}

fn order_delta(
    cells: usize,
    pattern_of: &[[u8; LABELS]; VIEWS],
    codes: &[[u8; LABELS]; VIEWS],
    pdbs: &[Arc<Table>],
) -> [[[i16; LABELS]; LABELS]; VIEWS] {
    let mut deltas = [[[0; LABELS]; LABELS]; VIEWS];
    for view in 0..VIEWS {
        for (a, b) in (0..cells).flat_map(|a| (0..cells).map(move |b| (a, b))) {
            let (code, passed) = (codes[view][a], codes[view][b]);
            let same_pattern = a != b && pattern_of[view][a] == pattern_of[view][b];
            if same_pattern && code != Pattern::OUTSIDE && passed != Pattern::OUTSIDE {
                let weight = pdbs[usize::from(pattern_of[view][a])].layout().orders().weight(code, passed) as i16;
                deltas[view][a][b] = if passed > code { weight } else { -weight };
            }
        }
    }
    deltas
}

/// Returns the letters that the automaton accepts from a state, one bit each.
fn accepted(row: &[u32; 4]) -> u8 {
    (0..4).filter(|&letter| row[letter] != Automaton::REJECT).fold(0, |bits, letter| bits | 1 << letter)
}
