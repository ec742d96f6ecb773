//! Templates of answers: text with names in braces, such as `Case {case}: {moves}`.
//!
//! | name | replaced by |
//! |---|---|
//! | `case` | the record's number in the run, from 1 |
//! | `moves` | the number of moves |
//! | `path` | the moves, on one line |
//! | `lines` | the moves, one per line; `moves` before it gives their number |
//! | `boards` | every board from start to goal |
//! | `status` | the status of a record that has no answer |
//!
//! `{{` stands for a literal `{`.

use serde::Deserializer;
use serde::de::Error as _;

use crate::format::choice::one_of;
use crate::format::leaked::text;

/// Maximum length of a template in bytes. Together with the limit for listings and paths
/// (`write.rs`), it bounds every answer.
pub const MAX_TEMPLATE_BYTES: usize = 1024;

/// A part of a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Literal text.
    Text(&'static str),
    /// The record's number.
    Case,
    /// The number of moves.
    Moves,
    /// The moves on one line.
    Path,
    /// The moves, one per line.
    Lines,
    /// All boards of the solution.
    Boards,
    /// The status of the record.
    Status,
}

impl Part {
    /// All parts with a name.
    const NAMED: [(&'static str, Part); 6] = [
        ("case", Part::Case),
        ("moves", Part::Moves),
        ("path", Part::Path),
        ("lines", Part::Lines),
        ("boards", Part::Boards),
        ("status", Part::Status),
    ];
}

/// Reads the template of an answer for a board with a solution.
pub fn of_solved<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    let solution = [Part::Moves, Part::Path, Part::Lines, Part::Boards];
    let template = checked(from, &[Part::Case, Part::Moves, Part::Path, Part::Lines, Part::Boards])?;
    match parse(template) {
        Ok(parts) if !parts.iter().any(|part| solution.contains(part)) => {
            Err(D::Error::custom("expected {moves}, {path}, {lines} or {boards} in the answer for a solved board"))
        }
        _ => Ok(template),
    }
}

/// Reads the template of an answer for a board without a solution.
pub fn of_unsolvable<'de, D: Deserializer<'de>>(from: D) -> Result<Option<&'static str>, D::Error> {
    checked(from, &[Part::Case]).map(Some)
}

/// Reads the template of the text for a record without an answer.
pub fn of_no_answer<'de, D: Deserializer<'de>>(from: D) -> Result<&'static str, D::Error> {
    checked(from, &[Part::Case, Part::Status])
}

/// Reads a template that contains no named parts except these.
fn checked<'de, D: Deserializer<'de>>(from: D, named: &[Part]) -> Result<&'static str, D::Error> {
    let template = text(from)?;
    let parts = parse(template).map_err(D::Error::custom)?;
    if template.len() > MAX_TEMPLATE_BYTES {
        return Err(D::Error::custom(format!("a template has at most {MAX_TEMPLATE_BYTES} bytes")));
    }
    if !template.ends_with('\n') && !matches!(parts.last(), Some(Part::Lines | Part::Boards)) {
        return Err(D::Error::custom("expected a line end (\\n) at the end of a template"));
    }
    let disallowed = parts.iter().find(|part| !matches!(part, Part::Text(_)) && !named.contains(part));
    let name = |part: &Part| Part::NAMED.iter().find(|(_, other)| other == part).map(|(name, _)| format!("{{{name}}}"));
    match disallowed {
        None => Ok(template),
        Some(part) => {
            let names: Vec<String> = named.iter().filter_map(name).collect();
            let expected = one_of(names.iter().map(String::as_str));
            let found = name(part).unwrap_or_default();
            Err(D::Error::custom(format!("{found} is not allowed here: expected {expected}")))
        }
    }
}

/// Parses a template.
///
/// # Errors
/// If a name is unknown or a brace is not closed.
pub fn parse(template: &'static str) -> Result<Vec<Part>, String> {
    let (mut parts, mut rest) = (Vec::new(), template);
    while let Some(open) = rest.find('{') {
        let (text, tail) = (&rest[..open], &rest[open + 1..]);
        if let Some(after) = tail.strip_prefix('{') {
            parts.push(Part::Text(&rest[..=open]));
            rest = after;
            continue;
        }
        let (name, after) = tail.split_once('}').ok_or("a { without }: write {{ for a literal brace")?;
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        let part = Part::NAMED.iter().find(|(other, _)| *other == name);
        let unknown = || {
            let names: Vec<String> = Part::NAMED.iter().map(|(name, _)| format!("{{{name}}}")).collect();
            format!("{{{name}}} is unknown: expected {}", one_of(names.iter().map(String::as_str)))
        };
        parts.push(part.ok_or_else(unknown)?.1);
        rest = after;
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    Ok(parts)
}

/// A line of a template, or a part of the template that spans several lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// One line that consists of these parts.
    One(Vec<Part>),
    /// One line for each move.
    Moves,
    /// The lines of a listing.
    Boards,
}

/// Splits a template into lines. Whitespace at both ends of a line is removed, as from the lines of
/// an answer.
pub fn lines(parts: &[Part]) -> Vec<Line> {
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    for &part in parts {
        match part {
            Part::Lines => lines.push(Line::Moves),
            Part::Boards => lines.push(Line::Boards),
            Part::Text(text) => {
                for (i, piece) in text.split('\n').enumerate() {
                    if i > 0 {
                        lines.push(Line::One(trimmed(std::mem::take(&mut line))));
                    }
                    if !piece.is_empty() {
                        line.push(Part::Text(piece));
                    }
                }
            }
            _ => line.push(part),
        }
    }
    if !line.is_empty() {
        lines.push(Line::One(trimmed(line)));
    }
    lines
}

/// Removes whitespace at both ends of a line.
fn trimmed(mut line: Vec<Part>) -> Vec<Part> {
    if let Some(Part::Text(first)) = line.first_mut() {
        *first = first.trim_ascii_start();
    }
    if let Some(Part::Text(last)) = line.last_mut() {
        *last = last.trim_ascii_end();
    }
    line.retain(|part| *part != Part::Text(""));
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_split_into_parts_and_lines() {
        use Part::{Boards, Case, Moves, Path, Text};
        let parts = parse("Case {case}: {moves}\n{path}\n").unwrap();
        assert_eq!(parts, [Text("Case "), Case, Text(": "), Moves, Text("\n"), Path, Text("\n")]);
        assert_eq!(lines(&parts), [Line::One(vec![Text("Case "), Case, Text(": "), Moves]), Line::One(vec![Path])]);
        let parts = parse("n = {moves}\n\n{boards}").unwrap();
        assert_eq!(lines(&parts), [Line::One(vec![Text("n = "), Moves]), Line::One(vec![]), Line::Boards]);
        assert_eq!(lines(&[Boards, Moves, Text("\n")]), [Line::Boards, Line::One(vec![Moves])]);
        assert_eq!(lines(&parse("{moves}\n{lines}").unwrap()), [Line::One(vec![Moves]), Line::Moves]);
        assert_eq!(parse("{{{moves}}").unwrap(), [Text("{"), Moves, Text("}")]);
        assert_eq!(lines(&parse(" a {moves} \n").unwrap()), [Line::One(vec![Text("a "), Moves])]);
        assert!(parse("{colour}").is_err() && parse("{moves").is_err());
    }
}
