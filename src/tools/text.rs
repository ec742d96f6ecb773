//! The wording of numbers, and the conversion of untrusted text (file names, file contents,
//! arguments, system messages) to text that is safe to show.
//!
//! Safe text cannot move the cursor, change the colours or the title of a terminal, change the
//! direction of the surrounding text, or start a new line, which a log reader could take for a
//! command.

use crate::system::grouped;

/// Returns a number with its noun: `1 move`, `2 moves`, `1,000 moves`.
pub fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(number)) }
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

/// Formats a part of a whole, which is not 0, in percent.
pub fn percent(part: u64, whole: u64) -> String {
    let value = part as f64 / whole as f64 * 100.0;
    if part > 0 && value < 0.01 { "< 0.01 %".into() } else { format!("{value:.2} %") }
}

/// Returns true if a character of an untrusted text is safe to show as it is: it is visible, and
/// does not control a terminal, change the direction of the surrounding text or start a new line.
pub fn is_safe(character: char) -> bool {
    let is_direction = matches!(character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_line_end = matches!(character, '\u{2028}' | '\u{2029}');
    // Invisible, or not allowed in XML.
    let is_hidden =
        matches!(character, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}');
    !(character.is_control() || is_direction || is_line_end || is_hidden)
}

/// The maximum length of a line that is printed in full, in characters: twice the longest path
/// on Linux.
const MAX_LENGTH: usize = 8192;

/// Returns a text as one line. Control characters, line ends and direction marks become escapes
/// (`\u{1b}`, `\n`), and a very long text is cut.
pub fn escaped(text: &str) -> String {
    escaped_start(text, MAX_LENGTH)
}

/// Returns the first `max_chars` characters of a text, escaped as [`escaped`] does, with an
/// ellipsis if the text is cut.
pub fn escaped_start(text: &str, max_chars: usize) -> String {
    let mut characters = text.chars();
    let mut shown = String::new();
    for character in characters.by_ref().take(max_chars) {
        if is_safe(character) {
            shown.push(character);
        } else {
            shown.extend(character.escape_default());
        }
    }
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Escapes several lines as [`escaped`] does but keeps line feeds. Use this function for the
/// program's own texts. Untrusted text must pass through `escaped` first, because it could start a
/// new line.
pub fn escaped_lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_characters_are_escaped() {
        assert_eq!(escaped("\u{1b}[31mred\r\n::error::x\t\u{7f}"), "\\u{1b}[31mred\\r\\n::error::x\\t\\u{7f}");
        assert_eq!(escaped("a\u{9b}31mb\u{85}\u{2028}"), "a\\u{9b}31mb\\u{85}\\u{2028}", "the C1 control characters");
        assert_eq!(escaped("\u{202e}txt.evil\u{2066}\u{feff}"), "\\u{202e}txt.evil\\u{2066}\\u{feff}");
        let plain = "größer → 12 µs, 漢字, e\u{301}, C:\\boards\\a.txt, … \u{fffd}";
        assert_eq!(escaped(plain), plain);
        assert_eq!(escaped_lines("a\u{7}\n  b\r\n"), "a\\u{7}\n  b\\r\n");
    }

    #[test]
    fn long_texts_are_cut() {
        let shown = escaped(&"\u{1b}".repeat(100_000));
        assert_eq!(shown, format!("{}…", "\\u{1b}".repeat(MAX_LENGTH)));
        let two_paths = "ä".repeat(MAX_LENGTH);
        assert_eq!(escaped(&two_paths), two_paths);
        assert_eq!(escaped_start("äöü", 2), "äö…");
        assert_eq!(escaped_start("äö", 2), "äö");
        assert_eq!(escaped_start("\0b", 1), "\\u{0}…");
    }

    #[test]
    fn every_control_character_is_escaped() {
        for character in '\0'..=char::MAX {
            let shown = escaped(&character.to_string());
            assert!(shown.chars().all(|shown| shown >= ' ' && !('\u{7f}'..='\u{9f}').contains(&shown)), "{shown:?}");
        }
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
    }
}
