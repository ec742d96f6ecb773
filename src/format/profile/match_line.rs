//! Matches a line of an answer file against a line of a template.

use super::template::Part;
use crate::format::input::number;

/// The values found in a line.
#[derive(Default)]
pub struct Found<'a> {
    /// The number of moves.
    pub moves: Option<u64>,
    /// The moves.
    pub path: Option<&'a [u8]>,
}

/// Matches a line against the parts of a template's line. Returns `None` if it does not match.
pub fn match_line<'a>(parts: &[Part], line: &'a [u8], case: u64) -> Option<Found<'a>> {
    let (mut rest, mut found) = (line, Found::default());
    for (i, part) in parts.iter().enumerate() {
        match *part {
            // Lines are trimmed. If the path is empty, the line lacks the spaces at the end of this
            // text.
            Part::Text(text) if parts[i + 1..] == [Part::Path] && rest == text.trim_ascii_end().as_bytes() => {
                rest = b""
            }
            Part::Text(text) => rest = rest.strip_prefix(text.as_bytes())?,
            Part::Case | Part::Moves => {
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let (token, tail) = rest.split_at(digits);
                let value = number(token).filter(|_| digits == 1 || token[0] != b'0')?;
                match part {
                    Part::Case if value != case => return None,
                    Part::Case => {}
                    _ => found.moves = Some(value),
                }
                rest = tail;
            }
            Part::Path => {
                let suffix = match parts.get(i + 1) {
                    Some(Part::Text(text)) => text.as_bytes(),
                    _ => b"",
                };
                let path;
                (path, rest) = rest.split_at(rest.strip_suffix(suffix)?.len());
                found.path = Some(path);
            }
            Part::Lines | Part::Boards | Part::Status => return None,
        }
    }
    rest.is_empty().then_some(found)
}

/// Returns true if an empty line matches.
pub fn can_be_empty(parts: &[Part]) -> bool {
    parts.iter().all(|part| *part == Part::Path)
}

/// Formats a template's line for messages, with this case's number.
pub fn describe(parts: &[Part], case: u64) -> String {
    if parts.is_empty() {
        return "an empty line".into();
    }
    let pieces: String = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => (*text).to_string(),
            Part::Case => case.to_string(),
            Part::Moves => "<number of moves>".into(),
            _ => "<moves>".into(),
        })
        .collect();
    format!("'{pieces}'")
}
