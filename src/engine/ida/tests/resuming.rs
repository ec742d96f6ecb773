//! Tests that a search that is interrupted at any moment and resumed by another search gives the
//! same result as an uninterrupted one.

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::super::batch::Batched;
use super::super::collection::{Collection, PortableLookup};
use super::super::deepen::{IncumbentSource, search};
use super::super::list::Lists;
use super::super::partition::tables::PartitionTables;
use super::super::plain::Plain;
use super::*;
use crate::engine::search_log::Iteration;
use crate::engine::{SearchLog, SearchSnapshot};

/// The outcome of a run, its stats, and its iterations.
type RunResult = (Outcome, Stats, Vec<Iteration>);

/// A search with its options and the source of its incumbent.
#[derive(Clone, Copy)]
struct SearchSetup<'a> {
    expander: &'a dyn DynExpander,
    root: &'a dyn Nodes,
    bytes: usize,
    tie_break: TieBreak,
    incumbent: Option<IncumbentSource<'a>>,
}

impl SearchSetup<'_> {
    /// Runs the search, from the snapshot `earlier` if there is one, and stops it after
    /// `stop_after` nodes. Returns the result, the new snapshot, and the number of nodes generated
    /// in this run.
    fn run(
        self,
        threads: usize,
        earlier: Option<SearchSnapshot>,
        stop_after: u64,
    ) -> (RunResult, Option<SearchSnapshot>, u64) {
        let SearchSetup { expander, root, bytes, tie_break, incumbent } = self;
        let stop = AtomicBool::new(false);
        let stopping = StoppingExpander { expander, stop: &stop, nodes: AtomicU64::new(0), after: stop_after };
        let log = SearchLog::after(earlier);
        log.begin("heuristic");
        let solve = |thread_share: &ThreadShare| {
            let (mut lists, mut stats) = (Lists::default(), Stats::default());
            let budget = Budget::start(&Limits::default(), &stop);
            let context =
                Context { tie_break, incumbent, help_from: 0, log: log.clone(), ..Context::new(&budget, thread_share) };
            (search(&stopping, root, (&context, bytes), &mut lists, &mut stats), stats)
        };
        let (outcome, stats) = if threads == 1 { solve(&ThreadShare::alone()) } else { with_threads(threads, solve) };
        ((outcome, stats, log.iterations()), log.snapshot(), stopping.nodes.into_inner())
    }
}

/// Returns the snapshot after a round trip through its file format.
fn round_trip(snapshot: &SearchSnapshot) -> SearchSnapshot {
    serde_json::from_str(&serde_json::to_string(snapshot).unwrap()).unwrap()
}

/// Interrupts a search repeatedly and resumes it, alternately on one thread and on three. Asserts
/// that the result is that of an uninterrupted search. Returns the outcome.
fn interrupt_and_resume(setup: SearchSetup<'_>) -> Outcome {
    let (uninterrupted, _, nodes) = setup.run(1, None, u64::MAX);
    assert!(matches!(uninterrupted.0, Outcome::Solved(_)));
    for divisor in [5, 12] {
        let (mut earlier, mut interruptions, mut stop_after) = (None::<SearchSnapshot>, 0, nodes / divisor);
        let result = loop {
            let threads = if interruptions % 2 == 0 { 1 } else { 3 };
            let (result, snapshot, _) = setup.run(threads, earlier.as_ref().map(round_trip), stop_after);
            let Outcome::Unsolved { lower_bound, limit: Limit::Cancelled } = result.0 else { break result };
            if let Some(earlier) = &earlier {
                let now = snapshot.as_ref().expect("a resumed search has a snapshot");
                assert!((now.bound, now.parts_done()) >= (earlier.bound, earlier.parts_done()));
                assert!(lower_bound >= earlier.bound.into());
            }
            earlier = snapshot;
            interruptions += 1;
            // Each run rebuilds the list, and should get further than the previous run.
            stop_after += nodes / 50 + 1;
        };
        assert!(interruptions >= 2, "divisor {divisor}: interrupted {interruptions} times");
        assert_eq!(result, uninterrupted, "divisor {divisor}");
        // A search resumed from the last snapshot does not start over.
        let (again, _, nodes_again) = setup.run(1, earlier.as_ref().map(round_trip), u64::MAX);
        assert_eq!(again, uninterrupted);
        assert!(nodes_again < nodes, "{nodes_again} of {nodes} nodes");
    }
    uninterrupted.0
}

/// Runs a test with a search over a partition, for one of Korf's boards.
fn over_a_partition(test: impl FnOnce(SearchSetup<'_>)) {
    let (goal, boards) = korf(&[5]);
    let frame = Frame::new(&goal).unwrap();
    let space = frame.space();
    let guide = PartitionTables::<u64, 4>::new(space, &tables(space, "5-5-5"), &Automaton::build(2)).unwrap();
    let expander = Batched { guide, instruction_set: InstructionSet::best() };
    let root = &*expander.root_node(frame.admit(&boards[0].0).unwrap().state());
    test(SearchSetup { expander: &expander, root, bytes: 100_000, tie_break: TieBreak::Canonical, incumbent: None });
}

#[test]
fn a_canonical_search_is_resumed() {
    over_a_partition(|setup| {
        interrupt_and_resume(setup);
    });
}

#[test]
fn a_search_with_a_heuristic_is_resumed() {
    let (goal, boards) = korf(&[5]);
    let frame = Frame::new(&goal).unwrap();
    let space = frame.space();
    let heuristic = Arc::new(WalkingConflict::new(space.shape, space.goal_blank));
    let expander = Plain::<u64, _>::new(&heuristic, space);
    let root = &*expander.root_node(frame.admit(&boards[0].0).unwrap().state());
    for tie_break in TieBreak::OPTIONS {
        interrupt_and_resume(SearchSetup { expander: &expander, root, bytes: 100_000, tie_break, incumbent: None });
    }
}

#[test]
fn a_search_over_a_collection_is_resumed() {
    let (goal, boards) = korf(&[17]);
    let frame = Frame::new(&goal).unwrap();
    let space = frame.space();
    let databases = databases_of(space, "5-5-5+6-6-3");
    let guide = Collection::<PortableLookup>::new(space, &databases, &collection_automaton(8)).unwrap();
    let expander = Batched { guide, instruction_set: InstructionSet::best() };
    let root = &*expander.root_node(frame.admit(&boards[0].0).unwrap().state());
    for tie_break in TieBreak::OPTIONS {
        let setup = SearchSetup { expander: &expander, root, bytes: 30_000, tie_break, incumbent: None };
        let outcome = interrupt_and_resume(setup);
        if tie_break == TieBreak::Any {
            let Outcome::Solved(path) = outcome else { panic!("{outcome:?}") };
            proven_by_an_incumbent(setup, &path);
        }
    }
}

/// If the incumbent is a shortest path, it is returned without the last iteration. A longer
/// incumbent only adds the nodes spent on finding it. In both cases the search can be resumed.
fn proven_by_an_incumbent(setup: SearchSetup<'_>, path: &Path) {
    let (uninterrupted, ..) = setup.run(1, None, u64::MAX);
    // Any other path of this length will do, because paths are not replayed here.
    let other: Path = path.moves().map(|step| step.inverse()).collect();
    let longer: Path = path.moves().chain(path.moves().take(2)).collect();
    for (given, expected) in [(&other, &other), (&longer, path)] {
        let find = |stats: &mut Stats| {
            stats.generated += 1_000_000;
            Some(given.clone())
        };
        let setup = SearchSetup { incumbent: Some(IncumbentSource { find: &find, after: 2 }), ..setup };
        assert_eq!(interrupt_and_resume(setup), Outcome::Solved(expected.clone()));
        let ((_, stats, iterations), ..) = setup.run(1, None, u64::MAX);
        let search_nodes = iterations.iter().map(|iteration| iteration.nodes).sum::<u64>();
        assert_eq!(stats.generated, search_nodes + 1_000_000);
        let skipped = if expected == path { 0 } else { 1 };
        assert_eq!(iterations, uninterrupted.2[..uninterrupted.2.len() - skipped]);
    }
}

/// A snapshot of another list or with other tables, and one that no search can have written, are
/// ignored.
#[test]
fn only_the_same_search_is_resumed() {
    over_a_partition(|setup| {
        let (uninterrupted, _, nodes) = setup.run(1, None, u64::MAX);
        let (_, snapshot, _) = setup.run(1, None, nodes / 2);
        let snapshot = snapshot.unwrap();
        let huge = Stats { expanded: u64::MAX, generated: u64::MAX };
        let foreign = [
            SearchSnapshot { heuristic: "others".into(), ..snapshot.clone() },
            SearchSnapshot { list_checksum: snapshot.list_checksum ^ 1, ..snapshot.clone() },
            SearchSnapshot { parts: snapshot.parts + 1, ..snapshot.clone() },
            SearchSnapshot { bound: snapshot.bound + 1, ..snapshot.clone() },
            SearchSnapshot { bound: 0, ..snapshot.clone() },
            SearchSnapshot { first_incomplete: snapshot.parts + 9, ..snapshot.clone() },
            SearchSnapshot { stats_before_first_incomplete: huge, ..snapshot.clone() },
            SearchSnapshot { stats_before_parts: huge, ..snapshot.clone() },
            SearchSnapshot { depths: vec![7; 3], ..snapshot.clone() },
        ];
        for foreign in foreign {
            assert_eq!(setup.run(1, Some(foreign), u64::MAX).0, uninterrupted);
        }
        // With different memory for lists, the search is different.
        let other = SearchSetup { bytes: 60_000, ..setup };
        assert_eq!(other.run(1, Some(snapshot), u64::MAX).0, other.run(1, None, u64::MAX).0);
    });
}
