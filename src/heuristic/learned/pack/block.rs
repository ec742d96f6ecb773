//! The weights of three tiles, or of two, in all their cells.

use super::coder::Coder;
use super::model::{Model, Neighbours};
use crate::board::Shape;

/// Codes weights by the first tile's cell + n × the second's + n² × the third's; where there are only two tiles, the third is taken to be on no
/// board. Where tiles would be in the same cell there is no weight.
pub(super) fn code(coder: &mut impl Coder, model: &mut Model, shape: Shape, weights: &mut [i8]) {
    let (n, cols) = (shape.cells(), shape.cols());
    let planes = weights.len() / (n * n);
    let nothing = vec![0; n];
    let mut empty = vec![true; n * planes];
    for c in 0..planes {
        let third = (planes > 1).then_some(c);
        for b in (0..n).filter(|&b| Some(b) != third) {
            let row = c * n + b;
            // The rows in which one tile is a cell farther left, or up.
            let beside = [
                (b % cols > 0).then(|| row - 1),
                (b >= cols).then(|| row - cols),
                (c % cols > 0).then(|| row - n),
                (c >= cols).then(|| row - cols * n),
            ];
            let known =
                beside.iter().enumerate().map(|(i, row)| usize::from(row.is_none_or(|row| empty[row])) << i).sum();
            let (before, from_here) = weights.split_at_mut(row * n);
            let here = &mut from_here[..n];
            empty[row] = model.is_empty(coder, known, here.iter().all(|&weight| weight == 0));
            if empty[row] {
                here.fill(0);
                continue;
            }
            let beside = beside.map(|row| row.map_or(&nothing[..], |row| &before[row * n..(row + 1) * n]));
            for a in 0..n {
                if a == b || Some(a) == third {
                    here[a] = 0;
                    continue;
                }
                let mut neighbours = Neighbours::default();
                for row in beside {
                    neighbours.add(i32::from(row[a]));
                }
                if a % cols > 0 {
                    neighbours.add(i32::from(here[a - 1]));
                }
                if a >= cols {
                    neighbours.add(i32::from(here[a - cols]));
                }
                here[a] = model.weight(coder, neighbours, i32::from(here[a])) as i8;
            }
        }
    }
}

/// Codes the weights of single tiles: each by its neighbour on the left.
pub(super) fn code_singles(coder: &mut impl Coder, model: &mut Model, shape: Shape, weights: &mut [i16]) {
    let mut last = 0;
    for (i, weight) in weights.iter_mut().enumerate() {
        if i % shape.cells() == 0 {
            last = 0;
        }
        let difference = i32::from(weight.wrapping_sub(last));
        let mut neighbours = Neighbours::default();
        neighbours.add(i32::from(last) / 16);
        *weight = last.wrapping_add(model.weight(coder, neighbours, difference) as i16);
        last = *weight;
    }
}
