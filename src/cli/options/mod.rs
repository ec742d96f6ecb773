//! Options shared by several subcommands: argument groups that become validated configuration, and
//! parsers for their values.

mod reading;
mod solving;
pub(super) mod values;
mod writing;

pub(super) use reading::{BoardOptions, Inputs, ReadingOptions, are_boards, expand_inputs, is_board};
pub(super) use solving::{BoardLimits, MachineResources, PathSearchOptions, Solving};
pub(super) use writing::{FailOn, FieldList, Moves, Showing, To, Writing};
