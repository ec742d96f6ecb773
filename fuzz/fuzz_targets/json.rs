//! JSON records, on arbitrary bytes: a board that is read is found again when it is written in
//! other forms, and every id is a JSON string or number.
//!
//! `scripts/fuzz` runs this.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use serde_json::value::RawValue;
use taquin::Board;
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin_fuzz::{Drip, read_all};

fn labels(board: &Board) -> Vec<usize> {
    board.tiles().iter().map(|tile| tile.label()).collect()
}

fn boards(text: &[u8]) -> Vec<Option<(Board, bool)>> {
    let options = InputOptions { layout: Some(Layout::Json), ..InputOptions::default() };
    let mut reader = Reader::of_text("FILE", Drip(text.to_vec(), usize::MAX), options);
    let mut boards = Vec::new();
    read_all(&mut reader, 100, 64 << 10, |record| {
        boards.push(record.puzzle.as_ref().ok().map(|puzzle| (puzzle.board.clone(), puzzle.goal.is_some())));
        if let Some(id) = &record.id {
            // Numbers are copied as written, even if a JSON parser cannot represent them.
            assert!(
                id.starts_with(|character: char| character == '"' || character == '-' || character.is_ascii_digit()),
                "{id}"
            );
            assert!(serde_json::from_str::<Box<RawValue>>(id).is_ok(), "{id}");
        }
    });
    boards
}

fuzz_target!(|text: &[u8]| {
    for (board, has_goal) in boards(text).into_iter().flatten() {
        let (rows, cols) = (board.shape().rows(), board.shape().cols());
        let tiles = labels(&board);
        let in_rows: Vec<&[usize]> = tiles.chunks(cols).collect();
        let forms = [json!({"board": tiles, "rows": rows, "cols": cols}), json!({ "board": in_rows }), json!(in_rows)];
        for rewritten in forms {
            let found = boards(rewritten.to_string().as_bytes());
            assert_eq!(found.len(), 1, "{rewritten}");
            assert!(found[0].as_ref().is_some_and(|(same, _)| *same == board), "{rewritten} {has_goal}");
        }
    }
});
