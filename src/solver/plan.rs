//! The plan for the boards of a [`Space`]: the engine, the heuristic, the memory, and the reason.
//!
//! The plan is computed by a pure function, [`Planner::plan`], which uses neither files nor clocks.
//! So it is tested with lists of cases.

use super::settings::{EnginePreference, HeuristicChoice, HeuristicKind};
use super::tables::TableSet;
use crate::board::frame::Space;
use crate::engine::good::{Description, Search};
use crate::engine::{EngineKind, full_table, lookup};
use crate::heuristic::pdb::Pattern;
use crate::system::{Footprint, MemoryBudget};

/// The plan for the boards of one space.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Plan {
    /// The engine.
    pub engine: EngineKind,
    /// The heuristic, if the engine uses one.
    pub heuristic: Option<HeuristicKind>,
    /// The size in bytes of the lookup table, or of the memory of searches for good paths; 0 for
    /// other engines.
    pub bytes: u64,
    /// The reason, in words for the user.
    pub why: String,
}

/// Maximum number of cells for which a table of all states can be built in a few milliseconds.
const AT_ONCE_CELLS: usize = 10;

/// Tables that a run may build, their cost, and whether they fit into its memory.
#[derive(Clone, PartialEq, Debug)]
pub struct PlannedTables {
    /// The tables.
    pub tables: TableSet,
    /// Their memory.
    pub footprint: Footprint,
    /// The approximate seconds that one thread takes to build them, excluding the tables of earlier
    /// tiers.
    pub build_seconds: f64,
    /// True if they may be built. Then neither their build nor the build of any earlier tables
    /// exceeds the memory that is left at that time.
    pub fits: bool,
}

/// The inputs of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Planner<'a> {
    /// The space of the boards.
    pub space: &'a Space,
    /// The requested engine and heuristic.
    pub preference: &'a EnginePreference,
    /// The number of threads that build tables.
    pub threads: usize,
    /// Maximum bytes of all tables.
    pub bytes: u64,
}

impl Planner<'_> {
    /// Returns the tables that may be built with a plan, in order: the full table, the requested
    /// partition or collection, or the tiers. Empty if the plan has none of these.
    ///
    /// Whether tables fit is checked as if no other space had tables. All tiers after the first
    /// one that does not fit are marked as too large. If the requested tables do not fit, the tiers
    /// follow them.
    pub fn planned_tables(&self, plan: &Plan) -> Vec<PlannedTables> {
        let &Planner { space, threads, .. } = self;
        let (mut built, memory_budget): (Vec<Pattern>, _) = (Vec::new(), MemoryBudget::new(self.bytes));
        let mut planned = |tables: TableSet| {
            let footprint = tables.footprint(space, threads, &built);
            let build_seconds = tables.build_cost(space, &built) / 1e9;
            // Tables that fit are kept when later ones are built.
            let fits = memory_budget.build(footprint, || Some(())).is_some();
            if fits {
                built.extend_from_slice(tables.shared());
            }
            PlannedTables { tables, footprint, build_seconds, fits }
        };
        if plan.heuristic != Some(HeuristicKind::Patterns) {
            let full = plan.engine == EngineKind::Lookup && full_table::is_for(space.shape);
            return full.then(|| planned(TableSet::Full)).into_iter().collect();
        }
        let requested = TableSet::requested(space, self.preference).map(&mut planned);
        if let Some(requested @ PlannedTables { fits: true, .. }) = requested {
            return vec![requested];
        }
        let mut tiers: Vec<PlannedTables> = TableSet::of(space).into_iter().map(planned).collect();
        if let Some(first) = tiers.iter().position(|tier| !tier.fits) {
            tiers[first..].iter_mut().for_each(|tier| tier.fits = false);
        }
        requested.into_iter().chain(tiers).collect()
    }

    /// Returns the plan.
    pub fn plan(&self) -> Plan {
        use EngineKind::{AStar, Bidirectional, Good, IdaStar, Line, Lookup};
        let (shape, cells) = (self.space.shape, self.space.shape.cells());
        if shape.is_line() {
            return line();
        }
        let full = full_table::is_for(shape);
        // The memory of the table of all states, if the shape has one.
        let table = match cells {
            _ if full => Some((full_table::Table::footprint(shape, self.threads), full_table::Table::bytes_of(shape))),
            ..=lookup::MAX_INSTANT_CELLS => Some((lookup::Table::footprint(shape), lookup::Table::bytes_of(shape))),
            _ => None,
        };
        let fits = table.is_some_and(|(footprint, _)| self.fits(footprint));
        let requested = || "the engine was requested".to_string();
        let (engine, why) = match (self.preference.engine, table) {
            (Some(Lookup), Some(_)) if fits => (Lookup, requested()),
            (Some(Lookup), Some((footprint, _))) if full => {
                let needed = footprint.peak.div_ceil(1_000_000);
                (IdaStar, format!("lookup was requested, but needs {needed} MB to build"))
            }
            (Some(engine), _) if cells > engine.max_cells() => {
                (IdaStar, format!("{engine} was requested, but supports at most {} cells", engine.max_cells()))
            }
            (Some(Lookup), _) => (IdaStar, "lookup was requested, but needs more than the available memory".into()),
            (Some(engine @ (AStar | Bidirectional)), _) => (engine, requested()),
            (Some(IdaStar | Line | Good), _) => (IdaStar, requested()),
            (None, Some(_)) if cells > AT_ONCE_CELLS => {
                (IdaStar, "a table of all states pays off only after some ten thousand boards".into())
            }
            (None, Some(_)) if fits => (Lookup, "all states are searched once".into()),
            (None, Some(_)) => (IdaStar, "there is too little memory for a table of all states".into()),
            (None, None) => (IdaStar, format!("{cells} cells have too many states for a table")),
        };
        match (engine, table) {
            (Lookup, Some((_, bytes))) => Plan { engine, heuristic: None, bytes, why },
            (Bidirectional, _) => Plan { engine, heuristic: None, bytes: 0, why },
            _ => self.guided(engine, &why),
        }
    }

    /// Returns the plan as reported to the user. Its reason also says if requested tables do not
    /// fit. Checking this computes the layouts of the tables, which can take longer than solving a
    /// board.
    pub fn reported(&self, plan: Plan) -> Plan {
        let requested = TableSet::requested(self.space, self.preference);
        match requested.filter(|_| plan.heuristic == Some(HeuristicKind::Patterns)) {
            Some(tables) if !self.fits(tables.footprint(self.space, self.threads, &[])) => {
                Plan { why: format!("{}, but does not fit; {}", plan.why, self.tiers()), ..plan }
            }
            _ => plan,
        }
    }

    /// Returns true if tables of this footprint fit if there are no others.
    fn fits(&self, footprint: Footprint) -> bool {
        footprint.peak <= self.bytes
    }

    /// Describes the search with tiers, for users.
    fn tiers(&self) -> String {
        let names = TableSet::of(self.space).iter().map(TableSet::name).collect::<Vec<_>>().join(", then ");
        format!("begins with walking-conflict, and builds {names}, each once it is likely to pay off")
    }

    fn guided(&self, engine: EngineKind, why: &str) -> Plan {
        let (heuristic, chosen) = match (&self.preference.heuristic, engine) {
            (HeuristicChoice::Partition(name), EngineKind::IdaStar) => {
                let chosen = match TableSet::parse(name, self.space) {
                    Ok(tables) => format!("{} was requested", tables.name()),
                    Err(error) => format!("{error}; {}", self.tiers()),
                };
                (HeuristicKind::Patterns, chosen)
            }
            (HeuristicChoice::Kind(kind), _) if *kind != HeuristicKind::Patterns => {
                (*kind, format!("{} was requested", kind.name()))
            }
            (HeuristicChoice::Auto, EngineKind::IdaStar) if self.preference.has_node_limit => (
                HeuristicKind::WalkingConflict,
                "no tables, because results with a node limit must not depend on when they are built".into(),
            ),
            (_, EngineKind::IdaStar) => (HeuristicKind::Patterns, self.tiers()),
            _ => (HeuristicKind::WalkingConflict, "the heuristic is the strongest without large tables".into()),
        };
        Plan { engine, heuristic: Some(heuristic), bytes: 0, why: format!("{why}; {chosen}") }
    }
}

/// Returns the plan for a single row or column.
pub fn line() -> Plan {
    let why = "a single row or column needs no search".into();
    Plan { engine: EngineKind::Line, heuristic: None, bytes: 0, why }
}

/// Returns the plan for good paths by these searches.
pub fn good(searches: &Description, why: &str) -> Plan {
    let name = |Search { name, width }: &Search| match width {
        0 => (*name).to_string(),
        width => format!("{name} of {width}"),
    };
    let names: Vec<String> = searches.searches.iter().map(name).collect();
    let why = format!("{why} ({})", names.join(", "));
    Plan { engine: EngineKind::Good, heuristic: None, bytes: searches.memory_bytes, why }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Cell, Move, Shape};

    fn space(rows: usize, cols: usize) -> Space {
        let shape = Shape::new(rows, cols).unwrap();
        Space { shape, goal_blank: Cell::new(rows * cols - 1), order: Move::ALL }
    }

    fn planned(rows: usize, cols: usize, preference: EnginePreference) -> Plan {
        Planner { space: &space(rows, cols), preference: &preference, threads: 2, bytes: 4 << 30 }.plan()
    }

    /// Returns the names of the tiers of a space, and whether they fit into this memory.
    fn named_tables(space: &Space, preference: &EnginePreference, bytes: u64) -> Vec<(String, bool)> {
        let planner = Planner { space, preference, threads: 2, bytes };
        let tiers = planner.planned_tables(&planner.plan());
        assert!(tiers.iter().all(|tier| !tier.fits || tier.footprint.peak <= bytes));
        tiers.iter().map(|tier| (tier.tables.name(), tier.fits)).collect()
    }

    #[test]
    fn small_boards_are_looked_up_and_large_ones_searched() {
        use EngineKind::{IdaStar, Line, Lookup};
        let cases = [
            (1, 1, Line),
            (1, 25, Line),
            (2, 2, Lookup),
            (3, 3, Lookup),
            (2, 4, Lookup),
            (2, 5, Lookup),
            (3, 4, IdaStar),
            (5, 5, IdaStar),
        ];
        for (rows, cols, engine) in cases {
            assert_eq!(planned(rows, cols, EnginePreference::default()).engine, engine, "{rows}x{cols}");
        }
    }

    /// Each case has an amount of memory, and says which of 6-6-3, 7-7-1 and 7-8 fit into this
    /// memory. Then 7-8 is requested, with and without memory for it.
    #[test]
    fn no_table_exceeds_the_memory() {
        let space = space(4, 4);
        let with = |heuristic| EnginePreference { heuristic, ..EnginePreference::default() };
        let names_with = |heuristic, bytes| named_tables(&space, &with(heuristic), bytes);
        let requested = || HeuristicChoice::Partition("7-8".into());
        let tiers = |fits: [bool; 3]| ["6-6-3", "7-7-1", "7-8"].map(String::from).into_iter().zip(fits);
        for (memory, fits) in [
            (4 << 30, [true, true, true]),
            (300 << 20, [true, true, false]),
            (50 << 20, [true, false, false]),
            (1 << 20, [false; 3]),
        ] {
            assert!(names_with(HeuristicChoice::Auto, memory).into_iter().eq(tiers(fits)), "{memory}");
        }
        assert_eq!(names_with(HeuristicChoice::Kind(HeuristicKind::Patterns), 4 << 30).len(), 3);
        assert_eq!(names_with(requested(), 4 << 30), [("7-8".into(), true)]);
        let mut fallback = vec![("7-8".to_string(), false)];
        fallback.extend(tiers([true, true, false]));
        assert_eq!(names_with(requested(), 300 << 20), fallback);
        // No tables are built for another heuristic.
        assert!(names_with(HeuristicChoice::Kind(HeuristicKind::Manhattan), 4 << 30).is_empty());
    }

    #[test]
    fn preferences_are_followed_if_possible() {
        let idastar = EnginePreference {
            engine: Some(EngineKind::IdaStar),
            heuristic: HeuristicChoice::Kind(HeuristicKind::Manhattan),
            ..EnginePreference::default()
        };
        let plan = planned(3, 3, idastar);
        assert_eq!((plan.engine, plan.heuristic), (EngineKind::IdaStar, Some(HeuristicKind::Manhattan)));
        let lookup = EnginePreference { engine: Some(EngineKind::Lookup), ..EnginePreference::default() };
        assert_eq!(planned(2, 2, lookup.clone()).engine, EngineKind::Lookup);
        let plan = planned(4, 4, lookup.clone());
        assert_eq!(plan.engine, EngineKind::IdaStar);
        assert!(plan.why.contains("at most 12 cells"), "{}", plan.why);
        assert_eq!(planned(2, 6, lookup).engine, EngineKind::Lookup);
    }

    /// On 12 cells the full table is the last tier, and the only one if it was requested and fits.
    /// On 15 cells there is none.
    #[test]
    fn the_full_table_is_built_if_it_fits() {
        let space = space(3, 4);
        let full = |fit| Some(("the full table".to_string(), fit));
        let lookup = EnginePreference { engine: Some(EngineKind::Lookup), ..EnginePreference::default() };
        for (bytes, fit, engine, why) in [
            (200_000_000, true, EngineKind::Lookup, "requested"),
            (50_000_000, false, EngineKind::IdaStar, "MB to build"),
        ] {
            let tiers = named_tables(&space, &EnginePreference::default(), bytes);
            assert_eq!(tiers.first(), Some(&("6-5".to_string(), true)));
            assert_eq!(tiers.last().cloned(), full(fit));
            let plan = Planner { space: &space, preference: &lookup, threads: 2, bytes }.plan();
            assert_eq!(plan.engine, engine);
            assert!(plan.why.contains(why), "{}", plan.why);
            // If a requested full table does not fit, the tiers are the default ones.
            let requested = named_tables(&space, &lookup, bytes);
            let expected = if fit { tiers[tiers.len() - 1..].to_vec() } else { tiers };
            assert_eq!(requested, expected);
        }
        assert!(planned(3, 4, EnginePreference::default()).why.contains("the full table"));
        assert!(!planned(3, 5, EnginePreference::default()).why.contains("the full table"));
    }

    /// Tables are kept when later ones are built, so each tier has only the memory that earlier
    /// ones left.
    #[test]
    fn tables_must_fit_together_with_earlier_ones() {
        let space = space(4, 4);
        let [below, above] = [1, 2].map(|number| TableSet::of(&space)[number].footprint(&space, 2, &[]));
        let needed = TableSet::of(&space)[0].footprint(&space, 2, &[]).kept + below.kept + above.peak;
        for (bytes, fit) in [(needed, true), (needed - 1, false)] {
            assert_eq!(named_tables(&space, &EnginePreference::default(), bytes)[2], ("7-8".to_string(), fit));
        }
    }
}
