//! Tests that a search that is interrupted at any moment and resumed by another search gives the
//! same result as an uninterrupted one.

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::super::batch::Batched;
use super::super::collection::{Collection, Portable};
use super::super::deepen::{Source, search};
use super::super::list::Lists;
use super::super::partition::tables::Tables;
use super::super::plain::Plain;
use super::*;
use crate::engine::search_log::Iteration;
use crate::engine::{SearchLog, SearchSnapshot};

/// The outcome of a run, its stats, and its iterations.
type RunResult = (Outcome, Stats, Vec<Iteration>);

/// A search with its options and the source of its incumbent.
struct Task<'a, E: Expander> {
    expander: &'a E,
    root: E::Node,
    bytes: usize,
    tie_break: TieBreak,
    incumbent: Option<Source<'a>>,
}

impl<E: Expander> Clone for Task<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Expander> Copy for Task<'_, E> {}

impl<E: Expander> Task<'_, E> {
    /// Runs the search, from a snapshot if one is given, and stops it after `after` nodes. Returns
    /// the result, the new snapshot, and the number of nodes generated.
    fn run(
        self,
        threads: usize,
        earlier: Option<SearchSnapshot>,
        after: u64,
    ) -> (RunResult, Option<SearchSnapshot>, u64) {
        let Task { expander, root, bytes, tie_break, incumbent } = self;
        let stop = AtomicBool::new(false);
        let stopping = Stopping { expander, stop: &stop, nodes: AtomicU64::new(0), after };
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

/// Interrupts a search repeatedly and resumes it, alternately on one thread and on three.
fn interrupt_and_resume<E: Expander>(task: Task<'_, E>) -> Outcome {
    let (uninterrupted, _, nodes) = task.run(1, None, u64::MAX);
    assert!(matches!(uninterrupted.0, Outcome::Solved(_)));
    for parts in [5, 12] {
        let (mut earlier, mut interruptions, mut after) = (None::<SearchSnapshot>, 0, nodes / parts);
        let result = loop {
            let threads = if interruptions % 2 == 0 { 1 } else { 3 };
            let (result, snapshot, _) = task.run(threads, earlier.as_ref().map(round_trip), after);
            let Outcome::Unsolved { lower_bound, limit: Limit::Cancelled } = result.0 else { break result };
            if let Some(earlier) = &earlier {
                let now = snapshot.as_ref().expect("a resumed search has a snapshot");
                assert!((now.bound, now.parts_done()) >= (earlier.bound, earlier.parts_done()));
                assert!(lower_bound >= earlier.bound.into());
            }
            earlier = snapshot;
            interruptions += 1;
            // Each run rebuilds the list, and should get further than the previous run.
            after += nodes / 50 + 1;
        };
        assert!(interruptions >= 2, "{parts} parts: interrupted {interruptions} times");
        assert_eq!(result, uninterrupted, "{parts} parts");
        // A search resumed from the last snapshot does not start over.
        let (again, _, nodes_again) = task.run(1, earlier.as_ref().map(round_trip), u64::MAX);
        assert_eq!(again, uninterrupted);
        assert!(nodes_again < nodes, "{nodes_again} of {nodes} nodes");
    }
    uninterrupted.0
}

/// Runs a test with the search over a partition for one of Korf's boards.
fn over_a_partition(test: impl FnOnce(Task<'_, Batched<Tables<u64, 4>>>)) {
    let (goal, boards) = korf(&[5]);
    let frame = Frame::new(&goal).unwrap();
    let space = frame.space();
    let guide = Tables::new(space, &tables(space, "5-5-5"), &Automaton::build(2)).unwrap();
    let expander = Batched { guide, instruction_set: InstructionSet::best() };
    let root = expander.root(frame.admit(&boards[0].0).unwrap().state());
    test(Task { expander: &expander, root, bytes: 100_000, tie_break: TieBreak::Canonical, incumbent: None });
}

#[test]
fn a_canonical_search_is_resumed() {
    over_a_partition(|task| {
        interrupt_and_resume(task);
    });
}

#[test]
fn a_search_with_a_heuristic_is_resumed() {
    let (goal, boards) = korf(&[5]);
    let frame = Frame::new(&goal).unwrap();
    let space = frame.space();
    let heuristic = Arc::new(WalkingConflict::new(space.shape, space.goal_blank));
    let expander = Plain::<u64, _>::new(&heuristic, space);
    let root = expander.root(frame.admit(&boards[0].0).unwrap().state());
    for tie_break in TieBreak::OPTIONS {
        interrupt_and_resume(Task { expander: &expander, root, bytes: 100_000, tie_break, incumbent: None });
    }
}

#[test]
fn a_search_over_a_collection_is_resumed() {
    let (goal, boards) = korf(&[17]);
    let frame = Frame::new(&goal).unwrap();
    let space = frame.space();
    let databases = databases_of(space, "5-5-5+6-6-3");
    let guide = Collection::<Portable>::new(space, &databases, &collection_automaton(8)).unwrap();
    let expander = Batched { guide, instruction_set: InstructionSet::best() };
    let root = expander.root(frame.admit(&boards[0].0).unwrap().state());
    for tie_break in TieBreak::OPTIONS {
        let task = Task { expander: &expander, root, bytes: 30_000, tie_break, incumbent: None };
        let outcome = interrupt_and_resume(task);
        if tie_break == TieBreak::Any {
            let Outcome::Solved(path) = outcome else { panic!("{outcome:?}") };
            proven_by_an_incumbent(task, &path);
        }
    }
}

/// If the incumbent is a shortest path, it is returned without the last iteration. A longer
/// incumbent only adds the nodes spent on finding it. In both cases the search can be resumed.
fn proven_by_an_incumbent(task: Task<'_, Batched<Collection<Portable>>>, path: &Path) {
    let (uninterrupted, ..) = task.run(1, None, u64::MAX);
    // Any other path of this length will do, because paths are not replayed here.
    let other: Path = path.moves().map(|step| step.inverse()).collect();
    let longer: Path = path.moves().chain(path.moves().take(2)).collect();
    for (given, expected) in [(&other, &other), (&longer, path)] {
        let find = |stats: &mut Stats| {
            stats.generated += 1_000_000;
            Some(given.clone())
        };
        let task = Task { incumbent: Some(Source { find: &find, after: 2 }), ..task };
        assert_eq!(interrupt_and_resume(task), Outcome::Solved(expected.clone()));
        let ((_, stats, iterations), ..) = task.run(1, None, u64::MAX);
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
    over_a_partition(|task| {
        let (uninterrupted, _, nodes) = task.run(1, None, u64::MAX);
        let (_, snapshot, _) = task.run(1, None, nodes / 2);
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
            assert_eq!(task.run(1, Some(foreign), u64::MAX).0, uninterrupted);
        }
        // With different memory for lists, the search is different.
        let other = Task { bytes: 60_000, ..task };
        assert_eq!(other.run(1, Some(snapshot), u64::MAX).0, other.run(1, None, u64::MAX).0);
    });
}
