//! Where results go: a file or standard output, never one of the inputs.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::format::input::{Expanded, Input};

/// An open output. It is not buffered: results come in chunks of whole lines.
pub(super) struct Output {
    file: File,
    /// True while a chunk is being written, which is the only time at which a line is not whole.
    writing: Arc<AtomicBool>,
}

impl Output {
    /// Opens the file, or standard output.
    ///
    /// Inputs from a folder that are the output itself are taken out of the list (and counted as
    /// passed over): they would be read while they are written, without end.
    ///
    /// # Errors
    /// A sentence for people, and nothing was changed: when the output was named as an input, when none
    /// of the inputs is there, when it cannot be created.
    pub fn open(path: Option<&Path>, named: &[PathBuf], inputs: &mut Expanded) -> Result<Output, String> {
        let own = match path {
            Some(path) => fs::metadata(path).ok(),
            None => stdout().and_then(|file| file.metadata()).ok().filter(fs::Metadata::is_file),
        };
        if let Some(own) = own.filter(fs::Metadata::is_file) {
            let is_output = |path: &Path| fs::metadata(path).is_ok_and(|other| same_file(&own, &other));
            if let Some(input) = named.iter().find(|path| is_output(path)) {
                return Err(format!(
                    "{} is to be read and written at the same time: name another output",
                    input.display()
                ));
            }
            let before = inputs.inputs.len();
            inputs.inputs.retain(|input| !matches!(input, Input::Path(path) if is_output(path)));
            inputs.passed_over += (before - inputs.inputs.len()) as u64;
        }
        let there = |input: &Input| match input {
            Input::Stdin => true,
            Input::Path(path) => path.exists(),
        };
        let file = match path {
            Some(path) => {
                if let [first, ..] = &inputs.inputs[..]
                    && !inputs.inputs.iter().any(there)
                {
                    return Err(format!("cannot read {}: there is no such file", first.name()));
                }
                File::create(path).map_err(|error| format!("cannot write to {}: {error}", path.display()))?
            }
            None => stdout().map_err(|error| format!("cannot write to standard output: {error}"))?,
        };
        Ok(Output { file, writing: Arc::default() })
    }

    /// True while a chunk is being written.
    pub fn writing(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.writing)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writing.store(true, Ordering::Release);
        let written = self.file.write_all(bytes);
        self.writing.store(false, Ordering::Release);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether two paths' files are the same.
#[cfg(unix)]
pub(super) fn same_file(a: &fs::Metadata, b: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

/// Other systems do not tell; there the names would have to be compared, which proves nothing.
#[cfg(not(unix))]
pub(super) fn same_file(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    false
}

/// Standard output past the line buffer of the standard library, which would cut every chunk at its last line.
#[cfg(unix)]
fn stdout() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}

#[cfg(windows)]
fn stdout() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}
