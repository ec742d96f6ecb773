//! The names of the fields in a results file.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, Visitor};

use super::value::Reading;
use crate::format::fields::Field;

/// The field with a given name.
pub(super) enum Key<'a> {
    Known(Field),
    Skipped,
    Passthrough(Cow<'a, str>),
}

/// A visitor that finds the field with a given name.
pub(super) struct KeyVisitor(pub(super) Reading);

impl<'de> DeserializeSeed<'de> for KeyVisitor {
    type Value = Key<'de>;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<Key<'de>, D::Error> {
        key.deserialize_identifier(self)
    }
}

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_borrowed_str<E: de::Error>(self, name: &'de str) -> Result<Key<'de>, E> {
        match (Field::named(name), self.0) {
            (None, Reading::Strict { passthrough: true, .. }) => Ok(Key::Passthrough(name.into())),
            _ => self.visit_str(name),
        }
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Key<'de>, E> {
        match (Field::named(name), self.0) {
            (None, Reading::Strict { passthrough: false, .. }) => Err(E::unknown_field(name, Field::NAMES)),
            (None, Reading::Strict { passthrough: true, .. }) => Ok(Key::Passthrough(name.to_owned().into())),
            (Some(field), Reading::Strict { .. }) => Ok(Key::Known(field)),
            (Some(field), Reading::Only(wanted)) if wanted.contains(field) => Ok(Key::Known(field)),
            (_, Reading::Only(_)) => Ok(Key::Skipped),
        }
    }
}
