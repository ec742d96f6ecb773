//! The samples for training: the most recent ones from beams.

use super::net::LabelKind;

/// A ring of positions with their labels.
#[derive(Debug)]
pub(super) struct Samples {
    pub(super) cells: usize,
    /// The maximum number of samples.
    pub(super) capacity: usize,
    /// By sample and cell: the home cell of the tile in the cell.
    pub(super) homes: Vec<u8>,
    /// By sample: the number of moves. The sign bit is set if this number is a lower bound.
    pub(super) labels: Vec<f32>,
    /// The index of the oldest sample once the ring is full. The next sample replaces it.
    pub(super) next: usize,
}

impl Samples {
    pub(super) fn new(cells: usize, capacity: usize) -> Samples {
        // All capacity is reserved now, so that no vector is reallocated as it grows. A page that is
        // reserved takes memory only when it is first written.
        let (homes, labels) = (Vec::with_capacity(capacity * cells), Vec::with_capacity(capacity));
        Samples { cells, capacity, homes, labels, next: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    pub(super) fn add(&mut self, homes: &[u8], moves: f32, kind: LabelKind) {
        let moves = moves.max(0.0);
        let label = if kind == LabelKind::AtLeast { -moves } else { moves };
        if self.labels.len() < self.capacity {
            self.homes.extend_from_slice(homes);
            self.labels.push(label);
            return;
        }
        self.homes[self.next * self.cells..][..self.cells].copy_from_slice(homes);
        self.labels[self.next] = label;
        self.next = (self.next + 1) % self.capacity;
    }

    /// Returns a sample: the position, the moves, and their meaning.
    pub(super) fn get(&self, number: usize) -> (&[u8], f32, LabelKind) {
        let label = self.labels[number];
        let kind = if label.is_sign_negative() { LabelKind::AtLeast } else { LabelKind::Moves };
        (&self.homes[number * self.cells..][..self.cells], label.abs(), kind)
    }
}
