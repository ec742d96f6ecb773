//! A run in parts: each takes some of the records, on a machine of its own, and all parts together are one run.
//!
//! Which records a part takes follows from their numbers alone, so that no part need know of another.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Records that stay together: as many as the largest chunk of cheap boards, so that a shard is no slower by the record than the whole.
const BLOCK_RECORDS: u64 = 4096;

/// The most shards of a run.
const MOST: u64 = 1 << 20;

/// One of so many shards: blocks of records are dealt out to them in turn, so that hard stretches of the inputs are shared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// From 1.
    number: u64,
    of: u64,
}

impl Shard {
    /// All records.
    pub const WHOLE: Shard = Shard { number: 1, of: 1 };

    /// Its number, from 1.
    pub fn number(self) -> u64 {
        self.number
    }

    /// How many shards there are.
    pub fn of(self) -> u64 {
        self.of
    }

    /// The first of its records that is not before this one.
    pub fn next(self, record: u64) -> u64 {
        let block = record.max(1).saturating_sub(1) / BLOCK_RECORDS;
        match (self.number - 1 + self.of - block % self.of) % self.of {
            0 => record.max(1),
            between => (block + between).saturating_mul(BLOCK_RECORDS).saturating_add(1),
        }
    }

    /// Of the records from its next one on: how many belong to others before that, and the numbers of those that are its own
    /// without a gap.
    pub fn next_block(self, record: u64) -> (u64, Range<u64>) {
        let first = self.next(record);
        if self == Shard::WHOLE {
            return (0, first..u64::MAX);
        }
        let end = ((first - 1) / BLOCK_RECORDS + 1).saturating_mul(BLOCK_RECORDS).saturating_add(1);
        (first - record, first..end)
    }

    /// How many of the first records are its own.
    pub fn among(self, records: u64) -> u64 {
        let round = self.of.saturating_mul(BLOCK_RECORDS);
        let before = (self.number - 1) * BLOCK_RECORDS;
        records / round * BLOCK_RECORDS + (records % round).saturating_sub(before).min(BLOCK_RECORDS)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wrong = || format!("expected a shard and how many there are, such as 3/16, at most {MOST}");
        let number = |text: &str| text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()));
        let (first, second) = text.split_once('/').ok_or_else(wrong)?;
        match (number(first), number(second)) {
            (Some(number @ 1..), Some(of @ 1..=MOST)) if number <= of => Ok(Shard { number, of }),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the definition, record by record.
    #[test]
    fn every_record_is_of_one_shard() {
        for of in [1, 2, 3, 7] {
            let mut counts = vec![0; of as usize];
            for record in 1..=40_000_u64 {
                let owner = (record - 1) / 4096 % of;
                counts[owner as usize] += 1;
                for number in 1..=of {
                    let shard = Shard { number, of };
                    assert_eq!(shard.next(record) == record, owner == number - 1, "{shard} {record}");
                    assert_eq!(shard.among(record), counts[number as usize - 1], "{shard} {record}");
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
    fn they_are_written_as_they_are_read() {
        for text in ["1/1", "3/16", "1048576/1048576"] {
            assert_eq!(text.parse::<Shard>().unwrap().to_string(), text);
        }
        for text in ["", "3", "0/4", "5/4", "1/0", "+1/4", "1/1048577", "1/4/4", "a/b", "-1/4", " 1/4"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
