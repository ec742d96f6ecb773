//! Reads all inputs as one stream of chunks, in the given order.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::chunk::Chunk;
use super::file::{FileReader, Position};
use super::options::InputOptions;
use super::read_ahead::ReadAheadBuffer;
use super::stream::{self, Input};
use super::stream_buffer::{BLOCK_BYTES, StreamBuffer};
use crate::format::shard::Shard;
use crate::system::{Accuracy, Checksum, InputPosition, RemainingWork, Stream};

/// The error of an input that could not be read completely. The records before the failure were
/// returned.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {name}: {cause}")]
pub struct InputError {
    /// The name shown in results.
    pub name: Arc<str>,
    /// The error of the system or of the decompression.
    #[source]
    pub cause: io::Error,
}

/// The error returned if the text before a position, or the format in which the text is read, has
/// changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the inputs have changed since they were read")]
pub struct InputChanged;

/// The amount that a reader has read so far. Other threads can view it while the reader reads.
#[derive(Clone, Default)]
pub struct AmountRead {
    records: Arc<AtomicU64>,
    /// The number of bytes, before decompression.
    bytes: Arc<AtomicU64>,
    /// The number of bytes in all inputs. `None` unless all are regular files.
    total_bytes: Option<u64>,
}

impl AmountRead {
    /// Returns the number of records, including the records of other shards.
    pub fn records(&self) -> u64 {
        self.records.load(Ordering::Relaxed)
    }

    /// Returns the estimated number of records in all inputs, if their sizes are known.
    pub fn expected(&self) -> Option<u64> {
        let bytes = u128::from(self.bytes.load(Ordering::Relaxed));
        let total = self.total_bytes.filter(|_| bytes > 0)?;
        u64::try_from(u128::from(self.records()) * u128::from(total) / bytes).ok()
    }
}

/// A reader that splits inputs into chunks.
///
/// It keeps in memory the records of the next chunk, the beginning of an incomplete record (at most
/// [`InputOptions::max_record_bytes`] bytes and two blocks of 256 KiB), and the bytes read ahead
/// from pipes.
#[derive(Default)]
pub struct Reader {
    inputs: VecDeque<Input>,
    options: InputOptions,
    /// The shard whose records are returned. Other records are read and counted. `None`: all.
    shard: Option<Shard>,
    file: Option<FileReader>,
    amount: AmountRead,
    warnings: Vec<String>,
    /// The number of records that count lines promise but the files do not have, in the files
    /// finished since the last call of `take_missing`.
    missing: u64,
    /// The number of records that the count line of the last file promises.
    promised: Option<u64>,
    /// The number of inputs that were opened or could not be opened.
    opened: u64,
    failed_inputs: u64,
    /// The checksum of all text before the next file, if positions are kept. While a file is open,
    /// its buffer has the checksum.
    checksum: Option<Checksum>,
    /// The number of bytes of text in the finished files.
    finished_text_bytes: u64,
    /// The number of bytes of text before the position from which the reader resumed.
    skipped_bytes: u64,
    /// The maximum number of bytes that are read ahead from a pipe.
    read_ahead: usize,
    /// The bytes that were read ahead from the open file.
    ahead: Arc<ReadAheadBuffer>,
    /// The number of bytes that were read from the inputs before the open file.
    read_before: u64,
}

impl Reader {
    /// Returns a reader of these inputs. Each is opened after the previous one is closed.
    pub fn new(inputs: Vec<Input>, mut options: InputOptions) -> Reader {
        options.max_record_bytes = options.max_record_bytes.clamp(1, usize::MAX / 4);
        let amount = AmountRead { total_bytes: inputs.iter().map(size_in_bytes).sum(), ..AmountRead::default() };
        Reader { inputs: inputs.into(), options, amount, ..Reader::default() }
    }

    /// Reads ahead by up to `bytes` bytes from each input that is not a regular file, in one thread
    /// per input, to learn more about the input's size. The thread of standard input may run until
    /// the process ends.
    pub fn read_ahead(&mut self, bytes: usize) {
        self.read_ahead = bytes;
    }

    /// Keeps checksums, which [`Reader::position`] needs. Must be called before anything is read.
    pub fn keep_positions(&mut self) {
        self.checksum = Some(Checksum::default());
    }

    /// Restricts the reader to the records of this shard, and keeps positions. Must be called
    /// before anything is read.
    pub fn take_only(&mut self, shard: Shard) {
        self.shard = Some(shard);
        self.keep_positions();
    }

    /// Returns the shard whose records are returned.
    pub fn shard(&self) -> Shard {
        self.shard.unwrap_or(Shard::WHOLE)
    }

    /// Returns the position of the next chunk, or of the records of other shards before it.
    pub fn position(&self) -> Position {
        let (records, failed_inputs) = (self.records(), self.failed_inputs);
        match &self.file {
            Some(file) => Position { records, failed_inputs, input: self.opened - 1, ..file.position() },
            None => {
                let text_checksum = self.checksum.as_ref().map_or(0, Checksum::value);
                Position { records, failed_inputs, input: self.opened, text_checksum, ..Position::default() }
            }
        }
    }

    /// Resumes from a position of another reader of the same inputs with the same options, and
    /// keeps positions. Everything before the position is read again and compared by its checksum.
    ///
    /// # Errors
    /// If the text before the position, or the format in which the text is read, has changed.
    pub fn go_to(&mut self, position: &Position) -> Result<(), InputChanged> {
        self.keep_positions();
        while self.opened < position.input {
            // If an input failed in the earlier run, it must fail again, or the checksum differs.
            if let Ok(mut file) = self.open_next().ok_or(InputChanged)? {
                file.text.buffer.skip_to(u64::MAX);
                self.close(file);
            }
        }
        if position.offset > 0 {
            let mut file = self.open_next().ok_or(InputChanged)?.map_err(|_| InputChanged)?;
            let is_found = file.resume_from(&self.options, position);
            self.warnings.append(&mut file.text.warnings);
            self.file = is_found.then_some(file);
        }
        self.amount.records.store(position.records, Ordering::Relaxed);
        self.failed_inputs = position.failed_inputs;
        let (text, waiting) = self.text_bytes();
        self.skipped_bytes = text - waiting;
        if self.position() == *position { Ok(()) } else { Err(InputChanged) }
    }

    /// Returns a reader of one stream of text, which is called `name` in results.
    pub fn of_text(name: &str, text: impl Read + Send + 'static, options: InputOptions) -> Reader {
        let mut reader = Reader::new(Vec::new(), options);
        reader.file = Some(FileReader::new(name.into(), StreamBuffer::new(Box::new(text), BLOCK_BYTES)));
        (reader.opened, reader.amount.total_bytes) = (1, None);
        reader
    }

    /// Returns the next chunk, in the buffer `spare`: at most `max_records` records and about
    /// `max_bytes` bytes, but at least one record. Returns a smaller chunk rather than waiting for
    /// more input. Returns `None` after the last record. After an error, the next call continues
    /// with the next file.
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
                    Err(error) => {
                        self.failed_inputs += 1;
                        return Some(Err(error));
                    }
                },
            };
            let (skipped, block) = self.shard().next_block(self.records() + 1);
            let limit = if skipped > 0 { skipped } else { block.end - block.start };
            let wanted = if skipped > 0 { usize::MAX } else { max_records };
            let max = wanted.min(usize::try_from(limit).unwrap_or(usize::MAX));
            let next = file.next_chunk(&self.options, max, max_bytes, &mut spare);
            self.warnings.append(&mut file.text.warnings);
            self.promised = file.promised;
            match next {
                Ok(Some(mut chunk)) => {
                    self.file = Some(file);
                    chunk.input_position = self.input_position();
                    chunk.first_index = 1 + self.amount.records.fetch_add(chunk.record_count as u64, Ordering::Relaxed);
                    if skipped == 0 {
                        return Some(Ok(chunk));
                    }
                    spare = chunk.bytes;
                }
                Ok(None) => {
                    self.missing += file.promised.unwrap_or_default().saturating_sub(file.records);
                    self.close(file);
                }
                Err(cause) => {
                    let name = Arc::clone(&file.text.name);
                    self.close(file);
                    self.failed_inputs += 1;
                    return Some(Err(InputError { name, cause }));
                }
            }
        }
    }

    /// Returns the warnings about the files since the last call, such as invalid settings.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// Returns the number of records that count lines promise but the files do not have, in the
    /// files finished since the last call.
    pub fn take_missing(&mut self) -> u64 {
        std::mem::take(&mut self.missing)
    }

    /// Returns the number of records that the count line of the file read last promises, if the
    /// file has one.
    pub fn promised(&self) -> Option<u64> {
        self.promised
    }

    /// Returns the number of records read so far, including the records of other shards.
    pub fn records(&self) -> u64 {
        self.amount.records()
    }

    /// Returns the amount read, as a view that other threads can use while the reader reads.
    pub fn amount_read(&self) -> AmountRead {
        self.amount.clone()
    }

    /// Returns the number of bytes that were read, before decompression.
    pub fn bytes_read(&self) -> u64 {
        self.amount.bytes.load(Ordering::Relaxed)
    }

    /// Returns the remaining work as a multiple of the work in the chunks so far. It is estimated
    /// from the bytes that were read ahead and from the unread bytes of regular files. For
    /// compressed files the estimate is too low.
    pub fn remaining_work(&self) -> RemainingWork {
        let ((text, waiting), read) = (self.text_bytes(), self.bytes_read());
        let (ahead, is_all) = self.ahead.unconsumed();
        let unread = self.amount.total_bytes.map_or(ahead, |total| total.saturating_sub(read));
        // If nothing was decompressed, the unread bytes are text.
        let is_plain = text == read;
        let is_exact = match (self.amount.total_bytes, &self.file) {
            (Some(_), _) => is_plain,
            (None, Some(_)) => is_plain && is_all && self.inputs.is_empty(),
            (None, None) => self.inputs.is_empty(),
        };
        let accuracy = if is_exact { Accuracy::Exact } else { Accuracy::AtLeast };
        RemainingWork {
            ratio: (waiting + unread) as f64 / (text - waiting - self.skipped_bytes).max(1) as f64,
            accuracy,
        }
    }

    /// Returns the position after the chunks so far: the amounts of input before and after it.
    fn input_position(&self) -> InputPosition {
        let ((text, waiting), read) = (self.text_bytes(), self.bytes_read());
        let before = text - waiting - self.skipped_bytes;
        let Some(total) = self.amount.total_bytes else {
            let (text, read) = (text - self.finished_text_bytes, read - self.read_before);
            // In a compressed stream, the position of the chunk is not known. The number of bytes
            // read is used instead.
            let in_stream = if text == read { text - waiting } else { read };
            return InputPosition::in_stream(before, Arc::clone(&self.ahead) as Arc<dyn Stream>, in_stream);
        };
        InputPosition::new(before, waiting + total.saturating_sub(read))
    }

    /// Returns the number of bytes of text that were read, and the number of these that are not in
    /// a chunk yet.
    fn text_bytes(&self) -> (u64, u64) {
        let (in_file, waiting) = self.file.as_ref().map_or((0, 0), FileReader::text_bytes);
        (self.finished_text_bytes + in_file, waiting)
    }

    fn close(&mut self, file: FileReader) {
        self.finished_text_bytes += file.text_bytes().0;
        self.ahead = Arc::default();
        self.checksum = file.text.buffer.close();
    }

    fn open_next(&mut self) -> Option<Result<FileReader, InputError>> {
        let input = self.inputs.pop_front()?;
        self.opened += 1;
        let name: Arc<str> = input.name().into();
        self.read_before = self.bytes_read();
        Some(match stream::open_counted(&input, self.options.decompression, &self.amount.bytes, self.read_ahead) {
            Ok((text, ahead)) => {
                self.ahead = ahead;
                let mut buffer = StreamBuffer::new(text, BLOCK_BYTES);
                buffer.checksum = self.checksum.take();
                Ok(FileReader::new(name, buffer))
            }
            Err(cause) => Err(InputError { name, cause }),
        })
    }
}

/// Returns the size of an input in bytes, if it is known. The size of a missing file is 0.
fn size_in_bytes(input: &Input) -> Option<u64> {
    match input {
        Input::Path(path) => match std::fs::metadata(path) {
            Ok(file) => file.is_file().then_some(file.len()),
            Err(_) => Some(0),
        },
        Input::Text(text) => Some(text.len() as u64),
        Input::Stdin => None,
    }
}
