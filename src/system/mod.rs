//! The machine and its limits: memory and its budget, huge pages, the processor's instruction sets,
//! prefetching, limits on time and nodes, checksums, random numbers. Nothing here is specific to
//! puzzles.

mod allowed_memory;
mod bit_matrix;
mod budget;
mod checksum;
mod cpu;
mod deadline;
mod grouped;
mod huge_pages;
mod input_position;
mod memory_budget;
pub(crate) mod missing_path;
mod peak_memory;
mod prefetch;
mod random;
mod remaining_work;
mod scramble;
mod tasks;

pub(crate) use allowed_memory::allowed_memory;
pub(crate) use bit_matrix::transpose_bits;
pub use budget::{Budget, Limit, Limits, Meter};
pub use checksum::Checksum;
pub use cpu::InstructionSet;
pub(crate) use cpu::{Kernel, dispatch};
pub use deadline::stopped_at;
pub(crate) use grouped::grouped;
pub use huge_pages::Zeroed;
pub use input_position::{InputPosition, Stream};
pub use memory_budget::{Building, Footprint, MemoryBudget};
pub(crate) use peak_memory::peak_memory;
pub use prefetch::prefetch;
pub use random::Random;
pub use remaining_work::{Accuracy, RemainingWork};
pub use scramble::scramble;
pub(crate) use tasks::run_all;
