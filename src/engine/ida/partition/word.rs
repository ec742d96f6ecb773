//! The word widths for boards of up to 16 cells and for larger ones.

use std::fmt::Debug;

use crate::board::Packed;

/// A board of labels in one word, with the associated words for cells and placements.
pub trait Word: Packed {
    /// A set of cells, one bit each.
    type Mask: Copy + Debug + Default + Send + Sync + 'static;

    /// The data stored for a set of occupied cells: its first row in a table, and for each free
    /// cell the offset of its region's row.
    type Record: Copy + Debug + Send + Sync + 'static;

    fn mask(cells: u32) -> Self::Mask;

    fn cells(mask: Self::Mask) -> u32;

    /// Returns the record of a set whose free cells all have region 0.
    fn record(first_row: u32) -> Self::Record;

    /// Returns the record with the region (below 8) of a free cell filled in.
    fn with_region(record: Self::Record, cell: usize, region: u32) -> Self::Record;

    /// Returns the row of the table for the blank in this free cell.
    fn row(record: Self::Record, blank: usize) -> usize;
}

const REGION_BITS: usize = 3;

impl Word for u64 {
    type Mask = u16;
    /// 16 bits for the row, 3 bits per cell.
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
        assert!(first_row <= u32::from(u16::MAX), "no pattern on 16 cells has more rows");
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
    /// 32 bits for the row, 3 bits per cell.
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
