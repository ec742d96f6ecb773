//! Tests that a bug triggered by one board affects only its records, and that other bugs end the
//! run.

use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use super::fast_path::FastPath;
use super::*;
use crate::board::{Board, Shape, Tile};
use crate::engine::Parallel;
use crate::format::input::{Input, InputOptions, Layout, Reader};
use crate::format::output::{Field, Fields};
use crate::format::style::Style;
use crate::solver::Solver;
use crate::solver::tests::set_trap;

const EASY: &str = "1 2 0 3";
const SEARCHED: &str = "1 2 3 4 5 6 7 8 9 10 11 12 13 0 14 15";

fn board(text: &str) -> Board {
    let tiles: Vec<usize> = text.split(' ').map(|tile| tile.parse().unwrap()).collect();
    let side = tiles.len().isqrt();
    let tiles: Vec<Tile> = tiles.into_iter().map(Tile::new).collect();
    Board::new(Shape::new(side, side).unwrap(), &tiles).unwrap()
}

/// Returns three records that depend on `number`: a cheap board, one that is searched, and an
/// invalid one.
fn three_records(number: usize) -> [&'static str; 3] {
    [
        if number.is_multiple_of(7) { EASY } else { "1 2 3 4 5 6 0 7 8" },
        if number.is_multiple_of(5) { SEARCHED } else { "1 2 3 4 5 6 7 8 9 10 11 12 0 13 14 15" },
        "1 2 3",
    ]
}

/// Solves 120 records, and returns their results, their counts, and the reports.
fn run_with(
    trap: Option<&str>,
    threads: usize,
    parallel: Parallel,
    ordered: bool,
) -> (Vec<String>, Counts, Vec<String>) {
    let boards: Vec<&str> = (0..40).flat_map(three_records).collect();
    let (mut sink, reports) = (Vec::new(), Mutex::new(Vec::new()));
    let report = |line: &str| reports.lock().unwrap().push(line.to_string());
    let (ended, totals) = run_to(&mut sink, &boards, trap, (threads, parallel, ordered), &report);
    ended.unwrap();
    let mut lines: Vec<String> = String::from_utf8(sink).unwrap().lines().map(String::from).collect();
    if !ordered {
        lines.sort_by_key(|line| line.split([':', ',']).nth(1).unwrap().parse::<usize>().unwrap());
    }
    (lines, totals.counts(), reports.into_inner().unwrap())
}

/// Solves these boards. The engines panic on `trap`.
fn run_to(
    sink: &mut dyn Sink,
    boards: &[&str],
    trap: Option<&str>,
    (threads, parallel, ordered): (usize, Parallel, bool),
    report: &(dyn Fn(&str) + Sync),
) -> (Result<(), Error>, Totals) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards");
    std::fs::write(&path, boards.join("\n")).unwrap();
    let options = InputOptions { layout: Some(Layout::Line), ..InputOptions::default() };
    let mut reader = Reader::new(vec![Input::Path(path)], options);
    let builder = Solver::builder().threads(threads).parallel(parallel).memory(1 << 30);
    let solver = builder.build().unwrap();
    trap.map(board).into_iter().for_each(|trap| set_trap(&solver, trap));
    let style = Style::Json(Fields::new([Field::Index, Field::Status, Field::Path]));
    let options = Options { ordered, fast_path: FastPath::Off, ..Options::new(style) };
    let (totals, stop) = (Totals::default(), AtomicBool::new(false));
    let ended = run(&mut reader, sink, &solver, &options, &totals, &stop, report);
    assert_eq!(stop.into_inner(), ended.is_err());
    (ended, totals)
}

/// Some boards are answered immediately, others are searched, and others wait for the result of
/// another record.
#[test]
fn a_panic_on_one_board_affects_only_its_records() {
    let (expected, counts, reports) = run_with(None, 1, Parallel::Auto, true);
    assert!(counts.solved == 80 && counts.invalid == 40 && reports.is_empty());
    for (trap, times) in [(EASY, 6), (SEARCHED, 8)] {
        for (threads, parallel, ordered) in [
            (1, Parallel::Auto, true),
            (3, Parallel::Auto, true),
            (3, Parallel::Within, true),
            (3, Parallel::Auto, false),
        ] {
            let (found, counts, reports) = run_with(Some(trap), threads, parallel, ordered);
            assert_eq!((counts.error, counts.solved, counts.invalid), (times, 80 - times, 40));
            let changed: Vec<_> = found.iter().zip(&expected).filter(|(found, expected)| found != expected).collect();
            assert_eq!((found.len(), changed.len() as u64), (expected.len(), times));
            assert!(changed.iter().all(|(found, _)| found.ends_with("\"status\":\"error\"}")), "{changed:?}");
            assert!(!reports.is_empty() && reports.len() as u64 <= times);
            assert!(reports.iter().all(|line| line.contains("planted") && line.contains("report this with the board")));
        }
    }
}

/// A sink that panics at its n-th write.
struct FaultySink<'a>(&'a mut Vec<u8>, usize);

impl Write for FaultySink<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1 -= 1;
        assert!(self.1 > 0, "a planted fault");
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink for FaultySink<'_> {}

/// The program panics outside the work on one record. There are more chunks than may be open at
/// once. The failed chunk is never submitted, so a thread that waited for it would hang.
#[test]
fn a_panic_outside_the_work_on_a_record_ends_the_run() {
    let mut boards = vec![EASY; 3];
    let cheap_boards = boards.len();
    // Each board that needs a search becomes a separate chunk.
    boards.extend((0..400).map(|number| three_records(number)[1]).chain(three_records(0)));
    let modes =
        [(1, Parallel::Auto, true), (3, Parallel::Auto, true), (3, Parallel::Within, true), (3, Parallel::Auto, false)];
    for mode in modes {
        // The program panics while a chunk is processed, in a search, or while results are written.
        for (trap, first_affected) in [(Some(boards[0]), 1), (Some(SEARCHED), cheap_boards + 1), (None, 1)] {
            let report = |_: &str| panic!("a planted fault");
            let mut written = Vec::new();
            let writes = if trap.is_some() { usize::MAX } else { 3 };
            let (ended, _) = run_to(&mut FaultySink(&mut written, writes), &boards, trap, mode, &report);
            let Err(Error::Fault(fault)) = ended else { panic!("{mode:?}, {trap:?}: {ended:?}") };
            assert!(
                fault.starts_with("the program failed at or soon after ") && fault.ends_with(": a planted fault"),
                "{fault}"
            );
            let results = String::from_utf8(written).unwrap();
            assert!(results.is_empty() || results.ends_with('\n'));
            if mode.2 {
                let number = |line: &str| line.split([':', ',']).nth(1).unwrap().parse::<usize>().unwrap();
                let numbers = results.lines().map(number);
                assert!(numbers.eq(1..=results.lines().count()), "{mode:?}, {trap:?}");
                assert!(trap.is_none() || results.lines().count() < first_affected, "{mode:?}, {trap:?}: {results}");
            }
        }
    }
}

/// The reader panics while boards are being searched.
#[test]
fn a_panic_in_the_reader_ends_the_run() {
    struct BrokenReader(usize);
    impl io::Read for BrokenReader {
        fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
            assert!(self.0 > 0, "a planted fault");
            self.0 -= 1;
            let text = format!("{SEARCHED}\n");
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            Ok(text.len())
        }
    }
    for threads in [1, 3] {
        let options = InputOptions { layout: Some(Layout::Line), ..InputOptions::default() };
        let mut reader = Reader::of_text("boards", BrokenReader(5), options);
        let solver = Solver::builder().threads(threads).memory(1 << 30).build().unwrap();
        let style = Style::Json(Fields::new([Field::Index, Field::Status]));
        let options = Options { fast_path: FastPath::Off, ..Options::new(style) };
        let (totals, stop, mut written) = (Totals::default(), AtomicBool::new(false), Vec::new());
        let ended = run(&mut reader, &mut written, &solver, &options, &totals, &stop, &|_| {});
        let Err(Error::Fault(fault)) = ended else { panic!("{ended:?}") };
        assert!(fault.contains("the program failed while reading: a planted fault"), "{fault}");
        assert!(stop.into_inner() && (written.is_empty() || written.ends_with(b"\n")));
    }
}
