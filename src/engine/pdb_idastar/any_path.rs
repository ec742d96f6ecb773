//! Any shortest path over partitions: against the canonical one, and against itself with every instruction set, any memory and
//! any number of threads.

use super::tests::{Engines, MEMORIES, helped_is_alone, memory, shuffled, walked};
use super::*;
use crate::board::replay::replay;
use crate::board::{Board, Goal, Shape};
use crate::system::Random;

/// An engine for the canonical path, and one for any: with all instruction sets.
fn both(goal: &Board, partition: &str) -> [Engines; 2] {
    TieBreak::ALL.map(|tie_break| {
        let Engines(frame, engines) = Engines::new(goal, partition);
        Engines(frame, engines.into_iter().map(|engine| engine.with_tie_break(tie_break)).collect())
    })
}

/// As long as the canonical path, and one that leads to the goal; a limit of nodes is kept to.
#[test]
fn any_path_is_as_short() {
    let mut random = Random::new(3);
    for (rows, cols, partition, moves) in
        [(3, 3, "4-4", 400), (3, 4, "4-4-3", 300), (4, 4, "5-5-5", 80), (5, 5, "4-4-4-4-4-4", 44)]
    {
        let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        let [canonical, any] = both(&goal, partition);
        let mut others = 0;
        for number in 0..MEMORIES.len() {
            let board = walked(&goal, moves + number % 2, &mut random);
            let settings = MEMORIES[number % MEMORIES.len()];
            let first = canonical.path(&board, settings);
            let (Outcome::Solved(found), some) = any.outcome(&board, settings, None) else { panic!("{board:?}") };
            assert_eq!(found.len(), first.len(), "{board:?}");
            replay(&board, &goal, found.letters()).unwrap();
            others += usize::from(found != first);
            let (limited, less) = any.outcome(&board, settings, Some(some.generated - 1));
            assert!(matches!(limited, Outcome::Unsolved { .. }) && less.generated == some.generated - 1, "{board:?}");
        }
        assert!(others > 0, "{partition}");
    }
}

#[test]
fn helpers_change_neither_path_nor_count_nor_list_of_any_path() {
    let mut random = Random::new(9);
    let cases = [(3, 4, "4-4-3", 200), (4, 4, "3-3-3-3-3", 34), (5, 5, "4-4-4-4-4-4", 36)];
    for (rows, cols, partition, moves) in cases {
        let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        let [_, any] = both(&goal, partition);
        for number in 0..3 {
            helped_is_alone(&any, &walked(&goal, moves + number % 2, &mut random), &[2, 5], &MEMORIES);
        }
    }
    // A list that is frozen while many threads work on it.
    let goal = Goal::BlankLast.on(Shape::new(4, 4).unwrap()).unwrap();
    let [_, any] = both(&goal, "5-5-5");
    let board = (0..).map(|_| shuffled(goal.shape(), &mut random)).find(|board| any.0.admit(board).is_some()).unwrap();
    helped_is_alone(&any, &board, &[2, 8], &[memory(400_000, 1 << 18), memory(50_000, 300)]);
}
