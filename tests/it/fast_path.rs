//! The fast path, which solves plain records of small boards in blocks, compared with the general
//! path: both give the same bytes and counts for any file.

use std::io::Cursor;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use taquin::internal::batch::fast_path::FastPath;
use taquin::internal::batch::{self, Counts, Options, Totals};
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin::internal::format::output::Fields;
use taquin::internal::format::style::Style;
use taquin::{Goal, Solver};

use crate::common;

/// Solvers with one thread and with two. All tests share them, so tables are built once.
static SOLVERS: LazyLock<[Solver; 2]> = LazyLock::new(|| {
    [1, 2].map(|threads| Solver::builder().threads(threads).memory(1 << 30).node_limit(100).build().unwrap())
});

fn run(text: &[u8], input: &InputOptions, fields: &Fields, threads: usize, fast_path: FastPath) -> (String, Counts) {
    let options = Options { fast_path, ..Options::new(Style::Json(fields.clone())) };
    let (mut results, totals) = (Vec::new(), Totals::default());
    let (stop, report) = (AtomicBool::new(false), |_: &str| {});
    let mut reader = Reader::of_text("FILE", Cursor::new(text.to_vec()), input.clone());
    batch::run(&mut reader, &mut results, &SOLVERS[threads - 1], &options, &totals, &stop, &report).unwrap();
    (String::from_utf8(results).unwrap(), totals.counts())
}

fn check_same(text: &[u8], input: &InputOptions, fields: &Fields, threads: usize) {
    let fast = run(text, input, fields, threads, FastPath::On);
    let general = run(text, input, fields, threads, FastPath::Off);
    assert_eq!(fast, general, "{}", String::from_utf8_lossy(text));
}

/// Generates the text of a file: mostly plain lines, and some unusual ones.
fn lines(plain: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let unusual = prop_oneof![
        Just("1  2 3 4 5 6 7 8 0\n".to_string()),
        Just(" 8 1 2 3 4 5 6 7 0 \n".to_string()),
        Just("8\t1,2 3 4 5 6 7 x\r\n".to_string()),
        Just("1 2 3 4 5 6 7 8 0 # solved\n".to_string()),
        Just("# comment\n".to_string()),
        Just("# taquin: goal=snail\n".to_string()),
        Just("\n\n".to_string()),
        Just("1 2 3 4 5 6 7 8 9\n".to_string()),
        Just("1 2 3 4 5 6 7 7 0\n".to_string()),
        Just("1 2 3 4 5 6 7 8 0 0\n".to_string()),
        Just("1 2 3 4 5 6 7 8\n".to_string()),
        Just("1 2 3 0\n".to_string()),
        Just("1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0\n".to_string()),
        Just("123456780\n".to_string()),
        Just("12345678x\r\n".to_string()),
        Just("01 2 3 4 5 6 7 8 0\n".to_string()),
        Just("1 2 3 4 5 6 7 8 \u{e9}\n".to_string()),
        "[0-9x ,]{0,30}\n",
    ];
    let line = prop_oneof![60 => plain, 1 => unusual];
    (prop::collection::vec(line, 0..500), prop_oneof![Just(""), Just("1 2 3 4 5 6 7 0 8"), Just("#"), Just(" ")])
        .prop_map(|(lines, end)| lines.concat() + end)
}

/// Generates the tiles of any 3×3 board, solvable or not.
fn tiles() -> impl Strategy<Value = Vec<String>> {
    Just((0..9).map(|tile| tile.to_string()).collect::<Vec<_>>()).prop_shuffle()
}

fn options(layout: Option<Layout>, goal: &str, shape: Option<&str>) -> InputOptions {
    let goal = (!goal.is_empty()).then(|| goal.parse::<Goal>().unwrap());
    InputOptions { layout, goal, shape: shape.map(|shape| shape.parse().unwrap()), ..InputOptions::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn plain_and_unusual_lines(
        text in lines(tiles().prop_map(|tiles| tiles.join(" ") + "\n")),
        goal in prop_oneof![Just(""), Just("snail"), Just("7,4,1,0,5,2,8,6,3")],
        layout in prop_oneof![Just(None), Just(Some(Layout::Line))],
        threads in 1usize..3,
    ) {
        check_same(text.as_bytes(), &options(layout, goal, None), &Fields::default(), threads);
    }

    #[test]
    fn plain_and_unusual_lines_of_digits(
        text in lines(tiles().prop_map(|tiles| tiles.concat() + "\r\n")),
        goal in prop_oneof![Just(""), Just("blank-first")],
        layout in prop_oneof![Just(None), Just(Some(Layout::Digits))],
    ) {
        let fields = ["path", "line", "index", "status", "error"].map(|field| field.parse().unwrap());
        check_same(text.as_bytes(), &options(layout, goal, None), &Fields::new(fields), 1);
    }

    #[test]
    fn plain_and_unusual_lines_of_another_shape(
        text in lines(Just(vec!["0", "1", "2", "3", "4", "5"]).prop_shuffle().prop_map(|tiles| tiles.join(",") + "\n")),
        shape in prop_oneof![Just("2x3"), Just("3x2"), Just("1x6")],
    ) {
        check_same(text.as_bytes(), &options(Some(Layout::Line), "", Some(shape)), &Fields::default(), 2);
    }

    #[test]
    fn numbered_lines_and_count_lines(
        text in lines(tiles().prop_map(|tiles| "7 ".to_string() + &tiles.join(" ") + "\n")),
        numbered in any::<bool>(),
        count_line in any::<bool>(),
    ) {
        let input = InputOptions { numbered, count_line, ..options(Some(Layout::Line), "", None) };
        check_same(text.as_bytes(), &input, &Fields::default(), 1);
    }
}

/// `--no-fast-path` does not change the results, whatever the fields and the engine. Some of these
/// fields are written only by the general path.
#[test]
fn fields_and_engines_do_not_depend_on_the_fast_path() {
    let mut random = common::Random::new(7);
    let mut input = String::new();
    for _ in 0..300 {
        let tiles: Vec<String> = random.permutation(9).iter().map(ToString::to_string).collect();
        input += &(tiles.join(" ") + "\n");
    }
    for arguments in [
        &["--fields", "index,board,goal,rows,cols,status,moves,path,optimal,states"][..],
        &["--fields", "engine,heuristic,path"],
        &["--unordered", "-j", "1"],
        &["--engine", "astar", "-j", "1"],
        &["--goal", "snail", "-j", "2"],
    ] {
        let with = common::run(&[&["solve", "-q"], arguments].concat(), &input);
        let without = common::run(&[&["solve", "-q", "--no-fast-path"], arguments].concat(), &input);
        assert!(with.status.success() && without.status.success());
        assert_eq!(common::stdout(&with), common::stdout(&without), "{arguments:?}");
        assert_eq!(common::stdout(&with).lines().count(), 300);
    }
}
