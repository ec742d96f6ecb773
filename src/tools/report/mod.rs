//! `taquin report`: a summary of results as a self-contained HTML page.
//!
//! Results are read once, line by line, into sums (`stats`) and short lists (`tally`) of bounded
//! size. A page for a hundred million results takes no more memory than one for a thousand, and no
//! page is larger than a megabyte. The page (`page`) is a template that escapes all texts; its
//! charts (`chart`) are SVG. The same results give the same bytes.

mod chart;
mod page;
mod stats;
mod tally;

pub use page::page;
pub use tally::Tally;
