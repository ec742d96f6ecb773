//! Reads files of the source into a [`Tree`].

use std::path::Path;
use std::{fs, mem};

use proc_macro2::{TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Expr, ImplItem, Item, Meta, Token, UseTree, Visibility};

use super::tree::{Binding, Tree, Written};

pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub fn parsed(path: &Path) -> syn::File {
    syn::parse_file(&read(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

impl Tree {
    /// Reads the library whose root is `lib.rs` in this folder.
    pub fn read(src: &Path) -> Self {
        let mut tree = Self::default();
        tree.read_file(src, "lib.rs", None);
        tree
    }

    /// Reads a file and, through its `mod` lines, all files below it; returns its module.
    fn read_file(&mut self, src: &Path, file: &str, parent: Option<usize>) -> usize {
        let module = self.add_module(format!("src/{file}"), parent);
        let children = file.trim_end_matches("lib.rs").trim_end_matches("mod.rs").trim_end_matches(".rs");
        let mut reader = Reader { tree: self, module, src, children: children.trim_end_matches('/').to_owned() };
        reader.visit_file(&parsed(&src.join(file)));
        module
    }
}

/// Enters what a module declares and mentions into the tree.
struct Reader<'a> {
    tree: &'a mut Tree,
    module: usize,
    src: &'a Path,
    /// The folder in `src` where the module's `mod child;` lines look for files.
    children: String,
}

/// The attributes of a node of any of these kinds.
macro_rules! attributes {
    ($node:expr, $kind:ident, $($variant:ident)*) => {
        match $node {
            $($kind::$variant(inner) => &inner.attrs[..],)*
            _ => &[],
        }
    };
}

impl Reader<'_> {
    fn mention(&mut self, path: Vec<String>, line: usize) {
        self.tree.mentions.push(Written { module: self.module, path, line });
    }

    fn declare(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Macro(syn::ItemMacro { ident: Some(ident), .. }) => ident,
            _ => return,
        };
        self.tree.bind(self.module, &name.to_string(), Binding::Item);
    }

    /// Enters the leaves of a `use`. Only a private one makes arrows; any other is a signpost.
    fn import(&mut self, tree: &UseTree, mut path: Vec<String>, private: bool) {
        let name = match tree {
            UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, path.clone(), private));
            }
            UseTree::Path(step) => {
                path.push(step.ident.to_string());
                return self.import(&step.tree, path, private);
            }
            UseTree::Name(leaf) if leaf.ident == "self" => path.last().cloned(),
            UseTree::Name(leaf) => {
                path.push(leaf.ident.to_string());
                path.last().cloned()
            }
            UseTree::Rename(leaf) => {
                path.push(leaf.ident.to_string());
                Some(leaf.rename.to_string())
            }
            UseTree::Glob(_) => None,
        };
        let import = self.tree.imports.len();
        let written = Written { module: self.module, path, line: tree.span().start().line };
        self.tree.imports.push(written.clone());
        match name {
            Some(name) => self.tree.bind(self.module, &name, Binding::Import(import)),
            None => self.tree.modules[self.module].globs.push(import),
        }
        if private {
            self.tree.mentions.push(written);
        }
    }

    /// Mentions all that looks like a path among the tokens given to a macro or an attribute. A lone word in small
    /// letters counts only where it is called: else it is most likely a variable.
    fn scan(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let (mut rest, mut after_dot) = (&tokens[..], false);
        while let Some((token, tail)) = rest.split_first() {
            rest = tail;
            let is_member = mem::replace(&mut after_dot, is_sign(token, '.'));
            match token {
                TokenTree::Group(group) => self.scan(group.stream()),
                TokenTree::Ident(first) => {
                    let mut path = vec![first.to_string()];
                    while let [one, two, TokenTree::Ident(next), tail @ ..] = rest
                        && is_sign(one, ':')
                        && is_sign(two, ':')
                    {
                        path.push(next.to_string());
                        rest = tail;
                    }
                    let is_called = matches!(rest.first(), Some(TokenTree::Group(_))) && !is_member;
                    if path.len() > 1 || is_capital(first) || is_called {
                        self.mention(path, first.span().start().line);
                    }
                }
                _ => {}
            }
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    #[rustfmt::skip]
    fn visit_item(&mut self, item: &'ast Item) {
        if is_built(attributes!(item, Item, Const Enum Fn Impl Macro Mod Static Struct Trait Type Union Use)) {
            self.declare(item);
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if is_built(attributes!(item, ImplItem, Const Fn Type Macro)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let name = item.ident.to_string();
        let children = format!("{}/{name}", self.children).trim_start_matches('/').to_owned();
        let module = if let Some((_, items)) = &item.content {
            let module = self.tree.add_module(self.tree.modules[self.module].file.clone(), Some(self.module));
            let mut inner = Reader { tree: self.tree, module, src: self.src, children };
            items.iter().for_each(|item| inner.visit_item(item));
            module
        } else {
            let beside = format!("{children}.rs");
            let file = if self.src.join(&beside).exists() { beside } else { format!("{children}/mod.rs") };
            self.tree.read_file(self.src, &file, Some(self.module))
        };
        self.tree.bind(self.module, &name, Binding::Module(module));
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if item.leading_colon.is_none() {
            self.import(&item.tree, vec![], matches!(item.vis, Visibility::Inherited));
        }
    }

    /// Paths stand in attributes as well, such as a function that parses an argument.
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if let Meta::List(list) = &attribute.meta
            && !list.path.is_ident("cfg")
        {
            self.scan(list.tokens.clone());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let is_variable = path.get_ident().is_some_and(|name| !is_capital(name));
        if path.leading_colon.is_none() && !is_variable {
            let names = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
            self.mention(names, path.span().start().line);
        }
        visit::visit_path(self, path);
    }

    /// A lone word in small letters that is called is a function and no variable.
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(function) = &*call.func
            && let Some(name) = function.path.get_ident()
        {
            self.mention(vec![name.to_string()], name.span().start().line);
        }
        visit::visit_expr_call(self, call);
    }

    /// A capital name in a pattern is a constant or a variant and no variable.
    fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
        if is_capital(&pattern.ident) {
            self.mention(vec![pattern.ident.to_string()], pattern.span().start().line);
        }
        visit::visit_pat_ident(self, pattern);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.scan(call.tokens.clone());
    }
}

fn is_sign(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

fn is_capital(name: &syn::Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// Whether something with these attributes may be a part of the program, which is built with
/// neither `test` nor `loom`.
fn is_built(attributes: &[Attribute]) -> bool {
    let mut conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.all(|cfg| may_be(&cfg.parse_args().unwrap(), true))
}

/// Whether a condition has this value on some machine.
fn may_be(condition: &Meta, value: bool) -> bool {
    let Meta::List(list) = condition else {
        return !value || !["test", "loom"].iter().any(|name| condition.path().is_ident(name));
    };
    let parts = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).unwrap();
    if list.path.is_ident("not") {
        may_be(&parts[0], !value)
    } else if list.path.is_ident("all") == value {
        parts.iter().all(|part| may_be(part, value))
    } else {
        parts.iter().any(|part| may_be(part, value))
    }
}
