//! The modules of the library, the paths written in them, and what these lead to.

use std::collections::{BTreeMap, BTreeSet};

/// The library's modules; the first is that of `lib.rs`.
#[derive(Default)]
pub struct Tree {
    pub modules: Vec<Module>,
    pub imports: Vec<Written>,
    pub mentions: Vec<Written>,
}

/// A module, be it a file or a part of one. A name in it may stand for several things, such as a
/// module and the function it is named after.
pub struct Module {
    pub file: String,
    pub parent: Option<usize>,
    pub names: BTreeMap<String, Vec<Binding>>,
    pub globs: Vec<usize>,
}

#[derive(Clone, Copy)]
pub enum Binding {
    Module(usize),
    Item,
    Import(usize),
}

/// A path as it stands in a module. It is resolved only when all modules are known.
#[derive(Clone)]
pub struct Written {
    pub module: usize,
    pub path: Vec<String>,
    pub line: usize,
}

/// What a path leads to.
enum Target {
    Module(usize),
    Item { file: String, name: String },
    OtherCrate,
}

/// An arrow: file `from` names, first in `line`, the item `name` that file `to` defines.
pub struct Arrow {
    pub from: String,
    pub to: String,
    pub name: String,
    pub line: usize,
}

impl Tree {
    pub fn add_module(&mut self, file: String, parent: Option<usize>) -> usize {
        self.modules.push(Module { file, parent, names: BTreeMap::new(), globs: vec![] });
        self.modules.len() - 1
    }

    pub fn bind(&mut self, module: usize, name: &str, binding: Binding) {
        self.modules[module].names.entry(name.to_owned()).or_default().push(binding);
    }

    /// What a path leads to when it is written in a module. `followed` are the imports that led
    /// here; none is followed twice, for `use x::x` asks for `x` again.
    fn resolve(&self, module: usize, path: &[String], followed: &[usize]) -> Vec<Target> {
        let Some((first, rest)) = path.split_first() else { return vec![] };
        let mut found = self.find(module, first, followed);
        for name in rest {
            let modules = modules_among(&found);
            if modules.is_empty() {
                // What follows a type is its own: a variant, a method, a constant.
                break;
            }
            found = modules.iter().flat_map(|&module| self.find(module, name, followed)).collect();
            if found.is_empty() {
                // A name that a module does not have was written by a macro there.
                found = modules.iter().map(|&module| self.item(module, name)).collect();
            }
        }
        found
    }

    /// All that a name stands for in a module; what `*` imports gives way to the rest.
    fn find(&self, module: usize, name: &str, followed: &[usize]) -> Vec<Target> {
        let Module { parent, names, globs, .. } = &self.modules[module];
        match name {
            "crate" => return vec![Target::Module(0)],
            "self" => return vec![Target::Module(module)],
            "super" => return parent.map(Target::Module).into_iter().collect(),
            _ => {}
        }
        let mut found = vec![];
        for binding in names.get(name).into_iter().flatten() {
            match *binding {
                Binding::Module(inner) => found.push(Target::Module(inner)),
                Binding::Item => found.push(self.item(module, name)),
                Binding::Import(import) if followed.contains(&import) => {}
                Binding::Import(import) => found.extend(self.follow(import, &[followed, &[import]].concat())),
            }
        }
        if !found.is_empty() {
            return found;
        }
        for &glob in globs.iter().filter(|glob| !followed.contains(glob)) {
            let followed = [followed, &[glob]].concat();
            let sources = modules_among(&self.follow(glob, &followed));
            found.extend(sources.into_iter().flat_map(|source| self.find(source, name, &followed)));
        }
        found
    }

    fn follow(&self, import: usize, followed: &[usize]) -> Vec<Target> {
        let Written { module, path, .. } = &self.imports[import];
        let found = self.resolve(*module, path, followed);
        if found.is_empty() { vec![Target::OtherCrate] } else { found }
    }

    fn item(&self, module: usize, name: &str) -> Target {
        Target::Item { file: self.modules[module].file.clone(), name: name.to_owned() }
    }

    /// The arrows between files, each item once. A path to a mere module is none: what is used
    /// through the module is.
    pub fn arrows(&self) -> Vec<Arrow> {
        let mut lines: BTreeMap<_, BTreeSet<usize>> = BTreeMap::new();
        for Written { module, path, line } in &self.mentions {
            let from = &self.modules[*module].file;
            for target in self.resolve(*module, path, &[]) {
                if let Target::Item { file, name } = target
                    && file != *from
                {
                    lines.entry((from.clone(), file, name)).or_default().insert(*line);
                }
            }
        }
        let arrow =
            |((from, to, name), lines): (_, BTreeSet<usize>)| Arrow { from, to, name, line: *lines.first().unwrap() };
        lines.into_iter().map(arrow).collect()
    }
}

fn modules_among(targets: &[Target]) -> Vec<usize> {
    targets.iter().filter_map(|target| if let Target::Module(module) = target { Some(*module) } else { None }).collect()
}
