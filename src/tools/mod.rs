//! Tools for boards and results, other than the solver. They return data or write to a given
//! output; the command line decides how to show it.

#[cfg(feature = "cli")]
pub mod check;
pub mod files;
pub mod generate;
#[cfg(feature = "cli")]
pub mod improve;
#[cfg(feature = "cli")]
pub mod judge;
pub mod labels;
#[cfg(feature = "cli")]
pub mod merge;
#[cfg(feature = "cli")]
pub mod record;
pub mod record_loop;
#[cfg(feature = "cli")]
pub mod report;
#[cfg(feature = "svg")]
pub mod show;
#[cfg(feature = "svg")]
pub mod text;
#[cfg(feature = "cli")]
pub mod verify;
