//! The input and output of a beam search.

use crate::board::{Board, Path};
use crate::engine::ThreadShare;
use crate::system::{Budget, Limit};

/// The input of a beam search.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The board as given.
    pub board: &'a Board,
    /// The goal as given. Its blank must be in the tables' goal cell.
    pub goal: &'a Board,
    /// The number of positions kept per layer.
    pub width: usize,
    /// The maximum length of the path.
    pub max_moves: usize,
    /// The limits.
    pub budget: &'a Budget<'a>,
    /// The threads that may help.
    pub thread_share: &'a ThreadShare,
}

/// The result of a beam search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A path.
    Path(Path),
    /// No path: the values stopped falling, no position was left, or the maximum length was
    /// reached. The path given leads to the position with the smallest value, from which another
    /// method may continue.
    Stuck(Path),
    /// A limit ended the search.
    Limit(Limit),
}
