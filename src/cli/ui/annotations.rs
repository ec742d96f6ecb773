//! Violations as lines for people, or for GitHub, which shows them next to the file.

use std::env;

use clap::ValueEnum;

use super::printable;
use crate::tools::check::{Place, Violation};

/// The format of violations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Annotations {
    /// github if GITHUB_ACTIONS is true, otherwise plain.
    Auto,
    /// FILE: ID: message, or FILE:LINE: message.
    Plain,
    /// Workflow commands: ::error file=FILE,line=LINE::message.
    Github,
}

impl Annotations {
    /// Resolves `Auto` for the current environment.
    pub fn resolved(self) -> Annotations {
        match self {
            Annotations::Auto if env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") => {
                Annotations::Github
            }
            Annotations::Auto => Annotations::Plain,
            other => other,
        }
    }

    /// Returns the line about a violation.
    pub fn line(self, violation: &Violation) -> String {
        let (condition, why) = (violation.condition.name(), &violation.message);
        let Some(place) = &violation.place else { return self.about_no_record(condition, why) };
        match (self, &place.id) {
            (Annotations::Github, _) if *place.source == *"-" => {
                let name = Place { source: "standard input".into(), ..place.clone() };
                self.about_no_record(condition, &format!("{name}: {why}"))
            }
            (Annotations::Github, Some(id)) => on_line(place, condition, &format!("{id}: {why}")),
            (Annotations::Github, None) => on_line(place, condition, why),
            _ => plain(&format!("{place}: {why}")),
        }
    }

    /// Returns the line about `records` records of a file that are invalid for the same reason.
    /// `names` are the first of them.
    pub fn lines(self, first: &Violation, records: u64, names: &[String]) -> String {
        let more = records - names.len() as u64;
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("{records} records: {} ({}{more})", first.message, names.join(", "));
        match (self, &first.place) {
            (Annotations::Github, Some(place)) if *place.source != *"-" => {
                on_line(place, first.condition.name(), &message)
            }
            (Annotations::Github, _) => self.about_no_record(first.condition.name(), &message),
            (_, Some(place)) => plain(&format!("{}: {message}", place.source)),
            (_, None) => plain(&message),
        }
    }

    fn about_no_record(self, condition: &str, why: &str) -> String {
        match self {
            Annotations::Github => format!("::error title=taquin check {condition}::{}\n", data(why)),
            _ => plain(why),
        }
    }

    /// Returns the line for `more` violations that were not printed.
    pub fn more(self, more: u64) -> String {
        match self {
            Annotations::Github => format!("::notice title=taquin check::and {more} more\n"),
            _ => format!("and {more} more\n"),
        }
    }
}

/// Returns the workflow command for a line of a file.
fn on_line(Place { source, line, .. }: &Place, condition: &str, why: &str) -> String {
    let file = property(source);
    format!("::error file={file},line={line},title=taquin check {condition}::{}\n", data(why))
}

/// Returns a line for people, which no runner reads as a workflow command.
fn plain(text: &str) -> String {
    let here = if text.starts_with("::") { "./" } else { "" };
    format!("{here}{}\n", printable::line(text))
}

/// Escapes the message of a workflow command (escapeData of actions/toolkit,
/// packages/core/src/command.ts). Line ends are kept as `%0D` and `%0A`; other control characters
/// are escaped as in [`printable::line`].
fn data(text: &str) -> String {
    let parts: Vec<String> = text.split_inclusive(['\r', '\n']).map(part_of_data).collect();
    parts.concat()
}

/// Escapes one line and its line end.
fn part_of_data(text: &str) -> String {
    let (line, end) = match text.strip_suffix('\n') {
        Some(line) => (line, "%0A"),
        None => text.strip_suffix('\r').map_or((text, ""), |line| (line, "%0D")),
    };
    printable::line(line).replace('%', "%25") + end
}

/// Escapes a property of a workflow command (escapeProperty in the same file).
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::check::Condition;

    fn line(how: Annotations, source: Option<&str>, line: u64, why: &str) -> String {
        let place = source.map(|source| Place { source: source.into(), line, id: None });
        how.line(&Violation { condition: Condition::Moves, place, message: why.into() })
    }

    #[test]
    fn what_a_file_is_called_cannot_end_a_command() {
        let hostile = "a,line=1::b\r\n::stop-commands::x%.txt";
        assert_eq!(
            line(Annotations::Github, Some(hostile), 7, "50% off\n::error::no"),
            "::error file=a%2Cline=1%3A%3Ab%0D%0A%3A%3Astop-commands%3A%3Ax%25.txt,line=7,title=taquin check moves::\
             50%25 off%0A::error::no\n"
        );
        assert_eq!(
            line(Annotations::Plain, Some(hostile), 7, "no\nno"),
            "a,line=1::b\\r\\n::stop-commands::x%.txt:7: no\\nno\n"
        );
    }

    #[test]
    fn no_name_reaches_a_terminal_as_it_is() {
        let (name, why) = ("a\u{1b}]0;x\u{7}\u{202e}.txt", "tile '\u{9b}2J'");
        assert_eq!(
            line(Annotations::Github, Some(name), 7, why),
            "::error file=a\\u{1b}]0;x\\u{7}\\u{202e}.txt,line=7,title=taquin check moves::tile '\\u{9b}2J'\n"
        );
        assert_eq!(
            line(Annotations::Plain, Some(name), 7, why),
            "a\\u{1b}]0;x\\u{7}\\u{202e}.txt:7: tile '\\u{9b}2J'\n"
        );
    }

    #[test]
    fn what_is_about_no_file_names_none() {
        assert_eq!(line(Annotations::Github, None, 0, "no"), "::error title=taquin check moves::no\n");
        assert_eq!(
            line(Annotations::Github, Some("-"), 3, "no"),
            "::error title=taquin check moves::standard input:3: no\n"
        );
        assert_eq!(line(Annotations::Plain, None, 0, "no"), "no\n");
        assert_eq!(line(Annotations::Plain, Some("-"), 3, "no"), "-:3: no\n");
    }
}
