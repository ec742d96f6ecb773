//! Every engine and heuristic on any number of threads gives the same bytes, on large sets: minutes of
//! work, so it runs by `scripts/cross-check` and not with the other tests.

mod common;

use common::{Random, run, stderr, stdout};

/// A board as a JSON line, with a goal of its own.
fn line(tiles: &[usize], goal: &[usize], rows: usize) -> String {
    let cols = tiles.len() / rows;
    format!("{{\"board\":{tiles:?},\"goal\":{goal:?},\"rows\":{rows},\"cols\":{cols}}}\n")
}

/// The goal after so many random moves, none of which undoes the one before.
fn walked(goal: &[usize], rows: usize, moves: usize, random: &mut Random) -> Vec<usize> {
    let cols = goal.len() / rows;
    let mut tiles = goal.to_vec();
    let mut blank = tiles.iter().position(|&tile| tile == 0).unwrap();
    let mut before = usize::MAX;
    for _ in 0..moves {
        let (row, col) = (blank / cols, blank % cols);
        let mut ways = Vec::new();
        if row > 0 {
            ways.push(blank - cols);
        }
        if row + 1 < rows {
            ways.push(blank + cols);
        }
        if col > 0 {
            ways.push(blank - 1);
        }
        if col + 1 < cols {
            ways.push(blank + 1);
        }
        ways.retain(|&way| way != before);
        let to = ways[random.below(ways.len())];
        tiles.swap(blank, to);
        (before, blank) = (blank, to);
    }
    tiles
}

/// Runs a set by every way there is and compares the bytes with the first.
fn same_bytes(name: &str, input: &str, ways: &[&[&str]]) {
    let mut expected: Option<String> = None;
    for way in ways {
        for threads in ["1", "2", "8"] {
            let arguments = [&["solve", "--quiet", "--memory", "8G", "-j", threads], *way].concat();
            let output = run(&arguments, input);
            let results = stdout(&output);
            assert_eq!(results.lines().count(), input.lines().count(), "{name} {way:?}: {}", stderr(&output));
            assert!(!results.contains("\"unsolved\"") && !results.contains("\"error\""), "{name} {way:?}");
            match &expected {
                None => expected = Some(results),
                Some(expected) => assert!(*expected == results, "{name}: {way:?} on {threads} threads differs"),
            }
        }
    }
}

const SMALL: [&[&str]; 8] = [
    &["--engine", "lookup"],
    &["--engine", "bidirectional"],
    &["--engine", "astar"],
    &["--engine", "astar", "--heuristic", "manhattan"],
    &["--engine", "idastar", "--heuristic", "manhattan"],
    &["--engine", "idastar", "--heuristic", "linear-conflict"],
    &["--engine", "idastar", "--heuristic", "walking-distance", "--parallel", "within"],
    &["--engine", "idastar", "--heuristic", "walking-conflict", "--parallel", "across"],
];

#[test]
#[ignore = "minutes of work: scripts/cross-check"]
fn every_solvable_2x4_board() {
    // All orders of eight; the parity of the program itself leaves half of them.
    let goal: Vec<usize> = (1..8).chain([0]).collect();
    let mut input = String::new();
    let mut tiles: Vec<usize> = (0..8).collect();
    loop {
        input += &line(&tiles, &goal, 2);
        // The next order of the tiles, in lexicographic order.
        let Some(pivot) = (0..7).rev().find(|&i| tiles[i] < tiles[i + 1]) else { break };
        let swap = (pivot + 1..8).rev().find(|&i| tiles[i] > tiles[pivot]).unwrap();
        tiles.swap(pivot, swap);
        tiles[pivot + 1..].reverse();
    }
    assert_eq!(input.lines().count(), 40_320);
    same_bytes("2x4", &input, &SMALL);
}

#[test]
#[ignore = "minutes of work: scripts/cross-check"]
fn random_3x3_and_2x5_boards_with_random_goals() {
    let mut random = Random(20);
    for (rows, cells, count) in [(3, 9, 20_000), (2, 10, 2_000)] {
        let mut input = String::new();
        for _ in 0..count {
            input += &line(&random.permutation(cells), &random.permutation(cells), rows);
        }
        same_bytes(&format!("{cells} cells"), &input, &SMALL);
    }
}

#[test]
#[ignore = "minutes of work: scripts/cross-check"]
fn random_15_puzzles_and_3x4_boards() {
    let ways: [&[&str]; 6] = [
        &["--engine", "idastar", "--heuristic", "6-6-3"],
        &["--engine", "auto"],
        &["--engine", "idastar", "--heuristic", "walking-conflict"],
        &["--engine", "idastar", "--heuristic", "linear-conflict", "--parallel", "within"],
        &["--engine", "astar"],
        &["--engine", "idastar", "--heuristic", "5-5-5"],
    ];
    let mut random = Random(15);
    let goal: Vec<usize> = (1..16).chain([0]).collect();
    let input: String = (0..500).map(|i| line(&walked(&goal, 4, 40 + i % 30, &mut random), &goal, 4)).collect();
    same_bytes("4x4", &input, &ways);
    // Both ends of a 45-move board are millions of states: fewer of them for this engine.
    let few: String = input.lines().step_by(10).map(|line| format!("{line}\n")).collect();
    same_bytes("4x4 from both ends", &few, &[&["--engine", "auto"], &["--engine", "bidirectional"]]);
    let ways: [&[&str]; 5] = [
        &["--engine", "auto"],
        &["--engine", "idastar", "--heuristic", "walking-conflict"],
        &["--engine", "astar"],
        &["--engine", "bidirectional"],
        &["--engine", "idastar", "--heuristic", "6-5"],
    ];
    let goal: Vec<usize> = (1..12).chain([0]).collect();
    let input: String = (0..200).map(|_| line(&random_solvable(&goal, &mut random), &goal, 3)).collect();
    same_bytes("3x4", &input, &ways);
}

/// A long walk: as good as any board.
fn random_solvable(goal: &[usize], random: &mut Random) -> Vec<usize> {
    walked(goal, 3, 100, random)
}
