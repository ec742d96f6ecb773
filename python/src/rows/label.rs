//! Converts integers of any type to tile labels.

use numpy::Element;

/// An integer type for tile labels.
pub trait Label: Copy + Element + Send + Sync + std::fmt::Display + 'static {
    /// Converts the number to a byte: 255 if it does not fit.
    fn byte(self) -> u8;

    /// Returns the numbers without a copy if they are bytes, otherwise `None`.
    fn bytes(_numbers: &[Self]) -> Option<&[u8]> {
        None
    }

    /// Converts the number to a label: `u16::MAX`, which no tile has, if it does not fit.
    fn label(self) -> u16;
}

impl Label for u8 {
    #[inline(always)]
    fn byte(self) -> u8 {
        self
    }

    fn bytes(numbers: &[u8]) -> Option<&[u8]> {
        Some(numbers)
    }

    #[inline(always)]
    fn label(self) -> u16 {
        self.into()
    }
}

macro_rules! labels {
    ($($number:ty),*) => {$(
        impl Label for $number {
            #[inline(always)]
            fn byte(self) -> u8 {
                u8::try_from(self).unwrap_or(u8::MAX)
            }

            #[inline(always)]
            fn label(self) -> u16 {
                u16::try_from(self).unwrap_or(u16::MAX)
            }
        }
    )*};
}

labels!(i8, u16, i16, u32, i32, u64, i64);

/// Formats the first 36 numbers for a message, followed by an ellipsis if there are more.
pub fn as_text<T: std::fmt::Display>(numbers: impl ExactSizeIterator<Item = T>) -> String {
    const MAX_NUMBERS: usize = 36;
    let len = numbers.len();
    let shown: Vec<String> = numbers.take(MAX_NUMBERS).map(|number| number.to_string()).collect();
    let more = if len > MAX_NUMBERS { " …" } else { "" };
    format!("[{}{more}]", shown.join(" "))
}
