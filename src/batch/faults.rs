//! Catches panics, which are bugs in the program, so that each affects as few records as possible.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does work on records. The caller must replace or restore what `work` may have left inconsistent.
///
/// # Errors
/// The message of a panic, as the error of a record whose result it prevented.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let panicked = |panic: Box<dyn Any + Send>| format!("the program failed on this record: {}", message(&*panic));
    catch_unwind(AssertUnwindSafe(work)).map_err(panicked)
}

/// Returns the message of a panic.
pub fn message(panic: &(dyn Any + Send)) -> &str {
    let message = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    message.unwrap_or("no message")
}
