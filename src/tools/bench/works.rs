//! The work that is built in.

use crate::engine::EngineKind;

/// Work that is built in.
pub(super) struct Work {
    pub(super) name: &'static str,
    pub(super) shape: (usize, usize),
    pub(super) boards: Boards,
    pub(super) engine: Option<EngineKind>,
    /// A partition of pattern databases.
    pub(super) heuristic: Option<&'static str>,
}

pub(super) enum Boards {
    /// This number of random ones.
    Random(usize),
    This(&'static str),
}

/// What tables and searches may take: more than any of these needs.
pub(super) const MEMORY: u64 = 2 << 30;

/// Engine and heuristic are fixed where the planner's choice depends on how long tables take to build.
pub(super) const WORKS: [Work; 4] = [
    Work { name: "3x3 in bulk", shape: (3, 3), boards: Boards::Random(2_000_000), engine: None, heuristic: None },
    Work {
        name: "3x4, full table",
        shape: (3, 4),
        boards: Boards::Random(1_000_000),
        engine: Some(EngineKind::Lookup),
        heuristic: None,
    },
    Work {
        name: "15-puzzle, 6-6-3",
        shape: (4, 4),
        boards: Boards::Random(100),
        engine: Some(EngineKind::IdaStar),
        heuristic: Some("6-6-3"),
    },
    Work {
        name: "Korf's 88th, 7-7-1",
        shape: (4, 4),
        // R. E. Korf 1985: the most nodes of his hundred. Turned round, so that the goal's blank comes last.
        boards: Boards::This("12 10 6 0 9 8 13 15 11 7 3 2 5 4 14 1"),
        engine: Some(EngineKind::IdaStar),
        heuristic: Some("7-7-1"),
    },
];
