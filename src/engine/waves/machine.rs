//! One source, several machines: what the machine at hand is found to have decides at run time.

/// What code may make use of. All machines give the same answers and count the same nodes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Machine {
    /// Anything.
    Portable,
    /// x86-64 with AVX2 and BMI2, as built since 2013: the same loops compiled again.
    Avx2,
    /// x86-64 with AVX-512, where boards of 16 cells are expanded in waves.
    Avx512,
}

/// A loop that is to be compiled for several machines.
pub(super) trait Kernel {
    type Output;

    /// The loop. This and all it calls must be `#[inline(always)]`: only what is inlined into the
    /// caller is compiled for the caller's machine.
    fn run(self) -> Self::Output;
}

impl Machine {
    /// All there are, the least first.
    pub const ALL: [Machine; 3] = [Machine::Portable, Machine::Avx2, Machine::Avx512];

    /// The best that this machine is.
    pub fn best() -> Machine {
        Machine::ALL.into_iter().rev().find(|machine| machine.is_here()).unwrap_or(Machine::Portable)
    }

    /// Whether this machine has what it takes.
    pub fn is_here(self) -> bool {
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
            Machine::Portable => true,
            Machine::Avx2 => avx2,
            Machine::Avx512 => avx2 && avx512,
        }
    }

    /// Runs the kernel as compiled for this machine.
    ///
    /// # Panics
    /// When that is not here.
    #[allow(unsafe_code)] // a call to a function that is compiled for more than the crate is
    #[inline]
    pub(super) fn dispatch<K: Kernel>(self, kernel: K) -> K::Output {
        assert!(self.is_here(), "{self:?} is not here");
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
            fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
                kernel.run()
            }
            if self >= Machine::Avx2 {
                // SAFETY: the machine was just asked for every feature the function is compiled for.
                // Guarded by the test `an_engine_never_takes_on_a_machine_that_is_not_here`.
                return unsafe { with_avx2(kernel) };
            }
        }
        kernel.run()
    }
}
