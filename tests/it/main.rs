//! Tests of the program and the library from outside. They form one test binary, so that the
//! library and the shared code are linked once. A test that measures its whole process has a binary
//! of its own (`tests/memory.rs`). Tests are compiled without optimisation, so heavy computation is
//! in `tests/oracle`, which is optimised.
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
mod custom_profile;
mod damage;
mod documented;
mod estimate;
mod examples;
mod explain;
mod fast_path;
mod faults;
mod foreign_text;
mod full_table;
mod generate;
mod hostile;
mod inputs;
mod judge;
mod large;
mod large_claims;
mod large_runs;
mod levels;
mod lookup_table;
mod memory_limit;
mod output_conflicts;
mod passthrough;
mod pipeline;
mod profiles;
mod program;
mod progress;
mod refusals;
mod report;
mod resume;
mod run_limit;
mod search_snapshots;
mod shards;
mod show;
mod small_boards;
mod verify;
