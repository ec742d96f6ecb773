//! The outcome of a record, as one word.

/// The value of a result's field `status`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// A path was found and replayed.
    Solved,
    /// No sequence of moves leads to the goal.
    Unsolvable,
    /// A limit ended the search before it found a path of the required quality.
    Unsolved,
    /// No board could be read.
    Invalid,
    /// The program failed on the record.
    Error,
}

impl Status {
    /// All statuses.
    pub const ALL: [Status; Status::NAMES.len()] =
        [Status::Solved, Status::Unsolvable, Status::Unsolved, Status::Invalid, Status::Error];

    /// The names of [`Status::ALL`], in the same order.
    pub const NAMES: &'static [&'static str] = &["solved", "unsolvable", "unsolved", "invalid", "error"];

    /// Returns the name used in results.
    #[inline]
    pub const fn name(self) -> &'static str {
        Status::NAMES[self as usize]
    }

    /// Returns the status with this name.
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
