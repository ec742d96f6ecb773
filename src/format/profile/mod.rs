//! Profiles: the input and answer formats of judges and courses.
//!
//! A profile is a TOML file, built in (`profiles/`) or the user's. It contains a layout, a shape
//! and a goal for boards, and templates for answers. The same templates write golden answers
//! ([`AnswerWriter`]) and read the answers of contestants ([`ClaimReader`]), so the two are always
//! consistent.

mod answer_lines;
mod claims;
mod definition;
mod listing;
mod table;
mod template;
mod write;

pub use claims::{Claim, ClaimReader, ClaimedAnswer, ClaimedPath, Claims};
pub use definition::{AnswerFormat, Confidence, Profile, Requirement};
pub use listing::Listing;
pub use write::AnswerWriter;
