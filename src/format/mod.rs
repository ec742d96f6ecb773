//! The formats of files. This module reads and writes boards and results, and answers in the
//! formats of judges. A *judge* is a website or a course that checks solutions of programming
//! problems. This module does not depend on the solver.

pub mod boards;
#[cfg(feature = "cli")]
pub mod custom_profile;
pub mod field_table;
pub mod fields;
pub mod input;
pub mod output;
pub mod passthrough;
pub mod profile;
pub mod result;
pub mod result_lines;
pub mod schema;
mod shard;
pub mod spelling;
pub mod status;
pub mod style;
pub mod text;
#[cfg(feature = "cli")]
pub mod trailer;
