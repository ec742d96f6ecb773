//! `judge`: arbitrary answers of a contestant or a jury get a verdict under every profile, and the
//! verdict never blames taquin.
//!
//! The first byte chooses the profile. The rest are the answers: the contestant's and, after
//! `==jury==`, the jury's. The boards are those of `tests/profiles`. `scripts/fuzz` runs this.

#![no_main]

use std::io::Cursor;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use taquin::Solver;
use taquin::internal::format::input::{InputOptions, Reader};
use taquin::internal::format::profile::{AnswerFormat, ClaimReader, Profile};
use taquin::internal::tools::judge::{AnswerFiles, FaultKind, run};
use taquin_fuzz::Choices;

/// A solver whose searches end immediately, because this target tests how answers are read.
static SOLVER: LazyLock<Solver> = LazyLock::new(|| {
    let solver = Solver::builder().threads(1).memory(64 << 20).node_limit(1).effort(1).build();
    solver.unwrap_or_else(|error| panic!("{error}"))
});

/// The profiles that have an answer format, with this format and the text of their boards.
static CASES: LazyLock<Vec<(&'static Profile, AnswerFormat, String)>> = LazyLock::new(|| {
    let case = |profile: &'static Profile| {
        let answer = profile.answer?;
        let path = format!("{}/../tests/profiles/{}.in", env!("CARGO_MANIFEST_DIR"), profile.name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        Some((profile, answer, text))
    };
    Profile::all().filter_map(case).collect()
});

const SEPARATOR: &[u8] = b"==jury==";

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let (profile, format, boards) = &CASES[usize::from(choices.byte()) % CASES.len()];
    let at = choices.0.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
    let (answer, jury) = match at {
        Some(at) => (&choices.0[..at], Some(&choices.0[at + SEPARATOR.len()..])),
        None => (choices.0, None),
    };
    let open = |text: &[u8]| ClaimReader::new(Box::new(Cursor::new(text.to_vec())), format);
    let files = AnswerFiles { answer: open(answer), jury: jury.map(open) };
    let mut reader = Reader::of_text("BOARDS", Cursor::new(boards.clone()), profile.fill(InputOptions::default()));
    match run(format, &SOLVER, &mut reader, files, &|_| {}) {
        Ok(verdict) => {
            let fault = verdict.first_fault.map(|found| found.fault);
            assert!(fault.as_ref().is_none_or(|fault| fault.kind != FaultKind::Program), "{}: {fault:?}", profile.name);
        }
        Err(error) => panic!("{}: {error}", profile.name),
    }
});
