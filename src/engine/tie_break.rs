//! Which of several shortest paths is wanted.

/// Which of several shortest paths is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum TieBreak {
    /// The canonical one, whatever finds it.
    #[default]
    Canonical,
    /// Any of them: a hard board that is searched with a set of patterns is solved in less time. The same on any number of
    /// threads and with any instructions, but another set may find another one.
    Any,
}

impl TieBreak {
    /// All of them.
    pub const ALL: [TieBreak; 2] = [TieBreak::Canonical, TieBreak::Any];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            TieBreak::Canonical => "canonical",
            TieBreak::Any => "any",
        }
    }
}
