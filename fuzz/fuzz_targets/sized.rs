//! The layout `sized`, on arbitrary bytes, and on eight records with one damaged token. The records
//! found do not depend on how the bytes arrive or are split into chunks. A token that is not a tile
//! invalidates only its record. A missing or duplicated token affects few other records.
//!
//! The first two bytes choose the maximum length of a record and the size of the reads. The rest is
//! first read as a file. Then its bytes choose the shape, the line breaks, the kind and the place
//! of the damage, and the boards. `scripts/fuzz` runs this.

#![no_main]

use libfuzzer_sys::fuzz_target;
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin_fuzz::{Choices, Drip, read_all};

const RECORD_LIMITS: [usize; 4] = [1 << 20, 1, 20, 300];
const SHAPES: [(usize, usize); 8] = [(2, 2), (2, 3), (3, 2), (3, 3), (1, 5), (4, 4), (5, 2), (2, 5)];
/// Tokens that are not tiles of any of these shapes.
const BAD: [&str; 9] = ["100", "0x1", "-3", "abc", "1..5", "77777777777777777777", "\u{e4}", "77", "+1"];

/// Returns the boards found, with their lines, and the number of records.
fn found(text: &[u8], max_record_bytes: usize, drip: usize) -> (Vec<(u64, String)>, usize) {
    let options = InputOptions { layout: Some(Layout::Sized), max_record_bytes, ..InputOptions::default() };
    let mut boards = Vec::new();
    let mut whole = Reader::of_text("FILE", Drip(text.to_vec(), usize::MAX), options.clone());
    let first = read_all(&mut whole, 4096, 64 << 10, |record| {
        if let Ok(puzzle) = &record.puzzle {
            boards.push((record.line, puzzle.board.to_string()));
        }
    });
    let mut dripping = Reader::of_text("FILE", Drip(text.to_vec(), drip), options);
    let second = read_all(&mut dripping, 1 + drip % 3, drip, |_| {});
    assert_eq!((&first.records, first.failures), (&second.records, second.failures));
    let lines = text.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()).count();
    assert!(first.records.len() <= lines, "{} records on {lines} lines", first.records.len());
    (boards, first.records.len())
}

/// Returns the lines of a record: its size, then its tiles in an order chosen by the bytes.
fn record((rows, cols): (usize, usize), style: u8, choices: &mut Choices) -> Vec<Vec<String>> {
    let mut remaining: Vec<usize> = (0..rows * cols).collect();
    let size = if rows == cols { vec![rows.to_string()] } else { vec![rows.to_string(), cols.to_string()] };
    let mut lines = vec![size, Vec::new()];
    while !remaining.is_empty() {
        let byte = usize::from(choices.byte());
        let tile = remaining.swap_remove(byte % remaining.len()).to_string();
        let breaks = match style % 4 {
            0 => true,
            1 => (rows * cols - remaining.len() - 1) % cols == 0,
            2 => false,
            _ => byte > 170,
        };
        match lines.last_mut() {
            Some(line) if line.is_empty() || !breaks => line.push(tile),
            _ => lines.push(vec![tile]),
        }
    }
    lines
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let (max_record_bytes, drip) = (choices.of(&RECORD_LIMITS), usize::from(choices.byte()));
    found(choices.0, max_record_bytes, drip);

    let (shape, style, kind) = (choices.of(&SHAPES), choices.byte(), choices.byte());
    let (nth, at) = (usize::from(choices.byte()) % 8, usize::from(choices.byte()));
    let mut records: Vec<Vec<Vec<String>>> = (0..8).map(|_| record(shape, style, &mut choices)).collect();
    let boards: Vec<String> = records
        .iter()
        .map(|lines| {
            let tiles: Vec<&str> = lines[1..].iter().flatten().map(String::as_str).collect();
            tiles.chunks(shape.1).map(|row| row.join(" ")).collect::<Vec<_>>().join("/")
        })
        .collect();
    let mut position = at % (shape.0 * shape.1);
    let Some(line) = records[nth][1..].iter_mut().find(|line| {
        let is_in_line = position < line.len();
        position -= if is_in_line { 0 } else { line.len() };
        is_in_line
    }) else {
        return;
    };
    let is_bad = kind >= 2;
    match kind {
        0 => drop(line.remove(position)),
        1 => line.insert(position, line[position].clone()),
        _ => line[position] = BAD[usize::from(kind) % BAD.len()].into(),
    }
    let (mut text, mut good, mut number) = (String::new(), Vec::new(), 1);
    for (lines, board) in records.iter().zip(boards) {
        good.push((number, board));
        for line in lines.iter().filter(|line| !line.is_empty()) {
            text += &(line.join(" ") + "\n");
            number += 1;
        }
    }
    good.remove(nth);
    let (boards, count) = found(text.as_bytes(), 1 << 20, drip);
    if is_bad {
        assert_eq!((&boards, count), (&good, 8), "{text}");
    }
    // The damaged text may be read as other boards. But a record that is read ends at the latest
    // within the written board after the one in which it begins. So it takes up at most two of the
    // eight written boards.
    assert!(count >= 4, "{text}");
});
