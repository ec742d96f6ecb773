//! A checkpoint and its encoding.

use serde::{Deserialize, Serialize};

use super::identity::Identity;
use crate::batch::progress::Progress;
use crate::system::Checksum;

/// A checkpoint of a run. In the checkpoint of a finished run, the progress is complete.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// The identity of the run.
    pub run: Identity,
    /// The progress of the run.
    pub progress: Progress,
}

/// The reason why bytes cannot be decoded as a checkpoint.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The checkpoint was written by another version.
    #[error("it was written by another version of taquin")]
    Version,
    /// Bytes were changed or lost.
    #[error("it is damaged")]
    Damaged,
}

const MAGIC: &str = "taquin-checkpoint";
const VERSION: u32 = 2;

impl Checkpoint {
    /// Encodes the checkpoint: a line with the version and the checksum of the rest, and a line of
    /// JSON.
    pub fn encode(&self) -> Vec<u8> {
        // Serialisation cannot fail, because all keys are strings.
        let body = serde_json::to_string(self).unwrap_or_default() + "\n";
        (head(body.as_bytes()) + &body).into_bytes()
    }

    /// Returns true if bytes begin like a checkpoint of any version, even a damaged one.
    pub fn begins(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// Decodes the output of [`Checkpoint::encode`].
    ///
    /// # Errors
    /// If any byte differs from such output.
    pub fn decode(bytes: &[u8]) -> Result<Checkpoint, DecodeError> {
        let end = bytes.iter().position(|&byte| byte == b'\n').ok_or(DecodeError::Damaged)?;
        let (found, body) = bytes.split_at(end + 1);
        if found != head(body).as_bytes() {
            let version = format!("{MAGIC} {VERSION} ");
            let is_other_version = found.starts_with(MAGIC.as_bytes()) && !found.starts_with(version.as_bytes());
            return Err(if is_other_version { DecodeError::Version } else { DecodeError::Damaged });
        }
        serde_json::from_slice(body).map_err(|_| DecodeError::Damaged)
    }
}

fn head(body: &[u8]) -> String {
    format!("{MAGIC} {VERSION} {:016x}\n", Checksum::of(body))
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
    fn every_changed_byte_is_detected() {
        let bytes = checkpoint().encode();
        for at in 0..bytes.len() {
            assert!(Checkpoint::decode(&bytes[..at]).is_err());
            for byte in 0..=255 {
                let mut damaged = bytes.clone();
                damaged[at] = byte;
                assert_eq!(Checkpoint::decode(&damaged).is_ok(), byte == bytes[at], "byte {at} as {byte}");
            }
        }
        for more in [" ", "\n", "x"] {
            assert_eq!(Checkpoint::decode(&[&bytes, more.as_bytes()].concat()), Err(DecodeError::Damaged));
        }
        let newer = String::from_utf8(bytes).unwrap().replacen("checkpoint 2", "checkpoint 3", 1);
        assert_eq!(Checkpoint::decode(newer.as_bytes()), Err(DecodeError::Version));
    }
}
