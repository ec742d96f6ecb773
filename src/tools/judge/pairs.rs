//! Files with the same name, possibly in several folders: `NAME.in` with `NAME.out` or `NAME.ans`.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The files that share a name. A missing file is `None`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct NamedFiles {
    /// `NAME.in`.
    pub input: Option<PathBuf>,
    /// `NAME.out` or `NAME.ans`: if the folder has both, the first.
    pub answer: Option<PathBuf>,
    /// `NAME.ans` or `NAME.out` of the jury: if the folder has both, the first.
    pub jury: Option<PathBuf>,
}

/// Returns the files of every name that has an input or an answer. Files with other extensions are
/// ignored.
///
/// # Errors
/// When a folder cannot be read.
pub fn named_files(inputs: &Path, answers: &Path, jury: Option<&Path>) -> io::Result<BTreeMap<String, NamedFiles>> {
    let mut named = BTreeMap::<String, NamedFiles>::new();
    for (name, path) in files(inputs, "in")? {
        named.entry(name).or_default().input = Some(path);
    }
    for (name, path) in files(answers, "out")?.into_iter().chain(files(answers, "ans")?) {
        named.entry(name).or_default().answer.get_or_insert(path);
    }
    if let Some(jury) = jury {
        for (name, path) in files(jury, "ans")?.into_iter().chain(files(jury, "out")?) {
            named.entry(name).and_modify(|files| _ = files.jury.get_or_insert(path));
        }
    }
    Ok(named)
}

/// Returns the names and paths of the files in a folder that have this extension.
fn files(folder: &Path, extension: &str) -> io::Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    for entry in folder.read_dir()? {
        let path = entry?.path();
        if path.extension().is_some_and(|actual| actual == extension) && path.is_file() {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            found.push((name, path));
        }
    }
    Ok(found)
}
