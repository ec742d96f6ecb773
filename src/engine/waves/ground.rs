//! What a search reads and never writes: moves, tables, automaton, cut to the needs of the inner loop.
//!
//! Tiles are *labelled* pattern by pattern, the smaller patterns first and the blank after the first
//! of them. For a `7-8` the pattern of a label is then its bit 3 and the code its lower bits, the
//! blank being 7, which is what the vector code works with; the code here looks everything up.

use std::sync::Arc;

use super::node::{Node, VIEWS};
use super::trace::Archive;
use super::word::Word;
use crate::board::{Cell, MAX_SEARCH_CELLS, Move, State};
use crate::engine::automaton::Automaton;
use crate::frame::Space;
use crate::heuristic::pdb::{Layout, Pattern, PdbSum, Table};
use crate::memory::prefetch;

/// Labels are below this.
const LABELS: usize = 32;

/// The most tiles that a vertical move takes a tile past: the columns of 2×12, less one.
const PASSED: usize = 11;

/// Everything about one space.
pub(super) struct Ground<W: Word, const P: usize> {
    pub(super) space: Space,
    pub(super) sum: Arc<PdbSum>,
    /// The ways into the tables, by pattern; the same in every view.
    pub(super) charts: Vec<Chart<W>>,
    /// The tables, by view and then pattern.
    pub(super) tables: [Vec<Arc<Table>>; VIEWS],
    /// 1, or 2 where there is a mirror.
    pub(super) views: usize,
    /// Home → label.
    pub(super) labels: [u8; MAX_SEARCH_CELLS],
    pub(super) blank_label: usize,
    pub(super) goal: W,
    /// By cell of the blank and letter.
    pub(super) edges: Vec<[Edge<W>; 4]>,
    /// By cell of the blank: the letters that do not leave the board, one bit each.
    pub(super) exits: [u8; MAX_SEARCH_CELLS],
    /// Label → its pattern, by view.
    pub(super) owners: [[u8; LABELS]; VIEWS],
    /// By how much the number of the order grows when the first label's tile moves forward past the
    /// second's, by view; 0 for tiles of different patterns.
    swings: [[[i16; LABELS]; LABELS]; VIEWS],
    /// Next state by state and letter, and the letters that may follow, one bit each.
    pub(super) next_state: Vec<[u16; 4]>,
    pub(super) letters: Vec<u8>,
}

/// The blank's move between two cells, by which a tile goes the other way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<W: Word> {
    /// Where the blank arrives.
    pub(super) to: u8,
    /// The same, by view.
    pub(super) blank: [u8; VIEWS],
    /// The two cells, by view.
    pub(super) flips: [W::Mask; VIEWS],
    /// The views in which the tile changes its row; with a transposing mirror always one.
    pub(super) turns: [Turn; VIEWS],
    pub(super) turning: u8,
}

/// A move that takes a tile past others in reading order.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turn {
    pub(super) view: u8,
    /// 1 when the tile moves forward in reading order, −1 when back.
    pub(super) sign: i8,
    passed: u8,
    /// The cells of the others, on the board as it is.
    pub(super) cells: [u8; PASSED],
}

/// The way into the tables of patterns of so many tiles.
pub(super) struct Chart<W: Word> {
    /// Bits of a block.
    pub(super) block: usize,
    low_bits: usize,
    pub(super) high: Vec<u32>,
    pub(super) low: Vec<u32>,
    pub(super) records: Vec<W::Record>,
}

impl<W: Word> Chart<W> {
    fn new(layout: &Layout) -> Chart<W> {
        let placements = layout.placements();
        let (low_bits, high, low) = placements.halves();
        let mut records: Vec<W::Record> = Vec::new();
        let (mut set, mut region_number) = (0, 0);
        for (row, (occupied, region)) in placements.places().enumerate() {
            if records.is_empty() || occupied != set {
                debug_assert_eq!(placements.set(occupied), records.len());
                records.push(W::record(row as u32));
                (set, region_number) = (occupied, 0);
            }
            if let Some(record) = records.last_mut() {
                for cell in (0..MAX_SEARCH_CELLS).filter(|cell| region >> cell & 1 == 1) {
                    *record = W::with_region(*record, cell, region_number);
                }
            }
            region_number += 1;
        }
        Chart {
            block: layout.block_words() * Layout::WORD_BITS,
            low_bits,
            high: high.to_vec(),
            low: low.to_vec(),
            records,
        }
    }

    /// The entry for tiles in this order in these cells, the blank in a free cell.
    #[inline(always)]
    pub(super) fn index(&self, order: u16, occupied: u32, blank: usize) -> usize {
        let low = occupied & ((1 << self.low_bits) - 1);
        let set = self.high[(occupied >> self.low_bits) as usize] + self.low[low as usize];
        usize::from(order) * self.block + W::row(self.records[set as usize], blank)
    }
}

impl<W: Word, const P: usize> Ground<W, P> {
    /// `None` unless every tile of the space is in one of at most `P` patterns.
    pub(super) fn new(space: &Space, sum: &Arc<PdbSum>, automaton: &Automaton) -> Option<Ground<W, P>> {
        let (shape, cells) = (space.shape, space.shape.cells());
        let mut views = [sum.tables().to_vec(), sum.mirrored_tables().to_vec()];
        views.iter_mut().for_each(|tables| tables.sort_by_key(|table| table.pattern().tiles()));
        let tables = &views[0];
        let of_space =
            |table: &Arc<Table>| (table.pattern().shape(), table.pattern().goal_blank()) == (shape, space.goal_blank);
        let sizes = |tables: &[Arc<Table>]| tables.iter().map(|table| table.pattern().tiles()).collect::<Vec<_>>();
        let fits = tables.len() <= P && sizes(tables).iter().sum::<usize>() + 1 == cells && cells <= W::MAX_CELLS;
        // The ways into the tables are found once for both views.
        let alike = views[1].is_empty() || sizes(tables) == sizes(&views[1]);
        if !fits || !alike || !tables.iter().all(of_space) {
            return None;
        }

        let mut labels = [0; MAX_SEARCH_CELLS];
        let blank_label = tables[0].pattern().tiles();
        labels[space.goal_blank.index()] = blank_label as u8;
        let homes = tables.iter().flat_map(|table| table.pattern().homes());
        for (home, label) in homes.zip((0..cells).filter(|&label| label != blank_label)) {
            labels[home] = label as u8;
        }

        // What a label is in each view: itself, and the tile whose home is the mirrored one.
        let mirror = sum.mirror().copied();
        let identity: [u8; MAX_SEARCH_CELLS] = std::array::from_fn(|cell| cell as u8);
        let seen = [identity, mirror.unwrap_or(identity)];
        let mut owners = [[0; LABELS]; VIEWS];
        let mut codes = [[Pattern::OUTSIDE; LABELS]; VIEWS];
        for (home, view) in (0..cells).flat_map(|home| (0..VIEWS).map(move |view| (home, view))) {
            let image = Cell::new(usize::from(seen[view][home]));
            let label = usize::from(labels[home]);
            let holds = |table: &Arc<Table>| table.pattern().code(image) != Pattern::OUTSIDE;
            if let Some(owner) = views[view].iter().position(holds) {
                owners[view][label] = owner as u8;
                codes[view][label] = views[view][owner].pattern().code(image);
            }
        }
        let mut swings = [[[0; LABELS]; LABELS]; VIEWS];
        for view in 0..VIEWS {
            for (a, b) in (0..cells).flat_map(|a| (0..cells).map(move |b| (a, b))) {
                let (mine, other) = (codes[view][a], codes[view][b]);
                let pass = a != b && owners[view][a] == owners[view][b];
                if pass && mine != Pattern::OUTSIDE && other != Pattern::OUTSIDE {
                    let weight = tables[usize::from(owners[view][a])].layout().orders().weight(mine, other) as i16;
                    swings[view][a][b] = if other > mine { weight } else { -weight };
                }
            }
        }

        let seen = &seen[..1 + usize::from(mirror.is_some())];
        let mut exits = [0; MAX_SEARCH_CELLS];
        let edges = (0..cells)
            .map(|blank| {
                Move::ALL.map(|letter| {
                    let to = space.shape.neighbour(Cell::new(blank), space.order[letter.index()]);
                    exits[blank] |= u8::from(to.is_some()) << letter.index();
                    Edge::new(blank, to.map_or(blank, Cell::index), seen)
                })
            })
            .collect();

        Some(Ground {
            space: *space,
            sum: Arc::clone(sum),
            charts: tables.iter().map(|table| Chart::new(table.layout())).collect(),
            views: seen.len(),
            tables: views,
            labels,
            blank_label,
            goal: Self::word(&labels, &space.goal(), cells),
            edges,
            exits,
            owners,
            swings,
            next_state: automaton.table().to_vec(),
            letters: automaton.masks().to_vec(),
        })
    }

    fn word(labels: &[u8; MAX_SEARCH_CELLS], state: &State, cells: usize) -> W {
        let mut board = [0; MAX_SEARCH_CELLS];
        for (slot, &home) in board.iter_mut().zip(state.homes(cells)) {
            *slot = labels[usize::from(home)];
        }
        W::of(&State::from_homes(board, state.blank()), cells)
    }

    /// The node of a state from scratch.
    pub(super) fn root(&self, state: &State) -> Node<W, P> {
        let mut node = self.place(state);
        for (view, state) in self.seen(state).into_iter().flatten().enumerate() {
            for (number, table) in self.tables[view].iter().enumerate() {
                node.values[view][number] = table.value(&state) as u8;
            }
        }
        node
    }

    /// The state in each view.
    fn seen(&self, state: &State) -> [Option<State>; VIEWS] {
        [Some(*state), self.sum.mirrored(state)]
    }

    /// The node of a state but for its values.
    pub(super) fn place(&self, state: &State) -> Node<W, P> {
        let mut node = Node {
            board: Self::word(&self.labels, state, self.space.shape.cells()),
            orders: [[0; P]; VIEWS],
            occupied: [[W::mask(0); P]; VIEWS],
            values: [[0; P]; VIEWS],
            step: Archive::START,
            depth: 0,
            state: Automaton::START,
            blank: state.blank().index() as u8,
            letter: 0,
            cut: false,
        };
        for (view, state) in self.seen(state).into_iter().flatten().enumerate() {
            for (number, table) in self.tables[view].iter().enumerate() {
                let spot = table.layout().spot(table.pattern(), &state);
                node.orders[view][number] = spot.order as u16;
                node.occupied[view][number] = W::mask(spot.occupied);
            }
        }
        node
    }

    /// The letters that lead on from a node, one bit each.
    #[inline(always)]
    pub(super) fn letters_from(&self, node: &Node<W, P>) -> u8 {
        self.letters[usize::from(node.state)] & self.exits[usize::from(node.blank)]
    }

    /// Makes of `next`, a copy of the node, the node that a letter leads to, but for its values and
    /// its step; the table entries that tell its values.
    ///
    /// In place, because a node that is put together elsewhere and then moved is read before its
    /// small parts have been written: 5 % of the portable search.
    #[inline(always)]
    pub(super) fn child(&self, node: &Node<W, P>, letter: u8, next: &mut Node<W, P>) -> Entries {
        let letter = letter & 3;
        let edge = &self.edges[usize::from(node.blank)][usize::from(letter)];
        let label = node.board.home(usize::from(edge.to)) % LABELS;
        next.board = node.board.slid(usize::from(node.blank), usize::from(edge.to), self.blank_label);
        next.depth = node.depth + 1;
        next.state = self.next_state[usize::from(node.state)][usize::from(letter)];
        next.blank = edge.to;
        next.letter = letter;
        for turn in &edge.turns[..usize::from(edge.turning)] {
            let view = usize::from(turn.view) % VIEWS;
            let swings = &self.swings[view][label];
            let passed = turn.cells[..usize::from(turn.passed)].iter();
            // Modulo 2^16, as the number is: seven tiles passed at once, on two rows of eight, are more than an i16.
            let swing =
                passed.map(|&cell| swings[node.board.home(usize::from(cell)) % LABELS]).fold(0, i16::wrapping_add);
            let order = &mut next.orders[view][usize::from(self.owners[view][label]) % P];
            *order = order.wrapping_add_signed(swing.wrapping_mul(i16::from(turn.sign)));
        }
        let mut entries = Entries::default();
        for view in 0..self.views {
            let owner = usize::from(self.owners[view][label]) % P;
            let occupied = W::cells(node.occupied[view][owner]) ^ W::cells(edge.flips[view]);
            next.occupied[view][owner] = W::mask(occupied);
            let chart = &self.charts[owner];
            let index = chart.index(next.orders[view][owner], occupied, usize::from(edge.blank[view]));
            entries.0[view] = Entry::new(owner, index);
        }
        entries
    }
}

/// The entries of a node's tables that a move leads to, by view.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entries([Entry; VIEWS]);

/// A pattern and an index of its table.
#[derive(Clone, Copy, Debug, Default)]
struct Entry(u64);

impl Entry {
    #[inline(always)]
    fn new(owner: usize, index: usize) -> Entry {
        Entry((index as u64) << 3 | owner as u64)
    }

    #[inline(always)]
    fn owner(self) -> usize {
        self.0 as usize % 8
    }

    #[inline(always)]
    fn index(self) -> usize {
        (self.0 >> 3) as usize
    }
}

/// The tables' bits, by pattern.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bits<'a, const P: usize> {
    /// By view and then pattern.
    words: [[&'a [u64]; P]; VIEWS],
    views: usize,
}

impl<'a, const P: usize> Bits<'a, P> {
    pub(super) fn of<W: Word>(ground: &'a Ground<W, P>) -> Bits<'a, P> {
        let words = ground
            .tables
            .each_ref()
            .map(|tables| std::array::from_fn(|pattern| tables.get(pattern).map_or(&[][..], |table| table.words())));
        Bits { words, views: ground.views }
    }

    /// Has the entries fetched for the time when they will be read.
    #[inline(always)]
    pub(super) fn prefetch(&self, entries: &Entries) {
        for (words, entry) in self.words.iter().zip(&entries.0).take(self.views) {
            prefetch(words[entry.owner() % P], entry.index() / 64);
        }
    }

    /// Gives a node its values, which are still those of the node before it; its lower bound.
    #[inline(always)]
    pub(super) fn settle<W: Word>(&self, node: &mut Node<W, P>, entries: &Entries) -> u16 {
        for (view, entry) in entries.0[..self.views].iter().enumerate() {
            let (owner, index) = (entry.owner() % P, entry.index());
            let bit = (self.words[view][owner][index / 64] >> (index % 64)) as u8 & 1;
            // As `next_value`, without a branch: which way is as good as random.
            let value = &mut node.values[view][owner];
            let falls = (value.wrapping_add(1) >> 1 ^ bit) & 1;
            *value = value.wrapping_add(1).wrapping_sub(2 * falls);
        }
        node.plies()
    }
}

impl<W: Word> Edge<W> {
    /// `seen`: cell → cell in each view.
    fn new(blank: usize, to: usize, seen: &[[u8; MAX_SEARCH_CELLS]]) -> Edge<W> {
        let mut edge = Edge {
            to: to as u8,
            blank: [0; VIEWS],
            flips: [W::mask(0); VIEWS],
            turns: [Turn::default(); VIEWS],
            turning: 0,
        };
        for (view, image) in seen.iter().enumerate() {
            let (from, to) = (usize::from(image[to]), usize::from(image[blank]));
            edge.blank[view] = from as u8;
            edge.flips[view] = W::mask(1 << from | 1 << to);
            let mut turn = Turn { view: view as u8, sign: if to > from { 1 } else { -1 }, ..Turn::default() };
            // The mirror is its own inverse: it also leads back to the board as it is.
            for &between in image[..from.max(to)].iter().skip(from.min(to) + 1) {
                turn.cells[usize::from(turn.passed)] = between;
                turn.passed += 1;
            }
            if turn.passed > 0 {
                edge.turns[usize::from(edge.turning)] = turn;
                edge.turning += 1;
            }
        }
        edge
    }
}
