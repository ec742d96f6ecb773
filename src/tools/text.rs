//! Wording shared by several tools, and the characters that are safe to show.

use crate::system::grouped;

/// Returns a number with its noun: `1 move`, `2 moves`, `1,000 moves`.
pub fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(number)) }
}

/// Returns true if a character of an untrusted text is safe to show as it is: it is visible, and does
/// not control a terminal, change the direction of the surrounding text or start a new line.
pub fn is_safe(character: char) -> bool {
    let is_direction = matches!(character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_line_end = matches!(character, '\u{2028}' | '\u{2029}');
    // Invisible, or not allowed in XML.
    let is_hidden =
        matches!(character, '\u{200b}' | '\u{2060}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}');
    !(character.is_control() || is_direction || is_line_end || is_hidden)
}
