//! Tests of the table against a breadth-first search on the states of small shapes, and by proof.

pub mod proof;

use std::sync::atomic::AtomicBool;

use super::letters::ENTRY_BYTES;
use super::*;
use crate::board::frame::{Frame, Space};
use crate::board::{Board, Goal, Path, Ranking, Shape, Solvable, State, Tile};
use crate::engine::test_support::Reference;
use proof::{Flaw, prove, prove_orders};

static NOT_STOPPED: AtomicBool = AtomicBool::new(false);

fn shape(rows: usize, cols: usize) -> Shape {
    Shape::new(rows, cols).unwrap()
}

/// Returns every space of a shape's goals, in both orientations.
fn spaces(rows: usize, cols: usize) -> Vec<Space> {
    let mut spaces = Vec::new();
    for shape in [shape(rows, cols), shape(cols, rows)] {
        for blank in 0..shape.cells() {
            let mut tiles: Vec<Tile> = (1..shape.cells()).map(Tile::new).collect();
            tiles.insert(blank, Tile::BLANK);
            let space = *Frame::new(&Board::new(shape, &tiles).unwrap()).unwrap().space();
            if !spaces.contains(&space) {
                spaces.push(space);
            }
        }
    }
    spaces
}

/// Compares the levels and the paths of every state, for every goal cell and every order of
/// letters. On 2×5, only some paths in a few spaces are compared, because a whole table of that
/// size is proved below.
#[test]
fn small_tables_match_a_breadth_first_search() {
    for (rows, cols, space_stride, state_stride) in [(2, 3, 1, 1), (2, 4, 1, 1), (2, 5, 20, 37)] {
        for (number, space) in spaces(rows, cols).iter().step_by(space_stride).enumerate() {
            let table = Table::build(space, 1 + number % 3, &NOT_STOPPED).unwrap();
            let reference = Reference::build(space).unwrap();
            let ranking = Ranking::new(space.shape, space.goal_blank).unwrap();
            if state_stride == 1 {
                let mut levels = vec![0; table.levels().len()];
                (0..ranking.states())
                    .for_each(|rank| levels[usize::from(reference.distance(&ranking.unrank(rank)))] += 1);
                assert_eq!(table.levels(), levels, "{space:?}");
            }
            let starts: Vec<Solvable> = (0..ranking.states())
                .step_by(state_stride)
                .map(|rank| Solvable::check(ranking.unrank(rank), space.shape, space.goal_blank).unwrap())
                .collect();
            let (mut expected, mut paths) = (Path::new(), vec![Path::new(); 1000]);
            for starts in starts.chunks(1000) {
                let numbered: Vec<Start> = starts.iter().map(|start| table.start(start)).collect();
                table.solve_all(&numbered, &mut paths);
                for (start, path) in starts.iter().zip(&paths) {
                    reference.solve(start, &mut expected);
                    assert_eq!(*path, expected, "{space:?} {start:?}");
                }
            }
        }
    }
}

fn blank_last_table(rows: usize, cols: usize) -> Table {
    let frame = Frame::new(&Goal::BlankLast.on(shape(rows, cols)).unwrap()).unwrap();
    Table::build(frame.space(), 1, &NOT_STOPPED).unwrap()
}

#[test]
fn threads_do_not_change_a_table() {
    let frame = Frame::new(&Goal::BlankFirst.on(shape(2, 5)).unwrap()).unwrap();
    let [one, two, eight] = [1, 2, 8].map(|threads| Table::build(frame.space(), threads, &NOT_STOPPED).unwrap());
    assert!(*one.entries == *two.entries && *one.entries == *eight.entries);
}

#[test]
fn correct_tables_are_proved() {
    for (rows, cols, threads) in [(2, 3, 1), (2, 4, 3), (2, 5, 2)] {
        let table = blank_last_table(rows, cols);
        let proved = prove(&table, threads).unwrap();
        assert_eq!(proved.levels, table.levels(), "{rows}x{cols}");
    }
}

/// Tables of the same goal with other orders of letters are proved with the lengths of the first
/// table, and wrong letters in them are found.
#[test]
fn other_orders_of_letters_are_proved_with_the_first() {
    let table = |space: &Space| Table::build(space, 1, &NOT_STOPPED).unwrap();
    let first = table(blank_last_table(2, 3).space());
    let same_goal = |space: &Space| space.goal_blank == first.space.goal_blank && space.order != first.space.order;
    let mut other_tables: Vec<Table> = spaces(2, 3).iter().filter(|space| same_goal(space)).map(table).collect();
    assert!(other_tables.len() >= 3, "{}", other_tables.len());
    assert_eq!(prove_orders(&first, &other_tables, 2).unwrap().levels, first.levels());
    let last = other_tables.len() - 1;
    let goal_entry = first.ranking.order(&State::goal(first.space.shape, first.space.goal_blank)) as usize / 2;
    for entry in (0..other_tables[last].entries.len() / ENTRY_BYTES).filter(|&entry| entry != goal_entry) {
        other_tables[last].entries[entry * ENTRY_BYTES] ^= 1;
        let proof = prove_orders(&first, &other_tables, 1);
        other_tables[last].entries[entry * ENTRY_BYTES] ^= 1;
        assert!(matches!(proof, Err(Flaw::Astray { .. } | Flaw::Larger { .. })), "{entry}: {proof:?}");
    }
}

/// Every single wrong letter of a table is found, except the goal's, which is unused.
#[test]
fn wrong_letters_are_found() {
    let (mut table, cells) = (blank_last_table(2, 3), 6);
    let ranking = table.ranking.clone();
    let goal = State::goal(table.space.shape, table.space.goal_blank);
    let mut found = std::collections::BTreeMap::new();
    for rank in 0..ranking.states() {
        let state = ranking.unrank(rank);
        let (entry_start, shift) = (ranking.order(&state) as usize / 2 * ENTRY_BYTES, 2 * state.blank().index());
        let (byte, shift) = (entry_start + shift / 8, shift % 8);
        for wrong in 1..4 {
            table.entries[byte] ^= wrong << shift;
            let proof = prove(&table, 1);
            table.entries[byte] ^= wrong << shift;
            match proof {
                Ok(_) => assert_eq!(state.homes(cells), goal.homes(cells), "{state:?}"),
                Err(flaw) => *found.entry(flaw.to_string().split(':').nth(1).unwrap().to_string()).or_insert(0) += 1,
            }
        }
    }
    assert!(found.len() >= 3, "{found:?}");
    assert!(prove(&table, 1).is_ok());
}

/// Proves every letter of every possible table of 12 cells: one for each goal cell of the blank, in
/// both orientations of either shape. The tables of goals that are reflections of each other differ
/// only in the order of letters, so they are proved together.
#[test]
#[ignore = "a minute or more for each of seven goals, and 1 GB: run by scripts/tables"]
fn every_table_of_12_cells_is_proved() {
    let mut spaces = [spaces(3, 4), spaces(2, 6)].concat();
    assert_eq!(spaces.len(), 48);
    let mut goals = 0;
    while let Some(first) = spaces.first().copied() {
        let same_goal = |space: &Space| (space.shape, space.goal_blank) == (first.shape, first.goal_blank);
        let orders: Vec<Space> = spaces.extract_if(.., |space| same_goal(space)).collect();
        let tables: Vec<Table> = orders.iter().map(|space| Table::build(space, 2, &NOT_STOPPED).unwrap()).collect();
        let proof = prove_orders(&tables[0], &tables[1..], 2).unwrap();
        for table in &tables {
            assert_eq!(proof.levels, table.levels(), "{:?}", table.space());
            println!("{:?}: greatest distance {}", table.space(), proof.levels.len() - 1);
        }
        goals += 1;
    }
    assert_eq!(goals, 7);
}
