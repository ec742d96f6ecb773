//! The breadth-first search from the goal that writes all words.
//!
//! A state is reached from all its closer neighbours. Its path is the smallest letter that leads to
//! one of them, followed by that neighbour's path.
//!
//! A layer has one list for each cell of the blank, so the moves are the same for all states of a
//! list. The remaining decisions, whether a neighbour is new and whether its letter is smaller, are
//! made without branches, which would be mispredicted.

use super::states::{MAX_PLIES, PARITY, Ranks, goal, slides};
use crate::board::frame::Space;
use crate::system::Zeroed;

/// The strings of a layer, in one list for each cell of the blank.
struct Layer {
    strings: Vec<u32>,
    /// The capacity of a list: one more than the maximum number of its states, because
    /// [`Layer::push_if`] always writes.
    capacity: usize,
    lens: Vec<usize>,
}

impl Layer {
    fn new(cells: usize, max_states: usize) -> Layer {
        let capacity = max_states + 1;
        Layer { strings: vec![0; cells * capacity], capacity, lens: vec![0; cells] }
    }

    fn list(&self, blank: usize) -> &[u32] {
        &self.strings[blank * self.capacity..][..self.lens[blank]]
    }

    /// Adds a string if `wanted`, without a branch.
    #[inline(always)]
    fn push_if(&mut self, wanted: bool, blank: usize, string: u32) {
        self.strings[blank * self.capacity + self.lens[blank]] = string;
        self.lens[blank] += usize::from(wanted);
    }

    fn clear(&mut self) {
        self.lens.fill(0);
    }

    fn is_empty(&self) -> bool {
        self.lens.iter().all(|&len| len == 0)
    }
}

/// Returns the words of a space's states by rank; `None` if a path does not fit.
pub fn words(space: &Space, ranks: &Ranks) -> Option<Zeroed<u64>> {
    let (cells, per_cell) = (space.shape.cells(), ranks.orders_per_cell as usize);
    let slides = slides(space);
    let mut words = Zeroed::<u64>::new(cells * per_cell);
    let (mut layer, mut next) = (Layer::new(cells, per_cell), Layer::new(cells, per_cell));

    let (blank, string) = goal(space);
    let (goal_slot, odd) = ranks.slot(blank, ranks.order(string));
    words[goal_slot] = 1 | odd;
    layer.push_if(true, blank, string);
    for plies in 0..=MAX_PLIES {
        // A path that is one move longer, shifted by this much, leaves only the 1 bit after its
        // last move. In the last layer nothing is left, because a longer path does not fit.
        let one_longer = (2 * (plies + 1)).min(63);
        for (blank, slides) in slides.iter().enumerate() {
            for &string in layer.list(blank) {
                let order = ranks.order(string);
                let path = words[ranks.slot(blank, order).0] & !PARITY;
                for slide in slides {
                    let string = slide.after(string);
                    let order = if slide.is_sideways() { order } else { ranks.order(string) };
                    let (slot, odd) = ranks.slot(slide.to, order);
                    let present = words[slot];
                    let is_new = present == 0;
                    let is_smaller = ((present & !PARITY) >> one_longer == 1) & (slide.back < present & 3);
                    // In the last layer this word is wrong, because the path does not fit. Then the
                    // state is in a further layer, so the search fails.
                    let longer = path << 2 | slide.back | odd;
                    words[slot] = if is_new | is_smaller { longer } else { present };
                    next.push_if(is_new, slide.to, string);
                }
            }
        }
        std::mem::swap(&mut layer, &mut next);
        next.clear();
    }
    layer.is_empty().then_some(words)
}
