//! Checkpoints, and the checkpoint file of an output.

use std::fs;
use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::Identity;
use super::files::{CompanionFile, decode_with_checksum, encode_with_checksum, with_path};
use crate::batch::progress::Progress;

/// A checkpoint of a run. In the checkpoint of a finished run, the progress is complete.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The identity of the run.
    pub run: Identity,
    /// The progress of the run.
    pub progress: Progress,
}

const MAGIC: &[u8] = b"taquin-checkpoint";
const TITLE: &str = "taquin-checkpoint 2";

impl Checkpoint {
    /// Encodes the checkpoint.
    pub fn encode(&self) -> Vec<u8> {
        encode_with_checksum(TITLE, self)
    }

    /// Returns true if bytes begin like a checkpoint of any version, even a damaged one.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Decodes the output of [`Checkpoint::encode`].
    ///
    /// # Errors
    /// A message for the user, if any byte differs from such output.
    pub fn decode(bytes: &[u8]) -> Result<Checkpoint, &'static str> {
        decode_with_checksum(TITLE, bytes).ok_or_else(|| {
            let is_this_version = bytes.starts_with(format!("{TITLE} ").as_bytes());
            let is_other_version = Checkpoint::begins(bytes) && !is_this_version && bytes.contains(&b'\n');
            if is_other_version { "it was written by another version of taquin" } else { "it is damaged" }
        })
    }
}

/// The checkpoint file of an output.
#[derive(Clone, Debug)]
pub struct CheckpointFile {
    file: CompanionFile,
    /// The file of search snapshots, which is removed with the checkpoint.
    searches: CompanionFile,
}

impl CheckpointFile {
    /// The end of the name of a file of search snapshots.
    pub(super) const SEARCHES: &'static str = ".taquin.searches";

    /// Returns the checkpoint file of an output: the output's name with `.taquin` appended.
    pub fn of(output: &Path) -> CheckpointFile {
        let (file, searches) = (CompanionFile::of(output, ".taquin"), CompanionFile::of(output, Self::SEARCHES));
        CheckpointFile { file, searches }
    }

    /// Returns the paths of the checkpoint, the search snapshots, and their temporary files.
    pub fn files(&self) -> [&Path; 4] {
        let ([file, new], [searches, new_searches]) = (self.file.files(), self.searches.files());
        [file, new, searches, new_searches]
    }

    /// Returns the path of the checkpoint.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Reads the checkpoint, if there is one.
    ///
    /// # Errors
    /// A message for the user, if the file cannot be read or is not a valid checkpoint.
    pub fn read(&self) -> Result<Option<Checkpoint>, String> {
        let path = self.path().display();
        match fs::read(self.path()) {
            Ok(bytes) => {
                let decoded = Checkpoint::decode(&bytes);
                decoded.map(Some).map_err(|cause| format!("the checkpoint {path} cannot be used: {cause}"))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(format!("the checkpoint {path} cannot be read: {cause}")),
        }
    }

    /// Replaces the checkpoint, as [`CompanionFile::replace`] does.
    ///
    /// # Errors
    /// If the checkpoint cannot be replaced, or the new one cannot be made durable.
    pub fn write(&self, checkpoint: &Checkpoint) -> io::Result<()> {
        self.file.replace(&checkpoint.encode()).map_err(|error| with_path(self.path(), &error))
    }

    /// Removes the checkpoint and the search snapshots, if there are any. The removal is durable on
    /// return.
    ///
    /// # Errors
    /// If a file cannot be removed, or the removal cannot be made durable.
    pub fn remove(&self) -> io::Result<()> {
        CompanionFile::remove_all(&[&self.file, &self.searches])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::totals::Counts;
    use crate::format::input::Position;

    fn checkpoint() -> Checkpoint {
        let position =
            Position { records: 7, input: 1, offset: 99, line: 3, text_checksum: u64::MAX, ..Position::default() };
        let counts = Counts { solved: 5, invalid: 2, ..Counts::default() };
        let progress = Progress { position, done: vec![(9, 12)], counts, bytes: 1234, checksum: 1 };
        Checkpoint { run: Identity::new([("fields", "status".to_string())].into(), &[]).unwrap(), progress }
    }

    #[test]
    fn checkpoints_are_recognised_by_their_first_word() {
        for (bytes, expected) in
            [("taquin-checkpoint 1 00", true), ("taquin-checkpoint 9", true), ("taquin", false), ("", false)]
        {
            assert_eq!(Checkpoint::begins(bytes.as_bytes()), expected, "{bytes}");
        }
    }

    #[test]
    fn checkpoints_are_read_back() {
        assert_eq!(Checkpoint::decode(&checkpoint().encode()), Ok(checkpoint()));
    }

    #[test]
    fn damage_and_other_versions_are_distinguished() {
        let bytes = checkpoint().encode();
        for at in 0..bytes.len() {
            assert!(Checkpoint::decode(&bytes[..at]).is_err());
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Checkpoint::decode(&damaged).is_err(), "byte {at}");
        }
        assert_eq!(Checkpoint::decode(&[&bytes[..], b" "].concat()), Err("it is damaged"));
        let newer = String::from_utf8(bytes).unwrap().replacen("checkpoint 2", "checkpoint 3", 1);
        assert_eq!(Checkpoint::decode(newer.as_bytes()), Err("it was written by another version of taquin"));
        assert_eq!(Checkpoint::decode(b"taquin-checkpoint 3"), Err("it is damaged"), "no line");
    }

    #[test]
    fn checkpoints_are_replaced_read_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::of(&folder.path().join("results"));
        assert_eq!(file.path(), folder.path().join("results.taquin"));
        assert!(file.read().unwrap().is_none());
        file.remove().unwrap();
        for solved in [1, 2] {
            let mut checkpoint = checkpoint();
            checkpoint.progress.counts.solved = solved;
            file.write(&checkpoint).unwrap();
            assert_eq!(file.read().unwrap(), Some(checkpoint));
        }
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["results.taquin"]);
        // The search snapshots and the remains of an interrupted write are also removed.
        for suffix in ["new", "searches", "searches.new"] {
            fs::write(folder.path().join(format!("results.taquin.{suffix}")), "half").unwrap();
        }
        file.remove().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn failures_to_read_replace_or_remove_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::of(&folder.path().join("results"));
        fs::write(file.path(), "other").unwrap();
        assert!(file.read().unwrap_err().contains("results.taquin cannot be used: it is damaged"));
        fs::remove_file(file.path()).unwrap();
        fs::create_dir(file.path()).unwrap();
        assert!(file.read().unwrap_err().contains("results.taquin cannot be read: "));
        fs::write(folder.path().join("results.taquin.searches"), "half").unwrap();
        assert!(file.remove().is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "the other files are removed");
        let error = file.write(&checkpoint()).unwrap_err();
        assert!(error.to_string().contains("results.taquin"), "{error}");
        assert!(CheckpointFile::of(&folder.path().join("none/results")).write(&checkpoint()).is_err());
    }
}
