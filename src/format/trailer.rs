//! The trailer of a shard's results: a last line that identifies the shard and its run, and states
//! the numbers of records and results.
//!
//! A *part* contains the results of one shard. Its trailer is written last, so a part without a
//! trailer is incomplete.

use serde::{Deserialize, Serialize};

use crate::format::input::{Input, Position, Shard};
use crate::system::Checksum;

/// The beginning of a trailer.
const BEGINNING: &[u8] = b"{\"shard\":";

/// The trailer of a part.
#[derive(PartialEq, Eq, Debug)]
pub struct Trailer {
    /// The shard.
    pub shard: Shard,
    /// The number of records in all inputs.
    pub records: u64,
    /// The number of results in the part.
    pub written: u64,
    /// The checksum of the run, equal for all its parts.
    pub run: u64,
    /// The checksum of the part's results, and of the fields above.
    checksum: u64,
}

/// The members of the JSON object on the line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrailerMembers {
    shard: String,
    records: u64,
    written: u64,
    run: String,
    #[serde(default)]
    checksum: String,
    /// Absent in parts of earlier versions.
    #[serde(default)]
    format: u32,
}

impl Trailer {
    /// The version of the format. Parts of different versions cannot be merged.
    const FORMAT: u32 = 3;

    /// Creates the trailer of a part with these results.
    pub fn new(shard: Shard, records: u64, written: u64, run: u64, results: &Checksum) -> Trailer {
        let mut trailer = Trailer { shard, records, written, run, checksum: 0 };
        trailer.checksum = trailer.checksum_with(results);
        trailer
    }

    /// Returns true if the trailer was written for these results.
    pub fn matches(&self, results: &Checksum) -> bool {
        self.checksum == self.checksum_with(results)
    }

    fn checksum_with(&self, results: &Checksum) -> u64 {
        let Trailer { shard, records, written, run, .. } = self;
        let mut checksum = results.clone();
        checksum.update(format!("{shard} {records} {written} {run}").as_bytes());
        checksum.value()
    }

    /// Returns true if a line is a trailer rather than a result.
    pub fn is_trailer(line: &[u8]) -> bool {
        // With `--pass all`, the first field of a result may be called `shard`, too.
        let beginning = &line[..line.len().min(128)];
        line.starts_with(BEGINNING) && memchr::memmem::find(beginning, b",\"written\":").is_some()
    }

    /// Reads a trailer.
    ///
    /// # Errors
    /// The reason why the line is not a trailer.
    pub fn read(line: &[u8]) -> Result<Trailer, String> {
        let members: TrailerMembers = serde_json::from_slice(line).map_err(|error| error.to_string())?;
        let TrailerMembers { shard, records, written, run, checksum, format } = members;
        if format != Trailer::FORMAT {
            return Err("the part was written by another version of taquin: solve the shard again".into());
        }
        let shard: Shard = shard.parse()?;
        let [run, checksum] = [("run", run), ("checksum", checksum)]
            .map(|(name, text)| hexadecimal(&text).ok_or_else(|| format!("its {name} is not a checksum")));
        let (run, checksum) = (run?, checksum?);
        if written != shard.count_in_first(records) {
            return Err(format!(
                "shard {shard} of {records} records has {} results, not {written}",
                shard.count_in_first(records)
            ));
        }
        Ok(Trailer { shard, records, written, run, checksum })
    }

    /// Returns the line, including its line feed.
    pub fn line(&self) -> String {
        let (Trailer { shard, records, written, run, checksum }, format) = (self, Trailer::FORMAT);
        let counts = format!("\"records\":{records},\"written\":{written}");
        let checksums = format!("\"run\":\"{run:016x}\",\"checksum\":\"{checksum:016x}\"");
        format!("{{\"shard\":\"{shard}\",{counts},{checksums},\"format\":{format}}}\n")
    }
}

/// Returns the number given by 16 hexadecimal digits.
fn hexadecimal(text: &str) -> Option<u64> {
    let is_hex = text.len() == 16 && text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    u64::from_str_radix(text, 16).ok().filter(|_| is_hex)
}

/// The checksum of the content of a run's inputs and of the options that affect its output. It is
/// the same on every machine that processes a shard of the run.
#[derive(Debug)]
pub struct RunChecksum(Checksum);

impl RunChecksum {
    /// Begins a checksum with the version of the program, these options, and the names of the
    /// inputs if results contain them.
    pub fn new<'a>(options: impl IntoIterator<Item = (&'a str, &'a str)>, names: Option<&[Input]>) -> RunChecksum {
        let mut run = RunChecksum(Checksum::default());
        run.add(env!("CARGO_PKG_VERSION").as_bytes());
        for (name, value) in options {
            run.add(name.as_bytes());
            run.add(value.as_bytes());
        }
        for input in names.unwrap_or_default() {
            run.add(input.name().as_bytes());
        }
        run
    }

    /// Returns the checksum of the run, whose inputs end at this position.
    pub fn end(mut self, end: &Position) -> u64 {
        for number in [end.records, end.input, end.failed_inputs, end.text_checksum] {
            self.0.update(&number.to_le_bytes());
        }
        self.0.value()
    }

    /// Adds text and its length, so that the checksum depends on the boundaries between texts.
    fn add(&mut self, text: &[u8]) {
        self.0.update(&(text.len() as u64).to_le_bytes());
        self.0.update(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trailer() -> Trailer {
        Trailer::new("2/3".parse().unwrap(), 10_000, 4096, 0xab, &results(b"results"))
    }

    fn results(bytes: &[u8]) -> Checksum {
        let mut checksum = Checksum::default();
        checksum.update(bytes);
        checksum
    }

    #[test]
    fn a_trailer_is_read_as_it_was_written() {
        let text = trailer().line();
        assert_eq!(
            text,
            "{\"shard\":\"2/3\",\"records\":10000,\"written\":4096,\"run\":\"00000000000000ab\",\
             \"checksum\":\"b12208a400b01545\",\"format\":3}\n"
        );
        assert!(Trailer::is_trailer(text.as_bytes()));
        assert!(!Trailer::is_trailer(br#"{"shard":"2/3","records":1,"index":1}"#));
        let read = Trailer::read(text.as_bytes()).unwrap();
        assert_eq!(read, trailer());
        assert!(read.matches(&results(b"results")) && !read.matches(&results(b"resultz")));
        let changed = text.replace("10000", "10001");
        assert!(!Trailer::read(changed.as_bytes()).unwrap().matches(&results(b"results")), "records");
    }

    #[test]
    fn contradictory_trailers_are_rejected() {
        let text = trailer().line();
        for (from, to) in [("2/3", "4/3"), ("4096", "4095"), ("00ab", "00AB"), ("00ab", "ab"), ("\"run\"", "\"rum\"")] {
            assert!(Trailer::read(text.replace(from, to).as_bytes()).is_err(), "{to}");
        }
        assert!(Trailer::read(&text.as_bytes()[..60]).is_err());
        let old = Trailer::read(text.replace(",\"format\":3", "").as_bytes()).unwrap_err();
        assert!(old.contains("another version"), "{old}");
    }

    #[test]
    fn everything_that_affects_output_changes_the_checksum() {
        let sum = |options: &[(&str, &str)], names: Option<&[Input]>, end: &Position| {
            RunChecksum::new(options.iter().copied(), names).end(end)
        };
        let end = Position { records: 9, input: 2, text_checksum: 7, ..Position::default() };
        let first = sum(&[("goal", "snail")], None, &end);
        assert_eq!(sum(&[("goal", "snail")], None, &end), first);
        for other in [
            sum(&[("goals", "nail")], None, &end),
            sum(&[("goal", "snail")], Some(&[Input::Stdin]), &end),
            sum(&[("goal", "snail")], None, &Position { text_checksum: 8, ..end.clone() }),
            sum(&[("goal", "snail")], None, &Position { failed_inputs: 1, ..end.clone() }),
        ] {
            assert_ne!(other, first);
        }
    }
}
