//! `solve --as`: the answers for every profile, compared byte for byte with golden files made by
//! another program (`tests/profiles/README.md`), and with the published samples of the judges.

use std::fs;
use std::path::PathBuf;

use crate::common::{self, Random, run, stderr, stdout};
use taquin::internal::format::profile::Profile;
use taquin_oracle::Oracle;

/// Returns the path of a profile's golden input, and the golden answers to it.
fn golden(name: &str) -> (PathBuf, String) {
    let folder = common::project().join("tests/profiles");
    let answers = fs::read_to_string(folder.join(format!("{name}.out"))).unwrap();
    (folder.join(format!("{name}.in")), answers)
}

#[test]
fn every_profile_writes_its_golden_answers() {
    for profile in Profile::all().filter(|profile| profile.answer.is_some()) {
        let (input, answers) = golden(profile.name);
        let output = run(&["solve", "--quiet", "-j", "2", "--as", profile.name, input.to_str().unwrap()], "");
        assert_eq!(stdout(&output), answers, "{}", profile.name);
        assert_eq!(stderr(&output), "", "{}", profile.name);
        assert_eq!(output.status.code(), Some(0), "{}", profile.name);
    }
}

/// Sample inputs and outputs from the judges' problem statements. If several answers are right and
/// the published one differs from ours, `tests/it/judge.rs` checks that the published one is
/// accepted.
#[test]
fn published_samples_with_one_right_answer() {
    let uva10181 = "2\n2 3 4 0\n1 5 7 8\n9 6 10 12\n13 14 11 15\n13 1 2 4\n5 0 3 7\n9 6 10 12\n15 8 11 14\n";
    let samples = [
        ("acwing845", "2  3  4  1  5  x  7  6  8", "19\n"),
        ("hdu3567", "2\n12X453786\n12345678X\n564178X23\n7568X4123\n", "Case 1: 2\ndd\nCase 2: 8\nurrulldr\n"),
        (
            "lightoj1139",
            "3\n\n1 2 3\n4 5 6\n8 7 0\n\n1 2 3\n4 5 6\n7 0 8\n\n1 3 2\n4 6 5\n7 8 0\n",
            "Case 1: impossible\nCase 2: 1\nCase 3: 18\n",
        ),
        ("uva10181", uva10181, "LLLDRDRDR\nThis puzzle is not solvable.\n"),
        ("poj3240", "2\n3 1\n2 0\n", "LURD\n"),
        ("luogu1379", "283104765\n", "4\n"),
        ("boj1525", "1 0 3\n4 2 5\n7 8 6\n", "3\n"),
        ("boj1525", "3 6 0\n8 1 2\n7 4 5\n", "-1\n"),
        ("aoj-13b", "1 3 0\n4 2 5\n7 8 6\n", "4\n"),
        ("aoj-13c", "1 2 3 4\n6 7 8 0\n5 10 11 12\n9 13 14 15\n", "8\n"),
        ("leetcode773", "[[1,2,3],[4,0,5]]\n[[1,2,3],[5,4,0]]\n[[4,1,2],[5,0,3]]\n", "1\n-1\n5\n"),
        ("spoj-al1006", "2 3 4 0\n1 5 7 8\n9 6 10 12\n13 14 11 15\n", "LLLDRDRDR\n"),
        ("spoj-al1006", "13 1 2 4\n5 0 3 7\n9 6 10 12\n15 8 11 14\n", "NIE\n"),
        ("mipt089", "1 2 3 4 5 6 7 8 0\n", "Yes\n0\n"),
        ("mipt089", "0 1 2 3 4 5 6 7 8 \n", "Yes\n22\n"),
        ("mipt091", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0\n", "YES\n\n"),
        ("mipt091", "1 2 3 4 5 6 7 8 9 10 0 11 13 14 15 12\n", "YES\nrd\n"),
        ("jutge-p68428", "1 2 3\n0 4 6\n7 5 8\n", "3\n"),
        ("jutge-p68428", "5 1 0\n3 4 2\n7 8 6\n", "14\n"),
        ("jutge-p68428", "3 1 5\n2 4 6\n7 8 0\n", "14\n"),
        ("jutge-p68428", " 1 2 3 \n 4 5 6 \n 7 8 0\n", "0\n"),
        ("jutge-p68428", "1 2 8\n7 4 3\n0 5 6\n", "16\n"),
        ("jutge-p68428", "8 1 2\n0 4 3\n7 6 5\n", "None\n"),
        ("gvu", "3\n\n1 2 3\n5 7 6\n0 4 8\n\n1 3 5\n4 2 6\n0 7 8\n\n3 4 5\n1 8 2\n0 7 6\n", "6\n8\n12\n"),
        ("koistudy608", "1 2 3\n4 0 5\n7 8 6\n", "2\n"),
        ("codewars-sliding", "[ [ 1, 2, 3, 4], [ 5, 0, 6, 8], [ 9,10, 7,11], [13,14,15,12] ]\n", "[6,7,11,12]\n"),
        ("pair", "1 2 3 0 8 4 7 6 5\n1 0 3 8 2 4 7 6 5\n", "2\n"),
        (
            "princeton",
            "3\n 0  1  3\n 4  2  5\n 7  8  6\n",
            "Minimum number of moves = 4\n\n3\n 0  1  3 \n 4  2  5 \n 7  8  6 \n\n3\n 1  0  3 \n 4  2  5 \n 7  8  6 \n\n\
             3\n 1  2  3 \n 4  0  5 \n 7  8  6 \n\n3\n 1  2  3 \n 4  5  0 \n 7  8  6 \n\n3\n 1  2  3 \n 4  5  6 \n 7  8  0 \n\n",
        ),
        ("princeton", "3\n1 2 3\n4 5 6\n8 7 0\n", "No solution possible\n"),
        // This sample is written from memory (`tests/profiles/README.md`).
        ("hiho1312", "3\n1 2 3\n4 5 6\n7 8 0\n1 2 3\n4 5 6\n8 7 0\n8 0 1\n5 7 4\n3 6 2\n", "0\nNo Solution!\n25\n"),
    ];
    for (name, input, answers) in samples {
        assert_eq!(stdout(&run(&["solve", "--quiet", "--as", name], input)), answers, "{name}");
    }
}

/// Compares the lengths and canonical paths of the solvable published fixtures, as cases of HDU
/// 3567, and the lengths of all fixtures, as cases of `pair`.
#[test]
fn every_fixture_of_the_eight_puzzle() {
    let fixtures = fs::read_to_string(common::project().join("tests/data/fixtures_8puzzle.txt")).unwrap();
    let rows: Vec<Vec<&str>> =
        fixtures.lines().filter(|line| !line.starts_with('#')).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows.len(), 24);
    let solvable: Vec<&Vec<&str>> = rows.iter().filter(|row| row[2] != "-1").collect();
    let (mut input, mut answers) = (format!("{}\n", solvable.len()), String::new());
    for (i, row) in solvable.iter().enumerate() {
        input += &format!("{}\n{}\n", row[0], row[1]);
        answers += &format!("Case {}: {}\n{}\n", i + 1, row[2], row[3].trim_start_matches('-'));
    }
    assert_eq!(stdout(&run(&["solve", "--quiet", "--as", "hdu3567"], &input)), answers);
    for row in rows {
        let pair = format!("{}\n{}\n", row[0], row[1]);
        assert_eq!(stdout(&run(&["solve", "--quiet", "--as", "pair"], &pair)), format!("{}\n", row[2]), "{row:?}");
    }
}

/// Separators and case numbers depend only on a record's position in the run, although several
/// threads write chunks. The answers to thousands of boards are compared with the oracle's.
#[test]
fn case_numbers_do_not_depend_on_threads() {
    let oracle = Oracle::new(3, 3, &[1, 2, 3, 4, 5, 6, 7, 8, 0]);
    let mut random = Random::new(11);
    let (mut plain, mut grids, mut uva652, mut lightoj) = (String::new(), String::new(), String::new(), String::new());
    for case in 1..=9000 {
        let tiles: Vec<u8> = random.permutation(9).iter().map(|&tile| tile as u8).collect();
        let words: Vec<String> = tiles.iter().map(u8::to_string).collect();
        plain += &format!("\n{}\n", words.join(" "));
        grids += &format!("\n{}\n{}\n{}\n", words[..3].join(" "), words[3..6].join(" "), words[6..].join(" "));
        let path = oracle.path(&tiles).map(|path| String::from_utf8(path).unwrap());
        uva652 += if case > 1 { "\n" } else { "" };
        uva652 += &path.as_ref().map_or("unsolvable\n".to_string(), |path| format!("{}\n", path.to_lowercase()));
        lightoj += &match path {
            Some(path) => format!("Case {case}: {}\n", path.len()),
            None => format!("Case {case}: impossible\n"),
        };
    }
    for (name, input, answers) in [("uva652", plain, uva652), ("lightoj1139", grids, lightoj)] {
        for threads in ["1", "2", "8"] {
            let output = run(&["solve", "--quiet", "-j", threads, "--as", name], format!("9000\n{input}"));
            assert!(stdout(&output) == answers, "{name} on {threads} threads");
        }
    }
}

#[test]
fn records_without_an_answer_keep_their_case_and_are_reported() {
    let input = "4\n123456780\n123456780\n123456788\n123456780\n123456870\n123456780\n12345678X\n1234567X8\n";
    let output = run(&["solve", "--quiet", "--as", "hdu3567"], input);
    assert_eq!(stdout(&output), "Case 1: 0\n\nCase 2: invalid\n\nCase 3: unsolvable\n\nCase 4: 1\nl\n");
    let message = stderr(&output);
    assert_eq!(
        message.lines().collect::<Vec<_>>(),
        [
            "taquin: -:4: record 2: invalid: tile 8 appears twice; 'invalid' is written instead",
            "taquin: -:6: record 3: unsolvable, for which the judge's format has no answer; 'unsolvable' is written instead",
        ]
    );
    assert_eq!(output.status.code(), Some(1));

    // This board, from the forum of UVa 10181, needs 54 moves, four more than the judge allows.
    let output = run(&["solve", "--quiet", "--as", "uva10181"], "1\n1 8 14 12\n11 2 9 10\n0 7 6 5\n15 13 4 3\n");
    assert_eq!(stdout(&output).trim().len(), 54);
    assert!(stderr(&output).contains("record 1: needs 54 moves, more than the 50"), "{}", stderr(&output));

    let large = (1..100).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ").replace("98 99", "99 0 98");
    let output = run(&["solve", "--quiet", "--as", "poj3240"], format!("10\n{large}\n"));
    assert_eq!(stdout(&output).lines().count(), 1);
    let bad: String = (0..50).map(|_| "1 2 3\n").collect();
    let output = run(&["solve", "--quiet", "--as", "hdu1043"], bad);
    assert_eq!(stdout(&output), "invalid\n".repeat(50));
    assert_eq!(stderr(&output).lines().count(), 21);
    assert!(stderr(&output).ends_with("taquin: and 30 more\n"), "{}", stderr(&output));
}

#[test]
fn paths_of_the_blank_and_of_tiles_in_several_notations() {
    let board = "2 3 4 1 5 x 7 6 8";
    let path = |options: &[&str]| {
        let options = [&["solve", "--quiet", "--fields", "path"], options].concat();
        let line: serde_json::Value = serde_json::from_str(&stdout(&run(&options, board))).unwrap();
        line["path"].as_str().unwrap().to_string()
    };
    assert_eq!(path(&["--notation", "UDLR"]), "DLURULLDDRURDLLURDR");
    assert_eq!(path(&["--notation", "udlr"]), "dlurullddrurdllurdr");
    assert_eq!(path(&["--path-of", "tile"]), "URDLDRRUULDLURRDLUL");
    assert!(path(&["--notation", "words"]).starts_with("DOWN LEFT UP RIGHT UP"));
    assert!(path(&["--notation", "words", "--path-of", "tile"]).starts_with("UP RIGHT DOWN LEFT DOWN"));
    // The same as KöMaL's golden answer, but with spaces between the numbers.
    assert_eq!(path(&["--notation", "tiles"]).replace(' ', ""), golden("komal-s15").1.lines().next().unwrap());

    let with = |options: &[&str]| stdout(&run(&[&["solve", "--quiet"], options].concat(), board));
    assert_eq!(with(&["--as", "poj1077", "--notation", "UDLR"]), "DLURULLDDRURDLLURDR\n");
    // Options override the profile, including layout and goal.
    let lines = with(&["--as", "hackerrank", "--format", "line", "--goal", "blank-last", "--notation", "udlr"]);
    assert_eq!(lines, "19\nd\nl\nu\nr\nu\nl\nl\nd\nd\nr\nu\nr\nd\nl\nl\nu\nr\nd\nr\n");
}

#[test]
fn options_that_contradict_a_profile_are_rejected() {
    for option in [&["--fields", "path"][..], &["--detail"], &["--unordered"]] {
        let output = run(&[&["solve", "--as", "poj1077"], option].concat(), "");
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        assert!(stderr(&output).contains("poj1077"), "{}", stderr(&output));
    }
    let output = run(&["solve", "--as", "poj"], "");
    assert!(stderr(&output).contains("poj1077"), "{}", stderr(&output));
    // The profile of Korf's list of boards has no answer format, so results are in the program's
    // own format.
    let output = run(&["solve", "--quiet", "--as", "korf", "--fields", "id,moves"], "7 1 0 2 3 4 5 6 7 8\n");
    assert_eq!(stdout(&output), "{\"id\":7,\"moves\":1}\n");
}

#[test]
fn profiles_are_listed_and_documented() {
    let list = stdout(&run(&["profiles"], ""));
    let page = fs::read_to_string(common::project().join("docs/judging.md")).unwrap();
    for profile in Profile::all() {
        let row = list.lines().find(|line| line.split_whitespace().next() == Some(profile.name));
        assert!(row.is_some_and(|row| row.contains(profile.source)), "{}", profile.name);
        assert!(page.contains(&format!("`{}`", profile.name)), "{} in docs/judging.md", profile.name);
        let file = fs::read_to_string(common::project().join(format!("profiles/{}.toml", profile.name))).unwrap();
        assert_eq!(stdout(&run(&["profiles", profile.name], "")), file);
    }
    assert_eq!(run(&["profiles", "poj"], "").status.code(), Some(2));
}
