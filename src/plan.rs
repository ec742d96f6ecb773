//! Which engine and which heuristic solve a kind of board, what they hold in memory, and why.
//!
//! Pure: shapes, numbers and wishes in, a plan out. It touches neither files nor clocks, so that a
//! table of cases tests it.

use std::fmt;

use crate::board::Shape;
use crate::engine::{descent, lookup};
use crate::frame::Space;
use crate::heuristic::pdb::{Partition, PdbSum};
use crate::ledger::{Footprint, Ledger};
use crate::memory::Share;

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

/// Tables that a run may build for a space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Tables {
    /// Those of a partition.
    Patterns(Partition),
    /// The full table, see [`descent`].
    Full,
}

impl Tables {
    /// Those that are worth building for a space, each when the ones before it do not suffice.
    pub fn of(space: &Space) -> Vec<Tables> {
        let patterns = Partition::defaults(space.shape, space.goal_blank).into_iter().map(Tables::Patterns);
        patterns.chain(descent::is_for(space.shape).then_some(Tables::Full)).collect()
    }

    /// Their name for people.
    pub fn name(&self) -> String {
        match self {
            Tables::Patterns(partition) => partition.sizes(),
            Tables::Full => "the full table".into(),
        }
    }

    /// What they take. It is found by laying them out: some milliseconds, on 5×5 a tenth of a second.
    pub fn footprint(&self, space: &Space, threads: usize) -> Footprint {
        match self {
            Tables::Patterns(partition) => PdbSum::footprint(partition),
            Tables::Full => descent::Table::footprint(space.shape, threads),
        }
    }

    /// What building them costs: as much as placing tiles so many times.
    pub fn placements(&self, space: &Space) -> u64 {
        match self {
            Tables::Patterns(partition) => partition.placements(),
            Tables::Full => descent::Table::placements(space.shape),
        }
    }
}

/// Tables that a run may build: what they take, and whether there is room for them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rung {
    /// Which.
    pub tables: Tables,
    /// What they take.
    pub footprint: Footprint,
    /// Whether that is allowed.
    pub room: Room,
}

/// Whether tables may be built within the memory that is allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// They may.
    Enough,
    /// They would take more while they are built, beside those before them, or those would.
    TooLittle,
}

/// What tables may take of so many bytes: what is left beside the program itself, the lists of the searches and what is
/// between reading and writing.
pub fn for_tables(memory: u64, threads: usize) -> u64 {
    Share::of(memory, threads).tables
}

/// Whether tables may be built with what is left in the ledger, in which they are entered as if they had been.
fn room(of: Footprint, ledger: &Ledger) -> Room {
    ledger.build(of, || Some(())).map_or(Room::TooLittle, |()| Room::Enough)
}

/// The tables that a plan may come to build, in this order: the full table or the partition that was asked for, or
/// those that are worth it, each when it has paid. None where nothing is built on the way.
///
/// On `threads` threads, with so many bytes for tables and as if no other space had any. A ladder ends
/// below the first rung that does not fit; what was asked for and does not fit gives way to the ladder.
pub fn rungs(space: &Space, wishes: &Wishes, plan: &Plan, threads: usize, bytes: u64) -> Vec<Rung> {
    let rung = |tables: Tables, ledger: &Ledger| {
        let footprint = tables.footprint(space, threads);
        Rung { room: room(footprint, ledger), tables, footprint }
    };
    if plan.heuristic != Some(HeuristicKind::Patterns) {
        let full = plan.engine == EngineKind::Lookup && descent::is_for(space.shape);
        return full.then(|| rung(Tables::Full, &Ledger::new(bytes))).into_iter().collect();
    }
    let ledger = Ledger::new(bytes);
    let named = wishes.partition.as_deref();
    let named = named.and_then(|name| Partition::parse(name, space.shape, space.goal_blank).ok());
    let named = named.map(|partition| rung(Tables::Patterns(partition), &ledger));
    if let Some(named @ Rung { room: Room::Enough, .. }) = named {
        return vec![named];
    }
    let mut rungs: Vec<Rung> = Tables::of(space).into_iter().map(|tables| rung(tables, &ledger)).collect();
    if let Some(first) = rungs.iter().position(|rung| rung.room == Room::TooLittle) {
        rungs[first..].iter_mut().for_each(|rung| rung.room = Room::TooLittle);
    }
    named.into_iter().chain(rungs).collect()
}

/// The plan for a space, where tables are built on `threads` threads and may take so many bytes.
pub fn plan(space: &Space, wishes: &Wishes, threads: usize, bytes: u64) -> Plan {
    let shape = space.shape;
    if shape.is_line() {
        return Plan {
            engine: EngineKind::Line,
            heuristic: None,
            bytes: 0,
            why: "in one row or column only the blank can travel".into(),
        };
    }
    let fits = shape.cells() <= lookup::MAX_CELLS
        && room(lookup::Table::footprint(shape), &Ledger::new(bytes)) == Room::Enough;
    match wishes.engine {
        Some(EngineKind::Lookup) if fits => lookup_plan(shape, "asked for"),
        None if fits => lookup_plan(shape, "all its states are searched once"),
        Some(EngineKind::Lookup) if descent::is_for(shape) => {
            let footprint = descent::Table::footprint(shape, threads);
            match room(footprint, &Ledger::new(bytes)) {
                Room::Enough => {
                    let bytes = descent::Table::bytes_of(shape);
                    Plan { engine: EngineKind::Lookup, heuristic: None, bytes, why: "asked for".into() }
                }
                Room::TooLittle => {
                    let needed = footprint.peak.div_ceil(1_000_000);
                    let why = format!("lookup was asked for, but takes {needed} MB to build");
                    guided_plan(space, EngineKind::IdaStar, wishes, &why)
                }
            }
        }
        Some(EngineKind::Lookup) => {
            let why = match shape.cells() {
                ..=lookup::MAX_CELLS => "lookup was asked for, but takes more than there is".to_string(),
                _ => format!("lookup was asked for, but holds {} cells at most", descent::CELLS),
            };
            guided_plan(space, EngineKind::IdaStar, wishes, &why)
        }
        Some(EngineKind::Bidirectional) => {
            Plan { engine: EngineKind::Bidirectional, heuristic: None, bytes: 0, why: "asked for".into() }
        }
        Some(EngineKind::AStar) => guided_plan(space, EngineKind::AStar, wishes, "asked for"),
        Some(EngineKind::IdaStar | EngineKind::Line) => guided_plan(space, EngineKind::IdaStar, wishes, "asked for"),
        None if descent::is_for(shape) => {
            let why = "a table of all states pays for some ten thousand boards";
            guided_plan(space, EngineKind::IdaStar, wishes, why)
        }
        None => {
            let why = match shape.cells() {
                ..=lookup::MAX_CELLS => "there is too little memory for a table of all states".to_string(),
                cells => format!("{cells} cells have too many states for a table of all"),
            };
            guided_plan(space, EngineKind::IdaStar, wishes, &why)
        }
    }
}

fn lookup_plan(shape: Shape, why: &str) -> Plan {
    Plan { engine: EngineKind::Lookup, heuristic: None, bytes: lookup::Table::bytes_of(shape), why: why.into() }
}

fn guided_plan(space: &Space, engine: EngineKind, wishes: &Wishes, why: &str) -> Plan {
    let ladder = || {
        let names = Tables::of(space).iter().map(Tables::name).collect::<Vec<_>>().join(", then ");
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

    fn space(rows: usize, cols: usize) -> Space {
        let shape = Shape::new(rows, cols).unwrap();
        Space { shape, goal_blank: Cell::new(rows * cols - 1), order: Move::ALL }
    }

    fn planned(rows: usize, cols: usize, wishes: Wishes) -> Plan {
        plan(&space(rows, cols), &wishes, 2, 4 << 30)
    }

    /// What is built for a space with these wishes and so many bytes, by name.
    fn told(space: &Space, wishes: &Wishes, bytes: u64) -> Vec<(String, Room)> {
        let rungs = rungs(space, wishes, &plan(space, wishes, 2, bytes), 2, bytes);
        assert!(rungs.iter().all(|rung| rung.room == Room::TooLittle || rung.footprint.peak <= bytes));
        rungs.iter().map(|rung| (rung.tables.name(), rung.room)).collect()
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
        let space = space(4, 4);
        let told_of = |partition: Option<&str>, bytes| {
            told(&space, &Wishes { partition: partition.map(String::from), ..Wishes::default() }, bytes)
        };
        let ladder = |rooms: [Room; 3]| ["6-6-3", "7-7-1", "7-8"].map(String::from).into_iter().zip(rooms);
        for (memory, rooms) in [
            (4 << 30, [Enough, Enough, Enough]),
            (300 << 20, [Enough, Enough, TooLittle]),
            (50 << 20, [Enough, TooLittle, TooLittle]),
            (1 << 20, [TooLittle; 3]),
        ] {
            assert!(told_of(None, memory).into_iter().eq(ladder(rooms)), "{memory}");
        }
        let asked = Wishes { heuristic: Some(HeuristicKind::Patterns), ..Wishes::default() };
        assert_eq!(told(&space, &asked, 4 << 30).len(), 3);
        assert_eq!(told_of(Some("7-8"), 4 << 30), [("7-8".into(), Enough)]);
        let mut given_way = vec![("7-8".to_string(), TooLittle)];
        given_way.extend(ladder([Enough, Enough, TooLittle]));
        assert_eq!(told_of(Some("7-8"), 300 << 20), given_way);
        // Nothing is built for what is guided by something else.
        let other = Wishes { heuristic: Some(HeuristicKind::Manhattan), ..Wishes::default() };
        assert!(told(&space, &other, 4 << 30).is_empty());
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

    /// The last rung of 12 cells, and of no other shape; the only one where it was asked for.
    #[test]
    fn the_full_table_is_built_where_it_fits() {
        use Room::{Enough, TooLittle};
        let space = space(3, 4);
        let full = |room| Some(("the full table".to_string(), room));
        let lookup = Wishes { engine: Some(EngineKind::Lookup), ..Wishes::default() };
        for (bytes, room, engine, why) in [
            (200_000_000, Enough, EngineKind::Lookup, "asked for"),
            (50_000_000, TooLittle, EngineKind::IdaStar, "MB to build"),
        ] {
            let rungs = told(&space, &Wishes::default(), bytes);
            assert_eq!(rungs.first(), Some(&("6-5".to_string(), Enough)));
            assert_eq!(rungs.last().cloned(), full(room));
            let plan = plan(&space, &lookup, 2, bytes);
            assert_eq!(plan.engine, engine);
            assert!(plan.why.contains(why), "{}", plan.why);
            // Asked for, it stands alone; where it does not fit, it is as if it had not been.
            let asked = told(&space, &lookup, bytes);
            assert!(asked == if room == Enough { rungs[rungs.len() - 1..].to_vec() } else { rungs }, "{asked:?}");
        }
        assert!(planned(3, 4, Wishes::default()).why.contains("the full table"));
        assert!(!planned(3, 5, Wishes::default()).why.contains("the full table"));
    }

    /// Tables stay when those above them are built, so each has what the ones before it left.
    #[test]
    fn rungs_have_room_beside_those_before_them() {
        let space = space(4, 4);
        let [below, above] = [1, 2].map(|number| Tables::of(&space)[number].footprint(&space, 2));
        let kept = Tables::of(&space)[0].footprint(&space, 2).kept + below.kept;
        for (bytes, room) in [(kept + above.peak, Room::Enough), (kept + above.peak - 1, Room::TooLittle)] {
            assert_eq!(told(&space, &Wishes::default(), bytes)[2], ("7-8".to_string(), room));
        }
    }
}
