use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::sync::atomic::AtomicBool;

use super::*;
use crate::board::frame::Frame;
use crate::board::{Cell, Goal, Move, Shape, State};
use crate::heuristic::WalkingConflict;
use crate::system::{Limits, Random};

/// Runs textbook A*: a heap ordered by f, deeper nodes first. It continues until no node with f up
/// to the distance is left, as the canonical path requires. Returns the distance and the number of
/// states generated.
fn textbook(heuristic: &WalkingConflict, space: &Space, start: &State) -> (u16, u64) {
    let cells = space.shape.cells();
    let lower_bound = |state: &State| WalkingConflict::h(heuristic.root(state));
    let key = |state: &State| state.pack_wide(cells);
    let mut states = vec![(*start, None)];
    let mut best = HashMap::from([(key(start), 0u16)]);
    let mut heap = BinaryHeap::from([(Reverse(lower_bound(start)), 0u16, 0usize)]);
    let (mut generated, mut distance) = (1, u16::MAX);
    while let Some((Reverse(f), g, index)) = heap.pop() {
        if f > distance {
            break;
        }
        let (state, last): (State, Option<Move>) = states[index];
        if best[&key(&state)] < g {
            continue;
        }
        if state == space.goal() {
            distance = g;
            continue;
        }
        for step in Move::ALL.into_iter().filter(|step| Some(step.inverse()) != last) {
            let Some(child) = state.after(space.shape, step) else { continue };
            generated += 1;
            let child_g = best.entry(key(&child)).or_insert(u16::MAX);
            if *child_g > g + 1 {
                *child_g = g + 1;
                states.push((child, Some(step)));
                heap.push((Reverse(g + 1 + lower_bound(&child)), g + 1, states.len() - 1));
            }
        }
    }
    (distance, generated)
}

/// A* in layers generates as many nodes as A* with a queue: each of them expands every state with
/// f* up to the distance once.
#[test]
fn node_counts_match_the_textbook() {
    let shape = Shape::new(4, 4).unwrap();
    let goal = Goal::BlankLast.on(shape).unwrap();
    let frame = Frame::new(&goal).unwrap();
    let heuristic = Arc::new(WalkingConflict::new(shape, Cell::new(15)));
    let (mut random, mut totals) = (Random::new(13), [0, 0]);
    for _ in 0..30 {
        let mut board = goal.clone();
        for _ in 0..120 {
            let step = Move::from_index(random.bits() as u8);
            board = board.after(step).unwrap_or(board);
        }
        let start = frame.admit(&board).unwrap();
        let (distance, expected) = textbook(&heuristic, frame.space(), start.state());
        let stop = AtomicBool::new(false);
        let mut stats = Stats::default();
        let budget = Budget::start(&Limits::default(), &stop);
        match solve(&heuristic, frame.space(), &start, &budget, &ThreadShare::alone(), 1 << 30, &mut stats) {
            Outcome::Solved(path) => assert_eq!(path.len(), usize::from(distance)),
            outcome => panic!("{outcome:?}"),
        }
        assert_eq!(stats.generated, expected, "{board:?}");
        totals[0] += stats.generated;
        totals[1] += expected;
    }
    assert!(totals[0] > 50_000, "boards too easy to compare");
}
