//! Templates of answers: text with names in braces, such as `Case {case}: {moves}`.
//!
//! | name | replaced by |
//! |---|---|
//! | `case` | the record's number in the run, from 1 |
//! | `moves` | the number of moves |
//! | `path` | the moves, on one line |
//! | `lines` | the moves, one per line; `{moves}` must precede them |
//! | `boards` | every board from start to goal |
//! | `status` | the status of a record that has no answer |
//!
//! `{{` stands for a literal `{`. The same templates write answers (`write.rs`) and read those of
//! contestants (`claims.rs`). A reader takes the number of lines for `{lines}` from `{moves}`.

use serde::Deserializer;
use serde::de::Error as _;

use crate::format::input::number;
use crate::format::text::{leaked, one_of};

/// Maximum length of a template in bytes. Together with the limit for listings and paths
/// (`write.rs`), it bounds every answer.
const MAX_TEMPLATE_BYTES: usize = 1024;

/// A template, which is kept until the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Template {
    /// The template as it is written in a profile.
    pub text: &'static str,
    /// The parts that are written.
    pub parts: &'static [Part],
    /// The same parts, grouped into lines, because answers are read line by line.
    pub lines: &'static [Line],
}

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

/// A line of a template, or a part of the template that spans several lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// One line that consists of these parts.
    One(&'static [Part]),
    /// One line for each move.
    EachMove,
    /// The lines of a listing.
    Boards,
}

impl Part {
    /// All parts with a name.
    const NAMED: [Part; 6] = [Part::Case, Part::Moves, Part::Path, Part::Lines, Part::Boards, Part::Status];

    /// Returns the part as it is written in a template.
    const fn name(self) -> &'static str {
        match self {
            Part::Text(text) => text,
            Part::Case => "{case}",
            Part::Moves => "{moves}",
            Part::Path => "{path}",
            Part::Lines => "{lines}",
            Part::Boards => "{boards}",
            Part::Status => "{status}",
        }
    }
}

/// Reads the template of an answer for a board with a solution.
pub fn of_solved<'de, D: Deserializer<'de>>(from: D) -> Result<Template, D::Error> {
    let solution = [Part::Moves, Part::Path, Part::Lines, Part::Boards];
    let template = checked(from, &[Part::Case, Part::Moves, Part::Path, Part::Lines, Part::Boards])?;
    if template.parts.iter().any(|part| solution.contains(part)) {
        return Ok(template);
    }
    Err(D::Error::custom("expected {moves}, {path}, {lines} or {boards} in the answer for a solved board"))
}

/// Reads the template of an answer to a board without a solution, or without one within the limit
/// of moves.
pub fn of_fixed_answer<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Template>, D::Error> {
    checked(from, &[Part::Case]).map(Some)
}

/// Reads the template of the text for a record without an answer.
pub fn of_no_answer<'de, D: Deserializer<'de>>(from: D) -> Result<Template, D::Error> {
    checked(from, &[Part::Case, Part::Status])
}

/// Reads a template that contains no named parts except these.
fn checked<'de, D: Deserializer<'de>>(from: D, named: &[Part]) -> Result<Template, D::Error> {
    let template = Template::parse(leaked(from)?).map_err(D::Error::custom)?;
    if template.text.len() > MAX_TEMPLATE_BYTES {
        return Err(D::Error::custom(format!("a template has at most {MAX_TEMPLATE_BYTES} bytes")));
    }
    if !template.text.ends_with('\n') && !matches!(template.parts.last(), Some(Part::Lines | Part::Boards)) {
        return Err(D::Error::custom("expected a line end (\\n) at the end of a template"));
    }
    match template.parts.iter().find(|part| !matches!(part, Part::Text(_)) && !named.contains(part)) {
        None => Ok(template),
        Some(part) => {
            let expected = one_of(named.iter().map(|part| part.name()));
            Err(D::Error::custom(format!("{} is not allowed here: expected {expected}", part.name())))
        }
    }
}

impl Template {
    /// Returns the template of a line with the status of the record.
    pub const fn status() -> Template {
        let (parts, lines) = (&[Part::Status, Part::Text("\n")], &[Line::One(&[Part::Status])]);
        Template { text: "{status}\n", parts, lines }
    }

    /// Parses a template.
    ///
    /// # Errors
    /// If a name is unknown or a brace is not closed.
    fn parse(template: &'static str) -> Result<Template, String> {
        let (mut parts, mut rest) = (Vec::new(), template);
        while let Some(open) = rest.find('{') {
            if rest[open + 1..].starts_with('{') {
                parts.push(Part::Text(&rest[..=open]));
                rest = &rest[open + 2..];
                continue;
            }
            if open > 0 {
                parts.push(Part::Text(&rest[..open]));
            }
            let close = rest[open..].find('}').ok_or("a { without }: write {{ for a literal brace")?;
            let (name, after) = rest[open..].split_at(close + 1);
            let unknown = || format!("{name} is unknown: expected {}", one_of(Part::NAMED.map(Part::name)));
            parts.push(Part::NAMED.into_iter().find(|part| part.name() == name).ok_or_else(unknown)?);
            rest = after;
        }
        if !rest.is_empty() {
            parts.push(Part::Text(rest));
        }
        Ok(Template { text: template, lines: lines(&parts).leak(), parts: parts.leak() })
    }
}

/// Splits a template into lines. Whitespace at both ends of a line is removed, as from the lines of
/// an answer.
fn lines(parts: &[Part]) -> Vec<Line> {
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    for &part in parts {
        match part {
            Part::Lines => lines.push(Line::EachMove),
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
fn trimmed(mut line: Vec<Part>) -> &'static [Part] {
    if let Some(Part::Text(first)) = line.first_mut() {
        *first = first.trim_ascii_start();
    }
    if let Some(Part::Text(last)) = line.last_mut() {
        *last = last.trim_ascii_end();
    }
    line.retain(|part| *part != Part::Text(""));
    line.leak()
}

/// The values found in a line.
#[derive(Default)]
pub struct LineValues<'a> {
    /// The number of moves.
    pub moves: Option<u64>,
    /// The moves.
    pub path: Option<&'a [u8]>,
}

/// Matches a line against the parts of a template's line. Returns `None` if it does not match.
pub fn match_line<'a>(parts: &[Part], line: &'a [u8], case: u64) -> Option<LineValues<'a>> {
    let (mut rest, mut found) = (line, LineValues::default());
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
    let piece = |part: &Part| match part {
        Part::Text(text) => (*text).to_string(),
        Part::Case => case.to_string(),
        Part::Moves => "<number of moves>".into(),
        _ => "<moves>".into(),
    };
    match parts {
        [] => "an empty line".into(),
        parts => format!("'{}'", parts.iter().map(piece).collect::<String>()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_split_into_parts_and_lines() {
        use Part::{Case, Moves, Path, Text};
        let parse = |text| Template::parse(text).unwrap();
        let lines = |text| parse(text).lines;
        let text = "Case {case}: {moves}\n{path}\n";
        assert_eq!(parse(text).parts, [Text("Case "), Case, Text(": "), Moves, Text("\n"), Path, Text("\n")]);
        assert_eq!(lines(text), [Line::One(&[Text("Case "), Case, Text(": "), Moves]), Line::One(&[Path])]);
        assert_eq!(lines("n = {moves}\n\n{boards}"), [Line::One(&[Text("n = "), Moves]), Line::One(&[]), Line::Boards]);
        assert_eq!(lines("{boards}{moves}\n"), [Line::Boards, Line::One(&[Moves])]);
        assert_eq!(lines("{moves}\n{lines}"), [Line::One(&[Moves]), Line::EachMove]);
        assert_eq!(parse("{{{moves}}").parts, [Text("{"), Moves, Text("}")]);
        assert_eq!(lines(" a {moves} \n"), [Line::One(&[Text("a "), Moves])]);
        assert!(Template::parse("{colour}").is_err() && Template::parse("{moves").is_err());
    }
}
