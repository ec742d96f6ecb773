//! A fault of the program on one board costs one record.

use std::sync::Mutex;

use super::*;
use crate::board::{Board, Shape, Tile};
use crate::format::input::{Input, InputOptions, Layout};
use crate::format::output::{Field, Fields};
use crate::plan::Wishes;

const EASY: &str = "1 2 3 4 5 6 7 0 8";
const SEARCHED: &str = "1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15";

fn board(text: &str) -> Board {
    let tiles: Vec<usize> = text.split(' ').map(|tile| tile.parse().unwrap()).collect();
    let side = tiles.len().isqrt();
    let tiles: Vec<Tile> = tiles.into_iter().map(Tile::new).collect();
    Board::new(Shape::new(side, side).unwrap(), &tiles).unwrap()
}

/// Results of all records, and what people are told.
fn run_with(
    trap: Option<&str>,
    threads: usize,
    parallel: Parallel,
    ordered: bool,
) -> (Vec<String>, Counts, Vec<String>) {
    let mut boards = Vec::new();
    for number in 0..40 {
        boards.push(if number % 7 == 0 { EASY } else { "1 2 3 4 5 6 0 7 8" });
        boards.push(if number % 5 == 0 { SEARCHED } else { "1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15" });
        boards.push("1 2 3");
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards");
    std::fs::write(&path, boards.join("\n")).unwrap();
    let options = InputOptions { layout: Some(Layout::Line), ..InputOptions::default() };
    let mut reader = Reader::new(vec![Input::Path(path)], options);
    let mut solvers = Solvers::new(Wishes::default(), threads, 1 << 30);
    solvers.trap = trap.map(board);
    let style = Style::Json(Fields::new([Field::Index, Field::Status, Field::Path]));
    let limits = Limits { nodes: None, time: None };
    let options = Options { threads, parallel, ordered, limits, style, fast_path: crate::bulk::FastPath::Off };
    let (mut sink, totals, stop, told) =
        (Vec::new(), Totals::default(), AtomicBool::new(false), Mutex::new(Vec::new()));
    let tell = |line: &str| told.lock().unwrap().push(line.to_string());
    run(&mut reader, &mut sink, &solvers, &options, &totals, &stop, &tell).unwrap();
    let mut lines: Vec<String> = String::from_utf8(sink).unwrap().lines().map(String::from).collect();
    if !ordered {
        lines.sort_by_key(|line| line.split([':', ',']).nth(1).unwrap().parse::<usize>().unwrap());
    }
    (lines, totals.counts(), told.into_inner().unwrap())
}

/// Boards that are answered at once and boards that are searched, some of which wait for another's answer.
#[test]
fn a_fault_on_one_board_costs_one_record() {
    let (expected, all, told) = run_with(None, 1, Parallel::Auto, true);
    assert!(all.solved == 80 && all.invalid == 40 && told.is_empty());
    for (trap, times) in [(EASY, 6), (SEARCHED, 8)] {
        for (threads, parallel, ordered) in [
            (1, Parallel::Auto, true),
            (3, Parallel::Auto, true),
            (3, Parallel::Within, true),
            (3, Parallel::Auto, false),
        ] {
            let (found, counts, told) = run_with(Some(trap), threads, parallel, ordered);
            assert_eq!((counts.error, counts.solved, counts.invalid), (times, 80 - times, 40));
            let others: Vec<_> = found.iter().zip(&expected).filter(|(found, expected)| found != expected).collect();
            assert_eq!((found.len(), others.len() as u64), (expected.len(), times));
            assert!(others.iter().all(|(found, _)| found.ends_with("\"status\":\"error\"}")), "{others:?}");
            assert!(!told.is_empty() && told.len() as u64 <= times);
            assert!(told.iter().all(|line| line.contains("planted") && line.contains("report this with the board")));
        }
    }
}
