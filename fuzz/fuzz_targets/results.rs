//! `verify`: an arbitrary results file is accepted only if its result for every record is right.
//!
//! The first byte chooses whether the results must be in order; the rest are the results.
//! `scripts/fuzz` runs this.

#![no_main]

use std::io::Cursor;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin::internal::format::spelling::Spelling;
use taquin::internal::tools::verify::{Options, run};

/// Boards, their status, and for solved ones the minimum number of moves.
const BOARDS: [(&str, &str, usize); 6] = [
    ("1 2 3 4 5 6 7 8 0", "solved", 0),
    ("1 2 3 4 5 6 7 0 8", "solved", 1),
    ("1 2 3 4 5 6 8 7 0", "unsolvable", 0),
    ("1 2 x", "invalid", 0),
    ("1 2 3 4 5 6 0 7 8", "solved", 2),
    ("3 1 2 0", "solved", 2),
];

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, results)) = bytes.split_first() else { return };
    let text: String = BOARDS.iter().map(|(board, ..)| format!("{board}\n")).collect();
    let options = InputOptions { layout: Some(Layout::Line), ..InputOptions::default() };
    let mut reader = Reader::of_text("FILE", Cursor::new(text), options);
    let ordered = first % 2 == 0;
    let options =
        Options { ordered, pass: Default::default(), spelling: Spelling::default(), threads: 1, sample: None };
    let report = match run(&mut reader, Box::new(Cursor::new(results.to_vec())), &options, &mut |_| {}) {
        Ok(report) => report,
        Err(error) => panic!("{error}"),
    };
    if !report.is_sound() {
        return;
    }
    let lines: Vec<&[u8]> = results.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(lines.len(), BOARDS.len());
    let mut has_result = [false; BOARDS.len()];
    for (position, line) in lines.iter().enumerate() {
        let line: Value = serde_json::from_slice(line).unwrap_or_else(|error| panic!("{error}"));
        let at = line["index"].as_u64().map_or(position, |index| index as usize - 1);
        let (_, status, moves) = BOARDS[at];
        assert!(!std::mem::replace(&mut has_result[at], true), "{at} twice");
        assert_eq!(line["status"], status);
        if status == "solved" {
            assert!(line["path"].as_str().is_some_and(|path| path.len() >= moves), "{line}");
        }
    }
});
