//! `judge`: whatever a contestant or a jury hands in, under every profile, there is a verdict, and it is never a fault of
//! the program.
//!
//! The first byte chooses the profile, the second whether the jury's answer is there too; the rest are the answers, behind
//! `==jury==` the jury's. The boards are the first of `tests/profiles`. `scripts/fuzz` runs this.

#![no_main]

use std::io::Cursor;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use taquin::engine::Limits;
use taquin::format::input::{InputOptions, Reader};
use taquin::format::profile::{AnswerFormat, ClaimReader, PROFILES, Profile};
use taquin::judge::{Court, Files, Kind, Rules, run};
use taquin::plan::Wishes;
use taquin::solver::Solvers;
use taquin_fuzz::Choices;

static SOLVERS: LazyLock<Solvers> = LazyLock::new(|| Solvers::new(Wishes::default(), 1, 64 << 20));

/// Profiles with answers, and the boards that they are given.
static CASES: LazyLock<Vec<(&'static Profile, AnswerFormat, String)>> = LazyLock::new(|| {
    let case = |profile: &'static Profile| {
        let answer = profile.answer?;
        let path = format!("{}/../tests/profiles/{}.in", env!("CARGO_MANIFEST_DIR"), profile.name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        Some((profile, answer, text))
    };
    PROFILES.iter().filter_map(case).collect()
});

const JURY: &[u8] = b"==jury==";

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let (profile, format, boards) = &CASES[usize::from(choices.byte()) % CASES.len()];
    let at = choices.0.windows(JURY.len()).position(|window| window == JURY);
    let (answer, jury) = match at {
        Some(at) => (&choices.0[..at], Some(&choices.0[at + JURY.len()..])),
        None => (choices.0, None),
    };
    let open = |text: &[u8]| ClaimReader::new(Box::new(Cursor::new(text.to_vec())), format);
    let files = Files { answer: open(answer), jury: jury.map(open) };
    // Searches end at once: what is looked at is how answers are read.
    let limits = Limits { nodes: Some(1), time: None };
    let court = Court { rules: Rules::new(format, None, None), solvers: &SOLVERS, limits, threads: 1 };
    let mut reader = Reader::of_text("BOARDS", Cursor::new(boards.clone()), profile.fill(InputOptions::default()));
    match run(&court, &mut reader, files, &|_| {}) {
        Ok(verdict) => {
            let fault = verdict.fault.map(|finding| finding.fault);
            assert!(fault.as_ref().is_none_or(|fault| fault.kind != Kind::Ours), "{}: {fault:?}", profile.name);
        }
        Err(error) => panic!("{}: {error}", profile.name),
    }
});
