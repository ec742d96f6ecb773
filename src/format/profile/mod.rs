//! Profiles: how a judge or a course lays out its boards, and what its answers look like.
//!
//! A profile is a row of data (`table`), never code: a layout, a shape and a goal to read by, and
//! templates of an answer to write by. The same templates write golden answers ([`AnswerWriter`]) and
//! read those of contestants ([`ClaimReader`]), so that the two cannot drift apart.

mod answer_lines;
mod claim;
mod claim_reader;
mod definition;
mod listing;
mod match_line;
mod table;
mod template;
mod write;

pub use claim::{Claim, ClaimedAnswer, ClaimedPath, Claims};
pub use claim_reader::ClaimReader;
pub use definition::{AnswerFormat, Confidence, Profile, ProfileGoal, Requirement};
pub use listing::Listing;
pub use table::PROFILES;
pub use write::{AnswerWarning, AnswerWriter};
