//! What a beam is asked and what it answers.

use crate::board::{Board, Path};
use crate::engine::ThreadShare;
use crate::system::{Budget, Limit};

/// What one beam is asked.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The board as given.
    pub board: &'a Board,
    /// The goal as given, whose blank is where the tables have it.
    pub goal: &'a Board,
    /// How many positions of a layer are kept.
    pub width: usize,
    /// Longer paths are not looked for.
    pub most_moves: usize,
    /// What may be spent.
    pub budget: &'a Budget<'a>,
    /// Which threads may help.
    pub thread_share: &'a ThreadShare,
}

/// How a beam ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A path.
    Path(Path),
    /// None: the values stopped falling, no position was left, or no more moves were allowed. This path leads to the position
    /// with the smallest value, from which something else may come further.
    Stuck(Path),
    /// A limit came first.
    Limit(Limit),
}
