//! Runs that are divided into shards. Their parts, merged, give the bytes of a single run. Parts of
//! different runs are not merged.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use crate::common::interrupted::Case;
use crate::common::{run, stderr, stdout, taquin, zstd};

/// A run over the inputs of a case, divided into parts, one per shard.
struct Parts {
    case: Case,
    shards: usize,
}

impl Parts {
    /// Solves the parts with this number of threads.
    fn new(case: Case, shards: usize, threads: &str) -> Parts {
        let parts = Parts { case, shards };
        fs::create_dir(parts.case.path("parts")).unwrap();
        for number in 1..=shards {
            parts.solve(number, &["-j", threads, "-o", &parts.part_path(number), "--force"]);
        }
        parts
    }

    fn part_path(&self, number: usize) -> String {
        self.case.named(&format!("parts/{number}.jsonl"))
    }

    /// Solves a part. One input does not exist, so every part ends with the status
    /// [`Case::STATUS`].
    fn solve(&self, number: usize, options: &[&str]) {
        let shard = format!("{number}/{}", self.shards);
        let output = self.case.command(&[&["--shard", &shard], options].concat()).output().unwrap();
        assert_eq!(output.status.code(), Some(Case::STATUS), "{}", stderr(&output));
    }

    /// Merges files, and returns the status and the messages.
    fn merge(&self, parts: &[String]) -> (Option<i32>, String) {
        let merged = self.case.named("merged");
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let output = run(&[&["merge", "--force", "-o", &merged][..], &parts].concat(), "");
        (output.status.code(), stderr(&output))
    }

    fn part_paths(&self) -> Vec<String> {
        (1..=self.shards).map(|number| self.part_path(number)).collect()
    }

    fn merged(&self) -> Option<Vec<u8>> {
        fs::read(self.case.path("merged")).ok()
    }
}

/// The number of records in each of a case's first two inputs: enough that each of seven shards has
/// records.
const SIZE_FOR_SEVEN: usize = 12_000;

#[test]
fn parts_are_merged_to_the_bytes_of_one_run() {
    for (shards, threads) in [(1, "2"), (7, "1"), (7, "2")] {
        let parts = Parts::new(Case::new(SIZE_FOR_SEVEN, false), shards, threads);
        let smallest = parts.part_paths().iter().map(|part| fs::metadata(part).unwrap().len()).min();
        assert!(smallest.unwrap() > 10_000, "a shard has no results");
        // The first part is compressed, and the parts are given in another order.
        let mut paths = parts.part_paths();
        fs::write(parts.case.path("first.zst"), zstd(&fs::read(&paths[0]).unwrap())).unwrap();
        paths[0] = parts.case.named("first.zst");
        paths.reverse();
        let (status, message) = parts.merge(&paths);
        assert_eq!(status, Some(0), "{message}");
        assert!(message.contains(&format!("from {shards} part")), "{message}");
        assert!(parts.merged().unwrap() == parts.case.expected, "the bytes differ");
    }
}

/// After a kill at any time, the same command completes the part.
#[test]
fn a_killed_part_is_resumed() {
    let parts = Parts::new(Case::new(SIZE_FOR_SEVEN, false), 3, "2");
    let (second, whole) = (parts.part_path(2), fs::read(parts.part_path(2)).unwrap());
    let options = ["--resume", "--checkpoint-every", "0.001ms", "-j", "2", "--shard", "2/3", "-o", &second];
    fs::remove_file(&second).unwrap();
    for written in [1, 100_000, 600_000, u64::MAX] {
        let mut child = parts.case.command(&options).stderr(Stdio::null()).spawn().unwrap();
        while child.try_wait().unwrap().is_none() && fs::metadata(&second).map_or(0, |file| file.len()) < written {
            std::thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
    }
    assert!(fs::read(&second).unwrap() == whole);
    // Repeating the command does nothing.
    parts.solve(2, &[&options[..5], &options[7..]].concat());
    assert!(fs::read(&second).unwrap() == whole);
    assert_eq!(parts.merge(&parts.part_paths()).0, Some(0));
    assert!(parts.merged().unwrap() == parts.case.expected);
    // A run of another shard does not resume this part.
    let output = parts.case.command(&["--resume", "--shard", "1/3", "-o", &second]).output().unwrap();
    assert!(stderr(&output).contains("different --shard: '2/3', but it is now '1/3'"), "{}", stderr(&output));
    assert!(fs::read(&second).unwrap() == whole);
}

#[test]
fn incomplete_and_mixed_parts_are_reported_and_nothing_is_written() {
    let parts = Parts::new(Case::new(6_000, false), 3, "2");
    let [first, second, third] = [1, 2, 3].map(|number| parts.part_path(number));
    let text = fs::read(&second).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        fs::write(parts.case.path(name), bytes).unwrap();
        parts.case.named(name)
    };
    let trailer_start = text[..text.len() - 1].iter().rposition(|&byte| byte == b'\n').unwrap() + 1;
    let (whole_lines, torn) = (write("lines", &text[..trailer_start]), write("torn", &text[..trailer_start / 2]));
    parts.solve(2, &["--notation", "udlr", "-o", &parts.case.named("letters")]);
    fs::rename(&parts.case.inputs[0], parts.case.path("original")).unwrap();
    let changed = String::from_utf8(fs::read(parts.case.path("original")).unwrap()).unwrap().replacen('1', "9", 1);
    fs::write(&parts.case.inputs[0], changed).unwrap();
    parts.solve(2, &["-o", &parts.case.named("inputs")]);
    let output = parts.case.command(&["--shard", "2/4", "-o", &parts.case.named("of-four")]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let [letters, inputs, of_four] = ["letters", "inputs", "of-four"].map(|name| parts.case.named(name));
    let all_results = write("all", &parts.case.expected);
    fs::write(parts.case.path("merged"), "before").unwrap();
    for (paths, expected) in [
        (vec![&first, &third], "shard 2/3 is missing"),
        (vec![&second], "shards 1/3, 3/3 are missing"),
        (vec![&first, &second, &third, &second], "are both shard 2/3"),
        (vec![&first, &whole_lines, &third], "lines does not end with a trailer: it was cut off, or"),
        (vec![&first, &torn, &third], "torn ends in the middle of line"),
        (vec![&first, &letters, &third], "letters is from a different run than"),
        (vec![&first, &inputs, &third], "inputs is from a different run than"),
        (vec![&first, &of_four, &third], "of-four is shard 2/4, but"),
        (vec![&first, &second, &third, &all_results], "all does not end with a trailer"),
        (vec![&parts.case.inputs[0]], "is not a result"),
    ] {
        let (status, message) = parts.merge(&paths.into_iter().cloned().collect::<Vec<_>>());
        assert_eq!(status, Some(1), "{message}");
        assert!(message.contains(expected) && message.contains("nothing was written"), "{expected}: {message}");
        assert_eq!(parts.merged().unwrap(), b"before");
    }
    let (status, message) = parts.merge(&[first.clone(), parts.case.named("none")]);
    assert!(status == Some(2) && message.contains("cannot read"), "{message}");
    let output = run(&["merge", &first, &second, &third, "-o", &second], "");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("already exists"), "{}", stderr(&output));
    let output = run(&["merge", &first, &second, &third, "--force", "-o", &second], "");
    assert!(stderr(&output).contains("would overwrite the input"), "{}", stderr(&output));
    assert!(fs::read(&second).unwrap() == text);
}

/// The results in the parts have passthrough columns, and their first field is not the index.
#[test]
fn parts_may_have_passthrough_columns() {
    let folder = tempfile::tempdir().unwrap();
    let boards: String =
        (0..9000).map(|i| format!("{{\"board\":[1,2,3,0],\"index\":{},\"shard\":\"{i}\"}}\n", 9000 - i)).collect();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::write(at("boards.jsonl"), boards).unwrap();
    let solve = |options: &[&str]| {
        let fixed = ["solve", "-q", "--fields", "status,index,moves", "--pass", "index=own,shard"];
        let output = run(&[&fixed, options, &[&*at("boards.jsonl")]].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        output.stdout
    };
    let whole = solve(&[]);
    for shard in ["1/2", "2/2"] {
        solve(&["--shard", shard, "-o", &at(&shard.replace('/', "-"))]);
    }
    let output = run(&["merge", &at("1-2"), &at("2-2")], "");
    assert!(output.status.success() && output.stdout == whole);
    let output = run(&["merge", &at("1-2")], "");
    assert!(output.stdout.is_empty() && stderr(&output).contains("nothing was written"), "{}", stderr(&output));
    // Standard input can also be divided into shards. Here the second shard has no records.
    let part = |shard| {
        let output = run(&["solve", "-q", "--shard", shard, "-"], "1 2 3 0\n\n0 1 2 3\n");
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    assert_eq!(part("1/2").lines().count(), 3);
    assert!(part("2/2").starts_with("{\"shard\":\"2/2\",\"records\":2,\"written\":0,\"run\":\""));
}

#[test]
fn options_that_prevent_a_merge_are_rejected() {
    for (options, why) in [
        (&["--as", "hdu1043"][..], "leave out --as"),
        (&["--unordered"], "leave out --unordered"),
        (&["--to", "csv"], "leave out --to csv"),
        (&["--fields", "status,path"], "needs the field index"),
    ] {
        let output = run(&[&["solve", "--shard", "1/2"], options].concat(), "");
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{options:?}");
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
    for wrong in ["0/2", "3/2", "1", "1/0", "a/b"] {
        let output = run(&["solve", "--shard", wrong], "");
        assert!(stderr(&output).contains("expected a shard and the number of shards"), "{}", stderr(&output));
    }
}

/// An option that would give different bytes on another machine, or in a resumed run, is rejected.
#[test]
fn options_that_depend_on_the_machine_are_rejected() {
    for (options, why) in [
        (&["--shard", "1/2", "--tie-break", "any"][..], "--tie-break any needs a --heuristic"),
        (&["--shard", "1/2", "--node-limit", "1000"], "set --memory"),
        (&["--shard", "1/2", "--engine", "astar", "--memory", "1G"], "set --threads"),
        (&["--as", "hdu3567", "--tie-break", "any"], "the canonical path only"),
    ] {
        let (status, message) = outcome(&run(&[&["solve"], options].concat(), ""));
        assert!(status == Some(2) && message.contains(why), "{options:?}: {message}");
    }
    let output = run(&["solve", "--shard", "1/2", "--node-limit", "1000", "--memory", "1G"], "1 2 3 0\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

/// The last line of a part, its trailer, states the shard. Many lines that look like trailers give
/// one error.
#[test]
fn many_invalid_trailers_are_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("part.jsonl");
    fs::write(&path, "{\"shard\":\"1/2\",\"written\":\n".repeat(200_000)).unwrap();
    let (status, message) = outcome(&run(&["merge", path.to_str().unwrap()], ""));
    assert!(status == Some(1) && message.contains("line 1 is not a valid trailer"), "{message}");
}

/// Returns the exit status, and standard output followed by standard error.
fn outcome(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), stdout(output) + &stderr(output))
}

#[test]
fn merged_parts_are_verified_and_parts_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    fs::create_dir(folder.path().join("parts")).unwrap();
    let boards: String = (0..9000).map(|i| if i % 1000 == 5 { "1 2 2 0\n" } else { "1 2 3 0\n" }).collect();
    fs::write(at("boards.txt"), boards).unwrap();
    for shard in ["1/2", "2/2"] {
        let part = at(&format!("parts/{}.jsonl", &shard[..1]));
        run(&["solve", "-q", "--shard", shard, "-o", &part, &at("boards.txt")], "");
    }
    let verify = |results: &str| outcome(&run(&["verify", &at(results), &at("boards.txt")], ""));
    let (status, message) = verify("parts/2.jsonl");
    assert!(status == Some(1) && message.contains("is the trailer of a part"), "{message}");
    let (status, message) = verify("parts");
    assert!(status == Some(2) && message.contains("is a folder: use taquin merge"), "{message}");
    let merged = stdout(&run(&["merge", &at("parts")], ""));
    let (status, message) = outcome(&run(&["verify", "-", &at("boards.txt")], &merged));
    assert!(status == Some(0) && message.contains("9,000 records, 9,000 results"), "{message}");
    // `report` reads results of parts, and skips their trailers.
    assert_eq!(outcome(&run(&["report", "-o", &at("page.html"), &at("parts")], "")), (Some(0), String::new()));
    assert!(fs::read_to_string(at("page.html")).unwrap().contains("<strong>9,000 records</strong>"));
    fs::remove_file(at("parts/1.jsonl")).unwrap();
    assert_eq!(run(&["merge", &at("parts")], "").status.code(), Some(1));
    // A part in a folder of inputs is not read as boards.
    fs::create_dir(folder.path().join("all")).unwrap();
    fs::rename(at("boards.txt"), at("all/boards.txt")).unwrap();
    fs::rename(at("parts/2.jsonl"), at("all/part.jsonl")).unwrap();
    let solved = taquin().args(["solve", "-q"]).arg(Path::new(&at("all"))).output().unwrap();
    assert_eq!(stdout(&solved).lines().count(), 9000);
}
