//! Options that several subcommands share: groups of arguments, turned into validated configuration, and the parsers
//! of their values.

pub(super) mod identity;
mod moves;
mod reading;
mod showing;
mod solving;
pub(super) mod values;
mod writing;

pub(super) use moves::Moves;
pub(super) use reading::{Inputs, Reading, profile};
pub(super) use showing::Showing;
pub(super) use solving::Solving;
pub(super) use writing::{FailOn, To, Writing};
