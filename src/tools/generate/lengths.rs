//! Round robin over lengths, for the same number of puzzles of each length.
//!
//! Each length takes its candidates from the seed's streams as if it were requested alone, so its
//! puzzles are the first ones of `--moves LENGTH` with that seed. The shortest length comes first.
//! If a length has no more boards, it is skipped. The number of boards is known in advance if they
//! are in a list.

use super::candidate::CandidateMaker;
use super::error::Error;
use super::population::different_boards;
use super::queue::Queue;
use super::spec::{Goals, Repeats};
use super::uniform::Solvability;

/// The puzzles of one length.
pub struct Length<'a> {
    pub maker: CandidateMaker<'a>,
    pub queue: Queue,
    /// The number of puzzles still to come.
    left: u64,
}

/// The lengths of a specification.
pub struct Lengths<'a> {
    all: Vec<Length<'a>>,
    /// The index of the next length.
    turn: usize,
}

impl<'a> Lengths<'a> {
    /// Creates the queues of all lengths that exist. Together they give `count` puzzles.
    ///
    /// # Errors
    /// When too few such boards exist.
    pub fn new(maker: &CandidateMaker<'a>, count: u64) -> Result<Lengths<'a>, Error> {
        let Goals::Same(goal) = &maker.spec.goals else { return Err(Error::EvenOverGoals) };
        let (mut makers, mut failure) = (Vec::new(), None);
        for moves in maker.spec.moves.clone().into_iter().flatten() {
            let of_length = maker.of_length(moves);
            match of_length.difficulty().map(|difficulty| difficulty.listed(goal)).transpose() {
                Ok(_) => makers.push(of_length),
                // No boards are farther, or none are known.
                Err(error) => {
                    failure = Some(error);
                    break;
                }
            }
        }
        if let (Some(error), true) = (failure, makers.is_empty()) {
            return Err(error);
        }
        let boards: Vec<u64> = match maker.spec.repeats {
            Repeats::Allowed => vec![u64::MAX; makers.len()],
            _ => makers
                .iter()
                .map(|maker| {
                    let (kind, asked) = (Solvability::Solvable, (maker.spec.repeats, count));
                    Ok(different_boards(kind, maker.difficulty(), goal, asked)?.unwrap_or(u64::MAX))
                })
                .collect::<Result<_, Error>>()?,
        };
        let shares = even_shares(count, &boards);
        let (found, asked, what) = (shares.iter().sum(), count, Solvability::Solvable.noun());
        if found < asked {
            return Err(Error::TooFew { found, asked, what });
        }
        let length = |(maker, left)| Length { maker, queue: Queue::new(Solvability::Solvable, left), left };
        Ok(Lengths { all: makers.into_iter().zip(shares).map(length).collect(), turn: 0 })
    }

    /// Returns the length whose turn it is; `None` if no puzzles are left.
    pub fn next(&mut self) -> Option<&mut Length<'a>> {
        let lengths = self.all.len();
        let turn = (self.turn..self.turn + lengths).find(|turn| self.all[turn % lengths].left > 0)? % lengths;
        self.turn = turn + 1;
        self.all[turn].left -= 1;
        Some(&mut self.all[turn])
    }
}

/// Splits a count as evenly as possible. Share `i` is at most `most[i]`.
fn even_shares(count: u64, most: &[u64]) -> Vec<u64> {
    let mut shares = vec![0; most.len()];
    let mut left = count;
    let mut level = count / (most.len() as u64).max(1);
    // Each round raises all shares by the same amount, up to their limits. At the end there is less
    // left than one for each share, and the first ones get it.
    while left > 0 {
        let room = |share: &u64, most: &u64| most.saturating_sub(*share);
        let open = shares.iter().zip(most).filter(|(share, most)| room(share, most) > 0).count() as u64;
        if open == 0 {
            break;
        }
        for (share, most) in shares.iter_mut().zip(most) {
            let given = room(share, most).min(level.max(1)).min(left);
            (*share, left) = (*share + given, left - given);
        }
        level = left / open;
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
