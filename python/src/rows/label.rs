//! Numbers of any type as labels of tiles.

use numpy::Element;

/// A type of integers that boards may be made of.
pub trait Label: Copy + Element + Send + Sync + std::fmt::Display + 'static {
    /// As a byte; 255 for what fits none.
    fn byte(self) -> u8;

    /// Many of them, where they are bytes.
    fn bytes(_numbers: &[Self]) -> Option<&[u8]> {
        None
    }

    /// As a label; the greatest number, which no board has, for what is none.
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

/// What was found, for messages: not more than anybody reads.
pub fn as_text<T: std::fmt::Display>(numbers: impl ExactSizeIterator<Item = T>) -> String {
    const MOST: usize = 36;
    let len = numbers.len();
    let shown: Vec<String> = numbers.take(MOST).map(|number| number.to_string()).collect();
    let more = if len > MOST { " …" } else { "" };
    format!("[{}{more}]", shown.join(" "))
}
