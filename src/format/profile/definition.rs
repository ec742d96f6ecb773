//! What a profile consists of.

use serde::Deserialize;

use super::listing::Listing;
use crate::board::{Goal, Shape};
use crate::format::board_style::BoardStyle;
use crate::format::input::{InputOptions, Layout};
use crate::format::leaked::{some_text, text};
use crate::format::spelling::{Notation, PathOf, Spelling};

/// How well a format is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The judge's own statement was read.
    Statement,
    /// From memory, or a choice of our own where the statement leaves it open: a guess.
    Memory,
}

impl Confidence {
    /// The word that is shown for it.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::Statement => "read",
            Confidence::Memory => "memory",
        }
    }
}

/// A goal that a row of data can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProfileGoal {
    /// The numbers in order, the blank behind them.
    BlankLast,
    /// The blank, then the numbers in order.
    BlankFirst,
    /// The clockwise spiral.
    Snail,
    /// These tiles.
    Tiles(#[serde(deserialize_with = "text")] &'static str),
    /// Each record brings its own.
    InRecord,
}

impl ProfileGoal {
    /// As it is shown, and as `--goal` takes it.
    pub const fn name(self) -> &'static str {
        match self {
            ProfileGoal::BlankLast => "blank-last",
            ProfileGoal::BlankFirst => "blank-first",
            ProfileGoal::Snail => "snail",
            ProfileGoal::Tiles(tiles) => tiles,
            ProfileGoal::InRecord => "in the record",
        }
    }

    /// The goal of boards that bring none.
    pub fn spec(self) -> Option<Goal> {
        match self {
            ProfileGoal::InRecord => None,
            // A test parses every one of the table.
            named => named.name().parse().ok(),
        }
    }
}

/// What makes an answer right, beside that its moves lead to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Requirement {
    /// Any sequence of moves will do.
    AnyPath,
    /// Any sequence of at most this number of moves.
    AtMost(usize),
    /// Any of the shortest.
    Shortest,
    /// The first in alphabetical order of all shortest ones.
    FirstShortest,
}

/// What a judge's answer looks like. Every text is a template, see `template.rs`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerFormat {
    /// What makes it right.
    pub requirement: Requirement,
    /// How its moves are spelled.
    #[serde(default)]
    pub spelling: Spelling,
    /// How it lists boards, where it does.
    #[serde(default)]
    pub listing: Listing,
    /// What stands before every answer but the first.
    #[serde(default, deserialize_with = "text")]
    pub between: &'static str,
    /// The answer to a board with a solution.
    #[serde(deserialize_with = "text")]
    pub solved: &'static str,
    /// The answer to one without; `None` where the judge promises that every board has one.
    #[serde(default, deserialize_with = "some_text")]
    pub unsolvable: Option<&'static str>,
    /// What is written where neither can be: for records that are no board, and boards that stayed unsolved.
    #[serde(default = "status", deserialize_with = "text")]
    pub otherwise: &'static str,
    /// A board that needs more moves counts as one without a solution, or has a word of its own.
    #[serde(default)]
    pub solvable_within: Option<usize>,
    /// The answer to a board that needs more moves than that; `None`: it counts as one without a solution.
    #[serde(default, deserialize_with = "some_text")]
    pub too_long: Option<&'static str>,
}

/// What is written where there is no answer, by default: the word of the result's status.
fn status() -> &'static str {
    "{status}\n"
}

impl AnswerFormat {
    /// True where a path that is not proven shortest is no answer. Formats that list every board are for people, who are
    /// told that it is not proven.
    pub fn needs_proofs(&self) -> bool {
        let takes_any = matches!(self.requirement, Requirement::AnyPath | Requirement::AtMost(_));
        !takes_any && !self.solved.contains("{boards}")
    }

    /// True where of a path only its length can matter: no judge of this format asks which of several shortest ones it is.
    pub fn takes_any_shortest(&self) -> bool {
        self.requirement != Requirement::FirstShortest
    }

    /// True where an empty line is an answer: that of a board which is solved already.
    pub fn takes_empty_lines(&self) -> bool {
        self.solved.starts_with("{path}\n")
    }
}

/// How a judge is read and answered.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Its name for `--as`.
    #[serde(deserialize_with = "text")]
    pub name: &'static str,
    /// Judge and problem.
    #[serde(deserialize_with = "text")]
    pub source: &'static str,
    /// Where the statement is to be found.
    #[serde(deserialize_with = "text")]
    pub url: &'static str,
    /// How well the format of the boards is known.
    pub input: Confidence,
    /// How well the format of the answers is known.
    pub output: Confidence,
    /// Remarks.
    #[serde(deserialize_with = "text")]
    pub note: &'static str,
    /// How records are laid out; `None`: recognised in each file.
    #[serde(default)]
    pub layout: Option<Layout>,
    /// The first line counts the records.
    #[serde(default)]
    pub count_line: bool,
    /// Rows and columns of every board, where they are always the same.
    #[serde(default)]
    pub shape: Option<(usize, usize)>,
    /// No board needs more moves, as the judge promises.
    #[serde(default)]
    pub promised: Option<u16>,
    /// The goal of the boards.
    pub goal: ProfileGoal,
    /// How boards are written.
    #[serde(default)]
    pub board_style: BoardStyle,
    /// How answers are written; `None`: the problem has no answer format, and results are JSON lines.
    #[serde(default)]
    pub answer: Option<AnswerFormat>,
}

impl Profile {
    /// Whether answers about boards of a shape can be written and read.
    ///
    /// # Errors
    /// A sentence for people, where they cannot.
    pub fn check_shape(
        &self,
        shape: Option<Shape>,
        notation: Option<Notation>,
        of: Option<PathOf>,
    ) -> Result<(), String> {
        let (Some(shape), Some(answer)) = (shape, &self.answer) else { return Ok(()) };
        if answer.spelling.with(notation, of).suits(shape.cells()) {
            return Ok(());
        }
        let name = self.name;
        Err(format!(
            "{name} writes tiles as one digit each: of a {shape} board they cannot be told apart (--notation udlr names directions)"
        ))
    }

    /// Fills the options that were not given with those that fit the judge's files.
    #[must_use]
    pub fn fill(&self, options: InputOptions) -> InputOptions {
        let shape = self.shape.and_then(|(rows, cols)| Shape::new(rows, cols));
        InputOptions {
            layout: options.layout.or(self.layout),
            goal: options.goal.or_else(|| self.goal.spec()),
            shape: options.shape.or(shape),
            count_line: options.count_line || self.count_line,
            ..options
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_two_digits_need_something_between_them() {
        let komal = Profile::named("komal-s15").unwrap();
        let check = |rows, cols, letters| komal.check_shape(Shape::new(rows, cols), letters, None);
        assert_eq!(
            (check(3, 3, None), check(2, 5, None), check(4, 4, Some(Notation::Lower))),
            (Ok(()), Ok(()), Ok(()))
        );
        for asked in [None, Some(Notation::Tiles)] {
            assert!(check(4, 4, asked).unwrap_err().contains("cannot be told apart"));
        }
        assert!(Profile::named("uva10181").unwrap().check_shape(Shape::new(4, 4), None, None).is_ok());
    }

    #[test]
    fn given_options_win_over_the_profile() {
        let asked = InputOptions { goal: Some(Goal::BlankFirst), layout: Some(Layout::Grid), ..Default::default() };
        let options = Profile::named("luogu1379").unwrap().fill(asked);
        assert_eq!((options.goal, options.layout), (Some(Goal::BlankFirst), Some(Layout::Grid)));
        assert_eq!(options.shape, Shape::new(3, 3));
    }
}
