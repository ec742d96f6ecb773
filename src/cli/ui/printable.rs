//! Text from elsewhere – names of files, what they hold, arguments, what the system says – made safe to be shown to people:
//! it cannot move the cursor, colour or title a terminal, turn the direction of the text around it, or begin a line of its
//! own, which whoever reads a log might take for a command.

/// The longest line that is shown whole, in characters: longer than any path.
const LONGEST: usize = 8192;
/// What is kept of the end of a longer one: the reason stands there.
const KEPT_OF_THE_END: usize = 1024;

/// A text on one line: control characters, line ends and marks of direction are written as escapes (`\u{1b}`, `\n`), and
/// the middle of a very long text is left out.
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

/// Several lines: as [`line`], but the line feeds of the text stay. For texts of the program's own; what comes from
/// elsewhere has to pass through `line` before it is put into them, or it could begin a line.
pub fn lines(text: &str) -> String {
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Whether a character is only what it looks like.
pub fn is_safe(character: char) -> bool {
    let is_direction = matches!(character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_line_end = matches!(character, '\u{2028}' | '\u{2029}');
    // Shown as nothing, or not allowed in XML.
    let is_hidden =
        matches!(character, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}');
    !(character.is_control() || is_direction || is_line_end || is_hidden)
}

fn shortened(text: String) -> String {
    let characters = text.chars().count();
    if characters <= LONGEST {
        return text;
    }
    let head: String = text.chars().take(LONGEST - KEPT_OF_THE_END).collect();
    let end: String = text.chars().skip(characters - KEPT_OF_THE_END).collect();
    format!("{head} […{} characters…] {end}", characters - LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_text_is_escaped() {
        assert_eq!(line("\u{1b}[31mred\r\n::error::x\t\u{7f}"), "\\u{1b}[31mred\\r\\n::error::x\\t\\u{7f}");
        assert_eq!(line("a\u{9b}31mb\u{85}\u{2028}"), "a\\u{9b}31mb\\u{85}\\u{2028}", "the control characters of C1");
        assert_eq!(line("\u{202e}txt.evil\u{2066}\u{feff}"), "\\u{202e}txt.evil\\u{2066}\\u{feff}");
        let plain = "größer → 12 µs, 漢字, e\u{301}, C:\\boards\\a.txt, … \u{fffd}";
        assert_eq!(line(plain), plain);
        assert_eq!(lines("a\u{7}\n  b\r\n"), "a\\u{7}\n  b\\r\n");
    }

    #[test]
    fn the_middle_of_a_long_text_is_left_out() {
        let shown = line(&format!("{}: no such file", "\u{1b}".repeat(100_000)));
        assert!(shown.starts_with("\\u{1b}\\u{1b}") && shown.ends_with("\\u{1b}: no such file"));
        assert!(shown.chars().count() < LONGEST + 40 && shown.contains("characters…]"), "{}", shown.len());
        let path = "ä".repeat(4096);
        assert_eq!(line(&path), path);
    }

    /// No character at all comes through that a terminal obeys.
    #[test]
    fn nothing_that_a_terminal_obeys_comes_through() {
        for character in '\0'..=char::MAX {
            let shown = line(&character.to_string());
            assert!(shown.chars().all(|shown| shown >= ' ' && !('\u{7f}'..='\u{9f}').contains(&shown)), "{shown:?}");
        }
    }
}
