//! Which of several shortest paths is wanted.

/// Which of several shortest paths is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum TieBreak {
    /// The canonical one, whatever finds it.
    #[default]
    Canonical,
    /// Any of them: what is searched with pattern databases is solved in less time. The same on any number of
    /// threads and with any instructions, but other databases, or another memory, may find another one.
    Any,
    /// Nobody sees the path, only its length: as [`TieBreak::Any`], and which one is found decides nothing.
    Unseen,
}

impl TieBreak {
    /// Those that can be asked for.
    pub const ALL: [TieBreak; 2] = [TieBreak::Canonical, TieBreak::Any];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            TieBreak::Canonical => "canonical",
            TieBreak::Any => "any",
            TieBreak::Unseen => "unseen",
        }
    }

    /// Whether a search may end with the first shortest path that it meets.
    #[inline]
    pub const fn takes_any(self) -> bool {
        !matches!(self, TieBreak::Canonical)
    }
}
