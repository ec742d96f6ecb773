//! The `taquin` program.

fn main() {}
