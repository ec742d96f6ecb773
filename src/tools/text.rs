//! Wording shared by several tools.

use crate::system::grouped;

/// Returns a number with its noun: `1 move`, `2 moves`, `1,000 moves`.
pub fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(number)) }
}
