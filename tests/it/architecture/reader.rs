//! A line-by-line reader of the library's source, which finds the dependencies between files. The
//! code must be formatted by rustfmt.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A dependency: the file `from` names the item `name`, which the file `to` defines.
pub struct Dependency {
    pub from: String,
    pub to: String,
    pub name: String,
    /// The first line of `from` that names the item.
    pub line: usize,
}

/// The modules and items of a library, by paths such as `crate::board::Board`, and the paths that
/// occur in its code.
#[derive(Default)]
pub struct Tree {
    src: PathBuf,
    /// The file of each module.
    pub modules: BTreeMap<String, String>,
    items: BTreeSet<String>,
    /// The paths that each imported name stands for, as the module writes them.
    imports: BTreeMap<String, Vec<String>>,
    /// The `*` imports of each module.
    globs: BTreeMap<String, Vec<String>>,
    /// Each path, with the module and the line in which it occurs.
    mentions: Vec<(String, String, usize)>,
}

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the lines of a file, with comments removed.
pub fn lines(path: &Path) -> Vec<String> {
    let code = |line: &str| {
        let code = line.split(" // ").next().unwrap().trim_end();
        if code.trim_start().starts_with("//") { String::new() } else { code.to_owned() }
    };
    read(path).lines().map(code).collect()
}

impl Tree {
    /// Reads the library whose root is `lib.rs` in this folder.
    pub fn read(src: &Path) -> Self {
        let mut tree = Self { src: src.to_owned(), ..Self::default() };
        tree.read_file("lib.rs", "crate".to_owned());
        tree
    }

    fn read_file(&mut self, file: &str, module: String) {
        let lines = lines(&self.src.join(file));
        self.modules.insert(module.clone(), format!("src/{file}"));
        // The file's module and the inline modules around this line, with the indentation of their
        // items.
        let mut open = vec![(module, 0)];
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let (module, item_indent) = open.last().unwrap().clone();
            let (text, indent) = (line.trim_start(), indent(line));
            let visibility_len = if text.starts_with("pub(") { text.find(") ").map_or(0, |end| end + 2) } else { 0 };
            let item = text[visibility_len..].trim_start_matches("pub ");
            at += 1;
            if is_excluded(text) {
                let is_end = |line: &String| self::indent(line) <= indent && line.ends_with([';', '}', ',']);
                at += lines[at..].iter().position(is_end).expect("an excluded item ends") + 1;
            } else if text == "}" && open.len() > 1 && indent + 4 == item_indent {
                open.pop();
            } else if let Some(name) = item.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';')) {
                let child = format!("{module}::{name}");
                let folder = child["crate::".len()..].replace("::", "/");
                let file_module = format!("{folder}.rs");
                let file = if self.src.join(&file_module).exists() { file_module } else { format!("{folder}/mod.rs") };
                self.read_file(&file, child);
            } else if let Some(name) = item.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
                let child = format!("{module}::{name}");
                self.modules.insert(child.clone(), format!("src/{file}"));
                open.push((child, indent + 4));
            } else if item.starts_with("use ") {
                let end = at + lines[at - 1..].iter().position(|line| line.ends_with(';')).expect("a use ends");
                let use_item = lines[at - 1..end].concat();
                let (_, use_tree) = use_item.trim_end_matches(';').split_once("use ").unwrap();
                self.import(&module, use_tree, text == item, at);
                at = end;
            } else {
                let declared = declared(text).filter(|_| indent == item_indent);
                self.items.extend(declared.map(|name| format!("{module}::{name}")));
                self.mentions.extend(mentioned(text).into_iter().map(|path| (module.clone(), path.to_owned(), at)));
            }
        }
    }

    /// Adds the names that a `use` imports. Only a private `use` makes dependencies; any other is a
    /// re-export.
    fn import(&mut self, module: &str, use_tree: &str, is_private: bool, line: usize) {
        let Some((outer, inner)) = use_tree.split_once('{') else {
            let (path, name) = use_tree.split_once(" as ").map_or((use_tree, None), |(path, name)| (path, Some(name)));
            let path = path.trim_end_matches("::self");
            if let Some(source) = path.strip_suffix("::*") {
                self.globs.entry(module.to_owned()).or_default().push(source.to_owned());
            } else {
                let name = name.or(path.rsplit("::").next()).unwrap();
                self.imports.entry(format!("{module}::{name}")).or_default().push(path.to_owned());
            }
            if is_private {
                self.mentions.push((module.to_owned(), path.trim_end_matches("::*").to_owned(), line));
            }
            return;
        };
        let mut depth = 0;
        let between_branches = |character: char| {
            depth += i32::from(character == '{') - i32::from(character == '}');
            character == ',' && depth == 0
        };
        let inner = inner.strip_suffix('}').expect("a group ends");
        for branch in inner.split(between_branches).map(str::trim).filter(|branch| !branch.is_empty()) {
            self.import(module, &format!("{outer}{branch}"), is_private, line);
        }
    }

    /// Resolves a path that occurs in the code of `module`. If the path means a module or item of
    /// this crate, returns the full path of that module or item. `pending` has the names that are
    /// being resolved. It prevents an endless recursion, because `use x::x` leads to `x` again.
    fn resolve(&self, module: &str, path: &str, wants_module: bool, pending: &[&str]) -> Option<String> {
        let mut at = module.to_owned();
        let last = path.matches("::").count();
        for (index, name) in path.split("::").enumerate() {
            at = match name {
                "crate" => "crate".to_owned(),
                "self" => at,
                "super" => at.rsplit_once("::")?.0.to_owned(),
                // The rest of the path belongs to the item: a variant, a method, a constant.
                _ if !self.modules.contains_key(&at) => break,
                _ => match self.find(&at, name, wants_module || index < last, pending) {
                    Some(found) => found,
                    None if index == 0 || self.imports.contains_key(&format!("{at}::{name}")) => return None,
                    // A name that is not found in a module of this crate is assumed to be defined
                    // by a macro there.
                    None => format!("{at}::{name}"),
                },
            };
        }
        Some(at)
    }

    /// Returns the full path of the module or item that a name means in a module. If the name means
    /// both, `wants_module` decides.
    fn find(&self, module: &str, name: &str, wants_module: bool, pending: &[&str]) -> Option<String> {
        let full = &*format!("{module}::{name}");
        let is_wanted = |path: &str| if wants_module { self.modules.contains_key(path) } else { self.is_item(path) };
        let is_defined_here = self.modules.contains_key(full) || self.items.contains(full);
        if is_defined_here && is_wanted(full) || pending.contains(&full) {
            return is_defined_here.then(|| full.to_owned());
        }
        let pending = &[pending, &[full]].concat();
        let imported = |path: &String| self.resolve(module, path, wants_module, pending);
        let mut found: Vec<String> = self.imports.get(full).into_iter().flatten().filter_map(imported).collect();
        if found.is_empty() && !is_defined_here {
            let source =
                |glob: &String| self.find(&self.resolve(module, glob, true, pending)?, name, wants_module, pending);
            found.extend(self.globs.get(module).into_iter().flatten().filter_map(source));
        }
        found.extend(is_defined_here.then(|| full.to_owned()));
        found.iter().find(|path| is_wanted(path)).or(found.first()).cloned()
    }

    fn is_item(&self, path: &str) -> bool {
        self.items.contains(path) || !self.modules.contains_key(path)
    }

    /// Returns the dependencies between files, one for each item that a file uses. A path that ends
    /// at a module is not a dependency; a path through a module to an item is.
    pub fn dependencies(&self) -> Vec<Dependency> {
        let mut lines: BTreeMap<(&str, &str, String), usize> = BTreeMap::new();
        for (module, path, line) in &self.mentions {
            let Some(found) = self.resolve(module, path, false, &[]) else { continue };
            let Some((definer, name)) = found.rsplit_once("::") else { continue };
            let (from, to) = (&*self.modules[module], self.modules.get(definer));
            if let Some(to) = to.filter(|to| *to != from && self.is_item(&found)) {
                let first = lines.entry((from, to, name.to_owned())).or_insert(*line);
                *first = *line.min(first);
            }
        }
        let dependency = |((from, to, name), line): ((&str, &str, _), _)| Dependency {
            from: from.into(),
            to: to.into(),
            name,
            line,
        };
        lines.into_iter().map(dependency).collect()
    }
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns true if a line is an attribute `#[cfg(…)]` that excludes something from the program,
/// which is built with neither `test` nor `loom`.
fn is_excluded(line: &str) -> bool {
    let Some(condition) = line.strip_prefix("#[cfg(") else { return false };
    let condition = condition.strip_suffix(")]").expect("a condition is on one line");
    let words: Vec<&str> = condition.split(|character| !is_word(character)).collect();
    match &words[..] {
        ["test" | "loom"] | ["all", "test" | "loom", ..] => true,
        _ if condition == "not(loom)" || !words.iter().any(|word| matches!(*word, "test" | "loom")) => false,
        _ => panic!("cfg({condition}) is not supported here"),
    }
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// Returns the name of the item that begins in a line, if one does.
fn declared(line: &str) -> Option<&str> {
    let mut words = line.split(|character| !is_word(character)).filter(|word| !word.is_empty());
    let mut is_item = false;
    let name = words.find(|word| match *word {
        "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" | "macro_rules" => {
            is_item = true;
            false
        }
        "pub" | "crate" | "super" | "unsafe" | "async" => false,
        _ => true,
    });
    name.filter(|_| is_item)
}

/// Returns the parts of a line that look like paths. A single lower-case word counts only if it is
/// called; otherwise it is most likely a variable.
fn mentioned(line: &str) -> Vec<&str> {
    let mut paths = vec![];
    let (mut before, mut word) = (' ', "");
    for piece in line.split_inclusive(|character| !is_word(character) && character != ':') {
        let after = piece.chars().last().unwrap();
        let path = piece.trim_end_matches(|character| !is_word(character));
        let is_called = after == '(' && before != '.' && word != "fn";
        let is_path = path.contains("::") || piece[path.len()..].starts_with("::");
        if path.starts_with(char::is_uppercase) || path.starts_with(char::is_alphabetic) && (is_path || is_called) {
            paths.push(path);
        }
        (before, word) = (after, path);
    }
    paths
}
