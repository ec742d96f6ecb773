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

/// The outcome of a run, the best first. Its exit status depends on the convention.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    Accepted,
    Presentation,
    Wrong,
    NoVerdict,
}

impl End {
    /// Returns the name of the outcome in messages.
    pub const fn name(self) -> &'static str {
        match self {
            End::Accepted => "accepted",
            End::Presentation => "presentation error",
            End::Wrong => "wrong answer",
            End::NoVerdict => "no verdict",
        }
    }

    /// Returns the exit status.
    pub const fn code(self, style: ExitStyle) -> u8 {
        match (style, self) {
            (ExitStyle::Taquin | ExitStyle::Testlib, End::Accepted) => 0,
            (ExitStyle::Taquin, End::Wrong | End::Presentation) => 1,
            (ExitStyle::Testlib, End::Wrong) => 1,
            (ExitStyle::Testlib, End::Presentation) => 2,
            (ExitStyle::Testlib, End::NoVerdict) => 3,
            (ExitStyle::Icpc, End::Accepted) => 42,
            (ExitStyle::Icpc, End::Wrong | End::Presentation) => 43,
            (ExitStyle::Taquin | ExitStyle::Icpc, End::NoVerdict) => Status::RunFailed.code(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_convention_has_its_numbers() {
        let ends = [End::Accepted, End::Wrong, End::Presentation, End::NoVerdict];
        assert_eq!(ends.map(|end| end.code(ExitStyle::Taquin)), [0, 1, 1, 2]);
        assert_eq!(ends.map(|end| end.code(ExitStyle::Testlib)), [0, 1, 2, 3]);
        assert_eq!(ends.map(|end| end.code(ExitStyle::Icpc)), [42, 43, 43, 2]);
    }
}
