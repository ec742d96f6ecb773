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

/// Formats a part of a whole in percent.
pub fn percent(part: u64, whole: u64) -> String {
    let value = part as f64 / whole as f64 * 100.0;
    match whole {
        0 => "–".into(),
        _ if part > 0 && value < 0.01 => "< 0.01 %".into(),
        _ => format!("{value:.2} %"),
    }
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
/// The number of characters kept at the end of a longer line, where a message gives the reason.
const TAIL: usize = 1024;

/// Returns a text as one line. Control characters, line ends and direction marks become escapes
/// (`\u{1b}`, `\n`), and the middle of a very long text is omitted.
pub fn escaped(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if is_safe(character) {
            line.push(character);
        } else {
            line.extend(character.escape_default());
        }
    }
    shortened(line)
}

/// Escapes several lines as [`escaped`] does but keeps line feeds. Use this function for the
/// program's own texts. Untrusted text must pass through `escaped` first, because it could start a
/// new line.
pub fn escaped_lines(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

fn shortened(text: String) -> String {
    let characters = text.chars().count();
    if characters <= MAX_LENGTH {
        return text;
    }
    let head: String = text.chars().take(MAX_LENGTH - TAIL).collect();
    let end: String = text.chars().skip(characters - TAIL).collect();
    format!("{head} […{} characters…] {end}", characters - MAX_LENGTH)
}

/// Returns at most `max_chars` characters of a text, with an ellipsis if it is cut. Characters
/// that are not safe to show become replacement characters.
///
/// This only keeps texts readable; it does not prevent injection. The templates of HTML and SVG do
/// that, because they escape every text.
pub fn replaced(text: &str, max_chars: usize) -> String {
    let visible = |character| if is_safe(character) { character } else { char::REPLACEMENT_CHARACTER };
    let mut characters = text.chars();
    let mut shown: String = characters.by_ref().take(max_chars).map(visible).collect();
    if characters.next().is_some() {
        shown.push('…');
    }
    shown
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
    fn the_middle_of_a_long_text_is_omitted() {
        let shown = escaped(&format!("{}: no such file", "\u{1b}".repeat(100_000)));
        assert!(shown.starts_with("\\u{1b}\\u{1b}") && shown.ends_with("\\u{1b}: no such file"));
        assert!(shown.chars().count() < MAX_LENGTH + 40 && shown.contains("characters…]"), "{}", shown.len());
        let path = "ä".repeat(4096);
        assert_eq!(escaped(&path), path);
    }

    #[test]
    fn every_control_character_is_escaped() {
        for character in '\0'..=char::MAX {
            let shown = escaped(&character.to_string());
            assert!(shown.chars().all(|shown| shown >= ' ' && !('\u{7f}'..='\u{9f}').contains(&shown)), "{shown:?}");
        }
    }

    #[test]
    fn hidden_characters_become_visible_and_long_texts_are_cut() {
        assert_eq!(replaced("plain <b>", 20), "plain <b>");
        assert_eq!(replaced("a\0b\u{202e}c\r\nd\u{2028}", 20), "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}d\u{fffd}");
        assert_eq!(replaced("äöü", 2), "äö…");
        assert_eq!(replaced("äö", 2), "äö");
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
