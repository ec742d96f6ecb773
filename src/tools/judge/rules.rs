//! A judge's requirements for answers.

use crate::format::profile::{AnswerFormat, Listing, Requirement};
use crate::format::spelling::{Notation, PathOf, Spelling};

/// The requirements for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub(super) requirement: Requirement,
    pub(super) spelling: Spelling,
    pub(super) listing: Listing,
    /// True if the format has a word for boards without a solution.
    pub(super) unsolvable_occur: bool,
    /// True if an empty line is an answer. The last one may be missing.
    pub(super) takes_empty: bool,
    /// The number of moves above which a board counts as unsolvable, or has a separate word.
    pub(super) solvable_within: Option<usize>,
    /// True if such boards have a separate word.
    pub(super) too_long_occur: bool,
}

impl Rules {
    /// Returns the rules of an answer format, in its own notation or another.
    pub fn new(format: &AnswerFormat, notation: Option<Notation>, of: Option<PathOf>) -> Rules {
        Rules {
            requirement: format.requirement,
            spelling: format.spelling.with(notation, of),
            listing: format.listing,
            unsolvable_occur: format.unsolvable.is_some(),
            takes_empty: format.takes_empty_lines(),
            solvable_within: format.solvable_within,
            too_long_occur: format.too_long.is_some(),
        }
    }
}
