//! Parsers for option values. Each returns a message for the user if a value is wrong.

use std::ffi::{OsStr, OsString};
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::path::{Path, is_separator};
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command, Error};

use crate::format::custom_profile;
use crate::format::profile::Profile;
use crate::heuristic::learned::AvailableWeights;
use crate::solver::Aim;
use crate::tools::generate::Repeats;
use crate::tools::text::escaped;

/// Returns a parser that accepts the names of these values. clap lists and completes the names.
pub fn choice<T: Copy + Send + Sync>(
    values: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(values.iter().map(move |&value| name(value)))
        .try_map(move |text| values.iter().copied().find(|&value| name(value) == text).ok_or("unknown name"))
}

/// A choice, or `None` for `auto`. The alias hides the `Option` from clap's derive macro, which
/// would otherwise expect a parser of `T`.
pub type OrAuto<T> = Option<T>;

/// Returns a parser that accepts the names of these values, and `auto`.
pub fn choice_or_auto<T: Copy + Send + Sync>(
    values: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = OrAuto<T>> {
    PossibleValuesParser::new(["auto"].into_iter().chain(values.iter().map(move |&value| name(value))))
        .map(move |text| values.iter().copied().find(|&value| name(value) == text))
}

/// Parses a value that meets a condition.
pub fn expect<T: FromStr>(text: &str, meets: impl FnOnce(&T) -> bool, expected: &str) -> Result<T, String> {
    text.parse().ok().filter(meets).ok_or_else(|| format!("expected {expected}"))
}

/// Parses a number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    expect(text, |threads| (1..=1024).contains(threads), "a number of threads from 1 to 1024")
}

/// Parses the effort for a good path.
pub fn effort(text: &str) -> Result<u8, String> {
    let expected = format!("a number from {} to {}", Aim::EFFORTS.start(), Aim::EFFORTS.end());
    expect(text, |effort| Aim::EFFORTS.contains(effort), &expected)
}

/// Loads a file of weights.
pub fn weights(path: &str) -> Result<AvailableWeights, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    AvailableWeights::with_file(&mut BufReader::new(file)).map_err(|error| error.to_string())
}

/// Parses a size such as `500M` or `4G`, with units of powers of 1024. A number alone is bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    let bytes = parse_size::Config::new().with_binary().parse_size(text).ok().filter(|&bytes| bytes > 0);
    bytes.ok_or_else(|| "expected a number of bytes such as 500M or 4G".into())
}

/// Parses a time such as `500ms`, `10s` or `2m`. A number alone is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let time = duration_or_zero(text)?;
    if time.is_zero() { Err("expected a time greater than 0".into()) } else { Ok(time) }
}

/// Parses a time as [`duration`] does, and accepts `0`.
pub fn duration_or_zero(text: &str) -> Result<Duration, String> {
    let unit = if text.ends_with(|c: char| c.is_ascii_digit()) { "s" } else { "" };
    let zero = if text.starts_with('.') { "0" } else { "" };
    match humantime::parse_duration(&format!("{zero}{text}{unit}")) {
        // Reject `M`: `humantime` takes it for a month, but users mean a minute.
        Ok(time) if !text.contains('M') => Ok(time),
        _ => Err("expected a time such as 500ms, 10s or 2m".into()),
    }
}

/// Parses `24`, `20..30` (or `20-30`), `20..` or `..30`, both ends included. `limits` supplies the
/// open ends and the maximum. `objection` follows the value in the error message, as in `'x' is not
/// a walk length`.
pub fn range<N>(text: &str, limits: RangeInclusive<N>, objection: &str) -> Result<RangeInclusive<N>, String>
where
    N: Copy + Display + FromStr + PartialOrd,
{
    let wrong = || format!("'{text}' {objection}: expected a number or a range, such as 24, 20..30, 20.. or ..30");
    let number = |text: &str, open: N| match text.trim() {
        "" => Ok(open),
        digits => digits.parse().map_err(|_| wrong()),
    };
    let dashed = || text.split_once('-').filter(|(least, most)| !least.trim().is_empty() && !most.trim().is_empty());
    let (least, most) = match text.split_once("..").or_else(dashed) {
        Some((least, most)) if !(least.trim().is_empty() && most.trim().is_empty()) => {
            (number(least, *limits.start())?, number(most, *limits.end())?)
        }
        Some(_) => return Err(wrong()),
        None => {
            let exactly = text.trim().parse().map_err(|_| wrong())?;
            (exactly, exactly)
        }
    };
    if least > most {
        Err(format!("'{text}' is an empty range: {least} is greater than {most}"))
    } else if most > *limits.end() {
        Err(format!("'{text}' {objection}: expected at most {}", limits.end()))
    } else {
        Ok(least..=most)
    }
}

/// Parses what `--unique` rejects.
pub fn unique(text: &str) -> Result<Repeats, &'static str> {
    match text {
        "boards" => Ok(Repeats::ExactAvoided),
        "reflections" => Ok(Repeats::ReflectionsAvoided),
        _ => Err("expected boards or reflections"),
    }
}

/// The number of names suggested for an unknown profile.
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

/// Returns the built-in profile of this name, or the profile in this file.
fn profile(value: OsString) -> Result<&'static Profile, String> {
    let name = value.to_string_lossy();
    if is_file(&name) {
        return custom_profile::open(Path::new(&value)).map_err(|why| escaped(&why));
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
    fn sizes_are_read_with_their_units() {
        assert_eq!(bytes("64K"), Ok(65_536));
        assert_eq!(bytes("4g"), Ok(4 << 30));
        assert_eq!(bytes("123"), Ok(123));
        assert_eq!(bytes("1.5GiB"), Ok(3 << 29));
        for wrong in ["", "G", "0", "-1M", "1Q", "99999999999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_read_with_their_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("1h 30min"), Ok(Duration::from_secs(5400)));
        for wrong in ["", "s", "-1s", "0", "1q", "1e999s", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
            assert_eq!(duration_or_zero(wrong).is_ok(), wrong == "0", "{wrong}");
        }
    }

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
