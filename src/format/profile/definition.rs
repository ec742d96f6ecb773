//! The definition of a profile, and the reader of a profile's file. Errors name the file, the line
//! and the key.

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use super::listing::Listing;
use super::template::{self, Template};
use crate::board::{Goal, Shape};
use crate::format::input::{InputOptions, Layout};
use crate::format::spelling::{MovingPiece, Notation, Spelling};
use crate::format::text::{leaked, separator};

/// The evidence for a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Confidence {
    /// The judge's own problem statement was read.
    #[default]
    Statement,
    /// A guess, from memory or from an ambiguous statement.
    Memory,
}

impl Confidence {
    /// Returns the word shown to users.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::Statement => "statement",
            Confidence::Memory => "memory",
        }
    }
}

/// The moves that a judge accepts as an answer, provided that they lead to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Requirement {
    /// Any sequence of moves.
    AnyPath,
    /// Any sequence of at most this number of moves.
    AtMost(usize),
    /// Any shortest path.
    Shortest,
    /// The canonical shortest path: the first in the order D < L < R < U.
    Canonical,
}

/// The format of a judge's answers. The texts of answers are templates (`template.rs`).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerFormat {
    /// The requirement for a correct answer.
    pub requirement: Requirement,
    /// The notation of moves.
    #[serde(default)]
    pub spelling: Spelling,
    /// The form of listed boards, if answers list boards.
    #[serde(default)]
    pub listing: Listing,
    /// The text before every answer except the first: nothing, or an empty line.
    #[serde(default, deserialize_with = "gap")]
    pub between: &'static str,
    /// The template of the answer for a board with a solution.
    #[serde(deserialize_with = "template::of_solved")]
    pub solved: Template,
    /// The answer for a board without a solution; `None` if the judge guarantees that every board
    /// has one.
    #[serde(default, deserialize_with = "template::of_fixed_answer")]
    pub unsolvable: Option<Template>,
    /// Maximum number of moves. A board that needs more has the answer `too_long`, or counts as one
    /// without a solution.
    pub solvable_within: Option<usize>,
    /// The answer for a board that needs more than `solvable_within` moves, or `None` if such a
    /// board counts as one without a solution.
    #[serde(default, deserialize_with = "template::of_fixed_answer")]
    pub too_long: Option<Template>,
    /// The text for records without an answer: those that are not boards, and boards whose result
    /// the format cannot express.
    #[serde(default = "Template::status", deserialize_with = "template::of_no_answer")]
    pub otherwise: Template,
}

/// Reads the text between answers. The reader of contestants' answers supports only an empty line.
fn gap<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    match leaked(from)? {
        gap @ ("" | "\n") => Ok(gap),
        gap => Err(D::Error::custom(format!("expected \"\" or \"\\n\" between answers, found {gap:?}"))),
    }
}

impl AnswerFormat {
    /// Returns true if an answer requires a path that is proven shortest. Formats that list the
    /// boards along the path do not require a proof: they are for human readers, who are warned
    /// that the path is not proven shortest.
    pub fn needs_proofs(&self) -> bool {
        let accepts_any = matches!(self.requirement, Requirement::AnyPath | Requirement::AtMost(_));
        !accepts_any && !self.lists_boards()
    }

    /// Returns true if answers list the boards along paths.
    pub fn lists_boards(&self) -> bool {
        self.solved.parts.contains(&template::Part::Boards)
    }

    /// Returns true if any shortest path is accepted, so that only the length of an answer matters.
    pub fn takes_any_shortest(&self) -> bool {
        self.requirement != Requirement::Canonical
    }

    /// Returns true if an empty line can be an answer: a path of no moves.
    pub fn takes_empty_lines(&self) -> bool {
        matches!(self.solved.lines, [template::Line::One([template::Part::Path]), ..])
    }

    /// Returns true if answers contain paths, or the boards along them.
    pub fn has_paths(&self) -> bool {
        self.solved
            .parts
            .iter()
            .any(|part| matches!(part, template::Part::Path | template::Part::Lines | template::Part::Boards))
    }
}

/// The style of written boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoardStyle {
    /// The text for the blank.
    #[serde(deserialize_with = "separator")]
    pub blank: &'static str,
    /// The text between the tiles of a line.
    #[serde(deserialize_with = "separator")]
    pub between_tiles: &'static str,
    /// The text before every board.
    #[serde(deserialize_with = "separator")]
    pub before: &'static str,
    /// True if there is an empty line between boards of several lines.
    pub gaps: bool,
    /// True if the side length of the board is written before each pair of a start and a goal.
    #[serde(rename = "side_of_pairs")]
    pub side_before_pairs: bool,
}

impl BoardStyle {
    /// The style without a judge: 0 for the blank, a space between tiles, an empty line between
    /// boards of several lines.
    pub const PLAIN: BoardStyle =
        BoardStyle { blank: "0", between_tiles: " ", before: "", gaps: true, side_before_pairs: false };
}

/// The values of the keys that a judge's profile omits: those of [`BoardStyle::PLAIN`], but without
/// gaps between boards.
impl Default for BoardStyle {
    fn default() -> BoardStyle {
        BoardStyle { gaps: false, ..BoardStyle::PLAIN }
    }
}

/// The input and output formats of a judge.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The name of the profile, or the path of its file, as given to `--as`.
    #[serde(skip)]
    pub name: &'static str,
    /// The text of its file.
    #[serde(skip)]
    pub file: &'static str,
    /// The judge and the problem.
    #[serde(default, deserialize_with = "leaked")]
    pub source: &'static str,
    /// The URL of the problem statement.
    #[serde(default, deserialize_with = "leaked")]
    pub url: &'static str,
    /// The evidence for the format of the boards.
    #[serde(default)]
    pub input: Confidence,
    /// The evidence for the format of the answers.
    #[serde(default)]
    pub output: Confidence,
    /// Remarks.
    #[serde(default, deserialize_with = "leaked")]
    pub note: &'static str,
    /// The layout of records, or `None` if it is detected in each file.
    pub layout: Option<Layout>,
    /// True if the first line holds the number of records.
    #[serde(default)]
    pub count_line: bool,
    /// The shape of every board, if it is fixed.
    #[serde(default, deserialize_with = "shape")]
    pub shape: Option<Shape>,
    /// The goal of the boards, or `None` if each record has its own.
    #[serde(default = "default_goal", deserialize_with = "goal")]
    pub goal: Option<Goal>,
    /// The maximum number of moves that a board needs, as the judge guarantees.
    pub promised: Option<u16>,
    /// The style of the boards.
    #[serde(default)]
    pub board_style: BoardStyle,
    /// The format of answers. If the problem has none, results are JSON Lines.
    pub answer: Option<AnswerFormat>,
}

/// The value of `goal` if each record has its own goal.
const IN_RECORD: &str = "in-record";

/// Returns the default goal.
#[allow(clippy::unnecessary_wraps, reason = "the field is optional")]
fn default_goal() -> Option<Goal> {
    Some(Goal::BlankLast)
}

/// Reads a goal as `--goal` does, or `in-record`.
fn goal<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Goal>, D::Error> {
    match leaked(from)? {
        IN_RECORD => Ok(None),
        goal => goal.parse().map(Some).map_err(D::Error::custom),
    }
}

/// Reads a shape as `--shape` does.
fn shape<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Shape>, D::Error> {
    leaked(from)?.parse().map(Some).map_err(D::Error::custom)
}

impl Profile {
    /// Reads a profile. The profile and its texts are kept until the program ends.
    ///
    /// # Errors
    /// A message for the user with the file, the line, the key and the reason.
    pub fn of_text(name: &'static str, text: &'static str) -> Result<&'static Profile, String> {
        let read = toml::from_str::<Profile>(text);
        let mut profile = read.map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text.bytes().take(at).filter(|&byte| byte == b'\n').count();
            message(name, text, line, error.message())
        })?;
        profile.name = name;
        profile.file = text;
        Ok(Box::leak(Box::new(profile)))
    }

    /// Returns an error message about a key of this profile's file.
    pub fn fault(&self, key: &str, what: &str) -> String {
        let line = self.file.lines().position(|line| key_of(line) == Some(key));
        match line {
            Some(line) => message(self.name, self.file, line, what),
            None => format!("{}: {what}", self.name),
        }
    }

    /// Returns the value of the key `goal`.
    pub fn goal_name(&self) -> String {
        self.goal.as_ref().map_or(IN_RECORD.into(), Goal::to_string)
    }

    /// Checks that answers for boards of a shape can be read back. `notation` and `piece` replace
    /// those of the profile, if given.
    ///
    /// # Errors
    /// A message for the user, if the answers cannot be read back.
    pub fn check_shape(
        &self,
        shape: Option<Shape>,
        notation: Option<Notation>,
        piece: Option<MovingPiece>,
    ) -> Result<(), String> {
        let (Some(shape), Some(answer)) = (shape, &self.answer) else { return Ok(()) };
        if answer.spelling.with(notation, piece).is_readable(shape.cells()) {
            return Ok(());
        }
        let name = self.name;
        Err(format!("{name} writes each tile as one digit, which is ambiguous on a {shape} board: use --notation udlr"))
    }

    /// Completes the options: those that were not given are taken from the profile.
    #[must_use]
    pub fn fill(&self, options: InputOptions) -> InputOptions {
        let Profile { layout, shape, count_line, .. } = *self;
        options.or(&InputOptions { layout, goal: self.goal.clone(), shape, count_line, ..InputOptions::default() })
    }
}

/// Returns the key that a line sets.
fn key_of(line: &str) -> Option<&str> {
    let key = line.split_once('=')?.0.trim();
    let is_key = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    (!key.is_empty() && key.chars().all(is_key)).then_some(key)
}

/// Formats an error in line number `line`, counted from 0. Adds the key of this line, unless the
/// error names a key.
fn message(name: &str, text: &str, line: usize, what: &str) -> String {
    let words = [("`", "'"), ("unknown field", "unknown key"), ("missing field", "missing key")];
    let what = words.iter().fold(what.to_string(), |what, (theirs, ours)| what.replace(theirs, ours));
    let what = what.trim_end().replace('\n', ": ");
    let key = text.lines().nth(line).and_then(key_of).filter(|_| !what.contains(" key '"));
    let key = key.map_or(String::new(), |key| format!("{key}: "));
    format!("{name}:{}: {key}{what}", line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_two_digits_need_a_separator() {
        let komal = Profile::named("komal-s15").unwrap();
        let check = |rows, cols, notation| komal.check_shape(Shape::new(rows, cols), notation, None);
        assert_eq!(
            (check(3, 3, None), check(2, 5, None), check(4, 4, Some(Notation::Lower))),
            (Ok(()), Ok(()), Ok(()))
        );
        for notation in [None, Some(Notation::Tiles)] {
            assert!(check(4, 4, notation).unwrap_err().contains("is ambiguous on"));
        }
        assert!(Profile::named("uva10181").unwrap().check_shape(Shape::new(4, 4), None, None).is_ok());
    }

    #[test]
    fn given_options_replace_those_of_the_profile() {
        let given = InputOptions { goal: Some(Goal::BlankFirst), layout: Some(Layout::Grid), ..Default::default() };
        let options = Profile::named("luogu1379").unwrap().fill(given);
        assert_eq!((options.goal, options.layout), (Some(Goal::BlankFirst), Some(Layout::Grid)));
        assert_eq!(options.shape, Shape::new(3, 3));
    }
}
