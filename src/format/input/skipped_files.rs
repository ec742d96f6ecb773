//! The skipped files in directories, by reason. Files that might contain boards are reported; a
//! README, for example, is not.

use std::ffi::OsStr;
use std::path::PathBuf;

use crate::system::grouped;

/// The maximum number of file names kept for each reason.
const MAX_NAMES: usize = 3;

/// The skipped files in directories.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SkippedFiles {
    /// Files whose extensions are not recognised, and entries that are not files.
    pub other_names: Files,
    /// Files that contain results, including the output of this run.
    pub results: Files,
    /// The number of hidden files, READMEs, licences and the like, which are not reported.
    pub expected: u64,
}

/// A set of files: their number, and the first paths.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Files {
    count: u64,
    first: Vec<PathBuf>,
}

impl SkippedFiles {
    /// Returns the number of all skipped files.
    pub fn count(&self) -> u64 {
        self.other_names.count + self.results.count + self.expected
    }

    /// Adds an entry that is skipped because of its name or its kind.
    pub(super) fn add_by_name(&mut self, name: &OsStr, path: PathBuf) {
        if is_expected(name) {
            self.expected += 1;
        } else {
            self.other_names.add(path);
        }
    }

    /// Returns a message for each reason for which files were skipped and are reported.
    pub fn lines(&self) -> Vec<String> {
        let reasons = [("extensions not recognised", &self.other_names), ("results of a run", &self.results)];
        let reported = reasons.iter().filter(|(_, files)| files.count > 0);
        let line = |files: &Files, why| {
            let plural = if files.count == 1 { "" } else { "s" };
            format!("skipped {} file{plural} in folders ({why}): {}", grouped(files.count), files.names())
        };
        reported.map(|(why, files)| line(files, why)).collect()
    }
}

impl Files {
    pub fn add(&mut self, path: PathBuf) {
        self.count += 1;
        if self.first.len() < MAX_NAMES {
            self.first.push(path);
        }
    }

    /// Returns the first names, and the number of the others.
    fn names(&self) -> String {
        let names: Vec<_> = self.first.iter().map(|path| path.display().to_string()).collect();
        match self.count - self.first.len() as u64 {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }
}

fn is_expected(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    name.starts_with('.') || name.ends_with(".MD") || ["README", "LICENSE", "LICENCE", "COPYING"].contains(&&*name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At most three names are shown for each reason. A README is not reported.
    #[test]
    fn files_that_may_hold_boards_are_named() {
        let mut skipped = SkippedFiles::default();
        for name in ["README.md", "readme", "LICENSE", ".git"] {
            skipped.add_by_name(OsStr::new(name), name.into());
        }
        assert_eq!((skipped.count(), skipped.lines()), (4, Vec::new()));
        skipped.add_by_name(OsStr::new("a.dat"), "in/a.dat".into());
        skipped.results.add("in/old.jsonl".into());
        let results = "skipped 1 file in folders (results of a run): in/old.jsonl";
        assert_eq!(skipped.lines(), ["skipped 1 file in folders (extensions not recognised): in/a.dat", results]);
        for name in ["b", "c", "d", "e"] {
            skipped.add_by_name(OsStr::new(name), name.into());
        }
        let all = "skipped 5 files in folders (extensions not recognised): in/a.dat, b, c and 2 more";
        assert_eq!((skipped.count(), skipped.lines()), (10, vec![all.into(), results.into()]));
    }
}
