//! Options shared by several subcommands: argument groups that become validated configuration, and
//! parsers for their values.

mod any_profile;
mod choices;
pub(super) mod excluded;
pub(super) mod identity;
mod moves;
mod reading;
mod showing;
mod solving;
pub(super) mod typed_boards;
mod unique;
pub(super) mod values;
mod writing;

pub(super) use any_profile::AnyProfile;
pub(super) use choices::OrAuto;
pub(super) use moves::Moves;
pub(super) use reading::{Boards, Inputs, Reading};
pub(super) use showing::Showing;
pub(super) use solving::{BoardLimits, Effort, PathQuality, PathSearch, Resources, Solving};
pub(super) use unique::Unique;
pub(super) use writing::{FailOn, FieldList, To, Writing};
