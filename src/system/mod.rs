//! The machine and its limits: memory and its budget, huge pages, the processor's instruction sets,
//! prefetching, limits on time and nodes, checksums, random numbers, a sort for short lists. Also
//! the transposition of bits, the position of a board in its input, formatted numbers, and error
//! messages for files that do not exist. Nothing here depends on the rules of the puzzle.

mod allowed_memory;
mod bit_matrix;
mod budget;
mod checksum;
mod cpu;
mod grouped;
mod huge_pages;
mod input_position;
mod memory_budget;
pub(crate) mod missing_path;
mod prefetch;
mod random;
mod sort;

pub(crate) use allowed_memory::{allowed_memory, peak_memory};
pub(crate) use bit_matrix::transpose_bits;
pub use budget::{Budget, Limit, Limits, Meter, stopped_at};
pub use checksum::Checksum;
pub use cpu::InstructionSet;
pub(crate) use cpu::{Kernel, dispatch, run_all, run_on_threads};
pub(crate) use grouped::grouped;
pub use huge_pages::Zeroed;
pub use input_position::{Accuracy, InputPosition, RemainingWork, Stream};
pub use memory_budget::{Building, Footprint, MemoryBudget};
pub use prefetch::prefetch;
pub use random::{Random, scramble};
pub(crate) use sort::sort_few;
