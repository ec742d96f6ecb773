//! The vector instruction sets of the processor, and hot loops compiled for more than one of them.
//!
//! The crate is built for plain x86-64, whose vectors hold two 64-bit words. Its hot loops are
//! plain Rust, which the compiler vectorises for the target. So the same loops are compiled a
//! second time with AVX2, and the version to call is selected at run time. `benches/pdb_build.rs`,
//! run with and without `TAQUIN_PORTABLE`, measures the gain. The updates of evaluations
//! (`heuristic/evaluation`), the fast path (`batch/fast_path`) and some searches also have code
//! written for one particular set; figures for a search are in `benches/constants.csv`.

use std::env;
use std::sync::{LazyLock, Mutex};

/// A set of instructions that code may use. All sets give the same answers and node counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InstructionSet {
    /// Only the instructions of the target.
    Portable,
    /// x86-64 with AVX2 and BMI2 (since 2013): the same loops compiled again. The updates of
    /// evaluations and the fast path use code written for it.
    Avx2,
    /// x86-64 with AVX-512: the updates of evaluations and some searches use code written for it.
    /// The other loops are those for AVX2.
    Avx512,
}

/// A loop that is compiled for several instruction sets.
pub(crate) trait Kernel {
    type Output;

    /// Runs the loop. This method and everything it calls must be `#[inline(always)]`, because only
    /// inlined code is compiled for the caller's instruction set.
    fn run(self) -> Self::Output;
}

impl InstructionSet {
    /// All sets, smallest first.
    pub const ALL: [InstructionSet; 3] = [InstructionSet::Portable, InstructionSet::Avx2, InstructionSet::Avx512];

    /// Returns the largest set that this processor supports, or `Portable` if the environment
    /// variable `TAQUIN_PORTABLE` is set. With this variable, the portable code can be measured on
    /// any processor.
    pub fn best() -> InstructionSet {
        static BEST: LazyLock<InstructionSet> = LazyLock::new(|| {
            let is_allowed = |set: &InstructionSet| set.is_available() && env::var_os("TAQUIN_PORTABLE").is_none();
            InstructionSet::ALL.into_iter().rev().find(is_allowed).unwrap_or(InstructionSet::Portable)
        });
        *BEST
    }

    /// Returns true if this processor supports the set.
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        let (avx2, avx512) = (
            is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt"),
            is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl"),
        );
        #[cfg(not(target_arch = "x86_64"))]
        let (avx2, avx512) = (false, false);
        match self {
            InstructionSet::Portable => true,
            InstructionSet::Avx2 => avx2,
            InstructionSet::Avx512 => avx2 && avx512,
        }
    }

    /// Runs the kernel as compiled for this set.
    ///
    /// # Panics
    /// If the processor does not support the set.
    #[allow(unsafe_code)] // a call to a function compiled for more features than the crate
    #[inline]
    pub(crate) fn dispatch<K: Kernel>(self, kernel: K) -> K::Output {
        assert!(self.is_available(), "this processor has no {self:?}");
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
                kernel.run()
            }
            if self >= InstructionSet::Avx2 {
                // SAFETY: the assertion above has checked that the processor has every feature the
                // function is compiled for. Guarded by the test `an_unsupported_set_is_rejected`.
                return unsafe { with_avx2(kernel) };
            }
        }
        kernel.run()
    }
}

/// Runs the kernel as compiled for [`InstructionSet::best`].
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    InstructionSet::best().dispatch(kernel)
}

/// Runs copies of the kernel on `threads` threads, including the caller's, and returns the sum of
/// their results. The copies share their work.
pub(crate) fn run_on_threads<K: Kernel<Output = u64> + Copy + Send>(kernel: K, threads: usize) -> u64 {
    std::thread::scope(|scope| {
        let spawned: Vec<_> = (1..threads).map(|_| scope.spawn(move || dispatch(kernel))).collect();
        let found_here = dispatch(kernel);
        let join = |thread: std::thread::ScopedJoinHandle<u64>| match thread.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        found_here + spawned.into_iter().map(join).sum::<u64>()
    })
}

/// Runs all tasks, compiled for [`InstructionSet::best`], on `threads` threads including the
/// caller's. The order in which they run must not matter.
pub(crate) fn run_all<T: Kernel<Output = ()> + Send>(tasks: Vec<T>, threads: usize) {
    let tasks = Mutex::new(tasks);
    let work = || {
        loop {
            // A separate statement, so that the lock is released before the task runs.
            let task = tasks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).pop();
            let Some(task) = task else { return };
            dispatch(task);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Ones<'a>(&'a [u64]);

    impl Kernel for Ones<'_> {
        type Output = u64;

        #[inline(always)]
        fn run(self) -> u64 {
            self.0.iter().map(|word| u64::from(word.count_ones())).sum()
        }
    }

    #[test]
    fn all_sets_give_the_same_result() {
        let words: Vec<u64> = (0..1000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        for set in InstructionSet::ALL.into_iter().filter(|set| set.is_available()) {
            assert_eq!(set.dispatch(Ones(&words)), Ones(&words).run());
        }
        assert_eq!(dispatch(Ones(&words)), Ones(&words).run());
    }

    #[test]
    fn an_unsupported_set_is_rejected() {
        for set in InstructionSet::ALL.into_iter().filter(|set| !set.is_available()) {
            assert!(std::panic::catch_unwind(|| set.dispatch(Ones(&[1, 2]))).is_err(), "{set:?}");
        }
        assert!(InstructionSet::Portable.is_available() && InstructionSet::best().is_available());
    }
}
