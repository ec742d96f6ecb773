//! The objective of a search: proven shortest paths, or good paths quickly.

/// The quality required of a path.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Quality {
    /// A proven shortest path.
    Shortest,
    /// A path that is found quickly, and a lower bound on the number of moves.
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

/// The objective: the quality of paths, and the effort spent on them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Aim {
    /// The required quality. If `None`, boards of up to 25 cells get shortest paths, and larger
    /// boards good ones.
    pub quality: Option<Quality>,
    /// True if a board gets a good path when a limit ends the search for a shortest one.
    pub fallback: bool,
    /// The effort for a good path, from 1 to 9, if it was specified.
    pub effort: Option<u8>,
}

impl Aim {
    /// The default effort.
    pub const DEFAULT_EFFORT: u8 = 5;

    /// The range of efforts.
    pub const EFFORTS: std::ops::RangeInclusive<u8> = 1..=9;

    /// The default effort for boards too large for a proof, if a proof is required. It takes a few
    /// milliseconds. A path that happens to be as short as the lower bound is proven; others are
    /// discarded.
    const PROOF_ATTEMPT_EFFORT: u8 = 1;

    /// The objective that accepts only proven shortest paths.
    pub const SHORTEST: Aim = Aim { quality: Some(Quality::Shortest), fallback: false, effort: None };

    /// Returns true if good paths were requested for all boards.
    pub fn is_good(&self) -> bool {
        self.quality == Some(Quality::Good)
    }

    /// Returns true if a proof is required.
    pub fn proof_required(&self) -> bool {
        self.quality == Some(Quality::Shortest)
    }

    /// Returns the effort for a board that is small enough for a proof.
    pub fn effort_or_default(&self) -> u8 {
        self.effort.unwrap_or(Aim::DEFAULT_EFFORT)
    }

    /// Returns the effort for a board that is too large for a proof.
    pub fn large_effort(&self) -> u8 {
        self.effort.unwrap_or(if self.proof_required() { Aim::PROOF_ATTEMPT_EFFORT } else { Aim::DEFAULT_EFFORT })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_are_the_specified_ones_or_defaults() {
        let aim = |quality, effort| Aim { quality, effort, ..Aim::default() };
        assert_eq!((Aim::default().effort_or_default(), Aim::default().large_effort()), (5, 5));
        assert_eq!(aim(Some(Quality::Good), Some(9)).large_effort(), 9);
        // If a proof is required, little time is spent on a path that is probably discarded.
        assert_eq!(Aim::SHORTEST.large_effort(), 1);
        assert_eq!(aim(Some(Quality::Shortest), Some(7)).large_effort(), 7);
        assert!(Aim::SHORTEST.proof_required() && !Aim::default().proof_required());
        assert!(aim(Some(Quality::Good), None).is_good());
    }
}
