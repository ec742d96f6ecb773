//! Reads a profile from the text of its file. Errors name the file, the line and the key.

use super::definition::Profile;

impl Profile {
    /// Reads a profile. The profile and its texts are kept until the program ends.
    ///
    /// # Errors
    /// A message for the user with the file, the line, the key and the reason.
    pub fn of_text(name: &'static str, text: &'static str) -> Result<&'static Profile, String> {
        let read = toml::from_str::<Profile>(text);
        let mut profile = read.map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let line = text.bytes().take(at).filter(|&byte| byte == b'\n').count();
            message(name, text, line, error.message())
        })?;
        profile.name = name;
        profile.file = text;
        Ok(Box::leak(Box::new(profile)))
    }

    /// Returns an error message about a key of this profile's file.
    pub fn fault(&self, key: &str, what: &str) -> String {
        let line = self.file.lines().position(|line| key_of(line) == Some(key));
        match line {
            Some(line) => message(self.name, self.file, line, what),
            None => format!("{}: {what}", self.name),
        }
    }
}

/// Returns the key that a line sets.
fn key_of(line: &str) -> Option<&str> {
    let key = line.split_once('=')?.0.trim();
    let is_key = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    (!key.is_empty() && key.chars().all(is_key)).then_some(key)
}

/// Formats an error in line number `line`, counted from 0. Adds the key in this line, unless the
/// error names a key.
fn message(name: &str, text: &str, line: usize, what: &str) -> String {
    let words = [("`", "'"), ("unknown field", "unknown key"), ("missing field", "missing key")];
    let what = words.iter().fold(what.to_string(), |what, (theirs, ours)| what.replace(theirs, ours));
    let what = what.trim_end().replace('\n', ": ");
    let key = text.lines().nth(line).and_then(key_of).filter(|_| !what.contains(" key '"));
    let key = key.map_or(String::new(), |key| format!("{key}: "));
    format!("{name}:{}: {key}{what}", line + 1)
}
