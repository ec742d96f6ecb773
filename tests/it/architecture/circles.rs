//! Circles of arrows, and arrows in words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::tree::Arrow;

/// The circles: the groups of files of which each leads to each other.
pub fn circles(arrows: &[Arrow]) -> BTreeSet<BTreeSet<&str>> {
    let mut uses: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for arrow in arrows {
        uses.entry(&arrow.from).or_default().insert(&arrow.to);
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> = uses.keys().map(|file| (*file, reached_from(file, &uses))).collect();
    let leads = |from: &str, to: &str| reached.get(from).is_some_and(|files| files.contains(to));
    let in_circles = reached.keys().filter(|file| leads(file, file));
    in_circles.map(|file| reached[file].iter().copied().filter(|other| leads(other, file)).collect()).collect()
}

fn reached_from<'a>(file: &'a str, uses: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open = vec![file];
    while let Some(file) = open.pop() {
        open.extend(uses.get(file).into_iter().flatten().filter(|next| reached.insert(**next)));
    }
    reached
}

/// The circles in words, each with the arrows it is made of.
pub fn list_circles(arrows: &[Arrow]) -> String {
    let describe = |circle: BTreeSet<&str>| {
        let inner = arrows.iter().filter(|arrow| circle.contains(&*arrow.from) && circle.contains(&*arrow.to));
        format!("a circle of {} files\n{}", circle.len(), list(inner))
    };
    circles(arrows).into_iter().map(describe).collect()
}

/// Arrows in words, those between the same two files in one line.
pub fn list<'a>(arrows: impl Iterator<Item = &'a Arrow>) -> String {
    let mut pairs: BTreeMap<(&str, &str), Vec<&Arrow>> = BTreeMap::new();
    for arrow in arrows {
        pairs.entry((&arrow.from, &arrow.to)).or_default().push(arrow);
    }
    let mut text = String::new();
    for ((from, to), arrows) in pairs {
        let line = arrows.iter().map(|arrow| arrow.line).min().unwrap();
        let names: Vec<&str> = arrows.iter().map(|arrow| &*arrow.name).collect();
        writeln!(text, "  {from}:{line} uses {} of {to}", names.join(", ")).unwrap();
    }
    text
}
