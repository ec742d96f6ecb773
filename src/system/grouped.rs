//! Formats numbers for people.

/// Returns a number with a comma between groups of three digits: `181,440`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_three_digits() {
        let texts = [0, 999, 1000, 181_440, 1_000_000].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "181,440", "1,000,000"]);
    }
}
