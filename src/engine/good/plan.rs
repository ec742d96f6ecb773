//! Which searches a level means, by shape: the one place where this is decided.

use crate::board::Shape;

/// One search of a plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Search {
    /// Its name.
    pub name: &'static str,
    /// How many positions it keeps of each layer; 0 where it keeps none.
    pub width: usize,
}

/// What a level means for a shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The searches, in their order.
    pub searches: Vec<Search>,
    /// The most memory they take at the same time, in bytes.
    pub memory_bytes: u64,
}

/// What is searched for boards of a shape at a level from 1 to 9, where a search may take `memory` bytes.
pub fn describe(shape: Shape, _level: u8, _memory: u64) -> Description {
    // The constructive path keeps some words a cell, on rows of 256 cells.
    let memory_bytes = (shape.rows() as u64 + 2) * 256 * 72;
    Description { searches: vec![Search { name: "constructive", width: 0 }], memory_bytes }
}
