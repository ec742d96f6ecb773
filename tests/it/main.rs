//! What the program and the library promise, tested from outside: one program, so that the library and what all tests share are
//! linked once. A test that counts what its whole process does is a program of its own (`tests/memory.rs`).
//! They are compiled without optimisation: what computes much is in `tests/oracle`.
//!
//! `cargo test --test it resume::` runs one module.

mod common;

mod all_paths;
mod analysis;
mod architecture;
mod check;
mod cluster;
mod completions;
mod cross_check;
mod cross_check_shapes;
mod damage;
mod estimate;
mod examples;
mod explain;
mod fast_path;
mod faults;
mod foreign_text;
mod full_table;
mod generate;
mod halfway;
mod hostile;
mod inputs;
mod judge;
mod large;
mod large_claims;
mod large_runs;
mod lookup_table;
mod passing;
mod pipeline;
mod profiles;
mod program;
mod progress;
mod refusals;
mod replay;
mod report;
mod resume;
mod run_limit;
mod shards;
mod show;
mod small_boards;
mod verify;
mod within;
mod written;
