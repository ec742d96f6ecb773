//! Where the searches of an unfinished run stand: a file beside the checkpoint, written only where boards take long.
//!
//! The checkpoint says which results are there, and must be right. This file only saves work: without it, or when it is
//! damaged or of another run, searches begin again. What it says of a search is used where the search finds itself at
//! the same place, so the results are those of a run that nothing has disturbed.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checkpoint_file::CheckpointFile;
use super::identity::Identity;
use crate::batch::under_way::Stood;
use crate::system::Checksum;

/// Where it is.
#[derive(Clone, Debug)]
pub struct SearchesFile {
    path: PathBuf,
    /// The name under which the next one is written before it takes the other's place.
    new: PathBuf,
}

/// What it says.
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
    /// The file beside an output.
    pub fn beside(output: &Path) -> SearchesFile {
        let [path, new] = CheckpointFile::beside(output).files_of_searches().map(Path::to_path_buf);
        SearchesFile { path, new }
    }

    /// Whether there is one.
    pub fn is_there(&self) -> bool {
        self.path.exists()
    }

    /// Where the searches of this run stood; nothing where that is not known.
    pub fn read(&self, run: &Identity) -> Vec<Stood> {
        fs::read(&self.path).ok().and_then(|bytes| decode(&bytes, run)).unwrap_or_default()
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// When it cannot be; then the old one is still there.
    pub fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut file = File::create(&self.new)?;
        file.write_all(bytes)?;
        // Half of it after a power cut would be damage, which costs what it would have saved.
        file.sync_all()?;
        fs::rename(&self.new, &self.path)
    }

    /// Removes it. That it cannot be removed does no harm.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(&self.new);
    }
}

/// As it is stored: a line with the checksum of what follows, and a line of JSON.
pub fn encode(run: &Identity, searches: &[Stood]) -> Vec<u8> {
    // Numbers and strings under fixed names: it cannot fail.
    let body = serde_json::to_string(&Written { run, searches }).unwrap_or_default() + "\n";
    format!("{MAGIC} {:016x}\n{body}", Checksum::of(body.as_bytes())).into_bytes()
}

/// Reads what [`encode`] wrote for the same run; `None`: it is anything else.
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
