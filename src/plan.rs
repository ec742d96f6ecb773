//! Which engine and which heuristic solve a kind of board, what they hold in memory, and why.
//!
//! Pure: shapes, numbers and wishes in, a plan out. It touches neither files nor clocks, so that a
//! table of cases tests it.

use std::fmt;

use crate::board::Shape;
use crate::engine::{descent, lookup};
use crate::frame::Space;
use crate::heuristic::pdb::Partition;
use crate::ladder::Ladder;

/// The engines that can be asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EngineKind {
    /// One row or column: nothing to search.
    Line,
    /// The whole graph searched once.
    Lookup,
    /// Breadth-first from both ends, the goal's end shared by all boards.
    Bidirectional,
    /// Best-first in layers of equal f.
    AStar,
    /// Iterative deepening A*.
    IdaStar,
}

impl EngineKind {
    /// Its name in options and results.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKind::Line => "line",
            EngineKind::Lookup => "lookup",
            EngineKind::Bidirectional => "bidirectional",
            EngineKind::AStar => "astar",
            EngineKind::IdaStar => "idastar",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The heuristics that can be asked for by name.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum HeuristicKind {
    /// Distance of every tile from its home.
    Manhattan,
    /// Manhattan and two moves for every tile that must leave its line for another.
    LinearConflict,
    /// Rows and columns as wholes, from two tables.
    WalkingDistance,
    /// The larger of walking distance and linear conflict, for rows and for columns.
    WalkingConflict,
    /// Pattern databases: certain ones, or those that pay.
    Patterns,
}

impl HeuristicKind {
    /// Its name in options and results.
    pub const fn name(self) -> &'static str {
        match self {
            HeuristicKind::Manhattan => "manhattan",
            HeuristicKind::LinearConflict => "linear-conflict",
            HeuristicKind::WalkingDistance => "walking-distance",
            HeuristicKind::WalkingConflict => "walking-conflict",
            HeuristicKind::Patterns => "pattern databases",
        }
    }
}

/// What the user asked for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wishes {
    /// `None`: whatever is best.
    pub engine: Option<EngineKind>,
    /// `None`: whatever is best.
    pub heuristic: Option<HeuristicKind>,
    /// The partition for [`HeuristicKind::Patterns`]: by its sizes, `7-8`, or its homes, `0,1,2/3,4,5`.
    /// `None`: those that pay.
    pub partition: Option<String>,
}

/// How the boards of one space are solved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// What searches.
    pub engine: EngineKind,
    /// What guides it, where it is guided.
    pub heuristic: Option<HeuristicKind>,
    /// What its tables hold.
    pub bytes: u64,
    /// One sentence for people.
    pub why: String,
}

/// The plan for a space, when tables are built on `threads` threads in at most `memory` bytes.
pub fn plan(space: &Space, wishes: &Wishes, threads: usize, memory: u64) -> Plan {
    let shape = space.shape;
    let guided_plan =
        |engine, why: &str| guided_plan(space, engine, wishes, &Ladder::names(space, threads, memory), why);
    if shape.is_line() {
        return Plan {
            engine: EngineKind::Line,
            heuristic: None,
            bytes: 0,
            why: "in one row or column only the blank can travel".into(),
        };
    }
    let fits = shape.cells() <= lookup::MAX_CELLS;
    match wishes.engine {
        Some(EngineKind::Lookup) if fits => lookup_plan(shape, "asked for"),
        None if fits => lookup_plan(shape, "all its states are searched once"),
        Some(EngineKind::Lookup) if descent::is_for(shape) => {
            let needed = descent::Table::peak_bytes(shape, threads);
            if needed <= memory {
                let bytes = descent::Table::bytes_of(shape);
                return Plan { engine: EngineKind::Lookup, heuristic: None, bytes, why: "asked for".into() };
            }
            let why = format!("lookup was asked for, but takes {} MB to build", needed.div_ceil(1_000_000));
            guided_plan(EngineKind::IdaStar, &why)
        }
        Some(EngineKind::Lookup) => {
            let why = format!("lookup was asked for, but holds {} cells at most", descent::CELLS);
            guided_plan(EngineKind::IdaStar, &why)
        }
        Some(EngineKind::Bidirectional) => {
            Plan { engine: EngineKind::Bidirectional, heuristic: None, bytes: 0, why: "asked for".into() }
        }
        Some(EngineKind::AStar) => guided_plan(EngineKind::AStar, "asked for"),
        Some(EngineKind::IdaStar | EngineKind::Line) => guided_plan(EngineKind::IdaStar, "asked for"),
        None if descent::is_for(shape) => {
            guided_plan(EngineKind::IdaStar, "a table of all states pays for some ten thousand boards")
        }
        None => {
            let why = format!("{} cells have too many states for a table of all", shape.cells());
            guided_plan(EngineKind::IdaStar, &why)
        }
    }
}

fn lookup_plan(shape: Shape, why: &str) -> Plan {
    Plan { engine: EngineKind::Lookup, heuristic: None, bytes: lookup::Table::bytes_of(shape), why: why.into() }
}

fn guided_plan(space: &Space, engine: EngineKind, wishes: &Wishes, rungs: &[String], why: &str) -> Plan {
    let ladder = || {
        let names = rungs.join(", then ");
        format!("begins with walking-conflict; {names}, each when the time spent without it has reached its price")
    };
    let (heuristic, chosen) = match (wishes.heuristic, engine, &wishes.partition) {
        (Some(HeuristicKind::Patterns), EngineKind::IdaStar, Some(name)) => {
            match Partition::parse(name, space.shape, space.goal_blank) {
                Ok(partition) => (HeuristicKind::Patterns, format!("{} was asked for", partition.sizes())),
                Err(wrong) => (HeuristicKind::Patterns, format!("{wrong}; {}", ladder())),
            }
        }
        (None | Some(HeuristicKind::Patterns), EngineKind::IdaStar, _) => (HeuristicKind::Patterns, ladder()),
        (None | Some(HeuristicKind::Patterns), ..) => {
            (HeuristicKind::WalkingConflict, "the strongest of those that cost next to nothing to build".into())
        }
        (Some(heuristic), ..) => (heuristic, "asked for".into()),
    };
    Plan { engine, heuristic: Some(heuristic), bytes: 0, why: format!("{why}; {}: {chosen}", heuristic.name()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Move};

    fn planned(rows: usize, cols: usize, wishes: Wishes) -> Plan {
        let shape = Shape::new(rows, cols).unwrap();
        plan(&Space { shape, goal_blank: Cell::new(rows * cols - 1), order: Move::ALL }, &wishes, 2, 1 << 30)
    }

    #[test]
    fn small_boards_are_looked_up_and_large_ones_searched() {
        use EngineKind::{IdaStar, Line, Lookup};
        let cases = [
            (1, 1, Line),
            (1, 25, Line),
            (2, 2, Lookup),
            (3, 3, Lookup),
            (2, 5, Lookup),
            (3, 4, IdaStar),
            (5, 5, IdaStar),
        ];
        for (rows, cols, engine) in cases {
            assert_eq!(planned(rows, cols, Wishes::default()).engine, engine, "{rows}x{cols}");
        }
    }

    #[test]
    fn wishes_are_granted_where_they_can_be() {
        let idastar =
            Wishes { engine: Some(EngineKind::IdaStar), heuristic: Some(HeuristicKind::Manhattan), partition: None };
        let plan = planned(3, 3, idastar);
        assert_eq!((plan.engine, plan.heuristic), (EngineKind::IdaStar, Some(HeuristicKind::Manhattan)));
        let lookup = Wishes { engine: Some(EngineKind::Lookup), ..Wishes::default() };
        assert_eq!(planned(2, 2, lookup.clone()).engine, EngineKind::Lookup);
        let plan = planned(4, 4, lookup.clone());
        assert_eq!(plan.engine, EngineKind::IdaStar);
        assert!(plan.why.contains("12 cells at most"), "{}", plan.why);
        assert_eq!(planned(2, 6, lookup).engine, EngineKind::Lookup);
    }

    #[test]
    fn the_full_table_is_planned_where_it_fits() {
        let space = |rows, cols| {
            let shape = Shape::new(rows, cols).unwrap();
            Space { shape, goal_blank: Cell::new(rows * cols - 1), order: Move::ALL }
        };
        let lookup = Wishes { engine: Some(EngineKind::Lookup), ..Wishes::default() };
        for (memory, engine, told) in
            [(200_000_000, EngineKind::Lookup, "asked for"), (50_000_000, EngineKind::IdaStar, "MB to build")]
        {
            let plan = plan(&space(3, 4), &lookup, 2, memory);
            assert_eq!(plan.engine, engine);
            assert!(plan.why.contains(told), "{}", plan.why);
        }
        let rungs = |rows, cols, memory| plan(&space(rows, cols), &Wishes::default(), 2, memory).why;
        assert!(rungs(3, 4, 200_000_000).contains("the full table"));
        assert!(!rungs(3, 4, 50_000_000).contains("the full table"));
        assert!(!rungs(3, 5, 200_000_000).contains("the full table"));
    }
}
