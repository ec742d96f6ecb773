//! Checks the source against `docs/architecture.md`: files use each other without cycles, layers
//! (the folders of `src` in the page's table) use only what the table allows, and `unsafe` is used
//! only in the files that the page lists.
//!
//! A dependency leads from the file that names an item to the file that *defines* it, through any
//! re-exports. So a re-export is not a dependency, and cannot hide one. Code for tests or for loom
//! is ignored. The source does not name everything that it uses: calls of methods on values, and
//! uses in the expansion of a macro, are not found.

mod planted;
mod reader;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::common::project;
use reader::{Dependency, Tree, lines, read};

#[test]
fn the_source_matches_the_page() {
    let page = read(&project().join("docs/architecture.md"));
    let faults = faults(&project().join("src"), &page);
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// Every file or folder of `src/` that the page names under "Where is …?" exists.
#[test]
fn files_named_on_the_page_exist() {
    let page = read(&project().join("docs/architecture.md"));
    let (_, section) = page.split_once("## Where is …?").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let named: Vec<&str> =
        section.split('`').skip(1).step_by(2).filter(|name| name.contains('/') && *name != "src/").collect();
    assert!(named.len() > 20, "{named:?}");
    let missing: Vec<&&str> = named.iter().filter(|name| !project().join("src").join(name).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Returns the places where the library in this folder violates the page's rules.
fn faults(src: &Path, page: &str) -> Vec<String> {
    let tree = Tree::read(src);
    let (dependencies, layers) = (tree.dependencies(), layers(page));
    let files: BTreeSet<&str> = tree.modules.values().map(String::as_str).collect();
    let mut faults = vec![];
    for Dependency { from, to, name, line } in dependencies.iter().filter(|dependency| !is_allowed(dependency, &layers))
    {
        faults.push(format!("{from}:{line} uses {name} of {to}: the table does not allow it"));
    }
    for cycle in cycles(&dependencies) {
        faults.push(format!("a cycle of {} files:", cycle.len()));
        let inner = dependencies
            .iter()
            .filter(|dependency| cycle.contains(&*dependency.from) && cycle.contains(&*dependency.to));
        faults.extend(inner.map(|Dependency { from, to, name, line }| format!("  {from}:{line} uses {name} of {to}")));
    }
    for file in files.iter().filter(|file| **file != "src/lib.rs" && layer_of(file, &layers).is_none()) {
        faults.push(format!("{file} is in no layer of the table"));
    }
    for (layer, _) in layers.iter().filter(|(layer, _)| !files.iter().any(|file| is_within(file, layer))) {
        faults.push(format!("no file is in the table's layer {layer}"));
    }
    // The page lists every file that allows `unsafe`, and no other.
    let (_, section) = page.split_once("## Where `unsafe` is allowed").expect("the page has a section about unsafe");
    let listed: BTreeSet<&str> = section.split('`').filter(|name| name.starts_with("src/")).collect();
    let allows = |file: &&str| read(&src.join(&file["src/".len()..])).contains("allow(unsafe_code)");
    for file in listed.symmetric_difference(&files.into_iter().filter(allows).collect()) {
        faults.push(format!("{file} allows unsafe code and is not listed, or is listed and does not allow it"));
    }
    if lines(&src.join("main.rs")).iter().any(|line| line.contains("mod ")) {
        faults.push("src/main.rs declares a module".to_owned());
    }
    faults
}

/// A layer of the page's table, and the layers that it may use.
type Layer<'a> = (&'a str, Vec<&'a str>);

/// Returns the rows of the table on the page.
fn layers(page: &str) -> Vec<Layer<'_>> {
    let cells = |line| str::trim_matches(line, '|').split('|').map(str::trim).collect::<Vec<&str>>();
    let table = page.lines().skip_while(|line| cells(line) != ["layer", "contents", "may use"]).skip(2);
    let rows: Vec<Vec<&str>> = table.take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(!rows.is_empty(), "the page has no table with the columns layer, contents, may use");
    let names: Vec<&str> = rows.iter().map(|row| row[0].trim_matches('`')).collect();
    let may_use = |index: usize| match rows[index][2] {
        "every layer below" => names[index + 1..].to_vec(),
        "nothing" => vec![],
        words => {
            let layers = words.split(", ").map(|word| word.strip_prefix('`').and_then(|word| word.strip_suffix('`')));
            let below = |layer: &&str| names[index + 1..].contains(layer);
            let error = "neither \"nothing\" nor \"every layer below\" nor a list of layers below";
            layers.map(|layer| layer.filter(below).unwrap_or_else(|| panic!("{words}: {error}"))).collect()
        }
    };
    (0..rows.len()).map(|index| (names[index], may_use(index))).collect()
}

/// Returns true if a file or a layer is within a layer.
fn is_within(file: &str, layer: &str) -> bool {
    let path = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    path.strip_prefix(layer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Returns the innermost layer that contains a file.
fn layer_of<'a>(file: &str, layers: &'a [Layer<'a>]) -> Option<&'a Layer<'a>> {
    layers.iter().filter(|(layer, _)| is_within(file, layer)).max_by_key(|(layer, _)| layer.len())
}

/// Returns true if the table allows a dependency. The root may use everything, and nothing may use
/// the root.
fn is_allowed(dependency: &Dependency, layers: &[Layer<'_>]) -> bool {
    match (layer_of(&dependency.from, layers), layer_of(&dependency.to, layers)) {
        (Some((from, may_use)), Some((to, _))) => from == to || may_use.iter().any(|layer| is_within(to, layer)),
        _ => dependency.from == "src/lib.rs",
    }
}

/// Returns the cycles: the strongly connected components that have more than one file.
fn cycles(dependencies: &[Dependency]) -> BTreeSet<BTreeSet<&str>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for dependency in dependencies {
        uses.entry(&dependency.from).or_default().insert(&dependency.to);
    }
    let mut reached: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in uses.keys() {
        let (mut found, mut open) = (BTreeSet::new(), vec![*file]);
        while let Some(file) = open.pop() {
            open.extend(uses.get(file).into_iter().flatten().filter(|next| found.insert(**next)));
        }
        reached.insert(file, found);
    }
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|files| files.contains(to));
    let in_cycles = reached.keys().filter(|file| leads(file, file));
    in_cycles.map(|file| reached[file].iter().copied().filter(|other| leads(other, file)).collect()).collect()
}
