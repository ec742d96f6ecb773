//! Tests of the test itself: an arrow, a circle or an unclear table that is planted must be found.

use std::collections::BTreeSet;
use std::fs;

use super::circles::{circles, list, list_circles};
use super::rooms::{is_allowed, misplaced, rows};
use super::tree::{Arrow, Tree};

/// The arrows of a library of these files, each given by its name and its text.
fn planted(files: &[(&str, &str)]) -> Vec<Arrow> {
    let src = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = src.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    Tree::read(src.path()).arrows()
}

/// What file `a` uses of file `b`, and in which line first, when `a` has this text.
#[track_caller]
fn assert_uses(a: &str, expected: &str) {
    let b = "pub struct Thing; pub enum Kind { One } pub fn call() {} pub const ONE: u8 = 1; pub mod deep { pub fn call() {} }";
    let root = "mod a; mod b; mod door { pub use crate::b::Thing as Renamed; pub(crate) use super::b::*; }";
    let found = list(planted(&[("lib.rs", root), ("a.rs", a), ("b.rs", b)]).iter());
    let expected = if expected.is_empty() { String::new() } else { format!("  src/a.rs:{expected} of src/b.rs\n") };
    assert_eq!(found, expected, "{a}");
}

#[test]
fn an_arrow_leads_to_the_definition_however_the_path_is_spelled() {
    assert_uses("use crate::b::Thing;", "1 uses Thing");
    assert_uses("use super::b::{Kind, Thing as Other, call};", "1 uses Kind, Thing, call");
    assert_uses("use crate::door::Renamed;", "1 uses Thing");
    assert_uses("use crate::door::Kind::{self, One};", "1 uses Kind");
    assert_uses("use crate::b::Kind::*;", "1 uses Kind");
    assert_uses("use crate::{b as c};\nfn f() { c::deep::call() }", "2 uses call");
    assert_uses("use crate::b::{self, deep};\nfn f(_: b::Thing) { deep::call() }", "2 uses Thing, call");
    assert_uses("use crate::b::*;\nfn f() -> Thing { call(); ONE }", "2 uses ONE, Thing, call");
    assert_uses("pub use crate::b::*;\nfn f(x: u8) { matches!(x, ONE if x.call()); }", "2 uses ONE");
    assert_uses("pub use crate::b::*;\nfn f(x: u8) { match x { ONE => {} _ => {} } }", "2 uses ONE");
    assert_uses("fn f(kind: u8) {\n match kind { crate::b::ONE => {} _ => {} } }", "2 uses ONE");
    assert_uses("fn f() {\n assert!(vec![super::b::deep::call()].is_empty()) }", "2 uses call");
    assert_uses("fn f() {\n { use crate::b::Thing; } }", "2 uses Thing");
    assert_uses("impl Iterator for Vec<<crate::door::Renamed as X>::Y> {}", "1 uses Thing");
    assert_uses("mod inner { use super::super::b::Thing; }", "1 uses Thing");
    assert_uses(
        "struct S {\n #[arg(value_parser = super::b::call, default_value_t = crate::b::ONE)]\n x: u8 }",
        "2 uses ONE, call",
    );
    assert_uses("fn f() { crate::b::written_by_a_macro() }", "1 uses written_by_a_macro");
}

#[test]
fn what_is_only_passed_on_or_only_for_tests_is_no_arrow() {
    assert_uses("use crate::b;", "");
    assert_uses("pub use crate::b::Thing; pub(super) use crate::door::{Kind, *};", "");
    assert_uses("#[cfg(test)] mod tests { use crate::b::Thing; }", "");
    assert_uses("#[cfg(all(test, not(loom)))] mod missing;", "");
    assert_uses("#[cfg(any(test, loom))] use crate::b::Thing;", "");
    assert_uses("struct S; impl S { #[cfg(test)] fn f() -> crate::b::Thing { panic!() } }", "");
    assert_uses("#[cfg(not(any(unix, not(test))))] use crate::b::Thing;", "");
    assert_uses("pub use crate::b::call; fn f(call: u8) -> u8 { call }", "");
    assert_uses("mod b { pub use crate::b::Thing; } use ::b::Thing; fn f(_: ::b::Thing) {}", "");
    assert_uses("#[cfg(all(unix, not(any(test, loom))))] use crate::b::Thing;", "1 uses Thing");
}

#[test]
fn a_circle_is_found_through_re_exports_and_only_there() {
    let root = ("lib.rs", "pub mod room; mod far;");
    let parent = ("room/mod.rs", "mod child; mod other; pub use child::Child; pub struct Own;");
    let other = ("room/other.rs", "use super::Child; pub struct Other(Child);");
    let upwards = ("room/child.rs", "use super::Own; pub struct Child(Own);");
    let arrows = planted(&[root, parent, other, upwards, ("far.rs", "use crate::room::Child;")]);
    assert_eq!(arrows.len(), 3);
    assert_eq!(list_circles(&arrows), "");

    let circular = ("room/child.rs", "use crate::far::Far;\npub struct Child(Far);");
    let arrows = planted(&[root, parent, other, circular, ("far.rs", "\npub struct Far(crate::room::Child);")]);
    let expected = "a circle of 2 files\n  src/far.rs:2 uses Child of src/room/child.rs\n  \
                    src/room/child.rs:1 uses Far of src/far.rs\n";
    assert_eq!(list_circles(&arrows), expected);
}

#[test]
fn a_long_circle_is_one_circle_and_what_hangs_on_it_is_outside() {
    let root = ("lib.rs", "mod a; mod b; mod c; mod d; use d::D; pub struct Root(D);");
    let [a, b, c] = [
        ("a.rs", "pub struct A(crate::b::B);"),
        ("b.rs", "pub struct B(crate::c::C);"),
        ("c.rs", "pub struct C(crate::a::A);"),
    ];
    let arrows = planted(&[root, a, b, c, ("d.rs", "pub struct D(crate::a::A);")]);
    assert_eq!(circles(&arrows), BTreeSet::from([BTreeSet::from(["src/a.rs", "src/b.rs", "src/c.rs"])]));
}

const PAGE: &str = "# Rooms\n\n| room | holds | may use |\n|---|---|---|\n| `top` | x | every room below |\n\
                    | `top/side` | x | `low`, `ground` |\n| `low` | x | `ground` |\n| `ground` | x | nothing |\n\nMore.";

#[test]
fn an_arrow_is_held_to_the_row_of_the_smallest_room() {
    let rows = rows(PAGE).unwrap();
    let allowed = |from: &str, to: &str| {
        let file = |name| format!("src/{name}.rs");
        is_allowed(&Arrow { from: file(from), to: file(to), name: "X".to_owned(), line: 1 }, &rows)
    };
    assert!(allowed("top/a", "top/b") && allowed("top/a", "top/side/b") && allowed("top/a", "ground"));
    assert!(allowed("top/side/a", "low/b") && allowed("low/mod", "ground") && allowed("lib", "top/a"));
    assert!(!allowed("top/side/a", "top/b") && !allowed("ground", "low/a") && !allowed("low/a", "top/b"));
    assert!(!allowed("low/a", "lib") && !allowed("lower/a", "ground") && !allowed("top/a", "lower/b"));
}

#[test]
fn files_without_a_room_and_rooms_without_a_file_are_reported() {
    let files = ["src/lib.rs", "src/top/mod.rs", "src/lowest/a.rs", "src/ground.rs"];
    let found = misplaced(&files.into(), &rows(PAGE).unwrap());
    let expected = "src/lowest/a.rs lies in no room of the table\n\
                    no file of src lies in the table's room top/side\nno file of src lies in the table's room low\n";
    assert_eq!(found, expected);
}

#[test]
fn a_table_that_points_upwards_or_says_nothing_clear_is_refused() {
    for wrong in ["`top`", "`low`", "`cellar`", "ground", "`ground` mostly", "", "most rooms"] {
        let page = PAGE.replace("| `low` | x | `ground` |", &format!("| `low` | x | {wrong} |"));
        assert!(rows(&page).is_err(), "{wrong}");
    }
    assert!(rows("# No table").is_err());
}
