//! The warning of `inspect` and `assert` about duplicates that may have been overlooked.

use indicatif::HumanCount;

use crate::tools::inspect::Report;

/// Warns where the memory did not suffice to compare all boards.
pub fn warn(report: &Report) {
    let &Report { unknown, capacity, .. } = report;
    if unknown > 0 {
        let (unknown, capacity) = (HumanCount(unknown), HumanCount(capacity as u64));
        super::warn(&format!(
            "of {unknown} boards it is not known whether they came before: --memory leaves room for {capacity} different ones"
        ));
    }
}
