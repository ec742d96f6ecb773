//! Holds the source to `docs/architecture.md`: files use each other without circles, rooms (the folders of `src`) use
//! only what the page's table lets them use, and `unsafe` stands where the page lists it.
//!
//! An arrow goes from the file that names an item to the file that *defines* it, whatever re-exports lie between. So a
//! re-export is no arrow of its own, and cannot hide one either. Code for tests or for loom is left out. Not seen is
//! what the source does not name: methods called on values, and items that a macro writes.

mod planted;
mod reader;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::common::project;
use reader::{Arrow, Tree, lines, read};

#[test]
fn the_source_keeps_to_the_page() {
    let page = read(&project().join("docs/architecture.md"));
    let faults = faults(&project().join("src"), &page);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// What the page says is to be found in a file or folder of `src/`.
#[test]
fn files_that_the_page_names_are_there() {
    let page = read(&project().join("docs/architecture.md"));
    let (_, section) = page.split_once("## Where is …?").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let named: Vec<&str> =
        section.split('`').skip(1).step_by(2).filter(|name| name.contains('/') && *name != "src/").collect();
    assert!(named.len() > 20, "{named:?}");
    let missing: Vec<&&str> = named.iter().filter(|name| !project().join("src").join(name).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// What is wrong with the library in this folder by this page.
fn faults(src: &Path, page: &str) -> Vec<String> {
    let tree = Tree::read(src);
    let (arrows, rooms) = (tree.arrows(), rooms(page));
    let files: BTreeSet<&str> = tree.modules.values().map(String::as_str).collect();
    let mut faults = vec![];
    for Arrow { from, to, name, line } in arrows.iter().filter(|arrow| !is_allowed(arrow, &rooms)) {
        faults.push(format!("{from}:{line} uses {name} of {to}: the table does not allow it"));
    }
    for circle in circles(&arrows) {
        faults.push(format!("a circle of {} files:", circle.len()));
        let inner = arrows.iter().filter(|arrow| circle.contains(&*arrow.from) && circle.contains(&*arrow.to));
        faults.extend(inner.map(|Arrow { from, to, name, line }| format!("  {from}:{line} uses {name} of {to}")));
    }
    for file in files.iter().filter(|file| **file != "src/lib.rs" && room_of(file, &rooms).is_none()) {
        faults.push(format!("{file} lies in no room of the table"));
    }
    for (room, _) in rooms.iter().filter(|(room, _)| !files.iter().any(|file| is_within(file, room))) {
        faults.push(format!("no file lies in the table's room {room}"));
    }
    // The page lists every file that allows `unsafe`, and no other.
    let (_, section) = page.split_once("## Where `unsafe` may stand").expect("the page says where unsafe may stand");
    let listed: BTreeSet<&str> = section.split('`').filter(|name| name.starts_with("src/")).collect();
    let allows = |file: &&str| read(&src.join(&file["src/".len()..])).contains("allow(unsafe_code)");
    for file in listed.symmetric_difference(&files.into_iter().filter(allows).collect()) {
        faults.push(format!("{file} allows unsafe code or is listed as if it did"));
    }
    if lines(&src.join("main.rs")).iter().any(|line| line.contains("mod ")) {
        faults.push("src/main.rs has a module of its own".to_owned());
    }
    faults
}

/// A room of the page's table and the rooms that it may use.
type Room<'a> = (&'a str, Vec<&'a str>);

/// The rows of the table on the page.
fn rooms(page: &str) -> Vec<Room<'_>> {
    let cells = |line| str::trim_matches(line, '|').split('|').map(str::trim).collect::<Vec<&str>>();
    let table = page.lines().skip_while(|line| cells(line) != ["room", "holds", "may use"]).skip(2);
    let rows: Vec<Vec<&str>> = table.take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(!rows.is_empty(), "the page has no table with the columns room, holds, may use");
    let names: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let may_use = |index: usize| match rows[index][2] {
        "every room below" => names[index + 1..].to_vec(),
        "nothing" => vec![],
        words => {
            let rooms = words.split(", ").map(|word| word.strip_prefix('`').and_then(|word| word.strip_suffix('`')));
            let below = |room: &&str| names[index + 1..].contains(room);
            let error = "neither \"nothing\" nor \"every room below\" nor a list of rooms below";
            rooms.map(|room| room.filter(below).unwrap_or_else(|| panic!("{words}: {error}"))).collect()
        }
    };
    (0..rows.len()).map(|index| (names[index], may_use(index))).collect()
}

/// Whether a file, or the module that it is, or a room lies within a room.
fn is_within(file: &str, room: &str) -> bool {
    let place = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    place.strip_prefix(room).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The smallest room that a file lies in.
fn room_of<'a>(file: &str, rooms: &'a [Room<'a>]) -> Option<&'a Room<'a>> {
    rooms.iter().filter(|(room, _)| is_within(file, room)).max_by_key(|(room, _)| room.len())
}

/// Whether the table allows an arrow. The root may use everything, and nothing may use the root.
fn is_allowed(arrow: &Arrow, rooms: &[Room<'_>]) -> bool {
    match (room_of(&arrow.from, rooms), room_of(&arrow.to, rooms)) {
        (Some((from, may_use)), Some((to, _))) => from == to || may_use.iter().any(|room| is_within(to, room)),
        _ => arrow.from == "src/lib.rs",
    }
}

/// The circles: the groups of files of which each leads to each other.
fn circles(arrows: &[Arrow]) -> BTreeSet<BTreeSet<&str>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for arrow in arrows {
        uses.entry(&arrow.from).or_default().insert(&arrow.to);
    }
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in uses.keys() {
        let (mut seen, mut open) = (BTreeSet::new(), vec![*file]);
        while let Some(file) = open.pop() {
            open.extend(uses.get(file).into_iter().flatten().filter(|next| seen.insert(**next)));
        }
        reached.insert(file, seen);
    }
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|files| files.contains(to));
    let in_circles = reached.keys().filter(|file| leads(file, file));
    in_circles.map(|file| reached[file].iter().copied().filter(|other| leads(other, file)).collect()).collect()
}
