//! Tests of the architecture test: it finds each planted violation, and nothing else.

use std::fs;
use std::panic::catch_unwind;

use super::faults;
use super::reader::{Dependency, Tree};

const PAGE: &str = "# Layers\n\n| layer | contents | may use |\n|---|---|---|\n| `top` | x | every layer below |\n\
                    | `top/side` | x | `low`, `ground` |\n| `low` | x | `ground` |\n| `ground` | x | nothing |\n\nMore.\n\
                    ## Where `unsafe` is allowed\n\n`src/ground.rs`\n";

/// A library without violations.
const VALID: [(&str, &str); 7] = [
    ("main.rs", "fn main() {}"),
    ("lib.rs", "mod ground;\nmod low;\nmod top;\npub use low::Low;\npub struct Root(top::Top);"),
    ("top/mod.rs", "mod side;\npub use side::Side;\npub struct Top(crate::low::Low, crate::ground::Ground);"),
    ("top/side.rs", "use crate::low::Low;\npub struct Side(Low);"),
    ("low/mod.rs", "mod inner;\npub use inner::Low;"),
    ("low/inner.rs", "use crate::ground::Ground;\npub struct Low(Ground);"),
    ("ground.rs", "#[allow(unsafe_code)]\npub struct Ground;"),
];

/// Creates a folder with these files. A file replaces an earlier one with the same name.
fn library(files: &[(&str, &str)]) -> tempfile::TempDir {
    let src = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = src.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    src
}

/// Returns the violations of the valid library after replacing some files.
fn planted(files: &[(&str, &str)]) -> Vec<String> {
    faults(library(&[&VALID, files].concat()).path(), PAGE)
}

#[test]
fn each_violation_is_found() {
    assert_eq!(planted(&[]), [""; 0]);
    let forbidden = |dependency: &str| format!("{dependency}: the table does not allow it");
    let upwards = ("ground.rs", "#[allow(unsafe_code)]\npub struct Ground;\n\nuse crate::low::LIMIT;");
    let limit = ("low/mod.rs", "mod inner;\npub use inner::Low;\npub const LIMIT: u8 = 1;");
    assert_eq!(planted(&[upwards, limit]), [forbidden("src/ground.rs:4 uses LIMIT of src/low/mod.rs")]);
    // Three more violations: an inner layer uses the layer around it; a layer uses a higher layer
    // through a re-export by the root; a layer uses an item of the root.
    let outwards = ("top/side.rs", "pub struct Side(crate::top::Outer);");
    let outer = ("top/mod.rs", "mod side;\npub use side::Side;\npub struct Outer;");
    assert_eq!(planted(&[outwards, outer]), [forbidden("src/top/side.rs:1 uses Outer of src/top/mod.rs")]);
    let through_root = ("ground.rs", "#[allow(unsafe_code)]\npub struct Ground;\npub type Other = crate::Low;");
    assert_eq!(
        planted(&[through_root]),
        [
            &forbidden("src/ground.rs:3 uses Low of src/low/inner.rs"),
            "a cycle of 2 files:",
            "  src/ground.rs:3 uses Low of src/low/inner.rs",
            "  src/low/inner.rs:1 uses Ground of src/ground.rs"
        ]
    );
    let of_root = ("top/side.rs", "pub struct Side(crate::Root);");
    let root = ("lib.rs", "mod ground;\nmod low;\nmod top;\npub struct Root;");
    assert_eq!(planted(&[of_root, root]), [forbidden("src/top/side.rs:1 uses Root of src/lib.rs")]);

    let stray = ("lib.rs", "mod ground;\nmod low;\nmod lowest;\nmod top;");
    assert_eq!(planted(&[stray, ("lowest.rs", "")]), ["src/lowest.rs is in no layer of the table"]);
    let empty = ("top/mod.rs", "");
    assert_eq!(planted(&[empty]), ["no file is in the table's layer top/side"]);
    let mismatch = "allows unsafe code and is not listed, or is listed and does not allow it";
    let unlisted = ("low/inner.rs", "#![allow(unsafe_code)]\npub struct Low;");
    assert_eq!(planted(&[unlisted]), [format!("src/low/inner.rs {mismatch}")]);
    assert_eq!(planted(&[("ground.rs", "pub struct Ground;")]), [format!("src/ground.rs {mismatch}")]);
    assert_eq!(planted(&[("main.rs", "pub mod own;")]), ["src/main.rs declares a module"]);
}

/// The report names all files of the cycle, and no file that only leads to it.
#[test]
fn a_long_cycle_is_one_cycle() {
    let files = [
        ("low/mod.rs", "mod a;\nmod b;\nmod c;\nmod d;\npub use a::Low;"),
        ("low/a.rs", "pub struct Low(super::b::B);"),
        ("low/b.rs", "pub struct B(super::c::C);"),
        ("low/c.rs", "pub struct C(super::Low);"),
        ("low/d.rs", "pub struct D(super::Low);"),
    ];
    assert_eq!(
        planted(&files),
        [
            "a cycle of 3 files:",
            "  src/low/a.rs:1 uses B of src/low/b.rs",
            "  src/low/b.rs:1 uses C of src/low/c.rs",
            "  src/low/c.rs:1 uses Low of src/low/a.rs"
        ]
    );
}

/// The reader rejects input that it does not understand.
#[test]
fn unclear_input_is_rejected() {
    let rejected = |files: &[(&str, &str)], page: &str| catch_unwind(|| faults(library(files).path(), page)).is_err();
    assert!(!rejected(&VALID, PAGE));
    for wrong in ["`top`", "`low`", "`cellar`", "ground", "`ground` mostly", "", "most layers"] {
        let page = PAGE.replace("| `low` | x | `ground` |", &format!("| `low` | x | {wrong} |"));
        assert!(rejected(&VALID, &page), "{wrong}");
    }
    assert!(rejected(&VALID, "# No table\n## Where `unsafe` is allowed\n"));
    for wrong in
        ["mod missing;", "#[cfg(any(test, unix))]\nfn f() {}", "use crate::low::{Low", "#[cfg(test)]\nfn f() {"]
    {
        assert!(rejected(&[&VALID[..], &[("ground.rs", wrong)]].concat(), PAGE), "{wrong}");
    }
}

/// Checks the dependencies of a file `a.rs` with this text. Each is expected as the first line that
/// uses an item, and the item's name. If the item's file is not `b.rs`, the name is followed by
/// " of " and that file.
#[track_caller]
fn assert_uses(a: &str, expected: &[(usize, &str)]) {
    let b = "pub struct Thing;\npub enum Kind {\n    One,\n}\npub fn call() {}\npub const ONE: u8 = 1;\n\
             pub mod deep {\n    pub fn call() {}\n}";
    let root = "mod a;\nmod b;\nmod same;\nmod door {\n    pub use crate::b::Thing as Renamed;\n    \
                pub(crate) use super::b::*;\n}";
    let same = ("same/mod.rs", "mod same;\npub use same::same;");
    let files = [("lib.rs", root), ("a.rs", a), ("b.rs", b), same, ("same/same.rs", "pub fn same() {}")];
    let found = Tree::read(library(&files).path()).dependencies();
    let found: Vec<_> = found.iter().filter(|dependency| dependency.from == "src/a.rs").collect();
    let name = |Dependency { to, name, line, .. }: &Dependency| {
        (*line, if to == "src/b.rs" { name.clone() } else { format!("{name} of {to}") })
    };
    let found: Vec<(usize, String)> = found.into_iter().map(name).collect();
    assert_eq!(found.iter().map(|(line, name)| (*line, &**name)).collect::<Vec<_>>(), expected, "{a}");
}

#[test]
fn a_dependency_leads_to_the_definition_through_any_path() {
    assert_uses("use crate::b::Thing;", &[(1, "Thing")]);
    assert_uses("use super::b::{Kind, Thing as Other, call};", &[(1, "Kind"), (1, "Thing"), (1, "call")]);
    assert_uses("use crate::door::Renamed;", &[(1, "Thing")]);
    assert_uses("use crate::door::Kind::{self, One};", &[(1, "Kind")]);
    assert_uses("use crate::{\n    b::{Kind::*, deep::call},\n    door,\n};", &[(1, "Kind"), (1, "call")]);
    assert_uses("use crate::{b as c};\nfn f() {\n    c::deep::call()\n}", &[(3, "call")]);
    assert_uses("use crate::b::{self, deep};\nfn f(_: b::Thing) {\n    deep::call()\n}", &[(2, "Thing"), (3, "call")]);
    assert_uses("use crate::b::*;\nfn f() -> Thing {\n    call(ONE)\n}", &[(3, "ONE"), (2, "Thing"), (3, "call")]);
    assert_uses("pub use crate::b::*;\nfn f(x: u8) -> bool {\n    matches!(x, ONE if x.call())\n}", &[(3, "ONE")]);
    assert_uses("fn f() {\n    assert!(vec![super::b::deep::call()].is_empty())\n}", &[(2, "call")]);
    assert_uses("fn f() {\n    {\n        use crate::b::Thing;\n    }\n}", &[(3, "Thing")]);
    assert_uses("impl Iterator for Vec<<crate::door::Renamed as X>::Y> {}", &[(1, "Thing")]);
    assert_uses("mod inner {\n    use super::super::b::Thing;\n}\nuse super::b::call;", &[(2, "Thing"), (4, "call")]);
    assert_uses("#[arg(value_parser = super::b::call, default_value_t = crate::b::ONE)]", &[(1, "ONE"), (1, "call")]);
    assert_uses("fn f() {\n    crate::b::written_by_a_macro()\n}", &[(2, "written_by_a_macro")]);
    // A module and a function of the same name.
    assert_uses("use crate::same;\nfn f() {\n    same::same()\n}", &[(3, "same of src/same/same.rs")]);
}

#[test]
fn re_exports_and_tests_are_not_dependencies() {
    for a in [
        "use crate::b;",
        "pub use crate::b::Thing;\npub(super) use crate::door::{Kind, *};",
        "//! See [`crate::b::Thing`].\nfn f() {} // not crate::b::call()",
        "#[cfg(test)]\nmod tests {\n    use crate::b::Thing;\n\n    fn f() {\n        crate::b::call()\n    }\n}",
        "#[cfg(all(test, not(loom)))]\nmod missing;",
        "#[cfg(loom)]\n#[rustfmt::skip]\nuse crate::b::{\n    Thing,\n};",
        "struct S;\n\nimpl S {\n    #[cfg(test)]\n    fn f() -> crate::b::Thing {\n        panic!()\n    }\n}",
        "pub use crate::b::call;\n\nfn f(call: u8) -> u8 {\n    self.call(call)\n}",
        "mod b {\n    pub use crate::b::Thing;\n}\nuse ::b::Thing;\nfn f(_: ::b::Thing) {}",
        "pub use std::sync::Mutex;\nuse memchr::memchr;\nuse self::Mutex as Lock;",
    ] {
        assert_uses(a, &[]);
    }
    assert_uses("#[cfg(test)]\nmod missing;\nuse crate::b::Thing;", &[(3, "Thing")]);
    assert_uses("#[cfg(not(loom))]\nuse crate::b::Thing;", &[(2, "Thing")]);
}
