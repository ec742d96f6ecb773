//! The moves from every cell, looked up by the blank's cell and the last move.

use super::frontier::Node;
use crate::board::Cell;
use crate::board::frame::Space;

/// The moves from every cell, smallest letter first, without the one that undoes the last.
#[derive(Clone, Debug)]
pub(super) struct MoveTable {
    space: Space,
    /// cell × 8 + last letter (or [`Node::START`]) → up to four moves of 16 bits, the next one lowest:
    /// 5 bits the cell where the blank arrives, 2 the letter, 2 the frame's move, 1 that is set.
    moves: [u64; 256],
}

impl MoveTable {
    const SET: u64 = 1 << 9;

    pub(super) fn new(space: &Space) -> MoveTable {
        let mut moves = [0; 256];
        for cell in 0..space.shape.cells() {
            for last in 0..=Node::<(), ()>::START {
                let undo = (last < 4).then(|| space.order[usize::from(last)].inverse());
                let word = &mut moves[cell << 3 | usize::from(last)];
                let mut place = 0;
                for (letter, to) in space.steps(Cell::new(cell)) {
                    let step = space.order[letter.index()];
                    if undo != Some(step) {
                        let bits = to.index() | letter.index() << 5 | step.index() << 7;
                        *word |= (bits as u64 | MoveTable::SET) << place;
                        place += 16;
                    }
                }
            }
        }
        MoveTable { space: *space, moves }
    }

    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    #[inline(always)]
    pub(super) fn from(&self, cell: u8, last: u8) -> u64 {
        self.moves[usize::from(cell & 31) << 3 | usize::from(last & 7)]
    }
}
