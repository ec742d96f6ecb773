//! Helpers of the fuzz targets: choices made by input bytes, slow streams, and a function that
//! reads and checks all records.

use std::io::{self, Read};

use taquin::internal::format::input::{Reader, Record};

/// Bytes that make choices. When they are used up, every further byte is zero.
pub struct Choices<'a>(pub &'a [u8]);

impl Choices<'_> {
    /// Returns the next byte.
    pub fn byte(&mut self) -> u8 {
        self.0.split_off_first().copied().unwrap_or_default()
    }

    /// Returns the next two bytes as a number.
    pub fn number(&mut self) -> usize {
        usize::from(self.byte()) << 8 | usize::from(self.byte())
    }

    /// Chooses one of these.
    pub fn of<T: Clone>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()].clone()
    }
}

/// A stream of the bytes in the first field. A read returns at most as many bytes as the second
/// field says, or one byte if that field is zero.
pub struct Drip(pub Vec<u8>, pub usize);

impl Read for Drip {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = self.0.len().min(into.len()).min(self.1.max(1));
        into[..most].copy_from_slice(&self.0[..most]);
        self.0.drain(..most);
        Ok(most)
    }
}

/// The output of a reader.
#[derive(PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// All records, formatted.
    pub records: Vec<String>,
    /// The number of inputs that could not be read completely.
    pub failures: usize,
    /// The warnings of the reader.
    pub warnings: Vec<String>,
}

/// Reads everything in chunks of at most `records` records and about `bytes` bytes, calls `see`
/// with each record, and checks that every record occurs once.
pub fn read_all(reader: &mut Reader, records: usize, bytes: usize, mut see: impl FnMut(&Record)) -> Found {
    let mut read = Found::default();
    loop {
        let chunk = reader.next_chunk(records.max(1), bytes, Vec::new());
        read.warnings.extend(reader.take_warnings());
        match chunk {
            None => break,
            Some(Err(_)) => read.failures += 1,
            Some(Ok(chunk)) => {
                let before = read.records.len();
                assert_eq!(chunk.first_index, before as u64 + 1);
                assert!(chunk.record_count >= 1 && chunk.record_count <= records.max(1));
                for (offset, record) in chunk.records().enumerate() {
                    assert_eq!(record.index, chunk.first_index + offset as u64);
                    see(&record);
                    read.records.push(format!("{record:?} {:?}", chunk.source));
                }
                assert_eq!(read.records.len() - before, chunk.record_count, "the chunk has the wrong number of records");
            }
        }
    }
    assert_eq!(reader.records(), read.records.len() as u64);
    read
}
