//! What a judge asks of an answer.

use crate::format::profile::{AnswerFormat, Listing, Requirement};
use crate::format::spelling::{Notation, PathOf, Spelling};

/// What makes an answer right.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    pub(super) requirement: Requirement,
    pub(super) spelling: Spelling,
    pub(super) listing: Listing,
    /// The judge has a word for boards without a solution.
    pub(super) unsolvable_occur: bool,
    /// An empty line is an answer, so that one may be missing at the end.
    pub(super) takes_empty: bool,
    /// Boards that need more moves count as unsolvable, or have a word of their own.
    pub(super) solvable_within: Option<usize>,
    /// They have a word of their own.
    pub(super) too_long_occur: bool,
}

impl Rules {
    /// The rules of an answer format, its moves in its own spelling or another.
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
