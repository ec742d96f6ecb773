//! The reader: all inputs as one stream of chunks, in the order they were named.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::args::Input;
use super::chunk::Chunk;
use super::file::FileReader;
use super::window::{BLOCK_BYTES, Window};
use super::{InputOptions, stream};

/// A file that could not be read, or not to its end. What came before the failure was handed out.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {name}: {cause}")]
pub struct InputError {
    /// The file, as it is shown in results.
    pub name: Arc<str>,
    /// What the system or the decompression said.
    #[source]
    pub cause: io::Error,
}

/// Cuts inputs into chunks.
///
/// In memory it holds the records that it hands out next, and of a record that is not complete
/// yet at most [`InputOptions::max_line`] bytes and two blocks of 256 KiB.
pub struct Reader {
    inputs: VecDeque<Input>,
    options: InputOptions,
    file: Option<FileReader>,
    records: u64,
    warnings: Vec<String>,
    bytes_read: Arc<AtomicU64>,
    total_bytes: Option<u64>,
}

impl Reader {
    /// A reader of these inputs. Each is opened when its turn comes.
    pub fn new(inputs: Vec<Input>, mut options: InputOptions) -> Reader {
        options.max_line = options.max_line.clamp(1, usize::MAX / 4);
        let total_bytes = inputs.iter().map(size_of_file).sum();
        Reader {
            inputs: inputs.into(),
            options,
            file: None,
            records: 0,
            warnings: Vec::new(),
            bytes_read: Arc::default(),
            total_bytes,
        }
    }

    /// A reader of one text that is no file, shown in results by this name.
    pub fn of_text(name: &str, text: impl Read + Send + 'static, options: InputOptions) -> Reader {
        let mut reader = Reader::new(Vec::new(), options);
        reader.file = Some(FileReader::new(name.into(), Window::new(Box::new(text), BLOCK_BYTES)));
        reader.total_bytes = None;
        reader
    }

    /// The next chunk: at most `max_records` records and about `max_bytes` bytes, but at least one
    /// record, in the buffer `spare`. A chunk is handed out as soon as a record is complete and
    /// waiting for more would block. `None` when everything was read; after an error, the next
    /// call goes on with the next file.
    pub fn next_chunk(
        &mut self,
        max_records: usize,
        max_bytes: usize,
        mut spare: Vec<u8>,
    ) -> Option<Result<Chunk, InputError>> {
        loop {
            let mut file = match self.file.take() {
                Some(file) => file,
                None => match self.open_next()? {
                    Ok(file) => file,
                    Err(error) => return Some(Err(error)),
                },
            };
            let piece = file.next_piece(&self.options, max_records, max_bytes, &mut spare);
            self.warnings.append(&mut file.take_warnings());
            match piece {
                Ok(Some(piece)) => {
                    self.file = Some(file);
                    let first_index = self.records + 1;
                    self.records += piece.records as u64;
                    return Some(Ok(Chunk {
                        source: piece.source,
                        first_index,
                        first_line: piece.first_line,
                        records: piece.records,
                        bytes: spare,
                        extent: piece.extent,
                    }));
                }
                Ok(None) => {}
                Err(cause) => return Some(Err(InputError { name: file.name(), cause })),
            }
        }
    }

    /// What the user should be told about the files read so far; told once. Settings that are
    /// wrong, count lines that promise another number of records.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// How much was read, compressed as it was.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// How much there is to be read; `None` unless all inputs are regular files.
    pub fn total_bytes(&self) -> Option<u64> {
        self.total_bytes
    }

    fn open_next(&mut self) -> Option<Result<FileReader, InputError>> {
        let input = self.inputs.pop_front()?;
        let name: Arc<str> = input.name().into();
        Some(match stream::open(&input, &self.bytes_read) {
            Ok(text) => Ok(FileReader::new(name, Window::new(text, BLOCK_BYTES))),
            Err(cause) => Err(InputError { name, cause }),
        })
    }
}

/// The bytes of a regular file; a path that is not there has none.
fn size_of_file(input: &Input) -> Option<u64> {
    let Input::Path(path) = input else { return None };
    match std::fs::metadata(path) {
        Ok(file) => file.is_file().then_some(file.len()),
        Err(_) => Some(0),
    }
}
