//! Parsers for option values. Each returns a message for the user if a value is wrong.

use std::fmt::Display;
use std::fs::File;
use std::io::BufReader;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::heuristic::learned::Available;
use crate::solver::Aim;

/// Parses a number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    const MAX_THREADS: usize = 1024;
    match text.parse() {
        Ok(threads @ 1..=MAX_THREADS) => Ok(threads),
        _ => Err(format!("expected a number of threads from 1 to {MAX_THREADS}")),
    }
}

/// Parses the effort for a good path.
pub fn effort(text: &str) -> Result<u8, String> {
    match text.parse() {
        Ok(effort) if Aim::EFFORTS.contains(&effort) => Ok(effort),
        _ => Err(format!("expected a number from {} to {}", Aim::EFFORTS.start(), Aim::EFFORTS.end())),
    }
}

/// Loads a file of weights.
pub fn weights(path: &str) -> Result<Available, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    Available::with_file(&mut BufReader::new(file)).map_err(|error| error.to_string())
}

/// Parses a size such as `500M` or `4G`, with units of powers of 1024. A number alone is bytes.
pub fn bytes(text: &str) -> Result<u64, String> {
    match parse_size::Config::new().with_binary().parse_size(text) {
        Ok(bytes @ 1..) => Ok(bytes),
        _ => Err("expected a number of bytes such as 500M or 4G".into()),
    }
}

/// Parses a time such as `500ms`, `10s` or `2m`. A number alone is seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let time = duration_or_none(text)?;
    if time.is_zero() { Err("expected a time greater than 0".into()) } else { Ok(time) }
}

/// Parses a time as [`duration`] does, and accepts `0`.
pub fn duration_or_none(text: &str) -> Result<Duration, String> {
    let unit = if text.ends_with(|c: char| c.is_ascii_digit()) { "s" } else { "" };
    let zero = if text.starts_with('.') { "0" } else { "" };
    match humantime::parse_duration(&format!("{zero}{text}{unit}")) {
        // Reject `M`: `humantime` takes it for a month, but users mean a minute.
        Ok(time) if !text.contains('M') => Ok(time),
        _ => Err("expected a time such as 500ms, 10s or 2m".into()),
    }
}

/// Parses `24`, `20..30` (or `20-30`), `20..` or `..30`, both ends included. `limits` supplies
/// the open ends. `objection` follows the value in the error message, as in `'x' is not a walk
/// length`.
pub fn range<N>(text: &str, limits: RangeInclusive<N>, objection: &str) -> Result<RangeInclusive<N>, String>
where
    N: Copy + Display + FromStr + PartialOrd,
{
    let wrong = || format!("'{text}' {objection}: expected 24, 20..30, 20.. or ..30");
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
    } else {
        Ok(least..=most)
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
            assert_eq!(duration_or_none(wrong).is_ok(), wrong == "0", "{wrong}");
        }
    }
}
