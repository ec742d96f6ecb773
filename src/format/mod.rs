//! What is read and what is written; it knows no engine.

pub mod boards;
pub mod input;
pub mod output;
pub mod profile;
pub mod spelling;
pub mod style;
