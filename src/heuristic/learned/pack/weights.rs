//! All weights of a shape, one set of tiles after the other.

use super::block::{code, code_singles};
use super::coder::{Coder, Decoder, Encoder};
use super::mirror::Mirror;
use super::model::Model;
use crate::board::Shape;
use crate::heuristic::evaluation::trominoes;

/// The weights, as [`super::super::Learned::new`] takes them.
#[derive(Clone)]
pub(in crate::heuristic::learned) struct Lists {
    pub(in crate::heuristic::learned) single: Vec<i16>,
    pub(in crate::heuristic::learned) pair: Vec<i8>,
    pub(in crate::heuristic::learned) triple: Vec<i8>,
}

/// Which weights there are.
struct Sets {
    shape: Shape,
    n: usize,
    /// Triples, by their homes.
    triples: Vec<[usize; 3]>,
    mirror: Option<Mirror>,
}

/// The weights in few bytes, and whether those of mirror images are left out.
pub(in crate::heuristic::learned) fn pack(shape: Shape, goal_blank: usize, lists: &Lists) -> (bool, Vec<u8>) {
    for mirrored in [true, false] {
        let sets = Sets::new(shape, goal_blank, mirrored);
        let (mut encoder, mut coded) = (Encoder::new(), lists.clone());
        sets.code(&mut encoder, &mut coded, |_| true);
        // What the mirror gave must be what there was.
        if sets.mirror.is_none() || coded.pair == lists.pair && coded.triple == lists.triple {
            return (sets.mirror.is_some(), encoder.finish());
        }
    }
    unreachable!("without a mirror all is coded")
}

/// The weights that were packed; `None` if there are not as many bytes as they take.
pub(in crate::heuristic::learned) fn unpack(
    shape: Shape,
    goal_blank: usize,
    mirrored: bool,
    bytes: &[u8],
) -> Option<Lists> {
    let sets = Sets::new(shape, goal_blank, mirrored);
    if mirrored != sets.mirror.is_some() {
        return None;
    }
    let n = sets.n;
    let triple = vec![0; sets.triples.len() * n.pow(3)];
    let mut lists = Lists { single: vec![0; n * n], pair: vec![0; n.pow(4)], triple };
    let mut decoder = Decoder::new(bytes);
    // Behind the end of the bytes nothing is looked for.
    let whole = sets.code(&mut decoder, &mut lists, |decoder| decoder.bytes_read() <= bytes.len());
    (whole && decoder.bytes_read() == bytes.len()).then_some(lists)
}

impl Sets {
    fn new(shape: Shape, goal_blank: usize, mirrored: bool) -> Sets {
        let triples = trominoes(shape, goal_blank).into_iter().map(|homes| homes.map(usize::from)).collect();
        let mirror = if mirrored { Mirror::of(shape, goal_blank) } else { None };
        Sets { shape, n: shape.cells(), triples, mirror }
    }

    /// Codes all weights; false if after some set of tiles there was no point in going on.
    fn code<C: Coder>(&self, coder: &mut C, lists: &mut Lists, go_on: impl Fn(&C) -> bool) -> bool {
        code_singles(coder, &mut Model::new(), self.shape, &mut lists.single);
        let mut model = Model::new();
        for high in 0..self.n {
            for low in 0..high {
                self.code_pair(coder, &mut model, &mut lists.pair, high, low);
            }
            if !go_on(coder) {
                return false;
            }
        }
        let mut model = Model::new();
        for number in 0..self.triples.len() {
            self.code_triple(coder, &mut model, &mut lists.triple, number);
            if !go_on(coder) {
                return false;
            }
        }
        true
    }

    fn code_pair(&self, coder: &mut impl Coder, model: &mut Model, pair: &mut [i8], high: usize, low: usize) {
        let n = self.n;
        let row = |high: usize, low: usize, cell: usize| ((high * n + cell) * n + low) * n;
        if let Some(mirror) = self.mirror {
            let ([first, second], order) = mirror.image([low, high]);
            if [second, first] < [high, low] {
                for i in 0..n * n {
                    let cells = [i % n, i / n];
                    let [a, b] = order.map(|i| mirror.cell(cells[i]));
                    pair[row(high, low, cells[1]) + cells[0]] = pair[row(second, first, b) + a];
                }
                return;
            }
        }
        let mut block = Vec::with_capacity(n * n);
        for cell in 0..n {
            block.extend_from_slice(&pair[row(high, low, cell)..][..n]);
        }
        code(coder, model, self.shape, &mut block);
        for (cell, weights) in block.chunks_exact(n).enumerate() {
            pair[row(high, low, cell)..][..n].copy_from_slice(weights);
        }
    }

    fn code_triple(&self, coder: &mut impl Coder, model: &mut Model, triple: &mut [i8], number: usize) {
        let n = self.n;
        let (before, here) = triple.split_at_mut(number * n.pow(3));
        let here = &mut here[..n.pow(3)];
        if let Some(mirror) = self.mirror {
            let (image, order) = mirror.image(self.triples[number]);
            if let Ok(image) = self.triples[..number].binary_search(&image) {
                let image = &before[image * n.pow(3)..][..n.pow(3)];
                let factors = [1, n, n * n];
                // What a tile's cell counts in the index of the image.
                let mut parts = [const { Vec::new() }; 3];
                for (place, tile) in order.into_iter().enumerate() {
                    parts[tile] = (0..n).map(|cell| factors[place] * mirror.cell(cell)).collect();
                }
                let [first, second, third] = parts;
                let mut weights = here.iter_mut();
                for c in &third {
                    for b in &second {
                        for (a, weight) in first.iter().zip(&mut weights) {
                            *weight = image[a + b + c];
                        }
                    }
                }
                return;
            }
        }
        code(coder, model, self.shape, here);
    }
}
