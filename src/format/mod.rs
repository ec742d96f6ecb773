//! How boards are written down.

pub mod input;
