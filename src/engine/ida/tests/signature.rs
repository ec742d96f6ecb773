//! A signature of the searches: the number of nodes that they generate for fixed boards on one
//! thread.
//!
//! A change of the search algorithm changes these numbers. Any other change must leave them as they
//! are. All instruction sets give the same counts.

use super::*;

/// Returns the total number of nodes generated for the boards: first with canonical paths, then
/// with any shortest paths.
fn generated(goal: &Board, partition: &str, depth: usize, boards: &[Board]) -> [u64; 2] {
    let frame = Frame::new(goal).unwrap();
    let (space, sum) = (frame.space(), tables(frame.space(), partition));
    let automaton = Automaton::build(depth);
    let search = |instruction_set| over_partition(instruction_set, space, &sum, &automaton);
    let searches = Searches { searches: InstructionSet::ALL.into_iter().filter_map(search).collect(), frame };
    TieBreak::OPTIONS.map(|tie_break| {
        boards.iter().map(|board| searches.outcome(board, tie_break, Scratch::BYTES, None).1.generated).sum()
    })
}

/// Returns `boards` boards, each at the end of a random walk of `moves` moves from the goal.
fn walks(goal: &Board, moves: usize, boards: usize) -> Vec<Board> {
    let mut random = Random::new(5);
    let mut walk = || {
        let (mut board, mut made) = (goal.clone(), 0);
        while made < moves {
            if let Some(next) = board.after(Move::from_index(random.index(4) as u8)) {
                (board, made) = (next, made + 1);
            }
        }
        board
    };
    (0..boards).map(|_| walk()).collect()
}

fn korf_boards(ids: &[usize]) -> Vec<Board> {
    korf(ids).1.into_iter().map(|(board, _)| board).collect()
}

/// Searches the ten boards with the fewest nodes in Korf's paper, and boards of other shapes, goals
/// and partitions.
#[test]
fn small_sets() {
    let goal = |rows, cols, goal: Goal| goal.on(Shape::new(rows, cols).unwrap()).unwrap();
    let first = goal(4, 4, Goal::BlankFirst);
    // A goal with the blank at an edge, whose mirror image needs separate tables.
    let edge = goal(4, 4, "1,2,3,4/5,6,7,8/9,10,11,12/13,14,0,15".parse::<Goal>().unwrap());
    let last = goal(3, 4, Goal::BlankLast);
    let snail = goal(4, 5, Goal::Snail);
    let counted = [
        generated(&first, "6-6-3", 10, &korf_boards(&[12, 16, 19, 28, 30, 42, 48, 55, 79, 97])),
        generated(&edge, "6-6-3", 10, &walks(&edge, 200, 10)),
        generated(&last, "6-5", 10, &walks(&last, 2000, 20)),
        generated(&snail, "5-5-5-4", 13, &walks(&snail, 80, 10)),
    ];
    assert_eq!(counted, [[52_200, 37_268], [121_272, 90_420], [23_681, 20_482], [30_256, 21_337]]);
}

/// Searches Korf's hundred boards with the partition `7-8`.
#[test]
#[ignore = "builds tables of 196 MB; run in release by scripts/cross-check"]
fn korfs_hundred() {
    let first = Goal::BlankFirst.on(Shape::new(4, 4).unwrap()).unwrap();
    let all: Vec<usize> = (1..=100).collect();
    assert_eq!(generated(&first, "7-8", 12, &korf_boards(&all)), [1_431_503, 886_838]);
}

/// Searches with walking-conflict and with a collection of pattern databases, in so little memory
/// that lists are frozen early.
#[test]
fn frozen_lists() {
    let (goal, _) = korf(&[]);
    let boards = korf_boards(&[12, 55, 79]);
    let counted = ["walking-conflict", "5-5-5+6-6-3"].map(|guide| {
        let searches = Searches::new(&goal, guide);
        TieBreak::OPTIONS.map(|tie_break| {
            boards.iter().map(|board| searches.outcome(board, tie_break, 30_000, None).1.generated).sum::<u64>()
        })
    });
    assert_eq!(counted, [[81_523, 80_431], [6_610, 8_916]]);
}
