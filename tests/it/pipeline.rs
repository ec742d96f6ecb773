//! Every record of any file has exactly one result, in order. The results do not depend on how the
//! work is divided.

use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use taquin::Solver;
use taquin::internal::batch::{self, Options, Totals};
use taquin::internal::format::input::{Input, InputOptions, Layout, Reader};
use taquin::internal::format::style::Style;

use crate::common;

/// Runs a batch over one file. Returns the results and the number of records that the reader
/// counts.
fn run(bytes: &[u8], layout: Option<Layout>, threads: usize) -> (String, usize) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards.txt");
    std::fs::write(&file, bytes).unwrap();
    let options = InputOptions { layout, max_record_bytes: 200, ..InputOptions::default() };
    let reader = || Reader::new(vec![Input::Path(file.clone())], options.clone());

    let mut counter = reader();
    let mut records = 0;
    while let Some(chunk) = counter.next_chunk(7, 100, Vec::new()) {
        records += chunk.map_or(0, |chunk| chunk.record_count);
    }

    let options = Options::new(Style::default());
    let (mut results, totals) = (Vec::new(), Totals::default());
    let solver = Solver::builder().threads(threads).memory(1 << 30).node_limit(1000).build().unwrap();
    let (stop, report) = (AtomicBool::new(false), |_: &str| {});
    batch::run(&mut reader(), &mut results, &solver, &options, &totals, &stop, &report).unwrap();
    assert_eq!(totals.counts().records(), records as u64);
    let name = file.display().to_string();
    (String::from_utf8(results).unwrap().replace(&name, "FILE"), records)
}

/// Generates bytes that often begin like valid records, so that not all are rejected at once.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => Just("1 2 3 4 5 6 7 0 8".to_string()),
        2 => Just("123456708".to_string()),
        1 => Just("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 0 15".to_string()),
        1 => Just("[[1,2],[0,3]]".to_string()),
        1 => Just("{\"id\":7,\"board\":[1,2,0,3],\"goal\":\"blank-first\"}".to_string()),
        1 => Just("board,id\n1 2 3 0,x".to_string()),
        1 => Just("3".to_string()),
        1 => Just("# comment".to_string()),
        1 => "[0-9 ,x_\\[\\]{}\":#.-]{0,30}",
        1 => Just("9 ".repeat(120)),
    ];
    let end = prop_oneof![4 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\n\n"), 1 => Just(" "), 1 => Just("\0"), 1 => Just("\u{feff}")];
    let text = prop::collection::vec((piece, end), 0..20)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, end)| (piece + end).into_bytes()).collect());
    prop_oneof![3 => text, 1 => prop::collection::vec(any::<u8>(), 0..300)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]
    #[test]
    fn every_record_has_one_line(bytes in hostile(), layout in 0..=Layout::ALL.len()) {
        let layout = Layout::ALL.get(layout).copied();
        let (results, records) = run(&bytes, layout, 1);
        prop_assert_eq!(results.lines().count(), records);
        for (i, line) in results.lines().enumerate() {
            let result: serde_json::Value = serde_json::from_str(line).unwrap();
            prop_assert_eq!(&result["index"], i + 1);
            prop_assert!(result["line"].as_u64().unwrap() >= 1);
            prop_assert!(["solved", "unsolvable", "unsolved", "invalid"].contains(&result["status"].as_str().unwrap()));
        }
        let (on_three_threads, _) = run(&bytes, layout, 3);
        prop_assert_eq!(results, on_three_threads);
    }
}

/// Results stay in order while one hard board delays the results of very many cheap boards.
#[test]
fn a_hard_board_in_the_middle_keeps_its_position() {
    let cheap = "1 2 3 4 5 6 7 0 8\n".repeat(50_000);
    // 48 moves; from the forum of UVa 10181.
    let middle = "6 2 8 4 12 14 1 10 13 15 3 9 11 0 5 7\n";
    let text = format!("{cheap}{middle}{cheap}");
    let output = common::run(&["solve", "--quiet", "-j", "4", "--fields", "index,moves,status"], text);
    let results = common::stdout(&output);
    assert_eq!(results.lines().count(), 100_001);
    for (i, line) in results.lines().enumerate() {
        let moves = if i == 50_000 { 48 } else { 1 };
        assert_eq!(line, format!("{{\"index\":{},\"moves\":{moves},\"status\":\"solved\"}}", i + 1));
    }
}
