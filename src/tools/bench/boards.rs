//! Boards from a fixed generator.

use std::fmt::Write as _;

use crate::board::{Board, Goal, Shape, Tile, is_solvable};

/// Random solvable boards, one on a line: the same on every machine.
pub(super) fn random_boards(shape: Shape, boards: usize) -> String {
    let Ok(goal) = Goal::BlankLast.on(shape) else { unreachable!("every shape has this goal") };
    let mut seed = 1u64;
    let mut below = |end: usize| {
        // D. E. Knuth, MMIX: the multiplier and increment of a linear congruential generator modulo 2^64.
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % end
    };
    let (mut text, mut tiles) = (String::new(), goal.tiles().to_vec());
    for _ in 0..boards {
        for i in (1..tiles.len()).rev() {
            tiles.swap(i, below(i + 1));
        }
        if Board::new(shape, &tiles).is_ok_and(|board| !is_solvable(&board, &goal)) {
            // Two tiles changed places make every other board solvable.
            let mut of_tiles = (0..tiles.len()).filter(|&cell| tiles[cell] != Tile::BLANK);
            if let (Some(one), Some(other)) = (of_tiles.next(), of_tiles.next()) {
                tiles.swap(one, other);
            }
        }
        for (i, tile) in tiles.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(text, "{}{}", if i == 0 { "" } else { " " }, tile.label());
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_solvable_and_the_same_every_time() {
        let shape = Shape::new(3, 3).unwrap();
        let goal = Goal::BlankLast.on(shape).unwrap();
        let text = random_boards(shape, 100);
        for line in text.lines() {
            let tiles: Vec<Tile> = line.split(' ').map(|label| Tile::new(label.parse().unwrap())).collect();
            assert!(is_solvable(&Board::new(shape, &tiles).unwrap(), &goal), "{line}");
        }
        assert_eq!(text.lines().count(), 100);
        assert_eq!(random_boards(shape, 100), text);
    }
}
