//! Expands arguments (files, directories, standard input) to a list of inputs.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::skipped_files::SkippedFiles;

/// An input to read boards from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Input {
    /// The file at this path.
    Path(PathBuf),
    /// Standard input.
    Stdin,
    /// This text, for example a board on the command line.
    Text(String),
}

impl Input {
    /// Returns the input of an argument that is not a directory: `-` is standard input.
    pub fn named(path: &Path) -> Input {
        if path == Path::new("-") { Input::Stdin } else { Input::Path(path.to_path_buf()) }
    }

    /// Returns the name shown in results: the path as given, or `-` if the input is not a file.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Input::Path(path) => path.to_string_lossy(),
            Input::Stdin | Input::Text(_) => "-".into(),
        }
    }
}

/// Arguments with directories replaced by the files in them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Expanded {
    /// The inputs, in order.
    pub inputs: Vec<Input>,
    /// The entries of directories that were skipped: hidden files, files with other extensions,
    /// links to directories, results of earlier runs.
    pub skipped: SkippedFiles,
}

/// The extensions of the files that are read from directories.
const EXTENSIONS: [&str; 6] = [".txt", ".in", ".boards", ".json", ".jsonl", ".csv"];

/// Replaces each directory with the files in it and below it, in name order, and `-` with standard
/// input.
///
/// In a directory, files named `*.txt *.in *.boards *.json *.jsonl *.csv` are read, also with an
/// additional `.gz` or `.zst`. Hidden files are skipped. Links to directories are followed only if
/// they are arguments, because links in directories might form a cycle. A directory that cannot be
/// listed stays an input, so that reading it reports the reason.
pub fn expand<I>(args: I) -> Expanded
where
    I: IntoIterator,
    I::Item: Into<PathBuf>,
{
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
    /// Returns the paths among the inputs.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().filter_map(|input| match input {
            Input::Path(path) => Some(&**path),
            Input::Stdin | Input::Text(_) => None,
        })
    }

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
            if name.as_encoded_bytes().starts_with(b".") {
                self.skipped.add_by_name(&name, path);
            } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                self.add_directory(path);
            } else if is_board_file(&name) && fs::metadata(&path).map_or(true, |file| file.is_file()) {
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
        let expanded = expand([root.join("c.txt"), root.to_path_buf(), "-".into(), "missing".into()]);
        let path = |name| Input::Path(root.join(name));
        let all = ["c.txt", "a.csv", "b/deep/y.jsonl.zst", "b/x.in.gz", "c.txt"].map(path);
        assert_eq!(expanded.inputs[..5], all);
        assert_eq!(expanded.inputs[5..], [Input::Stdin, Input::Path("missing".into())]);
        assert_eq!(expanded.skipped.count(), if cfg!(unix) { 4 } else { 3 });
    }
}
