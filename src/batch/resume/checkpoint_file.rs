//! The file of a checkpoint, which is replaced atomically.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::checkpoint::{Checkpoint, DecodeError};
use super::named_file::with_path;

/// The checkpoint file of an output.
#[derive(Clone, Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    /// The temporary file of a new checkpoint, before it replaces the old one.
    new: PathBuf,
    /// The file of search snapshots, and its temporary file.
    searches: [PathBuf; 2],
}

/// The reason why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The checkpoint cannot be read.
    #[error("the checkpoint {} cannot be read: {cause}", path.display())]
    Read {
        /// The file of the checkpoint.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// The file is not a valid checkpoint.
    #[error("the checkpoint {} cannot be used: {cause}", path.display())]
    Invalid {
        /// The file of the checkpoint.
        path: PathBuf,
        /// The reason.
        cause: DecodeError,
    },
}

impl CheckpointFile {
    /// Returns the checkpoint file of an output: the output's name with `.taquin` appended.
    pub fn of(output: &Path) -> CheckpointFile {
        let with_suffix = |suffix: &str| {
            let mut name = OsString::from(output);
            name.push(suffix);
            PathBuf::from(name)
        };
        CheckpointFile {
            path: with_suffix(".taquin"),
            new: with_suffix(".taquin.new"),
            searches: [with_suffix(".taquin.searches"), with_suffix(".taquin.searches.new")],
        }
    }

    /// Returns the paths of the checkpoint, the search snapshots, and their temporary files.
    pub fn files(&self) -> [&Path; 4] {
        let [searches, new_searches] = self.files_of_searches();
        [&self.path, &self.new, searches, new_searches]
    }

    /// Returns the file of search snapshots and its temporary file.
    pub fn files_of_searches(&self) -> [&Path; 2] {
        self.searches.each_ref().map(PathBuf::as_path)
    }

    /// Returns the path of the checkpoint.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the checkpoint, if there is one.
    ///
    /// # Errors
    /// If the file cannot be read or is not a valid checkpoint.
    pub fn read(&self) -> Result<Option<Checkpoint>, Error> {
        let path = || self.path.clone();
        match fs::read(&self.path) {
            Ok(bytes) => match Checkpoint::decode(&bytes) {
                Ok(checkpoint) => Ok(Some(checkpoint)),
                Err(cause) => Err(Error::Invalid { path: path(), cause }),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(Error::Read { path: path(), cause }),
        }
    }

    /// Replaces the checkpoint. It is durable on return.
    ///
    /// # Errors
    /// If the checkpoint cannot be replaced, or the new one cannot be made durable. Then the file
    /// contains either the whole old checkpoint or the whole new one.
    pub fn write(&self, checkpoint: &Checkpoint) -> io::Result<()> {
        let replace = || {
            let mut file = File::create(&self.new)?;
            file.write_all(&checkpoint.encode())?;
            file.sync_all()?;
            fs::rename(&self.new, &self.path)?;
            self.sync_folder()
        };
        replace().map_err(|error| with_path(&self.path, &error))
    }

    /// Removes the checkpoint and the search snapshots, if there are any. The removal is durable on
    /// return.
    ///
    /// # Errors
    /// If a file cannot be removed, or the removal cannot be made durable.
    pub fn remove(&self) -> io::Result<()> {
        let remove = |path: &Path| match fs::remove_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            removed => removed.map(|()| true),
        };
        let mut removed = false;
        for file in self.files() {
            removed |= remove(file)?;
        }
        if removed { self.sync_folder() } else { Ok(()) }
    }

    /// Makes created, renamed and removed files durable.
    #[cfg(unix)]
    fn sync_folder(&self) -> io::Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    /// Does nothing, because other systems cannot sync a folder. A crash of the machine may restore
    /// an older checkpoint.
    #[cfg(not(unix))]
    fn sync_folder(&self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Progress;
    use crate::batch::resume::Identity;

    fn checkpoint(bytes: u64) -> Checkpoint {
        let progress = Progress { bytes, ..Progress::default() };
        Checkpoint { run: Identity::new([].into(), &[]).unwrap(), progress }
    }

    #[test]
    fn checkpoints_are_replaced_read_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::of(&folder.path().join("results"));
        assert_eq!(file.path(), folder.path().join("results.taquin"));
        assert!(file.read().unwrap().is_none());
        file.remove().unwrap();
        for bytes in [1, 2] {
            file.write(&checkpoint(bytes)).unwrap();
            assert_eq!(file.read().unwrap(), Some(checkpoint(bytes)));
        }
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["results.taquin"]);
        // The remains of an interrupted write are also removed.
        fs::write(folder.path().join("results.taquin.new"), "half").unwrap();
        file.remove().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn failures_to_read_replace_or_remove_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::of(&folder.path().join("results"));
        fs::write(file.path(), "other").unwrap();
        assert!(matches!(file.read(), Err(Error::Invalid { cause: DecodeError::Damaged, .. })));
        fs::remove_file(file.path()).unwrap();
        fs::create_dir(file.path()).unwrap();
        assert!(matches!(file.read(), Err(Error::Read { .. })));
        assert!(file.remove().is_err());
        let error = file.write(&checkpoint(1)).unwrap_err();
        assert!(error.to_string().contains("results.taquin"), "{error}");
        assert!(CheckpointFile::of(&folder.path().join("none/results")).write(&checkpoint(1)).is_err());
    }
}
