//! Finds out which files in directories contain results of an earlier run rather than boards.
//!
//! The first line decides. It must be a JSON object or a CSV header that contains a status and an
//! index, or a status, path or length but no board. A file that is an argument is always read.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::value::RawValue;

use super::decompression::DecompressionLimit;
use super::expand::{Expanded, Input};
use super::stream::open_text;
use crate::format::status::Status;

/// The maximum number of bytes of a first line that are examined. A longer JSON object is not taken
/// for a result.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// Expands the arguments like [`super::expand::expand`], but skips files in directories that
/// contain results.
pub fn expand<I>(args: I) -> Expanded
where
    I: IntoIterator,
    I::Item: Into<PathBuf>,
{
    let named: Vec<PathBuf> = args.into_iter().map(Into::into).collect();
    let mut expanded = super::expand::expand(&named);
    let is_skipped = |path: &PathBuf| !named.contains(path) && holds_results(path);
    expanded.skip_results(is_skipped);
    expanded
}

/// Returns true if a file contains results of a run. Returns false if it cannot be read; the reader
/// will report the reason.
pub fn holds_results(path: &Path) -> bool {
    let mut text = Vec::new();
    let file = Input::Path(PathBuf::from(path));
    let read = open_text(&file, DecompressionLimit::default())
        .and_then(|open| open.take(MAX_LINE_BYTES).read_to_end(&mut text));
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
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
            let has = |name: &str| names.contains(&name.as_bytes());
            is_result_by(has("status"), has)
        }
        None => false,
    }
}

/// Decides by the names of the fields. A record to be solved has no index, but it may have a
/// status, a length or a path in addition to its board.
fn is_result_by(has_status: bool, has: impl Fn(&str) -> bool) -> bool {
    let has_board = has("board");
    has_status && (has("index") || !has_board) || !has_board && (has("path") || has("moves"))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            r#"{"id":7}"#,
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
