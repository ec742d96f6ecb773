//! Boards of more shapes and goals than in `cross_check`, solved with several pattern databases
//! and, for most shapes, also without any; and two 5x5 boards with published solution lengths. The
//! suite solves one board on each of three rectangles. The tests with more boards, larger tables and
//! the goals of 4x4 take minutes, so they are ignored, and `scripts/cross-check` runs them:
//! `cargo test --release --test it -- --ignored cross_check_shapes::`.

use std::ops::RangeInclusive;

use crate::common::{Random, run, stderr, stdout};

/// Returns the board that `moves` random moves reach from the goal. No move undoes the one before.
fn random_walk(goal: &[usize], cols: usize, moves: usize, random: &mut Random) -> Vec<usize> {
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

/// Returns the results for every line of the input, with the fields `moves` and `path`.
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

/// A sample of boards at the ends of random walks from the goal.
struct Sample {
    /// The number of walks.
    walks: usize,
    /// The number of moves of each walk.
    walk_length: usize,
    /// The solution lengths of the boards that are chosen.
    lengths: RangeInclusive<usize>,
    /// The number of boards that are chosen.
    count: usize,
}

/// Solves a sample with each variant of options, and checks that all give the same results. The
/// first variant also solves the boards from which the sample is chosen.
fn check_agreement(rows: usize, cols: usize, goal: &[usize], sample: &Sample, variants: &[&[&str]]) {
    let Sample { walks, walk_length, lengths, count } = sample;
    let mut random = Random::new((rows * 100 + cols) as u64);
    let line = |tiles: &[usize]| format!("{{\"board\":{tiles:?},\"goal\":{goal:?},\"rows\":{rows},\"cols\":{cols}}}\n");
    let candidates: Vec<String> =
        (0..*walks).map(|_| line(&random_walk(goal, cols, *walk_length, &mut random))).collect();
    let found = results(&candidates.concat(), variants[0]);
    let chosen = candidates.iter().zip(&found).filter(|(_, found)| lengths.contains(&moves(found)));
    let (boards, expected): (Vec<String>, Vec<String>) =
        chosen.take(*count).map(|(line, found)| (line.clone(), found.clone())).unzip();
    assert_eq!(boards.len(), *count, "too few boards of {lengths:?} moves on {rows}x{cols}");
    for variant in &variants[1..] {
        assert_eq!(results(&boards.concat(), variant), expected, "{rows}x{cols} by {variant:?}");
    }
}

/// Returns the goal with its tiles in order and the blank in this cell.
fn goal(cells: usize, blank: usize) -> Vec<usize> {
    let mut tiles: Vec<usize> = (1..cells).collect();
    tiles.insert(blank, 0);
    tiles
}

const WITHOUT_TABLES: [&[&str]; 2] =
    [&["--engine", "idastar", "--heuristic", "walking-conflict"], &["--engine", "bidirectional"]];

/// A short version of the tests below: one board of each shape, and smaller tables.
#[test]
fn one_board_of_at_least_40_moves_on_each_rectangle() {
    let [walking, both_ends] = WITHOUT_TABLES;
    let sample = |walks, walk_length, lengths, count| Sample { walks, walk_length, lengths, count };
    check_agreement(2, 8, &goal(16, 15), &sample(20, 200, 40..=42, 1), &[&["--heuristic", "5-5-5"], walking]);
    check_agreement(
        3,
        5,
        &goal(15, 14),
        &sample(20, 150, 40..=42, 1),
        &[&["--heuristic", "5-5-4"], walking, both_ends],
    );
    check_agreement(4, 5, &goal(20, 19), &sample(5, 80, 40..=50, 1), &[&["--heuristic", "5-5-5-4"], walking]);
}

#[test]
#[ignore = "takes minutes in release: run by scripts/cross-check"]
fn boards_of_40_to_60_moves_on_rectangles() {
    let [walking, both_ends] = WITHOUT_TABLES;
    let sample = |walk_length, count| Sample { walks: 8 * count, walk_length, lengths: 40..=60, count };
    let short = |walk_length, lengths| Sample { walks: 200, walk_length, lengths, count: 12 };
    let by = |tables| ["--heuristic", tables];
    check_agreement(2, 8, &goal(16, 15), &sample(400, 25), &[&by("8-7"), &by("5-5-5"), walking]);
    check_agreement(3, 5, &goal(15, 14), &sample(200, 25), &[&by("8-6"), &by("7-7"), walking]);
    // For longer solutions bidirectional search would take more memory than many machines have.
    check_agreement(2, 8, &goal(16, 15), &short(250, 40..=50), &[&by("8-7"), both_ends]);
    check_agreement(3, 5, &goal(15, 14), &short(160, 40..=46), &[&by("8-6"), both_ends]);
    check_agreement(4, 5, &goal(20, 19), &sample(90, 10), &[&by("7-6-6"), &by("5-5-5-4"), walking]);
}

/// Named collections of pattern databases, compared with smaller ones, if there are any, and with
/// partitions of the tiles.
#[test]
#[ignore = "takes minutes in release: run by scripts/cross-check"]
fn named_collections_agree_with_partitions() {
    let sample = |walk_length, lengths| Sample { walks: 60, walk_length, lengths, count: 12 };
    let by = |tables| ["--heuristic", tables];
    check_agreement(3, 6, &goal(18, 17), &sample(150, 44..=66), &[&by("8x6-4x5"), &by("6-6-5"), &by("5-4-4-4")]);
    check_agreement(
        5,
        4,
        &goal(20, 0),
        &sample(120, 44..=62),
        &[&by("13x6-6x5-6x2-1x1"), &by("4x7-7x6"), &by("5-5-5-4")],
    );
    // The tables of 3x6 also serve 6x3 boards, by symmetry.
    let one = Sample { walks: 5, walk_length: 90, lengths: 40..=50, count: 1 };
    check_agreement(6, 3, &goal(18, 0), &one, &[&by("8x6-4x5"), &by("6-6-5"), WITHOUT_TABLES[0]]);
    // A corner, the centre, the middle of an edge, a cell next to a corner, and two inner cells.
    for (blank, largest) in [(4, "18x6"), (12, "18x6"), (2, "18x6"), (23, "32x6"), (6, "18x6"), (17, "18x6")] {
        let few = Sample { count: 4, ..sample(140, 44..=66) };
        check_agreement(5, 5, &goal(25, blank), &few, &[&by(largest), &by("6-6-6-6")]);
    }
}

#[test]
#[ignore = "takes a minute in release: run by scripts/cross-check"]
fn goals_of_4x4_with_the_blank_anywhere() {
    let snail = [1, 2, 3, 4, 12, 13, 14, 5, 11, 0, 15, 6, 10, 9, 8, 7];
    let permuted = [7, 3, 14, 1, 9, 12, 5, 15, 2, 10, 8, 4, 6, 11, 13, 0];
    let variants: [&[&str]; 3] = [&["--heuristic", "7-7-1"], &["--heuristic", "6-6-3"], WITHOUT_TABLES[0]];
    let sample = Sample { walks: 80, walk_length: 70, lengths: 40..=60, count: 10 };
    for goal in [&goal(16, 2)[..], &goal(16, 4), &goal(16, 14), &goal(16, 5), &snail, &permuted] {
        check_agreement(4, 4, goal, &sample, &variants);
    }
    // The largest tables, whose search has vector code.
    for goal in [&goal(16, 11)[..], &snail] {
        check_agreement(4, 4, goal, &sample, &[&["--heuristic", "7-8"], variants[1], variants[2]]);
    }
}

/// Korf and Felner (*Disjoint pattern database heuristics*, Artificial Intelligence 134, 2002) give
/// 82 moves for their fortieth board and 81 for their twenty-fifth.
#[test]
#[ignore = "takes 20 s in release: run by scripts/cross-check"]
fn two_boards_of_the_24_puzzle_have_their_published_lengths() {
    let boards = "2 17 4 13 7 12 10 3 0 16 21 24 8 5 18 20 15 19 14 9 22 11 6 1 23\n\
                  3 17 9 8 24 1 11 12 14 0 5 4 22 13 16 21 15 6 7 10 20 23 2 18 19\n";
    let found = results(boards, &["--goal", "blank-first", "--heuristic", "6-6-6-6"]);
    assert_eq!(found.iter().map(|result| moves(result)).collect::<Vec<_>>(), [82, 81]);
}
