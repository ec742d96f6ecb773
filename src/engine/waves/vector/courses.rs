//! What the vector code looks up: moves, labels and placements of a `7-8` and its mirror on 4×4.
//!
//! Such a partition fits vectors well. The pattern of a label is its bit 3 and the code its lower bits;
//! the blank is 7; where the smaller pattern's tiles are tells where the larger one's are. The mirror
//! transposes, so a move turns the order of exactly one pattern in exactly one view: a vertical one
//! on the board as it is, a horizontal one in the mirror.

use crate::board::Cell;
use crate::engine::waves::ground::Ground;
use crate::heuristic::pdb::Pattern;

/// Label of the blank.
pub(super) const BLANK: u64 = 7;

/// A move of the blank as the vector code wants it.
///
/// ```text
/// bits  0 – 5   where the blank arrives, in bits of a board's word: four times the cell
///       6 –23   the three cells whose tiles are passed, likewise
///      24 –29   where the blank comes from, likewise
///      30       1: the order turns in the mirror
///      31       1: the tile moves back in reading order
///      32 –47   the two cells as a mask
///      48 –63   the same in the mirror
/// ```
pub(super) type Course = u64;

/// Where the three passed cells stand in a [`Course`].
pub(super) const PASSED: [u32; 3] = [6, 12, 18];
/// Where the cell that the blank comes from stands.
pub(super) const FROM: u32 = 24;
/// Where the masks stand.
pub(super) const FLIPS: u32 = 32;
/// A cell's bits, once shifted down.
pub(super) const CELL: u64 = 60;
pub(super) const IN_MIRROR: u32 = 1 << 30;
pub(super) const BACK: u32 = 1 << 31;

/// The moves from a cell with certain letters allowed, without gaps, smallest letter first.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Fan {
    pub(super) courses: [Course; 4],
    /// Number of the child among its siblings, times 4, and its letter.
    pub(super) letters: [u32; 4],
    /// The letters in masks of 16 bits each: which of four packed words to keep.
    pub(super) picks: u64,
    pub(super) count: u32,
}

/// The lookups of one space.
#[derive(Debug)]
pub(super) struct Lookups {
    /// By cell of the blank and letters allowed: 4 bits each.
    pub(super) fans: Box<[Fan; 256]>,
    /// Label → the mirrored tile's label, in the numbering that goes with the tables for the mirror.
    pub(super) mirrored: [u32; 16],
    /// Label → what one inversion counts in its pattern's order.
    pub(super) weights: [u32; 16],
    /// The labels whose mirrored tile is in the larger pattern, one bit each.
    pub(super) far: u32,
    /// Pattern × 256 + half of the cells → number of a set, in two parts; sets of the larger
    /// pattern follow those of the smaller.
    pub(super) high: Box<[u16; 512]>,
    pub(super) low: Box<[u16; 512]>,
    pub(super) records: Vec<u64>,
    /// Bits of a table's block, by pattern.
    pub(super) blocks: [u32; 2],
}

impl Lookups {
    /// `None` where the vector code is of no use: only for a mirrored `7-8` on 4×4.
    pub(super) fn new(ground: &Ground<u64, 2>) -> Option<Lookups> {
        let shape = ground.space.shape;
        let mirror = ground.sum.mirror()?;
        let transposed = |cell: usize| cell % 4 * 4 + cell / 4;
        let tiles: Vec<usize> = ground.tables[0].iter().map(|table| table.pattern().tiles()).collect();
        let fits = (shape.rows(), shape.cols()) == (4, 4) && tiles == [7, 8];
        if !fits || (0..16).any(|cell| usize::from(mirror[cell]) != transposed(cell)) {
            return None;
        }

        let mut mirrored = [0; 16];
        for home in 0..16 {
            let image = Cell::new(usize::from(mirror[home]));
            let codes = ground.tables[1].iter().map(|table| table.pattern().code(image));
            let owned = codes.enumerate().find(|&(_, code)| code != Pattern::OUTSIDE);
            let label = owned.map_or(BLANK as u32, |(pattern, code)| 8 * pattern as u32 + u32::from(code));
            mirrored[usize::from(ground.labels[home])] = label;
        }
        let far = (0..16).filter(|&label| mirrored[label] > BLANK as u32).fold(0, |bits, label| bits | 1 << label);
        let mut weights = [0; 16];
        for (pattern, table) in ground.tables[0].iter().enumerate() {
            for code in 0..tiles[pattern] {
                weights[8 * pattern + code] = table.layout().orders().weight(code as u8, code as u8);
            }
        }

        let (mut high, mut low) = (Box::new([0; 512]), Box::new([0; 512]));
        let mut records = Vec::new();
        for (pattern, chart) in ground.charts.iter().enumerate() {
            for half in 0..256 {
                high[pattern << 8 | half] = (chart.high[half] as usize + records.len()) as u16;
                low[pattern << 8 | half] = chart.low[half] as u16;
            }
            records.extend_from_slice(&chart.records);
        }
        Some(Lookups {
            fans: Box::new(std::array::from_fn(|index| fan(ground, index >> 4, index as u8 & 15))),
            mirrored,
            weights,
            far,
            high,
            low,
            records,
            blocks: [ground.charts[0].block as u32, ground.charts[1].block as u32],
        })
    }

    /// The entry of a pattern's table, from the number of the order times the block and a key:
    /// 16 bits the occupied cells, 1 the pattern, from bit 24 on where the blank's region stands in a record.
    #[inline(always)]
    pub(super) fn index(&self, block: u32, key: u32) -> u32 {
        let pattern = (key >> 16 & 1) as usize;
        let (high, low) = ((key >> 8 & 255) as usize, (key & 255) as usize);
        let set = self.high[pattern << 8 | high].wrapping_add(self.low[pattern << 8 | low]);
        let record = self.records[usize::from(set)];
        block + (record as u32 & 0xffff) + (record >> (key >> 24 & 63) & 7) as u32
    }
}

fn fan(ground: &Ground<u64, 2>, blank: usize, allowed: u8) -> Fan {
    let mut fan = Fan { courses: [0; 4], letters: [0; 4], picks: 0, count: 0 };
    for letter in (0..4).filter(|letter| (allowed & ground.exits[blank]) >> letter & 1 == 1) {
        let edge = &ground.edges[blank][letter];
        let turn = &edge.turns[0];
        let mut course = (Course::from(edge.to) * 4) | ((blank as u64 * 4) << FROM);
        for (place, &cell) in PASSED.iter().zip(&turn.cells) {
            course |= (u64::from(cell) * 4) << place;
        }
        course |= u64::from(if turn.view == 1 { IN_MIRROR } else { 0 });
        course |= u64::from(if turn.sign < 0 { BACK } else { 0 });
        course |= (u64::from(edge.flips[0]) | u64::from(edge.flips[1]) << 16) << FLIPS;
        let number = fan.count as usize;
        fan.courses[number] = course;
        fan.letters[number] = (number as u32) << 2 | letter as u32;
        fan.picks |= 0xffff << (16 * letter);
        fan.count += 1;
    }
    fan
}
