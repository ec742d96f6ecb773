//! Results, parts, checkpoints and answers, damaged at random: nothing that is wrong passes.
//!
//! What is wrong is decided by an oracle that is slow and simple: the honest output is kept, and a damaged one is wrong if
//! its records mean something else. Where the program cannot know, the oracle says so ([`Truth::Unknowable`]).

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use rayon::prelude::*;
use serde_json::Value;
use taquin::Solver;
use taquin::internal::batch::resume::Checkpoint;
use taquin::internal::format::input::{Input, InputOptions, Reader};
use taquin::internal::format::passing::Pass;
use taquin::internal::format::profile::{ClaimReader, Profile};
use taquin::internal::format::spelling::Spelling;
use taquin::internal::tools::judge::{self, AnswerFiles, JudgeConfig, Rules};
use taquin::internal::tools::merge::Merge;
use taquin::internal::tools::verify;

use crate::common::schema::Schema;
use crate::common::{Random, project, run, scrambled_15, stderr, stdout, taquin};

/// A kind of damage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Flipped,
    Emptied,
    Swapped,
    Replaced,
    Dropped,
    Doubled,
    Moved,
    Cut,
}

const KINDS: [Kind; 8] =
    [Kind::Flipped, Kind::Emptied, Kind::Swapped, Kind::Replaced, Kind::Dropped, Kind::Doubled, Kind::Moved, Kind::Cut];

/// How a text is built up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Json,
    Csv,
    /// Words between blanks.
    Words,
}

/// The parts of a line, one in two of them what stands between values: joined they are the line.
fn tokens(line: &str, form: Form) -> Vec<String> {
    let (mut tokens, mut depth, mut quoted, mut escaped) = (vec![String::new()], 0, false, false);
    for sign in line.chars() {
        let is_between = match form {
            Form::Json => !quoted && depth == 1 && matches!(sign, ',' | ':'),
            Form::Csv => !quoted && sign == ',',
            Form::Words => matches!(sign, ' ' | ',' | '[' | ']'),
        };
        match sign {
            _ if escaped => escaped = false,
            '\\' if quoted && form == Form::Json => escaped = true,
            '"' => quoted = !quoted,
            '{' | '[' if !quoted => depth += 1,
            '}' | ']' if !quoted => depth -= 1,
            _ => {}
        }
        let is_edge = form == Form::Json && !quoted && (sign == '{' && depth == 1 || sign == '}' && depth == 0);
        if is_between || is_edge {
            tokens.extend([sign.to_string(), String::new()]);
        } else {
            tokens.last_mut().unwrap().push(sign);
        }
    }
    tokens
}

/// A plausible other value.
fn other(value: &str, random: &mut Random) -> String {
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
            let mut signs: Vec<char> = value.chars().collect();
            if let Some(at) = (!signs.is_empty()).then(|| random.index(signs.len())) {
                signs[at] = if signs[at].is_ascii_digit() { '7' } else { ['D', 'U', 'L', 'R'][random.index(4)] };
            }
            signs.into_iter().collect()
        }
    }
}

/// Damages a text.
fn damage(kind: Kind, text: &[u8], form: Form, random: &mut Random) -> Vec<u8> {
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
    let whole = String::from_utf8_lossy(text);
    let mut lines: Vec<String> = whole.split_inclusive('\n').map(String::from).collect();
    let (one, two) = (random.index(lines.len()), random.index(lines.len()));
    match kind {
        Kind::Dropped => _ = lines.remove(one),
        Kind::Doubled => lines.insert(two, lines[one].clone()),
        Kind::Moved => {
            let line = lines.remove(one);
            lines.insert(two.min(lines.len()), line);
        }
        _ => {
            let end = lines[one].len() - lines[one].trim_end_matches(['\r', '\n']).len();
            let (line, end) = lines[one].split_at(lines[one].len() - end);
            let (mut values, end) = (tokens(line, form), end.to_string());
            let at = 2 * random.index(values.len().div_ceil(2));
            match kind {
                Kind::Emptied => values[at] = ["", "null", "\"\""][random.index(3)].into(),
                Kind::Replaced => values[at] = other(&values[at], random),
                // With a value of the same line, or with that of another in its place.
                _ if one == two || random.index(2) == 0 => {
                    let other = 2 * random.index(values.len().div_ceil(2));
                    values.swap(at, other);
                }
                _ => {
                    let end = lines[two].len() - lines[two].trim_end_matches(['\r', '\n']).len();
                    let (line, end) = lines[two].split_at(lines[two].len() - end);
                    let (mut others, end) = (tokens(line, form), end.to_string());
                    let other = at.min(others.len() - 1);
                    std::mem::swap(&mut values[at], &mut others[other]);
                    lines[two] = others.concat() + &end;
                }
            }
            lines[one] = values.concat() + &end;
        }
    }
    lines.concat().into_bytes()
}

type Row = BTreeMap<String, Value>;

/// The records of results; `None` where they cannot be read.
fn rows(text: &[u8], form: Form, is_ordered: bool) -> Option<Vec<Row>> {
    let text = std::str::from_utf8(text).ok()?;
    let whole = if text.is_empty() { "" } else { text.strip_suffix('\n')? };
    let mut rows = Vec::new();
    if form == Form::Json {
        for line in whole.split('\n').filter(|_| !whole.is_empty()) {
            let Ok(Value::Object(members)) = serde_json::from_str(line) else { return None };
            let keys = tokens(line, form).iter().filter(|token| *token == ":").count();
            (keys == members.len()).then_some(())?;
            rows.push(members.into_iter().collect());
        }
    } else {
        let mut names: Option<Vec<String>> = None;
        // No honest record here has line breaks in quotes.
        for line in whole.split('\n').filter(|line| !line.trim().is_empty()) {
            let fields = tokens(line.strip_suffix('\r').unwrap_or(line), form);
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

/// A field of CSV; `None` where its quotes are not in order.
fn unquoted(field: &str) -> Option<String> {
    match field.strip_prefix('"') {
        None => (!field.contains('"')).then(|| field.to_string()),
        Some(rest) => {
            let inside = rest.strip_suffix('"')?.replace("\"\"", "\0");
            (!inside.contains('"')).then(|| inside.replace('\0', "\""))
        }
    }
}

/// What the oracle says of a damaged text.
#[derive(PartialEq, Eq, Debug)]
enum Truth {
    /// It means the same.
    Same,
    Wrong,
    /// No reader of these results can tell without solving them as the run did, or without a search.
    Unknowable,
}

/// Values that only the run itself can tell.
const OF_THE_RUN: [&str; 12] = [
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

/// A board and its goal, as they are solved by hand.
struct Puzzle {
    board: Vec<u64>,
    goal: Vec<u64>,
    cols: usize,
}

impl Puzzle {
    /// Whether the blank's moves lead to the goal.
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

    /// The letters of moves that are told by the tiles, as JSON.
    fn is_solved_by_tiles(&self, answer: &str) -> bool {
        let Ok(tiles) = serde_json::from_str::<Vec<u64>>(answer) else { return false };
        let mut board = self.board.clone();
        for tile in tiles {
            let place = |wanted: u64| board.iter().position(|&tile| tile == wanted);
            let (Some(from), Some(blank)) = (place(tile), place(0)) else { return false };
            let beside =
                from.abs_diff(blank) == self.cols || from / self.cols == blank / self.cols && from.abs_diff(blank) == 1;
            if !beside {
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

/// Inputs, the results of a run over them, and what is asked of `verify`.
struct Case {
    folder: tempfile::TempDir,
    inputs: Vec<PathBuf>,
    form: Form,
    is_ordered: bool,
    pass: &'static str,
    sample: usize,
    honest: Vec<u8>,
    rows: Vec<Row>,
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
            let asked = ["solve", "--quiet", "-j", "1", "--effort", "1", "--memory", "1G"];
            stdout(&run(&[&asked, options, &named].concat(), ""))
        };
        let pass_on = if pass.is_empty() { vec![] } else { vec!["--pass", pass] };
        let honest = solve(&[options, &pass_on].concat()).into_bytes();
        let form = if options.contains(&"csv") { Form::Csv } else { Form::Json };
        let is_ordered = !options.contains(&"--unordered");
        let boards = solve(&["--fields", "board,goal,cols"]);
        let puzzles = boards.lines().map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let tiles = |name: &str| Some(row[name].as_array()?.iter().map(|tile| tile.as_u64().unwrap()).collect());
            Some(Puzzle { board: tiles("board")?, goal: tiles("goal")?, cols: row["cols"].as_u64()? as usize })
        });
        let puzzles = puzzles.collect();
        let rows = rows(&honest, form, is_ordered).unwrap();
        let schema = Schema::printed(&pass_on);
        let case = Case { inputs, form, is_ordered, pass, sample, honest, rows, puzzles, schema, folder };
        assert!(case.is_accepted(&case.honest) == Ok(()), "{options:?}: {:?}", case.is_accepted(&case.honest));
        case
    }

    /// The verdict of `verify`.
    fn is_accepted(&self, results: &[u8]) -> Result<(), String> {
        if self.sample > 0 {
            // The settings of solvers are the program's.
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

    fn truth(&self, damaged: &[u8]) -> Truth {
        let Some(rows) = rows(damaged, self.form, self.is_ordered) else { return Truth::Wrong };
        if rows == self.rows {
            return Truth::Same;
        }
        if rows.len() != self.rows.len() {
            return Truth::Wrong;
        }
        let differing = self.rows.iter().zip(&rows).zip(&self.puzzles).filter(|((honest, found), _)| honest != found);
        let mut each = differing.map(|((honest, found), puzzle)| self.is_unknowable(honest, found, puzzle.as_ref()));
        if each.all(|is_unknowable| is_unknowable) { Truth::Unknowable } else { Truth::Wrong }
    }

    fn is_unknowable(&self, honest: &Row, found: &Row, puzzle: Option<&Puzzle>) -> bool {
        let object = Value::Object(found.clone().into_iter().collect());
        if self.form == Form::Json && self.schema.check(&object).is_err() {
            return false;
        }
        let names = honest.keys().chain(found.keys()).filter(|&name| honest.get(name) != found.get(name));
        let mut unproven = names.map(|name| {
            let (was, is) = (text_of(honest.get(name)), text_of(found.get(name)));
            match name.as_str() {
                // These are on every result that is solved.
                "engine" | "nodes" | "time_us" if is.is_empty() => text_of(honest.get("status")) != "solved",
                "engine" => ["line", "lookup", "bidirectional", "astar", "idastar", "good"].contains(&&*is),
                name if OF_THE_RUN.contains(&name) => true,
                // Without a search nobody knows whether there is a path that is shorter, or comes first.
                "path" | "moves" if self.sample == 0 => {
                    let (path, moves) = (text_of(found.get("path")), found.get("moves"));
                    puzzle.is_some_and(|puzzle| puzzle.is_solved_by(&path))
                        && moves.is_none_or(|moves| text_of(Some(moves)) == path.len().to_string())
                }
                // At least as many as there are is true; a limit may have ended the count.
                "solutions" | "solutions_at_least" => {
                    let number = |row: &Row, name| text_of(row.get(name)).parse::<u64>().ok();
                    number(found, "solutions").is_none()
                        && number(found, "solutions_at_least")
                            .is_some_and(|told| told > 0 && Some(told) <= number(honest, "solutions"))
                }
                // A bound that is lower holds too; one that is higher takes a search.
                "lower_bound" if text_of(honest.get("optimal")) == "false" => {
                    is.parse::<usize>().is_ok_and(|bound| bound < text_of(honest.get("path")).len()) && !was.is_empty()
                }
                _ => false,
            }
        });
        unproven.all(|is_unproven| is_unproven)
    }

    /// Damages the results this many times in each kind. Returns how many were the same, wrong and unknowable.
    fn try_all(&self, seed: u64, each: usize) -> [usize; 3] {
        let failures = Mutex::new(Vec::new());
        let counts = KINDS.par_iter().enumerate().map(|(nth, &kind)| {
            let mut random = Random::new(seed * 8 + nth as u64);
            let mut counts = [0; 3];
            for _ in 0..each {
                let damaged = damage(kind, &self.honest, self.form, &mut random);
                let (truth, verdict) = (self.truth(&damaged), self.is_accepted(&damaged));
                let shown = || {
                    let was: Vec<_> = self.honest.split(|&byte| byte == b'\n').collect();
                    let is = damaged.split(|&byte| byte == b'\n').enumerate();
                    let first = is.filter(|(at, line)| was.get(*at) != Some(line)).map(|(at, line)| {
                        let was = was.get(at).map(|line| String::from_utf8_lossy(line));
                        format!("line {}: {}\nwas {was:?}", at + 1, String::from_utf8_lossy(line))
                    });
                    first.take(2).collect::<Vec<_>>().join("\n")
                };
                match (&truth, &verdict) {
                    (Truth::Same, Err(why)) => {
                        failures.lock().unwrap().push(format!("{kind:?}: nothing is wrong\n{}\n{why}", shown()));
                    }
                    (Truth::Wrong, Ok(())) => {
                        failures.lock().unwrap().push(format!("{kind:?}: it is wrong, and passes\n{}", shown()));
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

/// Boards of these numbers of cells, a line each.
fn boards(cells: &[usize], random: &mut Random) -> String {
    let line = |&cells: &usize, random: &mut Random| {
        random.permutation(cells).iter().map(usize::to_string).collect::<Vec<_>>().join(" ") + "\n"
    };
    cells.iter().map(|cells| line(cells, random)).collect()
}

/// Records of every kind in several layouts; with `is_small` all of at most 6 cells, which are counted at once.
fn cases(is_small: bool, options: &[&str], pass: &'static str) -> Case {
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
    let large = if is_small { String::new() } else { boards(&[30], &mut random).replace('\n', "") };
    let large = format!("[{}]\n", large.replace(' ', ",")).replace("[]\n", "oh\n");
    let rows: String = (0..6).map(|n| format!("{n},\"x{n}\",2,3,{}", boards(&[6], &mut random))).collect();
    let csv = format!("id,user,rows,cols,board\n{rows}");
    let large = if is_small { large } else { format!("{{\"board\":{},\"rows\":5,\"cols\":6}}\n", large.trim()) };
    let objects = objects.clone() + objects.lines().next().unwrap() + "\n" + &large;
    Case::new(&[("a.txt", &lines), ("b.jsonl", &objects), ("c.csv", &csv)], options, pass, 0)
}

/// Every family of results, damaged this many times in each kind and each family.
fn damaged_results(each: usize) {
    let families = [
        cases(false, &[], ""),
        cases(false, &["--to", "csv"], ""),
        cases(false, &["--unordered"], ""),
        cases(false, &["--fields", "status,path"], ""),
        cases(true, &["--fields", "all"], "user"),
        cases(true, &["--fields", "all", "--to", "csv"], "user"),
        cases(true, &["--all", "--boards"], ""),
        cases(true, &["--fields", "analysis,path", "--to", "csv"], ""),
    ];
    for (seed, family) in families.iter().enumerate() {
        let [same, wrong, unknowable] = family.try_all(seed as u64, each);
        println!("family {seed}: {same} the same, {wrong} wrong, {unknowable} that nobody knows");
        assert!(wrong > unknowable, "{wrong} {unknowable}");
    }
}

/// The same with boards of 16 cells, all of which are solved again.
fn damaged_results_with_a_sample(each: usize) {
    let mut random = Random::new(3);
    let boards: String = (0..5).map(|n| scrambled_15(&mut random, 6 + n) + "\n").collect();
    let goal = (1..16).map(|tile| tile.to_string()).collect::<Vec<_>>().join(" ") + " 0\n";
    let all = ["--fields", "index,status,moves,path,solutions,first_moves,forced_moves,linear_conflict"];
    let case = Case::new(&[("a.txt", &(boards + &goal))], &all, "", 100);
    let [same, wrong, unknowable] = case.try_all(99, each);
    println!("sample: {same} the same, {wrong} wrong, {unknowable} that nobody knows");
}

/// Parts of a run: what is merged is the run, whatever happened to a part.
fn damaged_parts(each: usize) {
    // More than a block of records, so that both parts have some.
    let case = Case::new(&[("a.txt", &boards(&[9; 4200], &mut Random::new(7)))], &[], "", 0);
    let named: Vec<&str> = case.inputs.iter().map(|path| path.to_str().unwrap()).collect();
    let part = |shard: &str| {
        let path = case.folder.path().join(shard.replace('/', "-"));
        let output = path.to_str().unwrap();
        let asked = ["solve", "--quiet", "-j", "1", "--effort", "1", "--memory", "1G", "--shard", shard, "-o", output];
        assert_eq!(run(&[&asked[..], &named].concat(), "").status.code(), Some(0));
        std::fs::read(path).unwrap()
    };
    let parts = [part("1/2"), part("2/2")];
    for (nth, &kind) in KINDS.iter().enumerate() {
        let mut random = Random::new(70 + nth as u64);
        for round in 0..each {
            let mut damaged = parts.clone();
            let which = random.index(2);
            damaged[which] = damage(kind, &parts[which], Form::Json, &mut random);
            let is_same = damaged == parts;
            let streams = damaged.into_iter().map(|part| ("part".to_string(), Box::new(Cursor::new(part)) as Box<_>));
            let (mut merged, mut merge) = (Vec::new(), Merge::new(streams.collect()).unwrap());
            while let Some(line) = merge.next_line().unwrap() {
                merged.extend_from_slice(line);
            }
            let faults = merge.end().unwrap();
            assert_eq!(faults.is_empty(), is_same, "{kind:?} {round}: {faults:?}");
            assert!(!is_same || merged == case.honest, "{kind:?} {round}");
        }
    }
}

/// A run that was killed, its results and its checkpoint.
struct Killed {
    folder: tempfile::TempDir,
    expected: Vec<u8>,
    left: [Vec<u8>; 2],
}

const LEFT: [&str; 2] = ["results", "results.taquin"];

impl Killed {
    fn new() -> Killed {
        let folder = tempfile::tempdir().unwrap();
        let lines = boards(&[9; 20_000], &mut Random::new(5));
        std::fs::write(folder.path().join("boards.txt"), lines).unwrap();
        let mut killed = Killed { folder, expected: Vec::new(), left: [Vec::new(), Vec::new()] };
        assert_eq!(killed.command().output().unwrap().status.code(), Some(0));
        killed.expected = std::fs::read(killed.path(LEFT[0])).unwrap();
        loop {
            LEFT.iter().for_each(|name| _ = std::fs::remove_file(killed.path(name)));
            let mut child = killed.command().spawn().unwrap();
            let written = || std::fs::metadata(killed.path(LEFT[0])).map_or(0, |file| file.len());
            while child.try_wait().unwrap().is_none() && written() < 200_000 {
                std::thread::yield_now();
            }
            let _ = child.kill();
            child.wait().unwrap();
            let left = LEFT.map(|name| std::fs::read(killed.path(name)).unwrap_or_default());
            if !left[1].is_empty() && left[0].len() < killed.expected.len() {
                killed.left = left;
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
        command.arg(self.path(LEFT[0])).arg(self.path("boards.txt"));
        command
    }
}

/// Checkpoints: none that is damaged is read, and a run that resumes from damage refuses it or gives the same bytes.
fn damaged_checkpoints(each: usize, runs: usize) {
    let killed = Killed::new();
    for (nth, &kind) in KINDS.iter().enumerate() {
        let mut random = Random::new(90 + nth as u64);
        for round in 0..each {
            let damaged = damage(kind, &killed.left[1], Form::Words, &mut random);
            let is_same = damaged == killed.left[1];
            assert!(is_same || Checkpoint::decode(&damaged).is_err(), "{kind:?} {round}");
        }
        for round in 0..runs {
            let mut left = killed.left.clone();
            let which = random.index(2);
            let form = [Form::Json, Form::Words][which];
            left[which] = damage(kind, &left[which], form, &mut random);
            LEFT.iter().zip(&left).for_each(|(name, bytes)| std::fs::write(killed.path(name), bytes).unwrap());
            let output = killed.command().output().unwrap();
            let found = std::fs::read(killed.path(LEFT[0])).unwrap();
            let is_refused = output.status.code() == Some(2) && found == left[0];
            let what = format!("{kind:?} {round} of {}: {:?} {}", LEFT[which], output.status, stderr(&output));
            assert!(is_refused || output.status.code() == Some(0) && found == killed.expected, "{what}");
        }
    }
}

/// Answers to judges: one that takes any path, as JSON, and one that takes the number of moves.
fn damaged_answers(each: usize) {
    for name in ["codewars-sliding", "boj1525"] {
        let profile = Profile::named(name).unwrap();
        let format = profile.answer.unwrap();
        let golden = |ending: &str| project().join(format!("tests/profiles/{name}.{ending}"));
        let honest = std::fs::read_to_string(golden("out")).unwrap();
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
            // No line of an answer is empty.
            let found: Vec<String> = answers(text).into_iter().filter(|line| !line.is_empty()).collect();
            let honest = answers(&honest);
            found.len() == honest.len()
                && found.iter().zip(&honest).enumerate().all(|(at, (found, honest))| {
                    found == honest
                        || honest != "null" && puzzles.get(at).is_some_and(|puzzle| puzzle.is_solved_by_tiles(found))
                })
        };
        for (nth, &kind) in KINDS.iter().enumerate() {
            let mut random = Random::new(200 + nth as u64);
            for round in 0..each {
                let damaged = damage(kind, honest.as_bytes(), Form::Words, &mut random);
                let reader = ClaimReader::new(Box::new(Cursor::new(damaged.clone())), &format);
                let config = JudgeConfig { rules: Rules::new(&format, None, None), solver: &solver };
                let options = profile.fill(InputOptions::default());
                let mut input = Reader::new(vec![Input::Path(golden("in"))], options);
                let files = AnswerFiles { answer: reader, jury: None };
                let fault = judge::run(&config, &mut input, files, &|_| {}).unwrap().fault;
                let shown = String::from_utf8_lossy(&damaged);
                assert_eq!(fault.is_none(), is_right(&damaged), "{name} {kind:?} {round}: {fault:?}\n{shown}");
            }
        }
    }
}

#[test]
fn damage_is_found() {
    damaged_results(5);
    damaged_results_with_a_sample(2);
    damaged_parts(10);
    damaged_checkpoints(10, 1);
    damaged_answers(20);
}

/// At least 1,000 of each kind.
#[test]
#[ignore = "takes minutes: scripts/cross-check"]
fn a_thousand_damages_of_results_are_found() {
    damaged_results(1000);
    damaged_results_with_a_sample(125);
}

/// The same of what else there is.
#[test]
#[ignore = "takes minutes: scripts/cross-check"]
fn a_thousand_damages_of_parts_checkpoints_and_answers_are_found() {
    damaged_parts(1000);
    damaged_checkpoints(1000, 125);
    damaged_answers(1000);
}
