//! A search that is ended at any moment, and another that goes on from there: together they are one that nothing disturbed.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use super::deepen::{Means, Settings, Told, search};
use super::expand::Expand;
use super::lists::Lists;
use super::proof_by_bound::Asking;
use super::tests::{Engines, Stopping, korf, set_of, with_threads};
use super::{Kind, set};
use crate::board::Path;
use crate::engine::automaton::DeepAutomaton;
use crate::engine::search_log::Iteration;
use crate::engine::{Halfway, Outcome, SearchLog, Stats, ThreadShare, TieBreak};
use crate::system::{Budget, InstructionSet, Limit, Limits};

/// How a search ended, and what is told of it.
type Ended = (Outcome, Stats, Vec<Iteration>);

/// A search, and whom it may ask for a path.
struct Task<'a, E: Expand> {
    expander: &'a E,
    root: E::Node,
    asking: Option<Asking<'a>>,
}

impl<E: Expand> Clone for Task<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Expand> Copy for Task<'_, E> {}

/// Goes on from where another search stood, and is stopped when it has expanded so many chunks; also where it stands then.
fn run<E: Expand>(
    Task { expander, root, asking }: Task<'_, E>,
    settings: Settings,
    threads: usize,
    earlier: Option<Halfway>,
    after: u64,
) -> (Ended, Option<Halfway>, u64) {
    let stop = AtomicBool::new(false);
    let stopping = Stopping { expander, stop: &stop, chunks: AtomicU64::new(0), after };
    let log = SearchLog::after(earlier);
    log.begin("these");
    let solve = |thread_share: &ThreadShare| {
        let (mut lists, mut stats) = (Lists::default(), Stats::default());
        let budget = Budget::start(&Limits::default(), &stop);
        let means = Means { budget: &budget, thread_share, settings, told: Told { log: &log, ask: asking } };
        (search(&stopping, root, &means, &mut lists, &mut stats), stats)
    };
    let (outcome, stats) = if threads == 1 { solve(&ThreadShare::alone()) } else { with_threads(threads, solve) };
    ((outcome, stats, log.iterations()), log.halfway(), stopping.chunks.into_inner())
}

/// As it is kept in a file.
fn kept(halfway: &Halfway) -> Halfway {
    serde_json::from_str(&serde_json::to_string(halfway).unwrap()).unwrap()
}

/// Ends a search again and again, and has others go on, on one thread and on three in turns.
fn ended_and_gone_on<E: Expand>(search: Task<'_, E>, settings: Settings) -> Outcome {
    let (undisturbed, _, chunks) = run(search, settings, 1, None, u64::MAX);
    assert!(matches!(undisturbed.0, Outcome::Solved(_)));
    for parts in [3, 12] {
        let (mut earlier, mut ends, mut after) = (None::<Halfway>, 0, chunks / parts);
        let ended = loop {
            let threads = if ends % 2 == 0 { 1 } else { 3 };
            let (ended, halfway, _) = run(search, settings, threads, earlier.as_ref().map(kept), after);
            let Outcome::Unsolved { lower_bound, limit: Limit::Cancelled } = ended.0 else { break ended };
            if let Some(earlier) = &earlier {
                let now = halfway.as_ref().expect("nothing is forgotten");
                assert!((now.bound, now.parts_done()) >= (earlier.bound, earlier.parts_done()));
                assert!(lower_bound >= earlier.bound.into());
            }
            earlier = halfway;
            ends += 1;
            // The list is made again each time, and must not be all that is done.
            after += chunks / 50 + 1;
        };
        assert!(ends >= 2, "{parts} parts: it was ended {ends} times");
        assert_eq!(ended, undisturbed, "{parts} parts");
        // The last one had little left to do.
        let (again, _, few) = run(search, settings, 1, earlier.as_ref().map(kept), u64::MAX);
        assert_eq!(again, undisturbed);
        assert!(few < chunks, "{few} of {chunks} chunks");
    }
    undisturbed.0
}

fn settings(bytes: usize, tie_break: TieBreak) -> Settings {
    Settings { tie_break, help_from: 0, ..Settings::new(bytes) }
}

#[test]
fn a_canonical_search_goes_on_where_another_was_ended() {
    let (goal, boards) = korf(&[5]);
    let engines = Engines::new(&goal, "5-5-5");
    let Kind::Narrow4(expander) = &engines.1[0].kind else { panic!("three patterns are searched as four") };
    let root = expander.tables.root(engines.0.admit(&boards[0].0).unwrap().state());
    let task = Task { expander: &**expander, root, asking: None };
    ended_and_gone_on(task, settings(100_000, TieBreak::Canonical));
}

#[test]
fn a_search_over_a_set_goes_on_where_another_was_ended() {
    let (goal, boards) = korf(&[5]);
    let engines = Engines::new(&goal, "5-5-5+6-6-3");
    let space = engines.0.space();
    let state = *engines.0.admit(&boards[0].0).unwrap().state();
    let set = set_of(space, "5-5-5+6-6-3");
    let automaton = Arc::new(DeepAutomaton::build(8, 5, 1, &AtomicBool::new(false)).unwrap());
    for tie_break in TieBreak::ALL {
        let tables = set::Tables::new(space, &set, &automaton).unwrap();
        let search = set::SetSearch::new(InstructionSet::best(), tables);
        let root = set::root(&search.tables, &state);
        let task = Task { expander: &search, root, asking: None };
        let outcome = ended_and_gone_on(task, settings(30_000, tie_break));
        if tie_break == TieBreak::Any {
            let Outcome::Solved(path) = outcome else { panic!("it is solved") };
            proven_by_a_path_from_elsewhere(task, &path);
        }
    }
}

/// A path from elsewhere is the answer where it is a shortest one, without the last iteration; one that is longer changes nothing
/// but the nodes that it took. In both cases searches go on where others were ended.
fn proven_by_a_path_from_elsewhere(task: Task<'_, set::SetSearch>, path: &Path) {
    let any = settings(30_000, TieBreak::Any);
    let (undisturbed, ..) = run(task, any, 1, None, u64::MAX);
    // Any other of as many letters will do: paths are replayed elsewhere.
    let other: Path = path.moves().map(|step| step.inverse()).collect();
    let longer: Path = path.moves().chain(path.moves().take(2)).collect();
    for (given, expected) in [(&other, &other), (&longer, path)] {
        let ask = |stats: &mut Stats| {
            stats.generated += 1_000_000;
            Some(given.clone())
        };
        let asking = Some(Asking { ask: &ask, from: 2 });
        assert_eq!(ended_and_gone_on(Task { asking, ..task }, any), Outcome::Solved(expected.clone()));
        let ((_, stats, iterations), ..) = run(Task { asking, ..task }, any, 1, None, u64::MAX);
        let of_search = iterations.iter().map(|iteration| iteration.nodes).sum::<u64>();
        assert_eq!(stats.generated, of_search + 1_000_000);
        let last = if expected == path { 0 } else { 1 };
        assert_eq!(iterations, undisturbed.2[..undisturbed.2.len() - last]);
    }
}

/// What is kept of a search below another list, by other tables, or of no search at all is not gone on from, and does no harm.
#[test]
fn only_the_same_search_is_gone_on_from() {
    let (goal, boards) = korf(&[5]);
    let engines = Engines::new(&goal, "5-5-5");
    let Kind::Narrow4(expander) = &engines.1[0].kind else { panic!("three patterns are searched as four") };
    let root = expander.tables.root(engines.0.admit(&boards[0].0).unwrap().state());
    let search = Task { expander: &**expander, root, asking: None };
    let canonical = settings(100_000, TieBreak::Canonical);
    let (undisturbed, _, chunks) = run(search, canonical, 1, None, u64::MAX);
    let (_, halfway, _) = run(search, canonical, 1, None, chunks / 2);
    let halfway = halfway.unwrap();
    let much = Stats { expanded: u64::MAX, generated: u64::MAX };
    let strange = [
        Halfway { heuristic: "others".into(), ..halfway.clone() },
        Halfway { list: halfway.list ^ 1, ..halfway.clone() },
        Halfway { parts: halfway.parts + 1, ..halfway.clone() },
        Halfway { bound: halfway.bound + 1, ..halfway.clone() },
        Halfway { bound: 0, ..halfway.clone() },
        Halfway { first: halfway.parts + 9, ..halfway.clone() },
        Halfway { first_stats: much, ..halfway.clone() },
        Halfway { before: much, ..halfway.clone() },
        Halfway { depths: vec![7; 3], ..halfway.clone() },
    ];
    for strange in strange {
        assert_eq!(run(search, canonical, 1, Some(strange), u64::MAX).0, undisturbed);
    }
    // With another memory for lists the search is another one.
    let other = settings(60_000, TieBreak::Canonical);
    assert_eq!(run(search, other, 1, Some(halfway), u64::MAX).0, run(search, other, 1, None, u64::MAX).0);
}
