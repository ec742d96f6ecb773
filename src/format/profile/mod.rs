//! Profiles: the input and answer formats of judges. A *judge* is a website or a course that checks
//! the answers of contestants' programs.
//!
//! A profile is a TOML file, built in (`profiles/`) or the user's. It contains a layout, a shape
//! and a goal for boards, and templates for answers. The same templates write answers
//! ([`AnswerWriter`]) and read the answers of contestants ([`ClaimReader`]), so writer and reader
//! always agree. A built-in file is parsed whenever its profile is requested.

mod answer_lines;
mod claims;
mod definition;
mod listing;
mod template;
mod write;

pub use claims::{Claim, ClaimReader, ClaimedAnswer, ClaimedPath, Claims};
pub use definition::{AnswerFormat, BoardStyle, Confidence, Profile, Requirement};
pub use listing::Listing;
pub use write::AnswerWriter;

/// Makes a table of files in `profiles/`: their names and texts.
macro_rules! files {
    ($($name:literal)+) => {
        &[$(($name, include_str!(concat!("../../../profiles/", $name, ".toml")))),+]
    };
}

/// The names and texts of all built-in profiles, in the order in which they are listed.
const FILES: &[(&str, &str)] = files! {
    "poj1077"
    "hdu1043"
    "zoj1217"
    "uva652"
    "acwing179"
    "acwing845"
    "hdu3567"
    "lightoj1139"
    "lightoj15"
    "uva10181"
    "poj3240"
    "luogu1379"
    "codevs1225"
    "boj1525"
    "aoj-13b"
    "aoj-13c"
    "leetcode773"
    "eolymp3669"
    "spoj-al1006"
    "mipt089"
    "mipt091"
    "jutge-p68428"
    "gvu"
    "koistudy608"
    "codewars-sliding"
    "hiho1312"
    "hackerrank"
    "princeton"
    "42"
    "komal-s15"
    "korf"
    "pair"
    "n-puzzle"
};

impl Profile {
    /// Returns the names of all built-in profiles, in the order in which they are listed.
    pub fn names() -> impl Iterator<Item = &'static str> {
        FILES.iter().map(|(name, _)| *name)
    }

    /// Returns the built-in profile of this name. Case is ignored.
    pub fn named(name: &str) -> Option<&'static Profile> {
        let (name, text) = FILES.iter().find(|(listed, _)| listed.eq_ignore_ascii_case(name))?;
        let read = Profile::of_text(name, text);
        Some(read.unwrap_or_else(|error| unreachable!("every profile is read in a test: {error}")))
    }

    /// Returns all built-in profiles.
    pub fn all() -> impl Iterator<Item = &'static Profile> {
        Profile::names().filter_map(Profile::named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_is_listed_once_and_can_be_read() {
        let names: BTreeSet<String> = Profile::names().map(|name| format!("{name}.toml")).collect();
        let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/profiles")).unwrap();
        let files = folder.map(|file| file.unwrap().file_name().into_string().unwrap());
        assert_eq!(names, files.collect());
        assert_eq!((names.len(), Profile::all().count()), (FILES.len(), FILES.len()));
        assert!(Profile::named("poj").is_none());
    }

    /// A profile made from a problem statement has a URL, or a note that contains `no URL`.
    #[test]
    fn statements_that_were_read_have_a_url_or_a_note() {
        for Profile { name, url, note, input, output, .. } in Profile::all() {
            let read = [input, output].contains(&&Confidence::Statement);
            assert!(!read || !url.is_empty() || note.contains("no URL"), "{name}");
        }
    }
}
