//! What tables and sets ask of the machine's memory: large zeroed pieces, and lines fetched ahead of their use.

mod prefetch;
mod zeroed;

pub(crate) use prefetch::prefetch;
pub(crate) use zeroed::Zeroed;
