//! Results, parts of sharded runs, checkpoints, and answers for judges, all with random damage:
//! nothing wrong is accepted.
//!
//! A slow and simple oracle decides what is wrong. It compares damaged output with the original:
//! the output is wrong if its records mean something else, and [`Truth::Unknowable`] if no program
//! can see the difference without a search or another run.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use serde_json::Value;
use taquin::Solver;
use taquin::internal::batch::resume::Checkpoint;
use taquin::internal::format::input::{Input, InputOptions, Reader};
use taquin::internal::format::passthrough::Pass;
use taquin::internal::format::profile::{ClaimReader, Profile};
use taquin::internal::format::spelling::Spelling;
use taquin::internal::tools::judge::{self, AnswerFiles};
use taquin::internal::tools::merge::{self, Merge};
use taquin::internal::tools::verify;

use crate::common::schema::Schema;
use crate::common::{Random, project, run, scrambled_15, stderr, stdout, taquin};

/// A kind of damage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// One bit is flipped.
    Flipped,
    /// A value is empty or null.
    Emptied,
    /// Two values are swapped.
    Swapped,
    /// A value is replaced by a plausible one.
    Replaced,
    /// A line is missing.
    Dropped,
    /// A copy of a line is inserted anywhere.
    Doubled,
    /// A line is at another place.
    Moved,
    /// The end is missing.
    Cut,
}

const KINDS: [Kind; 8] =
    [Kind::Flipped, Kind::Emptied, Kind::Swapped, Kind::Replaced, Kind::Dropped, Kind::Doubled, Kind::Moved, Kind::Cut];

/// The syntax of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Syntax {
    Json,
    Csv,
    /// Words separated by spaces, commas or brackets.
    Words,
}

/// Splits a line into alternating values, which may be empty, and separators. Joined, they give the
/// line.
fn tokens(line: &str, syntax: Syntax) -> Vec<String> {
    let (mut tokens, mut depth, mut quoted, mut escaped) = (vec![String::new()], 0, false, false);
    for character in line.chars() {
        let is_separator = match syntax {
            Syntax::Json => !quoted && depth == 1 && matches!(character, ',' | ':'),
            Syntax::Csv => !quoted && character == ',',
            Syntax::Words => matches!(character, ' ' | ',' | '[' | ']'),
        };
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted && syntax == Syntax::Json => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        let is_edge =
            syntax == Syntax::Json && !quoted && (character == '{' && depth == 1 || character == '}' && depth == 0);
        if is_separator || is_edge {
            tokens.extend([character.to_string(), String::new()]);
        } else {
            tokens.last_mut().unwrap().push(character);
        }
    }
    tokens
}

/// Returns a value that is plausible in place of this one.
fn plausible_value(value: &str, random: &mut Random) -> String {
    const WORDS: [&str; 10] =
        ["true", "false", "\"solved\"", "\"unsolvable\"", "\"astar\"", "\"time\"", "\"nonsense\"", "\"D\"", "0", "[]"];
    let bare = value.trim_matches('"');
    match (bare.parse::<u64>(), random.index(4)) {
        (_, 0) => WORDS[random.index(WORDS.len())].into(),
        (Ok(number), choice) => {
            let number = if choice == 1 { number + 1 } else { number.saturating_sub(choice as u64 - 1) };
            value.replace(bare, &number.to_string())
        }
        _ if value == "true" || value == "false" => (value == "false").to_string(),
        _ => {
            let mut characters: Vec<char> = value.chars().collect();
            if let Some(at) = (!characters.is_empty()).then(|| random.index(characters.len())) {
                characters[at] =
                    if characters[at].is_ascii_digit() { '7' } else { ['D', 'U', 'L', 'R'][random.index(4)] };
            }
            characters.into_iter().collect()
        }
    }
}

/// Returns a text that is damaged once, in the way that `kind` names.
fn damage(kind: Kind, text: &[u8], syntax: Syntax, random: &mut Random) -> Vec<u8> {
    let (mut bytes, at) = (text.to_vec(), random.index(text.len().max(1)));
    match kind {
        Kind::Flipped => {
            bytes[at] ^= 1 << random.index(8);
            return bytes;
        }
        Kind::Cut => {
            bytes.truncate(at);
            return bytes;
        }
        _ => {}
    }
    let text = String::from_utf8_lossy(text);
    let mut lines: Vec<String> = text.split_inclusive('\n').map(String::from).collect();
    let (one, two) = (random.index(lines.len()), random.index(lines.len()));
    match kind {
        Kind::Dropped => _ = lines.remove(one),
        Kind::Doubled => lines.insert(two, lines[one].clone()),
        Kind::Moved => {
            let line = lines.remove(one);
            lines.insert(two.min(lines.len()), line);
        }
        _ => {
            let (line, end) = lines[one].split_at(lines[one].trim_end_matches(['\r', '\n']).len());
            let (mut values, end) = (tokens(line, syntax), end.to_string());
            let at = 2 * random.index(values.len().div_ceil(2));
            match kind {
                Kind::Emptied => values[at] = ["", "null", "\"\""][random.index(3)].into(),
                Kind::Replaced => values[at] = plausible_value(&values[at], random),
                // Swap the value with another one in its line, or with the one at the same position
                // in another line.
                _ if one == two || random.index(2) == 0 => {
                    let other = 2 * random.index(values.len().div_ceil(2));
                    values.swap(at, other);
                }
                _ => {
                    let (line, end) = lines[two].split_at(lines[two].trim_end_matches(['\r', '\n']).len());
                    let (mut other_values, end) = (tokens(line, syntax), end.to_string());
                    let other = at.min(other_values.len() - 1);
                    std::mem::swap(&mut values[at], &mut other_values[other]);
                    lines[two] = other_values.concat() + &end;
                }
            }
            lines[one] = values.concat() + &end;
        }
    }
    lines.concat().into_bytes()
}

type Row = BTreeMap<String, Value>;

/// Returns the records of results, or `None` if they cannot be read.
fn rows(text: &[u8], syntax: Syntax, is_ordered: bool) -> Option<Vec<Row>> {
    let text = std::str::from_utf8(text).ok()?;
    let text = if text.is_empty() { "" } else { text.strip_suffix('\n')? };
    let mut rows = Vec::new();
    if syntax == Syntax::Json {
        for line in text.split('\n').filter(|_| !text.is_empty()) {
            let Ok(Value::Object(members)) = serde_json::from_str(line) else { return None };
            // The parser accepts repeated keys.
            let keys = tokens(line, syntax).iter().filter(|token| *token == ":").count();
            (keys == members.len()).then_some(())?;
            rows.push(members.into_iter().collect());
        }
    } else {
        let mut names: Option<Vec<String>> = None;
        // No original record has line breaks in quotes.
        for line in text.split('\n').filter(|line| !line.trim().is_empty()) {
            let fields = tokens(line.strip_suffix('\r').unwrap_or(line), syntax);
            let fields: Option<Vec<String>> = fields.iter().step_by(2).map(|field| unquoted(field)).collect();
            let Some(names) = &names else {
                names = fields;
                continue;
            };
            let fields = fields.filter(|fields| fields.len() == names.len())?;
            let row: Row = names.iter().cloned().zip(fields.into_iter().map(Value::String)).collect();
            (row.len() == names.len()).then_some(())?;
            rows.push(row);
        }
    }
    if !is_ordered {
        rows.sort_by_key(|row| row.get("index").map(Value::to_string));
    }
    Some(rows)
}

/// Returns the text of a CSV field, or `None` if its quotes are invalid.
fn unquoted(field: &str) -> Option<String> {
    match field.strip_prefix('"') {
        None => (!field.contains('"')).then(|| field.to_string()),
        Some(rest) => {
            let inside = rest.strip_suffix('"')?.replace("\"\"", "\0");
            (!inside.contains('"')).then(|| inside.replace('\0', "\""))
        }
    }
}

/// The oracle's verdict on a damaged text.
#[derive(PartialEq, Eq, Debug)]
enum Truth {
    /// The records mean the same.
    Same,
    /// The records mean something else.
    Wrong,
    /// The records differ in claims that cannot be checked without a search or another run.
    Unknowable,
}

/// Fields whose values cannot be checked without another run.
const RUN_FIELDS: [&str; 12] = [
    "limit",
    "estimated_nodes",
    "estimated_time_us",
    "estimated_moves",
    "estimated_by",
    "duplicate_of",
    "reflection_of",
    "engine",
    "heuristic",
    "nodes",
    "time_us",
    "iterations",
];

/// A board and its goal. Moves are made here without code of the crate.
struct Puzzle {
    board: Vec<u64>,
    goal: Vec<u64>,
    cols: usize,
}

impl Puzzle {
    /// Returns true if these moves of the blank lead to the goal.
    fn is_solved_by(&self, path: &str) -> bool {
        let mut board = self.board.clone();
        let mut blank = board.iter().position(|&tile| tile == 0).unwrap();
        for letter in path.chars() {
            let to = match letter {
                'U' if blank >= self.cols => blank - self.cols,
                'D' if blank + self.cols < board.len() => blank + self.cols,
                'L' if blank % self.cols > 0 => blank - 1,
                'R' if blank % self.cols + 1 < self.cols => blank + 1,
                _ => return false,
            };
            board.swap(blank, to);
            blank = to;
        }
        board == self.goal
    }

    /// Returns true if moving these tiles, given as JSON, leads to the goal.
    fn is_solved_by_tiles(&self, answer: &str) -> bool {
        let Ok(tiles) = serde_json::from_str::<Vec<u64>>(answer) else { return false };
        let mut board = self.board.clone();
        for tile in tiles {
            let position = |wanted: u64| board.iter().position(|&tile| tile == wanted);
            let (Some(from), Some(blank)) = (position(tile), position(0)) else { return false };
            let is_adjacent =
                from.abs_diff(blank) == self.cols || from / self.cols == blank / self.cols && from.abs_diff(blank) == 1;
            if !is_adjacent {
                return false;
            }
            board.swap(from, blank);
        }
        board == self.goal
    }
}

fn text_of(value: Option<&Value>) -> String {
    value.map_or(String::new(), |value| value.as_str().map_or_else(|| value.to_string(), String::from))
}

/// Inputs, the results of a run over them, and the options of `verify`.
struct Case {
    folder: tempfile::TempDir,
    inputs: Vec<PathBuf>,
    syntax: Syntax,
    is_ordered: bool,
    /// The passthrough columns, or an empty string.
    pass: &'static str,
    /// The number of boards that `verify` solves again.
    sample: usize,
    /// The results.
    original: Vec<u8>,
    /// The records of `original`.
    rows: Vec<Row>,
    /// The board of each record, or `None` if the record is invalid.
    puzzles: Vec<Option<Puzzle>>,
    schema: Schema,
}

impl Case {
    fn new(inputs: &[(&str, &str)], options: &[&str], pass: &'static str, sample: usize) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let write = |(name, text): &(&str, &str)| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        let inputs: Vec<PathBuf> = inputs.iter().map(write).collect();
        let named: Vec<&str> = inputs.iter().map(|path| path.to_str().unwrap()).collect();
        let solve = |options: &[&str]| {
            let fixed = ["solve", "--quiet", "-j", "1", "--effort", "1", "--memory", "1G"];
            stdout(&run(&[&fixed, options, &named].concat(), ""))
        };
        let pass_options = if pass.is_empty() { vec![] } else { vec!["--pass", pass] };
        let original = solve(&[options, &pass_options].concat()).into_bytes();
        let syntax = if options.contains(&"csv") { Syntax::Csv } else { Syntax::Json };
        let is_ordered = !options.contains(&"--unordered");
        let boards = solve(&["--fields", "board,goal,cols"]);
        let puzzles = boards.lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let tiles = |name: &str| Some(row[name].as_array()?.iter().map(|tile| tile.as_u64().unwrap()).collect());
            Some(Puzzle { board: tiles("board")?, goal: tiles("goal")?, cols: row["cols"].as_u64()? as usize })
        });
        let puzzles = puzzles.collect();
        let rows = rows(&original, syntax, is_ordered).unwrap();
        let schema = Schema::printed(&pass_options);
        let case = Case { inputs, syntax, is_ordered, pass, sample, original, rows, puzzles, schema, folder };
        assert!(case.verify(&case.original) == Ok(()), "{options:?}: {:?}", case.verify(&case.original));
        case
    }

    /// Runs `verify` on results. The error is its report.
    fn verify(&self, results: &[u8]) -> Result<(), String> {
        if self.sample > 0 {
            // The program chooses the settings of the solver for the sample, so the program is run
            // here.
            let (sample, boards) = (self.sample.to_string(), self.inputs[0].to_str().unwrap());
            let output = run(&["verify", "--sample", &sample, "-j", "1", "-", boards], results);
            return if output.status.code() == Some(0) { Ok(()) } else { Err(stdout(&output) + &stderr(&output)) };
        }
        let pass = Arc::new(if self.pass.is_empty() { Pass::default() } else { self.pass.parse().unwrap() });
        let spelling = Spelling::default();
        let options =
            verify::Options { ordered: self.is_ordered, pass: Arc::clone(&pass), spelling, threads: 1, sample: None };
        let reading = InputOptions { pass, ..InputOptions::default() };
        let mut reader = Reader::new(self.inputs.iter().cloned().map(Input::Path).collect(), reading);
        let stream = Box::new(Cursor::new(results.to_vec()));
        let report = verify::run(&mut reader, stream, &options, &mut |_| {}).map_err(|error| error.to_string())?;
        if report.is_sound() { Ok(()) } else { Err(report.to_string()) }
    }

    /// Returns the oracle's verdict on damaged results.
    fn truth(&self, damaged: &[u8]) -> Truth {
        let Some(rows) = rows(damaged, self.syntax, self.is_ordered) else { return Truth::Wrong };
        if rows == self.rows {
            return Truth::Same;
        }
        if rows.len() != self.rows.len() {
            return Truth::Wrong;
        }
        let differing =
            self.rows.iter().zip(&rows).zip(&self.puzzles).filter(|((original, found), _)| original != found);
        let mut unknowable =
            differing.map(|((original, found), puzzle)| self.is_unknowable(original, found, puzzle.as_ref()));
        if unknowable.all(|is_unknowable| is_unknowable) { Truth::Unknowable } else { Truth::Wrong }
    }

    /// Returns true if no difference between two records can be checked without a search or another
    /// run.
    fn is_unknowable(&self, original: &Row, found: &Row, puzzle: Option<&Puzzle>) -> bool {
        let mut present = found.clone();
        // With passthrough columns, a null board is a missing one, because records may have such boards.
        present.retain(|name, value| self.pass.is_empty() || !["board", "goal"].contains(&&**name) || !value.is_null());
        let object = Value::Object(present.into_iter().collect());
        if self.syntax == Syntax::Json && self.schema.check(&object).is_err() {
            return false;
        }
        let names = original.keys().chain(found.keys()).filter(|&name| original.get(name) != found.get(name));
        let mut unproven = names.map(|name| {
            let (was, is) = (text_of(original.get(name)), text_of(found.get(name)));
            match name.as_str() {
                // A check of one line cannot know whether the run wrote a field, except for those that
                // every line needs. Passthrough columns are known from the record.
                name if self.is_missing(found.get(name)) && !self.is_required(name) => true,
                "engine" => ["line", "lookup", "bidirectional", "astar", "idastar", "good"].contains(&&*is),
                name if RUN_FIELDS.contains(&name) => true,
                // Without a search it is unknown whether another path is shorter, or as short and
                // alphabetically earlier.
                "path" | "moves" if self.sample == 0 => {
                    let (path, moves) = (text_of(found.get("path")), found.get("moves"));
                    puzzle.is_some_and(|puzzle| puzzle.is_solved_by(&path))
                        && moves.is_none_or(|moves| text_of(Some(moves)) == path.len().to_string())
                }
                // Paths are not counted again, so any number is accepted that is not below that of the
                // listed paths.
                "solutions" | "solutions_at_least" => {
                    let numbers = ["solutions", "solutions_at_least"].map(|name| text_of(found.get(name)));
                    let listed = match found.get("paths") {
                        Some(Value::Array(paths)) => paths.len(),
                        paths => text_of(paths).split_terminator(';').count(),
                    };
                    let [number, none] = if numbers[0].is_empty() { [1, 0] } else { [0, 1] };
                    numbers[none].is_empty()
                        && numbers[number].parse::<usize>().is_ok_and(|number| number >= listed.max(1))
                }
                "first_moves" => {
                    let path = text_of(found.get("path"));
                    is.chars().all(|letter| "DLRU".contains(letter)) && is.contains(&path[..path.len().min(1)])
                }
                "forced_moves" => text_of(found.get("path")).starts_with(&is),
                // Without these fields, a path is said to be a shortest one. A line may repeat that, or
                // say less.
                "optimal" if was.is_empty() => ["true", "false"].contains(&&*is),
                "lower_bound" if is == text_of(found.get("path")).len().to_string() => {
                    text_of(found.get("optimal")) != "false"
                }
                // A smaller bound is also true. A greater one cannot be checked without a search,
                // unless it reaches the length of the path.
                "lower_bound" if text_of(original.get("optimal")) == "false" => {
                    is.parse::<usize>().is_ok_and(|bound| bound < text_of(original.get("path")).len())
                        && !was.is_empty()
                }
                _ => false,
            }
        });
        unproven.all(|is_unproven| is_unproven)
    }

    /// Returns true if a field has no value. In JSON, the schema allows null only for such fields.
    fn is_missing(&self, value: Option<&Value>) -> bool {
        match value {
            None | Some(Value::Null) => true,
            Some(value) => self.syntax == Syntax::Csv && value == "",
        }
    }

    /// Returns true if `verify` misses this field in any line that had it.
    fn is_required(&self, field: &str) -> bool {
        ["status", "path", self.pass].contains(&field) || field == "index" && !self.is_ordered
    }

    /// Damages the results `rounds` times with each kind of damage, and compares the verdicts of
    /// `verify` with those of the oracle. Returns the numbers of results that mean the same, are
    /// wrong, and are unknowable.
    fn try_all(&self, seed: u64, rounds: usize) -> [usize; 3] {
        let failures = Mutex::new(Vec::new());
        let counts = KINDS.par_iter().enumerate().map(|(nth, &kind)| {
            let mut random = Random::new(seed * 8 + nth as u64);
            let mut counts = [0; 3];
            for _ in 0..rounds {
                let damaged = damage(kind, &self.original, self.syntax, &mut random);
                let (truth, verdict) = (self.truth(&damaged), self.verify(&damaged));
                let shown = || {
                    let was: Vec<_> = self.original.split(|&byte| byte == b'\n').collect();
                    let is = damaged.split(|&byte| byte == b'\n').enumerate();
                    let first = is.filter(|(at, line)| was.get(*at) != Some(line)).map(|(at, line)| {
                        let was = was.get(at).map(|line| String::from_utf8_lossy(line));
                        format!("line {}: {}\nwas {was:?}", at + 1, String::from_utf8_lossy(line))
                    });
                    first.take(2).collect::<Vec<_>>().join("\n")
                };
                match (&truth, &verdict) {
                    (Truth::Same, Err(why)) => {
                        failures
                            .lock()
                            .unwrap()
                            .push(format!("{kind:?}: correct results were rejected\n{}\n{why}", shown()));
                    }
                    (Truth::Wrong, Ok(())) => {
                        failures.lock().unwrap().push(format!("{kind:?}: wrong results were accepted\n{}", shown()));
                    }
                    _ => {}
                }
                counts[truth as usize] += 1;
            }
            counts
        });
        let counts = counts.reduce(|| [0; 3], |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
        let failures = failures.into_inner().unwrap();
        assert!(
            failures.is_empty(),
            "{} of {counts:?}:\n{}",
            failures.len(),
            failures[..failures.len().min(9)].join("\n")
        );
        counts
    }
}

/// Returns random boards with these numbers of cells, one per line.
fn boards(cells: &[usize], random: &mut Random) -> String {
    let line = |&cells: &usize, random: &mut Random| {
        random.permutation(cells).iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n"
    };
    cells.iter().map(|cells| line(cells, random)).collect()
}

/// Returns a case with records of many kinds in several layouts. If `is_small`, boards have at most
/// 6 cells, so that shortest paths are counted quickly.
fn mixed_case(is_small: bool, options: &[&str], pass: &'static str) -> Case {
    let mut random = Random::new(11);
    let lines = boards(&[if is_small { 4 } else { 9 }; 24], &mut random) + "1 2 3 9 9\n" + "1 2 3 0\n";
    let objects: String = (0..12)
        .map(|n| {
            let tiles = random.permutation(6).iter().map(usize::to_string).collect::<Vec<_>>().join(",");
            let goal = if n % 4 == 3 { ",\"goal\":\"blank-first\"" } else { "" };
            let user = ["\"a, b\"", "\"c\"", "null"][n % 3];
            format!("{{\"id\":\"n{n}\",\"board\":[{tiles}],\"rows\":2,\"cols\":3,\"user\":{user}{goal}}}\n")
        })
        .collect();
    // The last record of `b.jsonl` is a large board or, in a small case, invalid.
    let last = if is_small {
        "oh\n".to_string()
    } else {
        let tiles = boards(&[30], &mut random).trim().replace(' ', ",");
        format!("{{\"board\":[{tiles}],\"rows\":5,\"cols\":6}}\n")
    };
    let rows: String = (0..6).map(|n| format!("{n},\"x{n}\",2,3,{}", boards(&[6], &mut random))).collect();
    let csv = format!("id,user,rows,cols,board\n{rows}");
    let objects = objects.clone() + objects.lines().next().unwrap() + "\n" + &last;
    Case::new(&[("a.txt", &lines), ("b.jsonl", &objects), ("c.csv", &csv)], options, pass, 0)
}

/// Damages the results of several runs, `rounds` times with each kind of damage.
fn damaged_results(rounds: usize) {
    let cases = [
        mixed_case(false, &[], ""),
        mixed_case(false, &["--to", "csv"], ""),
        mixed_case(false, &["--unordered"], ""),
        mixed_case(false, &["--fields", "status,path"], ""),
        mixed_case(true, &["--fields", "all"], "user"),
        mixed_case(true, &["--fields", "all", "--to", "csv"], "user"),
        mixed_case(true, &["--all", "--boards"], ""),
        mixed_case(true, &["--fields", "analysis,path", "--to", "csv"], ""),
    ];
    for (seed, case) in cases.iter().enumerate() {
        let [same, wrong, unknowable] = case.try_all(seed as u64, rounds);
        println!("case {seed}: {same} the same, {wrong} wrong, {unknowable} unknowable");
        assert!(wrong > unknowable, "{wrong} {unknowable}");
    }
}

/// Damages results of boards with 16 cells. `verify` solves all of these boards again.
fn damaged_results_with_a_sample(rounds: usize) {
    let mut random = Random::new(3);
    let boards: String = (0..5).map(|n| scrambled_15(&mut random, 6 + n) + "\n").collect();
    let goal = (1..16).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ") + " 0\n";
    let fields = ["--fields", "index,status,moves,path,solutions,first_moves,forced_moves,linear_conflict"];
    let case = Case::new(&[("a.txt", &(boards + &goal))], &fields, "", 100);
    let [same, wrong, unknowable] = case.try_all(99, rounds);
    println!("sample: {same} the same, {wrong} wrong, {unknowable} unknowable");
}

/// Damages the parts of a run. Merging them reports an error or gives the results of the run.
fn damaged_parts(rounds: usize) {
    // A shard takes whole blocks of records. There are more boards than a block has records, so
    // both parts have records.
    let case = Case::new(&[("a.txt", &boards(&[9; 4200], &mut Random::new(7)))], &[], "", 0);
    let named: Vec<&str> = case.inputs.iter().map(|path| path.to_str().unwrap()).collect();
    let part = |shard: &str| {
        let path = case.folder.path().join(shard.replace('/', "-"));
        let output = path.to_str().unwrap();
        let fixed = ["solve", "--quiet", "-j", "1", "--effort", "1", "--memory", "1G", "--shard", shard, "-o", output];
        assert_eq!(run(&[&fixed[..], &named].concat(), "").status.code(), Some(0));
        std::fs::read(path).unwrap()
    };
    let parts = [part("1/2"), part("2/2")];
    for (nth, &kind) in KINDS.iter().enumerate() {
        let mut random = Random::new(70 + nth as u64);
        for round in 0..rounds {
            let mut damaged = parts.clone();
            let which = random.index(2);
            damaged[which] = damage(kind, &parts[which], Syntax::Json, &mut random);
            let is_same = damaged == parts;
            let streams = damaged.into_iter().map(|part| ("part".to_string(), Box::new(Cursor::new(part)) as Box<_>));
            let merge_all = || {
                let (mut merged, mut merge) = (Vec::new(), Merge::new(streams.collect())?);
                while let Some(line) = merge.next_line()? {
                    merged.extend_from_slice(line);
                }
                Ok::<_, merge::Error>(merged)
            };
            match merge_all() {
                Ok(merged) => assert!(is_same && merged == case.original, "{kind:?} {round}"),
                Err(error) => assert!(!is_same, "{kind:?} {round}: {error}"),
            }
        }
    }
}

/// A run that was killed.
struct Killed {
    folder: tempfile::TempDir,
    /// The results of an uninterrupted run.
    expected: Vec<u8>,
    /// The results and the checkpoint of the killed run.
    files: [Vec<u8>; 2],
}

/// The names of the results and of their checkpoint.
const FILES: [&str; 2] = ["results", "results.taquin"];

impl Killed {
    fn new() -> Killed {
        let folder = tempfile::tempdir().unwrap();
        let lines = boards(&[9; 20_000], &mut Random::new(5));
        std::fs::write(folder.path().join("boards.txt"), lines).unwrap();
        let mut killed = Killed { folder, expected: Vec::new(), files: [Vec::new(), Vec::new()] };
        assert_eq!(killed.command().output().unwrap().status.code(), Some(0));
        killed.expected = std::fs::read(killed.path(FILES[0])).unwrap();
        loop {
            FILES.iter().for_each(|name| _ = std::fs::remove_file(killed.path(name)));
            let mut child = killed.command().spawn().unwrap();
            let written = || std::fs::metadata(killed.path(FILES[0])).map_or(0, |file| file.len());
            while child.try_wait().unwrap().is_none() && written() < 200_000 {
                std::thread::yield_now();
            }
            let _ = child.kill();
            child.wait().unwrap();
            let files = FILES.map(|name| std::fs::read(killed.path(name)).unwrap_or_default());
            if !files[1].is_empty() && files[0].len() < killed.expected.len() {
                killed.files = files;
                return killed;
            }
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self) -> std::process::Command {
        let mut command = taquin();
        command.args(["solve", "--quiet", "-j", "1", "--resume", "--checkpoint-every", "0.001ms", "-o"]);
        command.arg(self.path(FILES[0])).arg(self.path("boards.txt"));
        command
    }
}

/// Damages the checkpoint or the results of a killed run. A damaged checkpoint is always rejected.
/// The next run rejects the files and leaves the results unchanged, or completes them to the bytes
/// of an uninterrupted run.
fn damaged_checkpoints(rounds: usize, runs: usize) {
    let killed = Killed::new();
    for (nth, &kind) in KINDS.iter().enumerate() {
        let mut random = Random::new(90 + nth as u64);
        for round in 0..rounds {
            let damaged = damage(kind, &killed.files[1], Syntax::Words, &mut random);
            let is_same = damaged == killed.files[1];
            assert!(is_same || Checkpoint::decode(&damaged).is_err(), "{kind:?} {round}");
        }
        for round in 0..runs {
            let mut files = killed.files.clone();
            let which = random.index(2);
            let syntax = [Syntax::Json, Syntax::Words][which];
            files[which] = damage(kind, &files[which], syntax, &mut random);
            FILES.iter().zip(&files).for_each(|(name, bytes)| std::fs::write(killed.path(name), bytes).unwrap());
            let output = killed.command().output().unwrap();
            let found = std::fs::read(killed.path(FILES[0])).unwrap();
            let is_refused = output.status.code() == Some(2) && found == files[0];
            let what = format!("{kind:?} {round} of {}: {:?} {}", FILES[which], output.status, stderr(&output));
            assert!(is_refused || output.status.code() == Some(0) && found == killed.expected, "{what}");
        }
    }
}

/// Damages answers for two judges. One accepts any path, written as JSON; the other requires the
/// number of moves.
fn damaged_answers(rounds: usize) {
    for name in ["codewars-sliding", "boj1525"] {
        let profile = Profile::named(name).unwrap();
        let format = profile.answer.unwrap();
        let golden = |ending: &str| project().join(format!("tests/profiles/{name}.{ending}"));
        let original = std::fs::read_to_string(golden("out")).unwrap();
        let solver = Solver::builder().threads(1).memory(1 << 30).build().unwrap();
        let input = std::fs::read_to_string(golden("in")).unwrap();
        let puzzle = |line: &str| {
            let rows: Vec<Vec<u64>> = serde_json::from_str(line).unwrap();
            let (cols, board) = (rows[0].len(), rows.concat());
            Puzzle { goal: (1..board.len() as u64).chain([0]).collect(), board, cols }
        };
        let puzzles: Vec<Puzzle> =
            if name == "codewars-sliding" { input.lines().map(puzzle).collect() } else { Vec::new() };
        let answers = |text: &str| text.lines().map(|line| line.trim_ascii().to_string()).collect::<Vec<_>>();
        let is_right = |damaged: &[u8]| {
            let Ok(text) = std::str::from_utf8(damaged) else { return false };
            // Empty lines are ignored, because no answer in these judges' formats is empty.
            let found: Vec<String> = answers(text).into_iter().filter(|line| !line.is_empty()).collect();
            let original = answers(&original);
            found.len() == original.len()
                && found.iter().zip(&original).enumerate().all(|(at, (found, original))| {
                    found == original
                        || original != "null" && puzzles.get(at).is_some_and(|puzzle| puzzle.is_solved_by_tiles(found))
                })
        };
        for (nth, &kind) in KINDS.iter().enumerate() {
            let mut random = Random::new(200 + nth as u64);
            for round in 0..rounds {
                let damaged = damage(kind, original.as_bytes(), Syntax::Words, &mut random);
                let reader = ClaimReader::new(Box::new(Cursor::new(damaged.clone())), &format);
                let options = profile.fill(InputOptions::default());
                let mut input = Reader::new(vec![Input::Path(golden("in"))], options);
                let files = AnswerFiles { answer: reader, jury: None };
                let fault = judge::run(&format, &solver, &mut input, files, &|_| {}).unwrap().first_fault;
                let shown = String::from_utf8_lossy(&damaged);
                assert_eq!(fault.is_none(), is_right(&damaged), "{name} {kind:?} {round}: {fault:?}\n{shown}");
            }
        }
    }
}

#[test]
fn damage_is_detected() {
    damaged_results(5);
    damaged_results_with_a_sample(2);
    damaged_parts(10);
    damaged_checkpoints(10, 1);
    damaged_answers(20);
}

#[test]
#[ignore = "takes minutes: run by scripts/cross-check"]
fn damage_is_detected_in_thousands_of_results() {
    damaged_results(1000);
    damaged_results_with_a_sample(125);
}

#[test]
#[ignore = "takes minutes: run by scripts/cross-check"]
fn damage_is_detected_in_thousands_of_parts_checkpoints_and_answers() {
    damaged_parts(1000);
    damaged_checkpoints(1000, 125);
    damaged_answers(1000);
}
