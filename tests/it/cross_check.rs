//! Several engines and heuristics, on several numbers of threads, give the same bytes for large
//! sets of boards. This takes minutes, so `scripts/cross-check` runs these tests, and the suite
//! does not.

use std::ops::RangeInclusive;

use crate::common::{Random, run, stderr, stdout};

/// Returns a board as a JSON line with its goal.
fn line(tiles: &[usize], goal: &[usize], rows: usize) -> String {
    let cols = tiles.len() / rows;
    format!("{{\"board\":{tiles:?},\"goal\":{goal:?},\"rows\":{rows},\"cols\":{cols}}}\n")
}

/// Returns the board that `moves` random moves reach from the goal. No move undoes the one before.
fn random_walk(goal: &[usize], rows: usize, moves: usize, random: &mut Random) -> Vec<usize> {
    let cols = goal.len() / rows;
    let mut tiles = goal.to_vec();
    let mut blank = tiles.iter().position(|&tile| tile == 0).unwrap();
    let mut before = usize::MAX;
    for _ in 0..moves {
        let (row, col) = (blank / cols, blank % cols);
        let mut cells = Vec::new();
        if row > 0 {
            cells.push(blank - cols);
        }
        if row + 1 < rows {
            cells.push(blank + cols);
        }
        if col > 0 {
            cells.push(blank - 1);
        }
        if col + 1 < cols {
            cells.push(blank + 1);
        }
        cells.retain(|&cell| cell != before);
        let to = cells[random.index(cells.len())];
        tiles.swap(blank, to);
        (before, blank) = (blank, to);
    }
    tiles
}

/// Swaps two tiles if the board is not solvable. The number of moves to the goal has the parity of
/// the permutation of all tiles and the blank, and also that of the blank's distance to its goal
/// cell. If these two parities differ, there is no path (Johnson and Story 1879).
fn make_solvable(tiles: &mut [usize], goal: &[usize], cols: usize) {
    let order: Vec<usize> = tiles.iter().map(|tile| goal.iter().position(|other| other == tile).unwrap()).collect();
    let inversions = (0..order.len()).flat_map(|i| (0..i).map(move |j| (j, i))).filter(|&(j, i)| order[j] > order[i]);
    let [from, to] = [&*tiles, goal].map(|tiles| tiles.iter().position(|&tile| tile == 0).unwrap());
    let distance = (from / cols).abs_diff(to / cols) + (from % cols).abs_diff(to % cols);
    if inversions.count() % 2 != distance % 2 {
        let [first, second] = [1, 2].map(|tile| tiles.iter().position(|&other| other == tile).unwrap());
        tiles.swap(first, second);
    }
}

/// Solves a set with each variant of options, on each number of threads. Checks that all give the
/// same bytes, and returns them.
fn same_bytes(name: &str, input: &str, variants: &[&[&str]]) -> String {
    let mut expected: Option<String> = None;
    for variant in variants {
        for threads in ["1", "2", "8"] {
            let arguments = [&["solve", "--quiet", "--memory", "8G", "-j", threads], *variant].concat();
            let output = run(&arguments, input);
            let results = stdout(&output);
            assert_eq!(results.lines().count(), input.lines().count(), "{name} {variant:?}: {}", stderr(&output));
            for status in ["unsolved", "error", "invalid"] {
                assert!(!results.contains(&format!("\"status\":\"{status}\"")), "{name} {variant:?}: {status}");
            }
            match &expected {
                None => expected = Some(results),
                Some(expected) => assert!(*expected == results, "{name}: {variant:?} on {threads} threads differs"),
            }
        }
    }
    expected.unwrap()
}

/// The variants of options for small boards.
const SMALL_VARIANTS: [&[&str]; 8] = [
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
#[ignore = "takes minutes: run by scripts/cross-check"]
fn every_2x4_board() {
    // All permutations of eight labels. Half of them are unsolvable.
    let goal: Vec<usize> = (1..8).chain([0]).collect();
    let mut input = String::new();
    let mut tiles: Vec<usize> = (0..8).collect();
    loop {
        input += &line(&tiles, &goal, 2);
        // The next permutation in lexicographic order.
        let Some(pivot) = (0..7).rev().find(|&i| tiles[i] < tiles[i + 1]) else { break };
        let swap = (pivot + 1..8).rev().find(|&i| tiles[i] > tiles[pivot]).unwrap();
        tiles.swap(pivot, swap);
        tiles[pivot + 1..].reverse();
    }
    assert_eq!(input.lines().count(), 40_320);
    same_bytes("2x4", &input, &SMALL_VARIANTS);
}

#[test]
#[ignore = "takes minutes: run by scripts/cross-check"]
fn random_3x3_and_2x5_boards_with_random_goals() {
    let mut random = Random::new(20);
    for (rows, cells) in [(3, 9), (2, 10)] {
        let mut input = String::new();
        for _ in 0..20_000 {
            let (goal, mut tiles) = (random.permutation(cells), random.permutation(cells));
            make_solvable(&mut tiles, &goal, cells / rows);
            input += &line(&tiles, &goal, rows);
        }
        let results = same_bytes(&format!("{cells} cells"), &input, &SMALL_VARIANTS);
        assert!(!results.contains("\"unsolvable\""), "{cells} cells");
    }
}

/// Returns `count` boards with solution lengths in `wanted`, found by random walks from the goal.
fn boards_at(wanted: RangeInclusive<u64>, count: usize, rows: usize, cols: usize, random: &mut Random) -> String {
    let goal: Vec<usize> = (1..rows * cols).chain([0]).collect();
    let (shortest, longest) = (*wanted.start() as usize, *wanted.end() as usize);
    let mut input = String::new();
    while input.lines().count() < count {
        let walk_lengths = shortest..longest + shortest;
        let walks: Vec<String> = (0..count)
            .map(|i| walk_lengths.start + i % walk_lengths.len())
            .map(|moves| line(&random_walk(&goal, rows, moves, random), &goal, rows))
            .collect();
        let results = stdout(&run(&["solve", "--quiet"], walks.concat()));
        assert_eq!(results.lines().count(), walks.len());
        let is_wanted = |result: &str| {
            let result: serde_json::Value = serde_json::from_str(result).expect("a result is JSON");
            wanted.contains(&result["moves"].as_u64().expect("a walk has a solution"))
        };
        input.extend(
            walks.into_iter().zip(results.lines()).filter(|(_, result)| is_wanted(result)).map(|(walk, _)| walk),
        );
    }
    input.split_inclusive('\n').take(count).collect()
}

#[test]
#[ignore = "takes minutes: run by scripts/cross-check"]
fn random_15_puzzles_and_3x4_boards() {
    let variants: [&[&str]; 6] = [
        &["--engine", "idastar", "--heuristic", "6-6-3"],
        &["--engine", "auto"],
        &["--engine", "idastar", "--heuristic", "walking-conflict"],
        &["--engine", "idastar", "--heuristic", "linear-conflict", "--parallel", "within"],
        &["--engine", "astar"],
        &["--engine", "idastar", "--heuristic", "5-5-5"],
    ];
    let mut random = Random::new(15);
    let input = boards_at(30..=45, 500, 4, 4, &mut random);
    same_bytes("4x4", &input, &variants);
    // The frontiers of a 45-move board have millions of states, so bidirectional search gets fewer
    // boards.
    let few: String = input.lines().step_by(10).map(|line| format!("{line}\n")).collect();
    let variants: [&[&str]; 4] = [
        &["--engine", "auto"],
        &["--engine", "bidirectional", "--parallel", "across"],
        &["--engine", "bidirectional", "--parallel", "within"],
        &["--engine", "astar", "--parallel", "within"],
    ];
    same_bytes("4x4 from both ends", &few, &variants);
    let variants: [&[&str]; 9] = [
        &["--engine", "auto"],
        &["--engine", "lookup"],
        &["--engine", "idastar", "--heuristic", "manhattan"],
        &["--engine", "idastar", "--heuristic", "walking-conflict"],
        &["--engine", "idastar", "--heuristic", "6-5"],
        &["--engine", "astar", "--parallel", "across"],
        &["--engine", "astar", "--heuristic", "walking-distance", "--parallel", "within"],
        &["--engine", "bidirectional", "--parallel", "across"],
        &["--engine", "bidirectional", "--parallel", "within"],
    ];
    same_bytes("3x4", &boards_at(30..=40, 500, 3, 4, &mut random), &variants);
}
