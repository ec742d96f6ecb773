//! `taquin report` as its users see it: the content of the page, its resistance to hostile results,
//! and its maximum size of a megabyte. `scripts/browser` tests the page in a browser.

use std::fmt::Write as _;
use std::fs;

use crate::common::{run, stderr, stdout, taquin};

fn page(arguments: &[&str], results: &str) -> String {
    let output = run(&[&["report"], arguments].concat(), results);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    stdout(&output)
}

/// Returns approximately the visible text of a page.
fn visible_text(page: &str) -> String {
    let (_, body) = page.split_once("<body>").unwrap();
    let mut text = String::new();
    for piece in body.split('<') {
        text += piece.split_once('>').map_or(piece, |(_, text)| text);
        text.push(' ');
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn solved(boards: &str) -> String {
    stdout(&run(&["solve", "--quiet", "--boards", "--fail-on", "none"], boards))
}

#[test]
fn the_page_of_a_small_run() {
    let results = solved("1 2 3 4 5 6 7 0 8\n2 1 3 4 5 6 7 8 0\n1 2 3\n2 3 4 1 5 x 7 6 8\n1 2 2 0\n");
    let page = page(&["--title", "A small run"], &results);
    let text = visible_text(&page);
    for expected in [
        "A small run 5 records , 2 solved.",
        "solved 2 40.00 % a path was found",
        "unsolvable 1 20.00 % proven by parity",
        "invalid 2 40.00 % the record is not a valid board",
        "3×3, goal with its blank in a corner 2 boards of at most 19 moves, 10.00 on average.",
        "expected for a uniform sample of all 181,440 boards (mean 21.97, maximum 31 moves)",
        "Record Source Line Moves 4 - 4 19 1 - 1 1 Records with errors",
        "3 - 3 invalid",
        "tile 2 appears twice",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in {text}");
    }
    for absent in ["Problems", "unsolved", "error 0", "Nodes", "Time", "Id"] {
        assert!(!text.contains(absent), "{absent:?} is in {text}");
    }
    assert_eq!(page.matches("<figure>").count(), 1);
    // A browser loads nothing, and runs nothing.
    for absent in ["<script", "src=", "href=", "url("] {
        assert!(!page.contains(absent), "{absent:?} is in {page}");
    }
}

#[test]
fn the_page_of_one_board() {
    let text = visible_text(&page(&[], &solved("1 2 3 4 5 6 7 0 8\n")));
    assert!(text.contains("1 record , 1 solved.") && text.contains("1 board of 1 move."), "{text}");
    assert!(!text.contains("Boards by length"), "{text}");
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let results = solved("1 2 3 4 5 6 7 0 8\n2 3 4 1 5 x 7 6 8\n");
    assert_eq!(page(&[], &results), page(&[], &results));
    let folder = tempfile::tempdir().unwrap();
    let (results_file, page_file) = (folder.path().join("r.jsonl"), folder.path().join("page.html"));
    fs::write(&results_file, &results).unwrap();
    let write = |more: &[&str]| {
        taquin().arg("report").arg(&results_file).arg("-o").arg(&page_file).args(more).output().unwrap()
    };
    assert_eq!(write(&[]).status.code(), Some(0));
    let text = fs::read_to_string(&page_file).unwrap();
    let refused = write(&["--title", "other"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("--force"));
    assert_eq!(fs::read_to_string(&page_file).unwrap(), text);
    assert_eq!(write(&["--title", "other", "--force"]).status.code(), Some(0));
    assert!(fs::read_to_string(&page_file).unwrap().contains("<h1>other</h1>"));
}

/// The default fields do not include the shape and the goal. Options state them.
#[test]
fn a_missing_shape_is_assumed() {
    let results = stdout(&run(&["solve", "--quiet"], "2 3 4 1 5 x 7 6 8\n"));
    let text = |options: &[&str]| visible_text(&page(options, &results));
    assert!(text(&[]).contains("Boards of unknown or other shapes Their shape or goal is not known"), "{}", text(&[]));
    assert!(text(&["--shape", "3x3"]).contains("3×3, goal with its blank in a corner 1 board of 19 moves."));
    assert!(text(&["--shape", "3x3", "--goal", "snail"]).contains("3×3, goal with its blank inside"));
}

#[test]
fn nodes_and_times_are_listed_if_results_have_them() {
    let mut results = String::new();
    for (index, moves) in (1..).zip([1, 1, 2, 2, 2, 2, 3]) {
        let (nodes, time) = (index * 1000, 5000 - index);
        let _ = writeln!(
            results,
            r#"{{"index":{index},"status":"solved","moves":{moves},"nodes":{nodes},"time_us":{time}}}"#
        );
    }
    let text = visible_text(&page(&["--shape", "3x3"], &results));
    let hardest = text.split_once("Record Moves Nodes Time").unwrap().1;
    assert!(hardest.contains("1 1 1.00 k 5.00 ms 2 1 2.00 k 5.00 ms 3 2 3.00 k 5.00 ms"), "{hardest}");
}

const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'><svg onload=alert(1)>",
    "</title></style></script><b>",
    "&lt;b&gt;<!--",
    "\u{202e}javascript:alert(1)\u{0}",
];

/// The page has the same elements and attributes whatever the results contain.
#[test]
fn hostile_results_change_only_texts() {
    let page_of = |text: &str| {
        let quoted = serde_json::to_string(text).unwrap();
        let results = [
            format!(r#"{{"index":1,"source":{quoted},"line":2,"id":{quoted},"status":"invalid","error":{quoted}}}"#),
            format!(r#"{{"index":2,"source":{quoted},"id":[{quoted}],"status":"solved","moves":1,"rows":2,"cols":2}}"#),
            format!(r#"{{"index":3,"status":"unsolved","limit":{quoted}}}"#),
            format!(r#"{{"index":4,"status":{quoted}}}"#),
            format!(r#"{{"index":5,"path":{quoted},"moves":1,"rows":3,"cols":3}}"#),
            format!(r#"{{"index":6,"nodes":{quoted}}}"#),
            text.to_string(),
        ];
        let title = text.replace('\0', "");
        let output = run(&["report", "--title", &title], results.join("\n") + "\n");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        stdout(&output)
    };
    // The tags in order, without the values of their attributes.
    let skeleton = |page: &str| {
        let (_, rest) = page.split_once("<style>").unwrap();
        let (_, rest) = rest.split_once("</style>").unwrap();
        let mut names = Vec::new();
        for tag in rest.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').unwrap();
            let outside_quotes = tag.split('"').step_by(2);
            names.push(outside_quotes.collect::<Vec<_>>().join("\"\""));
        }
        names
    };
    let harmless = skeleton(&page_of("harmless"));
    assert!(harmless.len() > 100);
    for text in HOSTILE {
        let page = page_of(text);
        assert_eq!(skeleton(&page), harmless, "{text}");
        assert!(!page.contains('\u{202e}') && !page.contains('\0'));
    }
}

/// A page with as much content as possible, and with long texts in which every character is
/// escaped.
#[test]
fn no_page_is_larger_than_a_megabyte() {
    // The escape of this character is longer than that of any other.
    let hidden = "\u{e0041}".repeat(5000);
    let long = serde_json::to_string(&hidden).unwrap();
    let mut results = String::new();
    for index in 0..3000u64 {
        let number = u64::MAX - index;
        let prefix = format!(r#"{{"index":{number},"source":{long},"line":{number},"id":{long}"#);
        let _ = writeln!(results, r#"{prefix},"status":"invalid","error":{long}}}"#);
        let _ = writeln!(results, r#"{{"nodes":{long}}}"#);
        // Many lengths, on boards of many shapes. The distribution is unknown for all of them.
        let (rows, cols) = (4 + index % 3, 5 + index % 5);
        let moves = (index * 37) % 5000;
        let detail = format!(
            r#""rows":{rows},"cols":{cols},"nodes":{},"time_us":{}"#,
            u64::MAX / (index + 1),
            u64::MAX / (index + 1)
        );
        let _ = writeln!(results, r#"{prefix},"status":"solved","moves":{moves},{detail}}}"#);
        let _ = writeln!(results, r#"{{"status":"solved","moves":{moves},"nodes":{index}}}"#);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("{}.jsonl", "\u{7f}".repeat(150)));
    fs::write(&file, results).unwrap();
    let output = taquin().args(["report", "--title", &hidden]).arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let page = stdout(&output);
    assert_eq!(page.matches("The first 100 of 3,000.").count(), 2);
    assert_eq!(page.matches("aria-label=\"Boards by length").count(), 6, "five kinds, and all others");
    assert!((500_000..=1_000_000).contains(&page.len()), "{} bytes", page.len());
}

#[test]
fn damage_is_reported_and_never_fatal() {
    let whole = solved("1 2 3 4 5 6 7 0 8\n2 3 4 1 5 x 7 6 8\n");
    let lines: Vec<&str> = whole.lines().collect();
    let torn = &whole[..whole.len() - 9];
    let without_moves = lines[1].replace("\"moves\"", "\"steps\"");
    let cases = [
        (format!("{}\n{}\n", lines[0], "\u{0}".repeat(500)), "1 problem in the results", 1),
        (torn.to_string(), "EOF while parsing", 1),
        (format!("{}\n{without_moves}\n", lines[0]), "- 2 is solved, but has no field `moves`", 1),
        (format!("{}\nnull\n[]\n", lines[0]), "2 problems in the results", 1),
        (format!("{}\n\n  \n{}\n", lines[0], lines[1]), "2 solved", 0),
        (String::new(), "0 records , 0 solved.", 0),
        ("x".repeat(68_000_000), "is too long; the rest was not read", 1),
    ];
    for (results, expected, status) in cases {
        let output = run(&["report"], &results);
        assert_eq!(output.status.code(), Some(status), "{expected}");
        assert!(visible_text(&stdout(&output)).contains(expected), "{expected}");
    }
    let mut invalid_utf8 = whole.clone().into_bytes();
    invalid_utf8.splice(40..40, [0xff, 0xfe]);
    assert_eq!(run(&["report"], &invalid_utf8).status.code(), Some(1));
    // Inputs that cannot be read are listed on the page, too.
    let output = run(&["report", "no/such.jsonl", "-"], &whole);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no/such.jsonl"));
    let text = visible_text(&stdout(&output));
    assert!(text.contains("2 solved") && text.contains("no/such.jsonl cannot be read"), "{text}");
}

#[test]
fn compressed_results_are_read() {
    let results = solved("2 3 4 1 5 x 7 6 8\n");
    let folder = tempfile::tempdir().unwrap();
    let packed = folder.path().join("r.jsonl.zst");
    fs::write(&packed, crate::common::zstd(results.as_bytes())).unwrap();
    let output = taquin().arg("report").arg(&packed).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("1 board of 19 moves"));
}

#[test]
fn wrong_usage_is_rejected() {
    let status = |arguments: &[&str]| run(&[&["report"], arguments].concat(), "").status.code();
    assert_eq!(status(&["--shape", "3x3", "--goal", "1,2/3,0"]), Some(2));
    assert_eq!(status(&["--force"]), Some(2));
    assert_eq!(status(&["-o", "no/such/folder/x.html"]), Some(2));
}
