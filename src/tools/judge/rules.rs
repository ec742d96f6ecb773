//! A judge's requirements for answers.

use crate::format::profile::{AnswerFormat, Listing, Requirement};
use crate::format::spelling::{MovingPiece, Notation, Spelling};

/// The requirements for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub(super) requirement: Requirement,
    pub(super) spelling: Spelling,
    pub(super) listing: Listing,
    /// True if the format has a word for boards without a solution.
    pub(super) has_unsolvable_word: bool,
    /// True if an empty line is an answer. If it is the last line, it may be missing.
    pub(super) accepts_empty: bool,
    /// The number of moves above which a board counts as unsolvable, or has a separate word as its
    /// answer.
    pub(super) solvable_within: Option<usize>,
    /// True if the format has a separate word for boards that need more moves.
    pub(super) has_too_long_word: bool,
}

impl Rules {
    /// Returns the rules of an answer format, in its own notation or another.
    pub fn new(format: &AnswerFormat, notation: Option<Notation>, piece: Option<MovingPiece>) -> Rules {
        Rules {
            requirement: format.requirement,
            spelling: format.spelling.with(notation, piece),
            listing: format.listing,
            has_unsolvable_word: format.unsolvable.is_some(),
            accepts_empty: format.takes_empty_lines(),
            solvable_within: format.solvable_within,
            has_too_long_word: format.too_long.is_some(),
        }
    }
}
