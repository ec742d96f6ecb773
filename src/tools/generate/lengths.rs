//! Queues for the same number of puzzles of each length.
//!
//! Each length takes its candidates from the seed's streams as if it were requested alone, so its
//! puzzles are the first ones of `--moves LENGTH` with that seed. If a length has no more boards,
//! the others give more. The number of boards is known in advance if they are in a list.

use super::distinct::count_distinct_boards;
use super::error::Error;
use super::queue::Queue;
use super::spec::{Goals, Spec};
use super::uniform::Solvability;

/// Returns the queues of all lengths of a specification that exist, the shortest first. Together
/// they give the puzzles of the queue `all`.
///
/// # Errors
/// When each board has its own goal, no boards of these lengths can be found, or too few exist.
pub fn one_per_length<'a>(spec: &Spec, all: &Queue<'a>) -> Result<Vec<Queue<'a>>, Error> {
    let Goals::Same(goal) = &spec.goals else { return Err(Error::EvenOverGoals) };
    let (mut queues, mut board_counts, asked) = (Vec::new(), Vec::new(), all.asked);
    for moves in spec.moves.clone().into_iter().flatten() {
        let queue = all.of_moves(moves..=moves);
        match queue.difficulty.as_ref().map(|difficulty| difficulty.listed_count(goal)).transpose() {
            Ok(_) => {}
            Err(error) if queues.is_empty() => return Err(error),
            // There are no boards of this length, or they cannot be found. The same holds for
            // greater lengths.
            Err(_) => break,
        }
        let difficulty = queue.difficulty.as_ref();
        let boards = count_distinct_boards(Solvability::Solvable, difficulty, goal, (spec.repeats, asked))?;
        board_counts.push(boards.unwrap_or(u64::MAX));
        queues.push(queue);
    }
    let shares = even_shares(asked, &board_counts);
    let found = shares.iter().sum();
    if found < asked {
        return Err(Error::TooFew { found, asked, what: Solvability::Solvable.noun() });
    }
    queues.iter_mut().zip(shares).for_each(|(queue, share)| queue.asked = share);
    Ok(queues)
}

/// Splits a count as evenly as possible. Share `i` is at most `limits[i]`. If a rest remains, the
/// first shares below their limits get one more each.
fn even_shares(count: u64, limits: &[u64]) -> Vec<u64> {
    let at_level = |level: u64| limits.iter().map(move |&limit| limit.min(level));
    let fits = |level: u64| at_level(level).map(u128::from).sum::<u128>() <= u128::from(count);
    // The greatest level that all shares can reach, up to their limits.
    let (mut level, mut too_high) = (0, count.saturating_add(1));
    while level + 1 < too_high {
        let middle = level.midpoint(too_high);
        if fits(middle) {
            level = middle;
        } else {
            too_high = middle;
        }
    }
    let mut shares: Vec<u64> = at_level(level).collect();
    let rest = (count - shares.iter().sum::<u64>()) as usize;
    let open = shares.iter_mut().zip(limits).filter(|(share, limit)| **share < **limit);
    open.take(rest).for_each(|(share, _)| *share += 1);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_even_up_to_their_limits() {
        assert_eq!(even_shares(10, &[u64::MAX; 3]), [4, 3, 3]);
        assert_eq!(even_shares(2, &[u64::MAX; 3]), [1, 1, 0]);
        assert_eq!(even_shares(100, &[2, u64::MAX, 10]), [2, 88, 10]);
        assert_eq!(even_shares(100, &[2, 3]), [2, 3]);
        assert_eq!(even_shares(0, &[2, 3]), [0, 0]);
        assert_eq!(even_shares(7, &[0, 3, 9]), [0, 3, 4]);
    }
}
