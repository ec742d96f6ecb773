//! The warning about duplicates that may have been missed.

use indicatif::HumanCount;

use crate::batch::Totals;

/// Warns if there was not enough memory to compare all boards.
pub fn warn(totals: &Totals) {
    let (repeats, capacity) = totals.repeats();
    if repeats.unknown > 0 {
        let (unknown, capacity) = (HumanCount(repeats.unknown), HumanCount(capacity as u64));
        super::warn(&format!(
            "{unknown} boards could not be checked for duplicates: --memory leaves room for {capacity} different boards"
        ));
    }
}
