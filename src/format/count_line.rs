//! Records that a count line promises and its file does not hold: what a program that believes the count line would wait
//! for.

/// How many records are missing, if that is what a warning of the [`Reader`](super::input::Reader) is about.
pub fn missing_records(warning: &str) -> u64 {
    let numbers = || {
        let (_, numbers) = warning.rsplit_once(": the count line promises ")?;
        let (promised, found) = numbers.split_once(" records, the file holds ")?;
        Some((promised.parse::<u64>().ok()?, found.parse::<u64>().ok()?))
    };
    numbers().map_or(0, |(promised, found)| promised.saturating_sub(found))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::format::input::{InputOptions, Reader};

    /// What the reader says of a file, to the word.
    #[test]
    fn what_is_promised_and_not_there_is_counted() {
        for (text, missing) in [
            ("5\n1 2 3 0\n1 2 0 3\n", 3),
            ("2\n1 2 3 0\n1 2 0 3\n", 0),
            ("1\n1 2 3 0\n1 2 0 3\n", 0),
            ("# taquin: unknown=7\n5\n1 2 3 0\nno board\n", 3),
        ] {
            let options = InputOptions { count_line: true, ..InputOptions::default() };
            let mut reader =
                Reader::of_text("a: the count line promises ", Cursor::new(text.as_bytes().to_vec()), options);
            while reader.next_chunk(1, 1 << 10, Vec::new()).is_some() {}
            let found: u64 = reader.take_warnings().iter().map(|warning| missing_records(warning)).sum();
            assert_eq!(found, missing, "{text:?}");
        }
    }
}
