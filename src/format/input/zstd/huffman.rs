//! The Huffman code of literals (RFC 8878, 4.2).

use super::bits::{Bits, RELOADED};
use super::damage::Damage;
use super::fse::{Frequencies, Meaning, Table};

/// The longest code of a byte.
const LONGEST: u32 = 11;

/// Bytes that can be decoded between two reloads.
const AT_ONCE: usize = (RELOADED / LONGEST) as usize;

/// A code: for each value of the next bits the byte whose code they begin with.
pub struct Huffman {
    codes: Box<[Code; 1 << LONGEST]>,
    /// The length of the longest code; none before the first was built.
    longest: Option<u32>,
    weights: Table<64>,
}

#[derive(Clone, Copy, Default)]
struct Code {
    byte: u8,
    bits: u8,
}

impl Huffman {
    pub fn new() -> Huffman {
        Huffman { codes: Box::new([Code::default(); 1 << LONGEST]), longest: None, weights: Table::new() }
    }

    /// Forgets the code.
    pub fn clear(&mut self) {
        self.longest = None;
    }

    /// True when no code was built.
    pub fn is_empty(&self) -> bool {
        self.longest.is_none()
    }

    /// Reads a code; the bytes that it took.
    pub fn read(&mut self, data: &[u8]) -> Result<usize, Damage> {
        const SHORT: Damage = Damage("a Huffman code that is cut off");
        let mut weights = [0u8; 256];
        let (&head, rest) = data.split_first().ok_or(SHORT)?;
        let (count, bytes) = match usize::from(head) {
            bytes @ ..128 => (self.read_weights(rest.get(..bytes).ok_or(SHORT)?, &mut weights)?, bytes),
            head => {
                let count = head - 127;
                let packed = rest.get(..count.div_ceil(2)).ok_or(SHORT)?;
                for (pair, &byte) in weights.chunks_exact_mut(2).zip(packed) {
                    pair.copy_from_slice(&[byte >> 4, byte & 15]);
                }
                (count, packed.len())
            }
        };
        self.longest = None;
        self.build(&mut weights, count)?;
        Ok(1 + bytes)
    }

    /// Weights by a finite state entropy code, of which two states take turns; how many there are.
    fn read_weights(&mut self, data: &[u8], weights: &mut [u8; 256]) -> Result<usize, Damage> {
        let frequencies = Frequencies::read(data, 6, 256)?;
        let meaning = |symbol| Meaning { base: symbol as u32, extra: 0 };
        self.weights.build(frequencies.of_symbols(), frequencies.log, meaning);
        let mut bits = Bits::new(&data[frequencies.bytes..])?;
        let mut states = [self.weights.first(&mut bits), self.weights.first(&mut bits)];
        if bits.is_past_end() {
            return Err(Damage("a Huffman code that is cut off"));
        }
        for count in 0..254 {
            let state = &mut states[count % 2];
            weights[count] = state.base as u8;
            bits.reload();
            *state = self.weights.next(*state, &mut bits);
            if bits.is_past_end() {
                weights[count + 1] = states[(count + 1) % 2].base as u8;
                return Ok(count + 2);
            }
        }
        Err(Damage("a Huffman code of too many bytes"))
    }

    /// The code of these weights and of one more, which is what is missing to a power of two.
    fn build(&mut self, weights: &mut [u8; 256], count: usize) -> Result<(), Damage> {
        const WRONG: Damage = Damage("weights that make no Huffman code");
        let share = |weight: u8| (1u32 << weight) >> 1;
        if weights[..count].iter().any(|&weight| u32::from(weight) > LONGEST) {
            return Err(WRONG);
        }
        let sum: u32 = weights[..count].iter().copied().map(share).sum();
        let longest = sum.checked_ilog2().ok_or(WRONG)? + 1;
        let missing = (1 << longest) - sum;
        if longest > LONGEST || !missing.is_power_of_two() || count >= weights.len() {
            return Err(WRONG);
        }
        weights[count] = missing.ilog2() as u8 + 1;
        let mut at = 0;
        for weight in 1..=longest as u8 {
            for (byte, _) in weights[..=count].iter().enumerate().filter(|(_, each)| **each == weight) {
                let size = share(weight) as usize;
                let bits = (longest + 1) as u8 - weight;
                self.codes[at..at + size].fill(Code { byte: byte as u8, bits });
                at += size;
            }
        }
        self.longest = Some(longest);
        Ok(())
    }

    #[inline(always)]
    fn next(&self, bits: &mut Bits<'_>, longest: u32) -> u8 {
        let code = self.codes[bits.peek(longest) as usize & (self.codes.len() - 1)];
        bits.pass(u32::from(code.bits));
        code.byte
    }

    /// Fills the text from one stream.
    pub fn decode(&self, data: &[u8], text: &mut [u8]) -> Result<(), Damage> {
        let mut bits = Bits::new(data)?;
        self.decode_rest(&mut bits, text)
    }

    fn decode_rest(&self, bits: &mut Bits<'_>, text: &mut [u8]) -> Result<(), Damage> {
        let longest = self.longest.unwrap_or(1);
        for bytes in text.chunks_mut(AT_ONCE) {
            bits.reload();
            for byte in bytes {
                *byte = self.next(bits, longest);
            }
        }
        bits.reload();
        if bits.is_at_end() { Ok(()) } else { Err(Damage("literals that end before or behind their bits")) }
    }

    /// Fills four quarters of the text from four streams. They are read in turn, so that none waits for itself.
    pub fn decode_four(&self, data: [&[u8]; 4], text: [&mut [u8]; 4]) -> Result<(), Damage> {
        let longest = self.longest.unwrap_or(1);
        let [mut first, mut second, mut third, mut fourth] = [0, 1, 2, 3].map(|index: usize| Bits::new(data[index]));
        let (Ok(first), Ok(second), Ok(third), Ok(fourth)) = (&mut first, &mut second, &mut third, &mut fourth) else {
            return Err(Damage("bits without a mark where they begin"));
        };
        let together = text.iter().map(|quarter| quarter.len()).min().unwrap_or(0) / AT_ONCE * AT_ONCE;
        let [(a, a_rest), (b, b_rest), (c, c_rest), (d, d_rest)] = text.map(|quarter| quarter.split_at_mut(together));
        let quarters = a.as_chunks_mut::<AT_ONCE>().0.iter_mut().zip(b.as_chunks_mut::<AT_ONCE>().0);
        let quarters = quarters.zip(c.as_chunks_mut::<AT_ONCE>().0).zip(d.as_chunks_mut::<AT_ONCE>().0);
        for (((a, b), c), d) in quarters {
            first.reload();
            second.reload();
            third.reload();
            fourth.reload();
            for at in 0..AT_ONCE {
                a[at] = self.next(first, longest);
                b[at] = self.next(second, longest);
                c[at] = self.next(third, longest);
                d[at] = self.next(fourth, longest);
            }
        }
        self.decode_rest(first, a_rest)?;
        self.decode_rest(second, b_rest)?;
        self.decode_rest(third, c_rest)?;
        self.decode_rest(fourth, d_rest)
    }
}
