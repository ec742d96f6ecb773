//! `improve`, with arbitrary paths and boards: every record gets one line, the paths are together
//! no longer than before, and every returned path leads to the goal.
//!
//! The first byte chooses the boards: fixed ones, or the text before `==paths==`. The rest are the
//! paths. `scripts/fuzz` runs this.

#![no_main]

use std::io::Cursor;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

use libfuzzer_sys::fuzz_target;
use taquin::Solver;
use taquin::internal::format::input::{InputOptions, Reader};
use taquin::internal::format::style::Style;
use taquin::internal::tools::improve::{KnownPaths, Options, run};
use taquin::internal::tools::verify;
use taquin_fuzz::Choices;

/// A solver whose searches end immediately, because this target tests how paths are read and split.
static SOLVER: LazyLock<Solver> = LazyLock::new(|| {
    let solver = Solver::builder().threads(1).memory(64 << 20).node_limit(1).fall_back(true).effort(1).build();
    solver.unwrap_or_else(|error| panic!("{error}"))
});

const SEPARATOR: &[u8] = b"==paths==";
const BOARDS: &[u8] = b"1 2 3 4 5 6 0 7 8\n2 1 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 8 9 10 0 12 13 14 11 15\n1 2 2\n";

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let has_boards = choices.byte() % 2 == 1;
    let at = choices.0.windows(SEPARATOR.len()).position(|window| window == SEPARATOR).filter(|_| has_boards);
    let (boards, paths) = match at {
        Some(at) => (&choices.0[..at], &choices.0[at + SEPARATOR.len()..]),
        None => (BOARDS, choices.0),
    };
    let reader = || Reader::of_text("BOARDS", Cursor::new(boards.to_vec()), InputOptions::default());
    let Ok(mut known_paths) = KnownPaths::of_text(Box::new(Cursor::new(paths.to_vec()))) else { return };
    let stop = AtomicBool::new(false);
    let (spelling, style) = (Default::default(), Style::default());
    let options = Options { solver: &SOLVER, proof_nodes: None, spelling, style, stop: &stop };
    let mut out = Vec::new();
    // Paths that are out of order, or more paths than boards, end a run.
    let Ok(gain) = run(&mut reader(), &mut known_paths, &options, &mut out, &|_| {}) else { return };
    assert!(gain.after <= gain.before, "{gain:?}");
    let options = verify::Options {
        ordered: true,
        pass: Default::default(),
        spelling: Default::default(),
        threads: 1,
        sample: None,
    };
    match verify::run(&mut reader(), Box::new(Cursor::new(out)), &options, &mut |_| {}) {
        Ok(report) => assert_eq!(report.problems, 0, "{report}"),
        Err(error) => panic!("{error}"),
    }
});
