//! A run in shards: several processes, often on separate machines, each solve some of the records.
//!
//! The number of a record determines its shard, so the processes do not communicate.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// The number of consecutive records in a block. It equals the maximum number of records that are
/// read together as a [chunk](super::input::Chunk), so a shard has chunks as large as those of a
/// whole run.
const BLOCK_RECORDS: u64 = 4096;

/// The maximum number of shards of a run.
const MAX_SHARDS: u64 = 1 << 20;

/// One of several shards. Blocks of records are assigned to shards round robin, which spreads hard
/// parts of the inputs over all shards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The shard's number, from 1.
    number: u64,
    count: u64,
}

impl Shard {
    /// The only shard of a run that is not divided.
    pub const WHOLE: Shard = Shard { number: 1, count: 1 };

    /// Returns the shard's number, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// Returns the number of shards.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Returns the number of the first record of the shard at or after `record`.
    pub fn next(self, record: u64) -> u64 {
        let block = record.max(1).saturating_sub(1) / BLOCK_RECORDS;
        match (self.number - 1 + self.count - block % self.count) % self.count {
            0 => record.max(1),
            between => (block + between).saturating_mul(BLOCK_RECORDS).saturating_add(1),
        }
    }

    /// Returns the number of records from `record` to the shard's next record, and the range from
    /// there to the end of that record's block. If `record` belongs to the shard, the number is 0.
    /// The range of [`Shard::WHOLE`] has no end (`u64::MAX`).
    pub fn next_block(self, record: u64) -> (u64, Range<u64>) {
        let first = self.next(record);
        if self == Shard::WHOLE {
            return (0, first..u64::MAX);
        }
        let end = ((first - 1) / BLOCK_RECORDS + 1).saturating_mul(BLOCK_RECORDS).saturating_add(1);
        (first - record, first..end)
    }

    /// Returns the number of records of the shard among the first `records` records.
    pub fn count_in_first(self, records: u64) -> u64 {
        let round = self.count.saturating_mul(BLOCK_RECORDS);
        let before = (self.number - 1) * BLOCK_RECORDS;
        records / round * BLOCK_RECORDS + (records % round).saturating_sub(before).min(BLOCK_RECORDS)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let error = || format!("expected a shard and the number of shards (at most {MAX_SHARDS}), such as 3/16");
        let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let (first, second) = text.split_once('/').ok_or_else(error)?;
        match (number(first), number(second)) {
            (Some(number @ 1..), Some(count @ 1..=MAX_SHARDS)) if number <= count => Ok(Shard { number, count }),
            _ => Err(error()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares `next` and `count_in_first` with the assignment of blocks round robin, record by
    /// record.
    #[test]
    fn every_record_belongs_to_one_shard() {
        for count in [1, 2, 3, 7] {
            let mut counts = vec![0; count as usize];
            for record in 1..=40_000_u64 {
                let owner = (record - 1) / 4096 % count;
                counts[owner as usize] += 1;
                for number in 1..=count {
                    let shard = Shard { number, count };
                    assert_eq!(shard.next(record) == record, owner == number - 1, "{shard} {record}");
                    assert_eq!(shard.count_in_first(record), counts[number as usize - 1], "{shard} {record}");
                }
            }
        }
    }

    #[test]
    fn blocks_follow_one_another() {
        let shard: Shard = "2/3".parse().unwrap();
        assert_eq!(shard.next_block(1), (4096, 4097..8193));
        assert_eq!(shard.next_block(8192), (0, 8192..8193));
        assert_eq!(shard.next_block(8193), (8192, 16385..20481));
        assert_eq!(Shard::WHOLE.next_block(5), (0, 5..u64::MAX));
        assert_eq!(shard.next_block(u64::MAX).1.end, u64::MAX);
    }

    #[test]
    fn shards_are_read_back() {
        for text in ["1/1", "3/16", "1048576/1048576"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "3", "0/4", "5/4", "1/0", "+1/4", "1/1048577", "1/4/4", "a/b", "-1/4", " 1/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
