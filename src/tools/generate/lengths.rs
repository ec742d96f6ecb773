//! Round robin over lengths, for the same number of puzzles of each length.
//!
//! Each length takes its candidates from the seed's streams as if it were requested alone, so its
//! puzzles are the first ones of `--moves LENGTH` with that seed. The shortest length comes first.
//! If a length has no more boards, it is skipped. The number of boards is known in advance if they
//! are in a list.

use super::candidate::CandidateMaker;
use super::error::Error;
use super::population::count_distinct_boards;
use super::queue::Queue;
use super::spec::{Goals, Repeats};
use super::uniform::Solvability;

/// The queue of the puzzles of one length.
pub struct LengthQueue<'a> {
    pub maker: CandidateMaker<'a>,
    pub queue: Queue,
    /// The number of puzzles still to come.
    remaining: u64,
}

/// The queues of all lengths of a specification.
pub struct LengthQueues<'a> {
    queues: Vec<LengthQueue<'a>>,
    /// The index of the next length.
    turn: usize,
}

impl<'a> LengthQueues<'a> {
    /// Creates the queues of all lengths that exist. Together they give `count` puzzles.
    ///
    /// # Errors
    /// When each board has its own goal, no boards of these lengths can be found, or too few exist.
    pub fn new(maker: &CandidateMaker<'a>, count: u64) -> Result<LengthQueues<'a>, Error> {
        let Goals::Same(goal) = &maker.spec.goals else { return Err(Error::EvenOverGoals) };
        let (mut makers, mut failure) = (Vec::new(), None);
        for moves in maker.spec.moves.clone().into_iter().flatten() {
            let length_maker = maker.of_length(moves);
            match length_maker.difficulty().map(|difficulty| difficulty.listed_count(goal)).transpose() {
                Ok(_) => makers.push(length_maker),
                // There are no boards of this length, or they cannot be found. The same holds for
                // greater lengths.
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        if let (Some(error), true) = (failure, makers.is_empty()) {
            return Err(error);
        }
        let board_counts: Vec<u64> = match maker.spec.repeats {
            Repeats::Allowed => vec![u64::MAX; makers.len()],
            _ => makers
                .iter()
                .map(|maker| {
                    let (kind, request) = (Solvability::Solvable, (maker.spec.repeats, count));
                    Ok(count_distinct_boards(kind, maker.difficulty(), goal, request)?.unwrap_or(u64::MAX))
                })
                .collect::<Result<_, Error>>()?,
        };
        let shares = even_shares(count, &board_counts);
        let (found, asked, what) = (shares.iter().sum(), count, Solvability::Solvable.noun());
        if found < asked {
            return Err(Error::TooFew { found, asked, what });
        }
        let queue_of =
            |(maker, share)| LengthQueue { maker, queue: Queue::new(Solvability::Solvable, share), remaining: share };
        Ok(LengthQueues { queues: makers.into_iter().zip(shares).map(queue_of).collect(), turn: 0 })
    }

    /// Returns the queue whose turn it is; `None` if no puzzles remain.
    pub fn next(&mut self) -> Option<&mut LengthQueue<'a>> {
        let lengths = self.queues.len();
        let turn = (self.turn..self.turn + lengths).find(|turn| self.queues[turn % lengths].remaining > 0)? % lengths;
        self.turn = turn + 1;
        self.queues[turn].remaining -= 1;
        Some(&mut self.queues[turn])
    }
}

/// Splits a count as evenly as possible. Share `i` is at most `limits[i]`.
fn even_shares(count: u64, limits: &[u64]) -> Vec<u64> {
    let mut shares = vec![0; limits.len()];
    let mut remaining = count;
    let mut raise = count / (limits.len() as u64).max(1);
    // Each round raises all shares by the same amount, up to their limits. If the rest is smaller
    // than the number of shares below their limits, the first of these shares get one more each.
    while remaining > 0 {
        let room = |share: &u64, limit: &u64| limit.saturating_sub(*share);
        let open = shares.iter().zip(limits).filter(|(share, limit)| room(share, limit) > 0).count() as u64;
        if open == 0 {
            break;
        }
        for (share, limit) in shares.iter_mut().zip(limits) {
            let given = room(share, limit).min(raise.max(1)).min(remaining);
            (*share, remaining) = (*share + given, remaining - given);
        }
        raise = remaining / open;
    }
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
