//! What is wrong with compressed data.

/// Why a block cannot be decoded, in a few words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Damage(pub &'static str);
