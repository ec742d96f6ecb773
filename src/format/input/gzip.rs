//! The text of a gzip file.

use std::io::{self, BufRead, Read};

/// A stream of the text in a sequence of gzip members. Zeros after the last member are skipped, as
/// by the gzip program: tapes and other block storage pad files with them.
pub struct Gzip {
    member: flate2::bufread::GzDecoder<Box<dyn BufRead + Send>>,
    /// True after the last member.
    in_padding: bool,
}

impl Gzip {
    /// Returns the text in a stream that begins with a member.
    pub fn new(stream: Box<dyn BufRead + Send>) -> Gzip {
        Gzip { member: flate2::bufread::GzDecoder::new(stream), in_padding: false }
    }

    /// Skips zeros to the end of the stream. Any other data is an error.
    fn skip_padding(&mut self) -> io::Result<()> {
        let stream = self.member.get_mut();
        loop {
            let bytes = stream.fill_buf()?;
            if bytes.iter().any(|&byte| byte != 0) {
                let message = "the data after the last gzip member is neither gzip nor zeros";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            match bytes.len() {
                0 => return Ok(()),
                zeros => stream.consume(zeros),
            }
        }
    }
}

impl Read for Gzip {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while !self.in_padding && !into.is_empty() {
            let read = self.member.read(into)?;
            if read > 0 {
                return Ok(read);
            }
            if self.member.get_mut().fill_buf()?.first().is_none_or(|&byte| byte == 0) {
                self.in_padding = true;
            } else {
                let stream = self.member.reset(Box::new(io::empty()));
                self.member.reset(stream);
            }
        }
        if self.in_padding {
            self.skip_padding()?;
        }
        Ok(0)
    }
}
