//! Boards of other shapes and goals with pattern databases, compared with engines that use none;
//! and two 5x5 boards with published lengths. A few boards of every rectangle are part of the
//! suite. More of them, larger tables and the goals of 4x4 take minutes and are run by
//! `scripts/cross-check`: `cargo test --release --test it -- --ignored cross_check_shapes::`.

use std::ops::RangeInclusive;

use crate::common::{Random, run, stderr, stdout};

/// Returns a board `moves` random moves from the goal, none of which undoes the previous one.
fn walked(goal: &[usize], cols: usize, moves: usize, random: &mut Random) -> Vec<usize> {
    let mut tiles = goal.to_vec();
    let mut blank = tiles.iter().position(|&tile| tile == 0).unwrap();
    let (mut before, mut made) = (usize::MAX, 0);
    while made < moves {
        let (row, col) = (blank / cols, blank % cols);
        let to = match random.index(4) {
            0 if row > 0 => blank - cols,
            1 if blank + cols < goal.len() => blank + cols,
            2 if col > 0 => blank - 1,
            3 if col + 1 < cols => blank + 1,
            _ => continue,
        };
        if to != before {
            tiles.swap(blank, to);
            (before, blank, made) = (blank, to, made + 1);
        }
    }
    tiles
}

/// Returns results with `moves` and `path` for every line of the input, with these options.
fn results(input: &str, options: &[&str]) -> Vec<String> {
    let fixed = ["solve", "--quiet", "--memory", "3G", "-j", "2", "--fields", "moves,path"];
    let output = run(&[&fixed, options].concat(), input);
    assert_eq!(output.status.code(), Some(0), "{options:?}: {}", stderr(&output));
    stdout(&output).lines().map(String::from).collect()
}

fn moves(result: &str) -> usize {
    let (_, rest) = result.split_once("\"moves\":").unwrap();
    rest.split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap()
}

/// A search for boards on long walks from the goal: the number and length of walks, the length of
/// solutions, and the number of boards.
struct Sought {
    walks: usize,
    walk: usize,
    plies: RangeInclusive<usize>,
    count: usize,
}

/// Finds the first boards with such solutions, and checks that all ways give the same results.
fn agree(rows: usize, cols: usize, goal: &[usize], sought: &Sought, ways: &[&[&str]]) {
    let Sought { walks, walk, plies, count } = sought;
    let mut random = Random::new((rows * 100 + cols) as u64);
    let line = |tiles: &[usize]| format!("{{\"board\":{tiles:?},\"goal\":{goal:?},\"rows\":{rows},\"cols\":{cols}}}\n");
    let tried: Vec<String> = (0..*walks).map(|_| line(&walked(goal, cols, *walk, &mut random))).collect();
    let found = results(&tried.concat(), ways[0]);
    let chosen = tried.iter().zip(&found).filter(|(_, found)| plies.contains(&moves(found)));
    let (boards, expected): (Vec<String>, Vec<String>) =
        chosen.take(*count).map(|(line, found)| (line.clone(), found.clone())).unzip();
    assert_eq!(boards.len(), *count, "too few boards of {plies:?} moves on {rows}x{cols}");
    for way in &ways[1..] {
        assert_eq!(results(&boards.concat(), way), expected, "{rows}x{cols} by {way:?}");
    }
}

/// Returns the goal with its tiles in order and the blank in a cell.
fn goal(cells: usize, blank: usize) -> Vec<usize> {
    let mut tiles: Vec<usize> = (1..cells).collect();
    tiles.insert(blank, 0);
    tiles
}

const WITHOUT_TABLES: [&[&str]; 2] =
    [&["--engine", "idastar", "--heuristic", "walking-conflict"], &["--engine", "bidirectional"]];

/// The same as below with one board of each shape, which is short because of the bidirectional
/// search, and smaller tables.
#[test]
fn boards_of_40_moves_and_more_on_rectangles() {
    let [walking, both_ends] = WITHOUT_TABLES;
    let sought = |walks, walk, plies, count| Sought { walks, walk, plies, count };
    agree(2, 8, &goal(16, 15), &sought(20, 200, 40..=42, 1), &[&["--heuristic", "5-5-5"], walking]);
    agree(3, 5, &goal(15, 14), &sought(20, 150, 40..=42, 1), &[&["--heuristic", "7-7"], walking, both_ends]);
    agree(4, 5, &goal(20, 19), &sought(5, 80, 40..=50, 1), &[&["--heuristic", "5-5-5-4"], walking]);
    // The collection by its name, on a board that must be rotated for a lookup.
    agree(
        6,
        3,
        &goal(18, 0),
        &sought(5, 90, 40..=50, 1),
        &[&["--heuristic", "8x6-4x5"], &["--heuristic", "6-6-5"], walking],
    );
}

#[test]
#[ignore = "minutes in release: run scripts/cross-check"]
fn boards_of_40_to_60_moves_on_rectangles() {
    let [walking, both_ends] = WITHOUT_TABLES;
    let sought = |walk, count| Sought { walks: 8 * count, walk, plies: 40..=60, count };
    let shorter = |walk, plies| Sought { walks: 200, walk, plies, count: 12 };
    let by = |tables| ["--heuristic", tables];
    agree(2, 8, &goal(16, 15), &sought(400, 25), &[&by("8-7"), &by("5-5-5"), walking]);
    agree(3, 5, &goal(15, 14), &sought(200, 25), &[&by("8-6"), &by("7-7"), walking]);
    // Longer solutions take more memory with bidirectional search than many machines have.
    agree(2, 8, &goal(16, 15), &shorter(250, 40..=50), &[&by("8-7"), both_ends]);
    agree(3, 5, &goal(15, 14), &shorter(160, 40..=46), &[&by("8-6"), both_ends]);
    agree(4, 5, &goal(20, 19), &sought(90, 10), &[&by("7-6-6"), &by("5-5-5-4"), walking]);
}

/// Every named collection, compared with a smaller one and with a partition.
#[test]
#[ignore = "minutes in release: run scripts/cross-check"]
fn sets_that_have_names_find_the_paths_of_partitions() {
    let sought = |walk, plies| Sought { walks: 60, walk, plies, count: 12 };
    let by = |tables| ["--heuristic", tables];
    agree(3, 6, &goal(18, 17), &sought(150, 44..=66), &[&by("8x6-4x5"), &by("6-6-5"), &by("5-4-4-4")]);
    agree(5, 4, &goal(20, 0), &sought(120, 44..=62), &[&by("13x6-6x5-6x2-1x1"), &by("4x7-7x6"), &by("5-5-5-4")]);
    // A corner, the centre, the middle of an edge, next to a corner, and inside.
    for (blank, largest) in [(4, "18x6"), (12, "18x6"), (2, "18x6"), (23, "32x6"), (6, "18x6"), (17, "18x6")] {
        let few = Sought { count: 4, ..sought(140, 44..=66) };
        agree(5, 5, &goal(25, blank), &few, &[&by(largest), &by("8x6"), &by("6-6-6-6")]);
    }
}

#[test]
#[ignore = "a minute in release: run scripts/cross-check"]
fn goals_of_4x4_with_the_blank_anywhere() {
    let snail = [1, 2, 3, 4, 12, 13, 14, 5, 11, 0, 15, 6, 10, 9, 8, 7];
    let permuted = [7, 3, 14, 1, 9, 12, 5, 15, 2, 10, 8, 4, 6, 11, 13, 0];
    let others: [&[&str]; 3] = [&["--heuristic", "7-7-1"], &["--heuristic", "6-6-3"], WITHOUT_TABLES[0]];
    let sought = Sought { walks: 80, walk: 70, plies: 40..=60, count: 10 };
    for goal in [&goal(16, 2)[..], &goal(16, 4), &goal(16, 14), &goal(16, 5), &snail, &permuted] {
        agree(4, 4, goal, &sought, &others);
    }
    // The largest tables, for which vector code is used.
    for goal in [&goal(16, 11)[..], &snail] {
        agree(4, 4, goal, &sought, &[&["--heuristic", "7-8"], others[1], others[2]]);
    }
}

/// Korf and Felner (*Disjoint pattern database heuristics*, Artificial Intelligence 134, 2002) give
/// 82 moves for their fortieth board and 81 for their twenty-fifth.
#[test]
#[ignore = "20 s in release: run scripts/cross-check"]
fn two_boards_of_the_24_puzzle_have_their_published_lengths() {
    let boards = "2 17 4 13 7 12 10 3 0 16 21 24 8 5 18 20 15 19 14 9 22 11 6 1 23\n\
                  3 17 9 8 24 1 11 12 14 0 5 4 22 13 16 21 15 6 7 10 20 23 2 18 19\n";
    let found = results(boards, &["--goal", "blank-first", "--heuristic", "6-6-6-6"]);
    assert_eq!(found.iter().map(|result| moves(result)).collect::<Vec<_>>(), [82, 81]);
}
