//! Lists of names in messages.

/// Formats names as `line, grid or csv`.
pub fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_string(),
        Some((last, before)) => format!("{} or {last}", before.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_follows_or() {
        for (names, text) in [(&["a", "b", "c"][..], "a, b or c"), (&["a", "b"], "a or b"), (&["a"], "a"), (&[], "")] {
            assert_eq!(one_of(names.iter().copied()), text);
        }
    }
}
