//! Expands arguments (files, directories, standard input) to a list of inputs.
//!
//! Directories may also contain files without boards. Files whose extension is not in
//! [`EXTENSIONS`] are skipped, and so are results of an earlier run. Results are recognised by
//! their first line, a JSON object or a CSV header. This line has a status and an index, or it has
//! a status, a path or a length, but no board. A file that is an argument is always read. Skipped
//! files are reported, except hidden files, READMEs and the like.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use super::decode::DecompressionLimit;
use super::stream::{Input, open_text};
use crate::format::passthrough::BOARD_FIELDS;
use crate::format::status::Status;
use crate::system::grouped;

/// Arguments with directories replaced by the files in them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Expanded {
    /// The inputs, in order.
    pub inputs: Vec<Input>,
    /// The entries of directories that were skipped: hidden files, files with other extensions,
    /// links to directories, results of earlier runs.
    pub skipped: SkippedFiles,
}

/// The skipped files in directories.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SkippedFiles {
    /// Files whose extensions are not recognised, and entries that are not files.
    pub other_names: CountedFiles,
    /// Files that contain results, and the output of this run if it is empty or can be resumed.
    pub results: CountedFiles,
    /// The number of hidden files, READMEs, licences and the like, which are not reported.
    pub expected: u64,
}

/// The maximum number of file names kept for each reason.
const MAX_NAMES: usize = 3;

/// A set of files: their number, and the first paths.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CountedFiles {
    count: u64,
    first: Vec<PathBuf>,
}

/// The extensions of the files that are read from directories.
const EXTENSIONS: [&str; 6] = [".txt", ".in", ".boards", ".json", ".jsonl", ".csv"];

/// The maximum number of bytes of a first line that are examined. A longer JSON object is not taken
/// for a result.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// Expands the arguments like [`expand_all`], but skips files that contain results, unless the
/// files are arguments themselves.
pub fn expand(args: impl IntoIterator<Item: Into<PathBuf>>) -> Expanded {
    let named: Vec<PathBuf> = args.into_iter().map(Into::into).collect();
    let mut expanded = expand_all(&named);
    expanded.skip_results(|path| !named.contains(path) && holds_results(path));
    expanded
}

/// Replaces each directory with the files in it and below it, in name order, and `-` with standard
/// input.
///
/// In a directory, files named `*.txt *.in *.boards *.json *.jsonl *.csv` are read, also with an
/// additional `.gz` or `.zst`. Hidden files are skipped. Links to directories are followed only if
/// they are arguments, because links in directories might form a cycle. A directory that cannot be
/// listed stays an input, so that reading it reports the reason.
pub fn expand_all(args: impl IntoIterator<Item: Into<PathBuf>>) -> Expanded {
    let mut expanded = Expanded::default();
    for arg in args {
        match Input::named(&arg.into()) {
            Input::Path(folder) if folder.is_dir() => expanded.add_directory(folder),
            input => expanded.inputs.push(input),
        }
    }
    expanded
}

impl Expanded {
    /// Removes the files for which `holds_results` returns true, and records them as skipped.
    pub fn skip_results(&mut self, holds_results: impl Fn(&PathBuf) -> bool) {
        for input in std::mem::take(&mut self.inputs) {
            match input {
                Input::Path(path) if holds_results(&path) => self.skipped.results.add(path),
                input => self.inputs.push(input),
            }
        }
    }

    fn add_directory(&mut self, directory: PathBuf) {
        let listed = fs::read_dir(&directory).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
        let Ok(mut entries) = listed else {
            return self.inputs.push(Input::Path(directory));
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (name, path) = (entry.file_name(), entry.path());
            let is_hidden = name.as_encoded_bytes().starts_with(b".");
            if !is_hidden && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.add_directory(path);
            } else if !is_hidden && is_board_file(&name) && fs::metadata(&path).map_or(true, |file| file.is_file()) {
                self.inputs.push(Input::Path(path));
            } else {
                self.skipped.add_by_name(&name, path);
            }
        }
    }
}

fn is_board_file(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    let plain = [".gz", ".zst"].iter().find_map(|extension| name.strip_suffix(extension.as_bytes())).unwrap_or(name);
    EXTENSIONS.iter().any(|extension| plain.ends_with(extension.as_bytes()))
}

impl SkippedFiles {
    /// Returns the number of all skipped files.
    pub fn count(&self) -> u64 {
        self.other_names.count + self.results.count + self.expected
    }

    /// Adds an entry that is skipped because of its name or its kind.
    fn add_by_name(&mut self, name: &OsStr, path: PathBuf) {
        let name = name.to_string_lossy().to_ascii_uppercase();
        let is_text = ["README", "LICENSE", "LICENCE", "COPYING"].contains(&&*name) || name.ends_with(".MD");
        if is_text || name.starts_with('.') {
            self.expected += 1;
        } else {
            self.other_names.add(path);
        }
    }

    /// Returns one message for each reason why files were skipped. The files counted in `expected`
    /// are not mentioned.
    pub fn lines(&self) -> Vec<String> {
        let reasons = [
            ("extensions not recognised, or not regular files", &self.other_names),
            ("results of a run", &self.results),
        ];
        let line = |(why, files): (&str, &CountedFiles)| {
            let plural = if files.count == 1 { "" } else { "s" };
            let first: Vec<_> = files.first.iter().map(|path| path.display().to_string()).collect();
            let more = files.count - first.len() as u64;
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let (count, names) = (grouped(files.count), first.join(", "));
            format!("skipped {count} file{plural} in folders ({why}): {names}{more}")
        };
        reasons.into_iter().filter(|(_, files)| files.count > 0).map(line).collect()
    }
}

impl CountedFiles {
    fn add(&mut self, path: PathBuf) {
        self.count += 1;
        if self.first.len() < MAX_NAMES {
            self.first.push(path);
        }
    }
}

/// Returns true if a file contains results of a run. Returns false if it cannot be read; the reader
/// will report the reason.
fn holds_results(path: &Path) -> bool {
    let mut text = Vec::new();
    let file = Input::Path(PathBuf::from(path));
    let read = open_text(&file, DecompressionLimit::default())
        .and_then(|open| open.take(MAX_LINE_BYTES).read_to_end(&mut text));
    let line = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    read.is_ok() && is_result(line.trim_ascii())
}

fn is_result(line: &[u8]) -> bool {
    match line.first() {
        Some(b'{') => serde_json::from_slice(line).is_ok_and(|object: BTreeMap<String, &RawValue>| {
            let status = object.get("status").map(|value| value.get().trim_matches('"'));
            let has_status = status.is_some_and(|status| Status::named(status).is_some() || status == "solvable");
            // The results of a shard without records consist only of its trailer.
            let is_trailer = ["shard", "records", "written", "run"].iter().all(|&name| object.contains_key(name));
            is_trailer || is_result_by(has_status, |name| object.contains_key(name))
        }),
        Some(_) => {
            let names: Vec<&[u8]> = line.split(|&byte| byte == b',').map(|name| name.trim_ascii()).collect();
            let has = |name: &str| names.iter().any(|found| found.eq_ignore_ascii_case(name.as_bytes()));
            is_result_by(has("status"), has)
        }
        None => false,
    }
}

/// Returns true if a line is a result, judged by the names of its fields. A record to be solved has
/// no index, but it may have a status, a length or a path in addition to its board.
fn is_result_by(has_status: bool, has: impl Fn(&str) -> bool) -> bool {
    let has_board = BOARD_FIELDS.iter().any(|name| has(name));
    has_status && (has("index") || !has_board) || !has_board && (has("path") || has("moves"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_are_read_in_name_order_and_skipped_entries_are_counted() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        fs::create_dir_all(root.join("b/deep")).unwrap();
        for name in ["c.txt", "a.csv", "b/x.in.gz", "b/deep/y.jsonl.zst", "note.md", ".hidden.txt", "b/z.gz"] {
            fs::write(root.join(name), "").unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(root, root.join("b/loop.txt")).unwrap();
        let expanded = expand_all([root.join("c.txt"), root.to_path_buf(), "-".into(), "missing".into()]);
        let path = |name| Input::Path(root.join(name));
        let all = ["c.txt", "a.csv", "b/deep/y.jsonl.zst", "b/x.in.gz", "c.txt"].map(path);
        assert_eq!(expanded.inputs[..5], all);
        assert_eq!(expanded.inputs[5..], [Input::Stdin, Input::Path("missing".into())]);
        assert_eq!(expanded.skipped.count(), if cfg!(unix) { 4 } else { 3 });
    }

    /// At most three names are shown for each reason. A README is expected, so it is not reported.
    #[test]
    fn skipped_files_are_reported_unless_expected() {
        let mut skipped = SkippedFiles::default();
        for name in ["README.md", "readme", "LICENSE", ".git"] {
            skipped.add_by_name(OsStr::new(name), name.into());
        }
        assert_eq!((skipped.count(), skipped.lines()), (4, Vec::new()));
        skipped.add_by_name(OsStr::new("a.dat"), "in/a.dat".into());
        skipped.results.add("in/old.jsonl".into());
        let results = "skipped 1 file in folders (results of a run): in/old.jsonl";
        assert_eq!(
            skipped.lines(),
            ["skipped 1 file in folders (extensions not recognised, or not regular files): in/a.dat", results]
        );
        for name in ["b", "c", "d", "e"] {
            skipped.add_by_name(OsStr::new(name), name.into());
        }
        let all =
            "skipped 5 files in folders (extensions not recognised, or not regular files): in/a.dat, b, c and 2 more";
        assert_eq!((skipped.count(), skipped.lines()), (10, vec![all.into(), results.into()]));
    }

    /// Results in directories are skipped. Results that are arguments are read.
    #[test]
    fn results_in_folders_are_skipped() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        std::fs::write(file("a.txt"), "1 2 3 0\n").unwrap();
        std::fs::write(file("out.jsonl"), "{\"index\":1,\"status\":\"solved\",\"moves\":0,\"path\":\"\"}\n").unwrap();
        let found = expand([folder.path()]);
        assert_eq!((found.inputs, found.skipped.count()), (vec![Input::Path(file("a.txt"))], 1));
        let named = expand([file("out.jsonl"), folder.path().to_path_buf()]);
        assert_eq!((named.inputs.len(), named.skipped.count()), (3, 0));
    }

    #[test]
    fn results_are_distinguished_from_boards() {
        for result in [
            r#"{"index":1,"source":"a","line":1,"status":"solved","moves":1,"path":"D"}"#,
            r#"{"index":1,"status":"invalid","error":"x","board":[1,0]}"#,
            r#"{"moves":3,"path":"DDD"}"#,
            r#"{"shard":"2/2","records":3,"written":0,"run":"00","format":2}"#,
            r#"{"index":4,"status":"solvable","manhattan":3}"#,
            "index,source,line,id,status,moves,path",
        ] {
            assert!(is_result(result.as_bytes()), "{result}");
        }
        for board in [
            r#"{"board":[1,2,3,0],"moves":0,"id":"x"}"#,
            r#"{"id":7,"board":[1,2,3,0],"status":"new"}"#,
            r#"{"id":7,"grid":[[1,2],[0,3]],"moves":1}"#,
            r#"{"id":7}"#,
            "puzzle,moves",
            "Board,moves",
            "[1,2,3,0]",
            "1,2,3,0",
            "id,board,goal",
            "board,status",
            "",
            "{",
        ] {
            assert!(!is_result(board.as_bytes()), "{board}");
        }
    }
}
