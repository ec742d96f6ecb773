//! The profiles. To add a judge, edit only `profiles.json`; `docs/judging.md` describes it.

use std::sync::LazyLock;

use super::definition::Profile;

/// Every profile, in the order in which they are listed.
pub static PROFILES: LazyLock<Vec<Profile>> = LazyLock::new(|| {
    let read = serde_json::from_str(include_str!("profiles.json"));
    read.unwrap_or_else(|error| unreachable!("the profiles are read in a test: {error}"))
});

impl Profile {
    /// Returns the profile of this name.
    pub fn named(name: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::input::InputOptions;
    use crate::format::profile::template;

    #[test]
    fn every_row_of_the_table_can_be_used() {
        for (i, profile) in PROFILES.iter().enumerate() {
            let name = profile.name;
            assert!(PROFILES[..i].iter().all(|other| other.name != name), "{name} is there twice");
            assert!(std::ptr::eq(Profile::named(name).unwrap(), profile));
            let options = profile.fill(InputOptions::default());
            assert_eq!(options.goal.is_none(), profile.goal == super::super::ProfileGoal::InRecord, "{name}");
            assert_eq!(options.shape.is_some(), profile.shape.is_some(), "{name}");
            if let (Some(shape), Some(goal)) = (options.shape, options.goal) {
                goal.on(shape).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
            }
            if let Some(answer) = &profile.answer {
                let texts = [Some(answer.solved), answer.unsolvable, answer.too_long, Some(answer.otherwise)];
                for text in texts.into_iter().flatten() {
                    template::parse(text).unwrap_or_else(|wrong| panic!("{name}: {text:?}: {wrong}"));
                    assert!(text.ends_with('\n') || text.ends_with('}'), "{name}: {text:?}");
                }
                assert!(answer.otherwise.contains("{status}"), "{name}");
            }
        }
        assert!(Profile::named("poj").is_none());
    }

    /// A profile made from a problem statement has its address, or a note that it has no address.
    #[test]
    fn what_was_read_can_be_found() {
        for Profile { name, url, note, input, output, .. } in PROFILES.iter() {
            let read = [input, output].contains(&&super::super::Confidence::Statement);
            assert!(!read || !url.is_empty() || note.contains("no address"), "{name}");
        }
    }
}
