//! `taquin judge`: right, wrong, illegal, too long, truncated, CRLF and hostile answers for every
//! profile.
//!
//! The right answers are the golden files of `tests/profiles/`, made by another program. Most of
//! the other answers are modified golden answers. Most tests call the library, as the program does.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use crate::common::{self, Random, run, stderr, stdout};
use proptest::prelude::*;
use taquin::Solver;
use taquin::internal::format::input::{Input, InputOptions, Reader};
use taquin::internal::format::profile::{AnswerFormat, ClaimReader, Profile, Requirement};
use taquin::internal::tools::judge::{self, AnswerFiles, FaultKind, Verdict};

/// A profile with its golden files, and solvers that build their tables once.
struct Setup {
    profile: &'static Profile,
    format: AnswerFormat,
    /// The path of the input.
    input: String,
    /// The text of the golden answers.
    answers: String,
    solver: Solver,
    three_threads: Solver,
}

fn solver_with(threads: usize) -> Solver {
    Solver::builder().threads(threads).memory(1 << 30).build().unwrap()
}

impl Setup {
    fn new(name: &str) -> Setup {
        let profile = Profile::named(name).unwrap();
        let golden = |ending: &str| common::project().join(format!("tests/profiles/{name}.{ending}"));
        Setup {
            profile,
            format: profile.answer.unwrap(),
            input: golden("in").to_str().unwrap().into(),
            answers: fs::read_to_string(golden("out")).unwrap(),
            solver: solver_with(1),
            three_threads: solver_with(3),
        }
    }

    fn all() -> impl Iterator<Item = Setup> {
        Profile::all().filter(|profile| profile.answer.is_some()).map(|profile| Setup::new(profile.name))
    }

    fn judge_by(&self, solver: &Solver, answer: &[u8], jury: Option<&[u8]>) -> Verdict {
        let reader = |bytes: &[u8]| ClaimReader::new(Box::new(Cursor::new(bytes.to_vec())), &self.format);
        let files = AnswerFiles { answer: reader(answer), jury: jury.map(reader) };
        let options = self.profile.fill(InputOptions::default());
        let mut input = Reader::new(vec![Input::Path(self.input.clone().into())], options);
        judge::run(&self.format, solver, &mut input, files, &|_| {}).unwrap()
    }

    /// Returns the kind of fault in an answer, if there is one.
    fn judge(&self, answer: impl AsRef<[u8]>) -> Option<FaultKind> {
        self.judge_by(&self.solver, answer.as_ref(), None).first_fault.map(|found| found.fault.kind)
    }

    /// Returns the number of cases, which is the number of golden answers judged right.
    fn cases(&self) -> u64 {
        self.judge_by(&self.solver, self.answers.as_bytes(), None).right
    }

    /// Returns true if answers contain moves, and not only their number.
    fn gives_moves(&self) -> bool {
        self.format.has_paths()
    }
}

#[test]
fn right_answers_are_accepted_with_any_line_endings() {
    for setup in Setup::all() {
        let name = setup.profile.name;
        assert_eq!(setup.judge(&setup.answers), None, "{name}");
        assert!(setup.cases() >= 1, "{name}");
        assert_eq!(setup.judge(setup.answers.replace('\n', "\r\n")), None, "{name}");
        assert_eq!(setup.judge(setup.answers.replace('\n', "  \n")), None, "{name}");
        assert_eq!(setup.judge(setup.answers.trim_end()), None, "{name}");
        assert_eq!(setup.judge(format!("{}\n\n\r\n \n", setup.answers)), None, "{name}");
        let verdict = setup.judge_by(&setup.three_threads, setup.answers.as_bytes(), Some(setup.answers.as_bytes()));
        assert!(verdict.first_fault.is_none(), "{name}");
        assert_eq!(verdict.right, setup.cases(), "{name}");
    }
}

/// The sample answers that judges publish, for profiles whose golden answers differ from them.
#[test]
fn other_published_answers_are_accepted() {
    for name in ["poj1077", "acwing179"] {
        assert_eq!(Setup::new(name).judge("ullddrurdllurdruldr\n"), None, "{name}");
    }
    for name in ["hdu1043", "zoj1217", "uva652"] {
        let setup = Setup::new(name);
        let (_, rest) = setup.answers.split_once('\n').unwrap();
        assert_eq!(setup.judge(format!("ullddrurdllurdruldr\n{rest}")), None, "{name}");
    }
}

#[test]
fn truncated_and_repeated_answers_are_rejected() {
    for setup in Setup::all() {
        let name = setup.profile.name;
        assert_ne!(setup.judge(""), None, "{name}");
        let lines: Vec<&str> = setup.answers.lines().collect();
        for count in 0..lines.len() {
            let text: String = lines[..count].iter().flat_map(|line| [line, "\n"]).collect();
            let (kind, rest) = (setup.judge(&text), lines[count..].concat());
            // The last answer may be an empty path.
            if rest.is_empty() {
                assert_eq!(kind, None, "{name}: {text:?}");
            } else {
                // A truncated listing is a path that does not reach the goal.
                assert!(matches!(kind, Some(FaultKind::Presentation | FaultKind::Wrong)), "{name}: {kind:?} {text:?}");
            }
        }
        let half = &setup.answers[..setup.answers.len() / 2];
        if setup.answers.trim().len() > 2 {
            assert!(matches!(setup.judge(half), Some(FaultKind::Presentation | FaultKind::Wrong)), "{name}");
        }
        assert_eq!(setup.judge(format!("{}{}", setup.answers, setup.answers)), Some(FaultKind::Presentation), "{name}");
    }
}

#[test]
fn wrong_claims_of_solvability_are_rejected() {
    for setup in Setup::all() {
        let (name, Some(unsolvable)) = (setup.profile.name, setup.format.unsolvable) else { continue };
        let unsolvable_answer = |case: usize| unsolvable.text.replace("{case}", &case.to_string());
        // The first case has a solution in all golden files but one.
        if name == "lightoj1139" {
            let lines = setup.answers.replacen("impossible", "3", 1);
            assert_eq!(setup.judge(lines), Some(FaultKind::Wrong), "{name}");
            continue;
        }
        assert_eq!(setup.judge(unsolvable_answer(1)), Some(FaultKind::Wrong), "{name}");
        // If the second board has no solution, answer it with the moves of the first.
        if setup.cases() > 1 && setup.answers.contains(unsolvable_answer(2).trim_end()) && setup.gives_moves() {
            let end = setup.answers.find(&unsolvable_answer(2)).unwrap();
            let first = &setup.answers[..end];
            let twice = format!("{first}{}", first.replace("Case 1", "Case 2"));
            assert!(matches!(setup.judge(twice), Some(FaultKind::Wrong)), "{name}");
        }
    }
}

/// Returns the golden path of the first case and the index of its line, if the format has the whole
/// path on one line.
fn first_path(setup: &Setup) -> Option<(String, usize)> {
    let plain = setup.format.solved.text == "{path}\n" && setup.profile.name != "komal-s15";
    let (prefix, line) = match setup.profile.name {
        "hdu3567" => (0, 1),
        "lightoj15" => ("Case 1: ".len(), 0),
        _ if plain => (0, 0),
        _ => return None,
    };
    Some((setup.answers.lines().nth(line)?[prefix..].to_string(), line))
}

fn with_first_path(setup: &Setup, path: &str) -> String {
    let (old, line) = first_path(setup).unwrap();
    let mut lines: Vec<String> = setup.answers.lines().map(String::from).collect();
    lines[line] = lines[line].replace(&old, path);
    if setup.profile.name == "hdu3567" {
        lines[0] = format!("Case 1: {}", path.len());
    }
    lines.join("\n") + "\n"
}

#[test]
fn illegal_long_and_non_canonical_paths() {
    let mut profile_count = 0;
    for setup in Setup::all().filter(|setup| first_path(setup).is_some()) {
        let (name, (path, _)) = (setup.profile.name, first_path(&setup).unwrap());
        let upper = path.bytes().all(|letter| letter.is_ascii_uppercase());
        let recased = |text: String| if upper { text.to_uppercase() } else { text };
        profile_count += 1;
        let judge = |path: &str| setup.judge(with_first_path(&setup, path));
        assert_eq!(judge(&path), None, "{name}");
        // A path that leaves the board, and one that ends before the goal.
        assert_eq!(judge(&recased("llll".into())), Some(FaultKind::Wrong), "{name}");
        assert_eq!(judge(&path[..path.len() - 1]), Some(FaultKind::Wrong), "{name}");
        // Letters of the wrong case, and wrong letters.
        let swapped = if upper { path.to_lowercase() } else { path.to_uppercase() };
        assert_eq!(judge(&swapped), Some(FaultKind::Presentation), "{name}");
        assert_eq!(judge(&path.replacen(['d', 'D'], "x", 1)), Some(FaultKind::Presentation), "{name}");
        // Two moves more (back and forth), and a hundred.
        let [detour, long] = [1, 50].map(|times| path.clone() + &recased("ud".repeat(times)));
        let (by_two, by_many) = match setup.format.requirement {
            Requirement::AnyPath => (None, None),
            Requirement::AtMost(_) => (None, Some(FaultKind::Wrong)),
            Requirement::Shortest | Requirement::Canonical => (Some(FaultKind::Wrong), Some(FaultKind::Wrong)),
        };
        assert_eq!(judge(&detour), by_two, "{name}");
        assert_eq!(judge(&long), by_many, "{name}");
    }
    assert_eq!(profile_count, 11);

    // A shortest path that is not alphabetically first: the published one of POJ 1077.
    let setup = Setup::new("hdu3567");
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::write(&input, "1\n23415X768\n12345678X\n").unwrap();
    let setup = Setup { input: input.to_str().unwrap().into(), ..setup };
    assert_eq!(setup.judge("Case 1: 19\ndlurullddrurdllurdr\n"), None);
    assert_eq!(setup.judge("Case 1: 19\nullddrurdllurdruldr\n"), Some(FaultKind::Wrong));
    assert_eq!(setup.judge("Case 1: 18\ndlurullddrurdllurdr\n"), Some(FaultKind::Wrong));
}

#[test]
fn wrong_numbers() {
    for setup in Setup::all().filter(|setup| !setup.gives_moves()) {
        let name = setup.profile.name;
        let first = setup.answers.lines().find(|line| *line != "Yes").unwrap();
        let number = first.rsplit(' ').next().unwrap();
        let Ok(moves) = number.parse::<u64>() else {
            assert!(name == "lightoj1139", "{name}");
            continue;
        };
        for (wrong, kind) in [
            ((moves + 2).to_string(), FaultKind::Wrong),
            ((moves + 1).to_string(), FaultKind::Wrong),
            ("999999999999999999".into(), FaultKind::Wrong),
            ("99999999999999999999999".into(), FaultKind::Presentation),
            ("-7".into(), FaultKind::Presentation),
            (format!("0{moves}"), FaultKind::Presentation),
            ("many".into(), FaultKind::Presentation),
            (format!("{moves} {moves}"), FaultKind::Presentation),
        ] {
            let answer = setup.answers.replacen(first, &first.replace(number, &wrong), 1);
            assert_eq!(setup.judge(&answer), Some(kind), "{name}: {wrong}");
        }
        if moves > 0 {
            let answer = setup.answers.replacen(first, &first.replace(number, &(moves - 1).to_string()), 1);
            assert_eq!(setup.judge(&answer), Some(FaultKind::Wrong), "{name}: one move fewer");
        }
    }
}

#[test]
fn words_tiles_and_listings() {
    let setup = Setup::new("hackerrank");
    let spoiled = |from: &str, to: &str| setup.judge(setup.answers.replacen(from, to, 1));
    // If the number is one too small, the path is wrong. If it is one too large, a move is missing.
    assert_eq!(spoiled("20", "19"), Some(FaultKind::Wrong));
    assert_eq!(spoiled("20", "21"), Some(FaultKind::Presentation));
    assert_eq!(spoiled("20", "999999999"), Some(FaultKind::Presentation));
    assert_eq!(spoiled("DOWN", "UP"), Some(FaultKind::Wrong));
    assert_eq!(spoiled("DOWN", "Down"), Some(FaultKind::Presentation));
    // Any path is accepted, such as one with two extra moves.
    assert_eq!(spoiled("20\n", "22\nDOWN\nUP\n"), None);

    let setup = Setup::new("komal-s15");
    let spoiled = |from: &str, to: &str| setup.judge(setup.answers.replacen(from, to, 1));
    assert_eq!(spoiled("86584", "88"), Some(FaultKind::Wrong));
    assert_eq!(spoiled("86584", "8 6 5 8 4"), None);
    assert_eq!(spoiled("86584", "06584"), Some(FaultKind::Wrong));
    assert_eq!(spoiled("86584", "8658x"), Some(FaultKind::Presentation));
    assert_eq!(spoiled("86584", "8886584"), Some(FaultKind::Wrong));

    for name in ["princeton", "42", "n-puzzle"] {
        let setup = Setup::new(name);
        // If a board is left out, the boards before and after it are two moves apart.
        let boards: Vec<&str> = setup.answers.split_inclusive("\n\n").collect();
        let without: String = boards.iter().enumerate().filter(|(i, _)| *i != 2).map(|(_, board)| *board).collect();
        assert_eq!(setup.judge(&without), Some(FaultKind::Wrong), "{name}");
        assert_eq!(setup.judge(setup.answers.replacen(" 1 ", " 2 ", 1)), Some(FaultKind::Wrong), "{name}");
        let number = match name {
            "princeton" => setup.answers.replacen("moves = 4", "moves = 6", 1),
            "42" => setup.answers.replacen("Moves: 24", "Moves: 22", 1),
            _ => setup.answers.replacen("\n14\n", "\n12\n", 1),
        };
        assert_eq!(setup.judge(number), Some(FaultKind::Wrong), "{name}");
    }
}

#[test]
fn wrong_jury_answers_are_jury_errors() {
    let setup = Setup::new("uva10181");
    let right = setup.answers.clone();
    let judged = |answer: &str, jury: &str| {
        let verdict = setup.judge_by(&setup.solver, answer.as_bytes(), Some(jury.as_bytes()));
        verdict.first_fault.map(|found| (found.fault.kind, found.fault.message, found.case))
    };
    assert_eq!(judged(&right, &right), None);
    let spoiled = right.replacen("LLLDRDRDR", "LLLDRDRD", 1);
    let (kind, why, case) = judged(&spoiled, &right).unwrap();
    assert_eq!((kind, case), (FaultKind::Wrong, 1), "{why}");
    let (kind, why, case) = judged(&right, &spoiled).unwrap();
    assert_eq!((kind, case), (FaultKind::Jury, 1));
    assert!(why.starts_with("the jury's answer: "), "{why}");
    assert_eq!(judged(&right, "").unwrap().0, FaultKind::Jury);
    assert_eq!(judged(&right, &format!("{right}{right}")).unwrap().0, FaultKind::Jury);
}

/// Boards that are not solved within the limits: the number of moves in the jury's answer decides.
/// Without a jury, an answer with at least as many moves as the lower bound is undecided.
#[test]
fn unsolved_boards_are_compared_or_undecided() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    // 52 moves (Rosetta Code), far more than a hundred nodes can reach.
    fs::write(&input, "15 14 1 6\n9 11 4 12\n0 10 7 3\n13 8 5 2\n").unwrap();
    let setup = Setup { input: input.to_str().unwrap().into(), ..Setup::new("aoj-13c") };
    let solver = Solver::builder().threads(1).memory(1 << 30).node_limit(100).build().unwrap();
    let judged = |answer: &[u8], jury: Option<&[u8]>| {
        setup.judge_by(&solver, answer, jury).first_fault.map(|found| found.fault.kind)
    };
    assert_eq!(judged(b"52\n", None), Some(FaultKind::Undecided));
    assert_eq!(judged(b"52\n", Some(b"52\n")), None);
    assert_eq!(judged(b"54\n", Some(b"52\n")), Some(FaultKind::Wrong));
    assert_eq!(judged(b"52\n", Some(b"54\n")), Some(FaultKind::Undecided));
    assert_eq!(judged(b"2\n", None), Some(FaultKind::Wrong));
    assert_eq!(judged(b"-1\n", None), Some(FaultKind::Presentation));
}

/// A 10x10 board is too large for a search for shortest paths. This judge accepts any path that
/// leads to the goal.
#[test]
fn large_boards_are_judged_without_being_solved() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    let goal: Vec<usize> = (1..100).chain([0]).collect();
    let (mut tiles, mut blank, mut random, mut path_back) = (goal.clone(), 99, Random::new(5), Vec::new());
    for _ in 0..5000 {
        let (letter, to) = match random.index(4) {
            0 if blank < 90 => (b'U', blank + 10),
            1 if blank % 10 > 0 => (b'R', blank - 1),
            2 if blank % 10 < 9 => (b'L', blank + 1),
            3 if blank >= 10 => (b'D', blank - 10),
            _ => continue,
        };
        tiles.swap(blank, to);
        blank = to;
        path_back.push(letter);
    }
    path_back.reverse();
    let words: Vec<String> = tiles.iter().map(usize::to_string).collect();
    fs::write(&input, format!("10\n{}\n", words.join(" "))).unwrap();
    let setup = Setup { input: input.to_str().unwrap().into(), ..Setup::new("poj3240") };
    assert_eq!(setup.judge(&path_back), None);
    assert_eq!(setup.judge(&path_back[1..]), Some(FaultKind::Wrong));
    assert_eq!(setup.judge("No Answer!\n"), Some(FaultKind::Wrong));
    fs::write(&input, format!("10\n{}\n", words.join(" ").replace("99", "100"))).unwrap();
    assert_eq!(setup.judge(&path_back), Some(FaultKind::Jury));
}

#[test]
fn the_first_fault_is_found_with_any_number_of_threads() {
    let mut random = Random::new(23);
    let folder = tempfile::tempdir().unwrap();
    let (input, golden) = (folder.path().join("in"), folder.path().join("out"));
    let boards: String = (0..20_000)
        .map(|_| random.permutation(9).iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n")
        .collect();
    fs::write(&input, boards).unwrap();
    let paths = [&input, &golden].map(|path| path.to_str().unwrap().to_string());
    assert!(run(&["solve", "--quiet", "--as", "hdu1043", &paths[0], "-o", &paths[1]], "").status.success());
    let mut lines: Vec<String> = fs::read_to_string(&golden).unwrap().lines().map(String::from).collect();
    assert_eq!(lines.len(), 20_000);
    let setup =
        |answers: &[String]| Setup { input: paths[0].clone(), answers: answers.join("\n"), ..Setup::new("hdu1043") };
    assert_eq!(setup(&lines).cases(), 20_000);
    for wrong in [17_003, 19_990, 4_321] {
        lines[wrong - 1] = "uuu".into();
        let setup = setup(&lines);
        for threads in [1, 2, 8] {
            let verdict = setup.judge_by(&solver_with(threads), setup.answers.as_bytes(), None);
            let found = verdict.first_fault.unwrap();
            let first = if wrong == 19_990 { 17_003 } else { wrong as u64 };
            assert_eq!((found.case, found.answer_line, verdict.right), (first, Some(first), first - 1));
        }
    }
}

#[test]
fn the_program_names_the_case_and_uses_the_chosen_exit_statuses() {
    let input = "tests/profiles/hdu3567.in";
    let golden = fs::read_to_string(common::project().join("tests/profiles/hdu3567.out")).unwrap();
    let judged = |exit: &str, answer: &str| {
        let output = run(&["judge", "--as", "hdu3567", "--exit", exit, input, "-"], answer);
        (output.status.code().unwrap(), stdout(&output), stderr(&output))
    };
    let (wrong, malformed) = (golden.replace("urrulldr", "urrulldl"), golden.replace("Case 2", "Case two"));
    for (exit, codes) in [("taquin", [0, 1, 1]), ("testlib", [0, 1, 2]), ("icpc", [42, 43, 43])] {
        assert_eq!(judged(exit, &golden), (codes[0], "accepted: 4 cases\n".into(), String::new()));
        // With a byte order mark and CRLF, which some editors write.
        let (code, text, _) = judged(exit, &format!("\u{feff}{}", golden.replace('\n', "\r\n")));
        assert_eq!((code, text.as_str()), (codes[0], "accepted: 4 cases\n"));
        let (code, text, _) = judged(exit, &wrong);
        assert_eq!(code, codes[1], "{text}");
        assert_eq!(
            text,
            "wrong answer in case 2 (line 3 of the answer, board at tests/profiles/hdu3567.in:4): \
             move 8 ('l') is not possible\n   start        goal\n   5 6 4        7 5 6\n   1 7 8   ->   8 . 4\n   . 2 3        1 2 3\n"
        );
        let (code, text, _) = judged(exit, &malformed);
        assert_eq!(code, codes[2], "{text}");
        assert!(text.starts_with("presentation error in case 2 (line 3 of the answer"), "{text}");
    }
    for (exit, code) in [("taquin", 2), ("testlib", 3), ("icpc", 2)] {
        let missing = run(&["judge", "--as", "hdu3567", "--exit", exit, input, "no/such/file"], "");
        assert_eq!(missing.status.code(), Some(code), "{exit}");
        assert!(stderr(&missing).contains("no/such/file"), "{}", stderr(&missing));
        let jury = ["judge", "--as", "hdu3567", "--exit", exit, input, "tests/profiles/hdu3567.out", "-"];
        let output = run(&jury, &wrong);
        assert_eq!(output.status.code(), Some(code), "{exit}");
        assert!(stdout(&output).starts_with("jury error in case 2"), "{}", stdout(&output));
    }
    // Whatever the first bytes of an answer are, the contestant is at fault.
    for start in [&b"PAR1"[..], b"\x1f\x8bjunk", b"\x28\xb5\x2f\xfdjunk", b"\xff\xfe1\0"] {
        let spoiled = run(&["judge", "--as", "hdu3567", "--exit", "testlib", input, "-"], start);
        assert_eq!(spoiled.status.code(), Some(2), "{}", stdout(&spoiled));
    }
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.in");
    fs::write(&empty, "\n").unwrap();
    let output = run(&["judge", "--as", "hdu1043", "--exit", "testlib", empty.to_str().unwrap(), "-"], "");
    assert_eq!(
        (output.status.code(), stdout(&output).as_str()),
        (Some(3), "jury error: the input has no boards\n"),
        "an input without boards was accepted"
    );
    assert_eq!(run(&["judge", "--exit", "testlib", "--no-such-option"], "").status.code(), Some(3));
    for arguments in
        [&["judge", input, "-"][..], &["judge", "--as", "korf", input, "-"], &["judge", "--as", "pair", "-", "-"]]
    {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!stderr(&output).is_empty());
    }
}

#[test]
fn other_notations_can_be_judged() {
    let judged = |options: &[&str], answer: &str| {
        let arguments = [&["judge", "--as", "poj1077"], options, &["tests/profiles/poj1077.in", "-"]].concat();
        run(&arguments, answer).status.code()
    };
    assert_eq!(judged(&["--notation", "UDLR", "--path-of", "tile"], "URDLDRRUULDLURRDLUL\n"), Some(0));
    assert_eq!(judged(&["--notation", "tiles"], "8 6 5 8 4 3 2 1 7 5 8 4 6 8 5 7 4 5 8\n"), Some(0));
    assert_eq!(judged(&[], "URDLDRRUULDLURRDLUL\n"), Some(1));
}

/// Generates bytes that often begin like valid answers, so that not all are rejected at once.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        3 => Just("dlurullddrurdllurdr".to_string()),
        2 => Just("Case 1: 2\ndd".to_string()),
        2 => Just("Case 1: ".to_string()),
        2 => Just("unsolvable".to_string()),
        2 => Just("Minimum number of moves = 4\n\n3\n 0  1  3 \n 4  2  5 \n 7  8  6 \n".to_string()),
        2 => Just("20\nDOWN\nDOWN".to_string()),
        1 => Just("Moves: 18446744073709551615\n\n1 2 3".to_string()),
        1 => Just("-1".to_string()),
        1 => Just("No Solution!".to_string()),
        2 => "[0-9]{1,25}",
        2 => "[udlrUDLR0-9 :=#x.-]{0,40}",
        1 => Just("9 ".repeat(200)),
    ];
    let end = prop_oneof![5 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\n\n"), 1 => Just(" "), 1 => Just("\0"), 1 => Just("\r")];
    let text = prop::collection::vec((piece, end), 0..12)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(piece, end)| (piece + end).into_bytes()).collect());
    prop_oneof![3 => text, 2 => prop::collection::vec(any::<u8>(), 0..300)]
}

/// Returns a golden answer in which a few bytes were changed, removed or inserted.
fn spoil(answers: &str, edits: &[(u16, u8, u8)]) -> Vec<u8> {
    let mut bytes = answers.as_bytes().to_vec();
    for &(at, kind, byte) in edits {
        let at = usize::from(at) % (bytes.len() + 1);
        match kind % 3 {
            0 if at < bytes.len() => bytes[at] = byte,
            1 if at < bytes.len() => drop(bytes.remove(at)),
            _ => bytes.insert(at, byte),
        }
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, ..ProptestConfig::default() })]
    #[test]
    fn no_answer_file_breaks_the_judge(
        bytes in hostile(),
        edits in prop::collection::vec((any::<u16>(), any::<u8>(), prop_oneof![any::<u8>(), Just(b'\n'), Just(b' '), Just(b'0')]), 1..4),
    ) {
        SETUPS.with(|setups| {
            for setup in setups {
                for answer in [bytes.clone(), spoil(&setup.answers, &edits)] {
                    let solvers = [&setup.solver, &setup.three_threads];
                    let [one, three] = solvers.map(|solver| setup.judge_by(solver, &answer, None));
                    // A modified answer may be right. If it is not, the contestant is at fault, and
                    // never the judge or the input.
                    let kind = one.first_fault.as_ref().map(|found| found.fault.kind);
                    prop_assert!(matches!(kind, None | Some(FaultKind::Wrong | FaultKind::Presentation)), "{}: {kind:?}", setup.profile.name);
                    prop_assert_eq!(format!("{one:?}"), format!("{three:?}"));
                }
            }
            Ok(())
        })?;
    }
}

thread_local! {
    /// The profiles whose golden boards are judged quickly.
    static SETUPS: Vec<Setup> = Setup::all()
        .filter(|setup| !matches!(setup.profile.name, "lightoj15" | "aoj-13c" | "n-puzzle"))
        .collect();
}

/// If an input has more or fewer boards than its count line promises, the jury is at fault: the
/// number of answers that the contestant should give is unknown.
#[test]
fn a_wrong_count_line_is_a_jury_error() {
    let golden = fs::read_to_string(common::project().join("tests/profiles/hdu3567.in")).unwrap();
    let answers = fs::read_to_string(common::project().join("tests/profiles/hdu3567.out")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("input.txt");
    let judged = |count: usize, answers: &str| {
        fs::write(&input, golden.replacen('4', &count.to_string(), 1)).unwrap();
        let arguments = ["judge", "--as", "hdu3567", "--exit", "testlib", input.to_str().unwrap(), "-"];
        let output = run(&arguments, answers);
        (output.status.code().unwrap(), stdout(&output))
    };
    assert_eq!(judged(4, &answers), (0, "accepted: 4 cases\n".into()));
    let (code, text) = judged(6, &answers);
    assert!(code == 3 && text.contains("jury error in case 6: the input promises 6 boards, but has fewer"), "{text}");
    // More answers do not change this. A fault in an earlier answer is reported first.
    assert_eq!(judged(6, &format!("{answers}Case 5: 0\n\n")).0, 3);
    assert_eq!(judged(6, &answers.replace("Case 2", "Case two")).0, 2);
    let three: String = answers.lines().take(6).map(|line| format!("{line}\n")).collect();
    for answers in [&three, &answers] {
        let (code, text) = judged(3, answers);
        assert!(code == 3 && text.contains("the input promises 3 boards, but has more"), "{text}");
    }
}

#[test]
fn a_missing_input_is_an_error() {
    let setup = Setup { input: "no/such/file".into(), ..Setup::new("pair") };
    assert!(!Path::new(&setup.input).exists());
    let reader = ClaimReader::new(Box::new(Cursor::new(Vec::new())), &setup.format);
    let mut input = Reader::new(vec![Input::Path(setup.input.into())], InputOptions::default());
    let files = AnswerFiles { answer: reader, jury: None };
    let error = judge::run(&setup.format, &setup.solver, &mut input, files, &|_| {}).unwrap_err();
    assert!(error.to_string().contains("no/such/file"), "{error}");
}
