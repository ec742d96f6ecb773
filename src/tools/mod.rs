//! What can be done with boards and results beside solving them. Tools give data, or write to what they are given; how
//! that is shown is left to the program.

pub mod arrays;
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
#[cfg(feature = "svg")]
pub mod pictures;
#[cfg(feature = "cli")]
mod record;
#[cfg(feature = "cli")]
pub mod report;
#[cfg(feature = "svg")]
pub mod show;
#[cfg(feature = "svg")]
pub mod text;
#[cfg(feature = "cli")]
pub mod verify;
