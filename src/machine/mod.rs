//! What the builders of large tables ask of the processor: loops compiled for the machine that is found, squares of
//! bits turned over.

mod simd;
mod square;

pub(crate) use simd::{Kernel, dispatch};
pub(crate) use square::turn;
