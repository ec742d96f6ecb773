//! The members of a JSON object that go into its result as they stand.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::super::record::ParseError;
use crate::format::passing::{Pass, Passed, on_one_line};
use crate::format::result::Text;

/// What is found for one member: its place, its name in the result, its value.
type Found = (usize, Arc<str>, Box<str>);

/// The members that are to be passed on. An object that is not whole has none: why, its board says.
///
/// # Errors
/// When one of them comes twice, is no JSON that others could read, or has the name of a result's own field.
pub fn own_fields(document: &[u8], pass: &Pass) -> Result<Passed, ParseError> {
    if pass.is_nothing() {
        return Ok(Passed::default());
    }
    let mut json = serde_json::Deserializer::from_slice(document);
    match json.deserialize_map(Members(pass)) {
        Ok(found) => found.map(Passed::of).map_err(ParseError::new),
        Err(_) => Ok(Passed::default()),
    }
}

struct Members<'p>(&'p Pass);

impl<'de> Visitor<'de> for Members<'_> {
    type Value = Result<Vec<Found>, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut found, mut names, mut wrong): (Vec<Found>, _, _) = (Vec::new(), HashSet::new(), None);
        while let Some(Text(name)) = map.next_key()? {
            match self.0.place(&name) {
                Ok(Some((_, to))) if !names.insert(Arc::clone(&to)) => {
                    map.next_value::<IgnoredAny>()?;
                    wrong = wrong.or(Some(format!("the field '{name}' comes twice")));
                }
                Ok(Some((place, to))) => {
                    let value: &RawValue = map.next_value()?;
                    match passed_value(value.get()) {
                        Ok(value) => found.push((place, to, value)),
                        Err(why) => wrong = wrong.or(Some(format!("the field '{name}' cannot be passed on: {why}"))),
                    }
                }
                Ok(None) => _ = map.next_value::<IgnoredAny>()?,
                Err(why) => {
                    map.next_value::<IgnoredAny>()?;
                    wrong = wrong.or(Some(why));
                }
            }
        }
        Ok(wrong.map_or(Ok(found), Err))
    }
}

/// A value as it goes into the result: half a surrogate pair, which the raw value lets through, would spoil it.
fn passed_value(json: &str) -> Result<Box<str>, String> {
    if json.contains("\\ud") || json.contains("\\uD") {
        serde_json::from_str::<serde_json::Value>(json).map_err(|wrong| wrong.to_string())?;
    }
    Ok(on_one_line(json))
}
