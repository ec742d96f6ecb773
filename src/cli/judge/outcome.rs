//! The outcomes of `judge`, and their exit statuses.

use clap::ValueEnum;

use crate::cli::ui::Status;

/// The convention for the exit status of `judge`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExitStyle {
    Taquin,
    Testlib,
    Icpc,
}

/// The outcome of a run, ordered from best to worst. Its exit status depends on the convention.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Outcome {
    Accepted,
    Presentation,
    Wrong,
    NoVerdict,
}

impl Outcome {
    /// Returns the name of the outcome in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Accepted => "accepted",
            Outcome::Presentation => "presentation error",
            Outcome::Wrong => "wrong answer",
            Outcome::NoVerdict => "no verdict",
        }
    }

    /// Returns the exit status.
    pub const fn code(self, style: ExitStyle) -> u8 {
        match (style, self) {
            (ExitStyle::Taquin | ExitStyle::Testlib, Outcome::Accepted) => 0,
            (ExitStyle::Taquin, Outcome::Wrong | Outcome::Presentation) => 1,
            (ExitStyle::Testlib, Outcome::Wrong) => 1,
            (ExitStyle::Testlib, Outcome::Presentation) => 2,
            (ExitStyle::Testlib, Outcome::NoVerdict) => 3,
            (ExitStyle::Icpc, Outcome::Accepted) => 42,
            (ExitStyle::Icpc, Outcome::Wrong | Outcome::Presentation) => 43,
            (ExitStyle::Taquin | ExitStyle::Icpc, Outcome::NoVerdict) => Status::RunFailed.code(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_convention_has_its_statuses() {
        let outcomes = [Outcome::Accepted, Outcome::Wrong, Outcome::Presentation, Outcome::NoVerdict];
        assert_eq!(outcomes.map(|outcome| outcome.code(ExitStyle::Taquin)), [0, 1, 1, 2]);
        assert_eq!(outcomes.map(|outcome| outcome.code(ExitStyle::Testlib)), [0, 1, 2, 3]);
        assert_eq!(outcomes.map(|outcome| outcome.code(ExitStyle::Icpc)), [42, 43, 43, 2]);
    }
}
