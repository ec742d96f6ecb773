//! The choice of a heuristic by name.

use std::str::FromStr;

use super::plan::HeuristicKind;
use crate::board::{Error, ErrorKind};

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
    /// The sum of the tiles' distances from their goal cells.
    Manhattan,
    /// Manhattan distance, plus two moves for every tile that must leave its line to let another
    /// one pass.
    LinearConflict,
    /// The walking distance, which does not distinguish tiles of the same goal row or column.
    WalkingDistance,
    /// The larger of walking distance and linear conflict, chosen separately for rows and columns.
    WalkingConflict,
    /// Pattern databases, given by the sizes of the patterns (`7-8`) or by the goal cells of their
    /// tiles (`0,1,2/3,4,5`).
    ///
    /// Alternatively, a collection of patterns that may overlap and form several sums. It is given
    /// by the number and size of the patterns (`18x6`, on 5×5), or by the goal cells of each
    /// (`0,1,2;2,3,4`). For shapes without such a partition or collection, the choice is automatic.
    Partition(String),
}

/// The choices that have a name, and their heuristics.
const NAMED: [(HeuristicChoice, Option<HeuristicKind>); 5] = [
    (HeuristicChoice::Auto, None),
    (HeuristicChoice::Manhattan, Some(HeuristicKind::Manhattan)),
    (HeuristicChoice::LinearConflict, Some(HeuristicKind::LinearConflict)),
    (HeuristicChoice::WalkingDistance, Some(HeuristicKind::WalkingDistance)),
    (HeuristicChoice::WalkingConflict, Some(HeuristicKind::WalkingConflict)),
];

impl HeuristicChoice {
    /// Returns the requested kind of heuristic and the requested partition.
    pub(crate) fn parts(&self) -> (Option<HeuristicKind>, Option<String>) {
        match self {
            HeuristicChoice::Partition(name) => (Some(HeuristicKind::Patterns), Some(name.clone())),
            named => (NAMED.iter().find(|(choice, _)| choice == named).and_then(|(_, kind)| *kind), None),
        }
    }
}

fn name_of(kind: Option<HeuristicKind>) -> &'static str {
    kind.map_or("auto", HeuristicKind::name)
}

impl std::fmt::Display for HeuristicChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.parts() {
            (_, Some(partition)) => f.write_str(&partition),
            (kind, None) => f.write_str(name_of(kind)),
        }
    }
}

impl FromStr for HeuristicChoice {
    type Err = Error;

    fn from_str(name: &str) -> Result<HeuristicChoice, Error> {
        let is_other_letter = |c: char| c.is_ascii_alphabetic() && c != 'x';
        if name.contains(|c: char| c.is_ascii_digit()) && !name.contains(is_other_letter) {
            return Ok(HeuristicChoice::Partition(name.to_string()));
        }
        let found = NAMED.iter().find(|&&(_, kind)| name_of(kind) == name);
        found.map(|(choice, _)| choice.clone()).ok_or_else(|| {
            let names: Vec<_> = NAMED.iter().map(|&(_, kind)| name_of(kind)).collect();
            let message = format!(
                "choose from {}, a partition such as 7-8 or 0,1,2/3,4,5, or a collection such as 18x6",
                names.join(", ")
            );
            Error::new(ErrorKind::Option, message)
        })
    }
}
