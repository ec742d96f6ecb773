//! Error messages for paths that do not exist.

use std::io::{Error, ErrorKind};
use std::path::Path;

/// Returns the error with a clearer message if the path or one of its folders does not exist.
pub fn explained(path: &Path, error: Error) -> Error {
    if error.kind() != ErrorKind::NotFound {
        return error;
    }
    let missing = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty() && !folder.exists()).last();
    let message = match missing {
        Some(folder) => format!("there is no folder {}", folder.display()),
        None => "no such file or folder".into(),
    };
    Error::new(ErrorKind::NotFound, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_first_missing_folder() {
        let folder = tempfile::tempdir().unwrap();
        let message_for = |name: &str| explained(&folder.path().join(name), ErrorKind::NotFound.into()).to_string();
        assert_eq!(message_for("a"), "no such file or folder");
        assert_eq!(message_for("a/b/c"), format!("there is no folder {}", folder.path().join("a").display()));
        assert_eq!(explained(Path::new("a/b"), ErrorKind::NotFound.into()).to_string(), "there is no folder a");
        assert_eq!(explained(Path::new("a"), Error::other("x")).to_string(), "x");
    }
}
