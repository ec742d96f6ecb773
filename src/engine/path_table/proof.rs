//! The verification that every word of a table is its state's canonical path.

use super::states::{PARITY, Ranks, goal, path_len, slides, strings};
use crate::board::frame::Space;

/// Returns a flaw of the table, if there is one. The table is correct if
///
/// 1. every word contains a path; the word's slot (its index) and parity bit determine its state;
/// 2. the goal's path is empty, and no other path is;
/// 3. every other path is a move followed by the path of the state that this move leads to;
/// 4. the lengths of neighbours differ by exactly one, and their words have the parity bits of
///    their orders;
/// 5. no letter smaller than a path's first leads to a state with a shorter path.
///
/// By 2 and 3 every path ends at the goal, so every word's state is solvable. There are as many
/// words as solvable states, so every solvable state has a word. By 4 no state's path in the table
/// is longer than its shortest path, because along the latter the lengths in the table fall by at
/// most one per move. By 3 and 5 each path is the lexicographically first of the shortest paths.
///
/// The states are visited in the order of the table, which is ten times as fast as other orders.
/// Flaws are accumulated and reported at the end, so the loop has no branches.
pub fn flaw(ranks: &Ranks, words: &[u64], space: &Space) -> Option<&'static str> {
    if words.iter().any(|word| word & !PARITY == 0) {
        return Some("the word of a state is empty");
    }
    let strings = strings(space.shape);
    let orders = 2 * ranks.orders_per_cell;
    if strings.len() != orders as usize
        || !strings.iter().zip(0..).all(|(&string, rank)| ranks.orders.rank(string) == Some(rank))
    {
        return Some("the orders have wrong ranks");
    }

    let goal = goal(space);
    let (mut wrong_empty, mut wrong_neighbour, mut wrong_path) = (false, false, false);
    for (blank, slides) in slides(space).iter().enumerate() {
        for half in 0..ranks.orders_per_cell {
            let word = words[ranks.slot(blank, 2 * half).0];
            let (order, path) = (2 * half + (word >> 63) as u32, word & !PARITY);
            let string = strings[order as usize];
            let is_goal = (blank, string) == goal;
            wrong_empty |= (path == 1) != is_goal;
            // A path that is one move shorter or longer, shifted by this much, leaves only the 1
            // bit after its last move. A shift by 63 never leaves 1. It stands for a path shorter
            // than the goal's, or longer than the maximum: neither exists.
            let shorter = (2 * path_len(path)).checked_sub(2).unwrap_or(63);
            let longer = (2 * path_len(path) + 2).min(63);
            let (mut continues, mut first) = (false, NO_LETTER);
            for slide in slides {
                let order = if slide.is_sideways() { order } else { ranks.order(slide.after(string)) };
                let (slot, odd) = ranks.slot(slide.to, order);
                // The letter of a move is the inverse of the letter that undoes it.
                let (there, letter) = (words[slot] ^ odd, 3 - slide.back);
                let is_closer = (there & !PARITY) >> shorter == 1;
                let is_further = (there & !PARITY) >> longer == 1;
                wrong_neighbour |= (there & PARITY != 0) | !(is_closer | is_further);
                first = first.min(if is_closer { letter } else { NO_LETTER });
                continues |= is_closer & (letter == path & 3) & (there == path >> 2);
            }
            wrong_path |= !is_goal & (!continues | (first != path & 3));
        }
    }
    match (wrong_empty, wrong_neighbour, wrong_path) {
        (true, ..) => Some("a path other than the goal's is empty, or the goal's is not"),
        (_, true, _) => Some("the lengths of two neighbours do not differ by one, or a word has the wrong parity bit"),
        (.., true) => Some("a path is not the smallest letter to a closer neighbour, followed by the neighbour's path"),
        (false, false, false) => None,
    }
}

/// A number greater than that of any letter.
const NO_LETTER: u64 = 4;
