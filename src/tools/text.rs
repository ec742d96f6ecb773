//! Wording shared by several tools.

/// Returns a number with its noun: `1 move`, `2 moves`.
pub fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
