//! The choice among several shortest paths.

/// The choice among several shortest paths.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum TieBreak {
    /// The lexicographically smallest path (D < L < R < U). Every engine finds the same one.
    #[default]
    Canonical,
    /// Any shortest path. Searches with pattern databases find one sooner than the canonical one.
    /// The path does not depend on threads or instruction sets, but other databases or a different
    /// amount of memory may give a different path.
    Any,
    /// Like [`TieBreak::Any`], for callers that use only the length of the path.
    LengthOnly,
}

impl TieBreak {
    /// The values that can be requested.
    pub const OPTIONS: [TieBreak; 2] = [TieBreak::Canonical, TieBreak::Any];

    /// Returns the value's name in options.
    pub const fn name(self) -> &'static str {
        match self {
            TieBreak::Canonical => "canonical",
            TieBreak::Any => "any",
            TieBreak::LengthOnly => "length-only",
        }
    }

    /// Returns whether a search may end with the first shortest path that it finds.
    #[inline]
    pub const fn takes_any(self) -> bool {
        !matches!(self, TieBreak::Canonical)
    }
}
