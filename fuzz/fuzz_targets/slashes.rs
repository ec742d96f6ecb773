//! Boards with slashes between their rows, boards with letters, and run-length paths: a value that
//! is read is the same when it is written and read again.
//!
//! The first byte chooses what is read. `scripts/fuzz` runs this.

#![no_main]

use libfuzzer_sys::fuzz_target;
use taquin::internal::format::input::{InputOptions, Layout, Reader};
use taquin::internal::format::spelling::{MovingPiece, Notation, Spelling};
use taquin::{Board, Path, Shape};
use taquin_fuzz::{Choices, Drip, read_all};

fn boards(line: &str, layout: Option<Layout>, shape: Option<Shape>) -> Vec<Option<Board>> {
    let options = InputOptions { layout, shape, ..InputOptions::default() };
    let mut boards = Vec::new();
    read_all(&mut Reader::of_text("FILE", Drip(line.into(), usize::MAX), options), 100, 64 << 10, |record| {
        boards.push(record.puzzle.as_ref().ok().map(|puzzle| puzzle.board.clone()));
    });
    boards
}

fn letter(label: usize) -> char {
    char::from(if label < 10 { b'0' + label as u8 } else { b'A' + (label - 10) as u8 })
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let mode = choices.byte();
    let text = String::from_utf8_lossy(choices.0).into_owned();
    if mode % 2 == 0 {
        let layout = [None, Some(Layout::Line), Some(Layout::Digits)][usize::from(mode / 2) % 3];
        for found in boards(&text, layout, None).into_iter().flatten() {
            let (shape, labels): (Shape, Vec<usize>) =
                (found.shape(), found.tiles().iter().map(|tile| tile.label()).collect());
            // As displayed, with slashes between the rows.
            if shape.rows() > 1 && !found.to_string().contains('#') {
                assert_eq!(boards(&found.to_string(), Some(Layout::Line), None), [Some(found.clone())]);
                assert_eq!(found.to_string().parse::<Board>().ok(), Some(found.clone()));
            }
            if (11..=33).contains(&labels.len()) {
                let word: String = labels.iter().copied().map(letter).collect();
                assert_eq!(boards(&word, Some(Layout::Digits), Some(shape)), [Some(found)], "{word}");
            }
        }
        return;
    }
    let start: Board = "1 2/3 0".parse().unwrap();
    let path_of = if mode & 2 > 0 { MovingPiece::Tile } else { MovingPiece::Blank };
    let (spelling, mut letters) = (Spelling::new(Notation::Runs, path_of), Vec::new());
    if spelling.read(&start, text.as_bytes(), &mut letters).is_ok() {
        assert!(letters.len() <= 254 * text.len());
        let path: Path = String::from_utf8(letters.clone()).unwrap().parse().unwrap();
        let (mut written, mut letters_again) = (Vec::new(), Vec::new());
        spelling.write(&start, &path, &mut written);
        // A run of more than 254 moves is written as one run, and rejected when it is read.
        if spelling.read(&start, &written, &mut letters_again).is_ok() {
            assert_eq!(letters_again, letters);
        } else {
            assert!(letters.chunk_by(|one, next| one == next).any(|run| run.len() > 254));
        }
    }
});
