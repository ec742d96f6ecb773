//! The value of `--as`: the name of a built-in profile, or a file.

use std::ffi::{OsStr, OsString};
use std::path::{Path, is_separator};

use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::cli::ui::sanitize;
use crate::format::custom_profile;
use crate::format::profile::Profile;

/// The number of names suggested for an unknown one.
const SUGGESTIONS: usize = 3;

/// The parser for the value of `--as`. Completions list the names of built-in profiles.
#[derive(Clone, Copy)]
pub struct AnyProfile;

impl TypedValueParser for AnyProfile {
    type Value = &'static Profile;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<&'static Profile, Error> {
        OsStringValueParser::new().try_map(profile).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(Profile::names().map(PossibleValue::new)))
    }
}

/// Returns the profile of a name or file.
fn profile(value: OsString) -> Result<&'static Profile, String> {
    let name = value.to_string_lossy();
    if is_file(&name) {
        return custom_profile::open(Path::new(&value)).map_err(|why| sanitize::line(&why));
    }
    Profile::named(&name).ok_or_else(|| {
        let (mut names, name): (Vec<&str>, _) = (Profile::names().collect(), name.to_ascii_lowercase());
        // Names that start with the given text come first, then those with the fewest edits.
        names.sort_by_key(|candidate| (!candidate.starts_with(&name), strsim::osa_distance(candidate, &name)));
        format!("no such profile; the nearest names are {}", names[..SUGGESTIONS].join(", "))
    })
}

/// Returns true if a value is a path, not a name.
fn is_file(value: &str) -> bool {
    value.contains(is_separator) || Path::new(value).extension().is_some_and(|ending| ending == "toml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_names_are_suggested() {
        let error = |name: &str| profile(name.into()).unwrap_err();
        assert_eq!(error("poj1078"), "no such profile; the nearest names are poj1077, zoj1217, poj3240");
        assert!(error("poj").contains("are poj1077, poj3240, "), "{}", error("poj"));
        assert!(error("uva-10181").contains("are uva10181, "), "{}", error("uva-10181"));
        assert!(error("Leetcode").contains("are leetcode773, "), "{}", error("Leetcode"));
        assert_eq!(profile("UVA652".into()).unwrap().name, "uva652");
        for path in ["./poj1077", "poj1077.toml", "no/poj1077"] {
            assert!(error(path).contains("there is no such file"), "{path}");
        }
    }
}
