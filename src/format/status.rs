//! What became of a record, in one word.

/// The word of a result's field `status`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// There is a shortest path, and it was replayed.
    Solved,
    /// No moves lead to the goal: proven by parity.
    Unsolvable,
    /// A limit ended the search first.
    Unsolved,
    /// No board could be read.
    Invalid,
    /// The program failed on the record.
    Error,
}

impl Status {
    /// All of them.
    pub const ALL: [Status; Status::NAMES.len()] =
        [Status::Solved, Status::Unsolvable, Status::Unsolved, Status::Invalid, Status::Error];

    /// Their names, in the same order.
    pub const NAMES: &'static [&'static str] = &["solved", "unsolvable", "unsolved", "invalid", "error"];

    /// The word that is written for it.
    #[inline]
    pub const fn name(self) -> &'static str {
        Status::NAMES[self as usize]
    }

    /// The status that is written as this word.
    pub fn named(name: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for status in Status::ALL {
            assert_eq!(Status::named(status.name()), Some(status));
        }
        assert_eq!(Status::named("Solved"), None);
    }
}
