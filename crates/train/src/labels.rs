//! Labels from a beam: for the positions on its path, and for *members*, which are the positions
//! that the beam kept in its layers.
//!
//! * A position on the path gets a TD(λ) label (Sutton 1988): a mixture of the remaining length of
//!   the path and the evaluations of later positions on it. The remaining length alone is much
//!   too large far from the goal, where paths are longer than necessary.
//! * A member of a layer gets the value of its best descendant some layers later, plus the number
//!   of moves to that descendant. This lookahead corrects the evaluation in the regions that beams
//!   visit. Labels of paths alone cannot do this.
//! * A member without descendants in the later layer gets an approximate lower bound if the later
//!   layer is full: a descendant with a value below the greatest value in the later layer would
//!   have been kept there. To be cautious, the bound uses the midpoint of the least and the
//!   greatest value instead of the greatest. The number of moves from the member to the layer is
//!   added.

use taquin::internal::training::UNIT;
use taquin::internal::training::beam::{Layer, Record};
use taquin::{Move, Path};

use super::net::LabelKind;
use super::random::Random;

/// The minimum lookahead in layers.
const AHEAD: usize = 10;
/// The lookahead is [`AHEAD`] plus a random number of layers below this number.
const MORE_AHEAD: usize = 25;
/// On average, one in this many members without descendants becomes a sample, because there are
/// many of them.
const DEAD_ENDS_PER_SAMPLE: u64 = 7;

/// Converts a value to moves.
fn moves(value: i32) -> f32 {
    value as f32 / UNIT as f32
}

/// Returns, for each layer, the index of the member on the path. A layer links a member to its
/// parent by a number: the index of the parent in the layer before, shifted by two, and the move.
fn path_members(record: &Record, path: &Path) -> Vec<usize> {
    let mut member = 0u32;
    let mut path_members = vec![0];
    for (layer, step) in record.layers().iter().skip(1).zip(path.letters()) {
        let step = Move::from_letter(*step).map_or(0, |step| step.index() as u32);
        let link_to_child = member << 2 | step;
        member = layer.members.iter().position(|&link| link == link_to_child).unwrap_or(0) as u32;
        path_members.push(member as usize);
    }
    path_members
}

/// Returns the labels of the positions on the path, the start first. `trust` is the weight of the
/// evaluation, 0 to 1.
pub(super) fn of_path(record: &Record, path: &Path, trust: f32) -> Vec<f32> {
    let path_members = path_members(record, path);
    let length = path.len();
    let mut labels = vec![0.0; length];
    let mut later = 0.0;
    for number in (0..length).rev() {
        let value = match record.layers().get(number + 1) {
            Some(layer) if number + 1 < length => moves(layer.values[path_members[number + 1]]),
            _ => 0.0,
        };
        later = 1.0 + (1.0 - trust) * later + trust * value;
        labels[number] = later;
    }
    labels
}

/// Labels the members that the record sampled, and passes those that get a label to `add`. A full
/// layer has `width` members.
pub(super) fn of_members(
    record: &Record,
    width: usize,
    random: &mut Random,
    mut add: impl FnMut(&[u8], f32, LabelKind),
) {
    let layers = record.layers();
    let mut best = Vec::new();
    for sampled in record.sampled().chunk_by(|a, b| a.layer == b.layer) {
        let from = sampled[0].layer;
        let ahead = AHEAD + random.below(MORE_AHEAD);
        let Some(target) = layers.get(from + ahead) else { continue };
        best_descendants(layers, from, from + ahead, &mut best);
        let (least, most) = target.values.iter().fold((i32::MAX, i32::MIN), |(a, b), &v| (a.min(v), b.max(v)));
        let midpoint = least + (most - least) / 2;
        for member in sampled {
            if best[member.index] < i32::MAX {
                add(&member.homes, ahead as f32 + moves(best[member.index]), LabelKind::Moves);
            } else if target.values.len() >= width && random.bits().is_multiple_of(DEAD_ENDS_PER_SAMPLE) {
                add(&member.homes, ahead as f32 + moves(midpoint), LabelKind::AtLeast);
            }
        }
    }
}

/// Computes, for each member of a layer, the least value of its descendants in a later layer, or
/// [`i32::MAX`] if the member has none.
fn best_descendants(layers: &[Layer], from: usize, to: usize, best: &mut Vec<i32>) {
    best.clone_from(&layers[to].values);
    for number in (from..to).rev() {
        let mut least = vec![i32::MAX; layers[number].values.len()];
        for (&value, &link) in best.iter().zip(&layers[number + 1].members) {
            let parent = (link >> 2) as usize;
            least[parent] = value.min(least[parent]);
        }
        *best = least;
    }
}
