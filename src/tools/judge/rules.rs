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
    /// True if an empty line is an answer. At the end of the file, the line may be missing.
    pub(super) accepts_empty: bool,
    /// The maximum number of moves. A board that needs more counts as unsolvable, or has a separate
    /// word as its answer.
    pub(super) solvable_within: Option<usize>,
    /// True if the format has a separate word for boards that need more than `solvable_within`.
    pub(super) has_too_long_word: bool,
}

impl Rules {
    /// Returns the rules of an answer format. `notation` and `moving_piece` replace those of the
    /// format.
    pub fn new(format: &AnswerFormat, notation: Option<Notation>, moving_piece: Option<MovingPiece>) -> Rules {
        Rules {
            requirement: format.requirement,
            spelling: format.spelling.with(notation, moving_piece),
            listing: format.listing,
            has_unsolvable_word: format.unsolvable.is_some(),
            accepts_empty: format.takes_empty_lines(),
            solvable_within: format.solvable_within,
            has_too_long_word: format.too_long.is_some(),
        }
    }
}
