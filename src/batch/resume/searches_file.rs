//! The snapshots of the searches of an unfinished run, in a file next to the checkpoint. The file
//! is written only if boards take long.
//!
//! Unlike the checkpoint, this file is only an optimisation. If it is missing or damaged, or
//! belongs to another run, searches start from the beginning. A search resumes from a snapshot only
//! if the checksum of its list of nodes matches, so the results do not depend on snapshots.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checkpoint_file::CheckpointFile;
use super::identity::Identity;
use crate::batch::active_searches::SavedSearch;
use crate::system::Checksum;

/// The file of search snapshots.
#[derive(Clone, Debug)]
pub struct SearchesFile {
    path: PathBuf,
    /// The temporary file, before it replaces the old one.
    new: PathBuf,
}

/// The content of the file, to be written.
#[derive(Serialize)]
struct ContentRef<'a> {
    run: &'a Identity,
    searches: &'a [SavedSearch],
}

/// The content of a file that was read.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    run: Identity,
    searches: Vec<SavedSearch>,
}

const MAGIC: &str = "taquin-checkpoint-searches 1";

impl SearchesFile {
    /// Returns the file of an output.
    pub fn of(output: &Path) -> SearchesFile {
        let [path, new] = CheckpointFile::of(output).files_of_searches().map(Path::to_path_buf);
        SearchesFile { path, new }
    }

    /// Returns true if the file exists.
    pub fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Returns the snapshots of this run; none if the file cannot be used.
    pub fn read(&self, run: &Identity) -> Vec<SavedSearch> {
        fs::read(&self.path).ok().and_then(|bytes| decode(&bytes, run)).unwrap_or_default()
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// If it cannot be replaced. Then the old one is intact.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(&self.new)?;
        file.write_all(bytes)?;
        // Without this, a power failure could leave an incomplete file, and all snapshots would be
        // lost.
        file.sync_all()?;
        fs::rename(&self.new, &self.path)
    }

    /// Removes the file. Failures are harmless, and ignored.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(&self.new);
    }
}

/// Encodes snapshots: a line with the checksum of the rest, and a line of JSON.
pub fn encode(run: &Identity, searches: &[SavedSearch]) -> Vec<u8> {
    // Serialisation cannot fail, because all keys are strings.
    let body = serde_json::to_string(&ContentRef { run, searches }).unwrap_or_default() + "\n";
    format!("{MAGIC} {:016x}\n{body}", Checksum::of(body.as_bytes())).into_bytes()
}

/// Decodes the output of [`encode`] for the same run. Returns `None` if the bytes are anything
/// else.
pub fn decode(bytes: &[u8], run: &Identity) -> Option<Vec<SavedSearch>> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (found, body) = (&bytes[..end], &bytes[end + 1..]);
    if found != format!("{MAGIC} {:016x}", Checksum::of(body)).as_bytes() {
        return None;
    }
    let read: Content = serde_json::from_slice(body).ok()?;
    (read.run == *run).then_some(read.searches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SearchSnapshot;

    fn run(option: &str) -> Identity {
        Identity::new([("goal", option.to_string())].into(), &[]).unwrap()
    }

    fn saved() -> Vec<SavedSearch> {
        ["a", "b"].map(|key| SavedSearch { key: key.into(), snapshot: SearchSnapshot::default() }).into()
    }

    #[test]
    fn snapshots_are_replaced_read_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::of(&folder.path().join("results"));
        assert!(!file.exists() && file.read(&run("x")).is_empty());
        for searches in [&saved()[..1], &saved()] {
            file.write(&encode(&run("x"), searches)).unwrap();
            assert!(file.exists());
            assert_eq!(file.read(&run("x")), searches);
        }
        assert!(file.read(&run("y")).is_empty(), "another run");
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["results.taquin.searches"]);
        file.remove();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn every_changed_byte_is_detected() {
        let bytes = encode(&run("x"), &saved());
        assert_eq!(decode(&bytes, &run("x")), Some(saved()));
        for at in 0..bytes.len() {
            assert_eq!(decode(&bytes[..at], &run("x")), None);
            for bit in 0..8 {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert_eq!(decode(&damaged, &run("x")), None, "bit {bit} of byte {at}");
            }
        }
        assert_eq!(decode(&[&bytes[..], b" "].concat(), &run("x")), None);
    }
}
