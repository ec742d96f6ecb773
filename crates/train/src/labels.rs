//! What a beam teaches: labels for positions on its path, and for members that it kept.
//!
//! * A position on the path: TD(λ) (Sutton 1988): a mixture of what remained of the path and of what the evaluation says later on
//!   it. What remained alone is much too much far from the goal, where paths are longer than they need be.
//! * A member of a layer: the value of its best descendant some layers later, and the moves to there. Looking ahead corrects the evaluation where
//!   beams go, which paths alone never do.
//! * A member whose line died before that: not less than the middle of that layer's values, for if it were it would have lived.

use taquin::internal::training::UNIT;
use taquin::internal::training::beam::{Layer, Record};
use taquin::{Move, Path};

use super::net::Kind;
use super::random::Random;

/// Layers that are looked ahead: so many, and fewer than so many more.
const AHEAD: usize = 10;
const MORE_AHEAD: usize = 25;
/// One of so many members whose lines died is a sample: they are many.
const DEAD: u64 = 7;

/// Moves of a value.
fn moves(value: i32) -> f32 {
    value as f32 / UNIT as f32
}

/// Of a solved board the numbers of its path's members, by layer.
fn line(record: &Record, path: &Path) -> Vec<usize> {
    let mut member = 0u32;
    let mut line = vec![0];
    for (layer, step) in record.layers().iter().skip(1).zip(path.letters()) {
        let step = Move::from_letter(*step).map_or(0, |step| step.index() as u32);
        let child = member << 2 | step;
        member = layer.members.iter().position(|&member| member == child).unwrap_or(0) as u32;
        line.push(member as usize);
    }
    line
}

/// The labels of the positions on the path, the start first. `trust`: of the evaluation, 0 to 1.
pub(super) fn of_path(record: &Record, path: &Path, trust: f32) -> Vec<f32> {
    let line = line(record, path);
    let length = path.len();
    let mut labels = vec![0.0; length];
    let mut later = 0.0;
    for number in (0..length).rev() {
        let value = match record.layers().get(number + 1) {
            Some(layer) if number + 1 < length => moves(layer.values[line[number + 1]]),
            _ => 0.0,
        };
        later = 1.0 + (1.0 - trust) * later + trust * value;
        labels[number] = later;
    }
    labels
}

/// Labels of members that were drawn, given to `add`. `width`: of full layers.
pub(super) fn of_members(record: &Record, width: usize, random: &mut Random, mut add: impl FnMut(&[u8], f32, Kind)) {
    let layers = record.layers();
    let mut best = Vec::new();
    for drawn in record.drawn().chunk_by(|a, b| a.layer == b.layer) {
        let from = drawn[0].layer;
        let ahead = AHEAD + random.below(MORE_AHEAD);
        let Some(last) = layers.get(from + ahead) else { continue };
        look_back(layers, from, from + ahead, &mut best);
        let (least, most) = last.values.iter().fold((i32::MAX, i32::MIN), |(a, b), &v| (a.min(v), b.max(v)));
        let middle = least + (most - least) / 2;
        for drawn in drawn {
            if best[drawn.member] < i32::MAX {
                add(&drawn.homes, ahead as f32 + moves(best[drawn.member]), Kind::Moves);
            } else if last.values.len() >= width && random.bits().is_multiple_of(DEAD) {
                add(&drawn.homes, ahead as f32 + moves(middle), Kind::AtLeast);
            }
        }
    }
}

/// By member of a layer the least value of its descendants in a later one, [`i32::MAX`] if it has none.
fn look_back(layers: &[Layer], from: usize, to: usize, best: &mut Vec<i32>) {
    best.clone_from(&layers[to].values);
    for number in (from..to).rev() {
        let mut parents = vec![i32::MAX; layers[number].values.len()];
        for (&value, &member) in best.iter().zip(&layers[number + 1].members) {
            let parent = &mut parents[(member >> 2) as usize];
            *parent = value.min(*parent);
        }
        *best = parents;
    }
}
