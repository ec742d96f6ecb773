//! The settings of a solver: the quality of paths, the engine and the heuristic, the resources.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use crate::board::{Error, ErrorKind};
use crate::engine::{EngineKind, Parallel, TieBreak};
use crate::heuristic::learned::AvailableWeights;
use crate::system::{Limits, allowed_memory};

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

    /// The default effort for boards that are too large to be searched for a proof, if a proof is
    /// required. At this effort a board takes a few milliseconds. A path that happens to be as
    /// short as the lower bound is thereby proven shortest; other paths are discarded.
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

    /// Returns the effort for a good path. `may_be_proven` is true if the board is small enough to
    /// be searched for a proof.
    pub fn effort(&self, may_be_proven: bool) -> u8 {
        let is_attempt = self.proof_required() && !may_be_proven;
        self.effort.unwrap_or(if is_attempt { Aim::PROOF_ATTEMPT_EFFORT } else { Aim::DEFAULT_EFFORT })
    }
}

/// A kind of heuristic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum HeuristicKind {
    /// The sum of the tiles' distances from their goal cells.
    Manhattan,
    /// Manhattan distance, plus two moves for every tile that must leave its line to let another
    /// one pass.
    LinearConflict,
    /// The walking distance, which does not distinguish tiles of the same goal row or column.
    WalkingDistance,
    /// The larger of walking distance and linear conflict, chosen separately for rows and columns.
    WalkingConflict,
    /// Pattern databases, requested by name or chosen automatically.
    Patterns,
}

impl HeuristicKind {
    /// The heuristics that can be requested by their names.
    const NAMED: [Self; 4] = [Self::Manhattan, Self::LinearConflict, Self::WalkingDistance, Self::WalkingConflict];

    /// Returns the name used in options and results.
    pub const fn name(self) -> &'static str {
        match self {
            HeuristicKind::Manhattan => "manhattan",
            HeuristicKind::LinearConflict => "linear-conflict",
            HeuristicKind::WalkingDistance => "walking-distance",
            HeuristicKind::WalkingConflict => "walking-conflict",
            HeuristicKind::Patterns => "pattern databases",
        }
    }
}

/// A named heuristic, a partition or collection of pattern databases, or the automatic choice.
///
/// ```
/// use taquin::HeuristicChoice;
///
/// for name in ["auto", "manhattan", "linear-conflict", "walking-distance", "walking-conflict", "7-8", "0,1,2/3,4,5", "18x6"] {
///     assert_eq!(name.parse::<HeuristicChoice>()?.to_string(), name);
/// }
/// assert!("guesswork".parse::<HeuristicChoice>().is_err());
/// # Ok::<(), taquin::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum HeuristicChoice {
    /// The automatic choice.
    #[default]
    Auto,
    /// This heuristic.
    Kind(HeuristicKind),
    /// Pattern databases, given by the sizes of the patterns (`7-8`) or by the goal cells of their
    /// tiles (`0,1,2/3,4,5`).
    ///
    /// Alternatively, a collection of patterns that may overlap and form several sums. It is given
    /// by the number and size of the patterns (`18x6`, on 5×5), or by the goal cells of each
    /// (`0,1,2;2,3,4`). For shapes without such a partition or collection, the choice is automatic.
    Partition(String),
}

impl fmt::Display for HeuristicChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            HeuristicChoice::Auto => "auto",
            HeuristicChoice::Kind(kind) => kind.name(),
            HeuristicChoice::Partition(name) => name,
        })
    }
}

impl FromStr for HeuristicChoice {
    type Err = Error;

    fn from_str(name: &str) -> Result<HeuristicChoice, Error> {
        let is_other_letter = |c: char| c.is_ascii_alphabetic() && c != 'x';
        if name == "auto" {
            return Ok(HeuristicChoice::Auto);
        }
        if name.contains(|c: char| c.is_ascii_digit()) && !name.contains(is_other_letter) {
            return Ok(HeuristicChoice::Partition(name.to_string()));
        }
        let found = HeuristicKind::NAMED.into_iter().find(|kind| kind.name() == name);
        found.map(HeuristicChoice::Kind).ok_or_else(|| {
            let names = HeuristicKind::NAMED.map(HeuristicKind::name).join(", ");
            let message = format!(
                "choose from auto, {names}, a partition such as 7-8 or 0,1,2/3,4,5, or a collection such as 18x6"
            );
            Error::new(ErrorKind::Option, message)
        })
    }
}

/// The requested engine and heuristic.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EnginePreference {
    /// The engine; by default the best one.
    pub engine: Option<EngineKind>,
    /// The heuristic; by default the best one.
    pub heuristic: HeuristicChoice,
    /// The choice among several shortest paths.
    pub tie_break: TieBreak,
    /// True if searches have a node limit. The results must then not depend on when tables are
    /// built.
    pub has_node_limit: bool,
}

/// The settings of a solver.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of threads that solve boards and build tables.
    pub threads: usize,
    /// The distribution of threads among boards.
    pub parallel: Parallel,
    /// Maximum bytes for everything kept in memory.
    pub memory: u64,
    /// The requested engine and heuristic.
    pub preference: EnginePreference,
    /// The objective.
    pub aim: Aim,
    /// Learned weights for good paths.
    pub weights: AvailableWeights,
    /// The limits for each board.
    pub limits: Limits,
}

impl Default for Settings {
    /// All processors and a quarter of the memory available to this process.
    fn default() -> Settings {
        /// The available memory in bytes that is assumed if the system does not report it.
        const ASSUMED_MEMORY: u64 = 8 << 30;
        Settings {
            threads: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
            parallel: Parallel::Auto,
            memory: allowed_memory().unwrap_or(ASSUMED_MEMORY) / 4,
            preference: EnginePreference::default(),
            aim: Aim::default(),
            weights: AvailableWeights::default(),
            limits: Limits::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_are_the_specified_ones_or_defaults() {
        let aim = |quality, effort| Aim { quality, effort, ..Aim::default() };
        assert_eq!([true, false].map(|may_be_proven| Aim::default().effort(may_be_proven)), [5, 5]);
        assert_eq!(aim(Some(Quality::Good), Some(9)).effort(false), 9);
        // If a proof is required, little time is spent on a path that is probably discarded.
        assert_eq!(Aim::SHORTEST.effort(false), 1);
        assert_eq!(aim(Some(Quality::Shortest), Some(7)).effort(false), 7);
        assert!(Aim::SHORTEST.proof_required() && !Aim::default().proof_required());
        assert!(aim(Some(Quality::Good), None).is_good());
    }
}
