//! What paths are wanted: shortest ones with their proof, or good ones soon.

/// What a path has to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Quality {
    /// A shortest one, and the proof of it.
    Shortest,
    /// As short as it can be had soon, and a bound on how much shorter others can be.
    Good,
}

impl Quality {
    /// All of them.
    pub const ALL: [Quality; 2] = [Quality::Shortest, Quality::Good];

    /// Its name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Quality::Shortest => "shortest",
            Quality::Good => "good",
        }
    }
}

/// What paths are wanted, and how much work they are worth.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Aim {
    /// `None`: shortest ones of boards of up to 25 cells, good ones of larger boards.
    pub quality: Option<Quality>,
    /// Whether a board whose proof does not come to its end gets a good path.
    pub fallback: bool,
    /// The work for a good path, from 1 to 9; `None`: as a rule.
    pub effort: Option<u8>,
}

impl Aim {
    /// The work that goes into good paths as a rule.
    pub const EFFORT: u8 = 5;

    /// The least and the most.
    pub const EFFORTS: std::ops::RangeInclusive<u8> = 1..=9;

    /// The work for boards that are too large for a proof, where one is insisted on: some milliseconds show whether the
    /// path that is found there happens to be as short as the bound.
    const ATTEMPT: u8 = 1;

    /// Only shortest paths, proven, are of use.
    pub const SHORTEST: Aim = Aim { quality: Some(Quality::Shortest), fallback: false, effort: None };

    /// Whether good paths are what is wanted of boards that can be solved by shortest ones.
    pub fn is_good(&self) -> bool {
        self.quality == Some(Quality::Good)
    }

    /// Whether only proven paths are of use.
    pub fn insists(&self) -> bool {
        self.quality == Some(Quality::Shortest)
    }

    /// The work for a board that is small enough for a proof.
    pub fn level(&self) -> u8 {
        self.effort.unwrap_or(Aim::EFFORT)
    }

    /// The work for a board that is too large for one.
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
        // Where a proof is insisted on, no second is spent on what is thrown away.
        assert_eq!(Aim::SHORTEST.large_level(), 1);
        assert_eq!(aim(Some(Quality::Shortest), Some(7)).large_level(), 7);
        assert!(Aim::SHORTEST.insists() && !Aim::default().insists() && aim(Some(Quality::Good), None).is_good());
    }
}
