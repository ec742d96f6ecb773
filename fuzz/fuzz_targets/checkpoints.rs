//! A checkpoint that has changed since it was written is rejected. A checkpoint with arbitrary
//! content and a valid checksum causes no panic: it is rejected, or its position is one that the
//! reader can have.
//!
//! The first byte chooses the checkpoint: a valid one with changed bytes, arbitrary bytes, or an
//! arbitrary body after a matching header. `scripts/fuzz` runs this.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use taquin::internal::batch::resume::{Checkpoint, Identity};
use taquin::internal::batch::{Progress, ResumePoint};
use taquin::internal::format::input::{Input, InputOptions, Position, Reader};
use taquin::internal::system::Checksum;
use taquin_fuzz::{Choices, read_all};

/// Two files, all positions in them, and a checkpoint at one of these positions.
struct Case {
    inputs: Vec<PathBuf>,
    positions: Vec<Position>,
    checkpoint: Checkpoint,
}

static CASE: LazyLock<Case> = LazyLock::new(|| {
    let folder = std::env::temp_dir().join(format!("taquin-fuzz-checkpoints-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap_or_else(|error| panic!("{error}"));
    let texts =
        ["# taquin: goal=snail\n1 2 3 4 5 6 7 8 0\n1 2\n0 1 2 3 4 5 6 7 8\n", "[1,2,3,0]\n\n{\"board\":[0,1]}\n"];
    let inputs: Vec<PathBuf> = ["a", "b"].map(|name| folder.join(name)).into();
    for (path, text) in inputs.iter().zip(texts) {
        std::fs::write(path, text).unwrap_or_else(|error| panic!("{error}"));
    }
    let mut reader = reader(&inputs);
    reader.keep_positions();
    let mut positions = vec![reader.position()];
    while let Some(chunk) = reader.next_chunk(1, 1, Vec::new()) {
        chunk.unwrap_or_else(|error| panic!("{error}"));
        positions.push(reader.position());
    }
    positions.push(reader.position());
    let progress = Progress { position: positions[2].clone(), done: vec![(4, 5)], bytes: 99, ..Progress::default() };
    let run = Identity::new([("fields", "status".to_string())].into(), &[]).unwrap_or_else(|error| panic!("{error}"));
    Case { inputs, positions, checkpoint: Checkpoint { run, progress } }
});

fn reader(inputs: &[PathBuf]) -> Reader {
    Reader::new(inputs.iter().cloned().map(Input::Path).collect(), InputOptions::default())
}

fuzz_target!(|bytes: &[u8]| {
    let mut choices = Choices(bytes);
    let found = match choices.byte() % 3 {
        0 => {
            let intact = CASE.checkpoint.encode();
            let mut damaged = intact.clone();
            while !choices.0.is_empty() {
                let (at, with) = (choices.number() % (damaged.len() + 1), choices.byte());
                match damaged.get_mut(at) {
                    Some(byte) => *byte = with,
                    None => damaged.truncate(choices.number() % (damaged.len() + 1)),
                }
                if damaged.is_empty() {
                    break;
                }
            }
            let found = Checkpoint::decode(&damaged);
            assert_eq!(found.is_ok(), damaged == intact);
            found
        }
        1 => Checkpoint::decode(choices.0),
        _ => {
            // The checksum covers the whole body, including the line feed at its end.
            let head = format!("taquin-checkpoint 2 {:016x}\n", Checksum::of(choices.0));
            Checkpoint::decode(&[head.as_bytes(), choices.0].concat())
        }
    };
    let Ok(Checkpoint { run, progress }) = found else { return };
    assert!(run.difference(&run).is_none());
    let start = ResumePoint::new(&progress, Checksum::default());
    assert!(start.done.iter().all(|range| range.start < range.end));
    let mut reader = reader(&CASE.inputs);
    if reader.go_to(&progress.position).is_ok() {
        // The reader verifies the place and the checksums of the text before it, but not the
        // numbers of records and of failed inputs.
        let Position { records, failed_inputs, .. } = progress.position;
        let is_real = |real: &Position| Position { records, failed_inputs, ..real.clone() } == progress.position;
        assert!(CASE.positions.iter().any(is_real), "{:?}", progress.position);
        if records <= 5 {
            let mut rest = 0;
            while let Some(chunk) = reader.next_chunk(1, 1, Vec::new()) {
                rest += chunk.map_or(0, |chunk| chunk.records().count());
            }
            // Position i is after i of the five records, and the last one at the end of the inputs.
            let index = CASE.positions.iter().rposition(is_real).unwrap_or_default();
            assert_eq!(rest + index.min(5), 5);
        }
    }
    let mut whole = self::reader(&CASE.inputs);
    assert_eq!(read_all(&mut whole, 9, 99, |_| {}).records.len(), 5);
});
