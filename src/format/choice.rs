//! What there is to choose from, for people.

/// `line, grid or csv`.
pub fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_string(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

/// The name that was meant, where only its case, or a letter in four, is wrong.
pub fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let allowed = typed.chars().count() / 4;
    let nearest = names.iter().map(|name| (edits(&typed, &name.to_lowercase()), *name)).min()?;
    (nearest.0 <= allowed).then_some(nearest.1)
}

/// How many letters have to be changed, put in or left out (V. Levenshtein 1966).
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.chars().take(64).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_is_nearly_right_is_found() {
        let names = ["uva652", "uva10181", "hdu1043"];
        for (typed, meant) in [
            ("UVA10181", Some("uva10181")),
            ("uva1181", Some("uva10181")),
            ("uva-10181", Some("uva10181")),
            ("hdu1044", Some("hdu1043")),
            ("spoj", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, &names), meant, "{typed}");
        }
    }

    #[test]
    fn the_last_is_joined_by_a_word() {
        for (names, text) in [(&["a", "b", "c"][..], "a, b or c"), (&["a", "b"], "a or b"), (&["a"], "a"), (&[], "")] {
            assert_eq!(one_of(names.iter().copied()), text);
        }
    }
}
