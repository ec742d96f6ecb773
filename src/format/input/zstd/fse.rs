//! Finite state entropy codes: an automaton whose states stand for symbols, each as often as the symbol is frequent; the
//! next state is a base and some bits that are read (J. Duda, "Asymmetric numeral systems", 2013; RFC 8878, 4.1).

use super::bits::Bits;
use super::damage::Damage;

/// What a symbol stands for: a number from `base` on, to which this many bits are added.
#[derive(Clone, Copy, Default, Debug)]
pub struct Meaning {
    pub base: u32,
    pub extra: u8,
}

/// A state of the automaton.
#[derive(Clone, Copy, Default, Debug)]
pub struct State {
    /// What its symbol stands for, as in [`Meaning`].
    pub base: u32,
    pub extra: u8,
    /// The next state is this and what the bits say.
    bits: u8,
    next: u16,
}

/// An automaton with at most `N` states, a power of two.
pub struct Table<const N: usize> {
    states: Box<[State; N]>,
    /// The number of states, as a power of two; none before the first was built.
    log: Option<u32>,
}

impl<const N: usize> Table<N> {
    pub fn new() -> Table<N> {
        assert!(N.is_power_of_two());
        Table { states: Box::new([State::default(); N]), log: None }
    }

    /// Forgets the table.
    pub fn clear(&mut self) {
        self.log = None;
    }

    /// True when no table was built.
    pub fn is_empty(&self) -> bool {
        self.log.is_none()
    }

    /// One state, which is never left.
    pub fn set_single(&mut self, meaning: Meaning) {
        self.states[0] = State { base: meaning.base, extra: meaning.extra, bits: 0, next: 0 };
        self.log = Some(0);
    }

    /// The table of these frequencies, which sum up to the number of states; -1 is one state at the table's end.
    pub fn build(&mut self, frequencies: &[i16], log: u32, meaning: impl Fn(usize) -> Meaning) {
        let size = 1 << log;
        let mut visits = [0u16; 256];
        let mut symbols = [0u8; N];
        let mut rare = size;
        for (symbol, &frequency) in frequencies.iter().enumerate() {
            visits[symbol] = frequency.unsigned_abs();
            if frequency < 0 {
                rare -= 1;
                symbols[rare] = symbol as u8;
            }
        }
        let (mut at, step) = (0, (size >> 1) + (size >> 3) + 3);
        for (symbol, &frequency) in frequencies.iter().enumerate() {
            for _ in 0..frequency.max(0) {
                symbols[at] = symbol as u8;
                at = (at + step) & (size - 1);
                while at >= rare {
                    at = (at + step) & (size - 1);
                }
            }
        }
        for (state, &symbol) in self.states.iter_mut().zip(&symbols[..size]) {
            let visit = &mut visits[usize::from(symbol)];
            let bits = log - visit.ilog2();
            let next = (*visit << bits) - size as u16;
            let Meaning { base, extra } = meaning(usize::from(symbol));
            *state = State { base, extra, bits: bits as u8, next };
            *visit += 1;
        }
        self.log = Some(log);
    }

    /// The state that the bits begin with.
    pub fn first(&self, bits: &mut Bits<'_>) -> State {
        self.at(bits.read(self.log.unwrap_or(0)))
    }

    /// The state that follows.
    #[inline(always)]
    pub fn next(&self, state: State, bits: &mut Bits<'_>) -> State {
        self.at(u64::from(state.next) + bits.read(u32::from(state.bits)))
    }

    #[inline(always)]
    fn at(&self, index: u64) -> State {
        self.states[index as usize & (N - 1)]
    }
}

/// Frequencies as they are written.
pub struct Frequencies {
    of: [i16; 256],
    pub symbols: usize,
    pub log: u32,
    /// The bytes that they took.
    pub bytes: usize,
}

impl Frequencies {
    /// Reads frequencies for tables of at most `1 << max_log` states, of at most this number of symbols.
    pub fn read(data: &[u8], max_log: u32, max_symbols: usize) -> Result<Frequencies, Damage> {
        const WRONG: Damage = Damage("a table of frequencies that do not fit");
        let mut bits = Forward { data, at: 0 };
        let log = 5 + bits.read(4);
        if log > max_log {
            return Err(WRONG);
        }
        let mut frequencies = Frequencies { of: [0; 256], symbols: 0, log, bytes: 0 };
        let mut left = 1u32 << log;
        while left > 0 {
            let most = left + 1;
            let width = most.ilog2() + 1;
            // Small values are written with a bit less.
            let short = (1 << width) - 1 - most;
            let mut value = bits.peek(width);
            let low = value & ((1 << (width - 1)) - 1);
            if low < short {
                bits.at += width as usize - 1;
                value = low;
            } else {
                bits.at += width as usize;
                value -= if value >= 1 << (width - 1) { short } else { 0 };
            }
            let frequency = value as i16 - 1;
            left -= u32::from(frequency.unsigned_abs());
            *frequencies.of.get_mut(frequencies.symbols).ok_or(WRONG)? = frequency;
            frequencies.symbols += 1;
            let mut zeros = if frequency == 0 { 3 } else { 0 };
            while zeros == 3 {
                zeros = bits.read(2);
                frequencies.symbols += zeros as usize;
                if frequencies.symbols > max_symbols {
                    return Err(WRONG);
                }
            }
        }
        frequencies.bytes = bits.at.div_ceil(8);
        if frequencies.symbols > max_symbols || frequencies.bytes > data.len() {
            return Err(WRONG);
        }
        Ok(frequencies)
    }

    pub fn of_symbols(&self) -> &[i16] {
        &self.of[..self.symbols]
    }
}

/// Bits that are read from the start; zeros behind the end.
struct Forward<'a> {
    data: &'a [u8],
    at: usize,
}

impl Forward<'_> {
    /// At most 16 bits.
    fn peek(&self, bits: u32) -> u32 {
        let bytes = self.data.get(self.at / 8..).unwrap_or(&[]);
        let loaded = bytes.iter().take(3).rev().fold(0, |loaded, &byte| loaded << 8 | u32::from(byte));
        loaded >> (self.at % 8) & ((1 << bits) - 1)
    }

    fn read(&mut self, bits: u32) -> u32 {
        let read = self.peek(bits);
        self.at += bits as usize;
        read
    }
}
