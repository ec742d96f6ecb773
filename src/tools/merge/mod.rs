//! `taquin merge`: joins the parts of a run into the results of an unsharded run, byte for byte.
//!
//! Each part has its results in order, so a merge by record number is enough. The merge keeps only
//! one line of each part in memory ([`part`]), however large the parts are. The output is in order,
//! but only the trailers at the end of the parts show whether the parts are complete, unchanged and
//! of one run.

mod part;

use std::collections::BTreeMap;
use std::io::Read;

pub use part::Error;
use part::Part;

/// The maximum number of missing shards in a message.
const MAX_LISTED: usize = 20;

/// A merge of several parts, in the order of their records.
pub struct Merge {
    parts: Vec<Part>,
    /// The part of the last result. The next result is usually in the same part.
    current: usize,
    /// The number of results returned so far.
    pub returned: u64,
}

impl Merge {
    /// Creates a merge of these parts, each with its name in messages.
    ///
    /// # Errors
    /// When a part cannot be read, or is not complete.
    pub fn new(streams: Vec<(String, Box<dyn Read + Send>)>) -> Result<Merge, Error> {
        let mut parts: Vec<Part> = streams.into_iter().map(|(name, stream)| Part::new(name, stream)).collect();
        for part in &mut parts {
            part.advance()?;
        }
        Ok(Merge { parts, current: 0, returned: 0 })
    }

    /// Returns the next result with its line feed; `None` after the last result of a complete run.
    ///
    /// # Errors
    /// When a part cannot be read, or the parts are not one complete run.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>, Error> {
        if self.returned > 0 {
            self.parts[self.current].advance()?;
        }
        let due = self.returned + 1;
        if self.parts.get(self.current).and_then(|part| part.index) != Some(due) {
            let numbered = self.parts.iter().enumerate().filter_map(|(number, part)| Some((part.index?, number)));
            match numbered.min() {
                None => return check_run(&self.parts).map(|()| None),
                Some((index, number)) if index == due => self.current = number,
                Some((index, _)) => {
                    // A part that is incomplete, missing or of another run explains this error.
                    for part in &mut self.parts {
                        while part.advance()? {}
                    }
                    check_run(&self.parts)?;
                    let what = if index < due { "has two results" } else { "has no result, or it is out of order" };
                    return Err(Error::Parts(format!("record {} {what}", index.min(due))));
                }
            }
        }
        self.returned = due;
        Ok(Some(&self.parts[self.current].line))
    }
}

/// Checks that parts, which were read to their trailers, are of one run and that none is missing.
fn check_run(parts: &[Part]) -> Result<(), Error> {
    let (mut first, mut present) = (None, BTreeMap::new());
    for part in parts {
        let (Some(trailer), name) = (&part.trailer, &part.name) else { continue };
        let &mut (first_name, first) = first.get_or_insert((name, trailer));
        if trailer.shard.count() != first.shard.count() {
            let shards = format!("{name} is shard {}, but {first_name} is shard {}", trailer.shard, first.shard);
            return Err(Error::Parts(shards));
        }
        if (trailer.run, trailer.records) != (first.run, first.records) {
            return Err(Error::Parts(format!(
                "{name} is from a different run than {first_name}: its input contents, input names, options or \
                 program version differ"
            )));
        }
        if let Some(other) = present.insert(trailer.shard.number(), name) {
            return Err(Error::Parts(format!("{other} and {name} are both shard {}", trailer.shard)));
        }
    }
    let shards = first.map_or(0, |(_, trailer)| trailer.shard.count());
    let missing = || (1..=shards).filter(|number| !present.contains_key(number));
    let listed: Vec<String> = missing().take(MAX_LISTED).map(|number| format!("{number}/{shards}")).collect();
    let more = if shards - present.len() as u64 > MAX_LISTED as u64 { " and more" } else { "" };
    match &listed[..] {
        [] => Ok(()),
        [one] => Err(Error::Parts(format!("shard {one} is missing"))),
        several => Err(Error::Parts(format!("shards {}{more} are missing", several.join(", ")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    use crate::format::input::Shard;
    use crate::format::trailer::Trailer;
    use crate::system::Checksum;

    /// Returns the result of a record. In every fifth result the index is not the first field.
    fn result(index: u64) -> String {
        match index % 5 {
            0 => format!("{{\"status\":\"solved\",\"index\":{index},\"path\":\"\"}}\n"),
            _ => format!("{{\"index\":{index},\"status\":\"solved\",\"own\":{{\"index\":7}}}}\n"),
        }
    }

    fn part(shard: &str, records: u64, run: u64) -> String {
        let of_part: Shard = shard.parse().unwrap();
        // A record of the shard is its own next record.
        part_of(shard, records, run, (1..=records).filter(|&record| of_part.next(record) == record))
    }

    /// Returns a part with the results of these records. Its checksum is correct.
    fn part_of(shard: &str, records: u64, run: u64, written: impl IntoIterator<Item = u64>) -> String {
        let shard: Shard = shard.parse().unwrap();
        let results: String = written.into_iter().map(result).collect();
        let mut checksum = Checksum::default();
        checksum.update(results.as_bytes());
        results + &Trailer::new(shard, records, shard.count_in_first(records), run, &checksum).line()
    }

    /// Returns the merged results, and the error if there is one.
    fn merged(parts: &[String]) -> (String, Option<String>) {
        let stream = |text: &String| Box::new(io::Cursor::new(text.clone().into_bytes())) as Box<dyn Read + Send>;
        let named = parts.iter().zip('a'..).map(|(text, name)| (name.to_string(), stream(text)));
        let mut text = String::new();
        let merge_all = || {
            let mut merge = Merge::new(named.collect())?;
            while let Some(line) = merge.next_line()? {
                text += std::str::from_utf8(line).unwrap();
            }
            Ok::<_, Error>(())
        };
        let error = merge_all().err().map(|error| error.to_string());
        (text, error)
    }

    #[test]
    fn parts_in_any_order_are_one_run() {
        for (count, records) in [(1, 10), (3, 0), (3, 1), (3, 4096), (3, 4097), (3, 20_000), (7, 100_000)] {
            let shards = (1..=count).map(|number| format!("{number}/{count}"));
            let mut parts: Vec<String> = shards.map(|shard| part(&shard, records, 5)).collect();
            parts.rotate_left(count / 2);
            let (text, error) = merged(&parts);
            assert_eq!(error, None);
            assert!(text == (1..=records).map(result).collect::<String>(), "{count} {records}");
        }
    }

    /// A change that keeps the order and number of results is found at the end of the part.
    #[test]
    fn a_changed_result_is_reported() {
        let [first, second] = ["1/2", "2/2"].map(|shard| part(shard, 10_000, 5));
        let (_, error) = merged(&[first, second.replacen("solved", "solvee", 1)]);
        let expected = "b was changed after it was written: its lines do not match the checksum on line 4097";
        assert_eq!(error.as_deref(), Some(expected));
    }

    /// Changes in results and in the trailer are both found.
    #[test]
    fn any_changed_byte_is_found() {
        let whole = part("2/2", 4_110, 5).into_bytes();
        let is_sound = |bytes: Vec<u8>| {
            let mut part = Part::new("b".into(), Box::new(io::Cursor::new(bytes)));
            std::iter::from_fn(|| part.advance().map(|more| more.then_some(())).transpose()).all(|read| read.is_ok())
        };
        assert!(is_sound(whole.clone()));
        for at in 0..whole.len() {
            for bit in 0..8 {
                let mut changed = whole.clone();
                changed[at] ^= 1 << bit;
                assert!(!is_sound(changed), "byte {at}, bit {bit}");
            }
        }
    }

    #[test]
    fn errors_are_reported() {
        let [first, second, third] = ["1/3", "2/3", "3/3"].map(|shard| part(shard, 10_000, 5));
        let errors = |parts: &[&String]| {
            let (text, error) = merged(&parts.iter().map(|&part| part.clone()).collect::<Vec<_>>());
            assert!((1..=10_000).map(result).collect::<String>().starts_with(&text), "never a wrong line");
            error.unwrap_or_default()
        };
        assert_eq!(errors(&[&first, &third]), "shard 2/3 is missing");
        assert_eq!(errors(&[&second]), "shards 1/3, 3/3 are missing");
        assert_eq!(errors(&[&first, &second, &third, &second]), "b and d are both shard 2/3");
        let (cut, torn) = (second[..second.len() - 150].to_string(), second[..second.len() - 3].to_string());
        let until_line = cut[..=cut.rfind('\n').unwrap()].to_string();
        assert!(errors(&[&first, &until_line, &third]).contains("b does not end with a trailer"));
        assert!(errors(&[&first, &cut, &third]).contains("b ends in the middle of line"));
        assert!(errors(&[&first, &torn, &third]).contains("b ends in the middle of line"));
        let foreign = part("2/3", 10_000, 6);
        assert!(errors(&[&first, &foreign, &third]).starts_with("b is from a different run than a"));
        let other = part("2/4", 10_000, 5);
        assert!(errors(&[&first, &other, &third]).contains("b is shard 2/4, but a is shard 1/3"));
        let lines: Vec<&str> = second.split_inclusive('\n').collect();
        let without = [&lines[..7], &lines[8..]].concat().concat();
        assert!(errors(&[&first, &without, &third]).contains("b has 4095 results, expected 4096"));
        let twice = [&lines[..8], &lines[7..]].concat().concat();
        assert!(errors(&[&first, &twice, &third]).contains("b has 4097 results, expected 4096"));
        let appended = format!("{second}{}", lines[0]);
        assert!(errors(&[&first, &appended, &third]).contains("b has data after its trailer"));
        let swapped = second.replace("{\"index\":4101,", "{\"index\":3,").replace("\"index\":4105,", "\"indes\":4105,");
        assert!(errors(&[&first, &swapped, &third]).contains("b line"));
        let text = "1 2 3 0\n".to_string();
        assert!(errors(&[&text]).contains("a line 1 is not a result: it is not a JSON object"));
        assert_eq!(
            errors(&[&String::new()]),
            "a does not end with a trailer: it was cut off, or its run has not finished"
        );
        // The third part has the right number of results, but some do not belong to its shard.
        let moved = third.replace("\"index\":8200,", "\"index\":8199,").replace("\"index\":8198,", "\"index\":8197,");
        assert!(!errors(&[&first, &second, &moved]).is_empty());
    }

    /// Parts that agree with their checksums, but were written with wrong results.
    #[test]
    fn every_record_has_exactly_one_result() {
        for (written, fault) in [
            (&[1, 2, 4][..], "record 3 has no result, or it is out of order"),
            (&[1, 1, 2], "record 1 has two results"),
            (&[1, 3, 2], "record 2 has no result, or it is out of order"),
            (&[1, 2], "a has 2 results, expected 3"),
            (&[1, 2, 3, 4], "a has 4 results, expected 3"),
        ] {
            let (_, error) = merged(&[part_of("1/1", 3, 5, written.iter().copied())]);
            assert_eq!(error.as_deref(), Some(fault));
        }
        let (text, error) = merged(&[part("1/2", 5000, 5), part_of("2/2", 5000, 5, (4097..=5000).rev())]);
        assert_eq!(error.as_deref(), Some("record 4097 has no result, or it is out of order"));
        assert_eq!(text, (1..=4096).map(result).collect::<String>());
    }
}
