//! Wording that several tools share.

/// A number of things: `1 move`, `2 moves`.
pub fn counted(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}
