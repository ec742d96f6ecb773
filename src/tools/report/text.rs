//! Formatting of numbers and untrusted texts for a report.

pub(super) use crate::system::grouped;
use crate::tools::text::is_safe;

/// Returns at most `max_chars` characters of a text, with an ellipsis if it is cut. Characters
/// that are not safe to show become replacement characters.
///
/// This only keeps texts readable. The template protects the page: it escapes all texts.
pub fn sanitize(text: &str, max_chars: usize) -> String {
    let visible = |character| if is_safe(character) { character } else { char::REPLACEMENT_CHARACTER };
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(max_chars).map(visible).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Formats a number with at most three digits: `980`, `12.3 k`, `4.50 M`.
pub fn short(number: u64) -> String {
    scaled(number, &["", " k", " M", " G", " T", " P", " E"])
}

/// Formats a time with at most three digits, such as `12 µs`, `3.40 ms`, `1.50 s` or `2.50 ks`, or
/// in whole hours from 10,000 s.
pub fn time(microseconds: u64) -> String {
    match microseconds {
        0..10_000_000_000 => scaled(microseconds, &[" µs", " ms", " s", " ks"]),
        long => format!("{} h", grouped(long / 3_600_000_000)),
    }
}

fn scaled(number: u64, units: &[&str]) -> String {
    let (mut unit, mut scale) = (0, 1u64);
    // A value that would round to 1000 takes the next unit: 999,960 is 1.00 M.
    while number >= 1000 && unit + 1 < units.len() && number as f64 / scale as f64 >= 999.5 {
        (unit, scale) = (unit + 1, scale.saturating_mul(1000));
    }
    if unit == 0 {
        return format!("{number}{}", units[0]);
    }
    let value = number as f64 / scale as f64;
    let digits = match value {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{value:.digits$}{}", units[unit])
}

/// Formats a part of a whole in percent.
pub fn percent(part: u64, whole: u64) -> String {
    let value = part as f64 / whole as f64 * 100.0;
    match whole {
        0 => "–".into(),
        _ if part > 0 && value < 0.01 => "< 0.01 %".into(),
        _ => format!("{value:.2} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_become_visible_and_long_texts_are_cut() {
        assert_eq!(sanitize("plain <b>", 20), "plain <b>");
        assert_eq!(sanitize("a\0b\u{202e}c\r\nd\u{2028}", 20), "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}d\u{fffd}");
        assert_eq!(sanitize("äöü", 2), "äö…");
        assert_eq!(sanitize("äö", 2), "äö");
    }

    #[test]
    fn numbers() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0, 999, 1000, 12_345, 999_499, 999_960].map(short),
            ["0", "999", "1.00 k", "12.3 k", "999 k", "1.00 M"]
        );
        assert_eq!(short(u64::MAX), "18.4 E");
        assert_eq!([5, 3400, 1_500_000, 360_000_000].map(time), ["5 µs", "3.40 ms", "1.50 s", "360 s"]);
        assert_eq!(time(u64::MAX), "5,124,095,576 h");
        assert_eq!(percent(1, 3), "33.33 %");
        assert_eq!(percent(1, 1_000_000), "< 0.01 %");
        assert_eq!(percent(0, 0), "–");
    }
}
