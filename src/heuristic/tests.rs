//! Tests of the contract of heuristics, on whole graphs and on random walks.

use super::*;
use crate::board::{Cell, MAX_SEARCH_CELLS, Move, Ranking, Shape, State};
use crate::system::Random;

/// Passes every heuristic and its name to a check.
fn with_all(shape: Shape, goal_blank: Cell, check: &mut impl Check) {
    check.check("manhattan", &Manhattan::new(shape, goal_blank));
    check.check("linear conflict", &LinearConflict::new(shape, goal_blank));
    check.check("walking distance", &WalkingDistance::new(shape, goal_blank));
    check.check("walking conflict", &WalkingConflict::new(shape, goal_blank));
    for simple in [
        SimpleHeuristic::Manhattan(Manhattan::new(shape, goal_blank)),
        SimpleHeuristic::LinearConflict(LinearConflict::new(shape, goal_blank)),
        SimpleHeuristic::WalkingDistance(WalkingDistance::new(shape, goal_blank)),
    ] {
        check.check("one of the simple heuristics", &simple);
    }
}

trait Check {
    fn check<H: Heuristic>(&mut self, name: &str, heuristic: &H);
}

fn step(state: &State, blank_to: Cell, blank_move: Move) -> Step {
    let (tile, from) = (state.home(blank_to).index() as u8, blank_to.index() as u8);
    Step { tile, from, to: state.blank().index() as u8, blank: blank_move }
}

fn neighbours(shape: Shape, state: State) -> impl Iterator<Item = (Step, State)> {
    Move::ALL.into_iter().filter_map(move |blank_move| {
        let blank_to = shape.neighbour(state.blank(), blank_move)?;
        Some((step(&state, blank_to, blank_move), state.after(shape, blank_move)?))
    })
}

/// Returns the distance to the goal of every state, by rank, from a plain breadth-first search.
fn distances(shape: Shape, ranking: &Ranking, goal: &State) -> Vec<u8> {
    let mut distances = vec![u8::MAX; ranking.states()];
    let mut queue = vec![ranking.rank(goal)];
    distances[queue[0]] = 0;
    let mut head = 0;
    while head < queue.len() {
        let rank = queue[head];
        head += 1;
        for (_, next) in neighbours(shape, ranking.unrank(rank)) {
            let next = ranking.rank(&next);
            if distances[next] == u8::MAX {
                distances[next] = distances[rank] + 1;
                queue.push(next);
            }
        }
    }
    assert_eq!(queue.len(), ranking.states());
    distances
}

struct WholeGraph {
    shape: Shape,
    ranking: Ranking,
    distances: Vec<u8>,
    /// The difference between one checked rank and the next.
    stride: usize,
}

impl Check for WholeGraph {
    fn check<H: Heuristic>(&mut self, name: &str, heuristic: &H) {
        let WholeGraph { shape, ranking, distances, stride } = self;
        for rank in (0..ranking.states()).step_by(*stride) {
            let (state, distance) = (ranking.unrank(rank), u16::from(distances[rank]));
            let value = heuristic.root(&state);
            let h = H::h(value);
            assert!(h <= distance, "{name} {shape}: {h} > {distance} for {state:?}");
            assert_eq!(h % 2, distance % 2, "{name} {shape}: {state:?}");
            for (step, next) in neighbours(*shape, state) {
                let cells = shape.cells();
                let after = H::h(heuristic.after(value, next.pack(cells), step));
                let wide = H::h(heuristic.after(value, next.pack_wide(cells), step));
                assert_eq!((after, wide), (h_of(heuristic, &next), after), "{name} {shape}: {step:?} to {next:?}");
                assert_eq!(after.abs_diff(h), 1, "{name} {shape}: {step:?} to {next:?}");
            }
        }
    }
}

fn h_of<H: Heuristic>(heuristic: &H, state: &State) -> u16 {
    H::h(heuristic.root(state))
}

fn whole_graph(rows: usize, cols: usize, goal_blanks: &[usize], stride: usize) {
    let shape = Shape::new(rows, cols).unwrap();
    for goal_blank in goal_blanks.iter().map(|&blank| Cell::new(blank)) {
        let ranking = Ranking::new(shape, goal_blank).unwrap();
        let distances = distances(shape, &ranking, &State::goal(shape, goal_blank));
        with_all(shape, goal_blank, &mut WholeGraph { shape, ranking, distances, stride });
    }
}

/// Heuristics are admissible, consistent, of the right parity, and incremental. This is checked for
/// every canonical goal cell of the blank. All states are checked; on 3×3, every fifth state and
/// its neighbours.
#[test]
fn the_contract_holds_on_whole_graphs() {
    whole_graph(2, 2, &[3], 1);
    whole_graph(2, 3, &[4, 5], 1);
    whole_graph(2, 4, &[6, 7], 1);
    whole_graph(3, 3, &[4, 7, 8], 5);
}

#[test]
fn the_contract_holds_on_a_sample_of_2x5() {
    whole_graph(2, 5, &[7], 37);
}

struct Walk {
    shape: Shape,
    goal_blank: Cell,
}

impl Check for Walk {
    fn check<H: Heuristic>(&mut self, name: &str, heuristic: &H) {
        let Walk { shape, goal_blank } = *self;
        let cells = shape.cells();
        let mut state = State::goal(shape, goal_blank);
        let mut value = heuristic.root(&state);
        assert_eq!(H::h(value), 0, "{name} {shape}");
        let (mut random, mut largest) = (Random::new(11), 0);
        for moves in 1..=20_000 {
            let successors: Vec<(Step, State)> = neighbours(shape, state).collect();
            let (step, next) = successors[random.index(successors.len())];
            let before = H::h(value);
            value = if cells <= 16 {
                heuristic.after(value, next.pack(cells), step)
            } else {
                heuristic.after(value, next.pack_wide(cells), step)
            };
            state = next;
            let h = H::h(value);
            assert_eq!(h, h_of(heuristic, &state), "{name} {shape}: {step:?} to {state:?}");
            assert_eq!(h.abs_diff(before), 1, "{name} {shape}: {step:?} to {state:?}");
            assert!(h <= moves, "{name} {shape}: {state:?}");
            largest = largest.max(h);
        }
        assert!(usize::from(largest) > cells, "{name} {shape}: the walk stayed near the goal");
    }
}

/// On larger shapes, the incremental value equals the value from scratch, and moves change it by 1.
#[test]
fn incremental_values_equal_values_from_scratch() {
    for (rows, cols, goal_blank) in [
        (3, 4, 11),
        (3, 4, 6),
        (4, 4, 15),
        (4, 4, 10),
        (2, 7, 13),
        (2, 7, 10),
        (3, 5, 7),
        (2, 8, 15),
        (4, 5, 19),
        (4, 6, 23),
        (3, 8, 12),
        (2, 12, 23),
        (5, 5, 24),
        (5, 5, 12),
    ] {
        let (shape, goal_blank) = (Shape::new(rows, cols).unwrap(), Cell::new(goal_blank));
        with_all(shape, goal_blank, &mut Walk { shape, goal_blank });
    }
}

/// The bounds are ordered as their definitions imply, on a board with many conflicts: the tiles are
/// in reverse order, but two are swapped so that there is a solution.
#[test]
fn stronger_bounds_are_no_smaller() {
    let (shape, goal_blank) = (Shape::new(4, 4).unwrap(), Cell::new(15));
    let mut homes = [0; MAX_SEARCH_CELLS];
    for (cell, home) in homes.iter_mut().enumerate().take(15) {
        *home = 14 - cell as u8;
    }
    homes[15] = 15;
    homes.swap(0, 1);
    let state = State::from_homes(homes, goal_blank);
    let manhattan = h_of(&Manhattan::new(shape, goal_blank), &state);
    let conflict = h_of(&LinearConflict::new(shape, goal_blank), &state);
    let walking = h_of(&WalkingDistance::new(shape, goal_blank), &state);
    let both = h_of(&WalkingConflict::new(shape, goal_blank), &state);
    assert!(manhattan <= conflict && manhattan <= walking, "{manhattan} {conflict} {walking}");
    assert!(both >= conflict.max(walking), "{both}");
}
