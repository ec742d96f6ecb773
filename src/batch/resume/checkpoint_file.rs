//! The checkpoint's file: replaced as a whole, or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::checkpoint::{Checkpoint, Damage};
use super::named_file::with_path;

/// Where the checkpoint of an output is.
#[derive(Clone, Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    /// The name under which the next one is written before it takes the other's place.
    new: PathBuf,
    /// What says where searches stand, and the name under which the next one of these is written.
    searches: [PathBuf; 2],
}

/// Why there is no checkpoint to go on from.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It cannot be read.
    #[error("the checkpoint {} cannot be read: {cause}", path.display())]
    Read {
        /// Its file.
        path: PathBuf,
        /// The error of the system.
        cause: io::Error,
    },
    /// It is none.
    #[error("the checkpoint {} cannot be used: {damage}", path.display())]
    Damaged {
        /// Its file.
        path: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
}

impl CheckpointFile {
    /// The checkpoint's file beside an output: its name and `.taquin`.
    pub fn beside(output: &Path) -> CheckpointFile {
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

    /// All files that are written for it: its own, and the one under whose name the next is written; and those of searches.
    pub fn files(&self) -> [&Path; 4] {
        let [searches, new_searches] = self.files_of_searches();
        [&self.path, &self.new, searches, new_searches]
    }

    /// What says where searches stand, and the name under which the next one of these is written.
    pub fn files_of_searches(&self) -> [&Path; 2] {
        self.searches.each_ref().map(PathBuf::as_path)
    }

    /// The checkpoint's file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The checkpoint, if there is one.
    ///
    /// # Errors
    /// When there is a file that is none.
    pub fn read(&self) -> Result<Option<Checkpoint>, Error> {
        let path = || self.path.clone();
        match fs::read(&self.path) {
            Ok(bytes) => match Checkpoint::decode(&bytes) {
                Ok(checkpoint) => Ok(Some(checkpoint)),
                Err(damage) => Err(Error::Damaged { path: path(), damage }),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(Error::Read { path: path(), cause }),
        }
    }

    /// Replaces the checkpoint; durable when this returns.
    ///
    /// # Errors
    /// When it cannot be; then the old one is still there, whole.
    pub fn write(&self, checkpoint: &Checkpoint) -> io::Result<()> {
        let written = || {
            let mut file = File::create(&self.new)?;
            file.write_all(&checkpoint.encode())?;
            file.sync_all()?;
            fs::rename(&self.new, &self.path)?;
            self.sync_folder()
        };
        written().map_err(|error| with_path(&self.path, &error))
    }

    /// Removes the checkpoint, if there is one, and what says where searches stand; durable when this returns.
    ///
    /// # Errors
    /// When it cannot be.
    pub fn remove(&self) -> io::Result<()> {
        let gone = |path: &Path| match fs::remove_file(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            removed => removed.map(|()| true),
        };
        let mut removed = false;
        for file in self.files() {
            removed |= gone(file)?;
        }
        if removed { self.sync_folder() } else { Ok(()) }
    }

    /// Makes names durable.
    #[cfg(unix)]
    fn sync_folder(&self) -> io::Result<()> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    }

    /// Other systems have no way to sync a folder; there a crash of the machine may bring back an older checkpoint.
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
    fn it_is_replaced_read_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::beside(&folder.path().join("results"));
        assert_eq!(file.path(), folder.path().join("results.taquin"));
        assert!(file.read().unwrap().is_none());
        file.remove().unwrap();
        for bytes in [1, 2] {
            file.write(&checkpoint(bytes)).unwrap();
            assert_eq!(file.read().unwrap(), Some(checkpoint(bytes)));
        }
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["results.taquin"]);
        // What a write that was cut off has left behind goes, too.
        fs::write(folder.path().join("results.taquin.new"), "half").unwrap();
        file.remove().unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn what_cannot_be_read_replaced_or_removed_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = CheckpointFile::beside(&folder.path().join("results"));
        fs::write(file.path(), "other").unwrap();
        assert!(matches!(file.read(), Err(Error::Damaged { damage: Damage::Bytes, .. })));
        fs::remove_file(file.path()).unwrap();
        fs::create_dir(file.path()).unwrap();
        assert!(matches!(file.read(), Err(Error::Read { .. })));
        assert!(file.remove().is_err());
        let error = file.write(&checkpoint(1)).unwrap_err();
        assert!(error.to_string().contains("results.taquin"), "{error}");
        assert!(CheckpointFile::beside(&folder.path().join("none/results")).write(&checkpoint(1)).is_err());
    }
}
