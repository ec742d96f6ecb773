//! The snapshots of the searches of an unfinished run: a file next to the checkpoint, written only
//! if boards take long.
//!
//! The checkpoint records which results exist, and must be correct. This file only saves work: if
//! it is missing, damaged or of another run, searches begin again. A snapshot is used only by a
//! search in the same state, so the results equal the results of an uninterrupted run.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checkpoint_file::CheckpointFile;
use super::identity::Identity;
use crate::batch::under_way::Stood;
use crate::system::Checksum;

/// The file of search snapshots.
#[derive(Clone, Debug)]
pub struct SearchesFile {
    path: PathBuf,
    /// The name under which a new file is written before it replaces the old one.
    new: PathBuf,
}

/// The content.
#[derive(Serialize)]
struct Written<'a> {
    run: &'a Identity,
    searches: &'a [Stood],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Read {
    run: Identity,
    searches: Vec<Stood>,
}

const MAGIC: &str = "taquin-checkpoint-searches 1";

impl SearchesFile {
    /// Returns the file for an output.
    pub fn beside(output: &Path) -> SearchesFile {
        let [path, new] = CheckpointFile::beside(output).files_of_searches().map(Path::to_path_buf);
        SearchesFile { path, new }
    }

    /// Returns true if the file exists.
    pub fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// Returns the snapshots of this run; none if they are not known.
    pub fn read(&self, run: &Identity) -> Vec<Stood> {
        fs::read(&self.path).ok().and_then(|bytes| decode(&bytes, run)).unwrap_or_default()
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// If it cannot be replaced; then the old one is still there.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(&self.new)?;
        file.write_all(bytes)?;
        // A half-written file after a power failure would be damaged, and its snapshots lost.
        file.sync_all()?;
        fs::rename(&self.new, &self.path)
    }

    /// Removes the file. Failures are harmless and ignored.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(&self.new);
    }
}

/// Returns the stored form: a line with the checksum of the rest, and a line of JSON.
pub fn encode(run: &Identity, searches: &[Stood]) -> Vec<u8> {
    // Only numbers and strings under fixed names: serialisation cannot fail.
    let body = serde_json::to_string(&Written { run, searches }).unwrap_or_default() + "\n";
    format!("{MAGIC} {:016x}\n{body}", Checksum::of(body.as_bytes())).into_bytes()
}

/// Reads the output of [`encode`] for the same run, or returns `None`.
pub fn decode(bytes: &[u8], run: &Identity) -> Option<Vec<Stood>> {
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (found, body) = (&bytes[..end], &bytes[end + 1..]);
    if found != format!("{MAGIC} {:016x}", Checksum::of(body)).as_bytes() {
        return None;
    }
    let read: Read = serde_json::from_slice(body).ok()?;
    (read.run == *run).then_some(read.searches)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::SearchSnapshot;

    fn run(option: &str) -> Identity {
        Identity::new([("goal", option.to_string())].into(), &[]).unwrap()
    }

    fn stood() -> Vec<Stood> {
        ["a", "b"].map(|board| Stood { board: board.into(), snapshot: SearchSnapshot::default() }).into()
    }

    #[test]
    fn it_is_replaced_read_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = SearchesFile::beside(&folder.path().join("results"));
        assert!(!file.is_there() && file.read(&run("x")).is_empty());
        for searches in [&stood()[..1], &stood()] {
            file.write(&encode(&run("x"), searches)).unwrap();
            assert!(file.is_there());
            assert_eq!(file.read(&run("x")), searches);
        }
        assert!(file.read(&run("y")).is_empty(), "it is of another run");
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["results.taquin.searches"]);
        file.remove();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn every_other_byte_is_nothing() {
        let bytes = encode(&run("x"), &stood());
        assert_eq!(decode(&bytes, &run("x")), Some(stood()));
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
