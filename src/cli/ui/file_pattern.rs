//! Patterns for numbered file names: `data/board-%04d.txt`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A file name with a placeholder for a number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePattern {
    before: String,
    /// The minimum number of digits; shorter numbers are padded with zeros.
    digits: usize,
    after: String,
}

impl FilePattern {
    /// Returns the name of the file with this number.
    pub fn path(&self, number: u64) -> PathBuf {
        let FilePattern { before, digits, after } = self;
        PathBuf::from(format!("{before}{number:0digits$}{after}"))
    }

    /// Returns the number of a file, if its name matches.
    pub fn number(&self, path: &Path) -> Option<u64> {
        let digits = path.to_str()?.strip_prefix(&*self.before)?.strip_suffix(&*self.after)?;
        digits.parse().ok().filter(|&number| self.path(number) == path)
    }
}

impl FromStr for FilePattern {
    type Err = String;

    fn from_str(text: &str) -> Result<FilePattern, String> {
        let wrong = || format!("'{text}' is not a pattern: expected one %d or %04d, and %% for a percent sign");
        let (mut before, mut place, mut rest) = (String::new(), None, text);
        while let Some((plain, after)) = rest.split_once('%') {
            before += plain;
            if let Some(after) = after.strip_prefix('%') {
                (before, rest) = (before + "%", after);
                continue;
            }
            let (digits, after) = after.split_once('d').ok_or_else(wrong)?;
            let digits = match digits.strip_prefix('0') {
                _ if digits.is_empty() => 1,
                Some(width) => width.parse().ok().filter(|width| (1..=19).contains(width)).ok_or_else(wrong)?,
                None => return Err(wrong()),
            };
            if place.replace((std::mem::take(&mut before), digits)).is_some() {
                return Err(wrong());
            }
            rest = after;
        }
        let (head, digits) = place.ok_or_else(wrong)?;
        Ok(FilePattern { before: head, digits, after: before + rest })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_replace_the_placeholder() {
        let named = |pattern: &str, number| pattern.parse::<FilePattern>().unwrap().path(number);
        assert_eq!(named("a/board-%04d.txt", 7), PathBuf::from("a/board-0007.txt"));
        assert_eq!(named("%d", 12_345), PathBuf::from("12345"));
        assert_eq!(named("100%%-%02d%%.in", 123), PathBuf::from("100%-123%.in"));
        let number = |pattern: &str, name: &str| pattern.parse::<FilePattern>().unwrap().number(Path::new(name));
        assert_eq!(number("a/board-%04d.txt", "a/board-0007.txt"), Some(7));
        assert_eq!(number("a%d", "a11"), Some(11));
        for other in ["a/board-7.txt", "a/board-0007", "b/board-0007.txt", "a/board-+007.txt"] {
            assert_eq!(number("a/board-%04d.txt", other), None, "{other}");
        }
        for wrong in ["", "board.txt", "%", "%s", "%4d", "%0d", "%00d", "%d-%d", "%020d"] {
            assert!(wrong.parse::<FilePattern>().is_err(), "{wrong}");
        }
    }
}
