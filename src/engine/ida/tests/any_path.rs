//! A test of [`TieBreak::Any`], which compares its paths with the canonical ones.

use super::*;
use crate::board::replay::replay;

/// The path leads to the goal and is as long as the canonical one, and node limits are respected.
#[test]
fn any_path_is_as_short_as_the_canonical_one() {
    let mut random = Random::new(3);
    let cases = [
        (3, 3, "4-4", 400),
        (3, 4, "4-4-3", 300),
        (4, 4, "5-5-5", 80),
        (5, 5, "4-4-4-4-4-4", 44),
        (4, 4, "5-5-5+6-6-3", 120),
        (3, 3, "linear-conflict", 400),
        (3, 4, "walking-conflict", 300),
    ];
    for (rows, cols, guide, moves) in cases {
        let goal = Goal::BlankLast.on(Shape::new(rows, cols).unwrap()).unwrap();
        let searches = Searches::new(&goal, guide);
        let mut different = 0;
        for number in 0..8 {
            let board = walked(&goal, moves + number % 2, &mut random);
            let bytes = LIST_BYTES[number % LIST_BYTES.len()];
            let canonical = searches.path(&board, bytes);
            let (any, unlimited) = (TieBreak::Any, searches.outcome(&board, TieBreak::Any, bytes, None));
            let (Outcome::Solved(found), Stats { generated, .. }) = &unlimited else { panic!("{board:?}") };
            assert_eq!(found.len(), canonical.len(), "{board:?}");
            replay(&board, &goal, found.letters()).unwrap();
            different += usize::from(*found != canonical);
            assert_eq!(searches.outcome(&board, any, bytes, Some(*generated)), unlimited);
            let (limited, stats) = searches.outcome(&board, any, bytes, Some(generated - 1));
            assert!(matches!(limited, Outcome::Unsolved { .. }) && stats.generated == generated - 1, "{board:?}");
        }
        assert!(different > 0, "{guide}");
    }
}
