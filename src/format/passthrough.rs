//! Passthrough columns: fields of a record that are copied into its result. They are columns of CSV
//! or members of JSON objects.
//!
//! A CSV field becomes a JSON string. A member of a JSON object is copied unchanged, except that it
//! is put on one line.

use std::str::FromStr;
use std::sync::Arc;

use super::fields::Field;
use crate::board::Error;

/// The fields that define a record. `--pass all` copies them under their own names, because the
/// fields with these names have the same meaning in results.
pub const RECORD_FIELDS: [&str; 5] = ["board", "id", "goal", "rows", "cols"];

/// The usual names of the field that holds the board. In CSV, the board is in the column with the
/// first of these names that the header contains. In JSON, the first object that has any of these
/// names decides: its first name in this list is used for the whole file.
pub const BOARD_FIELDS: [&str; 6] = ["board", "grid", "tiles", "cells", "state", "puzzle"];

/// The passthrough columns and their names.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pass {
    /// True if the fields that `--pass` does not name are copied as well (`--pass all`).
    copies_all: bool,
    /// The fields that `--pass` names, in the order of the option.
    columns: Vec<Column>,
}

/// A field that `--pass` names.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Column {
    /// Its name in the record.
    from: Box<str>,
    /// Its name in the result.
    to: Arc<str>,
}

impl Pass {
    /// Returns true if nothing is copied.
    pub fn is_nothing(&self) -> bool {
        !self.copies_all && self.columns.is_empty()
    }

    /// Returns true if every field is copied. Then [`Pass::names`] is incomplete, because the other
    /// names are known only from the records.
    pub fn is_all(&self) -> bool {
        self.copies_all
    }

    /// Returns the names that the fields in `--pass` have in results.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| &*column.to)
    }

    /// Returns the names that the fields in `--pass` have in records, each with its position.
    pub fn wanted(&self) -> impl Iterator<Item = (usize, &str)> {
        self.columns.iter().map(|column| &*column.from).enumerate()
    }

    /// Returns the position of a record's field among the copied ones and its name in the result,
    /// or `None` if the field is not copied. With `all`, the position is `usize::MAX` for every
    /// field, and a field that has the name of a result's field is renamed, unless it defines the
    /// record.
    ///
    /// # Errors
    /// If `--pass` gives another field the same name in the result.
    pub fn place(&self, name: &str) -> Result<Option<(usize, Arc<str>)>, String> {
        if let Some(at) = self.columns.iter().position(|column| &*column.from == name) {
            // With `all`, equal positions keep the fields in the order of the record.
            return Ok(Some((if self.copies_all { usize::MAX } else { at }, Arc::clone(&self.columns[at].to))));
        }
        if !self.copies_all {
            return Ok(None);
        }
        // The input may be results of an earlier run, with both `moves` and `their_moves`. Then the
        // latter becomes `their_their_moves`.
        let original = name.trim_start_matches("their_");
        let is_renamed = Field::named(original).is_some() && !RECORD_FIELDS.contains(&original);
        let to: Arc<str> = if is_renamed { format!("their_{name}").into() } else { name.into() };
        match self.columns.iter().any(|column| column.to == to) {
            true => Err(format!("'{to}' is already the new name of another field (--pass)")),
            false => Ok(Some((usize::MAX, to))),
        }
    }
}

/// Returns the message that a CSV header or a JSON object has no field for the board. `found` is
/// `header` or `object`, `field` is the name that was expected, and `names` are the names found.
pub fn no_board<'a>(found: &str, field: &str, names: impl Iterator<Item = &'a str>) -> String {
    const SHOWN: usize = 8;
    let mut names = names.map(|name| name.escape_debug().take(40).collect::<String>());
    let mut shown = names.by_ref().take(SHOWN).collect::<Vec<_>>().join(", ");
    if names.next().is_some() {
        shown += ", ...";
    }
    match shown.is_empty() {
        true => format!("the {found} has no \"{field}\": it is empty"),
        false => format!("the {found} has no \"{field}\"; it has: {shown} (use --board-field)"),
    }
}

/// Parses `all`, or comma-separated names, each optionally followed by `=` and a new name.
impl FromStr for Pass {
    type Err = Error;

    fn from_str(text: &str) -> Result<Pass, Error> {
        let mut pass = Pass::default();
        for word in text.split(',').map(str::trim) {
            if word == "all" {
                pass.copies_all = true;
                continue;
            }
            let (from, to) = word.split_once('=').unwrap_or((word, word));
            if from.is_empty() || to.is_empty() {
                return Err(Error::invalid(
                    "expected all, or names of columns such as user,level or moves=their_moves",
                ));
            }
            if Field::named(to).is_some() {
                return Err(Error::invalid(format!(
                    "'{to}' is the name of a field of results: choose another name, such as --pass {from}=their_{to}"
                )));
            }
            if pass.columns.iter().any(|column| &*column.from == from || &*column.to == to) {
                return Err(Error::invalid(format!("'{word}': the column or its new name is named twice")));
            }
            pass.columns.push(Column { from: from.into(), to: to.into() });
        }
        Ok(pass)
    }
}

/// Formats the selection as the argument of `--pass`.
impl std::fmt::Display for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let all = self.copies_all.then(|| "all".to_string());
        let columns = self.columns.iter().map(|Column { from, to }| match **from == **to {
            true => from.to_string(),
            false => format!("{from}={to}"),
        });
        f.write_str(&all.into_iter().chain(columns).collect::<Vec<_>>().join(","))
    }
}

/// The passthrough values of a record: names in the result, and values as JSON on one line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Passthrough(Vec<(Arc<str>, Box<str>)>);

impl Passthrough {
    /// Returns an empty list.
    pub fn nothing() -> &'static Passthrough {
        static NOTHING: Passthrough = Passthrough(Vec::new());
        &NOTHING
    }

    /// Creates a list from values with positions from [`Pass::place`]. Values with positions below
    /// `usize::MAX` come first, in the order of `--pass`; the others follow in the order of the
    /// record.
    pub fn of(mut found: Vec<(usize, Arc<str>, Box<str>)>) -> Passthrough {
        found.sort_by_key(|(place, ..)| *place);
        Passthrough(found.into_iter().map(|(_, name, value)| (name, value)).collect())
    }

    /// Returns the names and values of all copied fields.
    pub fn iter_all(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Returns true if this field defines a record and is copied.
    pub fn keeps(&self, name: &str) -> bool {
        RECORD_FIELDS.contains(&name) && self.0.iter().any(|(copied, _)| **copied == *name)
    }

    /// Returns the names and values of the copied fields, without the fields that define a record.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.iter_all().filter(|(name, _)| !RECORD_FIELDS.contains(name))
    }

    /// Returns the copied value with this name. The fields that define a record are not searched.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|(copied, _)| *copied == name).map(|(_, value)| value)
    }
}

/// Returns the JSON on one line. If it has a line break, all whitespace between its tokens is
/// removed.
pub fn on_one_line(json: &str) -> Box<str> {
    match memchr::memchr2(b'\n', b'\r', json.as_bytes()) {
        None => json.into(),
        Some(_) => compact(json),
    }
}

/// Returns the JSON without the whitespace between its tokens.
pub fn compact(json: &str) -> Box<str> {
    let (mut text, mut in_string, mut escaped) = (String::with_capacity(json.len()), false, false);
    for character in json.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if character.is_ascii_whitespace() {
            continue;
        } else {
            in_string = character == '"';
        }
        text.push(character);
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_kept_renamed_or_rejected() {
        let pass: Pass = "user, moves=their_moves".parse().unwrap();
        assert_eq!(pass.names().collect::<Vec<_>>(), ["user", "their_moves"]);
        assert_eq!(pass.to_string(), "user,moves=their_moves");
        assert_eq!(pass.place("moves"), Ok(Some((1, "their_moves".into()))));
        assert_eq!(pass.place("level"), Ok(None));
        for invalid in ["moves", "a=path", "a,a", "a=b,c=b", "", "a,", "=b", "a="] {
            assert!(invalid.parse::<Pass>().is_err(), "{invalid}");
        }
        let all: Pass = "all,path=old".parse().unwrap();
        let copied_as = |name: &str| Ok(Some((usize::MAX, name.into())));
        assert_eq!(all.place("board"), copied_as("board"));
        assert_eq!(all.place("path"), copied_as("old"));
        assert_eq!(all.place("moves"), copied_as("their_moves"));
        assert_eq!(all.place("their_moves"), copied_as("their_their_moves"));
        assert_eq!(all.place("their_id"), copied_as("their_id"));
        assert!(all.place("old").is_err());
        assert!(Pass::default().is_nothing() && !all.is_nothing());
    }

    #[test]
    fn values_over_several_lines_are_put_on_one() {
        assert_eq!(&*on_one_line("{ \"a b\" : 1 }"), "{ \"a b\" : 1 }");
        assert_eq!(&*on_one_line("{\n  \"a \\\" b\": [1,\r\n 2]\n}"), "{\"a \\\" b\":[1,2]}");
    }
}
