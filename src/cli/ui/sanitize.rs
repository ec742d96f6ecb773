//! Makes untrusted text (file names, file contents, arguments, system messages) safe to print. Safe
//! text cannot move the cursor, change the colours or the title of a terminal, change the direction
//! of the surrounding text, or start a new line, which a log reader could take for a command.

use crate::tools::text::is_safe;

/// The maximum length of a line that is printed in full, in characters: twice the longest path
/// on Linux.
const MAX_LENGTH: usize = 8192;
/// The number of characters kept at the end of a longer line, where a message gives the reason.
const TAIL: usize = 1024;

/// Returns a text as one line. Control characters, line ends and direction marks become escapes
/// (`\u{1b}`, `\n`), and the middle of a very long text is omitted.
pub fn line(text: &str) -> String {
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

/// Escapes several lines as [`line`] does but keeps line feeds. Use this function for the program's
/// own texts. Untrusted text must pass through `line` first, because it could start a new line.
pub fn lines(text: &str) -> String {
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_characters_are_escaped() {
        assert_eq!(line("\u{1b}[31mred\r\n::error::x\t\u{7f}"), "\\u{1b}[31mred\\r\\n::error::x\\t\\u{7f}");
        assert_eq!(line("a\u{9b}31mb\u{85}\u{2028}"), "a\\u{9b}31mb\\u{85}\\u{2028}", "the control characters of C1");
        assert_eq!(line("\u{202e}txt.evil\u{2066}\u{feff}"), "\\u{202e}txt.evil\\u{2066}\\u{feff}");
        let plain = "größer → 12 µs, 漢字, e\u{301}, C:\\boards\\a.txt, … \u{fffd}";
        assert_eq!(line(plain), plain);
        assert_eq!(lines("a\u{7}\n  b\r\n"), "a\\u{7}\n  b\\r\n");
    }

    #[test]
    fn the_middle_of_a_long_text_is_omitted() {
        let shown = line(&format!("{}: no such file", "\u{1b}".repeat(100_000)));
        assert!(shown.starts_with("\\u{1b}\\u{1b}") && shown.ends_with("\\u{1b}: no such file"));
        assert!(shown.chars().count() < MAX_LENGTH + 40 && shown.contains("characters…]"), "{}", shown.len());
        let path = "ä".repeat(4096);
        assert_eq!(line(&path), path);
    }

    #[test]
    fn every_control_character_is_escaped() {
        for character in '\0'..=char::MAX {
            let shown = line(&character.to_string());
            assert!(shown.chars().all(|shown| shown >= ' ' && !('\u{7f}'..='\u{9f}').contains(&shown)), "{shown:?}");
        }
    }
}
