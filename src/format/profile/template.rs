//! Templates of answers: text with names in braces, such as `Case {case}: {moves}`.
//!
//! | name | stands for |
//! |---|---|
//! | `case` | the record's number in the run, from 1 |
//! | `moves` | the number of moves |
//! | `path` | the moves, on one line |
//! | `lines` | the moves, one per line; `moves` before it gives their number |
//! | `boards` | every board from start to goal |
//! | `status` | the status of a record that has no answer |

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

/// Parses a template.
///
/// # Errors
/// If a name is unknown or a brace is not closed.
pub fn parse(template: &'static str) -> Result<Vec<Part>, String> {
    let (mut parts, mut rest) = (Vec::new(), template);
    while let Some(open) = rest.find('{') {
        let (text, behind) = (&rest[..open], &rest[open + 1..]);
        let close = behind.find('}').ok_or("a brace is open")?;
        if !text.is_empty() {
            parts.push(Part::Text(text));
        }
        parts.push(match &behind[..close] {
            "case" => Part::Case,
            "moves" => Part::Moves,
            "path" => Part::Path,
            "lines" => Part::Lines,
            "boards" => Part::Boards,
            "status" => Part::Status,
            name => return Err(format!("{{{name}}} stands for nothing")),
        });
        rest = &behind[close + 1..];
    }
    if !rest.is_empty() {
        parts.push(Part::Text(rest));
    }
    Ok(parts)
}

/// A line of a template, as needed for reading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// One line of these parts.
    One(Vec<Part>),
    /// One line for each move.
    Moves,
    /// The lines of a listing.
    Boards,
}

/// Splits a template into lines.
pub fn lines(parts: &[Part]) -> Vec<Line> {
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    for &part in parts {
        match part {
            Part::Lines => lines.push(Line::Moves),
            Part::Boards => lines.push(Line::Boards),
            Part::Text(text) => {
                for (i, piece) in text.split('\n').enumerate() {
                    if i > 0 {
                        lines.push(Line::One(std::mem::take(&mut line)));
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
        lines.push(Line::One(line));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_taken_apart() {
        use Part::{Boards, Case, Moves, Path, Text};
        let parts = parse("Case {case}: {moves}\n{path}\n").unwrap();
        assert_eq!(parts, [Text("Case "), Case, Text(": "), Moves, Text("\n"), Path, Text("\n")]);
        assert_eq!(lines(&parts), [Line::One(vec![Text("Case "), Case, Text(": "), Moves]), Line::One(vec![Path])]);
        let parts = parse("n = {moves}\n\n{boards}").unwrap();
        assert_eq!(lines(&parts), [Line::One(vec![Text("n = "), Moves]), Line::One(vec![]), Line::Boards]);
        assert_eq!(lines(&[Boards, Moves, Text("\n")]), [Line::Boards, Line::One(vec![Moves])]);
        assert_eq!(lines(&parse("{moves}\n{lines}").unwrap()), [Line::One(vec![Moves]), Line::Moves]);
        assert!(parse("{colour}").is_err() && parse("{moves").is_err());
    }
}
