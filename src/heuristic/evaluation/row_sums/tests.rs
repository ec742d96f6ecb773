//! All ways against a plain sum.

use super::*;
use crate::system::Random;

fn check<const M: usize>(tiles: usize, random: &mut Random) {
    let row: Vec<u8> = (0..tiles * tiles + SEGMENT).map(|_| random.bits() as u8).collect();
    for lanes in [1, 2, 15, 16, 17, 31, 33, 48, 49, 63, 64] {
        let cells: Vec<[u8; M]> =
            (0..lanes).map(|_| std::array::from_fn(|_| random.below(tiles) as u8)).collect();
        let plain = |cells: &[u8; M]| -> i32 {
            (0..tiles).map(|tile| i32::from(row[tile * tiles + usize::from(cells[tile])]) - i32::from(ZERO)).sum()
        };
        for way in RowSums::ALL.into_iter().filter(|way| way.is_available()) {
            let mut sums = [0; LANES];
            way.sum(&row, tiles, &cells, &mut sums);
            for (cells, sum) in cells.iter().zip(sums) {
                assert_eq!(i32::from(sum), plain(cells), "{way:?} {tiles} {lanes}");
            }
        }
    }
}

#[test]
fn all_ways_give_the_same_sums() {
    let mut random = Random(1);
    for tiles in [2, 4, 9, 15, 16] {
        check::<16>(tiles, &mut random);
    }
    for tiles in [17, 25, 32] {
        check::<32>(tiles, &mut random);
    }
    for tiles in [36, 48] {
        check::<48>(tiles, &mut random);
    }
    for tiles in [49, 63, 64] {
        check::<64>(tiles, &mut random);
    }
}

#[test]
fn a_missing_way_is_refused() {
    for way in RowSums::ALL.into_iter().filter(|way| !way.is_available()) {
        let summed = std::panic::catch_unwind(|| way.sum(&[0; 1 + SEGMENT], 1, &[[0; 16]], &mut [0; LANES]));
        assert!(summed.is_err(), "{way:?}");
    }
    assert!(RowSums::Portable.is_available() && RowSums::best().is_available());
}
