//! `taquin generate` as its users see it. Its output can be read and has the requested properties.

use crate::common::{run, stderr, stdout};

/// `solve` reads every layout and shape without further options, and every board has the requested
/// distance.
#[test]
fn solve_reads_every_layout() {
    let folder = tempfile::tempdir().unwrap();
    for shape in ["3x3", "2x4", "4x2"] {
        for layout in ["line", "digits", "grid", "sized", "json", "csv"] {
            for goal in ["blank-last", "blank-first", "snail"] {
                let boards = folder.path().join(format!("{shape}-{layout}-{goal}.txt"));
                let boards = boards.to_str().unwrap();
                let options = ["--shape", shape, "--format", layout, "--goal", goal, "--moves", "9..12", "-n", "30"];
                let output = run(&[&["generate", "-o", boards], &options[..]].concat(), "");
                assert_eq!(output.status.code(), Some(0), "{options:?}: {}", stderr(&output));
                // `solve` is not told the layout, shape or goal: it finds them in the file.
                let output = run(&["solve", "-q", "--fields", "status,moves,rows,cols", boards], "");
                let results = stdout(&output);
                assert_eq!(
                    results.lines().count(),
                    30,
                    "{options:?}: {results}{}",
                    std::fs::read_to_string(boards).unwrap()
                );
                let (rows, cols) = shape.split_once('x').unwrap();
                for line in results.lines() {
                    let result: serde_json::Value = serde_json::from_str(line).unwrap();
                    assert_eq!(result["status"], "solved", "{options:?}: {line}");
                    assert!((9..=12).contains(&result["moves"].as_u64().unwrap()), "{options:?}: {line}");
                    assert_eq!(result["rows"].to_string() + &result["cols"].to_string(), rows.to_string() + cols);
                }
            }
        }
    }
}

/// If a judge guarantees easy boards, the generated boards are easy, so the judge accepts every
/// golden answer.
#[test]
fn boards_respect_the_limits_of_a_judge() {
    let folder = tempfile::tempdir().unwrap();
    let [boards, answers] = ["in", "out"].map(|name| folder.path().join(name).to_str().unwrap().to_string());
    let output = run(&["generate", "--as", "uva10181", "-n", "3", "-o", &boards, "--answers", &answers], "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(run(&["judge", "--as", "uva10181", &boards, &answers], "").status.code(), Some(0));
    assert_eq!(
        run(&["check", "--as", "uva10181", "--moves", "..45", "--count", "3", &boards], "").status.code(),
        Some(0)
    );
}

/// `judge` accepts generated boards with their golden answers, in the formats of these profiles.
#[test]
fn golden_answers_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: String| folder.path().join(name).to_str().unwrap().to_string();
    let profiles = [
        "poj1077",
        "hdu1043",
        "zoj1217",
        "uva652",
        "acwing179",
        "acwing845",
        "hdu3567",
        "lightoj1139",
        "luogu1379",
        "codevs1225",
        "boj1525",
        "aoj-13b",
        "leetcode773",
        "hiho1312",
        "hackerrank",
        "princeton",
        "42",
        "komal-s15",
        "pair",
        "n-puzzle",
        "poj3240",
    ];
    for profile in profiles {
        let (boards, answers) = (path(format!("{profile}.in")), path(format!("{profile}.out")));
        let pairs: &[&str] = if ["hdu3567", "pair", "n-puzzle"].contains(&profile) { &["--pairs"] } else { &[] };
        let options = ["generate", "--as", profile, "-n", "40", "--moves", "1..", "-o", &boards, "--answers", &answers];
        let output = run(&[&options[..], pairs].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{profile}: {}", stderr(&output));
        let output = run(&["judge", "--as", profile, &boards, &answers], "");
        assert_eq!(stdout(&output), "accepted: 40 cases\n", "{profile}: {}", stderr(&output));
    }
    // The boards for these profiles must be within the judges' limits.
    for (profile, moves) in [("uva10181", "4..12"), ("lightoj15", "4..12"), ("aoj-13c", "..12")] {
        let (boards, answers) = (path(format!("{profile}.in")), path(format!("{profile}.out")));
        let options = ["generate", "--as", profile, "-n", "8", "--moves", moves, "-o", &boards, "--answers", &answers];
        assert_eq!(run(&options, "").status.code(), Some(0), "{profile}");
        let output = run(&["judge", "--as", profile, &boards, &answers], "");
        assert_eq!(stdout(&output), "accepted: 8 cases\n", "{profile}: {}", stderr(&output));
    }
}

#[test]
fn unsolvable_shares_are_exact() {
    let output = run(&["generate", "-n", "200", "--unsolvable", "10%", "--seed", "4", "--unique"], "");
    let boards = stdout(&output);
    let results = stdout(&run(&["solve", "-q", "--fields", "status"], &boards));
    assert_eq!(results.matches("unsolvable").count(), 20, "{results}");
    assert_eq!(results.matches("\"solved\"").count(), 180);
    let lines: std::collections::BTreeSet<&str> = boards.lines().collect();
    assert_eq!(lines.len(), 200);
    assert_eq!(
        stdout(&run(&["generate", "-n", "200", "--unsolvable", "0.1", "--seed", "4", "--unique", "-j", "3"], "")),
        boards
    );
    assert_ne!(stdout(&run(&["generate", "-n", "200", "--unsolvable", "0.1", "--seed", "5", "--unique"], "")), boards);
}

/// UVa 10181 guarantees at most 45 moves for its 15-puzzles, and nothing for other shapes.
#[test]
fn limits_of_a_judge_apply_to_its_own_shape() {
    let made = |options: &[&str]| {
        let output = run(&[&["generate", "--as", "uva10181", "-n", "2"], options].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{options:?}: {}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(made(&["--shape", "4x4"]), made(&["--moves", "..45"]));
    let other = made(&["--shape", "5x5"]);
    let unlimited = run(&["generate", "--shape", "5x5", "-n", "2"], "");
    let numbers = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
    // The judge's boards are preceded by a count.
    assert_eq!(numbers(&other)[1..], numbers(&stdout(&unlimited)));
}

#[test]
fn farthest_boards_and_errors() {
    let output = run(&["generate", "--moves", "31", "--unique=boards", "-n", "2"], "");
    let mut boards: Vec<_> = stdout(&output).lines().map(String::from).collect();
    boards.sort();
    assert_eq!(boards, ["6 4 7 8 5 0 3 2 1", "8 6 7 2 5 4 3 0 1"]);
    for (options, status, message) in [
        (&["--moves", "32"][..], 1, "the hardest need 31"),
        (
            &["--moves", "31", "--unique", "-n", "2"],
            1,
            "only 1 distinct board exists when reflections count as the same; 2 were requested (--unique=boards allows 2)",
        ),
        (&["--moves", "31", "--unique=boards", "-n", "3"], 1, "only 2 such boards exist; 3 were requested"),
        (
            &["--unique", "-n", "90793"],
            1,
            "only 90,792 distinct boards exist when reflections count as the same; 90,793 were requested (--unique=boards allows 181,440)",
        ),
        (&["--moves", "5..4"], 2, "is an empty range"),
        (&["--pairs"], 0, ""),
        (&["--as", "hdu3567", "--difficulty", "hard"], 2, "one goal"),
        (&["--files", "a%d", "--answers", "a1%d", "-n", "11"], 2, "both name a11"),
        (&["--files", "b%d.txt.gz"], 2, "cannot write compressed output to b1.txt.gz"),
        (
            &["--shape", "3x3,2x3", "--format", "json", "--unique", "-n", "9223372036854775808"],
            1,
            "only 90,792 distinct boards exist",
        ),
        (&["--pairs", "--format", "grid"], 2, "cannot hold a goal"),
        (&["--shape", "4x4", "--format", "digits"], 2, "too many tiles"),
        (&["--shape", "9x9"], 0, ""),
        (&["--shape", "9x9", "--moves", "4"], 2, "too large"),
        (&["--goal", "1,2/3,0"], 2, "invalid goal"),
        (&["-n", "0"], 0, ""),
    ] {
        let output = run(&[&["generate"], options].concat(), "");
        assert_eq!(output.status.code(), Some(status), "{options:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{options:?}: {}", stderr(&output));
    }
}

#[test]
fn files_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boards.txt");
    let path = path.to_str().unwrap();
    assert_eq!(run(&["generate", "-o", path], "").status.code(), Some(0));
    let first = std::fs::read(path).unwrap();
    assert_eq!(run(&["generate", "-o", path, "--seed", "1"], "").status.code(), Some(2));
    assert_eq!(std::fs::read(path).unwrap(), first);
    assert_eq!(run(&["generate", "-o", path, "--seed", "1", "--force"], "").status.code(), Some(0));
    assert_ne!(std::fs::read(path).unwrap(), first);
}

#[test]
fn excluded_files_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    std::fs::write(named("b1"), "1 2 3 4 5 6 7 0 8\n").unwrap();
    let output =
        run(&["generate", "-q", "-n", "2", "--force", "--files", &named("b%d"), "--exclude", &named("b1")], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("would overwrite"), "{}", stderr(&output));
    assert_eq!(std::fs::read_to_string(named("b1")).unwrap(), "1 2 3 4 5 6 7 0 8\n");
}

/// If each board has a file of its own, each answer has one too.
#[test]
fn each_board_has_answers() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let options = ["generate", "--moves", "31", "-n", "2", "--files", &named("b%d"), "--answers", &named("a%d")];
    let output = run(&options, "");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for answers in ["a1", "a2"] {
        let text = std::fs::read_to_string(named(answers)).unwrap();
        assert!(text.contains("\"moves\":31") && text.lines().count() == 1, "{text}");
    }
    // Out of reach of a judge's proven answers.
    let options = ["generate", "--as", "aoj-13c", "--shape", "6x6", "-n", "2", "--force"];
    let output = run(&[&options[..], &["--files", &named("b%d"), "--answers", &named("a%d")]].concat(), "");
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    for answers in ["a1", "a2"] {
        assert_eq!(std::fs::read_to_string(named(answers)).unwrap(), "unsolved\n");
    }
}
