//! The destination of results, and the journal from which a run is resumed.

use std::io::{self, Write};

use super::progress::{Progress, ResumePoint};

/// A destination that any thread can write to.
pub trait Sink: Write + Send {
    /// Returns the journal that records the progress of the run, if it can be resumed.
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

/// A record of the progress of a run.
pub trait Journal {
    /// Returns the point from which the run resumes. Called once, at the start.
    fn resume_point(&mut self) -> ResumePoint;

    /// Returns true if enough time has passed since the last entry.
    fn is_due(&self) -> bool;

    /// Records the progress of what was written to the sink, unless the previous entry is still
    /// being written. The entry may become durable later. Returns true if it was recorded.
    ///
    /// # Errors
    /// If this or an earlier entry cannot be made durable. Then the run ends.
    fn commit(&mut self, progress: Progress) -> io::Result<bool>;

    /// Records the final progress, which is durable on return.
    ///
    /// # Errors
    /// If this or an earlier entry cannot be made durable.
    fn conclude(&mut self, progress: Progress) -> io::Result<()>;
}
