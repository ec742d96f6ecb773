//! Holds the source to `docs/architecture.md`: files use each other without circles, rooms (the folders
//! of `src`) use only what the page's table lets them use, and `unsafe` stands where the page lists it.
//!
//! An arrow goes from the file that names an item to the file that *defines* it, whatever re-exports
//! lie between. So a re-export is no arrow of its own, and cannot hide one either. Code for tests or
//! for loom is left out. Not seen is what the source does not name: methods called on values, and
//! items that a macro writes.
//!
//! `TAQUIN_IMPORTS=1 cargo test --test it architecture:: -- --nocapture` prints all arrows by room.
//! `TAQUIN_SRC` and `TAQUIN_ARCHITECTURE` name another source folder and another page.

mod circles;
mod planted;
mod reader;
mod rooms;
mod tree;

use std::collections::BTreeSet;
use std::env;
use std::path::{Path, PathBuf};

use syn::Item;

use circles::{list, list_circles};
use reader::{parsed, read};
use rooms::{is_allowed, list_by_room, misplaced, rows};
use tree::Tree;

fn place(variable: &str, usual: &str) -> PathBuf {
    env::var_os(variable).map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join(usual), PathBuf::from)
}

fn src() -> PathBuf {
    place("TAQUIN_SRC", "src")
}

fn page() -> PathBuf {
    place("TAQUIN_ARCHITECTURE", "docs/architecture.md")
}

#[test]
fn no_files_use_each_other_in_a_circle() {
    let circles = list_circles(&Tree::read(&src()).arrows());
    assert!(circles.is_empty(), "\n{circles}");
}

#[test]
fn rooms_use_only_what_the_page_lets_them_use() {
    let tree = Tree::read(&src());
    let rows = rows(&read(&page())).unwrap();
    let arrows = tree.arrows();
    if env::var_os("TAQUIN_IMPORTS").is_some() {
        println!("{}\n{}", list_by_room(&arrows, &rows), list_circles(&arrows));
    }
    let misplaced = misplaced(&tree.modules.iter().map(|module| &*module.file).collect(), &rows);
    let forbidden = list(arrows.iter().filter(|arrow| !is_allowed(arrow, &rows)));
    assert!(misplaced.is_empty() && forbidden.is_empty(), "\n{misplaced}not allowed by the table:\n{forbidden}");
}

#[test]
fn the_program_has_no_modules_of_its_own() {
    assert!(!parsed(&src().join("main.rs")).items.iter().any(|item| matches!(item, Item::Mod(_))));
}

/// What the page says is to be found in a file or folder of `src/`.
#[test]
fn files_that_the_page_names_are_there() {
    let page = read(&page());
    let (_, section) = page.split_once("## Where is …?").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let named: Vec<&str> =
        section.split('`').skip(1).step_by(2).filter(|name| name.contains('/') && *name != "src/").collect();
    assert!(named.len() > 20, "{named:?}");
    let missing: Vec<&&str> = named.iter().filter(|name| !src().join(name).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The page lists every file that allows `unsafe`, and no other.
#[test]
fn unsafe_code_stands_where_the_page_says() {
    let tree = Tree::read(&src());
    let files: BTreeSet<&str> = tree.modules.iter().map(|module| &*module.file).collect();
    let allows = |file: &&str| read(&src().join(file.trim_start_matches("src/"))).contains("allow(unsafe_code)");
    let page = read(&page());
    let (_, section) = page.split_once("## Where `unsafe` may stand").unwrap();
    let listed = section.split('`').skip(1).step_by(2).filter(|name| name.starts_with("src/"));
    assert_eq!(files.into_iter().filter(allows).collect::<BTreeSet<_>>(), listed.collect());
}
