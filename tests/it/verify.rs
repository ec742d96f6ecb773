//! `taquin verify` accepts valid results and detects tampering.

use std::path::PathBuf;

use crate::common::{Random, run, stderr, stdout};

/// A folder with boards of every kind and their results.
struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    /// Creates solvable, unsolvable and invalid boards in two layouts, some with goals of their
    /// own, and their results with these options.
    fn new(options: &[&str]) -> Case {
        let case = Case { folder: tempfile::tempdir().unwrap() };
        let mut random = Random::new(5);
        let mut boards = String::new();
        for i in 0..3000 {
            let tiles: Vec<String> = random.permutation(9).iter().map(usize::to_string).collect();
            boards += &tiles.join(if i % 700 == 0 { " 8 " } else { " " });
            boards.push('\n');
        }
        std::fs::write(case.path("a.txt"), boards).unwrap();
        let large = (1..=30).rev().map(|tile| (tile % 30).to_string()).collect::<Vec<_>>().join(",");
        let records = [
            r#"{"id":"a","board":[1,2,3,4,0,5],"rows":2,"cols":3}"#,
            r#"{"id":2,"board":[5,1,2,4,9,6,3,8,13,15,10,11,14,0,7,12]}"#,
            r#"[[4,1,2],[5,0,3]]"#,
            r#"{"board":[8,1,2,0,4,3,7,6,5],"goal":"snail"}"#,
            r#"{"board":[1,2,0],"rows":1,"cols":3,"goal":[0,1,2]}"#,
            "oh",
            &format!(r#"{{"board":[{large}],"rows":5,"cols":6}}"#),
        ];
        std::fs::write(case.path("b.jsonl"), records.join("\n")).unwrap();
        let (a, b, results) = (case.named("a.txt"), case.named("b.jsonl"), case.named("results"));
        let output = run(&[&["solve", "--quiet", "--effort", "1", &a, &b, "-o", &results], options].concat(), "");
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn named(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_string()
    }

    fn results(&self) -> String {
        std::fs::read_to_string(self.path("results")).unwrap()
    }

    /// Returns the exit status and report for these results.
    fn verify(&self, results: impl AsRef<[u8]>, options: &[&str]) -> (Option<i32>, String) {
        std::fs::write(self.path("tampered"), results).unwrap();
        let (a, b, tampered) = (self.named("a.txt"), self.named("b.jsonl"), self.named("tampered"));
        let output = run(&[&["verify", &tampered, &a, &b], options].concat(), "");
        (output.status.code(), stdout(&output) + &stderr(&output))
    }
}

const EVERYTHING: &str =
    "index,source,line,id,rows,cols,board,goal,status,moves,path,optimal,limit,lower_bound,error,states";

#[test]
fn valid_results_are_accepted() {
    for options in [
        &[][..],
        &["--fields", EVERYTHING, "--detail"],
        &["--fields", "status,path"],
        &["--fields", "path,status,moves,error"],
    ] {
        let case = Case::new(options);
        let (status, report) = case.verify(case.results(), &["-j", "2"]);
        assert_eq!(status, Some(0), "{options:?}: {report}");
        for fact in ["3,007 records, 3,007 results", "6 invalid", "ok: 3,007 results verified"] {
            assert!(report.contains(fact), "{fact}: {report}");
        }
        // Results without the field `optimal` do not say which paths are not proven.
        let has_optimal = options.is_empty() || options.contains(&EVERYTHING);
        assert_eq!(report.contains("1 shortest, or with a lower bound: proven"), has_optimal, "{report}");
        assert!(report.contains("not proven:") && report.contains(" solved: that the path is shortest"), "{report}");
        // One thread gives the same report.
        assert_eq!(case.verify(case.results(), &["-j", "1"]).1, report);
    }
}

#[test]
fn results_may_be_compressed_and_come_from_a_pipe() {
    let case = Case::new(&[]);
    let packed = crate::common::zstd(case.results().as_bytes());
    assert_eq!(case.verify(packed, &[]).0, Some(0));
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut packed, case.results().as_bytes()).unwrap();
    let packed = packed.finish().unwrap();
    assert_eq!(case.verify(&packed, &[]).0, Some(0));
    // A truncated compressed file is a read error.
    assert_eq!(case.verify(&packed[..packed.len() / 2], &[]).0, Some(2));
    let (a, b) = (case.named("a.txt"), case.named("b.jsonl"));
    let output = run(&["verify", "-", &a, &b], case.results());
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert_eq!(run(&["verify", "-", "-"], "").status.code(), Some(2));
    assert_eq!(run(&["verify", "no/such/file", &a], "").status.code(), Some(2));
    assert_eq!(run(&["verify", &case.named("results"), "no/such/file"], "").status.code(), Some(2));
}

#[test]
fn unordered_results_are_matched_by_their_index() {
    let case = Case::new(&["--unordered", "-j", "2"]);
    let mut lines: Vec<String> = case.results().lines().map(String::from).collect();
    assert_eq!(case.verify(case.results(), &["--unordered"]).0, Some(0));
    // The lines are far out of order: records and their lines are in different blocks of `verify`.
    lines.sort_by_key(|line| std::cmp::Reverse(line.len() * 31 % 97));
    let shuffled = lines.join("\n") + "\n";
    let (status, report) = case.verify(&shuffled, &["--unordered", "-j", "2"]);
    assert_eq!(status, Some(0), "{report}");
    let (status, report) = case.verify(&shuffled, &[]);
    assert!(status == Some(1) && report.contains("out of order") && report.contains("--unordered"), "{report}");
    let case = Case::new(&["--unordered", "--fields", "status,path"]);
    let (status, report) = case.verify(case.results(), &["--unordered"]);
    assert!(status == Some(1) && report.contains("no field `index`"), "{report}");
}

/// Changes to one line and changes to the set of lines are detected.
#[test]
fn tampering_is_detected() {
    let case = Case::new(&["--fields", EVERYTHING]);
    let results = case.results();
    let lines: Vec<&str> = results.lines().collect();
    let first = |status: &str, from: usize| {
        let wanted = format!("\"status\":\"{status}\"");
        (from..).find(|&i| lines[i].contains(&wanted)).unwrap()
    };
    let (solved, unsolvable, invalid) = (first("solved", 1000), first("unsolvable", 1000), first("invalid", 0));
    let (large, with_id) = (lines.len() - 1, lines.len() - 7);
    assert!(lines[large].contains("\"optimal\":false") && lines[with_id].contains("\"id\":\"a\""));
    let bound = lines[large].split("\"lower_bound\":").nth(1).unwrap().split(',').next().unwrap();
    let path = lines[solved].split("\"path\":\"").nth(1).unwrap().split('"').next().unwrap();
    let other_path = path.chars().rev().collect::<String>();
    let longer_path = format!("{path}{}", if path.ends_with('R') { "LR" } else { "UD" });
    let moves = format!("\"moves\":{}", path.len());
    let index = format!("{{\"index\":{},", solved + 1);
    let quoted = |path: &str| format!("\"path\":\"{path}\"");
    let changes: &[(usize, &str, &str, &str)] = &[
        (solved, &quoted(path), &quoted(&other_path), "not a solution"),
        (solved, &quoted(path), &quoted(&longer_path), "has `moves` "),
        (solved, &quoted(path), &quoted(&path[1..]), "not a solution"),
        (solved, &quoted(path), &quoted("UUUUUUUU"), "not possible"),
        (solved, &quoted(path), &quoted("x"), "not possible"),
        (solved, &quoted(path), &quoted("\\u0000"), "not possible"),
        (solved, &format!("{},", quoted(path)), "", "nothing to replay"),
        (solved, "\"status\":\"solved\",", "", "has no field `status`"),
        (solved, &moves, "\"moves\":1", "has `moves` 1, expected"),
        (solved, "\"status\":\"solved\"", "\"status\":\"unsolvable\"", "contradicts itself"),
        (solved, "\"optimal\":true", "\"optimal\":false", "its path is not a shortest one"),
        (solved, "\"optimal\":true", "\"optimal\":true,\"limit\":\"nodes\"", "names a limit, but"),
        (solved, "\"states\":[[", "\"states\":[[1,2,3],[", "boards other than"),
        (solved, "]]}", "],[0]]}", "boards other than"),
        (solved, "\"board\":[", "\"board\":[0,", "a board other"),
        (solved, "\"goal\":[1,2,3", "\"goal\":[1,3,2", "a goal other"),
        (solved, "\"rows\":3", "\"rows\":4", "has `rows` 4, expected 3"),
        (solved, "\"cols\":3", "\"cols\":0", "`cols` does not match its schema"),
        (solved, "\"line\":", "\"line\":9", "has `line` 9"),
        (solved, "a.txt\"", "b.txt\"", "a source other"),
        (solved, "\"line\":", "\"id\":\"a\",\"line\":", "a different id"),
        (solved, "\"line\":", "\"error\":\"x\",\"line\":", "contradicts itself"),
        (solved, "\"line\":", "\"colour\":1,\"line\":", "is not a result"),
        (solved, "\"line\":", "\"index\":1,\"line\":", "is not a result"),
        (solved, "}", "}}", "is not a result"),
        (solved, "{", "", "is not a result"),
        (solved, &index, "{\"index\":0,", "is not a result"),
        (solved, &index, "{\"index\":99999999,", "the inputs have 3007"),
        (solved, &index, "{\"index\":18446744073709551615,", "the inputs have 3007"),
        (with_id, "\"id\":\"a\"", "\"id\":\"b\"", "a different id"),
        (unsolvable, "\"unsolvable\"", "\"invalid\"", "contradicts itself"),
        (unsolvable, "\"unsolvable\"", "\"unsolved\"", "by its parity it is unsolvable"),
        (unsolvable, "\"unsolvable\"", "\"error\"", "the program failed"),
        (unsolvable, "\"status\":\"unsolvable\"", "\"status\":\"solved\",\"path\":\"U\",\"moves\":1", "not a solution"),
        (invalid, "\"invalid\"", "\"unsolvable\"", "contradicts itself"),
        (invalid, "\"error\":\"", "\"error\":\"x", "a reason other"),
        (invalid, "\"status\"", "\"rows\":3,\"status\"", "contradicts itself"),
        (large, &format!("\"lower_bound\":{bound}"), "\"lower_bound\":9999", "no path is shorter than 9999"),
        (large, "\"optimal\":false", "\"optimal\":true", "its path is a shortest one"),
        (large, "\"lower_bound\"", "\"limit\":\"boredom\",\"lower_bound\"", "`limit` does not match its schema"),
    ];
    for &(at, old, new, expected) in changes {
        assert!(lines[at].contains(old), "{old} in {}", lines[at]);
        let mut tampered: Vec<String> = lines.iter().map(ToString::to_string).collect();
        tampered[at] = tampered[at].replacen(old, new, 1);
        let (status, report) = case.verify(tampered.join("\n") + "\n", &["-j", "2"]);
        assert!(status == Some(1) && report.contains(expected), "{old} -> {new}: {report}");
        assert!(!report.contains("results verified"), "{report}");
        // The report names the line of the results, or the record if no line is at fault.
        let names_place =
            [format!("line {} ", at + 1), format!("record {} ", at + 1)].iter().any(|place| report.contains(place));
        assert!(names_place || expected == "the program failed", "{report}");
    }

    // Lines that are swapped, missing, repeated or replaced.
    let (mut swapped, mut dropped, mut doubled, mut extra) =
        (lines.clone(), lines.clone(), lines.clone(), lines.clone());
    swapped.swap(solved, unsolvable);
    dropped.remove(solved);
    doubled.insert(solved, lines[solved]);
    extra.push(lines[solved]);
    let replaced: Vec<&str> =
        lines.iter().enumerate().map(|(i, line)| if i == solved { lines[solved - 1] } else { line }).collect();
    let line_sets: &[(&[&str], &str, &[&str])] = &[
        (&swapped, "out of order", &[]),
        (&dropped, "has no result", &["--unordered"]),
        (&dropped, "has no result", &[]),
        (&doubled, "one too many", &["--unordered"]),
        (&extra, "one too many", &["--unordered"]),
        (&extra, "one too many", &[]),
        (&replaced, "has no result", &[]),
        (&lines[..0], "has no result", &[]),
        (&lines[..lines.len() - 1], "has no result", &[]),
    ];
    for &(lines, expected, options) in line_sets {
        let (status, report) = case.verify(lines.join("\n") + "\n", options);
        assert!(status == Some(1) && report.contains(expected), "{expected}: {report}");
    }
    // The end of the file is missing, or only its last byte.
    for lost in [1, 2, 40] {
        let (status, report) = case.verify(&results[..results.len() - lost], &[]);
        assert!(status == Some(1) && report.contains("line feed"), "{report}");
    }
}

#[test]
fn lines_without_an_index_are_matched_by_position() {
    let case = Case::new(&["--fields", "status,path"]);
    let results = case.results();
    let lines: Vec<&str> = results.lines().collect();
    let mut more = lines.clone();
    more.push(r#"{"status":"unsolvable"}"#);
    assert!(case.verify(more.join("\n") + "\n", &[]).1.contains("is for a record that does not exist"));
    let (status, report) = case.verify(lines[..3000].join("\n") + "\n", &[]);
    assert!(status == Some(1) && report.contains("has no result"), "{report}");
    let (status, report) = case.verify(lines[1..].join("\n") + "\n", &[]);
    assert!(status == Some(1) && report.contains("not a solution"), "{report}");
}

#[test]
fn arbitrary_bytes_do_not_cause_a_panic() {
    let case = Case::new(&[]);
    let mut random = Random::new(9);
    let results = case.results().into_bytes();
    for round in 0..60 {
        let mut damaged = results.clone();
        let at = random.index(damaged.len());
        match round % 3 {
            // Nearly every byte matters, because it belongs to a path or a length.
            0 => damaged[at] ^= 1 << random.index(8),
            1 => damaged.truncate(at),
            _ => damaged = (0..at % 5000).map(|_| random.bits() as u8).collect(),
        }
        let (status, report) = case.verify(&damaged, &["-j", "2"]);
        assert!(status == Some(1), "{round}: {status:?} {report}");
    }
    let deep = format!("{{\"id\":{}", "[".repeat(1_000_000));
    assert_eq!(case.verify(deep, &[]).0, Some(1));
}

#[test]
fn a_sample_is_solved_again_by_another_engine() {
    let case = Case::new(&[]);
    let (status, report) = case.verify(case.results(), &["--sample", "200"]);
    assert!(status == Some(0) && report.contains("200 in the sample: confirmed"), "{report}");
    // A full sample detects a path with a detour.
    let results = case.results();
    let at = results.lines().position(|line| line.contains("\"id\":2,")).unwrap();
    let detour = |line: &str| {
        let path = line.split("\"path\":\"").nth(1).unwrap().split('"').next().unwrap();
        let longer = format!("{path}{}", if path.ends_with('R') { "LR" } else { "UD" });
        line.replace(path, &longer)
            .replace(&format!("\"moves\":{}", path.len()), &format!("\"moves\":{}", longer.len()))
    };
    let lines: Vec<String> =
        results.lines().enumerate().map(|(i, line)| if i == at { detour(line) } else { line.into() }).collect();
    let tampered = lines.join("\n") + "\n";
    assert_eq!(case.verify(&tampered, &[]).0, Some(0));
    let (status, report) = case.verify(&tampered, &["--sample", "5000"]);
    assert!(status == Some(1) && report.contains("but there is a path of "), "{report}");
    let (status, report) = case.verify(&results, &["--sample", "5000", "--node-limit", "1"]);
    assert!(status == Some(1) && report.contains("not solved again within the limits"), "{report}");
}

#[test]
fn unsolved_boards_are_not_proven() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(file("hard.txt"), "15 14 8 12 10 11 9 13 2 6 5 1 3 7 4 0\n").unwrap();
    let goal = ["--goal", "blank-first"];
    let solve = ["solve", "--quiet", "--node-limit", "1000", &file("hard.txt"), "-o", &file("results")];
    assert_eq!(run(&[&solve[..], &goal].concat(), "").status.code(), Some(1));
    let output = run(&[&["verify", &file("results"), &file("hard.txt")], &goal[..]].concat(), "");
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("1 unsolved: solvable"), "{}", stdout(&output));
    // For another goal, these results are wrong.
    let output = run(&["verify", &file("results"), &file("hard.txt")], "");
    assert!(stdout(&output).contains("failed: "), "{}", stdout(&output));
}
