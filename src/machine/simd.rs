//! Hot loops compiled twice: for any machine, and for AVX2 where it is found at run time.
//!
//! The crate is built for plain x86-64, whose vectors hold two words. The builder's loops are plain
//! Rust that the compiler turns into vector code of whatever width it is told of; so the same
//! loops are compiled a second time with AVX2 and chosen when the machine has it. On a Zen 5, which
//! waits for memory most of the time, it is worth 1.18× for 7 tiles and 1.1× for 8; on a Cascade
//! Lake a prototype gained 1.8×. AVX-512 gained nothing more there and needs a later compiler.

/// A loop that is to be compiled for several machines.
pub(crate) trait Kernel {
    type Output;

    /// The loop. This and all it calls must be `#[inline(always)]`: only what is inlined into the
    /// caller is compiled for the caller's machine.
    fn run(self) -> Self::Output;
}

/// Runs the kernel as compiled for this machine.
#[allow(unsafe_code)] // a call to a function that is compiled for more than the crate is
pub(crate) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
            kernel.run()
        }
        let found = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        if found {
            // SAFETY: the machine has just said that it has every feature the function is compiled
            // for. Guarded by the test `both_versions_agree`.
            return unsafe { with_avx2(kernel) };
        }
    }
    kernel.run()
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
    fn both_versions_agree() {
        let words: Vec<u64> = (0..1000u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        assert_eq!(dispatch(Ones(&words)), Ones(&words).run());
    }
}
