//! What differs between boards of up to 16 cells and larger ones: the widths of words.

use std::fmt::Debug;

use crate::board::Packed;

/// A board of labels in one word, and the words for cells and placements that go with it.
pub trait Word: Packed {
    /// Some cells of a board, one bit each.
    type Mask: Copy + Debug + Default + Send + Sync + 'static;

    /// What is stored of a set of occupied cells: its first row in a table, and for each free cell how
    /// many rows further the rows of its region are.
    type Record: Copy + Debug + Send + Sync + 'static;

    /// The cells as a mask.
    fn mask(cells: u32) -> Self::Mask;

    /// The cells of a mask.
    fn cells(mask: Self::Mask) -> u32;

    /// The record of a set whose cells all have region 0.
    fn record(first_row: u32) -> Self::Record;

    /// The record with the region of a free cell, below 8, put in.
    fn with_region(record: Self::Record, cell: usize, region: u32) -> Self::Record;

    /// The row of the table with the blank in a free cell.
    fn row(record: Self::Record, blank: usize) -> usize;
}

const REGION_BITS: usize = 3;

impl Word for u64 {
    type Mask = u16;
    /// 16 bits for the row, 3 a cell.
    type Record = u64;

    #[inline(always)]
    fn mask(cells: u32) -> u16 {
        cells as u16
    }

    #[inline(always)]
    fn cells(mask: u16) -> u32 {
        u32::from(mask)
    }

    fn record(first_row: u32) -> u64 {
        assert!(first_row <= u32::from(u16::MAX), "no pattern of 16 cells has more rows");
        u64::from(first_row)
    }

    fn with_region(record: u64, cell: usize, region: u32) -> u64 {
        record | u64::from(region) << (16 + REGION_BITS * cell)
    }

    #[inline(always)]
    fn row(record: u64, blank: usize) -> usize {
        (record & 0xffff) as usize + (record >> (16 + REGION_BITS * blank) & 7) as usize
    }
}

impl Word for u128 {
    type Mask = u32;
    /// 32 bits for the row, 3 a cell.
    type Record = u128;

    #[inline(always)]
    fn mask(cells: u32) -> u32 {
        cells
    }

    #[inline(always)]
    fn cells(mask: u32) -> u32 {
        mask
    }

    fn record(first_row: u32) -> u128 {
        u128::from(first_row)
    }

    fn with_region(record: u128, cell: usize, region: u32) -> u128 {
        record | u128::from(region) << (32 + REGION_BITS * cell)
    }

    #[inline(always)]
    fn row(record: u128, blank: usize) -> usize {
        record as u32 as usize + (record >> (32 + REGION_BITS * blank)) as usize % 8
    }
}
