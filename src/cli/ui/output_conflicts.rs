//! The rule for output files: no output is an input, another output or the checkpoint of a run,
//! under any name or link. It is checked before anything is written.

use std::fs;
use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::batch::resume::Checkpoint;
use crate::format::input::Input;

/// An output.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// The file of an option, such as `--summary`, if it was given.
    File(&'a str, Option<&'a Path>),
    /// The checkpoint of this run, or an old one that will be removed.
    Checkpoint(&'a Path),
    /// Standard output, which may be a file.
    StandardOutput,
}

impl<'a> Target<'a> {
    /// Returns the file of an option, or standard output if none is given.
    pub fn file_or_standard_output(option: &'a str, path: Option<&'a Path>) -> Target<'a> {
        path.map_or(Target::StandardOutput, |path| Target::File(option, Some(path)))
    }
}

/// Rejects outputs that would overwrite each other or an input. Inputs include files in folders and
/// the file that standard input reads from.
///
/// # Errors
/// A message for the user.
pub fn check(read: &[Input], written: &[Target<'_>]) -> Result<(), String> {
    let mut outputs: Vec<(String, FileIdentity)> = Vec::new();
    for output in written {
        let (name, identity) = match *output {
            Target::File(_, None) => continue,
            Target::File(option, Some(path)) => {
                let name = format!("{option} {}", path.display());
                if path == Path::new("-") {
                    return Err(format!("{option} needs a file name: use ./- for a file called -"));
                }
                if let Some(ending) = path.extension().filter(|&ending| ending == "gz" || ending == "zst") {
                    let (path, ending) = (path.display(), ending.display());
                    return Err(format!(
                        "cannot write compressed output to {path} ({option}): use a file name without .{ending}"
                    ));
                }
                if is_checkpoint(path) {
                    return Err(format!("{name} would overwrite the checkpoint of a run: name another file"));
                }
                (name, FileIdentity::of_path(path))
            }
            Target::Checkpoint(path) => (format!("the checkpoint {}", path.display()), FileIdentity::of_path(path)),
            Target::StandardOutput => ("standard output".into(), FileIdentity::of_stream(&std::io::stdout())),
        };
        let Some(identity) = identity else { continue };
        if let Some((other, _)) = outputs.iter().find(|(_, taken)| *taken == identity) {
            return Err(format!("{other} and {name} are the same file: name another file"));
        }
        outputs.push((name, identity));
    }
    if outputs.is_empty() {
        return Ok(());
    }
    for input in read {
        let (input_name, identity) = match input {
            Input::Path(path) => (path.display().to_string(), FileIdentity::of_path(path)),
            Input::Stdin => ("standard input".into(), FileIdentity::of_stream(&std::io::stdin())),
            Input::Text(_) => continue,
        };
        let Some(identity) = identity else { continue };
        if let Some((name, _)) = outputs.iter().find(|(_, taken)| *taken == identity) {
            return Err(format!("{name} would overwrite the input {input_name}: name another file"));
        }
    }
    Ok(())
}

/// Returns true if the file is a checkpoint, which a run needs to resume.
fn is_checkpoint(path: &Path) -> bool {
    if !fs::metadata(path).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let mut beginning = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(64).read_to_end(&mut beginning));
    read.is_ok() && Checkpoint::begins(&beginning)
}

/// The identity of a file, which does not depend on its name.
#[derive(PartialEq, Eq, Debug)]
pub enum FileIdentity {
    /// An existing file.
    File { device: u64, number: u64 },
    /// A missing file: its folder, with links resolved, and its name.
    Path(PathBuf),
}

impl FileIdentity {
    /// Returns the file's identity; `None` for folders and special files, such as `/dev/null`,
    /// which cannot be overwritten.
    pub fn of_path(path: &Path) -> Option<FileIdentity> {
        match fs::metadata(path) {
            Ok(found) => FileIdentity::of_file(&found),
            Err(_) => {
                // A link may lead to a file that does not exist yet.
                let path = &fs::read_link(path).map_or(path.into(), |to| path.with_file_name(to));
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_path_buf());
                Some(FileIdentity::Path(folder.join(path.file_name()?)))
            }
        }
    }

    fn of_file(found: &fs::Metadata) -> Option<FileIdentity> {
        found.is_file().then(|| FileIdentity::File { device: found.dev(), number: found.ino() })
    }

    pub fn of_stream(stream: &impl AsFd) -> Option<FileIdentity> {
        let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        FileIdentity::of_file(&file.metadata().ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(read: &[&Path], written: &[(&str, &Path)]) -> Option<String> {
        let read: Vec<Input> = read.iter().map(|path| Input::Path(path.to_path_buf())).collect();
        let written: Vec<Target> = written.iter().map(|&(option, path)| Target::File(option, Some(path))).collect();
        check(&read, &written).err()
    }

    #[test]
    fn inputs_and_outputs_are_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let (boards, new, other) = (at("boards.txt"), at("new.jsonl"), at("sub/../other.json"));
        fs::create_dir(at("sub")).unwrap();
        fs::write(&boards, "1 2 3 0\n").unwrap();
        assert_eq!(refused(&[&boards], &[("-o", &new), ("--summary", &other)]), None);
        assert!(refused(&[&boards], &[("--summary", &boards)]).unwrap().contains("would overwrite the input"));
        assert!(
            refused(&[&boards], &[("-o", &new), ("--summary", &at("sub/../new.jsonl"))])
                .unwrap()
                .contains("the same file")
        );
        assert!(refused(&[&at("other.json")], &[("-o", &other)]).is_some(), "neither file exists yet");
        let special = Path::new("/dev/null");
        assert_eq!(refused(&[special], &[("-o", special), ("--summary", special)]), None);
        assert!(refused(&[], &[("--summary", Path::new("-"))]).unwrap().contains("./-"));
        assert_eq!(refused(&[], &[]), None);
        for name in ["new.jsonl.gz", "new.zst"] {
            assert!(refused(&[], &[("-o", &at(name))]).unwrap().contains("compressed"));
        }
    }

    #[test]
    fn links_are_resolved() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let (boards, soft, hard) = (at("boards.txt"), at("soft"), at("hard"));
        fs::write(&boards, "1 2 3 0\n").unwrap();
        symlink("boards.txt", &soft).unwrap();
        fs::hard_link(&boards, &hard).unwrap();
        symlink(folder.path(), at("folder")).unwrap();
        for same in [&soft, &hard, &at("folder/boards.txt"), &at("folder/soft")] {
            assert!(refused(&[&boards], &[("-o", same)]).is_some(), "{same:?}");
            assert!(refused(&[same], &[("-o", &boards)]).is_some(), "{same:?}");
        }
        let (later, same) = (at("later.json"), at("folder/later.json"));
        assert!(refused(&[], &[("-o", &later), ("--summary", &same)]).is_some());
    }
}
