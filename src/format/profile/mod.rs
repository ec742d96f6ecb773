//! Profiles: how a judge or a course lays out its boards, and what its answers look like.
//!
//! A profile is a row of data (`table`), never code: a layout, a shape and a goal to read by, and
//! templates of an answer to write by. The same templates write golden answers ([`Answers`]) and
//! read those of contestants ([`ClaimReader`]), so that the two cannot drift apart.

mod claims;
mod listing;
mod table;
mod template;
mod write;

use crate::board::{GoalSpec, Shape};
use crate::format::input::{InputOptions, Layout};
use crate::format::spelling::{Letters, PathOf, Spelling};

pub use claims::{Claim, ClaimReader, Claims, Way, What};
pub use listing::Listing;
pub use table::PROFILES;
pub use write::{Answers, Complaint};

/// How well a format is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sure {
    /// The judge's own statement was read.
    Read,
    /// From memory, or a choice of our own where the statement leaves it open: a guess.
    Memory,
}

impl Sure {
    /// The word that is shown for it.
    pub const fn name(self) -> &'static str {
        match self {
            Sure::Read => "read",
            Sure::Memory => "memory",
        }
    }
}

/// A goal that a row of data can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// The numbers in order, the blank behind them.
    BlankLast,
    /// The blank, then the numbers in order.
    BlankFirst,
    /// The clockwise spiral.
    Snail,
    /// These tiles.
    Tiles(&'static str),
    /// Each record brings its own.
    InRecord,
}

impl Goal {
    /// As it is shown, and as `--goal` would be told.
    pub const fn name(self) -> &'static str {
        match self {
            Goal::BlankLast => "blank-last",
            Goal::BlankFirst => "blank-first",
            Goal::Snail => "snail",
            Goal::Tiles(tiles) => tiles,
            Goal::InRecord => "in the record",
        }
    }

    /// The goal of boards that bring none.
    pub fn spec(self) -> Option<GoalSpec> {
        match self {
            Goal::InRecord => None,
            // A test parses every one of the table.
            named => named.name().parse().ok(),
        }
    }
}

/// What makes an answer right, beside that its moves lead to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// Any sequence of moves will do.
    AnyPath,
    /// Any of at most so many moves.
    AtMost(usize),
    /// No solution may be shorter.
    Shortest,
    /// The first in alphabetical order of all that are shortest.
    Smallest,
}

/// What a judge's answer looks like. Every text is a template, see `template.rs`.
#[derive(Clone, Copy, Debug)]
pub struct AnswerFormat {
    /// What makes it right.
    pub asks: Asks,
    /// How its moves are spelled.
    pub spelling: Spelling,
    /// How it lists boards, where it does.
    pub listing: Listing,
    /// What stands before every answer but the first.
    pub between: &'static str,
    /// The answer to a board with a solution.
    pub solved: &'static str,
    /// The answer to one without; `None` where the judge promises that there are none.
    pub unsolvable: Option<&'static str>,
    /// What is written where neither can be: for records that are no board, and boards that stayed unsolved.
    pub otherwise: &'static str,
    /// A board that needs more moves counts as one without a solution.
    pub solvable_within: Option<usize>,
}

impl AnswerFormat {
    /// True where an empty line is an answer: that of a board which is solved already.
    pub fn takes_empty_lines(&self) -> bool {
        self.solved.starts_with("{path}\n")
    }
}

/// How a judge writes boards, where its layout leaves that open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hand {
    /// The blank.
    pub blank: &'static str,
    /// What stands between the tiles of a line.
    pub between_tiles: &'static str,
    /// What stands before every board.
    pub before: &'static str,
    /// Boards of several lines have an empty line between them.
    pub gaps: bool,
    /// The side of the boards stands before each start and goal.
    pub side_of_pairs: bool,
}

impl Hand {
    /// That of files which are nobody's: 0 for the blank, a blank between tiles, an empty line between boards of several lines.
    pub const PLAIN: Hand = Hand { blank: "0", between_tiles: " ", before: "", gaps: true, side_of_pairs: false };
}

/// How a judge is read and answered.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// Its name for `--as`.
    pub name: &'static str,
    /// Judge and problem.
    pub source: &'static str,
    /// Where the statement is to be found.
    pub url: &'static str,
    /// How well the way boards are written is known.
    pub input: Sure,
    /// How well the answers are known.
    pub output: Sure,
    /// What else there is to know.
    pub note: &'static str,
    /// How records are laid out; `None`: to be told from each file.
    pub layout: Option<Layout>,
    /// The first line counts the records.
    pub count_line: bool,
    /// Rows and columns of every board, where they are always the same.
    pub shape: Option<(usize, usize)>,
    /// No board needs more moves: the judge promises that.
    pub promised: Option<u16>,
    /// What boards are to be turned into.
    pub goal: Goal,
    /// How boards are written.
    pub hand: Hand,
    /// What is written; `None`: the problem has no answer format, and results are JSON lines.
    pub answer: Option<AnswerFormat>,
}

impl Profile {
    /// The profile of this name.
    ///
    /// # Errors
    /// All names there are.
    pub fn named(name: &str) -> Result<&'static Profile, String> {
        PROFILES.iter().find(|profile| profile.name == name).ok_or_else(|| {
            let names: Vec<_> = PROFILES.iter().map(|profile| profile.name).collect();
            format!("there is no profile '{name}': choose from {}", names.join(", "))
        })
    }

    /// Whether answers about boards of a shape can be written and read.
    ///
    /// # Errors
    /// A sentence for people, where they cannot.
    pub fn check_shape(
        &self,
        shape: Option<Shape>,
        letters: Option<Letters>,
        of: Option<PathOf>,
    ) -> Result<(), String> {
        let (Some(shape), Some(answer)) = (shape, &self.answer) else { return Ok(()) };
        if answer.spelling.with(letters, of).suits(shape.cells()) {
            return Ok(());
        }
        let name = self.name;
        Err(format!(
            "{name} writes tiles as one digit each: of a {shape} board they cannot be told apart (--letters udlr names directions)"
        ))
    }

    /// Fills what was not asked for otherwise with what the judge's files are like.
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
    fn every_row_of_the_table_can_be_used() {
        for (i, profile) in PROFILES.iter().enumerate() {
            let name = profile.name;
            assert!(PROFILES[..i].iter().all(|other| other.name != name), "{name} is there twice");
            assert!(std::ptr::eq(Profile::named(name).unwrap(), profile));
            let options = profile.fill(InputOptions::default());
            assert_eq!(options.goal.is_none(), profile.goal == Goal::InRecord, "{name}");
            assert_eq!(options.shape.is_some(), profile.shape.is_some(), "{name}");
            if let (Some(shape), Some(goal)) = (options.shape, options.goal) {
                goal.on(shape).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            }
            if let Some(answer) = &profile.answer {
                let texts = [Some(answer.solved), answer.unsolvable, Some(answer.otherwise)];
                for text in texts.into_iter().flatten() {
                    template::parse(text).unwrap_or_else(|wrong| panic!("{name}: {text:?}: {wrong}"));
                    assert!(text.ends_with('\n') || text.ends_with('}'), "{name}: {text:?}");
                }
                assert!(answer.otherwise.contains("{status}"), "{name}");
            }
        }
        assert!(Profile::named("poj").unwrap_err().contains("poj1077"));
    }

    /// Whoever says that a statement was read says where, or why nobody can be sent there.
    #[test]
    fn what_was_read_can_be_found() {
        for Profile { name, url, note, input, output, .. } in PROFILES {
            let read = [input, output].contains(&&Sure::Read);
            assert!(!read || !url.is_empty() || note.contains("no address"), "{name}");
        }
    }

    #[test]
    fn tiles_of_two_digits_need_something_between_them() {
        let komal = Profile::named("komal-s15").unwrap();
        let told = |rows, cols, letters| komal.check_shape(Shape::new(rows, cols), letters, None);
        assert_eq!((told(3, 3, None), told(2, 5, None), told(4, 4, Some(Letters::Lower))), (Ok(()), Ok(()), Ok(())));
        for asked in [None, Some(Letters::Tiles)] {
            assert!(told(4, 4, asked).unwrap_err().contains("cannot be told apart"));
        }
        assert!(Profile::named("uva10181").unwrap().check_shape(Shape::new(4, 4), None, None).is_ok());
    }

    #[test]
    fn what_is_asked_for_wins_over_the_profile() {
        let asked = InputOptions { goal: Some(GoalSpec::BlankFirst), layout: Some(Layout::Grid), ..Default::default() };
        let options = Profile::named("luogu1379").unwrap().fill(asked);
        assert_eq!((options.goal, options.layout), (Some(GoalSpec::BlankFirst), Some(Layout::Grid)));
        assert_eq!(options.shape, Shape::new(3, 3));
    }
}
