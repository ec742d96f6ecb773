//! Resuming runs: a checkpoint file next to the output.
//!
//! A [`Checkpoint`] identifies its run ([`Identity`]), and records the extent of the output and the
//! position in the input ([`Progress`]). A checkpoint is committed after the output is durable. The
//! steps are: write and fsync the output, write and fsync the checkpoint under another name, rename
//! the checkpoint, and fsync the folder ([`CheckpointFile`]). So the output that a checkpoint on
//! disk refers to is always on disk. A [`CheckpointWriter`] commits in its own thread. When a run
//! is resumed, the output that the checkpoint does not include is truncated and computed again.
//!
//! Databases use the opposite order: a write-ahead log is written before the data. Here the data is
//! written first, then the small checkpoint that makes it valid. `docs/reliability.md` describes
//! the format and all guarantees.
//!
//! Another file contains snapshots of long searches, from which the searches are resumed
//! ([`SearchKeeper`]).
//!
//! [`Progress`]: super::Progress

mod checkpoint;
mod checkpoint_writer;
mod files;
mod search_keeper;

use std::collections::BTreeMap;
use std::fs;

use serde::{Deserialize, Serialize};

use crate::format::input::Input;
use crate::system::Checksum;

pub use checkpoint::{Checkpoint, CheckpointFile};
pub use checkpoint_writer::CheckpointWriter;
pub use files::{NamedFile, same_file};
pub use search_keeper::SearchKeeper;

/// The properties that two runs must share for one to resume the other.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The version of the program. Another version may write other bytes.
    program: String,
    /// The values of options by name, given or default.
    options: BTreeMap<String, String>,
    /// The number of inputs.
    inputs: u64,
    /// The checksum of the inputs' names and sizes. [`Position::text_checksum`] checks their
    /// content.
    ///
    /// [`Position::text_checksum`]: crate::format::input::Position::text_checksum
    names_and_sizes: u64,
}

impl Identity {
    /// Returns the identity of a run with these options over these inputs.
    ///
    /// # Errors
    /// A message for the user, if an input is not a file that can be read again.
    pub fn new(options: BTreeMap<&str, String>, inputs: &[Input]) -> Result<Identity, String> {
        let mut checksum = Checksum::default();
        for input in inputs {
            let Input::Path(path) = input else {
                return Err("cannot resume a run that reads standard input: name files as inputs".into());
            };
            // 0 if the file is missing, so that a file created later counts as another input.
            let size = match fs::metadata(path) {
                Ok(file) if file.is_file() => file.len() + 1,
                Ok(_) => {
                    return Err(format!(
                        "cannot resume a run that reads {}: it is not a file, and cannot be read again",
                        path.display()
                    ));
                }
                Err(_) => 0,
            };
            let name = path.as_os_str().as_encoded_bytes();
            checksum.update(&(name.len() as u64).to_le_bytes());
            checksum.update(name);
            checksum.update(&size.to_le_bytes());
        }
        Ok(Identity {
            program: env!("CARGO_PKG_VERSION").into(),
            options: options.into_iter().map(|(name, value)| (name.to_string(), value)).collect(),
            inputs: inputs.len() as u64,
            names_and_sizes: checksum.value(),
        })
    }

    /// Describes how an earlier run differs from this one, as the end of a sentence, or returns
    /// `None` if this run can resume it.
    pub fn difference(&self, earlier: &Identity) -> Option<String> {
        if earlier.program != self.program {
            return Some(format!("was started by taquin {}, but this is {}", earlier.program, self.program));
        }
        let names = self.options.keys().chain(earlier.options.keys());
        let value = |options: &BTreeMap<String, String>, name| options.get(name).cloned().unwrap_or_default();
        if let Some(name) = names.into_iter().find(|name| self.options.get(*name) != earlier.options.get(*name)) {
            let (then, now) = (value(&earlier.options, name), value(&self.options, name));
            return Some(format!("was started with a different --{name}: '{then}', but it is now '{now}'"));
        }
        if earlier.inputs != self.inputs {
            return Some(format!("was started with {} inputs, but there are now {}", earlier.inputs, self.inputs));
        }
        (earlier.names_and_sizes != self.names_and_sizes)
            .then(|| "was started with different inputs (names, sizes or order)".to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_difference_is_described() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&a, "1").unwrap();
        fs::write(&b, "1").unwrap();
        let input = |path: &std::path::Path| Input::Path(path.to_path_buf());
        let identity =
            |fields: &str, inputs: &[Input]| Identity::new([("fields", fields.to_string())].into(), inputs).unwrap();
        let run = identity("x", &[input(&a), input(&b)]);
        let differs = |other: &Identity| other.difference(&run).unwrap_or_default();
        assert_eq!(run.difference(&run), None);
        assert!(differs(&identity("y", &[input(&a), input(&b)])).contains("--fields: 'x', but it is now 'y'"));
        assert!(differs(&identity("x", &[input(&a)])).contains("2 inputs"));
        assert!(differs(&identity("x", &[input(&b), input(&a)])).contains("names, sizes or order"));
        let newer = Identity { program: "9".into(), ..run.clone() };
        assert!(differs(&newer).contains("started by taquin"));
        fs::write(&b, "12").unwrap();
        assert!(differs(&identity("x", &[input(&a), input(&b)])).contains("sizes"));
        fs::remove_file(&b).unwrap();
        assert!(differs(&identity("x", &[input(&a), input(&b)])).contains("sizes"));
        assert!(Identity::new(BTreeMap::new(), &[Input::Stdin]).unwrap_err().contains("standard input"));
        assert!(Identity::new(BTreeMap::new(), &[input(folder.path())]).unwrap_err().contains("not a file"));
    }
}
