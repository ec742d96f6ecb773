//! Parsers of single values. Each gives a sentence for people where a value is wrong.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, Command};

use crate::heuristic::learned::Available;
use crate::solver::Aim;

/// A choice by name, or `auto`.
#[derive(Debug, Clone, Copy)]
pub struct OrAuto<T>(pub Option<T>);

impl<T: Copy> OrAuto<T> {
    /// The one of `all` that has this name.
    pub fn by_name(name: &str, all: &[T], name_of: fn(T) -> &'static str) -> Result<OrAuto<T>, String> {
        if name == "auto" {
            return Ok(OrAuto(None));
        }
        all.iter().copied().find(|&each| name_of(each) == name).map(|each| OrAuto(Some(each))).ok_or_else(|| {
            let names: Vec<_> = all.iter().map(|&each| name_of(each)).collect();
            format!("choose from auto, {}", names.join(", "))
        })
    }
}

/// A parser of names that are a closed set: completions offer them, and what is wrong with another is said by `parse`.
#[derive(Clone)]
pub struct Named<T> {
    names: Vec<&'static str>,
    parse: fn(&str) -> Result<T, String>,
}

/// Parses by `parse`, whose names are these.
pub fn named<T>(names: impl IntoIterator<Item = &'static str>, parse: fn(&str) -> Result<T, String>) -> Named<T> {
    Named { names: names.into_iter().collect(), parse }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Named<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let parse = self.parse;
        TypedValueParser::parse_ref(&move |text: &str| parse(text), command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}

/// The same for what is read from its name, and for lists of it.
pub fn read<T: FromStr<Err: Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|wrong: T::Err| wrong.to_string())
}

/// One of these, by its name: offered by completions, and by a guess where a name is nearly right.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    let names: Vec<&'static str> = all.iter().map(|&each| name(each)).collect();
    // The parser lets nothing through but these names.
    PossibleValuesParser::new(names)
        .try_map(move |text| all.iter().copied().find(|&each| name(each) == text).ok_or("there is no such name"))
}

/// A number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    const MOST: usize = 1024;
    match text.parse() {
        Ok(threads @ 1..=MOST) => Ok(threads),
        _ => Err(format!("expected a number of threads from 1 to {MOST}")),
    }
}

/// The work for a good path.
pub fn effort(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(effort) if Aim::EFFORTS.contains(&effort) => Ok(effort),
        _ => Err(format!("expected a number from {} to {}", Aim::EFFORTS.start(), Aim::EFFORTS.end())),
    }
}

/// A file of weights.
pub fn weights(path: &str) -> Result<Available, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    Available::with_file(&mut BufReader::new(file)).map_err(|error| error.to_string())
}

/// `500M`, `4G`, `64K`; a number alone is bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (number, shift) = match text.as_bytes().last() {
        Some(b'K' | b'k') => (&text[..text.len() - 1], 10),
        Some(b'M' | b'm') => (&text[..text.len() - 1], 20),
        Some(b'G' | b'g') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    match number.parse::<u64>() {
        Ok(number) if number > 0 && number <= u64::MAX >> shift => Ok(number << shift),
        _ => Err("expected a number of bytes such as 500M or 4G".into()),
    }
}

/// `500ms`, `10s`, `2m`, `1h`; a number alone is seconds. No time at all is none.
pub fn duration(text: &str) -> Result<Duration, String> {
    let time = duration_or_none(text)?;
    if time.is_zero() { Err("expected a time greater than nothing".into()) } else { Ok(time) }
}

/// A time as [`duration`] reads it, or none at all: `0`.
pub fn duration_or_none(text: &str) -> Result<Duration, String> {
    let unit_at = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let seconds = match unit {
        "ms" => 1e-3,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 500ms, 10s, 2m or 1h".into()),
    };
    let number: f64 = number.trim().parse().map_err(|_| "expected a number and a unit, such as 10s")?;
    Duration::try_from_secs_f64(number * seconds)
        .map_err(|_| "expected a time that can be measured, such as 10s".into())
}

/// `24`, `20..30`, `20..` or `..30`, both ends included, where open ends are those of `all`; `no_range` begins the
/// message about anything else.
pub fn range<N>(text: &str, all: RangeInclusive<N>, no_range: &str) -> Result<RangeInclusive<N>, String>
where
    N: Copy + Display + FromStr + PartialOrd,
{
    let wrong = || format!("'{text}' {no_range}: expected 24, 20..30, 20.. or ..30");
    let number = |text: &str, open: N| match text.trim() {
        "" => Ok(open),
        digits => digits.parse().map_err(|_| wrong()),
    };
    let (least, most) = match text.split_once("..") {
        Some((least, most)) if !(least.trim().is_empty() && most.trim().is_empty()) => {
            (number(least, *all.start())?, number(most, *all.end())?)
        }
        Some(_) => return Err(wrong()),
        None => {
            let exactly = text.trim().parse().map_err(|_| wrong())?;
            (exactly, exactly)
        }
    };
    if least > most { Err(format!("'{text}' holds no number: {least} is more than {most}")) } else { Ok(least..=most) }
}

/// That no field of `--fields` is named twice.
pub fn no_field_twice<F: Copy + Display + PartialEq>(fields: &[F]) -> Result<(), String> {
    let twice = |(i, field): (usize, &F)| fields[..i].contains(field).then_some(*field);
    match fields.iter().enumerate().find_map(twice) {
        Some(field) => Err(format!("--fields names {field} twice")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!(bytes("64K"), Ok(65_536));
        assert_eq!(bytes("4g"), Ok(4 << 30));
        assert_eq!(bytes("123"), Ok(123));
        for wrong in ["", "G", "0", "-1M", "1T", "99999999999999G"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_are_read_with_their_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2"), Ok(Duration::from_secs(2)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        for wrong in ["", "s", "-1s", "0", "1y", "1e999s", "nan"] {
            assert!(duration(wrong).is_err(), "{wrong}");
            assert_eq!(duration_or_none(wrong).is_ok(), wrong == "0", "{wrong}");
        }
    }
}
