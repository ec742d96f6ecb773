//! What a run asks of the machine's memory: how much it may take and who gets which share, large zeroed pieces, and
//! lines fetched ahead of their use.

mod allowed;
mod prefetch;
mod share;
mod zeroed;

pub(crate) use allowed::allowed;
pub(crate) use prefetch::prefetch;
pub(crate) use share::Share;
pub(crate) use zeroed::Zeroed;
