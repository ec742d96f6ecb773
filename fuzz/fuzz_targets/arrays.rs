//! The splitting of JSON at its structural characters, on arbitrary bytes. The boards found do not
//! depend on how the bytes arrive or are split into chunks. The boards are found again if they are
//! written as one array, on one line or on several.
//!
//! The first bytes choose the maximum length of a record and the size of the reads; the rest is the
//! file. `scripts/fuzz` runs this.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};
use taquin::Board;
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin_fuzz::{Choices, Drip, Found, read_all};

const RECORD_LIMITS: [usize; 4] = [1 << 20, 1, 20, 300];

fn read(text: &[u8], max_record_bytes: usize, drip: usize, max_records: usize, boards: &mut Vec<Board>) -> Found {
    let options = InputOptions { layout: Some(Layout::Json), max_record_bytes, ..InputOptions::default() };
    let mut reader = Reader::of_text("FILE", Drip(text.to_vec(), drip), options);
    read_all(&mut reader, max_records, 64 << 10, |record| {
        boards.extend(record.puzzle.iter().map(|puzzle| puzzle.board.clone()))
    })
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let (max_record_bytes, drip) = (choices.of(&RECORD_LIMITS), usize::from(choices.byte()));
    let (text, mut boards) = (choices.0, Vec::new());
    let whole = read(text, max_record_bytes, usize::MAX, 4096, &mut boards);
    let dripped = read(text, max_record_bytes, drip, 1 + drip % 3, &mut Vec::new());
    assert_eq!((&whole.records, whole.failures), (&dripped.records, dripped.failures));
    if boards.is_empty() {
        return;
    }
    let objects: Vec<Value> = boards
        .iter()
        .map(|board| {
            let tiles: Vec<usize> = board.tiles().iter().map(|tile| tile.label()).collect();
            json!({"rows": board.shape().rows(), "board": tiles, "cols": board.shape().cols()})
        })
        .collect();
    for rewritten in [serde_json::to_string(&objects).unwrap(), serde_json::to_string_pretty(&objects).unwrap()] {
        let mut found_boards = Vec::new();
        let found = read(rewritten.as_bytes(), 1 << 20, drip.max(1), 3, &mut found_boards);
        assert_eq!((found.records.len(), &found_boards), (boards.len(), &boards), "{rewritten}");
    }
});
