//! Comma-separated values, on arbitrary bytes. The records found do not depend on how the bytes
//! arrive or are split into chunks. The ids and boards of records are found again if they are
//! written in another form.
//!
//! The first bytes choose the maximum length of a record and the size of the reads; the rest is the
//! file. `scripts/fuzz` runs this.

#![no_main]

use libfuzzer_sys::fuzz_target;
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin_fuzz::{Choices, Drip, read_all};

const RECORD_LIMITS: [usize; 4] = [1 << 20, 1, 20, 300];

fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\""))
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let (max_record_bytes, drip) = (choices.of(&RECORD_LIMITS), usize::from(choices.byte()));
    let options = InputOptions { layout: Some(Layout::Csv), max_record_bytes, ..InputOptions::default() };
    let text = choices.0;
    let mut boards = Vec::new();
    let mut whole = Reader::of_text("FILE", Drip(text.to_vec(), usize::MAX), options.clone());
    let first = read_all(&mut whole, 4096, 64 << 10, |record| {
        let id: Option<String> =
            record.id.as_ref().map(|id| serde_json::from_str(id).unwrap_or_else(|_| panic!("{id}")));
        assert!(id.as_ref().is_none_or(|id| !id.is_empty() && !id.contains('\n')), "{id:?}");
        if let Ok(puzzle) = &record.puzzle {
            boards.push((id, puzzle.board.clone()));
        }
    });
    let mut dripping = Reader::of_text("FILE", Drip(text.to_vec(), drip), options.clone());
    let second = read_all(&mut dripping, 1 + drip % 3, drip, |_| {});
    assert_eq!((&first.records, first.failures), (&second.records, second.failures));
    let lines = 1 + text.iter().filter(|&&byte| byte == b'\n').count();
    assert!(first.records.len() <= lines, "{} records on {lines} lines", first.records.len());

    // The records found, written again with every id and board in quotes.
    let mut rewritten = String::from("cols,\"id\",rows,\"board\"\n");
    for (id, board) in &boards {
        let tiles: Vec<String> = board.tiles().iter().map(|tile| tile.label().to_string()).collect();
        let (rows, cols) = (board.shape().rows(), board.shape().cols());
        let id = quoted(id.as_deref().unwrap_or_default());
        rewritten += &format!("{cols},{id},{rows},{}\r\n", quoted(&tiles.join(",")));
    }
    let mut number = 0;
    let options = InputOptions { max_record_bytes: 1 << 20, ..options };
    read_all(
        &mut Reader::of_text("FILE", Drip(rewritten.into_bytes(), usize::MAX), options),
        4096,
        64 << 10,
        |record| {
            let id: Option<String> = record.id.as_ref().and_then(|id| serde_json::from_str(id).ok());
            let board = record.puzzle.as_ref().ok().map(|puzzle| puzzle.board.clone());
            assert_eq!((&id, board.as_ref()), (&boards[number].0, Some(&boards[number].1)));
            number += 1;
        },
    );
    assert_eq!(number, boards.len());
});
