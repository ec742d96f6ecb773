//! The levels of a game in one file: finding the bad ones, solving all of them, and generating new
//! ones.

use std::collections::{BTreeMap, HashSet};
use std::fs;

use serde_json::{Value, json};

use crate::common::{run, stderr, stdout};

/// The numbers of the bad levels, and a part of the message about each.
const BAD: [(usize, &str); 12] = [
    (7, "has no \"grid\"; it has: difficulty, id, name"),
    (50, "has no \"grid\"; it has: difficulty, id, name"),
    (488, "has no \"grid\"; it has: difficulty, id, name"),
    (8, "tile 1 appears twice"),
    (60, "tile 1 appears twice"),
    (300, "tile 1 appears twice"),
    (9, "row 3 has 2 tiles, row 1 has 3"),
    (301, "row 3 has 2 tiles, row 1 has 3"),
    (100, "unsolvable: the goal cannot be reached"),
    (200, "unsolvable: the goal cannot be reached"),
    (400, "the same board as record 1 (levels.json:2: level-1)"),
    (499, "the same board as record 2 (levels.json:24: level-2)"),
];

/// Returns the objects of a JSON Lines text.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns 500 levels, of which those in [`BAD`] are bad.
fn levels() -> Vec<Value> {
    let generated = run(&["generate", "--count", "500", "--unique", "--format", "json"], "");
    let mut levels: Vec<Value> = lines(&stdout(&generated))
        .iter()
        .zip(1..)
        .map(|(generated, number)| {
            assert_eq!(generated["id"], number);
            let difficulty = if generated["moves"].as_u64().unwrap() < 21 { "easy" } else { "hard" };
            let (id, name) = (format!("level-{number}"), format!("Level {number}"));
            json!({"id": id, "name": name, "difficulty": difficulty, "grid": generated["board"]})
        })
        .collect();
    let (first, second) = (levels[0]["grid"].clone(), levels[1]["grid"].clone());
    for (number, why) in BAD {
        let level = &mut levels[number - 1];
        match why {
            "tile 1 appears twice" => level["grid"] = json!([[1, 1, 2], [3, 4, 5], [6, 7, 0]]),
            "row 3 has 2 tiles, row 1 has 3" => _ = level["grid"][2].as_array_mut().unwrap().pop(),
            "unsolvable: the goal cannot be reached" => level["grid"] = json!([[1, 2, 3], [4, 5, 6], [8, 7, 0]]),
            _ if why.contains("record 1 ") => level["grid"] = first.clone(),
            _ if why.contains("record 2 ") => level["grid"] = second.clone(),
            _ => _ = level.as_object_mut().unwrap().remove("grid"),
        }
    }
    // The second unsolvable level must differ from the first.
    levels[199]["grid"] = json!([[2, 1, 3], [4, 5, 6], [7, 8, 0]]);
    levels
}

#[test]
fn an_author_checks_solves_and_adds_levels() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("levels.json").to_str().unwrap().to_string();
    let levels = levels();
    fs::write(&path, serde_json::to_string_pretty(&levels).unwrap()).unwrap();

    let checked = run(&["check", "--annotations", "plain", "--solvable", "--unique=boards", &path], "");
    assert_eq!(checked.status.code(), Some(1));
    let report = stdout(&checked).replace(&path, "levels.json");
    for (number, why) in BAD {
        let id = format!("level-{number}");
        let is_named = |line: &str| line.contains(why) && line.split([' ', ',', ':', '(', ')']).any(|word| word == id);
        assert!(report.lines().any(is_named), "{id}: {why}\n{report}");
    }
    assert_eq!(report.lines().count(), 7, "{report}");
    assert!(stderr(&checked).contains("500 records: 12 violations (8 invalid, 2 unsolvable, 2 duplicate)"), "{report}");

    let solved = run(&["solve", "-q", "--pass", "all", "--fields", "status,moves,solutions", &path], "");
    let solved = lines(&stdout(&solved));
    assert_eq!(solved.len(), levels.len());
    for (level, result) in levels.iter().zip(&solved) {
        for (name, value) in level.as_object().unwrap() {
            assert_eq!(result[name], *value, "{result}");
        }
        assert_eq!(result["moves"].is_u64() && result["solutions"].is_u64(), result["status"] == "solved", "{result}");
    }
    assert_eq!(solved.iter().filter(|result| result["status"] == "solved").count(), 490);

    let new = run(
        &["generate", "--shape", "3x3,2x4,3x4", "-n", "100", "--unique=boards", "--format", "json", "--exclude", &path],
        "",
    );
    assert!(stderr(&new).contains("--exclude ignores 8 invalid records"), "{}", stderr(&new));
    let new = lines(&stdout(&new));
    let grids: HashSet<String> = levels.iter().map(|level| level["grid"].to_string()).collect();
    let mut shapes: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for (level, number) in new.iter().zip(1..) {
        assert!(level["id"] == number && level["moves"].is_u64(), "{level}");
        assert!(!grids.contains(&level["board"].to_string()), "{level}");
        let rows = level["board"].as_array().unwrap();
        *shapes.entry((rows.len(), rows[0].as_array().unwrap().len())).or_default() += 1;
    }
    assert_eq!(shapes, [((2, 4), 100), ((3, 3), 100), ((3, 4), 100)].into());
    // Without `--exclude`, the default seed gives boards that are in the file.
    let default_seed = run(&["generate", "-n", "100", "--unique=boards", "--format", "json"], "");
    assert!(lines(&stdout(&default_seed)).iter().any(|level| grids.contains(&level["board"].to_string())));
}

#[test]
fn several_shapes_need_a_layout_that_states_the_shape() {
    let refused = run(&["generate", "--shape", "3x3,3x4"], "");
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("add --format sized, json or csv"), "{}", stderr(&refused));
    for layout in ["sized", "json", "csv"] {
        let generated = run(&["generate", "--shape", "3x3,3x4", "-n", "5", "--goal", "snail", "--format", layout], "");
        let solved = stdout(&run(&["solve", "-q", "--fields", "rows,cols,status"], stdout(&generated)));
        assert_eq!(solved.matches("\"rows\":3,\"cols\":3,\"status\":\"solved\"").count(), 5, "{layout}: {solved}");
        assert_eq!(solved.matches("\"rows\":3,\"cols\":4,\"status\":\"solved\"").count(), 5, "{layout}: {solved}");
    }
}

#[test]
fn a_header_without_a_board_column_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv").to_str().unwrap().to_string();
    fs::write(&path, "id,name\n1,a\n").unwrap();
    let solved = run(&["solve", "--fields", "line,status", &path], "");
    assert_eq!(stdout(&solved), "{\"line\":2,\"status\":\"invalid\"}\n");
    let error = "a.csv:1: the header has no \"board\"; it has: id, name (use --board-field)";
    assert_eq!(stderr(&solved).matches(error).count(), 1, "{}", stderr(&solved));
    assert!(stderr(&solved).contains("1 record: 0 solved, 0 unsolvable, 1 invalid"), "{}", stderr(&solved));
}

/// A file that cannot be read is one error, without a summary.
#[test]
fn a_missing_file_is_one_error() {
    for command in ["solve", "check"] {
        assert_eq!(stderr(&run(&[command, "no-file"], "")), "taquin: cannot read no-file: no such file or folder\n");
        assert_eq!(stderr(&run(&[command, "no/such"], "")), "taquin: cannot read no/such: there is no folder no\n");
    }
}
