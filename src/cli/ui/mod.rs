//! The user interface: messages, exit statuses, output files, progress, animations, signals, and
//! reports for continuous integration.

pub(super) mod animation;
pub(super) mod atomic_file;
pub(super) mod board_files;
pub(super) mod explain;
pub(super) mod junit;
pub(super) mod output;
pub(super) mod output_conflicts;
pub(super) mod progress;
pub(super) mod signals;
mod status;
pub(super) mod summary;
pub(super) mod violations;

pub(super) use status::{ExitStatus, Stop, message, print, print_lines, warn};
