//! The parts of the search over sets: entries against the tables' own index, the cascade against looking everything up,
//! sums against true distances.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::super::chunk::{Chunk, Part};
use super::super::deepen::{Settings, deepen};
use super::super::expand::{ChunkEnd, Expand, SubtreeEnd};
use super::super::lists::Lists;
use super::super::node_counter::NodeCounter;
use super::super::tests::set_of;
use super::lookup::{Lookup, Portable};
use super::node::SetNode;
use super::root::root;
use super::search::{SetSearch, Stack, Wave};
use super::tables::Tables;
use crate::board::frame::Space;
use crate::board::{Cell, Move, Ranking, Shape, State};
use crate::engine::automaton::DeepAutomaton;
use crate::engine::{Outcome, Parallel, Stats, ThreadShare, TieBreak, lookup};
use crate::heuristic::pdb::SetTables;
use crate::system::{Budget, InstructionSet, Limits, Random};

static RUNNING: AtomicBool = AtomicBool::new(false);

pub(super) fn space(rows: usize, cols: usize, blank: usize) -> Space {
    Space { shape: Shape::new(rows, cols).unwrap(), goal_blank: Cell::new(blank), order: Move::ALL }
}

/// A walk of random moves from the goal.
fn walk(space: &Space, moves: usize, random: &mut Random) -> State {
    let mut state = space.goal();
    for _ in 0..moves {
        if let Some(next) = state.after(space.shape, Move::from_index(random.bits() as u8)) {
            state = next;
        }
    }
    state
}

/// All ways to work out an entry, from the node and from a move to it, against the table's layout.
#[test]
fn entries_are_those_of_the_layout() {
    let mut random = Random::new(4);
    for (space, partitions) in [
        (space(3, 3, 8), "4-4+6-2"),
        (space(4, 4, 15), "1-2-3-4-5+6-5-4"),
        (space(4, 5, 19), "5-5-5-4"),
        (space(5, 5, 24), "5-4-4-4-4-3+4-4-4-4-4-4"),
        (space(5, 5, 12), "4-4-4-4-4-4"),
    ] {
        let set = set_of(&space, partitions);
        let tables = Tables::new(&space, &set, &Arc::new(DeepAutomaton::build(2, 5, 1, &RUNNING).unwrap())).unwrap();
        for _ in 0..100 {
            let node = root(&tables, &walk(&space, 300, &mut random));
            for letter in 0..4 {
                let to = tables.arrivals[usize::from(node.blank(tables.blank_home))][letter];
                if to == Tables::NOWHERE {
                    continue;
                }
                let tile = node.homes[usize::from(to)];
                let mut after = node.homes;
                after.swap(usize::from(node.blank(tables.blank_home)), usize::from(to));
                for slot in &tables.slots {
                    let images = tables.images[slot.view];
                    let mut seen = [0; crate::board::MAX_SEARCH_CELLS];
                    for cell in 0..space.shape.cells() {
                        seen[usize::from(images[cell])] = images[usize::from(after[cell])];
                    }
                    let blank = images[usize::from(to)];
                    let state = State::from_homes(seen, Cell::new(usize::from(blank)));
                    let layout = slot.table.layout();
                    let expected = layout.index(layout.spot(slot.table.pattern(), &state), usize::from(blank));
                    let board = Portable::after(&tables, &node, letter, to, tile);
                    assert_eq!(Portable::entry(&tables, &board, slot, to) as usize, expected, "{partitions}");
                    #[cfg(target_arch = "x86_64")]
                    {
                        let vector = super::vector::entry_after(&tables, &node, letter, to, tile, slot);
                        assert_eq!(vector.map_or(expected, |entry| entry as usize), expected);
                    }
                }
            }
        }
    }
}

#[test]
fn sums_in_portable_code_are_those_of_single_numbers() {
    let mut random = Random::new(9);
    for _ in 0..1000 {
        let sums: [u8; 32] = std::array::from_fn(|_| 100 + random.index(6) as u8 * 30);
        let (rising, plies) = (random.bits() as u32, sums[random.index(32)]);
        let after = Portable::sums_after(&sums, rising);
        let equal = Portable::equal(&sums, plies);
        for cover in 0..32 {
            let step = if rising >> cover & 1 == 1 { 1 } else { -1 };
            assert_eq!(after[cover], sums[cover].wrapping_add_signed(step));
            assert_eq!(equal >> cover & 1 == 1, sums[cover] == plies);
        }
    }
}

/// Every child is looked up in whole, whatever becomes of it.
struct WithoutCascade<'a>(&'a SetSearch);

impl Expand for WithoutCascade<'_> {
    type Node = SetNode;
    type Wave = Wave;
    type Stack = Stack;

    fn chunk(
        &self,
        chunk: &Chunk<SetNode>,
        wave: &mut Wave,
        counter: &mut NodeCounter,
        part: &mut Part<SetNode>,
    ) -> ChunkEnd {
        self.0.chunk_in_waves(chunk, wave, counter, part)
    }

    fn below(&self, root: &SetNode, bound: u16, stack: &mut Stack, counter: &mut NodeCounter) -> SubtreeEnd {
        self.0.below(root, bound, stack, counter)
    }
}

/// The same paths and the same nodes, with the cascade and with the plain maximum of all sums.
#[test]
fn the_cascade_changes_nothing() {
    let mut random = Random::new(2);
    for (space, partitions, moves) in [
        (space(3, 4, 11), "4-4-3+5-5-1", 400),
        (space(4, 4, 15), "5-5-5+6-6-3", 120),
        (space(4, 4, 10), "4-4-4-3+5-5-5", 90),
    ] {
        let set = set_of(&space, partitions);
        let tables = Tables::new(&space, &set, &Arc::new(DeepAutomaton::build(8, 5, 1, &RUNNING).unwrap())).unwrap();
        let search = SetSearch::new(InstructionSet::best(), tables);
        for number in 0..8 {
            let start = root(&search.tables, &walk(&space, moves, &mut random));
            if start.plies == 0 {
                continue;
            }
            let settings = Settings {
                bytes: [4 << 20, 40_000][number % 2],
                nodes_below: 1 << 16,
                help_from: 0,
                tie_break: TieBreak::Canonical,
            };
            let budget = Budget::start(&Limits::default(), &RUNNING);
            let (mut with, mut without) = (Stats::default(), Stats::default());
            let alone = ThreadShare::alone();
            let cascade = deepen(&search, start, &budget, &alone, settings, &mut Lists::default(), &mut with);
            let plain =
                deepen(&WithoutCascade(&search), start, &budget, &alone, settings, &mut Lists::default(), &mut without);
            assert!(matches!(cascade, Outcome::Solved(_)));
            assert_eq!((cascade, with), (plain, without), "{partitions}");
        }
    }
}

/// No sum of any cover exceeds the distance, and each changes by one with every move: on every ninth state of 3×3 against the lookup
/// table. On walks of 3×4 sums are 0 at the goal and change by one with every move, so that none exceeds the distance either; of
/// all its states this is proved by `every_state_tests.rs`.
#[test]
fn every_cover_is_admissible_and_consistent() {
    let sums = |set: &SetTables, state: &State| set.sums(&set.values(state)).collect::<Vec<u16>>();
    let check_moves = |space: &Space, set: &SetTables, state: &State, here: &[u16]| {
        for next in Move::ALL.iter().filter_map(|&step| state.after(space.shape, step)) {
            assert!(here.iter().zip(sums(set, &next)).all(|(&here, there)| here.abs_diff(there) == 1));
        }
    };
    let small = space(3, 3, 8);
    let table = lookup::Table::build(&small).unwrap();
    let set = set_of(&small, "4-4+6-2+5-3");
    assert!(set.set().covers().len() >= 3);
    let ranking = Ranking::new(small.shape, small.goal_blank).unwrap();
    for state in (0..ranking.states()).step_by(9).map(|rank| ranking.unrank(rank)) {
        let (here, plies) = (sums(&set, &state), table.plies(&state));
        assert!(here.iter().all(|&sum| sum <= plies && (plies - sum).is_multiple_of(2)));
        check_moves(&small, &set, &state, &here);
    }
    let large = space(3, 4, 11);
    let set = set_of(&large, "4-4-3+5-5-1+6-3-2");
    assert!(set.set().covers().len() >= 3);
    let mut random = Random::new(6);
    let mut state = large.goal();
    assert!(sums(&set, &state).iter().all(|&sum| sum == 0));
    for _ in 0..20_000 {
        check_moves(&large, &set, &state, &sums(&set, &state));
        state = state.after(large.shape, Move::from_index(random.bits() as u8)).unwrap_or(state);
    }
}

/// Any shortest path: as long as the canonical one, one that leads to the goal, the same with all instructions and on any number of
/// threads, as are the nodes; and a limit of nodes is kept to.
#[test]
fn any_shortest_path_is_the_same_on_any_number_of_threads() {
    let mut random = Random::new(12);
    let space = space(4, 4, 15);
    let set = set_of(&space, "5-5-5+6-6-3");
    let automaton = Arc::new(DeepAutomaton::build(8, 5, 1, &RUNNING).unwrap());
    let search = |instruction_set| SetSearch::new(instruction_set, Tables::new(&space, &set, &automaton).unwrap());
    let canonical = (search(InstructionSet::best()), TieBreak::Canonical);
    let sets = InstructionSet::ALL.into_iter().filter(|set| set.is_available());
    let any: Vec<(SetSearch, TieBreak)> = sets.map(|set| (search(set), TieBreak::Any)).collect();
    let solve = |by: &(SetSearch, TieBreak), start: &SetNode, nodes: Option<u64>, thread_share: &ThreadShare| {
        let &(ref search, tie_break) = by;
        // Short lists, so that there are iterations below them.
        let settings = Settings { bytes: 30_000, nodes_below: 1 << 16, help_from: 0, tie_break };
        let budget = Budget::start(&Limits { nodes, time: None }, &RUNNING);
        let mut stats = Stats::default();
        let outcome = deepen(search, *start, &budget, thread_share, settings, &mut Lists::default(), &mut stats);
        (outcome, stats)
    };
    let (mut other, mut generated) = (0, 0);
    for _ in 0..12 {
        let state = walk(&space, 4_000, &mut random);
        let start = root(&canonical.0.tables, &state);
        let alone = ThreadShare::alone();
        let (Outcome::Solved(path), _) = solve(&canonical, &start, None, &alone) else { panic!() };
        let (Outcome::Solved(found), stats) = solve(&any[0], &start, None, &alone) else { panic!() };
        assert_eq!(found.len(), path.len());
        generated += stats.generated;
        let end = found.moves().fold(state, |state, step| state.after(space.shape, step).unwrap());
        assert!(end == space.goal());
        for search in &any {
            assert_eq!(solve(search, &start, None, &alone), (Outcome::Solved(found.clone()), stats));
            assert_eq!(solve(search, &start, Some(stats.generated), &alone), (Outcome::Solved(found.clone()), stats));
            let (outcome, less) = solve(search, &start, Some(stats.generated - 1), &alone);
            assert!(matches!(outcome, Outcome::Unsolved { .. }) && less.generated == stats.generated - 1);
        }
        for threads in [2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let thread_share = ThreadShare::new(Parallel::Within, threads);
            let helped = pool.install(|| solve(&any[0], &start, None, &thread_share));
            assert_eq!(helped, (Outcome::Solved(found.clone()), stats));
        }
        other += usize::from(found != path);
    }
    assert!(other > 0);
    // Another number is another search: to be looked at, and written here if it is meant.
    assert_eq!(generated, 667_557);
}
