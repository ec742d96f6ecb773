//! Tests of the file format: weights are read as written, and invalid files are rejected.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::file::Sets;
use super::{Error, Learned};
use crate::board::{Cell, Shape};
use crate::heuristic::evaluation::trominoes;
use crate::system::Random;

/// Returns random weights.
pub(super) fn random(shape: &str, goal_blank: usize, seed: u64) -> Learned {
    let shape: Shape = shape.parse().unwrap();
    let n = shape.cells();
    let mut random = Random::new(seed);
    let mut byte = || random.index(255) as i8;
    let single = (0..n * n).map(|_| i16::from(byte()) * 3).collect();
    let pair = (0..n.pow(4)).map(|_| byte()).collect();
    let triple = (0..trominoes(shape, goal_blank).len() * n.pow(3)).map(|_| byte()).collect();
    Learned::new(shape, Cell::new(goal_blank), single, pair, triple)
}

#[test]
fn weights_are_read_as_they_were_written() {
    for (shape, goal_blank) in [("2x2", 3), ("2x3", 5), ("3x3", 8), ("3x2", 0), ("4x4", 15)] {
        let weights = random(shape, goal_blank, 7);
        let mut file = Vec::new();
        weights.write(&mut file).unwrap();
        assert_eq!(Learned::read(&mut &file[..]).unwrap(), weights, "{shape}");
    }
}

#[test]
fn damaged_files_are_rejected() {
    let mut file = Vec::new();
    random("2x3", 5, 7).write(&mut file).unwrap();
    for end in 0..file.len() {
        assert!(Learned::read(&mut &file[..end]).is_err(), "{end}");
    }
    let mut unnoticed = 0;
    for at in 0..file.len() {
        for bit in 0..8 {
            file[at] ^= 1 << bit;
            // Some bits of the frame's header have no effect, and the frame's checksum is not
            // verified. The content has a separate checksum.
            if let Ok(read) = Learned::read(&mut &file[..]) {
                assert_eq!(read, random("2x3", 5, 7), "{at} {bit}");
                unnoticed += 1;
            }
            file[at] ^= 1 << bit;
        }
    }
    assert!(unnoticed < 128, "{unnoticed}");
    file.push(0);
    assert!(matches!(Learned::read(&mut &file[..]), Err(Error::Damaged(_))));
}

/// Errors distinguish version 1, which was not compressed, later versions, and files without
/// weights.
#[test]
fn errors_distinguish_other_versions_and_files() {
    let found = |bytes: &[u8]| Learned::read(&mut &bytes[..]).unwrap_err().to_string();
    assert!(found(b"taquin w\x01\0\0\0\x04\x04\x0f\x01").contains("version 1, and this program reads version 2"));
    let later = compress_to_vec(&b"taquin w\x03\0\0\0\x04\x04\x0f\x01"[..], CompressionLevel::Fastest);
    assert!(found(&later).contains("version 3"));
    for other in [
        &b""[..],
        b"1 2 3 4 5 6 7 8 0\n",
        &compress_to_vec(&b"1 2 3 4 5 6 7 8 0 and more\n"[..], CompressionLevel::Fastest),
    ] {
        assert!(found(other).contains("not a file of weights"), "{}", found(other));
    }
}

/// Symmetric weights take about half the space.
#[test]
fn mirror_images_are_left_out() {
    let size = |weights: &Learned| {
        let mut file = Vec::new();
        weights.write(&mut file).unwrap();
        assert_eq!(Learned::read(&mut &file[..]).unwrap(), *weights);
        file.len()
    };
    let weights = random("3x3", 8, 7);
    let (shape, blank) = weights.shape_and_blank();
    let sets = Sets::new(shape, blank.index(), true).unwrap();
    let (mut pair, mut triple) = (weights.pairs().to_vec(), weights.triple_weights().to_vec());
    sets.visit(&mut pair, &mut triple, |_| Ok::<(), ()>(())).unwrap();
    let symmetric = Learned::new(shape, blank, weights.singles().to_vec(), pair, triple);
    assert!(Sets::new(Shape::new(5, 5).unwrap(), 23, true).is_none());
    assert!(Sets::new(Shape::new(4, 5).unwrap(), 19, true).is_none());
    assert!(size(&symmetric) * 10 < size(&weights) * 6, "{} {}", size(&symmetric), size(&weights));
}
