//! The rooms of the page's table, and which arrows it allows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::circles::list;
use super::tree::Arrow;

/// A row of the page's table: a room and the rooms it may use.
pub struct Row {
    pub room: String,
    pub may_use: Vec<String>,
}

/// The rows of the table on the page, from the highest room to the lowest.
pub fn rows(page: &str) -> Result<Vec<Row>, String> {
    let cells = |line| str::trim_matches(line, '|').split('|').map(str::trim).collect::<Vec<&str>>();
    let table: Vec<&str> = page.lines().skip_while(|line| cells(line) != ["room", "holds", "may use"]).collect();
    let table = table.into_iter().skip(2).take_while(|line| line.starts_with('|')).map(cells);
    // From the lowest room upwards, so that the rooms below are known.
    let mut rows: Vec<Row> = vec![];
    for cells in table.collect::<Vec<_>>().into_iter().rev() {
        let [room, _, words] = cells[..] else { return Err(format!("not a row of three cells: {cells:?}")) };
        let below: Vec<&str> = rows.iter().rev().map(|row| &*row.room).collect();
        let may_use = permitted(words, &below).ok_or_else(|| {
            format!("{room} may use {words:?}: neither \"nothing\" nor \"every room below\" nor a list of rooms below")
        })?;
        rows.push(Row { room: room.trim_matches('`').to_owned(), may_use });
    }
    rows.reverse();
    if rows.is_empty() { Err("no table with the columns room, holds, may use".to_owned()) } else { Ok(rows) }
}

/// Reads the cell "may use" of a room that has these rooms below it.
fn permitted(words: &str, below: &[&str]) -> Option<Vec<String>> {
    let listed =
        words.split(|sign: char| sign == ',' || sign.is_whitespace()).filter(|word| !matches!(*word, "" | "and"));
    let permitted = match words {
        "every room below" => below.to_vec(),
        "nothing" => vec![],
        "" => return None,
        _ => listed
            .map(|word| word.strip_prefix('`')?.strip_suffix('`').filter(|room| below.contains(room)))
            .collect::<Option<_>>()?,
    };
    Some(permitted.into_iter().map(str::to_owned).collect())
}

/// Whether a path is `outer` or lies within it.
fn is_within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The place of a file among the rooms: `a/b` for `src/a/b.rs` and for `src/a/b/mod.rs`.
fn place_of(file: &str) -> &str {
    file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod")
}

/// The row of a file: that of the smallest room it lies in.
fn row_of<'a>(file: &str, rows: &'a [Row]) -> Option<&'a Row> {
    rows.iter().filter(|row| is_within(place_of(file), &row.room)).max_by_key(|row| row.room.len())
}

/// Files without a room, and rooms without a file. The root stands above the rooms.
pub fn misplaced(files: &BTreeSet<&str>, rows: &[Row]) -> String {
    let mut text = String::new();
    for file in files.iter().filter(|file| **file != "src/lib.rs" && row_of(file, rows).is_none()) {
        writeln!(text, "{file} lies in no room of the table").unwrap();
    }
    for row in rows.iter().filter(|row| !files.iter().any(|file| is_within(place_of(file), &row.room))) {
        writeln!(text, "no file of src lies in the table's room {}", row.room).unwrap();
    }
    text
}

/// Whether the table lets an arrow be. The root may use everything, and nothing may use the root.
pub fn is_allowed(arrow: &Arrow, rows: &[Row]) -> bool {
    match (row_of(&arrow.from, rows), row_of(&arrow.to, rows)) {
        (Some(from), Some(to)) => from.room == to.room || from.may_use.iter().any(|room| is_within(&to.room, room)),
        _ => arrow.from == "src/lib.rs",
    }
}

/// All arrows, under the two rooms they join.
pub fn list_by_room(arrows: &[Arrow], rows: &[Row]) -> String {
    let room = |file| row_of(file, rows).map_or("no room", |row| &row.room);
    let mut joined: BTreeMap<(&str, &str), Vec<&Arrow>> = BTreeMap::new();
    for arrow in arrows {
        joined.entry((room(&arrow.from), room(&arrow.to))).or_default().push(arrow);
    }
    joined.into_iter().map(|((from, to), arrows)| format!("{from} -> {to}\n{}", list(arrows.into_iter()))).collect()
}
