//! What a beam kept, layer by layer, for those who learn from it.
//!
//! The search itself forgets whom it does not need. A record keeps all values and parents, and the boards of a few members
//! that it draws by chance.

use super::position::Position;
use crate::system::scramble;

/// Of so many layers one is drawn from, and so many of its members are drawn.
const LAYERS: u64 = 2;
const MEMBERS: usize = 50;

/// What one beam kept.
#[derive(Debug)]
pub struct Record {
    seed: u64,
    words: u64,
    layers: Vec<Layer>,
    drawn: Vec<Drawn>,
}

/// The members of a layer, in their order.
#[derive(Debug)]
pub struct Layer {
    /// Their values.
    pub values: Vec<i32>,
    /// Parent's number in the layer before × 4 + move; empty in the first layer.
    pub members: Vec<u32>,
}

/// A member that was drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// The number of its layer.
    pub layer: usize,
    /// Its number in the layer.
    pub member: usize,
    /// By cell: the home of what stands there. Cells that the board does not have are 0.
    pub homes: [u8; 64],
}

impl Record {
    /// An empty record that draws by this seed.
    pub fn new(seed: u64) -> Record {
        Record { seed, words: 0, layers: Vec::new(), drawn: Vec::new() }
    }

    /// All layers but the goal's.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// The members that were drawn, by their layers.
    pub fn drawn(&self) -> &[Drawn] {
        &self.drawn
    }

    fn bits(&mut self) -> u64 {
        self.words += 1;
        scramble(self.seed, self.words)
    }

    /// Adds a layer.
    pub(super) fn push<const M: usize>(&mut self, layer: &[Position<M>], members: &[u32]) {
        if self.bits().is_multiple_of(LAYERS) {
            for _ in 0..MEMBERS {
                let member = (self.bits() % layer.len() as u64) as usize;
                let mut homes = [0; 64];
                homes[..M].copy_from_slice(&layer[member].homes);
                self.drawn.push(Drawn { layer: self.layers.len(), member, homes });
            }
        }
        let values = layer.iter().map(|position| position.value).collect();
        self.layers.push(Layer { values, members: members.to_vec() });
    }
}
