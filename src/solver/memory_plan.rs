//! What a run may take, shared out: `--memory` is one promise over tables, sets of visited states, the lists of
//! searches, the chunks between reading and writing, answers that are kept, and windows of compressed inputs.
//!
//! Pure: a number of bytes and of threads in, the shares out. What a share is spent on keeps to it by itself:
//! tables and sets enter what they take beforehand, lists end at their room, the reader waits while chunks in flight
//! hold what they may. A share that is used up costs time or leaves a board `unsolved` with `limit: "memory"`,
//! never more memory.

/// The shares, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryPlan {
    /// All tables together, or all sets of visited states: a run has one or the other.
    pub tables: u64,
    /// All searches for good paths together, their tables among them: half of what is not the program's, on any number of threads,
    /// because what a beam keeps decides which path it finds. It is part of the share of the tables.
    pub beams: u64,
    /// A list of a search; a thread that searches has two, and what it searches below them.
    pub list: usize,
    /// What is read ahead of a pipe ([`MemoryPlan::read_ahead`]); then texts between reading and writing, and buffers that wait to be filled
    /// again, half of the rest each.
    pub buffers: usize,
    /// Answers that are kept for boards that come again, at [`MemoryPlan::ANSWER`] each.
    pub answers: usize,
    /// The window that a compressed input may ask for.
    pub decompression: u64,
}

impl MemoryPlan {
    /// The program itself: code, stacks, the blocks that are read, small tables; 6 to 12 MB are usual.
    const PROGRAM: u64 = 14 << 20;

    /// A list of a search at most: longer ones gain nothing, see [`ida`](crate::engine::ida::Scratch::BYTES).
    const LIST: u64 = 4 << 20;

    /// Where the shares of the memory decide what a run writes, they are those of a run on so many threads.
    pub const MANY_THREADS: usize = 64;

    /// And at least, some thousand nodes.
    const SHORTEST_LIST: u64 = 128 << 10;

    /// Halves of a list that a thread takes: two lists, and below them as much as six.
    const HALVES: u64 = 16;

    /// Buffers at least.
    const LEAST_BUFFERS: usize = 6 << 20;

    /// An answer that is kept, with its key, at most.
    const ANSWER: usize = 400;

    /// Most answers that are kept.
    const ANSWERS: usize = 1 << 15;

    /// The shares of so many bytes, where so many threads search.
    pub fn of(bytes: u64, threads: usize) -> MemoryPlan {
        let threads = threads.max(1) as u64;
        let buffers = (bytes / 8).clamp(MemoryPlan::LEAST_BUFFERS as u64, 64 << 20);
        let decompression = (bytes / 16).clamp(8 << 20, 128 << 20);
        let answers = (bytes / 64).clamp(256 << 10, (MemoryPlan::ANSWERS * MemoryPlan::ANSWER) as u64);
        let rest = bytes.saturating_sub(MemoryPlan::PROGRAM + buffers + decompression + answers);
        let list = (rest / (MemoryPlan::HALVES * threads)).clamp(MemoryPlan::SHORTEST_LIST, MemoryPlan::LIST);
        MemoryPlan {
            tables: rest.saturating_sub(list * MemoryPlan::HALVES * threads / 2),
            beams: rest / 2,
            list: list as usize,
            buffers: buffers as usize,
            answers: answers as usize / MemoryPlan::ANSWER,
            decompression,
        }
    }

    /// What may be read ahead of a pipe.
    pub fn read_ahead(&self) -> usize {
        self.buffers / 8
    }

    /// Texts between reading and writing; buffers that wait to be filled again take as much.
    pub fn texts(&self) -> usize {
        (self.buffers - self.read_ahead()) / 2
    }

    /// All shares together. More than the bytes they were made of where those are too few: then nothing is left for
    /// tables, and the others are as small as they get.
    pub fn total(&self, threads: usize) -> u64 {
        let lists = self.list as u64 * MemoryPlan::HALVES * threads.max(1) as u64 / 2;
        let answers = (self.answers * MemoryPlan::ANSWER) as u64;
        MemoryPlan::PROGRAM + self.tables + lists + self.buffers as u64 + answers + self.decompression
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_never_exceed_the_whole() {
        for (threads, least) in [(1, 30), (2, 31), (8, 40), (64, 120)] {
            for megabytes in [least, least + 1, 2 * least, 1 << 10, 7 << 10, 1 << 20] {
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
            assert_eq!((memory_plan.tables, memory_plan.list as u64), (0, MemoryPlan::SHORTEST_LIST));
            assert!(memory_plan.total(threads) < least << 20, "{memory_plan:?}");
        }
        // Beams have the same on any number of threads, and no more than the tables.
        for bytes in [64 << 20, 200 << 20, 1 << 30] {
            let [one, two] = [1, 2].map(|threads| MemoryPlan::of(bytes, threads));
            assert!(one.beams == two.beams && one.beams <= two.tables && two.tables <= one.tables, "{one:?} {two:?}");
        }
    }

    /// What is more than a search can use goes to tables.
    #[test]
    fn searches_have_their_full_lists_before_half_is_spent_on_them() {
        let memory_plan = MemoryPlan::of(1 << 30, 2);
        assert_eq!((memory_plan.list as u64, memory_plan.answers), (MemoryPlan::LIST, MemoryPlan::ANSWERS));
        assert!(memory_plan.tables > 700 << 20, "{memory_plan:?}");
        assert!(MemoryPlan::of(100 << 20, 2).tables > 30 << 20);
    }
}
