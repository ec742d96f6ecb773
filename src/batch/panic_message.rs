//! Messages of panics.

use std::any::Any;

/// Returns the message of a panic.
pub fn message(panic: &(dyn Any + Send)) -> &str {
    let message = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    message.unwrap_or("no message")
}

/// Returns the error of a record whose result was lost in a panic.
pub fn record_error(panic: &(dyn Any + Send)) -> String {
    format!("the program failed on this record: {}", message(panic))
}
