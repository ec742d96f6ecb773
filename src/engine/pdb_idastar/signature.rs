//! A signature of the search: how many nodes it generates over fixed boards, on one thread.
//!
//! A change of the search changes these numbers, and one that means not to must leave them alone. All
//! instruction sets count the same.

use std::sync::atomic::AtomicBool;

use super::tests::tables;
use super::*;
use crate::board::frame::Frame;
use crate::board::{Board, Goal, Shape, Tile};
use crate::engine::ThreadShare;
use crate::system::{Limits, Random};

static RUNNING: AtomicBool = AtomicBool::new(false);

/// What every instruction set that the processor has generates for the boards, in the order of [`InstructionSet::ALL`]: for
/// canonical paths, and for any.
fn generated(goal: &Board, partition: &str, depth: usize, boards: &[Board]) -> [Vec<(InstructionSet, u64)>; 2] {
    let frame = Frame::new(goal).unwrap();
    let space = frame.space();
    let sum = tables(space, partition);
    let automaton = Automaton::build(depth);
    let count = |instruction_set, tie_break| {
        let engine = PdbIdaStar::on(instruction_set, space, &sum, &automaton)?.with_tie_break(tie_break);
        let (mut scratch, mut stats) = (Scratch::default(), Stats::default());
        for board in boards {
            let budget = Budget::start(&Limits::default(), &RUNNING);
            let outcome =
                engine.solve(&frame.admit(board).unwrap(), &budget, &ThreadShare::alone(), &mut scratch, &mut stats);
            assert!(matches!(outcome, Outcome::Solved(_)), "{board:?}: {outcome:?}");
        }
        Some((instruction_set, stats.generated))
    };
    TieBreak::ALL.map(|tie_break| InstructionSet::ALL.into_iter().filter_map(|set| count(set, tie_break)).collect())
}

/// Korf's boards (1985) by number; all of them where none is named.
fn korf(ids: &[usize]) -> Vec<Board> {
    let rows = include_str!("../../../tests/data/korf100.csv").lines().skip(1);
    let board = |row: &str| {
        let mut fields = row.split(',');
        let id: usize = fields.next()?.parse().ok()?;
        let tiles: Vec<Tile> = fields.next()?.split(' ').map(|tile| Tile::new(tile.parse().unwrap())).collect();
        (ids.is_empty() || ids.contains(&id)).then(|| Board::new(Shape::new(4, 4).unwrap(), &tiles).unwrap())
    };
    rows.filter_map(board).collect()
}

/// Boards at the end of random walks of this many moves.
fn walks(goal: &Board, moves: usize, boards: usize) -> Vec<Board> {
    let mut random = Random::new(5);
    let mut walk = || {
        let (mut board, mut made) = (goal.clone(), 0);
        while made < moves {
            if let Some(next) = board.after(crate::board::Move::from_index(random.index(4) as u8)) {
                (board, made) = (next, made + 1);
            }
        }
        board
    };
    (0..boards).map(|_| walk()).collect()
}

/// The one number that all instruction sets count.
fn agreed(counted: &[(InstructionSet, u64)]) -> u64 {
    let (first, nodes) = counted[0];
    for &(instruction_set, other) in counted {
        assert_eq!(other, nodes, "{instruction_set:?} beside {first:?}");
    }
    nodes
}

/// The ten boards with the fewest nodes in Korf's paper, and walks on other shapes, goals and partitions.
#[test]
fn small_sets() {
    let goal = |rows, cols, goal: Goal| goal.on(Shape::new(rows, cols).unwrap()).unwrap();
    let first = goal(4, 4, Goal::BlankFirst);
    // Its blank belongs at an edge: a mirror with tables of its own.
    let edge = goal(4, 4, "1,2,3,4/5,6,7,8/9,10,11,12/13,14,0,15".parse::<Goal>().unwrap());
    let last = goal(3, 4, Goal::BlankLast);
    let snail = goal(4, 5, Goal::Snail);
    let counted = [
        generated(&first, "6-6-3", 10, &korf(&[12, 16, 55, 79, 42, 97, 48, 28, 30, 19])),
        generated(&edge, "6-6-3", 10, &walks(&edge, 200, 10)),
        generated(&last, "6-5", 10, &walks(&last, 2000, 20)),
        generated(&snail, "5-5-5-4", 13, &walks(&snail, 80, 10)),
    ]
    .map(|counted| counted.map(|counted| agreed(&counted)));
    assert_eq!(counted, [[52_200, 37_265], [121_272, 90_403], [23_681, 19_930], [30_256, 21_277]]);
}

/// Korf's hundred with the real `7-8` and the automaton that goes with it; the blank's goal in the corner.
#[test]
#[ignore = "builds tables of 196 MB in 410 MB; run in release by scripts/cross-check"]
fn korfs_hundred() {
    let first = Goal::BlankFirst.on(Shape::new(4, 4).unwrap()).unwrap();
    let boards = korf(&[]);
    assert_eq!(boards.len(), 100);
    let counted = generated(&first, "7-8", 12, &boards).map(|counted| agreed(&counted));
    assert_eq!(counted, [1_432_611, 885_888]);
}
