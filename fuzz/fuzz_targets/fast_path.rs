//! The fast path, which solves plain records of small boards in blocks, and the general path, on
//! arbitrary bytes: both give the same results and counts.
//!
//! The first byte chooses layout, goal, shape and fields; the rest is the file. `scripts/fuzz` runs
//! this.

#![no_main]

use std::io::Cursor;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use libfuzzer_sys::fuzz_target;
use taquin::Solver;
use taquin::internal::batch::fast_path::FastPath;
use taquin::internal::batch::{self, Counts, Options, Totals};
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin::internal::format::output::Fields;
use taquin::internal::format::style::Style;

/// The solver of all runs, so that tables are built once.
static SOLVER: LazyLock<Solver> = LazyLock::new(|| {
    let solver = Solver::builder().threads(1).memory(64 << 20).node_limit(1).effort(1).build();
    solver.unwrap_or_else(|error| panic!("{error}"))
});

const LAYOUTS: [Option<Layout>; 4] = [None, Some(Layout::Line), Some(Layout::Digits), Some(Layout::Json)];
const GOALS: [&str; 4] = ["blank-last", "blank-first", "snail", "7,4,1,0,5,2,8,6,3"];
const SHAPES: [Option<&str>; 4] = [None, Some("3x3"), Some("2x3"), Some("3x2")];
const FIELDS: [&[&str]; 2] = [&[], &["path", "line", "error", "index", "moves", "status"]];

fn run(text: &[u8], input: &InputOptions, fields: &Fields, fast_path: FastPath) -> (Vec<u8>, Counts) {
    let style = Style::Json(fields.clone());
    let options = Options { fast_path, ..Options::new(style) };
    let (mut results, totals) = (Vec::new(), Totals::default());
    let (stop, report) = (AtomicBool::new(false), |_: &str| {});
    let mut reader = Reader::of_text("FILE", Cursor::new(text.to_vec()), input.clone());
    if let Err(error) = batch::run(&mut reader, &mut results, &SOLVER, &options, &totals, &stop, &report) {
        panic!("{error}");
    }
    (results, totals.counts())
}

/// Returns the item that `number` chooses, and leaves the quotient in `number` for the next choice.
fn choose<T: Clone>(from: &[T], number: &mut usize) -> T {
    let chosen = from[*number % from.len()].clone();
    *number /= from.len();
    chosen
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, text)) = bytes.split_first() else { return };
    let mut number = usize::from(first);
    let input = InputOptions {
        layout: choose(&LAYOUTS, &mut number),
        goal: choose(&GOALS, &mut number).parse().ok(),
        shape: choose(&SHAPES, &mut number).and_then(|shape| shape.parse().ok()),
        ..InputOptions::default()
    };
    let fields = match choose(&FIELDS, &mut number) {
        [] => Fields::default(),
        names => Fields::new(names.iter().filter_map(|name| name.parse().ok())),
    };
    let fast = run(text, &input, &fields, FastPath::On);
    let general = run(text, &input, &fields, FastPath::Off);
    assert!(fast == general, "{}\n{}", String::from_utf8_lossy(&fast.0), String::from_utf8_lossy(&general.0));
});
