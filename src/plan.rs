//! Which engine and which heuristic solve a kind of board, what they hold in memory, and why.
//!
//! Pure: shapes, numbers and wishes in, a plan out. It touches neither files nor clocks, so that a
//! table of cases tests it.

use std::fmt;

use crate::board::Shape;
use crate::engine::lookup;
use crate::frame::Space;
use crate::heuristic::pdb::{Partition, PdbSum};

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

/// Tables that a run may build: what they take, and whether there is room for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rung {
    /// Whose tables.
    pub partition: Partition,
    /// What building them takes at its peak, in bytes.
    pub peak_bytes: u64,
    /// Whether that is allowed.
    pub room: Room,
}

/// Whether tables may be built within the memory that is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// They may.
    Enough,
    /// They would take more while they are built, or those below them would.
    TooLittle,
}

/// Whether a partition's tables may be built in so many bytes.
pub fn room(partition: &Partition, memory: u64) -> Room {
    if PdbSum::peak_bytes(partition) as u64 <= memory { Room::Enough } else { Room::TooLittle }
}

/// The tables that a plan by pattern databases may come to build, in this order: the partition that was asked
/// for, or those that are worth it, each when it has paid. None where it is guided by something else.
///
/// What they take is found by laying them out: some milliseconds, on 5×5 a tenth of a second. A ladder ends
/// below the first rung that does not fit, for those above it are larger; what was asked for and does
/// not fit gives way to the ladder.
pub fn rungs(space: &Space, wishes: &Wishes, plan: &Plan, memory: u64) -> Vec<Rung> {
    if plan.heuristic != Some(HeuristicKind::Patterns) {
        return Vec::new();
    }
    let rung = |partition: Partition| {
        let (peak_bytes, room) = (PdbSum::peak_bytes(&partition) as u64, room(&partition, memory));
        Rung { partition, peak_bytes, room }
    };
    let named = wishes.partition.as_deref();
    let named = named.and_then(|name| Partition::parse(name, space.shape, space.goal_blank).ok()).map(rung);
    if let Some(named @ Rung { room: Room::Enough, .. }) = named {
        return vec![named];
    }
    let mut rungs: Vec<Rung> = Partition::defaults(space.shape, space.goal_blank).into_iter().map(rung).collect();
    if let Some(first) = rungs.iter().position(|rung| rung.room == Room::TooLittle) {
        rungs[first..].iter_mut().for_each(|rung| rung.room = Room::TooLittle);
    }
    named.into_iter().chain(rungs).collect()
}

/// The plan for a space.
pub fn plan(space: &Space, wishes: &Wishes) -> Plan {
    let shape = space.shape;
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
        Some(EngineKind::Lookup) => {
            let why = format!("lookup was asked for, but holds {} cells at most", lookup::MAX_CELLS);
            guided_plan(space, EngineKind::IdaStar, wishes, &why)
        }
        Some(EngineKind::Bidirectional) => {
            Plan { engine: EngineKind::Bidirectional, heuristic: None, bytes: 0, why: "asked for".into() }
        }
        Some(EngineKind::AStar) => guided_plan(space, EngineKind::AStar, wishes, "asked for"),
        Some(EngineKind::IdaStar | EngineKind::Line) => guided_plan(space, EngineKind::IdaStar, wishes, "asked for"),
        None => {
            let why = format!("{} cells have too many states for a table of all", shape.cells());
            guided_plan(space, EngineKind::IdaStar, wishes, &why)
        }
    }
}

fn lookup_plan(shape: Shape, why: &str) -> Plan {
    Plan { engine: EngineKind::Lookup, heuristic: None, bytes: lookup::Table::bytes_of(shape), why: why.into() }
}

fn guided_plan(space: &Space, engine: EngineKind, wishes: &Wishes, why: &str) -> Plan {
    let ladder = || {
        let partitions = Partition::defaults(space.shape, space.goal_blank);
        let names = partitions.iter().map(Partition::sizes).collect::<Vec<_>>().join(", then ");
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
        plan(&Space { shape, goal_blank: Cell::new(rows * cols - 1), order: Move::ALL }, &wishes)
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

    /// A table of cases: memory, wish, and what is built of 6-6-3, 7-7-1 and 7-8.
    #[test]
    fn nothing_is_built_beyond_the_memory_allowed() {
        use Room::{Enough, TooLittle};
        let shape = Shape::new(4, 4).unwrap();
        let space = Space { shape, goal_blank: Cell::new(15), order: Move::ALL };
        let told = |partition: Option<&str>, memory| {
            let wishes = Wishes { partition: partition.map(String::from), ..Wishes::default() };
            let rungs = rungs(&space, &wishes, &plan(&space, &wishes), memory);
            assert!(rungs.iter().all(|rung| rung.room == TooLittle || rung.peak_bytes <= memory));
            rungs.iter().map(|rung| (rung.partition.sizes(), rung.room)).collect::<Vec<_>>()
        };
        let ladder = |rooms: [Room; 3]| ["6-6-3", "7-7-1", "7-8"].map(String::from).into_iter().zip(rooms);
        for (memory, rooms) in [
            (4 << 30, [Enough, Enough, Enough]),
            (300 << 20, [Enough, Enough, TooLittle]),
            (50 << 20, [Enough, TooLittle, TooLittle]),
            (1 << 20, [TooLittle; 3]),
        ] {
            assert!(told(None, memory).into_iter().eq(ladder(rooms)), "{memory}");
        }
        let asked = Wishes { heuristic: Some(HeuristicKind::Patterns), ..Wishes::default() };
        assert_eq!(rungs(&space, &asked, &plan(&space, &asked), 4 << 30).len(), 3);
        assert_eq!(told(Some("7-8"), 4 << 30), [("7-8".into(), Enough)]);
        let mut given_way = vec![("7-8".to_string(), TooLittle)];
        given_way.extend(ladder([Enough, Enough, TooLittle]));
        assert_eq!(told(Some("7-8"), 300 << 20), given_way);
        // Nothing is built for what is guided by something else.
        let other = Wishes { heuristic: Some(HeuristicKind::Manhattan), ..Wishes::default() };
        assert!(rungs(&space, &other, &plan(&space, &other), 4 << 30).is_empty());
    }

    #[test]
    fn wishes_are_granted_where_they_can_be() {
        let idastar =
            Wishes { engine: Some(EngineKind::IdaStar), heuristic: Some(HeuristicKind::Manhattan), partition: None };
        let plan = planned(3, 3, idastar);
        assert_eq!((plan.engine, plan.heuristic), (EngineKind::IdaStar, Some(HeuristicKind::Manhattan)));
        let lookup = Wishes { engine: Some(EngineKind::Lookup), ..Wishes::default() };
        assert_eq!(planned(2, 2, lookup.clone()).engine, EngineKind::Lookup);
        let plan = planned(4, 4, lookup);
        assert_eq!(plan.engine, EngineKind::IdaStar);
        assert!(plan.why.contains("10 cells at most"), "{}", plan.why);
    }
}
