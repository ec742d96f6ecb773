//! The objective of a search: shortest paths with a proof, or good paths soon.

/// The quality required of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Quality {
    /// A shortest path, and a proof that it is one.
    Shortest,
    /// A path that is found soon, and a lower bound on all others.
    Good,
}

impl Quality {
    /// All qualities.
    pub const ALL: [Quality; 2] = [Quality::Shortest, Quality::Good];

    /// Returns the name used in options.
    pub const fn name(self) -> &'static str {
        match self {
            Quality::Shortest => "shortest",
            Quality::Good => "good",
        }
    }
}

/// The objective: which paths are wanted, and the effort spent on them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Aim {
    /// The quality; `None`: shortest paths for boards of up to 25 cells, good paths for larger
    /// boards.
    pub quality: Option<Quality>,
    /// True if a board whose proof is not completed gets a good path.
    pub fallback: bool,
    /// The effort for a good path, from 1 to 9; `None`: the default.
    pub effort: Option<u8>,
}

impl Aim {
    /// The default effort.
    pub const EFFORT: u8 = 5;

    /// The range of efforts.
    pub const EFFORTS: std::ops::RangeInclusive<u8> = 1..=9;

    /// The effort for boards too large for a proof when a proof is required: in a few milliseconds
    /// the path found may happen to be as short as the lower bound.
    const ATTEMPT: u8 = 1;

    /// Only proven shortest paths.
    pub const SHORTEST: Aim = Aim { quality: Some(Quality::Shortest), fallback: false, effort: None };

    /// Returns true if good paths are wanted even where shortest ones could be proven.
    pub fn is_good(&self) -> bool {
        self.quality == Some(Quality::Good)
    }

    /// Returns true if a proof is required.
    pub fn insists(&self) -> bool {
        self.quality == Some(Quality::Shortest)
    }

    /// Returns the effort for a board small enough for a proof.
    pub fn level(&self) -> u8 {
        self.effort.unwrap_or(Aim::EFFORT)
    }

    /// Returns the effort for a board too large for a proof.
    pub fn large_level(&self) -> u8 {
        self.effort.unwrap_or(if self.insists() { Aim::ATTEMPT } else { Aim::EFFORT })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_what_was_asked_for_or_what_pays() {
        let aim = |quality, effort| Aim { quality, effort, ..Aim::default() };
        assert_eq!((Aim::default().level(), Aim::default().large_level()), (5, 5));
        assert_eq!(aim(Some(Quality::Good), Some(9)).large_level(), 9);
        // If a proof is required, no second is spent on a path that would be discarded.
        assert_eq!(Aim::SHORTEST.large_level(), 1);
        assert_eq!(aim(Some(Quality::Shortest), Some(7)).large_level(), 7);
        assert!(Aim::SHORTEST.insists() && !Aim::default().insists() && aim(Some(Quality::Good), None).is_good());
    }
}
