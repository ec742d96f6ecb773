//! Tests of the module's interface: bytes in, records out. This file contains the shared helpers.

mod compression;
mod head;
mod layouts;
mod reading;
mod sized;

use std::collections::VecDeque;
use std::io::{self, Read};

use super::file::FileReader;
use super::stream_buffer::StreamBuffer;
use super::*;
use crate::board::Shape;

/// A stream of `bytes`. The maximum number of bytes that a read returns is the next of `sizes`, in
/// rotation. One read in seven is interrupted. If `fails` is set, the stream ends with an error.
struct Drip {
    bytes: VecDeque<u8>,
    sizes: Vec<usize>,
    reads: usize,
    fails: bool,
}

impl Read for Drip {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.reads += 1;
        if self.reads % 7 == 3 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.bytes.is_empty() && self.fails {
            return Err(io::Error::other("torn"));
        }
        let size = self.sizes[self.reads % self.sizes.len()].clamp(1, into.len());
        self.bytes.read(&mut into[..size])
    }
}

/// The sizes of reads, blocks and chunks, and whether the stream fails at its end.
#[derive(Clone, Debug)]
struct ReadPattern {
    reads: Vec<usize>,
    block: usize,
    max_records: usize,
    max_bytes: usize,
    fails: bool,
}

impl ReadPattern {
    fn plain() -> ReadPattern {
        ReadPattern { reads: vec![usize::MAX], block: 1 << 16, max_records: 1000, max_bytes: 1 << 20, fails: false }
    }
}

/// The result of reading a file.
#[derive(PartialEq, Debug, Default)]
struct ReadOutcome {
    layout: Option<Layout>,
    numbered: bool,
    /// The line, the id, and the board (with `->` and the goal if there is one) or the error.
    records: Vec<(u64, Option<String>, String)>,
    warnings: Vec<String>,
    failure: Option<String>,
}

fn read(bytes: &[u8], options: &InputOptions, pattern: &ReadPattern) -> ReadOutcome {
    let drip =
        Drip { bytes: bytes.iter().copied().collect(), sizes: pattern.reads.clone(), reads: 0, fails: pattern.fails };
    let mut out = ReadOutcome::default();
    let text = match stream::text_of_stream(drip, DecompressionLimit::default()) {
        Ok(text) => text,
        // The bytes begin like a compressed file but cannot be decompressed.
        Err(cause) => {
            out.failure = Some(cause.to_string());
            return out;
        }
    };
    let mut file = FileReader::new("file".into(), StreamBuffer::new(text, pattern.block));
    loop {
        let chunk = file.next_chunk(options, pattern.max_records, pattern.max_bytes, &mut Vec::new());
        out.warnings.append(&mut file.text.warnings);
        let mut chunk = match chunk {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return out,
            Err(cause) => {
                out.failure = Some(cause.to_string());
                return out;
            }
        };
        assert!(chunk.record_count > 0 && chunk.record_count <= pattern.max_records);
        chunk.first_index = out.records.len() as u64 + 1;
        (out.layout, out.numbered) = (Some(chunk.source.layout), chunk.source.numbered);
        let records: Vec<Record> = chunk.records().collect();
        assert_eq!(records.len(), chunk.record_count, "as many as were counted");
        for record in records {
            assert_eq!(record.index, out.records.len() as u64 + 1);
            let shown = match record.puzzle {
                Ok(Puzzle { board, goal: None }) => board.to_string(),
                Ok(Puzzle { board, goal: Some(goal) }) => {
                    format!("{board} -> {}", goal.on(board.shape()).expect("a goal that was checked"))
                }
                Err(error) => format!("! {error}"),
            };
            out.records.push((record.line, record.id.map(String::from), shown));
        }
    }
}

fn auto(text: &str) -> ReadOutcome {
    read(text.as_bytes(), &InputOptions::default(), &ReadPattern::plain())
}

fn layout(layout: Layout) -> InputOptions {
    InputOptions { layout: Some(layout), ..InputOptions::default() }
}

fn shaped(layout: Layout, rows: usize, cols: usize) -> InputOptions {
    InputOptions { layout: Some(layout), shape: Shape::new(rows, cols), ..InputOptions::default() }
}

/// Returns the records as `line: board` or `line: ! error`.
fn shown(text: &str, options: &InputOptions) -> Vec<String> {
    let out = read(text.as_bytes(), options, &ReadPattern::plain());
    out.records.into_iter().map(|(line, _, shown)| format!("{line}: {shown}")).collect()
}

const B3: &str = "1 2 3/4 5 6/7 8 0";
const B4: &str = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";
