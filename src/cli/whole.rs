//! Files that are there whole or not at all: written beside their place and put there at the end.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What to do with a file that is there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Present {
    /// Leave it alone.
    Keep,
    /// Write over it.
    Overwrite,
}

impl Present {
    pub fn forced(force: bool) -> Present {
        if force { Present::Overwrite } else { Present::Keep }
    }
}

/// Whether a file may be written, before the work that it is for is done.
///
/// # Errors
/// A sentence for people.
pub(super) fn may_write(path: &Path, present: Present) -> Result<(), String> {
    let name = path.display();
    let found = fs::metadata(path);
    match (&found, present) {
        (Ok(found), _) if found.is_dir() => Err(format!("{name} is a folder: name a file")),
        (Ok(found), Present::Keep) if found.is_file() && found.len() > 0 => {
            Err(format!("{name} is there already; --force overwrites it"))
        }
        _ => match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            Some(folder) if !folder.is_dir() => Err(format!("cannot write to {name}: there is no such folder")),
            _ => Ok(()),
        },
    }
}

/// Writes a file. What is not whole is not kept; special files, such as `/dev/null`, are written to as they are.
///
/// # Errors
/// A sentence for people; then what was there before is there still.
pub(super) fn write(path: &Path, text: &[u8]) -> Result<(), String> {
    let special = fs::metadata(path).is_ok_and(|found| !found.is_file());
    let written = if special { fs::write(path, text) } else { beside(path, text) };
    written.map_err(|error| format!("cannot write to {}: {error}", path.display()))
}

fn beside(path: &Path, text: &[u8]) -> std::io::Result<()> {
    let part = part(path);
    let written = fs::File::create(&part)
        .and_then(|mut file| file.write_all(text).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // It may never have been begun.
        let _ = fs::remove_file(&part);
    }
    written
}

/// Where a file is written before it is whole.
fn part(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}
