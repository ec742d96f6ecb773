//! The module as its users see it: bytes in, records out.

use std::collections::VecDeque;
use std::io::{self, Read, Write};

use proptest::prelude::*;

use super::file::FileReader;
use super::window::Window;
use super::*;
use crate::board::Shape;
use crate::outlook::End;

/// A stream that hands out at most so many bytes a read, these numbers in turn, and may be
/// interrupted or fail.
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

/// How a test reads a file.
#[derive(Clone, Debug)]
struct Manner {
    reads: Vec<usize>,
    block: usize,
    max_records: usize,
    max_bytes: usize,
    fails: bool,
}

impl Manner {
    fn plain() -> Manner {
        Manner { reads: vec![usize::MAX], block: 1 << 16, max_records: 1000, max_bytes: 1 << 20, fails: false }
    }
}

/// Everything that a file gives.
#[derive(PartialEq, Debug, Default)]
struct Outcome {
    layout: Option<Layout>,
    numbered: bool,
    /// Line, id, and the board (with `->` and the goal if there is one) or what is wrong.
    records: Vec<(u64, Option<String>, String)>,
    warnings: Vec<String>,
    failure: Option<String>,
}

fn read(bytes: &[u8], options: &InputOptions, manner: &Manner) -> Outcome {
    let drip =
        Drip { bytes: bytes.iter().copied().collect(), sizes: manner.reads.clone(), reads: 0, fails: manner.fails };
    let text = stream::text_of_stream(drip, Unpacking::default()).unwrap();
    let mut file = FileReader::new("file".into(), Window::new(text, manner.block));
    let mut out = Outcome::default();
    loop {
        let mut bytes = Vec::new();
        let piece = file.next_piece(options, manner.max_records, manner.max_bytes, &mut bytes);
        out.warnings.extend(file.take_warnings());
        let piece = match piece {
            Ok(Some(piece)) => piece,
            Ok(None) => return out,
            Err(cause) => {
                out.failure = Some(cause.to_string());
                return out;
            }
        };
        assert!(piece.records > 0 && piece.records <= manner.max_records);
        let first_index = out.records.len() as u64 + 1;
        let chunk = Chunk {
            source: piece.source,
            first_index,
            first_line: piece.first_line,
            records: piece.records,
            bytes,
            extent: piece.extent,
        };
        (out.layout, out.numbered) = (Some(chunk.source.layout), chunk.source.numbered);
        let records: Vec<Record> = chunk.records().collect();
        assert_eq!(records.len(), chunk.records, "counted and yielded");
        for record in records {
            assert_eq!(record.index, out.records.len() as u64 + 1);
            let said = match record.puzzle {
                Ok(Puzzle { board, goal: None }) => board.to_string(),
                Ok(Puzzle { board, goal: Some(goal) }) => {
                    format!("{board} -> {}", goal.on(board.shape()).expect("a goal that was checked"))
                }
                Err(wrong) => format!("! {wrong}"),
            };
            out.records.push((record.line, record.id.map(String::from), said));
        }
    }
}

fn auto(text: &str) -> Outcome {
    read(text.as_bytes(), &InputOptions::default(), &Manner::plain())
}

fn layout(layout: Layout) -> InputOptions {
    InputOptions { layout: Some(layout), ..InputOptions::default() }
}

fn shaped(layout: Layout, rows: usize, cols: usize) -> InputOptions {
    InputOptions { layout: Some(layout), shape: Shape::new(rows, cols), ..InputOptions::default() }
}

/// The records as `line: what was said`.
fn said(text: &str, options: &InputOptions) -> Vec<String> {
    let out = read(text.as_bytes(), options, &Manner::plain());
    out.records.into_iter().map(|(line, _, said)| format!("{line}: {said}")).collect()
}

const B3: &str = "1 2 3/4 5 6/7 8 0";
const B4: &str = "1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0";

/// The samples of judges and courses, as each of them writes its boards.
#[test]
fn auto_reads_the_judges_samples() {
    let grid3 = "1 2 3\n4 5 6\n7 8 0\n";
    let grid4 = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 0\n";
    let column3 = "1\n2\n3\n4\n5\n6\n7\n8\n0\n";
    let cases: Vec<(&str, String, Layout, usize, u64, &str)> = vec![
        ("poj1077", " 2  3  4  1  5  x  7  6  8 ".into(), Layout::Line, 1, 1, "2 3 4/1 5 0/7 6 8"),
        ("hdu1043", "1 2 3 4 5 6 7 8 x\n2 3 4 1 5 x 7 6 8\n".into(), Layout::Line, 2, 1, B3),
        ("uva652", "2\n\n1 2 3 4 5 6 7 8 x\n\n2 3 4 1 5 x 7 6 8\n".into(), Layout::Line, 2, 3, B3),
        (
            "hdu3567",
            "2\n12X453786\n12345678X\n564178X23\n7568X4123\n".into(),
            Layout::Pair,
            2,
            2,
            "1 2 0/4 5 3/7 8 6 -> 1 2 3/4 5 6/7 8 0",
        ),
        ("lightoj1139", format!("2\n\n{grid3}\n{grid3}"), Layout::Grid, 2, 3, B3),
        ("lightoj15", format!("3\n\n{grid4}\n{grid4}\n{grid4}"), Layout::Grid, 3, 3, B4),
        ("uva10181", format!("2\n{grid4}{grid4}"), Layout::Grid, 2, 2, B4),
        ("uva10181, four boards", format!("4\n{grid4}{grid4}{grid4}{grid4}"), Layout::Grid, 4, 2, B4),
        ("three grids", format!("3\n\n{grid3}\n{grid3}\n{grid3}"), Layout::Grid, 3, 3, B3),
        ("poj3240 rows", format!("3\n{grid3}"), Layout::Sized, 1, 1, B3),
        ("poj3240 line", "3\n1 2 3 4 5 6 7 8 0".into(), Layout::Sized, 1, 1, B3),
        ("luogu", "123456780\n283104765\n".into(), Layout::Digits, 2, 1, B3),
        ("boj1525", grid3.into(), Layout::Grid, 1, 1, B3),
        ("aoj-13c", grid4.into(), Layout::Grid, 1, 1, B4),
        ("leetcode", "[[1,2,3],[4,0,5]]\n".into(), Layout::Json, 1, 1, "1 2 3/4 0 5"),
        ("hackerrank", format!("3\n{column3}"), Layout::Sized, 1, 1, B3),
        ("hackerrank, two", format!("3\n{column3}3\n{column3}"), Layout::Sized, 2, 1, B3),
        ("princeton", format!("3\n {grid3}\n3\n{grid3}"), Layout::Sized, 2, 1, B3),
        ("42", "# made by\n3 # size\n1 2 3 # one\n# two\n4 5 6\n7 8 0\n".into(), Layout::Sized, 1, 2, B3),
        (
            "korf",
            "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n".into(),
            Layout::Line,
            1,
            1,
            "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3",
        ),
        ("commas", "1,2,3,4,5,6,7,8,0\n".into(), Layout::Line, 1, 1, B3),
        (
            "n-puzzle",
            "3\n1 2 3 4 5 6 7 8 0\n1 2 3 4 5 6 7 0 8\n".into(),
            Layout::Pair,
            1,
            1,
            "1 2 3/4 5 6/7 8 0 -> 1 2 3/4 5 6/7 0 8",
        ),
        ("rows cols", "2 3\n1 2 3\n4 5 0\n".into(), Layout::Sized, 1, 1, "1 2 3/4 5 0"),
        ("rows cols, line", "2 3\n1 2 3 4 5 0\n2 2\n1 2 3 0".into(), Layout::Sized, 2, 1, "1 2 3/4 5 0"),
        ("2x2 grid", "1 2\n3 0\n".into(), Layout::Grid, 1, 1, "1 2/3 0"),
        ("digit rows", "123\n456\n78_\n".into(), Layout::Grid, 1, 1, B3),
        (
            "4x4 that begins like 2x2",
            "1 2 3 0\n4 5 6 7\n8 9 10 11\n12 13 14 15\n".into(),
            Layout::Grid,
            1,
            1,
            "1 2 3 0/4 5 6 7/8 9 10 11/12 13 14 15",
        ),
        ("2x2 lines", "1 2 3 0\n1 2 0 3\n".into(), Layout::Line, 2, 1, "1 2/3 0"),
        ("T digits", "2\n123456780\n123456708\n".into(), Layout::Digits, 2, 2, B3),
        ("T sized", format!("2\n3\n{grid3}3\n{grid3}"), Layout::Sized, 2, 2, B3),
        ("csv", "ID,Board\na,1 2 3 4 5 6 7 8 0\n".into(), Layout::Csv, 1, 2, B3),
    ];
    for (name, text, layout, records, line, first) in cases {
        let out = auto(&text);
        assert_eq!(out.layout, Some(layout), "{name}");
        assert_eq!(out.records.len(), records, "{name}: {:?}", out.records);
        assert_eq!((out.records[0].0, out.records[0].2.as_str()), (line, first), "{name}");
        assert!(out.records.iter().all(|(_, _, said)| !said.starts_with('!')), "{name}: {:?}", out.records);
        assert_eq!(out.warnings, [""; 0], "{name}");
    }
}

#[test]
fn auto_reads_numbered_lists() {
    let out = auto("1 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3\n2 13 5 4 10 9 12 8 14 2 3 7 1 0 15 11 6\n");
    assert!(out.numbered);
    assert_eq!(out.records[1].1.as_deref(), Some("2"));
    assert_eq!(out.records[1].2, "13 5 4 10/9 12 8 14/2 3 7 1/0 15 11 6");
}

/// One bad record at the head of a file does not spoil the rest.
#[test]
fn auto_survives_a_broken_first_record() {
    for (text, layout, good) in [
        ("1 2 3 4 5 6 7 8\n1 2 3 4 5 6 7 8 0\n", Layout::Line, 1),
        ("oh no\n1 2 3 4 5 6 7 8 0\n", Layout::Line, 1),
        ("112345678\n123456780\n", Layout::Digits, 1),
        ("1 2 3\n4 5 6\n7 8 8\n\n1 2 3\n4 5 6\n7 8 0\n", Layout::Grid, 1),
        ("1 2 3\n4 5\n7 8 0\n\n1 2 3\n4 5 6\n7 8 0\n", Layout::Grid, 1),
        ("3\n1 2 3\n4 5 6\n7 8 8\n3\n1 2 3\n4 5 6\n7 8 0\n", Layout::Sized, 1),
        ("3\n1 2 3\n4 5\n7 8 0\n3\n1 2 3\n4 5 6\n7 8 0\n", Layout::Sized, 1),
        ("3\n1 2 3\n4 5 6\n7 8 8\n", Layout::Sized, 0),
        ("3\n1 2 3\n4 5\n7 8 0\n", Layout::Sized, 0),
        ("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 15\n", Layout::Grid, 0),
    ] {
        let out = auto(text);
        assert_eq!(out.layout, Some(layout), "{text}");
        assert_eq!(out.records.len(), good + 1, "{text}{:?}", out.records);
        assert!(out.records[0].2.starts_with('!'), "{text}");
    }
    // Nor does one behind a good one.
    assert_eq!(auto("1 2 3 0\n9 9 9\n").layout, Some(Layout::Line));
}

#[test]
fn lines() {
    let text = "\u{feff}# a list\r\n1 2 3 4 5 6 7 8 0 # solved\r\n\r\n , \n1,2;3\n1 2 3\n1 2 3 4 5 6 7 8 8\n1 _ 2 70000\n1 2 x 3";
    assert_eq!(
        said(text, &layout(Layout::Line)),
        [
            format!("2: {B3}"),
            "5: ! '2;3' is neither a number nor a blank (0, x, X, _ or .)".into(),
            "6: ! found 3 tiles; a board has a square number of them unless --shape says otherwise".into(),
            "7: ! tile 8 appears twice".into(),
            "8: ! tile '70000' is out of range: no board has more than 65025 cells".into(),
            "9: 1 2/0 3".into(),
        ]
    );
    assert_eq!(
        said("1 2 3 4 5 0\n1 2 3 0", &shaped(Layout::Line, 2, 3)),
        ["1: 1 2 3/4 5 0", "2: ! found 4 tiles, a 2x3 board has 6"]
    );
    let numbered = InputOptions { numbered: true, ..layout(Layout::Line) };
    let out = read(b"007 1 2 3 0\na 1 2 3 0\n00 0 1 2 3\n", &numbered, &Manner::plain());
    assert_eq!(
        out.records,
        [
            (1, Some("7".into()), "1 2/3 0".into()),
            (2, None, "! expected a record number first, found 'a'".into()),
            (3, Some("0".into()), "0 1/2 3".into()),
        ]
    );
}

#[test]
fn digits() {
    assert_eq!(
        said("1234567x8\n3120 # two\n12345\n12 30\n12a456780\n", &layout(Layout::Digits)),
        [
            "1: 1 2 3/4 5 6/7 0 8",
            "2: 3 1/2 0",
            "3: ! found 5 tiles; a board without separators has 4 or 9 of them unless --shape says otherwise",
            "4: ! found 2 tokens, expected one board without separators",
            "5: ! 'a' is neither a number nor a blank (0, x, X, _ or .)",
        ]
    );
    assert_eq!(said("123450", &shaped(Layout::Digits, 2, 3)), ["1: 1 2 3/4 5 0"]);
}

#[test]
fn grids() {
    let text = "1 2 3\n4 5 6 # six\n#\n7 8 0\n12\n3x\n\n1 2 3\n4 5\n7 8 0\n1 2\n\n1 2\n3 3\n";
    assert_eq!(
        said(text, &layout(Layout::Grid)),
        [
            format!("1: {B3}"),
            "5: 1 2/3 0".into(),
            "8: ! row 2 has 2 tiles, row 1 has 3".into(),
            "11: ! found 1 row of 2 tiles, expected 2 rows".into(),
            "13: ! tile 3 appears twice".into(),
        ]
    );
    assert_eq!(
        said("1 2 3\n4 5 0\n1 2\n3 4\n", &shaped(Layout::Grid, 2, 3)),
        ["1: 1 2 3/4 5 0", "3: ! row 1 has 2 tiles, a row of a 2x3 board has 3"]
    );
    let wide = "1 ".repeat(256);
    assert_eq!(said(&wide, &layout(Layout::Grid)), ["1: ! row 1 has 256 tiles; a row has at most 255"]);
}

#[test]
fn sized() {
    let text = "3\n\n123\n456\n780\n2 3\n1 2 3 4 5 0\n2\n1\n2\n3\n0\n2\n1 2 3 0 4\n3\n1 2 3\n4 5 6\n\n0\n";
    assert_eq!(
        said(text, &layout(Layout::Sized)),
        [
            format!("1: {B3}"),
            "6: 1 2 3/4 5 0".into(),
            "8: 1 2/3 0".into(),
            "13: ! found 5 tiles, a 2x2 board has 4".into(),
            "15: ! found 6 tiles, a 3x3 board has 9".into(),
            "19: ! '0' is not a size: expected n, or rows and columns, each from 1 to 255".into(),
        ]
    );
}

#[test]
fn sized_finds_the_next_record_behind_a_damaged_one() {
    let good = "3\n1 2 3\n4 5 6\n7 8 0\n";
    let text = format!("3\n1 2 3\n4 5\n7 8 0\n{good}3\n1 2 3\n\n{good}x y z\n1 2 3\n\n{good}");
    assert_eq!(
        said(&text, &layout(Layout::Sized)),
        [
            "1: ! found 8 tiles, a 3x3 board has 9".into(),
            format!("5: {B3}"),
            "9: ! found 3 tiles, a 3x3 board has 9".into(),
            format!("12: {B3}"),
            "16: ! 'x y z' is not a size: expected n, or rows and columns, each from 1 to 255".into(),
            format!("19: {B3}"),
        ]
    );
}

#[test]
fn pairs() {
    let text = "1 2 3 0\n0 1 2 3\n12X453786\n12345678X\n3 # size\n1 2 3 4 5 6 7 8 0\n123456708\n2 3\n1 2 3 4 5 0\n0 1 2 3 4 5\n1 2 3 0\n\n1 2 3 0\n1 2 3 3\n4\n\n1230\n1203\n";
    assert_eq!(
        said(text, &layout(Layout::Pair)),
        [
            "1: 1 2/3 0 -> 0 1/2 3",
            "3: 1 2 0/4 5 3/7 8 6 -> 1 2 3/4 5 6/7 8 0",
            "5: 1 2 3/4 5 6/7 8 0 -> 1 2 3/4 5 6/7 0 8",
            "8: 1 2 3/4 5 0 -> 0 1 2/3 4 5",
            "11: ! found a start, but no goal on the line behind it",
            "13: ! the goal: tile 3 appears twice",
            "15: ! found 4 tiles, a 4x4 board has 16",
        ]
    );
}

#[test]
fn json() {
    let text = r#"[1,2,3,0]
[["1","2"],[3,null]]
{"id":"a\u00e9","board":"123/456/78_","goal":"blank-first","more":{"x":[1,[2]]}}
{"id":-1.50,"board":[1,2,3,4,5,0],"rows":2,"cols":3,"goal":[[0,1,2],[3,4,5]]}

# a comment
{"id":7,"board":[1,2,3,3]}
{"board":[1,2],"board":[1,2]}
[[1,2],[3]]
[1,[2,3]]
[[[1]]]
{"id":7}
{"id":[7],"board":[0]}
{"id":"\ud800","board":[0]}
{"board":[1,2,3,0],"rows":2}
{"board":[[1,2],[3,0]],"rows":1,"cols":4}
{"board":"1 2 3 0","goal":"1 2 0"}
[1,2,3,-1]
[1,2,3,0] 5
nonsense
[1,2,3,99999999]
[]
"#;
    let out = read(text.as_bytes(), &layout(Layout::Json), &Manner::plain());
    let shown: Vec<String> = out
        .records
        .iter()
        .map(|(line, id, said)| format!("{line}{}: {said}", id.as_ref().map_or(String::new(), |id| format!(" {id}"))))
        .collect();
    assert_eq!(
        shown,
        [
            "1: 1 2/3 0",
            "2: 1 2/3 0",
            r#"3 "a\u00e9": 1 2 3/4 5 6/7 8 0 -> 0 1 2/3 4 5/6 7 8"#,
            "4 -1.50: 1 2 3/4 5 0 -> 0 1 2/3 4 5",
            "7 7: ! tile 3 appears twice",
            "8: ! duplicate field `board` (at column 22)",
            "9: ! row 2 has 1 tile, row 1 has 2",
            "10: ! rows and single tiles are mixed (at column 9)",
            "11: ! invalid type: sequence, expected a tile (at column 3)",
            "12 7: ! the object has no \"board\"",
            "13: ! \"id\" is neither a string nor a number",
            "14: ! unexpected end of hex escape (at column 8)",
            "15: ! found \"rows\" without \"cols\"",
            "16: ! the rows make a 2x2 board, its size is given as 1x4",
            "17: ! the goal: found 3 tiles, a 2x2 board has 4",
            "18: ! invalid type: integer `-1`, expected a tile or a row of tiles (at column 9)",
            "19: ! trailing characters (at column 11)",
            "20: ! expected a JSON array or object, found 'nonsense'",
            "21: ! tile 99999999 is out of range (at column 15)",
            "22: ! found 0 tiles; a board has a square number of them unless --shape says otherwise",
        ]
    );
    for deep in ["[".repeat(100_000), format!("{{\"x\":{}", "[".repeat(100_000)), format!("[{}]", "9".repeat(1000))] {
        let out = auto(&deep);
        assert!(out.records.len() == 1 && out.records[0].2.starts_with('!'), "{:?}", out.records);
    }
}

#[test]
fn csv() {
    let text = "rows,ID,note,Board,cols,goal\n,\"a \"\"b\"\"\",x,\"1,2,3,0\",,\n2,7,,1 2 3 4 5 0,3,0 1 2 3 4 5\n,,,12/3x,,blank-first\n\n# no\n,,\n2,,,1230,,\n,,,\"1 2\n,,,1 2 3 0,,1 2 3\n,,,1 2 # 0,,\n";
    let out = read(text.as_bytes(), &InputOptions::default(), &Manner::plain());
    assert_eq!(out.layout, Some(Layout::Csv));
    assert_eq!(
        out.records,
        [
            (2, Some(r#""a \"b\"""#.into()), "1 2/3 0".into()),
            (3, Some(r#""7""#.into()), "1 2 3/4 5 0 -> 0 1 2/3 4 5".into()),
            (4, None, "1 2/3 0 -> 0 1/2 3".into()),
            (7, None, "! found 3 fields, the board is field 4".into()),
            (8, None, "! found rows without cols".into()),
            (9, None, "! a quote is open at the end of the line; fields with line breaks are not supported".into()),
            (10, None, "! the goal: found 3 tiles, a 2x2 board has 4".into()),
            (11, None, "! found '#' in the board '1 2 # 0'".into()),
        ]
    );
    let headless = said("a,b\n1,2\n", &layout(Layout::Csv));
    let wrong = "! the header, the file's first line, names no column 'board': the lines cannot be read";
    assert_eq!(headless, [format!("1: {wrong}"), format!("2: {wrong}")]);
}

#[test]
fn settings_of_a_file_win_unless_overridden() {
    let text = "# taquin: goal=blank-first shape=2x3 format=line numbered=no\n\n1 2 3 4 5 0\n";
    let out = auto(text);
    assert_eq!(out.records[0].2, "1 2 3/4 5 0");
    assert_eq!(out.warnings, [""; 0]);
    let asked = InputOptions { override_file: true, ..shaped(Layout::Line, 3, 2) };
    assert_eq!(said(text, &asked), ["3: 1 2/3 4/5 0"]);
}

/// The goal of a file that is read with these options.
fn goal_of(text: &'static [u8], options: &InputOptions) -> String {
    let mut file = FileReader::new("file".into(), Window::new(Box::new(text), 1 << 16));
    let piece = file.next_piece(options, 100, 1 << 20, &mut Vec::new());
    piece.unwrap().unwrap().source.goal.to_string()
}

#[test]
fn only_what_was_asked_for_overrides() {
    let (plain, snail) = (b"123804765\n", b"# taquin: goal=snail\n123804765\n");
    let overriding = InputOptions { override_file: true, ..InputOptions::default() };
    let first = InputOptions { goal: Some("blank-first".parse().unwrap()), ..InputOptions::default() };
    assert_eq!(goal_of(plain, &overriding), "blank-last");
    assert_eq!(goal_of(plain, &first), "blank-first");
    assert_eq!(goal_of(snail, &first), "snail");
    assert_eq!(goal_of(snail, &overriding), "snail");
    assert_eq!(goal_of(snail, &InputOptions { override_file: true, ..first }), "blank-first");
}

#[test]
fn a_file_with_a_wrong_setting_has_no_valid_record() {
    let wrong = "setting 'numbered=perhaps': 'perhaps' is neither yes nor no";
    let out = auto("#\n# taquin: shape=2x2 numbered=perhaps gaol=snail alone\n1 2 3 0\n{\n");
    assert_eq!(
        out.records,
        [(3, None, format!("! line 2: {wrong}")), (4, None, format!("! line 2: {wrong}"))],
        "the first mistake is the reason"
    );
    let unknown = "unknown: expected goal=, shape=, format=, numbered= or count-line=";
    assert_eq!(
        out.warnings,
        [
            format!("file:2: {wrong}"),
            format!("file:2: setting 'gaol=snail': {unknown}"),
            format!("file:2: setting 'alone': {unknown}"),
        ]
    );
    let snial = "# taquin: goal=snial\n{\"id\":7,\"board\":[1,2,3,0]}\n";
    let out = auto(snial);
    assert_eq!(out.records[0].1.as_deref(), Some("7"));
    assert!(out.records[0].2.starts_with("! line 1: setting 'goal=snial': 'snial' is not a goal"), "{out:?}");
    // What the command line replaces need not be right.
    let asked = InputOptions { override_file: true, goal: Some("snail".parse().unwrap()), ..InputOptions::default() };
    assert_eq!(said(snial, &asked), ["2: 1 2/3 0"]);
    assert_eq!(read(snial.as_bytes(), &asked, &Manner::plain()).warnings.len(), 1);
    let long = format!("# taquin: goal=snail {}\n1 2 3 0\n", " ".repeat(100));
    let options = InputOptions { max_line: 50, ..InputOptions::default() };
    assert_eq!(said(&long, &options), ["2: ! line 1: settings longer than 50 bytes (--max-line)"]);
}

#[test]
fn settings_that_come_too_late_are_told_of() {
    let late = "settings are ignored behind the first line that is no comment";
    let text = "# a list\n1 2 3 0\n# taquin\n\n # taquin: goal=snail\n0 1 2 3\n# taquin: goal=snail\n";
    for max_records in [1, 100] {
        let out = read(text.as_bytes(), &InputOptions::default(), &Manner { max_records, ..Manner::plain() });
        assert_eq!(out.records.len(), 2);
        assert_eq!(out.warnings, [format!("file:5: {late}")]);
    }
    assert_eq!(auto("2\n# taquin: goal=snail\n1 2 3 0\n1 2 0 3\n").warnings, [format!("file:2: {late}")]);
    assert_eq!(auto("1 2\n# taquin: goal=snail\n3 0\n").warnings, [format!("file:2: {late}")]);
}

#[test]
fn layouts_that_cannot_be_numbered_say_so() {
    let wrong = "records of the layout grid cannot be numbered";
    let out = read(
        b"1 2\n3 0\n\n1 2\n0 3\n",
        &InputOptions { numbered: true, ..layout(Layout::Grid) },
        &Manner { max_records: 1, ..Manner::plain() },
    );
    assert_eq!(out.records.len(), 2);
    assert_eq!(out.records[0].2, "1 2/3 0");
    assert_eq!(out.warnings, [format!("file: --numbered is ignored: {wrong}")]);
    let out = auto("# taquin: numbered=yes format=grid\n1 2\n3 0\n");
    assert_eq!(out.records, [(2, None, format!("! line 1: setting 'numbered=yes': {wrong}"))]);
    assert_eq!(out.warnings, [format!("file:1: setting 'numbered=yes': {wrong}")]);
}

#[test]
fn auto_reads_large_boards_on_one_line() {
    let row = |cells: usize| (0..cells).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ");
    for side in [120, 255] {
        let tiles = row(side * side);
        for (text, layout) in [
            (format!("{side}\n{tiles}\n"), Layout::Sized),
            (format!("{side}\n{tiles}"), Layout::Sized),
            (format!("{side}\n{tiles}\n{side}\n{tiles}\n"), Layout::Sized),
            (format!("{side}\n{tiles}\n{tiles}\n"), Layout::Pair),
            (format!("{tiles}\n{tiles}\n"), Layout::Line),
        ] {
            for reads in [usize::MAX, 5000] {
                let out =
                    read(text.as_bytes(), &InputOptions::default(), &Manner { reads: vec![reads], ..Manner::plain() });
                assert_eq!(out.layout, Some(layout), "{side}");
                assert!(out.records.iter().all(|(_, _, said)| said.starts_with("0 1 2 ")), "{side} {layout}");
            }
        }
    }
}

#[test]
fn a_count_before_pairs_is_told_from_a_size() {
    let pair = "12X453786\n12345678X\n";
    let (first, solved) = ("1 2 0/4 5 3/7 8 6 -> 1 2 3/4 5 6/7 8 0", "1 2/3 0 -> 1 2/3 0");
    for (count, line) in [(1, 2), (2, 2), (9, 2), (300, 2)] {
        let text = format!("# taquin: format=pair\n{count}\n\n{}", pair.repeat(count));
        let out = auto(&text);
        assert_eq!(out.records.len(), count);
        assert_eq!(out.records[0], (line + 2, None, first.into()));
        assert_eq!(out.warnings, [""; 0], "{count}");
    }
    for (text, expected) in [
        ("2\n12X453786\n12345678X\n", format!("2: {first}")),
        ("2\n1230\n1230\n", format!("1: {solved}")),
        ("1230\n1230\n", format!("1: {solved}")),
        ("2500\n1230\n", "1: ! tile 5 is out of range: the tiles of a 2x2 board are 0 to 3".into()),
        ("2\n1 2 3 0 4\n1 2 3 0\n", "1: ! found 5 tiles, a 2x2 board has 4".into()),
        ("1\n2\n1 2 3 0\n1 2 3 0\n", format!("2: {solved}")),
        ("1\n0\n0\n", "1: 0 -> 0".into()),
        ("3\n1 2 3\n4 5 6\n", "1: ! found 3 tiles, a 3x3 board has 9".into()),
        ("2\n", "1: ! found a size, but no start and no goal behind it".into()),
    ] {
        assert_eq!(said(text, &layout(Layout::Pair)), [expected], "{text}");
    }
}

#[test]
fn count_lines_are_checked() {
    let options = InputOptions { count_line: true, ..layout(Layout::Line) };
    let out = read(b"2 # two\n1 2 3 0\n", &options, &Manner::plain());
    assert_eq!(out.records, [(2, None, "1 2/3 0".into())]);
    assert_eq!(out.warnings, ["file: the count line promises 2 records, the file holds 1"]);
    let out = read(b"1 2 3 0\n", &options, &Manner::plain());
    assert_eq!(out.records.len(), 1);
    assert_eq!(out.warnings, ["file:1: expected the number of records; the line is read as a record"]);
}

#[test]
fn a_line_that_is_too_long_is_one_invalid_record() {
    let mut text = b"1 2 3 0\n".to_vec();
    text.extend(std::iter::repeat_n(b'1', 10 << 20));
    text.extend(b"\n#");
    text.extend(std::iter::repeat_n(b'1', 10 << 20));
    text.extend(b"\n1 2 0 3\n");
    for layout in [None, Some(Layout::Line), Some(Layout::Grid)] {
        let options = InputOptions { layout, shape: Shape::new(1, 4), ..InputOptions::default() };
        let out = read(&text, &options, &Manner::plain());
        assert_eq!(
            out.records,
            [
                (1, None, "1 2 3 0".into()),
                (2, None, "! longer than 1048576 bytes (--max-line)".into()),
                (4, None, "1 2 0 3".into()),
            ]
        );
    }
}

/// A reader can go on in the middle of a line of which the first part was a record that is too long.
#[test]
fn behind_a_record_that_is_too_long_there_is_a_position() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.txt");
    std::fs::write(&path, format!("1 2 3 0\n{}\n1 2 0 3\n", "7 ".repeat(1 << 20))).unwrap();
    let options = InputOptions { max_line: 100, ..layout(Layout::Line) };
    let reader = || Reader::new(vec![Input::Path(path.clone())], options.clone());
    let rest = |reader: &mut Reader| {
        let mut rest = Vec::new();
        while let Some(chunk) = reader.next_chunk(1, 1, Vec::new()) {
            rest.extend(chunk.unwrap().records().map(|record| (record.index, record.line, record.puzzle.is_ok())));
        }
        rest
    };
    let all = [(1, 1, true), (2, 2, false), (3, 3, true)];
    for before in 0..=3 {
        let mut first = reader();
        first.keep_positions();
        for _ in 0..before {
            first.next_chunk(1, 1, Vec::new()).unwrap().unwrap();
        }
        let position = first.position();
        assert_eq!(position.rest_of_line, before == 2);
        let mut second = reader();
        second.go_to(&position).unwrap();
        assert_eq!(rest(&mut second), all[before..]);
    }
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(text).unwrap();
    packer.finish().unwrap()
}

#[test]
fn compressed_members_are_read_one_after_the_other_and_truncation_is_told() {
    let (first, second) = (b"1 2 3 0\n1 2 ".as_slice(), b"0 3\n0 1 2 3\n".as_slice());
    let zstd = |text| zstd::encode_all(text, 3).unwrap();
    for whole in [[gzip(first), gzip(second)].concat(), [zstd(first), zstd(second)].concat()] {
        let out = read(&whole, &layout(Layout::Line), &Manner::plain());
        assert_eq!(out.records.len(), 3);
        assert_eq!(out.failure, None);
        let out = read(&whole[..whole.len() - 6], &layout(Layout::Line), &Manner::plain());
        assert_eq!(out.records[0], (1, None, "1 2/3 0".into()));
        assert!(out.failure.is_some());
    }
}

#[test]
fn zeros_behind_gzip_members_are_padding_and_nothing_else_is() {
    let member = gzip(b"1 2 3 0\n");
    for manner in [Manner::plain(), Manner { reads: vec![1], block: 1, ..Manner::plain() }] {
        let read = |behind: &[u8]| read(&[&member, behind].concat(), &layout(Layout::Line), &manner);
        for (behind, records) in [(vec![], 1), (vec![0; 1], 1), (vec![0; 40_000], 1), (member.repeat(2), 3)] {
            let out = read(&behind);
            assert_eq!((out.records.len(), out.failure), (records, None));
        }
        for behind in [vec![0, 0, 7], [&[0], &member[..]].concat(), b"rest".to_vec(), member[..7].to_vec()] {
            let out = read(&behind);
            assert_eq!(out.records.len(), 1);
            assert!(out.failure.is_some(), "{behind:?}");
        }
    }
}

#[test]
fn a_failure_comes_behind_every_whole_record() {
    let manner = Manner { fails: true, ..Manner::plain() };
    let out = read(b"1 2 3 0\n1 2 0 3\n1 0 ", &InputOptions::default(), &manner);
    assert_eq!(out.records.len(), 2);
    assert_eq!(out.failure.as_deref(), Some("torn"));
}

#[test]
fn a_reader_goes_on_with_the_next_file_and_numbers_all_records() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name);
    std::fs::write(path("a.txt"), "1 2 3 4 5 6 7 8 0\n").unwrap();
    std::fs::write(path("b.txt"), "").unwrap();
    std::fs::write(path("c.txt"), "123456780\n123456708").unwrap();
    let inputs = ["a.txt", "missing", "b.txt", ".", "c.txt"].map(|name| Input::Path(path(name)));
    let mut reader = Reader::new(inputs.to_vec(), InputOptions::default());
    let (mut indices, mut failures) = (Vec::new(), 0);
    while let Some(chunk) = reader.next_chunk(1, 1, Vec::new()) {
        match chunk {
            Ok(chunk) => indices.extend(chunk.records().map(|record| (record.index, record.puzzle.is_ok()))),
            Err(wrong) => {
                failures += 1;
                assert!(wrong.to_string().starts_with("cannot read "), "{wrong}");
            }
        }
    }
    assert_eq!(indices, [(1, true), (2, true), (3, true)]);
    assert_eq!((failures, reader.bytes_read(), reader.total_bytes()), (2, 37, None));
}

#[test]
fn what_is_to_come_is_told_by_the_bytes_of_what_came() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| {
        let path = directory.path().join(name);
        std::fs::write(&path, text).unwrap();
        Input::Path(path)
    };
    let board = b"1 2 3 4 5 6 7 8 0\n";
    let outlooks = |inputs: Vec<Input>| {
        let mut reader = Reader::new(inputs, InputOptions::default());
        let mut told = Vec::new();
        while let Some(chunk) = reader.next_chunk(1, 1, Vec::new()) {
            assert_eq!(chunk.unwrap().records, 1);
            told.push((reader.outlook().more, reader.outlook().end));
        }
        assert_eq!((reader.outlook().more, told.len()), (0.0, 6));
        told
    };
    // Of two files with three boards each: five times, twice, once, half, a fifth of what came.
    let told = outlooks(vec![write("a.txt", &board.repeat(3)), write("b.txt", &board.repeat(3))]);
    assert_eq!(told, [5.0, 2.0, 1.0, 0.5, 0.2, 0.0].map(|more| (more, End::Known)));
    // A compressed one may hold more than what can be seen of it.
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&board.repeat(6)).unwrap();
    let told = outlooks(vec![write("c.gz", &packed.finish().unwrap())]);
    assert!(told.iter().all(|&(more, end)| (0.0..=5.0).contains(&more) && end == End::Open), "{told:?}");
}

/// A stream that delivers one line and then must not be asked for more.
#[test]
fn a_record_is_handed_out_without_waiting_for_the_next() {
    struct OneLine(Option<&'static [u8]>);
    impl Read for OneLine {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let mut line = self.0.take().expect("the record should have been handed out before");
            let read = line.read(into)?;
            self.0 = Some(line).filter(|rest| !rest.is_empty());
            Ok(read)
        }
    }
    for line in ["1 2 3 4 5 6 7 8 0\n", "123456780\n", "[1,2,3,0]\n"] {
        let text = stream::text_of_stream(OneLine(Some(line.as_bytes())), Unpacking::default()).unwrap();
        let mut file = FileReader::new("-".into(), Window::new(text, 1 << 16));
        let piece = file.next_piece(&InputOptions::default(), 100, 1 << 20, &mut Vec::new());
        assert_eq!(piece.unwrap().unwrap().records, 1);
    }
}

/// Bytes that look enough like boards for every branch to be taken.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        8 => "[0-9xX_. ,\t#]{0,9}".prop_map(String::into_bytes),
        2 => Just(b"1 2 3 0\n".to_vec()),
        2 => Just(b"2\n1 2\n3 0\n".to_vec()),
        1 => Just(b"123456780\n".to_vec()),
        1 => Just(b"1 2 3 4 5 6 7 8 0\r\n".to_vec()),
        1 => Just(b"{\"id\":1,\"board\":[1,2,3,0]}\n".to_vec()),
        1 => Just(b"id,board\n".to_vec()),
        1 => Just(b"# taquin: shape=2x2 format=grid numbered=yes\n".to_vec()),
        1 => Just(b"# taquin: goal=snial\n".to_vec()),
        1 => Just(b"# taquin: format=pair\n".to_vec()),
        6 => Just(b"\n".to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..6),
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn options() -> impl Strategy<Value = InputOptions> {
    let layout = prop::option::of(prop::sample::select(Layout::ALL.to_vec()));
    let shape = prop::option::of(prop::sample::select(vec![(2, 2), (3, 3), (1, 4), (2, 3), (1, 1), (3, 1)]));
    let limit = prop_oneof![Just(1 << 20), 1usize..60];
    (layout, shape, any::<(bool, bool)>(), limit).prop_map(|(layout, shape, (count_line, numbered), max_line)| {
        let shape = shape.and_then(|(rows, cols)| Shape::new(rows, cols));
        InputOptions { layout, shape, count_line, numbered, max_line, ..InputOptions::default() }
    })
}

fn manner() -> impl Strategy<Value = Manner> {
    (prop::collection::vec(1usize..20, 1..5), 1usize..64, 1usize..6, 1usize..200, any::<bool>()).prop_map(
        |(reads, block, max_records, max_bytes, _)| Manner { reads, block, max_records, max_bytes, fails: false },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Nothing panics, what the reader counts is what the workers find (checked in `read`), and
    /// neither the blocks nor the limits of chunks show in the result.
    #[test]
    fn any_bytes_give_the_same_records_however_they_are_cut(
        text in text(),
        options in options(),
        manner in manner(),
    ) {
        let whole = read(&text, &options, &Manner::plain());
        prop_assert!(whole.records.is_sorted_by_key(|record| record.0));
        let lines = 1 + text.iter().filter(|&&byte| byte == b'\n').count() as u64;
        prop_assert!(whole.records.iter().all(|record| (1..=lines).contains(&record.0)));
        prop_assert_eq!(&whole, &read(&text, &options, &manner));
    }

    /// The line of a record is where its text stands, whatever lies between the records.
    #[test]
    fn lines_are_counted(gaps in prop::collection::vec(0usize..4, 1..40), manner in manner()) {
        let (mut text, mut expected, mut line) = (String::new(), Vec::new(), 1);
        for (at, gap) in gaps.iter().enumerate() {
            text += &["\n", "# no\n", " \r\n"][at % 3].repeat(*gap);
            line += *gap as u64;
            expected.push(line);
            text += "1 2 3 4 5 6 7 8 0\n";
            line += 1;
        }
        let out = read(text.as_bytes(), &InputOptions::default(), &manner);
        prop_assert_eq!(out.records.iter().map(|record| record.0).collect::<Vec<_>>(), expected);
    }
}

/// Zeros without end: they are not read for ever.
#[test]
fn what_never_ends_is_told() {
    let window = Window::new(Box::new(b"1 0\n".chain(io::repeat(0))), 1 << 20).with_longest_line(50 << 20);
    let mut file = FileReader::new("file".into(), window);
    let (mut records, mut bytes, options) = (0, Vec::new(), shaped(Layout::Line, 1, 2));
    let cause = loop {
        match file.next_piece(&options, 1, 1, &mut bytes) {
            Ok(piece) => records += piece.unwrap().records,
            Err(cause) => break cause.to_string(),
        }
    };
    assert_eq!(records, 2, "a board, and a line that is too long");
    assert!(cause.contains("does not end"), "{cause}");
}

/// A comment of a megabyte is a kilobyte: as long as that can be a file of boards nothing is refused.
#[test]
fn a_decompression_bomb_ends_the_file_and_loses_nothing_before_it() {
    let trust = Unpacking { free: 10 << 20, ..Unpacking::default() };
    let (board, comment) = (gzip(b"1 2 3 4 5 6 7 0 8\n"), gzip(&[&[b'#'; (1 << 20) - 1][..], b"\n"].concat()));
    for (comments, fails) in [(9, false), (11, true)] {
        let all = board.len() + comments * comment.len();
        let bomb = io::Cursor::new(board.clone()).chain(Repeated { bytes: comment.clone(), at: 0 }).take(all as u64);
        let text = stream::text_of_stream(bomb, trust).unwrap();
        let mut file = FileReader::new("file".into(), Window::new(text, 1 << 20));
        let (mut bytes, options) = (Vec::new(), layout(Layout::Line));
        assert_eq!(file.next_piece(&options, 1, 1, &mut bytes).unwrap().unwrap().records, 1);
        match file.next_piece(&options, 1, 1, &mut bytes) {
            Ok(piece) => assert!(piece.is_none() && !fails),
            Err(cause) => assert!(fails && cause.to_string().contains("--max-ratio"), "{cause}"),
        }
    }
}

/// The same bytes without end.
struct Repeated {
    bytes: Vec<u8>,
    at: usize,
}

impl Read for Repeated {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.at %= self.bytes.len();
        let some = into.len().min(self.bytes.len() - self.at);
        into[..some].copy_from_slice(&self.bytes[self.at..][..some]);
        self.at += some;
        Ok(some)
    }
}
