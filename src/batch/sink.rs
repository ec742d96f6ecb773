//! Where results go, and what keeps a record of them so that a run can be resumed.

use std::io::{self, Write};

use super::progress::{Progress, ResumePoint};

/// What can be written to from any thread.
pub trait Sink: Write + Send {
    /// What keeps a record of how far the run has come, so that another can go on from there.
    fn journal(&mut self) -> Option<&mut dyn Journal> {
        None
    }
}

impl Sink for Vec<u8> {}
impl Sink for io::Sink {}
impl Sink for std::fs::File {}

impl<W: Sink + ?Sized> Sink for &mut W {
    fn journal(&mut self) -> Option<&mut dyn Journal> {
        (**self).journal()
    }
}

/// A record of how far a run has come.
pub trait Journal {
    /// Where the run goes on; asked for once, at its beginning.
    fn resume_point(&mut self) -> ResumePoint;

    /// Whether enough has happened since the last entry.
    fn is_due(&self) -> bool;

    /// Enters what was written to the sink, unless the entry before is still being made; it may become durable later. Whether it was entered.
    ///
    /// # Errors
    /// When this or an earlier entry cannot be made durable: the run ends.
    fn commit(&mut self, progress: Progress) -> io::Result<bool>;

    /// Enters the last progress, which is durable when this returns.
    ///
    /// # Errors
    /// When this or an earlier entry cannot be made durable.
    fn conclude(&mut self, progress: Progress) -> io::Result<()>;
}
