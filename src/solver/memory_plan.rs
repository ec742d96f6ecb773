//! Divides `--memory` among tables, sets of visited states, the frontier lists of searches
//! (`engine/ida/list.rs`), chunks between reading and writing, cached answers, and windows of
//! compressed inputs.
//!
//! The plan is a pure function of the numbers of bytes and threads. Each part enforces its own
//! share: tables and sets reserve memory before they use it, lists stop growing when full, and the
//! reader waits while the chunks in flight fill their share. An exhausted share costs time or
//! leaves a board `unsolved` with `limit: "memory"`, but no part takes more than its share.

/// The shares, in bytes unless stated otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryPlan {
    /// All tables together, or all sets of visited states: a run has one or the other.
    pub tables: u64,
    /// All searches for good paths together, including their tables. This is a part of `tables`. It
    /// is the same for any number of threads, because the path found depends on the memory of a
    /// beam.
    pub good_paths: u64,
    /// One frontier list of a search. A searching thread has two, and others for its subtrees.
    pub list: usize,
    /// All buffers. An eighth is for data read ahead from a pipe ([`MemoryPlan::read_ahead`]). The
    /// rest is divided equally between texts in flight and buffers waiting for reuse.
    pub buffers: usize,
    /// The number of answers kept for repeated boards, at [`MemoryPlan::ANSWER_BYTES`] bytes each.
    pub answers: usize,
    /// Maximum size of the window with which a compressed input is decompressed.
    pub decompression: u64,
}

impl MemoryPlan {
    /// The program itself: code, stacks, input blocks and small tables; usually 6 to 12 MB.
    const PROGRAM: u64 = 14 << 20;

    /// Maximum size of a list. Longer lists gain nothing, see
    /// [`ida`](crate::engine::ida::Scratch::BYTES).
    const MAX_LIST: u64 = 4 << 20;

    /// The number of threads assumed when the memory is divided, if results depend on the shares.
    pub const MANY_THREADS: usize = 64;

    /// Minimum size of a list: several thousand nodes.
    const MIN_LIST: u64 = 128 << 10;

    /// Twice the number of a thread's lists (two, and up to six in its subtrees), so that lists
    /// take at most half of the memory.
    const LIST_DIVISOR: u64 = 16;

    /// Minimum size of the buffers.
    const MIN_BUFFERS: usize = 6 << 20;

    /// Maximum size of a cached answer with its key.
    const ANSWER_BYTES: usize = 400;

    /// Maximum number of cached answers.
    const MAX_ANSWERS: usize = 1 << 15;

    /// Divides `bytes` for this number of searching threads.
    pub fn of(bytes: u64, threads: usize) -> MemoryPlan {
        let threads = threads.max(1) as u64;
        let buffers = (bytes / 8).clamp(MemoryPlan::MIN_BUFFERS as u64, 64 << 20);
        let decompression = (bytes / 16).clamp(8 << 20, 128 << 20);
        let answers = (bytes / 64).clamp(256 << 10, (MemoryPlan::MAX_ANSWERS * MemoryPlan::ANSWER_BYTES) as u64);
        let rest = bytes.saturating_sub(MemoryPlan::PROGRAM + buffers + decompression + answers);
        let list = (rest / (MemoryPlan::LIST_DIVISOR * threads)).clamp(MemoryPlan::MIN_LIST, MemoryPlan::MAX_LIST);
        MemoryPlan {
            tables: rest.saturating_sub(list * MemoryPlan::LIST_DIVISOR * threads / 2),
            good_paths: rest / 2,
            list: list as usize,
            buffers: buffers as usize,
            answers: answers as usize / MemoryPlan::ANSWER_BYTES,
            decompression,
        }
    }

    /// Returns the bytes that may be read ahead from a pipe.
    pub fn read_ahead(&self) -> usize {
        self.buffers / 8
    }

    /// Returns the bytes for texts between reading and writing. Buffers waiting for reuse may take
    /// as many.
    pub fn texts(&self) -> usize {
        (self.buffers - self.read_ahead()) / 2
    }

    /// Returns the sum of all shares. If there are too few bytes to divide, the sum exceeds them:
    /// tables then get nothing, and the other shares have their minimum sizes.
    pub fn total(&self, threads: usize) -> u64 {
        self.tables + self.lists(threads) + self.decompression + self.overhead()
    }

    /// Returns the bytes of all lists of this number of searching threads.
    pub fn lists(&self, threads: usize) -> u64 {
        self.list as u64 * MemoryPlan::LIST_DIVISOR * threads.max(1) as u64 / 2
    }

    /// Returns the bytes that every run may take: the program, buffers and cached answers.
    pub fn overhead(&self) -> u64 {
        MemoryPlan::PROGRAM + self.buffers as u64 + (self.answers * MemoryPlan::ANSWER_BYTES) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_never_exceed_the_whole() {
        for (threads, min_megabytes) in [(1, 30), (2, 31), (8, 40), (64, 120)] {
            for megabytes in [min_megabytes, min_megabytes + 1, 2 * min_megabytes, 1 << 10, 7 << 10, 1 << 20] {
                let bytes = megabytes << 20;
                let memory_plan = MemoryPlan::of(bytes, threads);
                assert!(
                    2 * memory_plan.texts() + memory_plan.read_ahead() <= memory_plan.buffers
                        && memory_plan.texts() > 0
                );
                assert!(
                    memory_plan.total(threads) <= bytes && memory_plan.tables > 0,
                    "{bytes} for {threads}: {memory_plan:?}"
                );
            }
            let memory_plan = MemoryPlan::of(1, threads);
            assert_eq!((memory_plan.tables, memory_plan.list as u64), (0, MemoryPlan::MIN_LIST));
            assert!(memory_plan.total(threads) < min_megabytes << 20, "{memory_plan:?}");
        }
        // Good paths get the same share for any number of threads, and never more than tables.
        for bytes in [64 << 20, 200 << 20, 1 << 30] {
            let [one, two] = [1, 2].map(|threads| MemoryPlan::of(bytes, threads));
            assert!(one.good_paths == two.good_paths, "{one:?} {two:?}");
            assert!(one.good_paths <= two.tables && two.tables <= one.tables, "{one:?} {two:?}");
        }
    }

    /// Memory that a search cannot use is given to tables.
    #[test]
    fn lists_do_not_exceed_their_useful_size() {
        let memory_plan = MemoryPlan::of(1 << 30, 2);
        assert_eq!((memory_plan.list as u64, memory_plan.answers), (MemoryPlan::MAX_LIST, MemoryPlan::MAX_ANSWERS));
        assert!(memory_plan.tables > 700 << 20, "{memory_plan:?}");
        assert!(MemoryPlan::of(100 << 20, 2).tables > 30 << 20);
    }
}
